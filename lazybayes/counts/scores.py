"""Log scores of rows from tables: ordinary, and with the scored row itself left out.

A row's score for class c is ln P(c) + sum over its known attributes of ln P(v given c). Logs are taken of tables
only; a row adds up entries of its class columns, which is one sparse product for many rows (and, with stacked
tables, for many classifiers at once).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import log_softmax

from lazybayes.counts.estimates import Estimate
from lazybayes.counts.tables import BLOCK, Counts, blocks, less

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

TIE = 1e-9
"""Class scores this close are equal (DESIGN.md, "Values and undefined numbers")."""


@dataclass(frozen=True)
class LogTables:
    """prior: (..., C) ln P(c); values: (..., V + 1, C) ln P(v given c), the last row 0: a missing cell is skipped."""

    prior: Floats
    values: Floats

    def restrict(self, keep: NDArray[np.bool_]) -> LogTables:
        """The tables over some values only. keep: (..., V) which values count; the others add 0."""
        values = self.values.copy()
        values[..., :-1, :][~keep] = 0.0
        return LogTables(self.prior, values)

    def take(self, tables: Ints, keep: NDArray[np.bool_]) -> LogTables:
        """A selection of stacked tables, with the selected values renumbered. tables: (S',); keep: (V,)."""
        values = np.append(np.nonzero(keep)[0], len(keep))
        return LogTables(self.prior[tables], self.values[tables[:, None], values])


def _log(prior: Floats, conditional: Floats) -> LogTables:
    shape = conditional.shape
    values = np.empty((*shape[:-2], shape[-1] + 1, shape[-2]))
    values[..., -1, :] = 0.0
    with np.errstate(divide="ignore"):
        values[..., :-1, :] = np.swapaxes(np.log(conditional), -1, -2)
        return LogTables(np.log(prior), values)


def log_tables(counts: Counts, estimate: Estimate, marginal: Counts | None = None) -> LogTables:
    """The logs of an estimate's probabilities.

    marginal: the counts whose class-free sums a marginal prior is made of, where they are not `counts` itself: the rows
    that a parent's value restricts still have the prior of all rows.
    """
    n_value, known_value = _class_free(counts if marginal is None else marginal, estimate)
    arity = counts.value_index.arity_of
    conditional = estimate.conditional(counts.values, counts.known_of_value, n_value, known_value, arity)
    n = counts.classes.sum(axis=-1, keepdims=True)
    return _log(estimate.of_class(counts.classes, n, counts.n_classes), conditional)


def leave_one_out_tables(
    counts: Counts, estimate: Estimate, marginal: Counts | None = None, weight: Floats | float = 1.0
) -> tuple[LogTables, LogTables]:
    """Tables that score a counted row as if it had not been counted: (own, other).

    Leaving out a row of class y with value v lowers n_y and n_vy, and the class-free counts of v that a marginal
    prior is made of, which changes the factor of every class. So the row takes class y's column from `own` and every
    other class's from `other` (ALGORITHMS.md, "Leave-one-out"). An entry whose value no row carries is never asked for.
    marginal: as for `log_tables`; it counts the row, too. weight: what the row counted, (S,) of stacked tables.
    """
    one, arity = np.asarray(weight)[..., None], counts.value_index.arity_of
    of_all = _class_free(counts if marginal is None else marginal, estimate)
    n_value, known_value = (less(n, one[..., None]) for n in of_all)
    n = less(counts.classes.sum(axis=-1, keepdims=True), one)
    with_row = counts.classes, counts.values, counts.known_of_value
    without = (less(table, row) for table, row in zip(with_row, (one, one[..., None], one[..., None]), strict=True))
    own, other = (
        _log(
            estimate.of_class(classes, n, counts.n_classes),
            estimate.conditional(values, known, n_value, known_value, arity),
        )
        for classes, values, known in (without, with_row)
    )
    return own, other


def _class_free(counts: Counts, estimate: Estimate) -> tuple[Floats, Floats]:
    """(..., 1, V) rows with each value, and rows that know its attribute; zeros where the estimate does not ask."""
    if estimate.prior != "marginal":
        return np.zeros(1), np.zeros(1)
    n_value = counts.values.sum(axis=-2, keepdims=True)
    return n_value, counts.value_index.spread(counts.value_index.per_attribute(n_value))


def add_up(ids: Ints, table: Floats, prior: Floats, row: Ints | None = None, stack: Ints | None = None) -> Floats:
    """(n, C) scores: each row's prior plus the table's entries of its values.

    ids: (n, a) value ids; table: (V + 1, C); prior: (C,). For P pairs of a row and a stacked table, row,
    stack: (P,), table: (S, V + 1, C), prior: (S, C), and the scores are (P, C).
    """
    width, n_classes = table.shape[-2:]
    flat = table.reshape(-1, n_classes)
    n, a = len(ids) if row is None else len(row), ids.shape[1]
    scores = np.empty((n, n_classes))
    ones = np.ones(min(n * a, max(BLOCK, a)))
    for block in blocks(n, a):
        index = ids[block] if row is None else np.take(ids, row[block], axis=0)
        if stack is not None:
            offset = (stack[block] * width).astype(np.int32)[:, None]
            index = np.add(index, offset, out=None if row is None else index)
        starts = np.arange(len(index) + 1, dtype=np.int32) * a
        scores[block] = csr_matrix((ones[: index.size], index.ravel(), starts), shape=(len(index), len(flat))) @ flat
    return scores + (prior if stack is None else prior[stack])


def log_scores(ids: Ints, tables: LogTables, row: Ints | None = None, stack: Ints | None = None) -> Floats:
    """(n, C) log scores of rows, or (P, C) of pairs of a row and a stacked table."""
    return add_up(ids, tables.values, tables.prior, row, stack)


def leave_one_out_scores(
    ids: Ints, y: Ints, tables: tuple[LogTables, LogTables], row: Ints | None = None, stack: Ints | None = None
) -> Floats:
    """(n, C) log scores of counted rows with each row itself left out, or (P, C) of pairs of a row and a stacked table.

    y: (n,) the rows' classes; row, stack: (P,).
    """
    own, other = tables
    n_classes = own.prior.shape[-1]
    scores = log_scores(ids, other, row, stack)
    y = y if row is None else y[row]
    mine = np.arange(len(y)), y
    slot = y if stack is None else stack * n_classes + y
    table = np.swapaxes(own.values, -1, -2).reshape(-1, own.values.shape[-2], 1)
    every = np.arange(len(y)) if row is None else row
    scores[mine] = add_up(ids, table, own.prior.reshape(-1, 1), every, slot)[:, 0]
    prior = np.broadcast_to(other.prior if stack is None else other.prior[stack], scores.shape).copy()
    prior[mine] = own.prior.reshape(-1)[slot]
    fall_back_to_prior(scores, prior)
    return scores


def leave_one_out_products(
    hot: NDArray[np.float32], starts: Ints, tables: tuple[LogTables, LogTables], row: Ints, stack: Ints
) -> Floats:
    """(P, C) as `leave_one_out_scores`, for pairs of a row and a stacked table, by one matrix product per class.

    Every row meets every table, and the pairs asked for are kept. Pays where attributes have few values; all logs must
    be finite.

    hot: (n, V) one-hot rows in class order; starts: (C + 1,) where each class begins; row, stack: (P,), rows ascending.
    """
    own, other = tables
    n_tables, width, n_classes = own.values.shape
    scores = np.empty((len(row), n_classes))
    for c in range(n_classes):
        values, prior = other.values.copy(), other.prior.copy()
        values[..., c], prior[:, c] = own.values[..., c], own.prior[:, c]
        matrix = values[:, :-1].transpose(1, 0, 2).reshape(width - 1, n_tables * n_classes)
        for block in blocks(int(starts[c + 1] - starts[c]), n_tables * n_classes):
            first, last = block.start + starts[c], block.stop + starts[c]
            pairs = slice(*np.searchsorted(row, (first, last)))
            product = (hot[first:last].astype(np.float64) @ matrix).reshape(-1, n_classes)
            index = (row[pairs] - first) * n_tables + stack[pairs]
            scores[pairs] = product.take(index, axis=0) + prior.take(stack[pairs], axis=0)
    return scores


def fall_back_to_prior(scores: Floats, prior: Floats) -> int:
    """Lets the class prior answer, in place, for rows whose every class scores 0; returns how many there were.

    Only `frequency` allows a probability of 0. prior: (C,) or (n, C) log priors.
    """
    impossible = np.isneginf(scores.max(axis=1))
    if impossible.any():
        scores[impossible] = np.broadcast_to(prior, scores.shape)[impossible]
    return int(impossible.sum())


def decide(scores: Floats) -> NDArray[np.int32]:
    """(n,) the lowest class whose log score is within `TIE` of the best."""
    by_class = np.ascontiguousarray(scores.T)  # whole classes at a time: a pass over short rows costs far more
    near = by_class.max(axis=0) - TIE
    lowest = np.zeros(len(scores), dtype=np.int32)
    for c in range(len(by_class) - 1, -1, -1):
        lowest[by_class[c] >= near] = c
    return lowest


def normalized(scores: Floats) -> Floats:
    """(n, C) ln of the probabilities given by log scores; each row's scores are known up to a constant."""
    return np.asarray(log_softmax(scores, axis=1))
