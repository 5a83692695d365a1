"""Dates of ARFF files: the patterns of Java's SimpleDateFormat that Weka writes, read as seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from lazybayes.errors import DataError

ISO = "yyyy-MM-dd'T'HH:mm:ss"
"""Weka's format where the header gives none."""

LATEST = 2045
"""The last year that two digits can mean: Java takes the century from 80 years before to 20 after the day of reading.

The bound is fixed, as the rule has it in 2026, for the same file must give the same numbers next year.
"""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PIECE = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'")
_LETTERS = {
    "yy": "%y", "y": "%Y", "yyyy": "%Y", "M": "%m", "MM": "%m", "MMM": "%b", "MMMM": "%B", "d": "%d", "dd": "%d",
    "H": "%H", "HH": "%H", "h": "%I", "hh": "%I", "m": "%M", "mm": "%M", "s": "%S", "ss": "%S", "SSS": "%f", "a": "%p",
    "E": "%a", "EEE": "%a", "EEEE": "%A", "D": "%j", "DDD": "%j", "Z": "%z", "X": "%z", "XX": "%z", "XXX": "%z",
}  # fmt: skip


@dataclass(frozen=True)
class DateReader:
    """How the dates of one pattern are read.

    seconds: text -> seconds since 1970-01-01 00:00 UTC, None for a bad date; epoch: the text of second 0; notice: what
    is to be said about the pattern, or empty.
    """

    seconds: Callable[[str], float | None]
    epoch: str
    notice: str = ""


def date_reader(pattern: str, place: str) -> DateReader:
    """The reader of a pattern's dates.

    What a pattern leaves open is taken from the first moment of 1970, as in Java; a pattern without a time zone means
    UTC, so that the numbers are the same on every machine (Weka takes the machine's own zone). A year of two digits is
    one of the hundred up to `LATEST`, with a notice.

    Raises DataError for a letter of the pattern that has no meaning here, or the meaning of an earlier one.
    """
    directives = []
    for piece in _PIECE.finditer(pattern):
        words = piece[0]
        if piece[1] is not None:
            directives.append(_literal(piece[1].replace("''", "'") or "'"))
        elif piece[2] is None and words != "'":
            directives.append(_literal(words))
        elif _LETTERS.get(words) in directives:
            raise DataError(f"{place} has the date format {pattern}, in which {words} repeats what stands before it")
        elif words in _LETTERS:
            directives.append(_LETTERS[words])
        else:
            raise DataError(f"{place} has the date format {pattern}; {words} in it is none of {', '.join(_LETTERS)}")
    form = "".join(directives)
    two_digits = "%y" in directives and "%Y" not in directives
    has_year = two_digits or "%Y" in directives

    def seconds(text: str) -> float | None:
        try:
            moment = datetime.strptime(text, form)
        except ValueError:
            return None
        if not has_year:
            moment = moment.replace(year=_EPOCH.year)
        if two_digits and moment.year > LATEST:
            moment = moment.replace(year=moment.year - 100)
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH).total_seconds()

    notice = (
        f"{place} has the date format {pattern}: its years of two digits are read as {LATEST - 99} to {LATEST}; "
        f"write four digits (yyyy) if others are meant"
    )
    return DateReader(seconds, _EPOCH.strftime(form), notice if two_digits else "")


def _literal(words: str) -> str:
    return words.replace("%", "%%")
