"""Rows scored by classifiers that were trained without them, for many groups of rows at once, without a refit.

Each group trains a naive Bayesian classifier. Leave-one-out scores each of its rows by the group's tables less the row,
k-fold validation by the group's tables less those of the row's fold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.estimates import Estimate
from lazybayes.counts.groups import by_group, sum_runs
from lazybayes.counts.scores import leave_one_out_scores, leave_one_out_tables, log_scores, log_tables, rescue
from lazybayes.counts.tables import TABLES, Counts, Layout, count

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Training:
    """Rows to train on. cells: (n, a) in the offset space; y: (n,) their classes."""

    layout: Layout
    cells: Ints
    y: Ints
    n_classes: int
    estimate: Estimate


@dataclass(frozen=True)
class Members:
    """Rows in groups: (P,) rows, the group of each, and its weight there (whole numbers, 1, or fractions).

    keep: (B, a) which attributes each group's classifier has. Rows are ascending.
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

    Yields positions of members, (Q,), and their scores, (Q, C); the tables in memory stay within a budget.
    """
    n_groups = len(members.keep)
    order, starts = by_group(members.group, n_groups)
    sizes = np.diff(starts)
    a_table = training.n_classes * (training.layout.n_values + 1)
    tables = np.cumsum(np.minimum(sizes, validation.most_tables) * a_table)
    first = 0
    while first < n_groups:
        before = tables[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(tables, before + TABLES, side="right")))
        here = order[starts[first] : starts[last]]
        group = members.group[here] - first
        part = Members(members.row[here], group, members.weight[here], members.keep[first:last])
        rank = np.arange(len(here)) - (starts[first:last] - starts[first])[group]
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
        n_groups, stack = len(members.keep), members.group
        cells, y, estimate = training.cells, training.y, training.estimate
        counts = count(
            training.layout,
            cells[members.row],
            y[members.row],
            training.n_classes,
            stack,
            n_groups,
            members.weight,
        )
        weights, which = np.unique(members.weight, return_inverse=True)
        keep = members.keep
        if len(weights) > 1:  # a table for each group and weight
            keys, stack = np.unique(stack * len(weights) + which, return_inverse=True)
            counts, keep, weights = (
                counts.take(keys // len(weights)),
                keep[keys // len(weights)],
                weights[keys % len(weights)],
            )
        kept = keep[:, training.layout.attribute_of]
        own, other = (
            tables.restrict(kept)
            for tables in leave_one_out_tables(counts, estimate, weight=weights.astype(np.float64))
        )
        return leave_one_out_scores(cells, y, (own, other), members.row, stack)


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
        n_groups, n_classes = len(members.keep), training.n_classes
        fold = members.group * self.n_folds + self.fold(rank, size)
        present = np.bincount(fold, minlength=n_groups * self.n_folds) > 0
        stack = (np.cumsum(present) - 1)[fold]
        group_of = np.flatnonzero(present) // self.n_folds
        cells, y = training.cells, training.y
        held_out = count(
            training.layout, cells[members.row], y[members.row], n_classes, stack, len(group_of), members.weight
        )
        starts = np.searchsorted(group_of, np.arange(n_groups + 1))
        tables = log_tables(_all_folds(held_out, starts).take(group_of) - held_out, training.estimate)
        tables = tables.restrict(members.keep[group_of][:, training.layout.attribute_of])
        scores = log_scores(cells, tables, members.row, stack)
        rescue(scores, tables.prior[stack])
        return scores


def _all_folds(folds: Counts, starts: Ints) -> Counts:
    """(B, ...) tables of groups from those of their folds. starts: (B + 1,) where each group's folds begin."""
    values = folds.values.reshape(len(folds.values), -1)
    shape = folds.values.shape[1:]
    return Counts(folds.layout, sum_runs(folds.classes, starts), sum_runs(values, starts).reshape(-1, *shape))
