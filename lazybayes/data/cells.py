"""The cells of a file and what they say, for every reader.

A reader splits rows into cells *as they stand*, quotes and all; what a cell says is worked out once for each
distinct cell of a column, so that a column of n cells costs one dictionary look-up a cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lazybayes.data.numbers import PLAIN, Misread, NumberFormat, misread, number
from lazybayes.data.table import Attribute, Column, listed
from lazybayes.data.text import Text
from lazybayes.errors import DataError
from lazybayes.messages import nearest

KINDS = ("nominal", "numeric", "string")
EVERY = "*"
"""In `types`, `recode` and `leave_out`: every column but the class."""

_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
_EXACT = 2.0**53


def is_missing(text: str, quoted: bool, markers: Collection[str]) -> bool:
    """Whether a cell is missing: its text is a marker, but a quoted `?` is a value whatever the markers are."""
    return text in markers and not (quoted and text == "?")


@dataclass(frozen=True)
class ColumnKind:
    """How a column is read unless `types` say otherwise.

    name: one of `KINDS`; values: the declared ones of a nominal column, None for those of its cells;
    convert: text -> number, or None if the text says none; expected: the words for what it takes.
    """

    name: str
    values: tuple[str, ...] | None = None
    convert: Callable[[str], float | None] = number
    expected: str = "a number"


@dataclass(frozen=True)
class Cells:
    """One column of a sheet.

    number: the column's number from 1; raw: its cells as they stand; places: the file and line of each row;
    decode: raw cell -> its text, or None where it is missing; format: how its numbers are written.
    """

    name: str
    number: int
    raw: Sequence[str]
    places: Sequence[tuple[Text, int]]
    decode: Callable[[str], str | None]
    format: NumberFormat = PLAIN

    @cached_property
    def texts(self) -> dict[str, str | None]:
        """What each distinct cell says, in the order of the rows; None where it is missing."""
        return {raw: self.decode(raw) for raw in dict.fromkeys(self.raw)}

    def known(self) -> list[str]:
        """The distinct texts of the known cells, in text order."""
        return sorted({text for text in self.texts.values() if text is not None})

    def is_numeric(self) -> bool:
        """Whether every known cell is a finite number and none has a leading zero (`007`)."""
        return all(self.format.plain(text) and not _LEADING_ZERO.match(text) for text in self.known())

    def misread(self, *, comma_is_decimal: bool) -> Misread | None:
        """Why the known cells are not numbers, if most look like numbers and none has a leading zero."""
        texts = [text for raw in self.raw if (text := self.texts[raw]) is not None]
        if any(map(_LEADING_ZERO.match, self.known())):
            return None
        return misread(texts, self.format, comma_is_decimal=comma_is_decimal)

    def is_whole(self) -> bool:
        """Whether every known cell is a whole number."""
        values = [self.format.number(text) for text in self.known()]
        return all(value is not None and value.is_integer() for value in values)

    def nominal(self, declared: Sequence[str] | None = None) -> tuple[Attribute, Column]:
        """Codes in the declared values; without them, in the column's own texts in text order."""
        values = tuple(self.known()) if declared is None else tuple(declared)
        codes = {value: code for code, value in enumerate(values)}
        table = {raw: -1 if text is None else codes.get(text) for raw, text in self.texts.items()}
        for raw, code in table.items():
            if code is None:
                text = self.texts[raw] or ""
                raise self.failure(
                    raw,
                    f"{self.name} has the value {text}, which is not declared{nearest(text, values)}",
                    f"declared are {listed(values)}",
                )
        return Attribute(self.name, "nominal", values), self._gather(table, np.int32)

    def numeric(self, convert: Callable[[str], float | None], expected: str) -> tuple[Attribute, Column]:
        """Numbers; `convert` makes one of a text, or None if the text is not what is expected."""
        table = {raw: np.nan if text is None else convert(text) for raw, text in self.texts.items()}
        for raw, value in table.items():
            if value is None:
                raise self.failure(raw, f"{self.name} has {self.texts[raw]!r}", f"{expected} is expected")
        return Attribute(self.name, "numeric"), self._gather(table, np.float64)

    def string(self) -> tuple[Attribute, Column]:
        """The texts themselves."""
        column = np.empty(len(self.raw), dtype=object)
        column[:] = [self.texts[raw] for raw in self.raw]
        return Attribute(self.name, "string"), column

    def failure(self, raw: str, problem: str, expected: str) -> DataError:
        """The error for a cell, at its first row."""
        text, line = self.places[self.raw.index(raw)]
        return DataError(f"{text.at(line, self.number)}: {problem}; {expected}")

    def collisions(self, column: Column) -> int:
        """How many distinct whole numbers of the file are lost because a float cannot tell them apart."""
        if not np.any(np.abs(column) >= _EXACT):
            return 0
        plain = (self.format.plain(text) or "" for text in self.known())
        whole = [text for text in plain if re.fullmatch(r"[+-]?[0-9]+", text)]
        digits = {text: text.lstrip("+-0") for text in whole}
        exact = {(text[0] == "-", digits[text]) if digits[text] else None for text in whole}
        return len(exact) - len({float(text) for text in whole})

    def _gather(self, table: Mapping[str, float | None], dtype: type[np.generic]) -> Column:
        return np.fromiter(map(table.__getitem__, self.raw), dtype=dtype, count=len(self.raw))


@dataclass(frozen=True)
class Sheet:
    """The rows of a file (or of several, joined), split into cells as they stand.

    kinds: of each column, None for what its cells look like; places: the file and line of each row; decode: raw cell ->
    its text, or None where it is missing; format: how numbers are written; index, files: as in `RawTable`.
    """

    file: str
    names: tuple[str, ...]
    kinds: tuple[ColumnKind | None, ...]
    rows: Sequence[Sequence[str]]
    places: Sequence[tuple[Text, int]]
    decode: Callable[[str], str | None]
    notices: tuple[str, ...] = ()
    format: NumberFormat = PLAIN
    index: Sequence[int] | None = None
    files: tuple[tuple[str, int], ...] = ()

    def columns(self) -> list[Cells]:
        """The columns in order."""
        raw_columns = list(zip(*self.rows, strict=True)) or [()] * len(self.names)
        return [
            Cells(name, j, raw, self.places, self.decode, self.format)
            for j, (name, raw) in enumerate(zip(self.names, raw_columns, strict=True), 1)
        ]
