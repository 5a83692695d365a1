"""From a sheet of cells to typed columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from lazybayes.data.cells import EVERY, KINDS, Cells, ColumnKind, Sheet
from lazybayes.data.table import Attribute, Column, RawTable, absent, last_column, listed, quoted
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry, Selection
from lazybayes.messages import snippet

_WORDS = 10
"""Up to as many different texts beside numbers may be words for a missing number."""


def to_table(sheet: Sheet, entry: DatasetEntry) -> RawTable:
    """A table of a sheet's columns, each of its own kind unless the entry's `types` say otherwise.

    A class of whole numbers (the target; without one the last column that is not dropped) is read as nominal, its
    labels the texts as they stand in text order, with a notice: `01` and `1` are two classes. The entry's `recode`
    changes texts before anything is made of them.

    Raises DataError if `types` or `recode` names a column that is not there, or a cell does not fit its column.
    """
    selection = entry.selection
    _check(sheet, selection)
    target = selection.target or last_column(sheet.names, selection.drop)
    notices = list(sheet.notices)
    columns: list[tuple[Attribute, Column]] = []
    for cells, kind in zip(sheet.columns(), sheet.kinds, strict=True):
        is_class = cells.name == target
        usual = {} if is_class else selection.recode.get(EVERY, {})
        if changes := selection.recode.get(cells.name, usual):
            notices += _idle_changes(sheet.file, cells, selection)
            cells, kind = _recode(cells, kind, changes)
        own = kind or ColumnKind("numeric" if cells.is_numeric() else "nominal", convert=sheet.format.number)
        if is_class and own.name == "numeric" and cells.name not in selection.types and cells.is_whole():
            notices.append(f"{sheet.file}: the whole numbers of {target}, the class, are read as labels")
            own = replace(own, name="nominal")
        wanted = selection.types.get(cells.name, own.name if is_class else selection.types.get(EVERY, own.name))
        attribute, column = _column(cells, own, wanted)
        dropped = cells.name in selection.drop
        guessed = kind is None and not {cells.name, EVERY} & set(selection.types)
        if guessed and wanted == "nominal" and not (is_class or dropped):
            notices += _misread(sheet.file, cells, entry)
        if wanted == "numeric" and not dropped:
            notices += _collisions(sheet.file, cells, column)
        columns.append((attribute, column))
    return RawTable(
        attributes=tuple(attribute for attribute, _ in columns),
        columns=tuple(column for _, column in columns),
        n_rows=len(sheet.rows),
        notices=tuple(notices),
        index=None if sheet.index is None else np.array(sheet.index, dtype=np.int64),
        files=sheet.files,
    )


def missing_markers(entry: DatasetEntry) -> tuple[str, ...]:
    """The texts that mean a missing cell of a file of delimited cells."""
    missing = entry.selection.missing
    return ("", "?") if missing is None else missing


def _check(sheet: Sheet, selection: Selection) -> None:
    for key, columns in (("types", selection.types), ("recode", selection.recode)):
        for name in columns:
            if name not in sheet.names and name != EVERY:
                raise DataError(f"{sheet.file}: {key} names {absent(name, sheet.names)}")
    for name, kind in selection.types.items():
        if isinstance(kind, str) and kind not in KINDS:
            raise DataError(f"{sheet.file}: types gives {name} the type {kind}; {listed(KINDS)} are allowed")


def _column(cells: Cells, own: ColumnKind, wanted: str | tuple[str, ...]) -> tuple[Attribute, Column]:
    """A column of the wanted type, or with the wanted declared values."""
    if wanted == "nominal":
        return cells.nominal(own.values)
    if wanted == "numeric":
        return cells.numeric(own.convert, own.expected)
    return cells.string() if wanted == "string" else cells.nominal(wanted)


def _idle_changes(file: str, cells: Cells, selection: Selection) -> Iterator[str]:
    """The notice that the column's own `recode` changes nothing."""
    own, known = selection.recode.get(cells.name), cells.known()
    if own is not None and not set(own) & set(known):
        yield f"{file}: recode changes nothing in {cells.name}, which has {listed(known)}"


def _collisions(file: str, cells: Cells, column: Column) -> Iterator[str]:
    """The notice that numbers of the file are too long to be told apart."""
    if lost := cells.collisions(column):
        yield (
            f"{file}: {cells.name} holds whole numbers too long for a float: {lost} fewer distinct ones are "
            f"left than the file has; {snippet(types={cells.name: 'nominal'})} keeps them apart"
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


def _recode(
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
