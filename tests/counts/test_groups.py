"""Sorting into groups and sums of runs, against what Python's own sort and sum say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.counts.groups import by_group, ranges, sum_runs, sums


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(0, 3))
def test_members_of_a_group_come_together_and_keep_their_order(group: list[int], empty: int) -> None:
    n_groups = 6 + empty
    order, starts = by_group(np.array(group, dtype=np.int64), n_groups)
    assert order.tolist() == sorted(range(len(group)), key=lambda i: group[i])
    assert starts.tolist() == [sum(1 for g in group if g < k) for k in range(n_groups + 1)]


@given(st.lists(st.tuples(st.integers(-3, 9), st.integers(0, 4)), max_size=10))
def test_ranges(runs: list[tuple[int, int]]) -> None:
    starts, sizes = np.array(runs, dtype=np.int64).reshape(-1, 2).T
    assert ranges(starts, sizes).tolist() == [start + i for start, size in runs for i in range(size)]


@given(st.lists(st.integers(-9, 9), max_size=20))
def test_sums_of_the_first_values(values: list[int]) -> None:
    found = sums(np.array(values, dtype=np.int64))
    assert found.dtype.kind == "i"  # whole weights stay whole
    assert found.tolist() == [sum(values[:i]) for i in range(len(values) + 1)]


@given(st.lists(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=4), min_size=1, max_size=6))
def test_sums_of_runs_of_rows(runs: list[list[tuple[int, int]]]) -> None:
    table = np.array([row for run in runs for row in run], dtype=np.float64).reshape(-1, 2)
    starts = np.cumsum([0, *map(len, runs)])
    expected = [[sum(row[k] for row in run) for k in (0, 1)] for run in runs]
    assert sum_runs(table, starts).tolist() == expected
