"""A data set as it was read: typed columns in file order, missing cells kept."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.errors import DataError
from lazybayes.messages import nearest, plural, snippet


@dataclass(frozen=True)
class Attribute:
    """A column's name and type.

    kind: ``nominal`` (``values`` are its declared labels, in declared order), ``numeric``, or ``string``
    (free text: a document a row, which no learner over attributes accepts).
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()


Column = NDArray[Any]
"""(n,) cells of a column.

nominal: int32 codes with -1 = missing; numeric: float64 with NaN = missing; string: object (str or None).
"""


@dataclass(frozen=True)
class RawTable:
    """What a reader returns: every column of the file, no class chosen yet.

    index: (n,) int64 row numbers, from 0, as the file has them, whatever is left out; None = 0, 1, 2, ...
    files: of several joined files each one's name and number of rows, by which `index` runs on; () = there is one file.
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    n_rows: int
    notices: tuple[str, ...] = ()
    index: NDArray[np.int64] | None = None
    files: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """A data set ready for an experiment; equal only to itself, so that what is made of it can be kept.

    attributes, columns: as in `RawTable`, without the class and the dropped columns.
    target: the class attribute (nominal); y: (n,) int32 class codes, never -1.
    index, files: as in `RawTable` (rows without a class are left out, with a notice).
    notices: what the user should be told about the data.
    """

    name: str
    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    target: Attribute
    y: NDArray[np.int32]
    index: NDArray[np.int64]
    notices: tuple[str, ...] = ()
    files: tuple[tuple[str, int], ...] = ()

    @property
    def n_rows(self) -> int:
        """Rows with a class."""
        return len(self.y)

    @property
    def n_classes(self) -> int:
        """Declared classes, present or not."""
        return len(self.target.values)

    @property
    def missing_cells(self) -> int:
        """Cells of the attributes that have no value."""
        return sum(missing(column) for column in self.columns)

    def fingerprint(self) -> str:
        """SHA-256 (hex) over names, types, declared values, cells, classes, row numbers: what a result depends on."""
        digest = hashlib.sha256()
        for attribute, column in zip((*self.attributes, self.target), (*self.columns, self.y), strict=True):
            digest.update(repr((attribute.name, attribute.kind, attribute.values)).encode())
            cells = repr(column.tolist()).encode() if column.dtype == object else np.ascontiguousarray(column).tobytes()
            digest.update(cells)
        digest.update(self.index.tobytes())
        return digest.hexdigest()


def place_of(row: int, files: Sequence[tuple[str, int]]) -> tuple[str, int]:
    """The file of a row and the row's number in it, both from the number that runs through all files."""
    for name, rows in files:
        if row < rows:
            return name, row
        row -= rows
    raise ValueError(f"row {row} is beyond the last file")


def number_of(file: str, row: int, files: Sequence[tuple[str, int]]) -> int:
    """The number that runs through all files of a row of one of them.

    Raises DataError if there is no such file, or it has not so many rows.
    """
    before = 0
    for name, rows in files:
        if name == file:
            if row >= rows:
                raise DataError(f"{file} has no row {row}; its rows are 0 to {rows - 1}")
            return before + row
        before += rows
    names = [name for name, _ in files]
    raise DataError(f"there is no file {file}{nearest(file, names)}; the files are {listed(names) or 'not several'}")


def missing(column: Column) -> int:
    """Cells of a column that have no value."""
    if column.dtype == object:
        return sum(cell is None for cell in column)
    return int((np.isnan(column) if column.dtype.kind == "f" else column < 0).sum())


def choose_class(raw: RawTable, name: str, target: str | None, drop: tuple[str, ...] = ()) -> Table:
    """Makes a `Table` of a `RawTable`: the class attribute named, columns dropped, rows without a class left out.

    Without a target the last column that is not dropped is the class (Weka's convention), with a notice.

    Raises DataError if the target or a dropped column is not there, the class is not nominal, a nominal column without
    any value is left, or no attribute or no row is left.
    """
    names = tuple(attribute.name for attribute in raw.attributes)
    place = f"data set {name}"
    for wanted, key in (*((column, "drop") for column in drop), *(((target, "target"),) if target else ())):
        if wanted not in names:
            raise DataError(f"{place}: {key} names {absent(wanted, names)}")
    if target in drop:
        raise DataError(f"{place}: {target} is both the target and dropped; a class cannot be dropped")
    notices = list(raw.notices)
    chosen = target or last_column(names, drop)
    if chosen is None:
        raise DataError(f"{place}: every column is dropped; a class and an attribute are needed")
    if target is None:
        notices.append(f"data set {name}: no target is given, so the last column, {chosen}, is taken as the class")
    label = raw.attributes[names.index(chosen)]
    _check_class(label, place)
    kept = [j for j, column in enumerate(names) if column != chosen and column not in drop]
    _check_attributes([raw.attributes[j] for j in kept], chosen, place)

    codes = raw.columns[names.index(chosen)]
    labelled = np.flatnonzero(codes >= 0).astype(np.int64)
    if not len(labelled):
        problem = f"of {plural(raw.n_rows, 'row')} none has a class ({chosen})" if raw.n_rows else "there are no rows"
        raise DataError(f"{place}: {problem}; at least one row with a class is needed")
    if len(labelled) < raw.n_rows:
        left_out = plural(raw.n_rows - len(labelled), "row")
        notices.append(f"data set {name}: {left_out} without a class ({chosen}) left out of {raw.n_rows}")
    if len(label.values) == 1:
        notices.append(f"data set {name}: the class {chosen} has one value only, {label.values[0]}")
    return Table(
        name=name,
        attributes=tuple(raw.attributes[j] for j in kept),
        columns=tuple(raw.columns[j][labelled] for j in kept),
        target=label,
        y=codes[labelled],
        index=labelled if raw.index is None else raw.index[labelled],
        notices=tuple(notices),
        files=raw.files,
    )


def last_column(names: Sequence[str], drop: Collection[str] = ()) -> str | None:
    """The class where no target is given: the last column that is not dropped."""
    return next((name for name in reversed(names) if name not in drop), None)


def absent(wanted: str, names: Sequence[str]) -> str:
    """The words for a column that is not there: its name, the nearest one, and all there are."""
    return f"{wanted}, which is no column{nearest(wanted, names)}; the columns are {listed(names)}"


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names parted by commas, a long list cut short with its length."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, ... ({len(names)} in all)"


def quoted(value: str) -> str:
    """A value as it stands in a list: within quotes if it is empty, has blanks at an end or a comma in it."""
    return f'"{value}"' if "," in value or value != value.strip() or not value else value


def first_repeated(names: Sequence[str]) -> str | None:
    """The first name that stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _check_class(label: Attribute, place: str) -> None:
    if label.kind != "nominal":
        kind = "numeric" if label.kind == "numeric" else "free text"
        raise DataError(
            f"{place}: the target {label.name} is {kind}, but a class is nominal; "
            f"{snippet(types={label.name: 'nominal'})} makes a class of each of its values"
        )


def _check_attributes(attributes: Sequence[Attribute], chosen: str, place: str) -> None:
    if not attributes:
        raise DataError(f"{place}: no attribute is left beside the class {chosen}; at least one is needed")
    for attribute in attributes:
        if attribute.kind == "nominal" and not attribute.values:
            drop = snippet(drop=[attribute.name])
            raise DataError(f"{place}: the column {attribute.name} has no known cell; {drop} leaves it out")
