"""One comparison of algorithms, computed once; tables and notes only print it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lazybayes.experiment import TableSpec
from lazybayes.statistics.matrix import Matrix
from lazybayes.statistics.tests import OVER_TRIALS, TESTS, Judgement, Overall, Pair
from lazybayes.statistics.win_tie_loss import Record, tally, verdict

RAW = ""
"""The records in which every difference counts, among those of tests."""


@dataclass(frozen=True)
class Comparison:
    """What tests and records say of algorithms on the data sets of a matrix.

    pairs: the algorithm and rival of each record: the baseline against every ranked rival, or every pair once.
    judgements: of each test over trials, of each pair, on every data set where both are usable; records: over the
    judged data sets, by the test that decides what counts (`RAW`: everything counts); p_values: of each test by the
    record it is of (`RAW` for one over the data sets); overall: of each test of all algorithms. A mapping of tests is
    in the order of `TESTS`.
    """

    matrix: Matrix
    baseline: str | None
    pairs: tuple[Pair, ...]
    judgements: Mapping[str, Mapping[Pair, Mapping[str, Judgement]]]
    records: Mapping[str, Mapping[Pair, Record]]
    p_values: Mapping[str, Mapping[str, Mapping[Pair, float]]]
    overall: Mapping[str, Overall]
    marking: str | None = None

    @property
    def rivals(self) -> tuple[str, ...]:
        """The rivals of the baseline."""
        return tuple(rival for algorithm, rival in self.pairs if algorithm == self.baseline)

    def outcomes(self, test: str) -> list[str]:
        """The outcomes of a test over trials, of each pair on each judged data set."""
        of_pairs = self.judgements[test]
        return [of_pairs[pair][d].outcome for pair in self.pairs for d in self.matrix.judged]

    def mark(self, dataset: str, rival: str) -> int:
        """The baseline's verdict on a data set by the marking test; 0 without such a test."""
        if self.marking is None or self.baseline is None:
            return 0
        judgement = self.judgements[self.marking].get((self.baseline, rival), {}).get(dataset)
        return judgement.verdict if judgement else 0


def compare(matrix: Matrix, spec: TableSpec) -> Comparison:
    """Computes all that a table's specification names, each test once for each pair and data set.

    The first test over trials that the specification names marks. Names of tests and the baseline are taken to be
    known (`tables` checks them).
    """
    over_trials = [name for name in OVER_TRIALS if name in spec.tests]
    marking = next((name for name in spec.tests if name in over_trials), None)
    if spec.show == "records":
        pairs = every_pair(matrix)
        judged = pairs
    else:
        pairs = tuple((spec.baseline, rival) for rival in opponents(matrix, spec.baseline) if spec.baseline)
        others = [a for a in matrix.algorithms if a != spec.baseline]
        judged = tuple((spec.baseline, rival) for rival in others if spec.baseline)
    judgements = {name: {pair: _judgements(matrix, pair, name) for pair in judged} for name in over_trials}
    records: dict[str, dict[Pair, Record]] = {
        RAW: {pair: tally(verdict(matrix, d, *pair) for d in matrix.judged) for pair in pairs}
    }
    for name in over_trials:
        of_pairs = judgements[name]
        records[name] = {pair: tally(of_pairs[pair][d].verdict for d in matrix.judged) for pair in pairs}
    tests = [test for name, test in TESTS.items() if name in spec.tests]
    p_values: dict[str, dict[str, Mapping[Pair, float]]] = {}
    for test in tests if pairs else ():
        if test.records:
            p_values[test.name] = {name: test.records(of_pairs) for name, of_pairs in records.items()}
        elif test.pairs:
            p_values[test.name] = {RAW: test.pairs(matrix, pairs)}
    overall = {test.name: test.all(matrix) for test in tests if test.all}
    return Comparison(matrix, spec.baseline, pairs, judgements, records, p_values, overall, marking)


def opponents(matrix: Matrix, baseline: str | None) -> tuple[str, ...]:
    """The algorithms that a baseline can be compared with; empty without a baseline or a judged data set."""
    if baseline not in matrix.ranked or not matrix.judged:
        return ()
    return tuple(a for a in matrix.ranked if a != baseline)


def every_pair(matrix: Matrix) -> tuple[Pair, ...]:
    """Each pair of ranked algorithms once, a later one as the algorithm, an earlier one as its rival."""
    order = matrix.ranked[::-1]
    return tuple((algorithm, rival) for place, algorithm in enumerate(order) for rival in order[:place])


def significant(matrix: Matrix, dataset: str, algorithm: str, rival: str, test: str) -> int:
    """The verdict on one data set where only a difference significant at 0.05 by a test over trials counts.

    Raises KeyError for another test.
    """
    return OVER_TRIALS[test](matrix, dataset, algorithm, rival).verdict


def _judgements(matrix: Matrix, pair: Pair, test: str) -> dict[str, Judgement]:
    usable = [d for d in matrix.datasets if all(matrix.at(d, a).usable for a in pair)]
    return {d: OVER_TRIALS[test](matrix, d, *pair) for d in usable}
