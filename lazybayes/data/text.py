"""A data file as text: read once, decoded by one rule, every failure said plainly."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from lazybayes.errors import DataError
from lazybayes.files import read_file
from lazybayes.messages import plural
from lazybayes.settings import settings

BLANKS = " \t\f\v"
"""What is trimmed around a cell. No other character is: a no-break space belongs to the value."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


@dataclass(frozen=True)
class Text:
    """A file's text without a byte order mark, its line ends as they stand, and what to tell about the decoding."""

    file: str
    body: str
    notices: tuple[str, ...] = ()

    def at(self, line: int, column: int | None = None) -> str:
        """The place for a message; lines and columns (cells) count from 1."""
        return f"{self.file}, line {line}" + (f", column {column}" if column else "")


def read_text(path: Path, encoding: str | None = None, most: int | None = None) -> Text:
    """Reads a file as UTF-8, else as Latin-1 with a notice, unless the encoding is given.

    most: bytes that the file may have; by default the setting `most_bytes`.

    Raises DataError if the path is not there, is not a regular file, cannot be opened, is too large, empty, binary or
    packed, or holds bytes that the given encoding does not know.
    """
    data = read_file(path, settings().most_bytes, "most_bytes") if most is None else read_file(path, most)
    for magic, kind in _PACKED.items():
        if data.startswith(magic):
            raise DataError(f"{path}: packed by {kind}; a text file is expected: unpack it first")
    body, wrong = decode(str(path), data, encoding)
    if wrong is None:
        return Text(str(path), _check(path, body))
    if _CONTROL.search(body):
        raise DataError(f"{path}: the file is binary; a text file is expected")
    notice = f"{path}: read as Latin-1, for line {_line(data, wrong)} is no UTF-8 (`encoding` says otherwise)"
    return Text(str(path), body, (notice,))


def decode(place: str, data: bytes, encoding: str | None = None) -> tuple[str, int | None]:
    """Bytes as text: in the encoding if one is given, as UTF-8, or else as Latin-1, where any byte is a character.

    Also the offset of the first byte that is no UTF-8, if that is why. Raises DataError if the encoding is unknown or
    does not know the bytes, or if they look like UTF-16.
    """
    if encoding is not None:
        return _decode(place, data, encoding), None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"{place}: the file looks like UTF-16; say `encoding: utf-16` if it is")
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        return data.decode("latin-1"), error.start


def without_lines(text: Text, lines: Collection[int]) -> Text:
    """The text with these lines (from 1) emptied, so that the others keep their numbers.

    Raises DataError if a line is not there.
    """
    parts = re.split(r"(\r\n|\r|\n)", text.body)
    for line in lines:
        if 2 * line - 2 >= len(parts):
            raise DataError(
                f"{text.file}: skip_lines has line {line}; the file has {plural(len(parts) // 2 + 1, 'line')}"
            )
        parts[2 * line - 2] = ""
    return replace(text, body="".join(parts))


def is_encoding(name: str) -> bool:
    """Whether Python knows a text encoding of this name."""
    try:
        "a".encode(name)
    except (LookupError, ValueError):  # ValueError: a zero byte, say
        return False
    return True


def _decode(path: str, data: bytes, encoding: str) -> str:
    if not is_encoding(encoding):
        raise DataError(f"{path}: unknown encoding {encoding}; examples are utf-8, latin-1, cp1252, utf-16")
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeError as error:
        line = _line(data, getattr(error, "start", 0))
        raise DataError(f"{path}, line {line}: bytes that are no {encoding}; another `encoding` is needed") from None


def _check(path: Path, body: str) -> str:
    if not body.strip():
        raise DataError(f"{path}: the file is empty; a data file is expected")
    if "\0" in body:
        raise DataError(f"{path}: the file is binary (it holds zero bytes); a text file is expected")
    return body


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
