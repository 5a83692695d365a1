"""One algorithm against a rival: wins, ties and losses over the data sets, and error ratios.

A verdict is 1 (the algorithm is better: a win), 0 (a tie) or -1 (a loss).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lazybayes.statistics.matrix import Matrix
from lazybayes.statistics.tests import (
    ALPHA,
    TIE,
    Friedman,
    SignTest,
    TTest,
    Wilcoxon,
    corrected_t,
    friedman,
    paired_t,
    sign_test,
    wilcoxon,
)

T_TESTS = ("paired-t", "corrected-t")
"""The tests that judge one data set."""


@dataclass(frozen=True)
class Record:
    """How many data sets an algorithm wins, ties and loses against a rival."""

    wins: int
    ties: int
    losses: int

    def __str__(self) -> str:
        """`wins/ties/losses`."""
        return f"{self.wins}/{self.ties}/{self.losses}"

    @property
    def sign(self) -> SignTest:
        """The sign test of the record in the algorithm's favour, ties dropped."""
        return sign_test(self.wins, self.losses)


def tally(verdicts: Iterable[int]) -> Record:
    """The record of some verdicts."""
    listed = list(verdicts)
    return Record(listed.count(1), listed.count(0), listed.count(-1))


def verdict(matrix: Matrix, dataset: str, algorithm: str, rival: str) -> int:
    """The raw verdict on one data set: on what `Matrix.loss` is, equal within 1e-9."""
    gap = matrix.loss(dataset, rival) - matrix.loss(dataset, algorithm)
    return 0 if abs(gap) <= TIE else 1 if gap > 0 else -1


def t_test(matrix: Matrix, dataset: str, algorithm: str, rival: str, test: str) -> TTest:
    """On one data set: ``paired-t`` (one-tailed, that the algorithm is better) or ``corrected-t`` (two-tailed)."""
    advantages = matrix.advantages(dataset, algorithm, rival)
    if test == "paired-t":
        return paired_t(advantages)
    trials = matrix.at(dataset, algorithm)
    return corrected_t(advantages, trials.n_train, trials.n_test)


def significant(matrix: Matrix, dataset: str, algorithm: str, rival: str, test: str) -> int:
    """The verdict on one data set where only a difference significant at 0.05 counts.

    ``paired-t`` is one-tailed, tried in the direction of the mean (Zheng & Webb 2000, section 5.3).
    """
    forward = t_test(matrix, dataset, algorithm, rival, test)
    if test == "paired-t" and forward.mean < 0:
        forward = t_test(matrix, dataset, rival, algorithm, test)
        return -1 if forward.p < ALPHA else 0
    return 0 if forward.p >= ALPHA else 1 if forward.mean > 0 else -1


def signed_ranks(matrix: Matrix, algorithm: str, rival: str) -> Wilcoxon:
    """Wilcoxon's test over the judged data sets; ties as in `verdict`."""
    return wilcoxon([matrix.loss(d, rival) - matrix.loss(d, algorithm) for d in matrix.judged])


def error_ratios(matrix: Matrix, algorithm: str, rival: str) -> dict[str, float]:
    """Mean error of the algorithm divided by the rival's, a judged data set; one where the rival errs 0 is left out.

    Its mean is the ``Average`` of Zheng & Webb's (2000) table 5; 1 minus that is the mean relative error reduction.
    """
    return {
        d: matrix.at(d, algorithm).mean / matrix.at(d, rival).mean
        for d in matrix.judged
        if matrix.at(d, rival).errors > 0
    }


def ranking(matrix: Matrix) -> Friedman:
    """Friedman's test over the judged data sets and the ranked algorithms; ties as in `verdict`.

    Raises UsageError with fewer than three algorithms or two data sets.
    """
    losses = [matrix.loss(d, a) for d in matrix.judged for a in matrix.ranked]
    return friedman(np.array(losses).reshape(len(matrix.judged), len(matrix.ranked)))
