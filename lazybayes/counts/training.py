"""The training rows as the engine counts them: where a learner starts from.

`TrainingRows.of` makes them of what `_fit` gets. From there on the engine offers

==============================  ==================================================================================
`training.counts`               class and class x value tables; `tables.count` counts any rows, into many tables
`scores.log_tables`             ln P(c) and ln P(v given c) of tables, by an estimate
`scores.log_scores`             the log scores of rows by such tables
`scores.leave_one_out_scores`   those of training rows, each without itself, by `scores.leave_one_out_tables`
`scores.fall_back_to_prior`     answers rows whose every class has probability 0
`scores.decide`, `normalized`   classes and probabilities of log scores
`pairs.pair_tables`             the class x value x value table; `pairs.given_value`: ln P(v given c and u) of all pairs
`arcs.Arcs`                     ln P(v given c and the parent's value) where each attribute has at most one parent
`terms`                         leave-one-out scores as sums over attributes, for searches over sets of them
`validation.validated_scores`   rows scored by classifiers of groups of rows, trained without them
==============================  ==================================================================================

Rows are (n, a) value ids (`tables.ValueIndex`). Logs are taken of tables only; a score is a sum of their entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lazybayes.counts.codes import Rows
from lazybayes.counts.estimates import Estimate, parse_estimate
from lazybayes.counts.tables import TABLES, CompleteCounts, Counts, ValueIndex, count, table_blocks

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

CHEAPER = 12
"""How many multiplications of a matrix product cost as much as one count (measured)."""


@dataclass(frozen=True)
class TrainingRows:
    """Rows to train on, and how counts become probabilities.

    ids: (n, a) value ids; y: (n,) their classes, below `n_classes`.
    """

    value_index: ValueIndex
    ids: Ints
    y: Ints
    n_classes: int
    estimate: Estimate

    @classmethod
    def of(
        cls, rows: Rows, y: Ints, classes: tuple[str, ...], estimate: Any = "frequency", order: Ints | None = None
    ) -> TrainingRows:
        """The nominal attributes of rows. y: (n,) class codes; classes: the names of all classes.

        estimate: as `parse_estimate` takes it. order: (n,) the order in which rows are kept, class order by default.

        Raises ValueError if the estimate is invalid or does not fit the classes.
        """
        bound = parse_estimate(estimate).bind(classes)
        order = class_order(y) if order is None else order
        value_index = ValueIndex(rows.arity)
        return cls(value_index, value_index.ids(rows.nominal)[order], y[order], len(classes), bound)

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def starts(self) -> Ints:
        """(C + 1,) where each class begins, of rows in class order: class c is the slice starts[c] to starts[c + 1]."""
        return class_starts(self.y, self.n_classes)

    @cached_property
    def counts(self) -> Counts:
        """The class x value table of all rows."""
        return count(self.value_index, self.ids, self.y, self.n_classes)

    @cached_property
    def one_hot(self) -> Floats | None:
        """(n, V) 1 where a row has a value, or None where attributes have so many that counting them is cheaper."""
        (n, a), n_values = self.ids.shape, self.value_index.n_values
        if n_values > CHEAPER * a or n * n_values > TABLES:
            return None
        hot = np.zeros((n, n_values + 1))
        np.put_along_axis(hot, self.ids.astype(np.int64), 1.0, axis=1)
        return np.ascontiguousarray(hot[:, :-1])

    @cached_property
    def counts_type(self) -> type[Counts]:
        """What holds the counts of any of the rows."""
        return CompleteCounts if (self.ids < self.value_index.n_values).all() else Counts

    def table_blocks(self, n: int) -> Iterator[slice]:
        """Slices of n class x value tables that may be in memory together."""
        return table_blocks(n, self.n_classes * (self.value_index.n_values + 1))

    def stacked_values(self, row: Ints, weight: Floats, starts: Ints) -> Floats:
        """(S, C, V) class x value tables of rows that come by table and class.

        row, weight: (Q,); starts: (S C + 1,) where each class of each table begins.
        """
        n_slots, n_classes = len(starts) - 1, self.n_classes
        n_stacks = n_slots // n_classes
        if self.one_hot is None:
            stack = np.repeat(np.arange(n_slots), np.diff(starts)) // n_classes
            return count(self.value_index, self.ids[row], self.y[row], n_classes, stack, n_stacks, weight).values
        member = csr_matrix((weight, row, starts), shape=(n_slots, len(self.y)))
        return np.asarray(member @ self.one_hot).reshape(n_stacks, n_classes, self.value_index.n_values)


def class_order(y: Ints) -> Ints:
    """(n,) the order that brings the rows of each class together; rows of a class keep theirs."""
    return np.argsort(y, kind="stable")


def class_starts(y: Ints, n_classes: int) -> Ints:
    """(C + 1,) where each class begins in class order. y: (n,), ascending."""
    return np.searchsorted(y, np.arange(n_classes + 1))
