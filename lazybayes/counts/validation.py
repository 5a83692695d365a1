"""Rows scored by classifiers that were trained without them, for many groups of rows at once, without a refit.

Each group trains a naive Bayesian classifier. Its rows are parted by what they are left out with: in k-fold validation
their fold; in leave-one-out nothing but themselves, so that rows of one weight, which leave the same behind, are one
part. A part is scored by the group's tables less the part's own, or less one row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.groups import by_group, sum_runs
from lazybayes.counts.scores import (
    LogTables,
    fall_back_to_prior,
    leave_one_out_scores,
    leave_one_out_tables,
    log_scores,
    log_tables,
)
from lazybayes.counts.tables import Counts, ValueIndex
from lazybayes.counts.training import TrainingRows

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CACHED = 1 << 18
"""Entries of tables made at once: a few arrays of them stay in the processor's cache."""


@dataclass(frozen=True)
class Members:
    """Rows in groups: (P,) rows, the group of each, and its weight there (whole numbers, 1, or fractions).

    keep: (B, a) which attributes each group's classifier has. Members come in the order in which they are validated.
    """

    row: Ints
    group: Ints
    weight: NDArray[Any]
    keep: Bools


@dataclass(frozen=True)
class Parts:
    """The parts of groups, group by group.

    of: (P,) the part of each member; group: (S,) the group of each part; weight: (S,) of one of its rows.
    """

    of: Ints
    group: Ints
    weight: Floats


@dataclass(frozen=True)
class Batch:
    """Some parts and their members, by part and class.

    own: the parts' own tables; total: their groups'; keep: (S, a) the attributes of their classifiers; weight: (S,) of
    one of their rows; row, part: (Q,) the members' rows and parts; whole: whether all weights are whole.
    """

    own: Counts
    total: Counts
    keep: Bools
    weight: Floats
    row: Ints
    part: Ints
    whole: bool

    @property
    def others(self) -> Counts:
        """The groups' tables less the parts' own; of whole rows nothing is left that rounding makes."""
        if not self.whole:
            return self.total - self.own
        classes, values = self.total.classes - self.own.classes, self.total.values - self.own.values
        return type(self.own)(self.own.value_index, classes, values)


class Validation(Protocol):
    """Leave-one-out or k-fold validation."""

    def tables(self, sizes: NDArray[Any], whole: bool) -> NDArray[Any]:
        """At most how many tables groups of these sizes need. whole: whether all weights are whole."""
        ...

    def parts(self, sizes: Ints, weight: Floats | None, y: Ints) -> Parts:
        """The parts of members that come group by group.

        sizes: (B,) of the groups; weight: (P,) of each member, or None if all are whole; y: (P,) their classes.
        """
        ...

    def scores(self, training: TrainingRows, batch: Batch) -> Floats:
        """(Q, C) log scores of members, up to a constant per row."""
        ...


def validated_scores(validation: Validation, training: TrainingRows, members: Members) -> Iterator[tuple[Ints, Floats]]:
    """Log scores of members by their groups' classifiers, trained without them, some groups at a time.

    Yields positions of members, (Q,), and their scores, (Q, C), up to a constant per row.
    """
    n_groups, n_classes, whole = len(members.keep), training.n_classes, members.weight.dtype.kind == "i"
    order, starts = by_group(members.group, n_groups)
    y = training.y[members.row[order]]
    parts = validation.parts(np.diff(starts), None if whole else members.weight[order], y)
    by_slot, starts = by_group(parts.of * n_classes + y, len(parts.group) * n_classes)
    order = order[by_slot]
    row, rows_in_slot = members.row[order], np.diff(starts)
    weight, classes = np.ones(len(order)), rows_in_slot
    if not whole:
        weight = members.weight[order]
        classes = np.bincount(np.repeat(np.arange(len(rows_in_slot)), rows_in_slot), weight, len(rows_in_slot))
    classes = classes.reshape(-1, n_classes).astype(np.float64)
    first_part = np.searchsorted(parts.group, np.arange(n_groups + 1))
    cost = first_part * n_classes * (training.value_index.n_values + 1)
    first = 0
    while first < n_groups:
        last = max(first + 1, int(np.searchsorted(cost, cost[first] + CACHED, side="right")) - 1)
        some = slice(first_part[first], first_part[last])
        slots = starts[some.start * n_classes : some.stop * n_classes + 1]
        here = slice(slots[0], slots[-1])
        if here.start < here.stop:
            values = training.stacked_values(row[here], weight[here], slots - here.start)
            own = training.counts_type(training.value_index, classes[some], values)
            total = _sum(own, first_part[first : last + 1] - some.start)
            keep = members.keep[parts.group[some]]
            part = np.repeat(np.arange(len(keep)), np.diff(slots[::n_classes]))
            batch = Batch(own, total, keep, parts.weight[some], row[here], part, whole)
            yield order[here], validation.scores(training, batch)
        first = last


def _sum(parts: Counts, starts: Ints) -> Counts:
    """Each part's group's tables. starts: (B + 1,) where each group's parts begin."""
    sizes, shape = np.diff(starts), parts.values.shape
    if (sizes == 1).all():
        return parts
    group = np.repeat(np.arange(len(sizes)), sizes)
    values = sum_runs(parts.values.reshape(shape[0], -1), starts).reshape(len(sizes), *shape[1:])
    return type(parts)(parts.value_index, sum_runs(parts.classes, starts)[group], values[group])


