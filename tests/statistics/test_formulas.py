"""The tests against scipy, exact sums, and values published or given by definition."""

from __future__ import annotations

import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lazybayes.errors import UsageError
from lazybayes.statistics.formulas import (
    corrected_t,
    friedman,
    mean_ranks,
    nemenyi_cd,
    paired_t,
    sign_test,
    wilcoxon,
)

grid = st.lists(st.integers(-6, 6), min_size=2, max_size=25).map(lambda counts: [c / 10 for c in counts])
varied = grid.filter(lambda d: len(set(d)) > 1)


@given(varied)
def test_paired_t_is_scipys(differences: list[float]) -> None:
    peer = stats.ttest_1samp(differences, 0, alternative="greater")
    ours = paired_t(differences)
    assert (ours.t, ours.p) == pytest.approx((peer.statistic, peer.pvalue), rel=1e-9, abs=1e-12)
    assert ours.df == len(differences) - 1
    assert ours.p + paired_t([-d for d in differences]).p == pytest.approx(1)


@given(varied, st.integers(1, 50))
def test_corrected_t_is_the_formula(differences: list[float], n_test: int) -> None:
    n_train, trials = 90, len(differences)
    variance = (1 / trials + n_test / n_train) * np.var(differences, ddof=1)
    t = np.mean(differences) / math.sqrt(variance)
    ours = corrected_t(differences, n_train, n_test)
    assert ours.t == pytest.approx(t, rel=1e-9, abs=1e-12)
    assert ours.p == pytest.approx(2 * stats.t.sf(abs(t), trials - 1), rel=1e-9)


def test_corrected_t_without_test_rows_tends_to_the_two_tailed_t() -> None:
    differences = [0.1, 0.3, -0.2, 0.25, 0.05]
    assert corrected_t(differences, 1e12, 1).p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)


def test_t_tests_without_variance() -> None:
    rounded = [0.3 - 0.2, 0.2 - 0.1, 0.1]  # equal but for the last bit
    assert (paired_t([0, 0, 0]).p, corrected_t([0, 0, 0], 9, 1).p) == (1, 1)
    assert (paired_t(rounded).p, paired_t([-d for d in rounded]).p) == (0, 1)
    assert (corrected_t(rounded, 9, 1).p, corrected_t([-d for d in rounded], 9, 1).p) == (0, 0)
    assert paired_t([0.3 - 0.2 - 0.1, 0]).outcome == "all differences are 0"
    assert paired_t(rounded).outcome == "all differences are the same"


@pytest.mark.parametrize("differences", [[], [0.4]])
def test_t_tests_with_fewer_than_two_trials(differences: list[float]) -> None:
    for result in (paired_t(differences), corrected_t(differences, 9, 1)):
        assert (result.p, result.outcome) == (1, "fewer than two trials")


@pytest.mark.parametrize("wrong", [[0.1, math.nan], [[0.1], [0.2]], [math.inf, 0.0]])
def test_differences_are_checked(wrong: list[float]) -> None:
    for test in (paired_t, wilcoxon, lambda d: corrected_t(d, 9, 1)):
        with pytest.raises(ValueError, match="finite numbers"):
            test(wrong)
    with pytest.raises(ValueError, match="above 0"):
        corrected_t([0.1, 0.2], 0, 1)


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1.0), (5, 0, 0.03125), (4, 0, 0.0625), (14, 13, 0.5), (23, 1, 1.4901161193847656e-06), (0, 6, 1.0)],
)
def test_sign_test_of_case_020(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses).p == p


@given(st.integers(0, 60), st.integers(0, 60))
def test_sign_test_is_scipys_binomial(wins: int, losses: int) -> None:
    ours = sign_test(wins, losses)
    one = two = 1.0
    if wins + losses:
        one = stats.binomtest(wins, wins + losses, alternative="greater").pvalue
        two = stats.binomtest(wins, wins + losses).pvalue
    assert (ours.p, ours.p_two_tailed) == pytest.approx((one, two), rel=1e-9)


def test_sign_test_on_the_records_of_zheng_and_webb(shared: Path) -> None:
    with open(shared / "published" / "wtl.csv", encoding="utf-8", newline="") as lines:
        records = [row for row in csv.DictReader(lines) if row["paper"] == "LBR2000" and row["p_one_tailed_recomputed"]]
    assert len(records) == 12
    for row in records:
        assert f"{sign_test(int(row['win']), int(row['loss'])).p:.4f}" == row["p_one_tailed_recomputed"]


def test_sign_test_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="negative"):
        sign_test(-1, 2)


def test_wilcoxon_of_case_021() -> None:
    zeros = wilcoxon([0] * 6)
    assert (zeros.p, zeros.n, zeros.zeros, zeros.outcome) == (1, 0, 6, "all differences are 0")
    balanced = wilcoxon([1.0] * 6 + [0.0] * 30 + [-1.0] * 6)
    assert (balanced.p, balanced.n, balanced.zeros) == (1, 12, 30)
    assert wilcoxon([0, 0, 0, 0.5]).p == 1


def all_sign_patterns(differences: list[float]) -> float:
    """The two-sided p by its definition: the share of the 2^n signings as far from the middle as the one seen."""
    kept = [d for d in differences if d]
    ranks = stats.rankdata([abs(d) for d in kept])
    middle = sum(ranks) / 2
    seen = abs(sum(r for r, d in zip(ranks, kept, strict=True) if d > 0) - middle)
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product((False, True), repeat=len(kept))]
    return sum(abs(s - middle) >= seen for s in sums) / len(sums)


