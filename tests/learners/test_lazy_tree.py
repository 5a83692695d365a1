"""LazyTree against a path grown for one row at a time, straight from the definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from lazybayes.counts import tables
from lazybayes.learners.lazy_tree import LazyTree
from tests.drawn import as_classes, as_rows, entangled, with_tests
from tests.references import Data, Value


def gain(data: Data, rows: Sequence[int], passed: Sequence[int]) -> float:
    """The fall of the entropy from rows to those that passed, when the classes present in rows weigh the same."""
    present = sorted({data.y[i] for i in rows})
    weights = {c: 1 / sum(data.y[i] == c for i in rows) for c in present}
    masses = [sum(weights[c] for i in passed if data.y[i] == c) for c in present]
    shares = [mass / sum(masses) for mass in masses]
    return math.log(len(present)) + sum(p * math.log(p) for p in shares if p > 0)


def path(data: Data, test: Sequence[Value]) -> tuple[list[int], int]:
    """The training rows at the end of the row's path, and its tests."""
    rows, tests = list(range(len(data.y))), 0
    while len({data.y[i] for i in rows}) > 1:
        candidates = []
        for a, v in enumerate(test):
            passed = [i for i in rows if v is not None and data.rows[i][a] == v]
            if 0 < len(passed) < len(rows):
                candidates.append((gain(data, rows, passed), passed))
        best = max((found for found, _ in candidates), default=0.0)
        if best <= 1e-10:
            break
        rows = next(passed for found, passed in candidates if found >= best - 1e-10)
        tests += 1
    return rows, tests


def check(data: Data, tests: list[tuple[Value, ...]]) -> float:
    learner = LazyTree().fit(as_rows(data), as_classes(data))
    answer = learner.answer(as_rows(data, tests))
    found = [path(data, test) for test in tests]
    expected = [[sum(data.y[i] == c for i in rows) / len(rows) for c in range(data.n_classes)] for rows, _ in found]
    np.testing.assert_allclose(answer.proba, expected, rtol=0, atol=1e-12)
    assert answer.predicted.tolist() == [row.index(max(row)) for row in expected]
    assert answer.diagnostics["path_length"] == pytest.approx(sum(n for _, n in found) / len(found))
    assert answer.diagnostics["rows_reached"] == pytest.approx(sum(len(rows) for rows, _ in found) / len(found))
    return answer.diagnostics["path_length"]


@settings(max_examples=200)
@given(with_tests())
def test_equals_a_path_a_row(drawn: tuple[Data, list[tuple[Value, ...]]]) -> None:
    check(*drawn)


@pytest.mark.parametrize("seed", range(8))
def test_equals_a_path_a_row_where_paths_are_long(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    data = entangled(random, 80)
    tests = [tuple(random.choice([None, *range(k)]) for k in data.arity) for _ in range(30)]
    assert check(data, tests) > 1
    monkeypatch.setattr(tables, "TABLES", 1)  # a node at a time
    check(data, tests)


def test_a_majority_cannot_hide_a_gain() -> None:
    """Of 16 rows, 12 of one class, passing leaves 1 to 3: the entropy of the raw frequencies would not fall at all."""
    rows = ((0,), *((1,),) * 11, *((0,),) * 3, (1,))
    learner = LazyTree().fit(as_rows(Data((2,), 2, rows, (0,) * 12 + (1,) * 4)), [0] * 12 + [1] * 4)
    proba = learner.predict_proba(as_rows(Data((2,), 2, ((0,),), (0,))))
    np.testing.assert_allclose(proba, [[0.25, 0.75]], rtol=0, atol=1e-12)


def test_of_equal_gains_the_lowest_attribute_wins() -> None:
    data = Data((2, 2), 2, ((0, 0), (0, 1), (1, 0), (1, 1)), (0, 1, 1, 0))
    # Neither attribute alone gains; with a third row of class 0 both do, alike.
    more = Data((2, 2), 2, (*data.rows, (0, 0)), (*data.y, 0))
    learner = LazyTree().fit(as_rows(more), as_classes(more))
    assert path(more, (0, 0)) == ([0, 4], 2)
    assert learner.predict_proba(as_rows(data)).tolist()[0] == [1.0, 0.0]


def test_gains_that_differ_in_the_last_bit_are_equal() -> None:
    """Of 5 rows a class, (1, 3, 2) pass the test of a0 and (1, 2, 3) others that of a1, which in floats gains more."""
    passing = ((1, 1), (3, 2), (2, 3))
    rows: list[tuple[int, int]] = []
    for first, second in passing:
        rows += [(0, 1)] * first + [(1, 0)] * second + [(1, 1)] * (5 - first - second)
    data = Data((2, 2), 3, tuple(rows), (0,) * 5 + (1,) * 5 + (2,) * 5)
    first, second = (gain(data, range(15), [i for i, row in enumerate(rows) if row[j] == 0]) for j in (0, 1))
    assert abs(first - second) < 1e-14
    proba = LazyTree().fit(as_rows(data), as_classes(data)).predict_proba(as_rows(data, [(0, 0)]))
    np.testing.assert_allclose(proba, [[1 / 6, 3 / 6, 2 / 6]], rtol=0, atol=1e-12)


def test_without_a_gain_the_class_frequencies_answer() -> None:
    data = Data((2, 2), 2, ((0, 0), (0, 1), (1, 0), (1, 1)), (0, 1, 1, 0))
    answer = LazyTree().fit(as_rows(data), as_classes(data)).answer(as_rows(data))
    assert answer.proba.tolist() == [[0.5, 0.5]] * 4
    assert answer.predicted.tolist() == [0] * 4
    assert answer.diagnostics == {"path_length": 0.0, "rows_reached": 4.0, "distinct_paths": 1.0}
