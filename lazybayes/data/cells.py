"""From the cells of a file to typed columns, for every reader.

A reader splits rows into cells *as they stand*, quotes and all; what a cell says is worked out once for each
distinct cell of a column, so that a column of n cells costs one dictionary look-up a cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lazybayes.data.numbers import PLAIN, Misread, NumberFormat, misread, number
from lazybayes.data.table import Attribute, Column, RawTable, absent, last_column, listed, quoted
from lazybayes.data.text import Text
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.messages import nearest
from lazybayes.yaml.snippets import snippet

KINDS = ("nominal", "numeric", "string")
EVERY = "*"
"""In `types`, `recode` and `leave_out`: every column but the class."""

_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
_EXACT = 2.0**53
_WORDS = 10
"""Up to as many different texts beside numbers may be words for a missing number."""


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

    def failure(self, raw: str, found: str, expected: str) -> DataError:
        """The error for a cell, at its first row."""
        text, line = self.places[self.raw.index(raw)]
        return DataError(f"{text.at(line, self.number)}: {found}; {expected}")

    def merged(self, column: Column) -> int:
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


def typed(sheet: Sheet, entry: DatasetEntry) -> RawTable:
    """A table of a sheet's columns, each of its own kind unless the entry's `types` say otherwise.

    A class of whole numbers (the target; without one the last column that is not dropped) is read as nominal, its
    labels the texts as they stand in text order, with a notice: `01` and `1` are two classes. The entry's `recode`
    changes texts before anything is made of them.

    Raises DataError if `types` or `recode` names a column that is not there, or a cell does not fit its column.
    """
    file = sheet.file
    for key, named in (("types", entry.selection.types), ("recode", entry.selection.recode)):
        for name in named:
            if name not in sheet.names and name != EVERY:
                raise DataError(f"{file}: {key} names {absent(name, sheet.names)}")
    for name, wanted in entry.selection.types.items():
        if isinstance(wanted, str) and wanted not in KINDS:
            raise DataError(f"{file}: types gives {name} the type {wanted}; {listed(KINDS)} are allowed")
    chosen = entry.selection.target or last_column(sheet.names, entry.selection.drop)
    said = list(sheet.notices)
    read: list[tuple[Attribute, Column]] = []
    for cells, kind in zip(sheet.columns(), sheet.kinds, strict=True):
        changes = entry.selection.recode.get(
            cells.name, {} if cells.name == chosen else entry.selection.recode.get(EVERY, {})
        )
        if changes:
            if cells.name in entry.selection.recode and not set(changes) & set(cells.known()):
                said.append(f"{file}: recode changes nothing in {cells.name}, which has {listed(cells.known())}")
            cells, kind = _recoded(cells, kind, changes)
        own = kind or ColumnKind("numeric" if cells.is_numeric() else "nominal", convert=sheet.format.number)
        said_of_all = own.name if cells.name == chosen else entry.selection.types.get(EVERY, own.name)
        wanted = entry.selection.types.get(cells.name, said_of_all)
        if (
            cells.name == chosen
            and cells.name not in entry.selection.types
            and wanted == "numeric"
            and cells.is_whole()
        ):
            said.append(f"{file}: the whole numbers of {chosen}, the class, are read as labels")
            wanted = "nominal"
        guessed = kind is None and not {cells.name, EVERY} & set(entry.selection.types)
        if guessed and wanted == "nominal" and cells.name != chosen and cells.name not in entry.selection.drop:
            said += _misread(file, cells, entry)
        if wanted == "nominal":
            attribute, column = cells.nominal(own.values)
        elif wanted == "numeric":
            attribute, column = cells.numeric(own.convert, own.expected)
            if (lost := cells.merged(column)) and cells.name not in entry.selection.drop:
                said.append(
                    f"{file}: {cells.name} holds whole numbers too long for a float: {lost} fewer distinct ones are "
                    f"left than the file has; "
                    f"{snippet(types={cells.name: 'nominal'})} keeps them apart"
                )
        elif wanted == "string":
            attribute, column = cells.string()
        else:
            attribute, column = cells.nominal(wanted)
        read.append((attribute, column))
    return RawTable(
        attributes=tuple(attribute for attribute, _ in read),
        columns=tuple(column for _, column in read),
        n_rows=len(sheet.rows),
        notices=tuple(said),
        index=None if sheet.index is None else np.array(sheet.index, dtype=np.int64),
        files=sheet.files,
    )


def _misread(file: str, cells: Cells, entry: DatasetEntry) -> list[str]:
    """The notice that a column is nominal though most of its cells look like numbers, and how to make it numeric."""
    why = cells.misread(comma_is_decimal=entry.reading.separator == ";")
    if why is None:
        return []
    marks = {"thousands": why.format.thousands, "decimal": why.format.decimal}
    used = {"thousands": cells.format.thousands, "decimal": cells.format.decimal}
    keys: dict[str, object] = {key: mark for key, mark in marks.items() if mark != used[key]}
    if len(why.left) > _WORDS:
        hand = [f"correct {listed(why.left, 5)} in the file"]
    else:
        keys |= {"missing": [*missing_markers(entry), *why.left]} if why.left else {}
        hand = []
    hand += [f"remove {listed(why.units)} from the file"] if why.units else []
    remedy = " and ".join([*hand, *([f"set {snippet(**keys)}"] if keys else [])])
    they = "it means" if len(why.left) == 1 else "they mean"
    meaning = f" (if {they} that the number is missing)" if "missing" in keys else ""
    one = len(why.texts) == 1
    not_numbers = "1 value that is not a number" if one else f"{len(why.texts)} values that are not numbers"
    return [
        f"{file}: {cells.name} is nominal, not numeric, because of {not_numbers}: "
        f"{listed([quoted(text) for text in why.texts], 5)}; to make it numeric, {remedy}{meaning}; "
        f"{snippet(types={cells.name: 'nominal'})} keeps it nominal and turns this notice off"
    ]


def missing_markers(entry: DatasetEntry) -> tuple[str, ...]:
    """The texts that mean a missing cell of a file of delimited cells."""
    return ("", "?") if entry.selection.missing is None else entry.selection.missing


def _recoded(
    cells: Cells, kind: ColumnKind | None, changes: Mapping[str, str | None]
) -> tuple[Cells, ColumnKind | None]:
    """A column and its kind with other texts; declared values that become one stand where the first of them stood."""

    def decode(raw: str) -> str | None:
        text = cells.decode(raw)
        return None if text is None else changes.get(text, text)

    if kind is not None and kind.values is not None:
        values = dict.fromkeys(changes.get(value, value) for value in kind.values)
        kind = replace(kind, values=tuple(value for value in values if value is not None))
    return replace(cells, decode=decode), kind
