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

from lazybayes.counts.estimates import Estimate
from lazybayes.counts.tables import Counts, blocks

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


def _log(prior: Floats, conditional: Floats) -> LogTables:
    shape = conditional.shape
    values = np.zeros((*shape[:-2], shape[-1] + 1, shape[-2]))
    with np.errstate(divide="ignore"):
        np.log(np.swapaxes(conditional, -1, -2), out=values[..., :-1, :])
        return LogTables(np.log(prior), values)


def log_tables(counts: Counts, estimate: Estimate) -> LogTables:
    """The logs of an estimate's probabilities."""
    layout = counts.layout
    n_value = counts.values.sum(axis=-2, keepdims=True)
    known_value = layout.spread(layout.per_attribute(n_value))
    known = layout.spread(counts.known)
    conditional = estimate.conditional(counts.values, known, n_value, known_value, layout.arity_of)
    n = counts.classes.sum(axis=-1, keepdims=True)
    return _log(estimate.of_class(counts.classes, n, counts.n_classes), conditional)


def leave_one_out_tables(counts: Counts, estimate: Estimate) -> tuple[LogTables, LogTables]:
    """Tables that score a counted row as if it had not been counted: (own, other).

    Leaving out a row of class y with value v lowers n_y and n_vy, and the class-free counts of v that a marginal
    prior is made of, which changes the factor of every class. So the row takes class y's column from `own` and every
    other class's from `other` (ALGORITHMS.md, "Leave-one-out"). An entry whose value no row carries is never asked for.
    """
    layout = counts.layout
    n_value = counts.values.sum(axis=-2, keepdims=True)
    known_value = np.maximum(layout.spread(layout.per_attribute(n_value)) - 1.0, 0.0)
    n_value = np.maximum(n_value - 1.0, 0.0)
    known = layout.spread(counts.known)
    n = np.maximum(counts.classes.sum(axis=-1, keepdims=True) - 1.0, 0.0)
    own, other = (
        _log(
            estimate.of_class(np.maximum(counts.classes - out, 0.0), n, counts.n_classes),
            estimate.conditional(
                np.maximum(counts.values - out, 0.0), np.maximum(known - out, 0.0), n_value, known_value, layout.arity_of
            ),
        )
        for out in (1.0, 0.0)
    )
    return own, other


def add_up(cells: Ints, table: Floats, prior: Floats, stack: Ints | None = None) -> Floats:
    """(n, C) scores: each row's prior plus the entries of its cells.

    cells: (n, a) in the offset space; table: (V + 1, C), or (S, V + 1, C) with stack: (n,) the table of each row;
    prior: (C,) or (S, C).
    """
    width, n_classes = table.shape[-2:]
    flat = table.reshape(-1, n_classes)
    scores = np.empty((len(cells), n_classes))
    for block in blocks(*cells.shape):
        index = cells[block] if stack is None else cells[block] + (stack[block] * width).astype(np.int32)[:, None]
        n, a = index.shape
        rows = csr_matrix((np.ones(n * a), index.ravel(), np.arange(0, n * a + 1, a or 1)[: n + 1]), shape=(n, len(flat)))
        scores[block] = rows @ flat
    return scores + (prior if stack is None else prior[stack])


def log_scores(cells: Ints, tables: LogTables, stack: Ints | None = None) -> Floats:
    """(n, C) log scores of rows; with stacked tables, stack: (n,) names the table of each row."""
    return add_up(cells, tables.values, tables.prior, stack)


def leave_one_out_scores(
    cells: Ints, y: Ints, tables: tuple[LogTables, LogTables], stack: Ints | None = None
) -> Floats:
    """(n, C) log scores of counted rows with each row itself left out. y: (n,) their classes."""
    own, other = tables
    scores = log_scores(cells, other, stack)
    n_classes = own.prior.shape[-1]
    table = np.swapaxes(own.values, -1, -2).reshape(-1, own.values.shape[-2], 1)
    slot = y if stack is None else stack * n_classes + y
    mine = np.arange(len(y)), y
    scores[mine] = add_up(cells, table, own.prior.reshape(-1, 1), slot)[:, 0]
    prior = np.broadcast_to(other.prior, (len(y), n_classes)) if stack is None else other.prior[stack]
    prior = prior.copy()
    prior[mine] = own.prior.reshape(-1)[slot]
    rescue(scores, prior)
    return scores


def rescue(scores: Floats, prior: Floats) -> int:
    """Lets the class prior answer, in place, for rows whose every class scores 0; returns how many there were.

    Only `frequency` allows a probability of 0. prior: (C,) or (n, C) log priors.
    """
    lost = np.isneginf(scores.max(axis=1))
    if lost.any():
        scores[lost] = np.broadcast_to(prior, scores.shape)[lost]
    return int(lost.sum())


def decide(scores: Floats) -> NDArray[np.int32]:
    """(n,) the lowest class whose log score is within `TIE` of the best."""
    best = scores.max(axis=1, keepdims=True)
    return np.argmax(scores >= best - TIE, axis=1).astype(np.int32)
