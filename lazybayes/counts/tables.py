"""Contingency tables over codes: class, class x value, class x value x value.

A value of an attribute has a *value id*: the values of all attributes are numbered through, attribute by attribute,
from 0 to V - 1, V = sum k_j; a missing cell has the id V. Tables may be stacked: leading axes (...) hold one table each
for many sets of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

BLOCK = 1 << 18
"""Cells of rows handled at once: a pass over rows stays in the processor's cache."""

TABLES = 1 << 22
"""Maximum number of entries of stacked tables in memory at once (32 MB per array)."""


ROUNDING = 1e-9
"""Sums of fractions of rows are this exact."""


@dataclass(frozen=True)
class ValueIndex:
    """The value ids: where each attribute's values lie among those of all.

    arity: (a,) declared values of each attribute; declared: (a,) these where an attribute has fewer places than that:
    values that no row carries may share one place, or have none.
    """

    arity: NDArray[np.int64]
    declared: Floats | None = None

    def __post_init__(self) -> None:
        # An attribute without declared values has only missing cells; one value that never occurs keeps it in place.
        object.__setattr__(self, "arity", np.maximum(np.asarray(self.arity, dtype=np.int64), 1))

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """(a,) first value of each attribute."""
        return np.concatenate([[0], np.cumsum(self.arity)[:-1]]).astype(np.int64)[: len(self.arity)]

    @cached_property
    def n_values(self) -> int:
        """V, the values of all attributes."""
        return int(self.arity.sum())

    @cached_property
    def attribute_of(self) -> NDArray[np.int64]:
        """(V,) the attribute each value belongs to."""
        return np.repeat(np.arange(len(self.arity)), self.arity)

    @cached_property
    def arity_of(self) -> Floats:
        """(V,) k_j of the attribute each value belongs to."""
        declared = self.arity if self.declared is None else self.declared
        return declared[self.attribute_of].astype(np.float64)

    def ids(self, codes: Ints) -> NDArray[np.int32]:
        """(n, a) value ids of (n, a) codes, V where missing."""
        ids = codes.astype(np.int32)
        ids += self.offsets.astype(np.int32)
        ids[codes < 0] = self.n_values
        return ids

    def codes(self, ids: Ints, attribute: int) -> NDArray[np.int32]:
        """(n,) codes of one attribute's values, -1 where missing. ids: (n, a)."""
        codes = ids[:, attribute] - np.int32(self.offsets[attribute])
        codes[ids[:, attribute] == self.n_values] = -1
        return np.asarray(codes, dtype=np.int32)

    def restrict(self, keep: NDArray[np.bool_]) -> tuple[ValueIndex, NDArray[np.int32]]:
        """A value index with places for some values only, and (V + 1,) the new place of each, and of a missing cell.

        keep: (V,); a value that is not kept may not be asked for. k_j stays the number of declared values.
        """
        places = np.add.reduceat(keep, self.offsets, dtype=np.int64) if len(self.arity) else self.arity
        declared = self.arity.astype(np.float64) if self.declared is None else self.declared
        value_index = ValueIndex(places, declared)
        before = np.concatenate([[0], np.cumsum(keep)])
        place = value_index.offsets[self.attribute_of] + before[:-1] - before[self.offsets][self.attribute_of]
        return value_index, np.append(place, value_index.n_values).astype(np.int32)

    def per_attribute(self, values: NDArray[Any]) -> NDArray[Any]:
        """(..., a) sums of (..., V) over each attribute's values."""
        if not len(self.arity):
            return np.zeros((*values.shape[:-1], 0))
        return np.add.reduceat(values, self.offsets, axis=-1)

    def spread(self, attributes: NDArray[Any]) -> NDArray[Any]:
        """(..., V) from (..., a): each value gets its attribute's number."""
        return np.take(attributes, self.attribute_of, axis=-1)  # plain indexing would leave neighbours far apart


