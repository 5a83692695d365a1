"""The formulas of significance tests between classifiers, as plain functions that return small records.

Differences are given as values of *a minus b*, oriented by the caller so that above 0 means a is better. Two numbers
within `TIE` of each other are the same number, so nothing hangs on the last bit of a float. Every test has a stated
outcome where its formula has no value; ``outcome`` then says which.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lazybayes.errors import UsageError

Floats = NDArray[np.float64]

ALPHA = 0.05
"""The level at which a difference counts as significant: p must be below it."""

TIE = 1e-9
"""Values that differ by no more than this are equal."""

NO_TRIALS = "fewer than two trials"
ALL_ZERO = "all differences are 0"
ALL_SAME = "all differences are the same"
ALL_TIED = "all values tie"


@dataclass(frozen=True)
class TTest:
    """mean: of the differences; t, df: statistic and degrees of freedom; p: as the function that made it says."""

    mean: float
    t: float
    df: int
    p: float
    outcome: str = ""


@dataclass(frozen=True)
class SignTest:
    """A win/loss record under B ~ Binomial(wins + losses, 1/2).

    p: one-tailed, P(B >= wins); p_two_tailed: twice the smaller of the two tails, at most 1.
    """

    wins: int
    losses: int
    p: float
    p_two_tailed: float


@dataclass(frozen=True)
class Wilcoxon:
    """positive, negative: rank sums; n: differences ranked; zeros: differences dropped; p: two-sided, exact."""

    positive: float
    negative: float
    n: int
    zeros: int
    p: float
    outcome: str = ""


@dataclass(frozen=True)
class Omnibus:
    """A Friedman statistic with its p (chi2, k - 1 degrees), and Iman & Davenport's F made of it with its p."""

    chi2: float
    chi2_p: float
    f: float
    f_p: float


@dataclass(frozen=True)
class Friedman:
    """ranks: (k,) mean rank of each algorithm, 1 = best; cd: Nemenyi's critical difference between two of them.

    corrected: the statistic corrected for ties (Conover 1999); demsar: without correction (Demsar 2006, section
    3.2.2). They are equal where no data set has ties.
    """

    ranks: tuple[float, ...]
    n: int
    corrected: Omnibus
    demsar: Omnibus
    cd: float
    outcome: str = ""


def paired_t(differences: ArrayLike) -> TTest:
    """One-tailed paired t test (Zheng & Webb 2000, section 5.3): p is the evidence for a mean above 0.

    differences: (J,), one a trial. t = mean / sqrt(var / J) with J - 1 degrees of freedom. Without variance p is 1
    if all differences are 0 or below, else 0; with J < 2 it is 1.
    """
    from scipy.special import stdtr

    d = _vector(differences)
    return _t_test(d, 1 / max(len(d), 1), lambda df, t: float(stdtr(df, -t)))


def corrected_t(differences: ArrayLike, n_train: float, n_test: float) -> TTest:
    """Two-tailed corrected resampled t test (Nadeau & Bengio 2003): p is the evidence for a mean other than 0.

    differences: (J,), one a trial; n_train, n_test: mean number of training and test rows of a trial.
    t = mean / sqrt((1 / J + n_test / n_train) var) with J - 1 degrees of freedom. Without variance p is 1 if all
    differences are 0, else 0; with J < 2 it is 1.
    """
    from scipy.special import stdtr

    if not (n_train > 0 and n_test > 0):
        raise ValueError(f"n_train and n_test must be above 0, not {n_train} and {n_test}")
    d = _vector(differences)
    return _t_test(d, 1 / max(len(d), 1) + n_test / n_train, lambda df, t: min(1.0, 2 * float(stdtr(df, -abs(t)))))


def sign_test(wins: int, losses: int) -> SignTest:
    """Sign test of a win/loss record, ties dropped by the caller; 0-0 has p = 1. Exact, in whole numbers."""
    if wins < 0 or losses < 0:
        raise ValueError(f"wins and losses must not be negative: {wins}, {losses}")
    n = wins + losses
    more, less = (sum(math.comb(n, k) for k in range(start, n + 1)) for start in (wins, losses))
    return SignTest(wins, losses, more / 2**n, min(1.0, 2 * min(more, less) / 2**n))