@given(st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=9))
def test_wilcoxon_is_the_sum_over_all_signs(differences: list[float]) -> None:
    assert wilcoxon(differences).p == pytest.approx(all_sign_patterns(differences))


def test_wilcoxon_is_scipys_without_ties() -> None:
    differences = np.random.default_rng(3).normal(0.3, 1, 33)
    peer = stats.wilcoxon(differences, method="exact")
    ours = wilcoxon(differences)
    assert ours.p == pytest.approx(peer.pvalue, rel=1e-9)
    assert min(ours.positive, ours.negative) == peer.statistic


def test_wilcoxon_ties_differences_that_differ_in_the_last_bit() -> None:
    same = wilcoxon([0.3 - 0.2, -0.1, 0.5])
    assert (same.positive, same.negative) == (4.5, 1.5)


CASE_022 = [
    [0.1, 0.12, 0.12, 0.2],
    [0.3, 0.25, 0.25, 0.25],
    [0.05, 0.05, 0.05, 0.05],
    [0.4, 0.35, 0.38, 0.41],
    [0.22, 0.2, 0.21, 0.3],
    [0.15, 0.15, 0.18, 0.17],
    [0.33, 0.29, 0.31, 0.35],
]


def test_friedman_of_case_022() -> None:
    result = friedman(CASE_022)
    assert result.ranks == pytest.approx(
        (2.5714285714285716, 1.6428571428571428, 2.4285714285714284, 3.357142857142857)
    )
    assert result.corrected.chi2 == pytest.approx(8.055555555555566)
    assert result.corrected.chi2_p == pytest.approx(0.044877385391129836)
    assert result.demsar.chi2 == pytest.approx(6.214285714285704)
    assert result.cd == pytest.approx(1.772800347090568)


@pytest.mark.parametrize("few", [[[0.1, 0.2], [0.2, 0.1]], [[0.1, 0.2, 0.3]], np.empty((0, 4))])
def test_friedman_needs_three_algorithms_and_two_data_sets(few: list[list[float]]) -> None:
    with pytest.raises(UsageError, match="at least 3 algorithms and 2 data sets"):
        friedman(few)


def test_friedman_where_all_tie() -> None:
    result = friedman([[0.1] * 3] * 4)
    assert (result.corrected.chi2_p, result.corrected.f_p, result.demsar.chi2_p) == (1, 1, 1)
    assert (result.ranks, result.outcome) == ((2, 2, 2), "all values tie")


def test_friedman_where_every_data_set_has_the_same_order() -> None:
    result = friedman([[0.1, 0.2, 0.3]] * 3)
    assert (result.corrected.f, result.corrected.f_p) == (math.inf, 0)
    assert result.corrected.chi2 == pytest.approx(6)  # N (k - 1)


def test_friedman_refuses_undefined_values() -> None:
    with pytest.raises(ValueError, match="finite"):
        friedman([[0.1, 0.2, math.nan], [0.1, 0.2, 0.3]])


tables = st.tuples(st.integers(3, 6), st.integers(2, 12)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 4).map(float), min_size=size[0], max_size=size[0]), min_size=size[1], max_size=size[1]
    )
)


@given(tables.filter(lambda table: any(len(set(row)) > 1 for row in table)))
def test_friedman_is_scipys_and_its_f_the_anova_of_the_ranks(table: list[list[float]]) -> None:
    result = friedman(table)
    peer = stats.friedmanchisquare(*np.array(table).T)
    assert result.corrected.chi2 == pytest.approx(peer.statistic, abs=1e-9)
    assert result.corrected.chi2_p == pytest.approx(peer.pvalue, abs=1e-12)
    ranks = stats.rankdata(table, axis=1)
    n, k = ranks.shape
    between = n * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    within = ((ranks - (k + 1) / 2) ** 2).sum() - between  # rows have one mean rank: no sum of squares of theirs
    if within > 1e-9:
        assert result.corrected.f == pytest.approx((between / (k - 1)) / (within / ((n - 1) * (k - 1))), abs=1e-9)
        assert result.corrected.f_p == pytest.approx(
            stats.f.sf(result.corrected.f, k - 1, (k - 1) * (n - 1)), abs=1e-12
        )


def test_without_ties_demsars_formulas_are_the_corrected_ones() -> None:
    """Demsar (2006), section 3.2.2: chi2 from the mean ranks, and F from chi2."""
    rng = np.random.default_rng(5)
    result = friedman(rng.random((14, 4)))
    chi2 = 12 * 14 / (4 * 5) * (sum(r * r for r in result.ranks) - 4 * 5**2 / 4)
    assert result.demsar.chi2 == pytest.approx(chi2)
    assert result.demsar.f == pytest.approx(13 * chi2 / (14 * 3 - chi2))
    assert result.demsar == result.corrected  # no ties


def test_nemenyi_is_demsars_table_5() -> None:
    printed = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    for k, q in zip(range(2, 11), printed, strict=True):
        assert nemenyi_cd(k, 30) / math.sqrt(k * (k + 1) / 180) == pytest.approx(q, abs=1.1e-3)
    assert nemenyi_cd(4, 14) == pytest.approx(1.25, abs=0.005)  # his example


@given(st.lists(st.integers(-4, 4).map(float), min_size=0, max_size=12))
def test_mean_ranks_are_scipys(values: list[float]) -> None:
    assert mean_ranks(np.array(values)).tolist() == stats.rankdata(values).tolist()
