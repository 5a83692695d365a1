"""Leave-one-out scores as sums of terms, one an attribute, so that attributes can be taken out and put in.

A learner that searches over sets of attributes scores every candidate by leave-one-out. Each attribute's term, what it
adds to each training row's log score of each class when that row is not counted, does not depend on the other
attributes: it is gathered from tables once, and a candidate costs a sum, never a refit.

Rows are in class order here: the rows of class c are the slice starts[c] to starts[c + 1].
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.scores import TIE, LogTables

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Terms:
    """What attributes add to log scores.

    logs: (C, ..., n) finite logs of each class and row, 0 for a probability of 0; zeros: the same shape, how many
    probabilities of 0 there were, or None if there were none. Counted separately, they can be subtracted; -inf cannot.
    """

    logs: Floats
    zeros: Ints | None = None

    def __add__(self, other: Terms) -> Terms:
        return Terms(self.logs + other.logs, _sum(self.zeros, other.zeros))

    def __sub__(self, other: Terms) -> Terms:
        return Terms(self.logs - other.logs, _sum(self.zeros, None if other.zeros is None else -other.zeros))

    def __getitem__(self, index: Any) -> Terms:
        """A part; the index is numpy's, over (C, ..., n)."""
        return Terms(self.logs[index], None if self.zeros is None else self.zeros[index])

    def sum(self, axis: int) -> Terms:
        """The terms added up along an axis."""
        zeros = None if self.zeros is None else self.zeros.sum(axis=axis, dtype=np.int32)
        return Terms(self.logs.sum(axis=axis), zeros)

    def scores(self) -> Floats:
        """(C, ..., n) log scores, minus infinity where a probability is 0."""
        return self.logs if self.zeros is None else np.where(self.zeros > 0, -np.inf, self.logs)


def stack(terms: Sequence[Terms]) -> Terms:
    """(C, a, n) terms of a attributes, each (C, n)."""
    if len(terms) == 1:
        return terms[0][:, None]
    logs = np.stack([term.logs for term in terms], axis=1)
    if all(term.zeros is None for term in terms):
        return Terms(logs)
    none = np.zeros(terms[0].logs.shape, dtype=np.int32)
    return Terms(logs, np.stack([none if term.zeros is None else term.zeros for term in terms], axis=1))


def add(terms: Iterable[Terms], start: Terms) -> Terms:
    """The sum of terms of the same shape, in order."""
    return reduce(operator.add, terms, start)


def _sum(zeros: Ints | None, others: Ints | None) -> Ints | None:
    if zeros is None or others is None:
        return others if zeros is None else zeros
    return zeros + others


def _terms(logs: Floats) -> Terms:
    zero = np.isneginf(logs)
    if not zero.any():
        return Terms(logs)
    logs[zero] = 0.0
    return Terms(logs, zero.astype(np.int32))


def prior_terms(starts: Ints, tables: tuple[LogTables, LogTables]) -> Terms:
    """(C, n) terms of the class prior. tables: own and other, as `leave_one_out_tables` returns them."""
    own, other = tables
    logs = np.repeat(other.prior[:, None], starts[-1], axis=1)
    for c, mine in _classes(starts):
        logs[c, mine] = own.prior[c]
    return _terms(logs)


def leave_one_out_terms(ids: Ints, starts: Ints, tables: tuple[LogTables, LogTables]) -> Terms:
    """(C, a, n) terms of attributes. ids: (a, n) places in the tables; tables: own and other of (V + 1, C) values."""
    own, other = tables
    n_classes = len(starts) - 1
    logs = np.empty((n_classes, *ids.shape))
    for c, mine in _classes(starts):
        np.take(np.ascontiguousarray(other.values[:, c]), ids, out=logs[c], mode="clip")  # clip: no copy is made
        logs[c, :, mine] = own.values[:, c][ids[:, mine]]
    return _terms(logs)


def leave_one_out_wrong(sums: Terms, prior: Terms, starts: Ints) -> Bools:
    """(..., n) which rows are misclassified by their sums, (C, ..., n).

    Where every class has probability 0 the class prior, (C, n), answers.
    """
    scores = sums.scores()
    best = scores.max(axis=0)
    if sums.zeros is not None:
        impossible = np.isneginf(best)
        if impossible.any():
            shape = (len(scores), *(1,) * (scores.ndim - 2), scores.shape[-1])
            scores = np.where(impossible, prior.scores().reshape(shape), scores)
            best = scores.max(axis=0)
    least = best - TIE
    wrong = np.empty(best.shape, dtype=bool)
    open_ = np.ones(best.shape, dtype=bool)  # no lower class is near the best
    for c, mine in _classes(starts):
        later = slice(mine.start, None)
        near = scores[c][..., later] >= least[..., later]
        here = open_[..., later]
        size = mine.stop - mine.start
        wrong[..., mine] = ~(near[..., :size] & here[..., :size])
        here &= ~near
    return wrong


def _classes(starts: Ints) -> list[tuple[int, slice]]:
    return [(c, slice(int(starts[c]), int(starts[c + 1]))) for c in range(len(starts) - 1)]