def wilcoxon(differences: ArrayLike) -> Wilcoxon:
    """Wilcoxon's (1945) signed ranks test, two-sided: zeros dropped (his own rule), ties in size share mean ranks.

    differences: (n,), one per data set. The distribution of the rank sum is exact for any n and any ties: all 2^n signs
    are summed over by dynamic programming on twice the ranks. p = 1 if nothing is left after the zeros.
    """
    d = _vector(differences)
    kept = d[np.abs(d) > TIE]
    doubled = np.rint(2 * mean_ranks(np.abs(kept))).astype(np.int64)
    chance = np.zeros(doubled.sum() + 1)
    chance[0] = 1.0
    for rank in doubled:
        chance *= 0.5
        chance[rank:] += chance[: len(chance) - rank].copy()
    positive, negative = int(doubled[kept > 0].sum()), int(doubled[kept < 0].sum())
    p = min(1.0, 2 * float(chance[: min(positive, negative) + 1].sum()))
    return Wilcoxon(positive / 2, negative / 2, len(kept), len(d) - len(kept), p, "" if len(kept) else ALL_ZERO)


def friedman(losses: ArrayLike) -> Friedman:
    """Friedman's test over N data sets and k algorithms (Demsar 2006, section 3.2.2).

    losses: (N, k), lower is better. p = 1 if the algorithms tie on every data set. Raises UsageError with fewer than
    three algorithms or two data sets.
    """
    from scipy.special import chdtrc, fdtrc

    table = np.asarray(losses, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ValueError("losses must be a table of finite numbers, data sets by algorithms")
    n, k = table.shape
    if n < 2 or k < 3:
        raise UsageError(f"Friedman's test needs at least 3 algorithms and 2 data sets; here are {k} and {n}.")
    ranks = np.array([mean_ranks(row) for row in table])
    spread = float(((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum())
    untied = k * (k * k - 1) / 12  # sum of squared deviations of the ranks 1..k
    tied = float(((ranks - (k + 1) / 2) ** 2).sum()) / n

    def omnibus(squares: float) -> Omnibus:
        chi2 = n * (k - 1) * spread / squares if squares else 0.0
        rest = n * (k - 1) - chi2
        f = (n - 1) * chi2 / rest if rest > TIE else math.inf  # the same order on every data set
        return Omnibus(chi2, float(chdtrc(k - 1, chi2)), f, float(fdtrc(k - 1, (k - 1) * (n - 1), f)))

    means = tuple(ranks.mean(axis=0).tolist())
    return Friedman(means, n, omnibus(tied), omnibus(untied), nemenyi_cd(k, n), "" if tied else ALL_TIED)


def nemenyi_cd(k: int, n: int, alpha: float = ALPHA) -> float:
    """Nemenyi's critical difference of two mean ranks, k algorithms on n data sets (Demsar 2006, section 3.2.2).

    CD = q sqrt(k (k + 1) / (6 n)), q = the studentized range's upper alpha point (infinite degrees) over sqrt(2).
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - alpha, k, math.inf)) / math.sqrt(2)
    return q * math.sqrt(k * (k + 1) / (6 * n))


def mean_ranks(values: Floats) -> Floats:
    """(n,) ranks, 1 = lowest; values within `TIE` of their neighbour in order share the mean of their ranks."""
    order = np.argsort(values, kind="stable")
    group = np.cumsum(np.diff(values[order], prepend=-np.inf) > TIE)  # 1-based
    last = np.searchsorted(group, group, "right")
    first = np.searchsorted(group, group, "left") + 1
    ranks = np.empty(len(values))
    ranks[order] = (first + last) / 2
    return ranks


def _t_test(d: Floats, factor: float, p_of: Callable[[int, float], float]) -> TTest:
    """The t test of t = mean / sqrt(factor var): p_of(df, t) is its p, for an infinite t too."""
    if len(d) < 2:
        return TTest(float(d.mean()) if len(d) else 0.0, 0.0, 0, 1.0, NO_TRIALS)
    mean, df = float(d.mean()), len(d) - 1
    if np.abs(d).max() <= TIE:
        return TTest(mean, 0.0, df, 1.0, ALL_ZERO)
    if np.ptp(d) <= TIE:
        t = math.copysign(math.inf, mean)
        return TTest(mean, t, df, p_of(df, t), ALL_SAME)
    t = mean / math.sqrt(factor * float(d.var(ddof=1)))
    return TTest(mean, t, df, p_of(df, t))


def _vector(values: ArrayLike) -> Floats:
    """The checked argument of a test: (n,) finite numbers."""
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise ValueError("differences must be one row of finite numbers")
    return vector
