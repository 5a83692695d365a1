"""Things in groups, brought together by a counting sort: linear in their number, whatever the number of groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


def by_group(group: Ints, n_groups: int) -> tuple[Ints, Ints]:
    """The order, (n,), that brings the members of each group together, and (n_groups + 1,) where each begins in it.

    Members of a group keep their order. group: (n,) from 0 to n_groups - 1.
    """
    n = len(group)
    if n_groups <= 1 << 16:  # numpy sorts 16 bits by counting, too
        starts = np.zeros(n_groups + 1, dtype=np.int64)
        np.cumsum(np.bincount(group, minlength=n_groups), out=starts[1:])
        return np.argsort(group.astype(np.uint16), kind="stable"), starts
    one_a_row = csr_matrix((np.empty(n, dtype=np.int8), group, np.arange(n + 1)), shape=(n, n_groups))
    columns = one_a_row.tocsc()
    return columns.indices, columns.indptr


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """The whole numbers starts[i], ..., starts[i] + sizes[i] - 1 of every i, one range after the other."""
    ends = np.cumsum(sizes)
    return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)


def sums(values: NDArray[Any]) -> NDArray[Any]:
    """(n + 1,) sums of the first 0, 1, ..., n values: those of a run are the difference of two."""
    total = np.zeros(len(values) + 1, dtype=values.dtype)
    np.cumsum(values, out=total[1:])
    return total


def sum_runs(table: Floats, starts: Ints) -> Floats:
    """(G, V) sums of runs of a table's rows, (T, V). starts: (G + 1,) where each run begins, and T."""
    n = int(starts[-1])
    member = csr_matrix((np.ones(n), np.arange(n), starts), shape=(len(starts) - 1, n))
    return np.asarray(member @ table)
