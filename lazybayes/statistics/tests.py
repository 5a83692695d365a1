"""The significance tests that a table can use, each with everything that a comparison and a table need.

A test is one entry of `TESTS`: its function, its row in a table and its text in the notes. Heavy modules are imported
only when a test is computed, so that configs and `--help` can list the tests quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lazybayes.errors import UsageError
from lazybayes.messages import p_value, plural

if TYPE_CHECKING:
    from lazybayes.statistics.formulas import Friedman, Omnibus
    from lazybayes.statistics.matrix import Matrix
    from lazybayes.statistics.win_tie_loss import Record

Pair = tuple[str, str]
"""An algorithm and its rival."""


@dataclass(frozen=True)
class Judgement:
    """The result of a test of two algorithms on one data set.

    verdict: 1 (the algorithm is significantly better), 0 or -1; p: its p value; outcome: what
    replaced the formula where it is undefined, or "".
    """

    verdict: int
    p: float
    outcome: str = ""


@dataclass(frozen=True)
class Overall:
    """The result of a test of all algorithms: a value for each (empty if it cannot be computed) and a sentence."""

    values: Mapping[str, float]
    sentence: str


@dataclass(frozen=True)
class Test:
    """One test.

    row: the label of its row in a table, where {baseline}, {name} and {of} (``, paired-t`` for the record of that test,
    "" for the raw one) are filled in. One of the functions is given, which makes its kind: trials judges two algorithms
    on one data set, from their trials; records gives the p of win/tie/loss records; pairs gives the p of all pairs of a
    table over the data sets, in one call, so that it can correct for their number; all compares all algorithms over the
    data sets.
    """

    name: str
    title: str
    row: str
    trials: Callable[[Matrix, str, str, str], Judgement] | None = None
    records: Callable[[Mapping[Pair, Record]], Mapping[Pair, float]] | None = None
    pairs: Callable[[Matrix, Sequence[Pair]], Mapping[Pair, float]] | None = None
    all: Callable[[Matrix], Overall] | None = None


def sign(records: Mapping[Pair, Record]) -> dict[Pair, float]:
    """The p value of the one-tailed sign test of each record."""
    return {pair: record.sign.p for pair, record in records.items()}


def paired_t(matrix: Matrix, dataset: str, algorithm: str, rival: str) -> Judgement:
    """The one-tailed paired t test in the direction of the mean (Zheng & Webb 2000, section 5.3)."""
    from lazybayes.statistics import formulas

    advantages = matrix.advantages(dataset, algorithm, rival)
    direction = -1 if len(advantages) and advantages.mean() < 0 else 1
    test = formulas.paired_t(direction * advantages)
    return Judgement(direction if test.p < formulas.ALPHA else 0, test.p, test.outcome)


def corrected_t(matrix: Matrix, dataset: str, algorithm: str, rival: str) -> Judgement:
    """The two-tailed corrected resampled t test (Nadeau & Bengio 2003)."""
    from lazybayes.statistics import formulas

    trials = matrix.at(dataset, algorithm)
    test = formulas.corrected_t(matrix.advantages(dataset, algorithm, rival), trials.n_train, trials.n_test)
    verdict = 0 if test.p >= formulas.ALPHA else 1 if test.mean > 0 else -1
    return Judgement(verdict, test.p, test.outcome)


def wilcoxon(matrix: Matrix, pairs: Sequence[Pair]) -> dict[Pair, float]:
    """The p value of Wilcoxon's signed-rank test over the judged data sets, for each pair; ties as in `verdict`."""
    from lazybayes.statistics import formulas

    return {pair: formulas.wilcoxon(matrix.differences(*pair)).p for pair in pairs}


def friedman(matrix: Matrix) -> Overall:
    """Friedman's test over the judged data sets and the ranked algorithms, with mean ranks; ties as in `verdict`."""
    from lazybayes.statistics import formulas

    losses = [[matrix.loss(d, a) for a in matrix.ranked] for d in matrix.judged]
    try:
        test = formulas.friedman(losses or [[]])
    except UsageError:
        usable = f"{len(matrix.ranked)} and {len(matrix.judged)}"
        return Overall({}, f"Friedman's test needs at least 3 algorithms and 2 data sets; usable here are {usable}")
    return Overall(dict(zip(matrix.ranked, test.ranks, strict=True)), _friedman_sentence(test, matrix.judged_on))


def _friedman_sentence(test: Friedman, judged_on: str) -> str:
    from lazybayes.statistics.formulas import ALPHA

    if test.outcome:
        return f"Friedman: {test.outcome} on every data set, so there is nothing to test (p = 1)"

    def words(omnibus: Omnibus) -> str:
        return (
            f"chi2 {omnibus.chi2:.4f} (p {p_value(omnibus.chi2_p)}), "
            f"Iman-Davenport F {omnibus.f:.4f} (p {p_value(omnibus.f_p)})"
        )

    return (
        f"Friedman over {plural(test.n, 'data set')}, ranked on {judged_on}: "
        f"corrected for ties {words(test.corrected)}; "
        f"Demsar's formula, uncorrected, {words(test.demsar)}; "
        f"Nemenyi's critical difference of mean ranks at {ALPHA}: {test.cd:.4f}"
    )


_T_ROW = "{baseline} significant w/t/l, {name}"
TESTS: Mapping[str, Test] = {
    test.name: test
    for test in (
        Test("sign", "one-tailed sign test over a win/tie/loss record, ties dropped", "sign test p{of}", records=sign),
        Test("paired-t", "one-tailed paired t over the trials", _T_ROW, trials=paired_t),
        Test(
            "corrected-t",
            "two-tailed corrected resampled t (Nadeau & Bengio) over the trials",
            _T_ROW,
            trials=corrected_t,
        ),
        Test(
            "wilcoxon",
            "two-sided exact Wilcoxon signed ranks over the data sets, zeros dropped",
            "Wilcoxon p",
            pairs=wilcoxon,
        ),
        Test(
            "friedman",
            "Friedman over the data sets, with Nemenyi's critical difference",
            "mean rank, 1 = best",
            all=friedman,
        ),
    )
}
"""The tests by their name in a config."""

OVER_TRIALS = {name: test.trials for name, test in TESTS.items() if test.trials}
"""The functions of the tests that judge one data set, and so can mark it, by name."""