@dataclass(frozen=True)
class Counts:
    """Class and class x value tables of one or many sets of rows.

    classes: (..., C) rows of each class; values: (..., C, V) rows of each class with each value.
    """

    value_index: ValueIndex
    classes: Floats
    values: Floats

    @cached_property
    def known(self) -> Floats:
        """(..., C, a) rows of each class that know each attribute."""
        return self.value_index.per_attribute(self.values)

    @property
    def known_of_value(self) -> Floats:
        """(..., C, V) rows of each class that know each value's attribute, or what broadcasts to that."""
        return self.value_index.spread(self.known)

    @property
    def n_classes(self) -> int:
        """C, declared classes."""
        return int(self.classes.shape[-1])

    def take(self, stack: Ints) -> Counts:
        """Stacked tables at these places of the first axis."""
        return Counts(self.value_index, self.classes[stack], self.values[stack])

    def __sub__(self, other: Counts) -> Counts:
        """The tables without the rows of the other: a fold left out by subtraction."""
        return Counts(self.value_index, less(self.classes, other.classes), less(self.values, other.values))


@dataclass(frozen=True)
class CompleteCounts(Counts):
    """Tables of rows that know every attribute: how many know one need not be summed up."""

    @cached_property
    def known(self) -> Floats:
        """(..., C, a) rows of each class."""
        return np.broadcast_to(self.classes[..., None], (*self.classes.shape, len(self.value_index.arity)))

    @property
    def known_of_value(self) -> Floats:
        """(..., C, 1) rows of each class."""
        return self.classes[..., None]


def less(n: Floats, out: Floats) -> Floats:
    """Counts without some of their rows: never below 0, and what rounding leaves of fractions is 0."""
    rest = n - out
    return np.where(rest < ROUNDING, 0.0, rest)


def blocks(n: int, width: int) -> Iterator[slice]:
    """Slices of n rows so that a block has at most `BLOCK` cells of `width` columns."""
    step = max(1, BLOCK // max(1, width))
    for start in range(0, n, step):
        yield slice(start, min(n, start + step))


def table_blocks(n: int, n_entries: int) -> Iterator[slice]:
    """Slices of n stacked tables so that a block has at most `TABLES` entries, or one table."""
    step = max(1, TABLES // n_entries)
    for start in range(0, n, step):
        yield slice(start, min(n, start + step))


def count(
    value_index: ValueIndex,
    ids: Ints,
    y: Ints,
    n_classes: int,
    group: Ints | None = None,
    n_groups: int = 1,
    weight: NDArray[Any] | None = None,
) -> Counts:
    """Counts rows. ids: (n, a) value ids; y: (n,) classes; group: (n,) which stacked table a row enters.

    Without `group` the tables are (C,) and (C, V); with it (n_groups, C) and (n_groups, C, V). weight: (n,) how much
    each row counts; by default, and where the weights are whole numbers, it counts once.
    """
    width = value_index.n_values + 1
    slot = y.astype(np.int64) if group is None else group.astype(np.int64) * n_classes + y
    n_slots = n_groups * n_classes
    if weight is not None and weight.dtype.kind == "i":
        weight = None
    classes = np.bincount(slot, weight, minlength=n_slots).astype(np.float64)
    values = np.zeros(n_slots * width)
    step = max(BLOCK, len(values)) // max(1, ids.shape[1]) + 1  # a small block is not worth a pass over large tables
    for block in (slice(start, start + step) for start in range(0, len(ids), step)):
        index = slot[block, None] * width + ids[block]
        each = None if weight is None else np.repeat(weight[block], index.shape[1])
        values += np.bincount(index.ravel(), each, minlength=n_slots * width)
    stack = () if group is None else (n_groups,)
    values = values.reshape(*stack, n_classes, width)[..., :-1]
    return Counts(value_index, classes.reshape(*stack, n_classes), values)


def one_hot(value_index: ValueIndex, ids: Ints) -> NDArray[np.float32]:
    """(n, V) 1 where the row has the value; a missing cell is a row of zeros there."""
    hot = np.zeros((len(ids), value_index.n_values + 1), dtype=np.float32)
    np.put_along_axis(hot, ids.astype(np.int64), 1.0, axis=1)
    return hot[:, :-1]


def pair_counts(hot: NDArray[np.float32], starts: Ints, values: Ints) -> Floats:
    """Class x value x value table by one matrix product per class: (K, C, V) rows with both values, for the K `values`.

    hot: (n, V) one-hot rows in class order; starts: (C + 1,) where each class begins. Exact below 2^24 rows of a class,
    the integers that float32 holds.
    """
    n_classes = len(starts) - 1
    pairs = np.empty((len(values), n_classes, hot.shape[1]))
    for c in range(n_classes):
        rows = hot[starts[c] : starts[c + 1]]
        pairs[:, c] = rows[:, values].T @ rows
    return pairs
