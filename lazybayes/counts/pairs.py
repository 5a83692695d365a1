"""Pairs of values: the class x value x value table, and P(value given class and a parent's value) for every pair.

Rows stand in class order: the rows of class c are the slice starts[c] to starts[c + 1].
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.estimates import Estimate
from lazybayes.counts.scores import LogTables, leave_one_out_tables, log_tables
from lazybayes.counts.tables import TABLES, Counts, ValueIndex, blocks, count, one_hot, pair_counts

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

ONE_HOT = 12
"""Values an attribute on average, from which on counting pair by pair beats products of one-hot rows (measured)."""


def pair_tables(value_index: ValueIndex, ids: Ints, starts: Ints) -> Iterator[tuple[slice, slice, Floats]]:
    """The class x value x value table, some attributes at a time: (attributes, their values, (K, C, V) table).

    table[u, c, v]: rows of class c with the values u and v, for the K values of the attributes and all V. ids: (n,
    a).
    """
    n_classes, a = len(starts) - 1, len(value_index.arity)
    y = np.repeat(np.arange(n_classes), np.diff(starts))
    few = value_index.n_values <= ONE_HOT * a
    ends = np.append(value_index.offsets, value_index.n_values)
    first = 0
    while first < a:
        last = first + 1
        while few and last < a and (ends[last + 1] - ends[first]) * n_classes * value_index.n_values <= TABLES:
            last += 1
        values = slice(int(ends[first]), int(ends[last]))
        if few:
            table = _products(value_index, ids, starts, np.arange(values.start, values.stop))
        else:
            known = ids[:, first] < value_index.n_values
            group = ids[known, first] - values.start
            table = count(value_index, ids[known], y[known], n_classes, group, values.stop - values.start).values
        yield slice(first, last), values, table
        first = last


def _products(value_index: ValueIndex, ids: Ints, starts: Ints, values: Ints) -> Floats:
    table = np.zeros((len(values), len(starts) - 1, value_index.n_values))
    for block in blocks(len(ids), value_index.n_values):
        inside = np.clip(starts - block.start, 0, block.stop - block.start)
        table += pair_counts(one_hot(value_index, ids[block]), inside, values)
    return table


def given_value(value_index: ValueIndex, ids: Ints, starts: Ints, counts: Counts, estimate: Estimate) -> Floats:
    """(V + 1, V + 1, C) ln P(v given class and u) at [u, v]; u = V: ln P(v given class); v = V: 0, a missing cell.

    ids: (n, a); counts: their class x value table, which the marginal prior is made of.
    """
    logs = np.empty((value_index.n_values + 1, value_index.n_values + 1, counts.n_classes))
    for _, values, table in pair_tables(value_index, ids, starts):
        logs[values] = log_tables(_stacked(value_index, table), estimate, counts).values
    logs[-1] = log_tables(counts, estimate).values
    return logs


def leave_one_out_given_value(
    value_index: ValueIndex, ids: Ints, starts: Ints, counts: Counts, estimate: Estimate
) -> tuple[LogTables, LogTables]:
    """As `given_value`, with the scored row itself left out: (own, other), see `leave_one_out_tables`.

    The prior is the class's; values: ((V + 1)(V + 1), C), the entry of u and v at u (V + 1) + v.
    """
    plain = leave_one_out_tables(counts, estimate)
    width, n_classes = value_index.n_values + 1, counts.n_classes
    logs = np.empty((2, n_classes, width, width))  # by class: a class's column is gathered at a time
    for _, values, table in pair_tables(value_index, ids, starts):
        for out, found in zip(logs, leave_one_out_tables(_stacked(value_index, table), estimate, counts), strict=True):
            out[:, values] = found.values.transpose(2, 0, 1)
    for out, found in zip(logs, plain, strict=True):
        out[:, -1] = found.values.T
    own, other = (LogTables(t.prior, out.reshape(n_classes, -1).T) for out, t in zip(logs, plain, strict=True))
    return own, other


def _stacked(value_index: ValueIndex, table: Floats) -> Counts:
    """One table of rows for each value u of a pair table; how many rows of a class there are is of no interest."""
    return Counts(value_index, np.zeros(table.shape[:2]), table)