@dataclass(frozen=True)
class LeaveOneOut:
    """Each row by its group's other rows. A row's whole weight in the group is left out."""

    def tables(self, sizes: NDArray[Any], whole: bool) -> NDArray[Any]:
        """What a row of each weight leaves of the group's table, for its own class and for the others."""
        return np.asarray(np.minimum(sizes, 1) * 2 if whole else sizes * 2)

    def parts(self, sizes: Ints, weight: Floats | None, y: Ints) -> Parts:
        """A part for each weight in a group."""
        group = np.repeat(np.arange(len(sizes)), sizes)
        if weight is None:
            return Parts(group, np.arange(len(sizes)), np.ones(len(sizes)))
        weights, which = np.unique(weight, return_inverse=True)
        parts, of = np.unique(group * len(weights) + which, return_inverse=True)
        return Parts(of, parts // len(weights), weights[parts % len(weights)])

    def scores(self, training: TrainingRows, batch: Batch) -> Floats:
        """(Q, C) log scores."""
        both = leave_one_out_tables(batch.total, training.estimate, weight=batch.weight)
        own, other = (_restricted(tables, batch.keep, training.value_index) for tables in both)
        y = training.y[batch.row]
        if training.n_classes == 2 and _finite(own) and _finite(other):
            margins = [_margin(other, own), _margin(own, other)]  # of a row of either class
            prior, values = (np.stack([getattr(m, name) for m in margins], axis=1) for name in ("prior", "values"))
            tables = LogTables(prior.reshape(-1, 1), values.reshape(-1, *values.shape[2:]))
            return _from_margins(log_scores(training.ids, tables, batch.row, batch.part * 2 + y))
        return leave_one_out_scores(training.ids, training.y, (own, other), batch.row, batch.part)


@dataclass(frozen=True)
class FoldValidation:
    """Each row by the rows of its group's other folds.

    The rows of a group are dealt to the folds in turn, in their order, or, if contiguous, cut into runs of equal length
    (the first ones longer by one row). Fewer rows than folds make as many folds as rows.
    """

    n_folds: int
    contiguous: bool = False

    def tables(self, sizes: NDArray[Any], whole: bool) -> NDArray[Any]:
        """One per fold."""
        return np.asarray(np.minimum(sizes, self.n_folds))

    def fold(self, sizes: Ints, y: Ints) -> Ints:
        """(P,) the fold of each row of groups of these sizes, (B,). y: (P,) the rows' classes."""
        rank = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # in its group
        if not self.contiguous:
            return np.asarray(rank % self.n_folds)
        size = np.repeat(sizes, sizes)
        length, longer = np.divmod(size, self.n_folds)
        in_longer = longer * (length + 1)
        later = longer + (rank - in_longer) // np.maximum(length, 1)
        return np.asarray(np.where(rank < in_longer, rank // (length + 1), later))

    def parts(self, sizes: Ints, weight: Floats | None, y: Ints) -> Parts:
        """One part for each fold that has rows."""
        fold = np.repeat(np.arange(len(sizes)) * self.n_folds, sizes) + self.fold(sizes, y)
        present = np.bincount(fold, minlength=len(sizes) * self.n_folds) > 0
        group_of = np.flatnonzero(present) // self.n_folds
        return Parts((np.cumsum(present) - 1)[fold], group_of, np.ones(len(group_of)))

    def scores(self, training: TrainingRows, batch: Batch) -> Floats:
        """(Q, C) log scores."""
        tables = _restricted(log_tables(batch.others, training.estimate), batch.keep, training.value_index)
        if training.n_classes == 2 and _finite(tables):
            return _from_margins(log_scores(training.ids, _margin(tables, tables), batch.row, batch.part))
        scores = log_scores(training.ids, tables, batch.row, batch.part)
        fall_back_to_prior(scores, tables.prior[batch.part])
        return scores


@dataclass(frozen=True, kw_only=True)
class StratifiedFolds(FoldValidation):
    """Folds to which the rows of a group are dealt class by class, in a new random order per class."""

    generator: np.random.Generator

    def fold(self, sizes: Ints, y: Ints) -> Ints:
        """(P,) the fold of each row of groups of these sizes, (B,). y: (P,) the rows' classes."""
        order = np.lexsort((self.generator.random(len(y)), y, np.repeat(np.arange(len(sizes)), sizes)))
        fold = np.empty(len(y), dtype=np.int64)
        fold[order] = super().fold(sizes, y)
        return fold


def _restricted(tables: LogTables, keep: Bools, value_index: ValueIndex) -> LogTables:
    """Tables of classifiers that have only some attributes. keep: (S, a)."""
    return tables if keep.all() else tables.restrict(keep[:, value_index.attribute_of])


def _finite(tables: LogTables) -> bool:
    return bool(np.isfinite(tables.values).all() and np.isfinite(tables.prior).all())


def _margin(second: LogTables, first: LogTables) -> LogTables:
    """By how much the second class leads the first: of two classes, that is all a decision needs."""
    return LogTables(second.prior[:, 1:] - first.prior[:, :1], second.values[..., 1:] - first.values[..., :1])


def _from_margins(margins: Floats) -> Floats:
    """(Q, 2) scores whose difference is the margins, (Q, 1)."""
    return np.concatenate([np.zeros_like(margins), margins], axis=1)
