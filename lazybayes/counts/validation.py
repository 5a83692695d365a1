"""Rows scored by classifiers that were trained without them, for many groups of rows at once, without a refit.

Each group trains a naive Bayesian classifier. Leave-one-out scores each of its rows by the group's tables less the row,
k-fold validation by the group's tables less those of the row's fold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lazybayes.counts.estimates import Estimate
from lazybayes.counts.groups import by_group, sum_runs
from lazybayes.counts.scores import (
    LogTables,
    leave_one_out_scores,
    leave_one_out_tables,
    log_scores,
    log_tables,
    rescue,
)
from lazybayes.counts.tables import TABLES, Counts, Layout, count

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CACHED = 1 << 16
"""Entries of tables made at once: a few arrays of them stay in the processor's cache."""

CHEAPER = 12
"""How many multiplications of a matrix product cost as much as one count (measured)."""


@dataclass(frozen=True)
class Training:
    """Rows to train on. cells: (n, a) in the offset space; y: (n,) their classes."""

    layout: Layout
    cells: Ints
    y: Ints
    n_classes: int
    estimate: Estimate

    @cached_property
    def hot(self) -> Floats | None:
        """(n, V) 1 where a row has a value, or None where attributes have so many that counting them is cheaper."""
        (n, a), n_values = self.cells.shape, self.layout.n_values
        if n_values > CHEAPER * a or n * n_values > TABLES:
            return None
        hot = np.zeros((n, n_values + 1))
        np.put_along_axis(hot, self.cells.astype(np.int64), 1.0, axis=1)
        return hot[:, :-1]

    def count(self, row: Ints, stack: Ints, weight: NDArray[Any], n_stacks: int) -> Counts:
        """Stacked tables of rows. row, stack, weight: (Q,) of each, and how much it counts."""
        if self.hot is None:
            return count(self.layout, self.cells[row], self.y[row], self.n_classes, stack, n_stacks, weight)
        slots = n_stacks * self.n_classes
        order, starts = by_group(stack * self.n_classes + self.y[row], slots)
        rows = weight[order].astype(np.float64)
        member = csr_matrix((rows, row[order], starts), shape=(slots, len(self.y)))
        values = (member @ self.hot).reshape(n_stacks, self.n_classes, self.layout.n_values)
        return Counts(self.layout, sum_runs(rows[:, None], starts).reshape(n_stacks, self.n_classes), values)


@dataclass(frozen=True)
class Members:
    """Rows in groups: (P,) rows, the group of each, and its weight there (whole numbers, 1, or fractions).

    keep: (B, a) which attributes each group's classifier has. Members come in the order in which they are validated.
    """

    row: Ints
    group: Ints
    weight: NDArray[Any]
    keep: Bools


class Validation(Protocol):
    """Leave-one-out or k-fold validation."""

    @property
    def most_tables(self) -> int:
        """At most how many tables a group needs."""
        ...

    def scores(self, training: Training, members: Members, rank: Ints, size: Ints) -> Floats:
        """(P, C) log scores of members that come group by group. rank, size: (P,) place in the group, and its size."""
        ...


def validated_scores(validation: Validation, training: Training, members: Members) -> Iterator[tuple[Ints, Floats]]:
    """Log scores of members by their groups' classifiers, trained without them, some groups at a time.

    Yields positions of members, (Q,), and their scores, (Q, C).
    """
    n_groups = len(members.keep)
    order, starts = by_group(members.group, n_groups)
    sizes = np.diff(starts)
    tables = np.minimum(sizes, validation.most_tables)
    cost = np.cumsum(tables * training.n_classes * (training.layout.n_values + 1))
    first = 0
    while first < n_groups:
        before = cost[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(cost, before + CACHED, side="right")))
        here = order[starts[first] : starts[last]]
        group = np.repeat(np.arange(last - first), sizes[first:last])
        part = Members(members.row[here], group, members.weight[here], members.keep[first:last])
        rank = np.arange(len(here)) - (starts[first:last] - starts[first])[group]
        if len(here):
            yield here, validation.scores(training, part, rank, sizes[first:last][group])
        first = last


@dataclass(frozen=True)
class LeaveOneOut:
    """Each row by its group's other rows. A row's whole weight in the group is left out."""

    @property
    def most_tables(self) -> int:
        """What is left of the group's table, for a row's own class and for the others."""
        return 2

    def scores(self, training: Training, members: Members, rank: Ints, size: Ints) -> Floats:
        """(P, C) log scores."""
        keep, stack = members.keep, members.group
        counts = training.count(members.row, stack, members.weight, len(keep))
        weights, which = np.unique(members.weight, return_inverse=True)
        if len(weights) > 1:  # a table for each group and weight
            pairs, stack = np.unique(stack * len(weights) + which, return_inverse=True)
            group, which = np.divmod(pairs, len(weights))
            counts, keep, weights = counts.take(group), keep[group], weights[which]
        both = leave_one_out_tables(counts, training.estimate, weight=weights.astype(np.float64))
        own, other = (_restricted(tables, keep, training.layout) for tables in both)
        return leave_one_out_scores(training.cells, training.y, (own, other), members.row, stack)


@dataclass(frozen=True)
class Folds:
    """Each row by the rows of its group's other folds.

    The rows of a group are dealt to the folds in turn, in their order, or, if contiguous, cut into runs of equal length
    (the first ones longer by one row). Fewer rows than folds make as many folds as rows.
    """

    n_folds: int
    contiguous: bool = False

    @property
    def most_tables(self) -> int:
        """One a fold."""
        return self.n_folds

    def fold(self, rank: Ints, size: Ints) -> Ints:
        """(P,) the fold of each row by its place in its group and the group's size."""
        if not self.contiguous:
            return np.asarray(rank % self.n_folds)
        length, longer = np.divmod(size, self.n_folds)
        in_longer = longer * (length + 1)
        later = longer + (rank - in_longer) // np.maximum(length, 1)
        return np.asarray(np.where(rank < in_longer, rank // (length + 1), later))

    def scores(self, training: Training, members: Members, rank: Ints, size: Ints) -> Floats:
        """(P, C) log scores."""
        n_groups = len(members.keep)
        fold = members.group * self.n_folds + self.fold(rank, size)
        present = np.bincount(fold, minlength=n_groups * self.n_folds) > 0
        stack = (np.cumsum(present) - 1)[fold]
        group_of = np.flatnonzero(present) // self.n_folds
        held_out = training.count(members.row, stack, members.weight, len(group_of))
        others = _all_folds(held_out, np.searchsorted(group_of, np.arange(n_groups + 1))).take(group_of) - held_out
        tables = _restricted(log_tables(others, training.estimate), members.keep[group_of], training.layout)
        scores = log_scores(training.cells, tables, members.row, stack)
        rescue(scores, tables.prior[stack])
        return scores


def _all_folds(folds: Counts, starts: Ints) -> Counts:
    """(B, ...) tables of groups from those of their folds. starts: (B + 1,) where each group's folds begin."""
    shape = folds.values.shape
    values = sum_runs(folds.values.reshape(shape[0], -1), starts)
    return Counts(folds.layout, sum_runs(folds.classes, starts), values.reshape(len(starts) - 1, *shape[1:]))


def _restricted(tables: LogTables, keep: Bools, layout: Layout) -> LogTables:
    """Tables of classifiers that have only some attributes. keep: (S, a)."""
    return tables if keep.all() else tables.restrict(keep[:, layout.attribute_of])
