"""What is odd about a table, for the user to know before a run: told, never mended."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from lazybayes.data.numbers import misread
from lazybayes.data.table import Attribute, Column, Table, listed, quoted
from lazybayes.messages import plural, snippet

FEWEST = 50
"""Rows from which on distinct values make an identifier, and equal rows are worth a word: fewer show nothing."""
IDENTIFYING = 0.9
"""The share of distinct values among its known cells from which on a nominal column does."""


def oddities(table: Table, *, known: bool = False) -> tuple[str, ...]:
    """Columns like identifiers, constant or without values, classes without rows, and rows that repeat others.

    Equal rows are told where there could be other ones: not where they are known to be in the data set, nor where
    there are fewer different rows to be had than rows.
    """
    columns = list(zip(table.attributes, table.columns, strict=True))
    place = f"data set {table.name}"
    messages = []
    if names := _names(pair[0] for pair in columns if is_identifier(*pair)):
        messages.append(f"{names} looks like an identifier; `drop` leaves a column out")
    if not known:
        messages += [words for pair in (*columns, (table.target, table.y)) for words in _spellings(*pair)]
    if names := _names(pair[0] for pair in columns if distinct(pair[1]) == 0):
        messages.append(f"{names} has no value at all")
    if names := _names(pair[0] for pair in columns if distinct(pair[1]) == 1):
        messages.append(f"{names} has one value only")
    present = set(np.unique(table.y).tolist())
    if empty := [label for code, label in enumerate(table.target.values) if code not in present]:
        messages.append(f"no row is of the declared class{'es' if len(empty) > 1 else ''} {listed(empty)}")
    possible = math.prod(max(1, distinct(column)) for column in (*table.columns, table.y))
    if not known and FEWEST <= table.n_rows < possible and (repeated := repeats(table)):
        messages.append(f"{plural(repeated, 'row')} of {table.n_rows} the same as an earlier one, class included")
    return tuple(f"{place}: {words}" for words in messages)


def distinct(column: Column) -> int:
    """How many values a column has in its rows."""
    return len(np.unique(_known(column)))


def is_identifier(attribute: Attribute, column: Column) -> bool:
    """Whether a column names rows rather than describes them: (nearly) a value a row, or numbers that count rows."""
    known = _known(column)
    if len(known) < FEWEST:
        return False
    if attribute.kind == "string" and any(len(text.split()) > 1 for text in known):
        return False  # documents are mostly different by nature
    if attribute.kind == "numeric":
        steps = np.diff(known)
        return bool(len(known) == len(column) and np.all(known == np.round(known)) and np.all(steps == 1))
    if misread(attribute.values):
        return False  # numbers of another format
    return len(np.unique(known)) >= IDENTIFYING * len(known)


def _spellings(attribute: Attribute, column: Column) -> Iterator[str]:
    """Words on values of a column that differ in case or blanks alone; none where most values do."""
    present = np.unique(_known(column)).tolist() if attribute.kind == "nominal" else []
    alike: dict[str, list[str]] = {}
    for code in present:
        value = attribute.values[code]
        alike.setdefault(" ".join(value.casefold().split()), []).append(value)
    groups = [values for values in alike.values() if len(values) > 1]
    if groups:
        change = {other: first for first, *others in groups for other in others}
        shown = "; ".join(" and ".join(map(quoted, values)) for values in groups[:3])
        yield (
            f"column {attribute.name} has values that differ only in case or blanks: {shown}"
            f"{'; ...' if len(groups) > 3 else ''}; {snippet(recode={attribute.name: change})} makes them one"
        )


def repeats(table: Table) -> int:
    """How many rows equal an earlier one in all attributes and the class (missing equals missing)."""
    keys: NDArray[np.int64] = table.y.astype(np.int64)
    for column in table.columns:
        known = column if column.dtype != object else np.array([cell or "" for cell in column], dtype=object)
        codes = np.unique(known, return_inverse=True)[1]
        keys = np.unique(keys * (int(codes.max()) + 1) + codes, return_inverse=True)[1].astype(np.int64)
    return table.n_rows - len(np.unique(keys))


def _known(column: Column) -> Column:
    if column.dtype == object:
        return column[[cell is not None for cell in column]]
    return column[~np.isnan(column)] if column.dtype.kind == "f" else column[column >= 0]


def _names(attributes: Iterable[Attribute]) -> str:
    names = [attribute.name for attribute in attributes]
    return f"{'column' if len(names) == 1 else 'each of the columns'} {listed(names)}" if names else ""
