"""Modes and means."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.preprocess.impute import mean, mode


def codes(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def test_mode_is_the_most_frequent_code_missing_left_out() -> None:
    assert mode(codes(-1, 2, 0, 2, -1, -1)) == 2


def test_mode_tie_goes_to_the_lowest_code() -> None:
    assert mode(codes(3, 1, 3, 1, 0)) == 1


def test_nothing_known() -> None:
    assert mode(codes(-1, -1)) is None
    assert mode(codes()) is None
    assert mean(np.array([math.nan])) is None
    assert mean(np.array([])) is None


def test_mean_leaves_missing_out() -> None:
    assert mean(np.array([1.0, math.nan, 2.0, 6.0])) == 3.0


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30), st.randoms())
def test_mean_is_the_exact_one_whatever_the_order(values: list[float], random) -> None:  # type: ignore[no-untyped-def]
    exact = float(sum(map(Fraction, values)) / len(values))
    result = mean(np.array(values))
    assert result == pytest.approx(exact, rel=1e-14, abs=1e-300)
    random.shuffle(values)
    assert mean(np.array(values)) == result


@pytest.mark.parametrize("value", [0.1, 1.7e308, -1.7e308, 5e-324])
@pytest.mark.parametrize("n", [3, 7, 11])
def test_mean_of_a_constant_column_is_its_value(value: float, n: int) -> None:
    assert mean(np.full(n, value)) == value
