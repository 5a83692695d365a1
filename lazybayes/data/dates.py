"""Dates of ARFF files: the patterns of Java's SimpleDateFormat that Weka writes, read as seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from lazybayes.errors import DataError

ISO = "yyyy-MM-dd'T'HH:mm:ss"
"""Weka's format where the header gives none."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PIECE = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'")
_LETTERS = {
    "yy": "%y", "y": "%Y", "yyyy": "%Y", "M": "%m", "MM": "%m", "MMM": "%b", "MMMM": "%B", "d": "%d", "dd": "%d",
    "H": "%H", "HH": "%H", "h": "%I", "hh": "%I", "m": "%M", "mm": "%M", "s": "%S", "ss": "%S", "SSS": "%f", "a": "%p",
    "E": "%a", "EEE": "%a", "EEEE": "%A", "D": "%j", "DDD": "%j", "Z": "%z", "X": "%z", "XX": "%z", "XXX": "%z",
}  # fmt: skip


def date_reader(pattern: str, place: str) -> tuple[Callable[[str], float | None], str]:
    """A function text -> seconds since 1970-01-01 00:00 UTC (None for a bad date), and the text of second 0.

    What a pattern leaves open is taken from that moment, as in Java; a pattern without a time zone means UTC, so that
    the numbers are the same on every machine (Weka takes the machine's own zone).

    Raises DataError for a letter of the pattern that has no meaning here.
    """
    directives = []
    for piece in _PIECE.finditer(pattern):
        words = piece[0]
        if piece[1] is not None:
            directives.append(_literal(piece[1].replace("''", "'") or "'"))
        elif piece[2] is None and words != "'":
            directives.append(_literal(words))
        elif words in _LETTERS:
            directives.append(_LETTERS[words])
        else:
            raise DataError(f"{place} has the date format {pattern}; {words} in it is none of {', '.join(_LETTERS)}")
    form = "".join(directives)

    has_year = any(directive in ("%Y", "%y") for directive in directives)

    def seconds(text: str) -> float | None:
        try:
            moment = datetime.strptime(text, form)
        except ValueError:
            return None
        if not has_year:
            moment = moment.replace(year=_EPOCH.year)
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH).total_seconds()

    return seconds, _EPOCH.strftime(form)


def _literal(words: str) -> str:
    return words.replace("%", "%%")
