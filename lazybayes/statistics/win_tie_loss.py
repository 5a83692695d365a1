"""One algorithm against a rival: wins, ties and losses over the data sets, and error ratios.

A verdict is 1 (the algorithm is better: a win), 0 (a tie) or -1 (a loss).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lazybayes.statistics.formulas import TIE, SignTest, sign_test
from lazybayes.statistics.matrix import Matrix


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
    """The record that counts these verdicts."""
    listed = list(verdicts)
    return Record(listed.count(1), listed.count(0), listed.count(-1))


def verdict(matrix: Matrix, dataset: str, algorithm: str, rival: str) -> int:
    """The raw verdict on one data set: compares `Matrix.loss`; values within 1e-9 are equal."""
    gap = matrix.loss(dataset, rival) - matrix.loss(dataset, algorithm)
    return 0 if abs(gap) <= TIE else 1 if gap > 0 else -1


def error_ratios(matrix: Matrix, algorithm: str, rival: str) -> dict[str, float]:
    """Mean error of the algorithm divided by the rival's, per judged data set; excluded if the rival makes no errors.

    Its mean is the ``Average`` of Zheng & Webb's (2000) table 5; 1 minus that is the mean relative error reduction.
    """
    return {
        d: matrix.at(d, algorithm).mean / matrix.at(d, rival).mean
        for d in matrix.judged
        if matrix.at(d, rival).errors > 0
    }
