"""One mutator for all inputs: bytes in, hostile bytes out, decided by a seeded generator alone."""

from __future__ import annotations

import random

MOST = 2_000_000
"""Bytes of a mutated input."""

TOKENS = (
    *(b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b"\t", b" ", b"\\", b'"', b"'", b"''"),
    *(b",", b";", b":", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"|", b"&a ", b"*a", b"!!python/object:os.x "),
    *(b"?", b"%", b"#", b"@data", b"@attribute", b"@relation", b"~", b"..", b"/", b"//", b"/*", b"- ", b"? ", b"<<: "),
    *(
        b"0",
        b"-1",
        b"1e999",
        b"-1e-999",
        b"nan",
        b"inf",
        b"1_000",
        b"0x1f",
        b"0b1",
        b"1" * 40,
        b"1" * 5000,
        b"2024-13-45",
    ),
    *(b"null", b"true", b"yes", b"{}", b"[]", b"[[[[", b"{a: {a: {a: ", b"numeric", b"date", b"string", b"relational"),
    *(
        "é".encode(),
        "é".encode("latin-1"),
        "\u202e".encode(),
        "\U0001f600".encode(),
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"\x1b[2J",
    ),
    *(b"path", b"name", b"learner", b"datasets", b"openml", b"table", b"default", b"probability", b"variable", b"type"),
)
"""What readers of text stumble over."""


def mutated(content: bytes, other: bytes, chance: random.Random) -> bytes:
    """A content after one to five changes, at most `MOST` bytes. other: another sample, for splices."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        content = chance.choice(CHANGES)(content, other, chance)[:MOST]
    return content


def _span(content: bytes, chance: random.Random, most: int = 40) -> tuple[int, int]:
    start = chance.randrange(len(content) + 1)
    return start, min(len(content), start + chance.randrange(most + 1))


def _flip(content: bytes, other: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 30)) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _delete(content: bytes, other: bytes, chance: random.Random) -> bytes:
    start, end = _span(content, chance)
    return content[:start] + content[end:]


def _insert(content: bytes, other: bytes, chance: random.Random) -> bytes:
    start, end = _span(content, chance, chance.choice((0, 0, 8)))
    return content[:start] + chance.choice(TOKENS) + content[end:]


def _repeat(content: bytes, other: bytes, chance: random.Random) -> bytes:
    """A run again and again: mostly a few times, now and then up to the size allowed."""
    start, end = _span(content, chance)
    times = chance.choice((2, 5, 50, 50, 1000, 100_000))
    return content[:end] + content[start:end] * min(times, MOST // max(end - start, 1)) + content[end:]


def _truncate(content: bytes, other: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _splice(content: bytes, other: bytes, chance: random.Random) -> bytes:
    start, end = _span(other, chance, chance.choice((20, 400, len(other))))
    place = chance.randrange(len(content) + 1)
    return content[:place] + other[start:end] + content[place:]


def _swap_lines(content: bytes, other: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    first, second = (chance.randrange(len(lines)) for _ in range(2))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _copy_page(content: bytes, other: bytes, chance: random.Random) -> bytes:
    """A page of 4096 bytes over another, as a disk that fails does."""
    size = 4096
    pages = max(len(content) // size, 1)
    start, source = (size * chance.randrange(pages) for _ in range(2))
    page = bytes(size) if chance.randrange(2) else content[source : source + size]
    return content[:start] + page + content[start + size :]


CHANGES = (_flip, _flip, _delete, _insert, _insert, _insert, _repeat, _truncate, _splice, _swap_lines, _copy_page)
