"""What a user can get wrong. `cli.py` alone turns these into messages and exit statuses."""

from __future__ import annotations

import difflib
import errno
import traceback
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

_LONGEST = 200
"""Letters of a word that a hint is sought for: the time grows with the square of the length."""
_DIRECTIONS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
MOST_OF_MESSAGE = 500
MOST_OF_TRACEBACK = 20_000
"""Characters kept of what foreign code says when it fails."""


class LazyBayesError(Exception):
    """Base of every error a user can cause: one message that names the thing, its place and what would be right."""

    exit_status = 2


class ConfigError(LazyBayesError):
    """A YAML file (config, catalogue entry) that is wrong; holds all its problems at once."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class DataError(LazyBayesError):
    """A data file, or a data set, that cannot be read or used as asked."""


class FileError(DataError):
    """A file or folder that a user names and that is not there or cannot be read."""


class FetchError(DataError):
    """A data set that could not be fetched: the network, a service, or what it sent."""

    exit_status = 1


class StoreError(LazyBayesError):
    """A results folder that cannot be read, written or understood."""


class DiskError(LazyBayesError):
    """A file that could be written to, but not to its end: the disk is full, or it fails."""

    exit_status = 1


class UsageError(LazyBayesError):
    """A command that asks for something that is not there."""


class RunError(LazyBayesError):
    """A run or a comparison that fell short."""

    exit_status = 1


def unwritable(path: Path | str, problem: OSError) -> LazyBayesError:
    """The error for a file that could not be written: the disk's, or the user's who named the file."""
    kind = DiskError if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO) else UsageError
    return kind(f"{path} cannot be written: {problem.strerror}")


def nearest(word: str, allowed: Iterable[str]) -> str:
    """A hint ` (did you mean NAME?)` for a misspelt or shortened word, whatever its case, or an empty string."""
    by_folded: dict[str, str] = {}
    if len(word) > _LONGEST:
        return ""
    for name in allowed:
        if len(name) <= _LONGEST:
            by_folded.setdefault(name.casefold(), name)
    folded = word.casefold()
    longer = sorted((name for name in by_folded if len(folded) > 1 and folded in name), key=len)
    close = [
        *([folded] if folded in by_folded else []),
        *(name for name in longer if name.startswith(folded)),
        *difflib.get_close_matches(folded, list(by_folded), n=1, cutoff=0.6),
        *longer,
    ]
    return f" (did you mean {by_folded[close[0]]}?)" if close else ""


def no_matplotlib(what: str) -> UsageError:
    """The error for a picture where matplotlib is not installed."""
    return UsageError(f"{what} needs matplotlib, which is not installed: `pip install matplotlib` adds it")


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 row`, `2 rows`; nouns: where it is not the noun with an s (`entries`)."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def bounded(text: str, most: int = MOST_OF_MESSAGE) -> str:
    """A text of any origin for a terminal, a table or a store: its beginning and end, at most so many characters.

    A character that would act on a terminal, or cannot be encoded as UTF-8, is escaped.
    """
    if len(text) > most:
        text = f"{text[: most // 2]} ... ({len(text)} characters) ... {text[-most // 2 :]}"
    return printable(text)


def printable(text: str) -> str:
    """The text with every character escaped that would act on a terminal, or that UTF-8 cannot encode.

    These are control characters (save line ends and tabs), lone surrogates, the Unicode line and paragraph separators,
    and what overrides the direction of writing.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char.encode("unicode_escape").decode() if _acts(char) else char for char in text)


def _acts(char: str) -> bool:
    kind = unicodedata.category(char)
    return (kind in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t") or char in _DIRECTIONS


def one_line(problem: BaseException) -> str:
    """The first line of an exception, bounded, with its kind unless it is one of ours. Never raises."""
    try:
        text = str(problem)
    except BaseException as other:  # whatever a foreign `__str__` does
        text = f"(its text cannot be read: {type(other).__name__})"
    kind = "" if isinstance(problem, LazyBayesError) else f"{type(problem).__name__}: "
    return bounded(f"{kind}{text.strip()}".split("\n", 1)[0]).rstrip(": ")


def trace(problem: BaseException) -> str:
    """The traceback of an exception, bounded. Never raises."""
    try:
        return bounded("".join(traceback.format_exception(problem)), MOST_OF_TRACEBACK)
    except BaseException as other:  # `format_exception` reads what the exception says of itself
        return f"(the traceback cannot be read: {type(other).__name__})"
