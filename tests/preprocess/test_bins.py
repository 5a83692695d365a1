"""Equal width, equal frequency, coding and names of bins."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lazybayes.preprocess.bins import assign, bin_labels, equal_frequency_cuts, equal_width_cuts, find_cuts
from lazybayes.vocabulary import DISCRETIZERS

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TAME = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


def test_equal_width_edges_are_min_plus_i_widths() -> None:
    x = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 0.5, math.nan])
    cuts = equal_width_cuts(x, 10)
    assert cuts.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert assign(x, cuts).tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 0, -1]


def test_equal_width_rounds_as_min_plus_i_times_width() -> None:
    # Weka's formula: 3 * 0.1 is the double above 0.3, so that 0.3 stays in the lower bin
    assert equal_width_cuts(np.array([0.0, 1.0]), 10)[2] == 0.30000000000000004


def test_tenths_keep_ten_bins_with_the_largest_value_in_the_last() -> None:
    x = np.arange(11) / 10
    cuts = equal_width_cuts(x, 10)
    assert len(bin_labels(cuts)) == 10
    assert assign(x, cuts)[-1] == 9


@given(st.lists(TAME, min_size=2, max_size=30), st.integers(1, 12))
def test_equal_width_equals_the_definition(values: list[float], bins: int) -> None:
    low, high = Fraction(min(values)), Fraction(max(values))
    assume(low < high)
    exact = [float(low + i * (high - low) / bins) for i in range(1, bins)]
    assert equal_width_cuts(np.array(values), bins) == pytest.approx(exact, rel=1e-14, abs=1e-9)


@pytest.mark.parametrize("find", [equal_width_cuts, equal_frequency_cuts])
@given(values=st.lists(FINITE, min_size=1, max_size=20), bins=st.integers(1, 12))
def test_cuts_are_finite_rise_and_stay_in_the_range(find, values: list[float], bins: int) -> None:  # type: ignore[no-untyped-def]
    cuts = find(np.array(values), bins).tolist()
    assert cuts == sorted(set(cuts))
    assert len(cuts) < bins
    assert all(min(values) <= cut <= max(values) for cut in cuts)


def test_huge_range_is_divided_evenly() -> None:
    x = np.array([-1.7e308, 1.7e308])
    assert equal_width_cuts(x, 4) == pytest.approx([-0.85e308, 0, 0.85e308])
    assert equal_frequency_cuts(x, 4) == pytest.approx([-0.85e308, 0, 0.85e308])
    assert assign(x, equal_width_cuts(x, 4)).tolist() == [0, 3]


@pytest.mark.parametrize("method", DISCRETIZERS)
@pytest.mark.parametrize("value", [3.5, 0.0, -0.1, 1.7e308, 5e-324])
def test_constant_column_has_one_bin(method: str, value: float) -> None:
    assert find_cuts(method, np.array([value, value, math.nan]), np.array([0, 1, 0]), 10).tolist() == []


@pytest.mark.parametrize("method", DISCRETIZERS)
@given(values=st.lists(st.one_of(TAME, st.sampled_from([0.0, 1.0])), min_size=1, max_size=30), bins=st.integers(1, 12))
def test_the_end_bins_are_never_empty(method: str, values: list[float], bins: int) -> None:
    x = np.array(values)
    cuts = find_cuts(method, x, np.arange(len(x)) % 2, bins)
    assert {0, len(cuts)} <= set(assign(x, cuts).tolist())


def test_edges_that_coincide_are_one() -> None:
    low, high = 2.0, math.nextafter(2.0, 3)
    cuts = equal_width_cuts(np.array([low, high]), 10)
    assert cuts.tolist() == [low]
    assert assign(np.array([low, high]), cuts).tolist() == [0, 1]


@pytest.mark.parametrize("method", DISCRETIZERS)
def test_nothing_known_is_one_bin(method: str) -> None:
    assert find_cuts(method, np.array([math.nan, math.nan]), np.array([0, 1]), 10).tolist() == []
    assert find_cuts(method, np.array([]), np.array([], dtype=int), 10).tolist() == []


def test_equal_frequency_quantiles() -> None:
    assert equal_frequency_cuts(np.array([4.0, 1.0, math.nan, 2.0, 3.0, 5.0]), 4).tolist() == [2.0, 3.0, 4.0]
    assert equal_frequency_cuts(np.array([1.0, 2.0]), 4).tolist() == [1.25, 1.5, 1.75]


def test_equal_frequency_drops_duplicates() -> None:
    x = np.array([0.0] * 50 + [1.0, 2.0])
    assert equal_frequency_cuts(x, 10).tolist() == [0.0]
    assert assign(x, np.array([0.0])).tolist() == [0] * 50 + [1, 1]


@given(st.lists(TAME, min_size=1, max_size=30), st.integers(1, 12))
def test_equal_frequency_equals_the_definition(values: list[float], bins: int) -> None:
    ordered = [Fraction(value) for value in sorted(values)]
    quantiles = []
    for i in range(1, bins):
        place = Fraction(i, bins) * (len(ordered) - 1)
        low = ordered[math.floor(place)]
        quantiles.append(low + (ordered[math.ceil(place)] - low) * (place - math.floor(place)))
    cuts = equal_frequency_cuts(np.array(values), bins)
    # near-duplicates may differ in the last bit: compare as sets of near values
    for quantile in quantiles:
        if quantile < ordered[-1] - Fraction(1, 10**9):
            assert np.abs(cuts - float(quantile)).min() <= 1e-9
    for cut in cuts:
        assert min(abs(cut - float(quantile)) for quantile in quantiles) <= 1e-9


@given(st.lists(st.one_of(TAME, st.just(math.nan)), max_size=20), st.lists(TAME, max_size=8, unique=True))
def test_a_bin_is_the_number_of_cuts_below(values: list[float], cuts: list[float]) -> None:
    expected = [-1 if math.isnan(x) else sum(x > cut for cut in cuts) for x in values]
    codes = assign(np.array(values), np.array(sorted(cuts)))
    assert codes.tolist() == expected
    assert codes.dtype == np.int32


def test_labels() -> None:
    assert bin_labels(np.array([])) == ("(-inf, inf)",)
    assert bin_labels(np.array([2.45])) == ("(-inf, 2.45]", "(2.45, inf)")
    assert bin_labels(np.array([2.45, 4.75])) == ("(-inf, 2.45]", "(2.45, 4.75]", "(4.75, inf)")


@given(st.lists(FINITE, max_size=8, unique=True))
def test_labels_differ_and_give_the_cuts_back(cuts: list[float]) -> None:
    cuts = sorted(cuts)
    labels = bin_labels(np.array(cuts))
    assert len(set(labels)) == len(cuts) + 1
    assert [float(label.split(", ")[1].rstrip(")]")) for label in labels[:-1]] == cuts
