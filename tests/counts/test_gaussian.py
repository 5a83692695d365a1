"""Normal densities against means and variances in fractions, and every outcome that a formula leaves undefined."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lazybayes.counts.gaussian import fit_gaussian
from tests.references import gaussian

NAN = math.nan


def densities(column: list[float], y: list[int], n_classes: int, tests: list[float]) -> np.ndarray:
    """(tests, classes) ln of the density of one attribute, without a warning of numpy."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = fit_gaussian(np.array(column)[:, None], np.array(y), n_classes)
        return fitted.log_density(np.array(tests, dtype=np.float64)[:, None])[:, :, 0]


def by_class(column: list[float], y: list[int], n_classes: int) -> list[list[float]]:
    return [[x for x, yc in zip(column, y, strict=True) if yc == c and x == x] for c in range(n_classes)]


def assert_right(column: list[float], y: list[int], n_classes: int, tests: list[float]) -> None:
    cells = by_class(column, y, n_classes)
    found = densities(column, y, n_classes, tests)
    for x, row in zip(tests, found.tolist(), strict=True):
        for c in range(n_classes):
            if cells[c]:
                right = gaussian(cells, c, x)
                assert row[c] == pytest.approx(right, rel=1e-9, abs=1e-9), (x, c)


numbers = st.integers(-40, 40).map(lambda i: i / 8)


@given(
    st.lists(st.tuples(st.none() | numbers, st.integers(0, 2)), min_size=1, max_size=12), st.lists(numbers, max_size=4)
)
def test_densities_equal_fractions(rows: list[tuple[float | None, int]], tests: list[float]) -> None:
    """Classes of one row, of equal cells, without a known cell, and ordinary ones."""
    column = [NAN if x is None else x for x, _ in rows]
    assert_right(column, [c for _, c in rows], 3, tests)


@given(
    st.lists(st.tuples(numbers, st.integers(0, 1)), min_size=2, max_size=8),
    st.sampled_from([-300, -150, -30, 30, 150, 300]),
)
@example([(0.0, 0), (0.5, 1)], 150)
def test_units_do_not_matter(rows: list[tuple[float, int]], power: int) -> None:
    """Microns and light-years: cells of 1e300 square to infinity, those of 1e-300 to 0."""
    column = [x * 10.0**power for x, _ in rows]
    assert_right(column, [c for _, c in rows], 2, [*column, 0.0, 10.0**power])


@pytest.mark.parametrize("size", [1e300, 1e-300, 1e308, 5e-324, 1.0])
def test_constant_classes_of_any_size(size: float) -> None:
    """No class varies: a variance of 1e-9 stands in."""
    column, y = [size, size, 0.0, 0.0], [0, 0, 1, 1]
    assert_right(column, y, 2, [size, 0.0])


def test_the_loan_incomes() -> None:
    """Tan, Steinbach & Kumar, p. 234: sample variances 2975 and 25."""
    incomes = [125.0, 100, 70, 120, 95, 60, 220, 85, 75, 90]
    defaulted = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    found = np.exp(densities(incomes, defaulted, 2, [120.0]))[0]
    np.testing.assert_allclose(found, [0.007192295359419549, 1.2151765699646572e-09], rtol=1e-12)


def test_a_constant_class_among_others_gets_a_billionth_of_the_pooled_variance() -> None:
    column, y = [5.0, 5.0, 5.0, 1.0, 3.0], [0, 0, 0, 1, 1]
    variance = (0 + 2) / (2 + 1) * 1e-9
    at_mean = -0.5 * math.log(2 * math.pi * variance)
    found = densities(column, y, 2, [5.0, 5.001])
    assert found[0, 0] == pytest.approx(at_mean, rel=1e-12)
    assert found[1, 0] == pytest.approx(at_mean - 0.001**2 / (2 * variance), rel=1e-9)


def test_a_constant_class_has_no_variance_whatever_its_mean_rounds_to() -> None:
    """The mean of three cells 0.1, summed in doubles, is not 0.1."""
    assert_right([0.1, 0.1, 0.1, 1.0, 3.0, 0.7, 0.7, 0.7], [0, 0, 0, 1, 1, 2, 2, 2], 3, [0.1, 0.7, 2.0])


def test_a_class_of_one_row_has_no_variance_of_its_own() -> None:
    assert_right([2.0, 4.0, 8.0], [0, 1, 1], 2, [2.0, 2.0001, 5.0])


def test_missing_cells_are_neither_counted_nor_scored() -> None:
    with_gaps = densities([1.0, NAN, 3.0, NAN, 10.0, 14.0], [0, 0, 0, 1, 1, 1], 2, [2.0, NAN])
    without = densities([1.0, 3.0, 10.0, 14.0], [0, 0, 1, 1], 2, [2.0, NAN])
    np.testing.assert_array_equal(with_gaps, without)
    assert with_gaps[1].tolist() == [0.0, 0.0]


def test_an_attribute_that_no_row_knows_says_nothing() -> None:
    assert densities([NAN, NAN], [0, 1], 2, [7.0, NAN]).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_class_that_never_knows_the_attribute_leaves_the_others_alone() -> None:
    found = densities([1.0, 3.0, 10.0, 14.0, NAN], [0, 0, 1, 1, 2], 4, [2.0, 7.0, -1e9])
    np.testing.assert_array_equal(found[:, :2], densities([1.0, 3.0, 10.0, 14.0], [0, 0, 1, 1], 2, [2.0, 7.0, -1e9]))
    assert not np.isnan(found).any()


def test_a_test_value_far_beyond_the_training_cells_is_no_warning() -> None:
    found = densities([1e-5, 2e-5, 3e-5, 5e-5], [0, 0, 1, 1], 2, [1e300, -1e300])
    assert (found < -1e300).all()
    assert not np.isnan(found).any()


def test_an_offset_of_any_size_changes_nothing() -> None:
    """Row 0 of {1, 2, 3 | 2, 4, 7}: variances 1 and 19/3 around 2 and 13/3, equal priors."""
    small = [1.0, 2.0, 3.0, 2.0, 4.0, 7.0]
    y = [0, 0, 0, 1, 1, 1]
    near, far = math.exp(-0.5), math.exp(-((10 / 3) ** 2) / (2 * 19 / 3)) / math.sqrt(19 / 3)
    assert near / (near + far) == pytest.approx(0.78585, abs=5e-6)
    for offset in (0.0, 1e6, 1e15, -1e15, 2.0**52):
        logs = densities([x + offset for x in small], y, 3, [1.0 + offset])[0]
        assert 1 / (1 + math.exp(logs[1] - logs[0])) == pytest.approx(near / (near + far), rel=1e-12)
        mean, variance = 19 / 6, (1 + 1 + 49 / 9 + 1 / 9 + 64 / 9) / 4 * 1e-9  # of a class without rows
        assert logs[2] == pytest.approx(-((1 - mean) ** 2) / (2 * variance) - math.log(2 * math.pi * variance) / 2)
