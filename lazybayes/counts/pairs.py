"""Pairs of values: the class x value x value table, and P(value given class and a parent's value) for every pair.

Training rows are in class order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.scores import LogTables, leave_one_out_tables, log_tables
from lazybayes.counts.tables import TABLES, Counts, ValueIndex, blocks, count, one_hot, pair_counts
from lazybayes.counts.training import TrainingRows

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

ONE_HOT = 12
"""Values an attribute on average, from which on counting pair by pair beats products of one-hot rows (measured)."""


def pair_tables(training: TrainingRows) -> Iterator[tuple[slice, slice, Floats]]:
    """The class x value x value table, some attributes at a time: (attributes, their values, (K, C, V) table).

    table[u, c, v]: rows of class c with the values u and v, for the K values of the attributes and all V.
    """
    value_index, ids, y, n_classes = training.value_index, training.ids, training.y, training.n_classes
    a = len(value_index.arity)
    few = value_index.n_values <= ONE_HOT * a
    ends = np.append(value_index.offsets, value_index.n_values)
    first = 0
    while first < a:
        last = first + 1
        while few and last < a and (ends[last + 1] - ends[first]) * n_classes * value_index.n_values <= TABLES:
            last += 1
        values = slice(int(ends[first]), int(ends[last]))
        if few:
            table = _products(training, np.arange(values.start, values.stop))
        else:
            known = ids[:, first] < value_index.n_values
            group = ids[known, first] - values.start
            table = count(value_index, ids[known], y[known], n_classes, group, values.stop - values.start).values
        yield slice(first, last), values, table
        first = last


def _products(training: TrainingRows, values: Ints) -> Floats:
    n_values = training.value_index.n_values
    table = np.zeros((len(values), training.n_classes, n_values))
    for block in blocks(len(training), n_values):
        inside = np.clip(training.starts - block.start, 0, block.stop - block.start)
        table += pair_counts(one_hot(training.value_index, training.ids[block]), inside, values)
    return table


def given_value(training: TrainingRows) -> Floats:
    """(V + 1, V + 1, C) ln P(v given class and u) at [u, v]; u = V: ln P(v given class); v = V: 0, a missing cell.

    A marginal prior is that of all rows.
    """
    counts, estimate, width = training.counts, training.estimate, training.value_index.n_values + 1
    logs = np.empty((width, width, training.n_classes))
    for _, values, table in pair_tables(training):
        logs[values] = log_tables(_stacked(training.value_index, table), estimate, counts).values
    logs[-1] = log_tables(counts, estimate).values
    return logs


def leave_one_out_given_value(training: TrainingRows) -> tuple[LogTables, LogTables]:
    """As `given_value`, with the scored row itself left out: (own, other), see `leave_one_out_tables`.

    The prior is the class's; values: ((V + 1)(V + 1), C), the entry of u and v at u (V + 1) + v.
    """
    counts, estimate = training.counts, training.estimate
    plain = leave_one_out_tables(counts, estimate)
    width, n_classes = training.value_index.n_values + 1, training.n_classes
    logs = np.empty((2, n_classes, width, width))  # by class: a class's column is gathered at a time
    for _, values, table in pair_tables(training):
        for out, part in zip(
            logs, leave_one_out_tables(_stacked(training.value_index, table), estimate, counts), strict=True
        ):
            out[:, values] = part.values.transpose(2, 0, 1)
    for out, part in zip(logs, plain, strict=True):
        out[:, -1] = part.values.T
    own, other = (LogTables(t.prior, out.reshape(n_classes, -1).T) for out, t in zip(logs, plain, strict=True))
    return own, other


def _stacked(value_index: ValueIndex, table: Floats) -> Counts:
    """One table of rows for each value u of a pair table; how many rows of a class there are is of no interest."""
    return Counts(value_index, np.zeros(table.shape[:2]), table)
