"""A comparison is computed once: every test once for each pair and data set, whatever is printed of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lazybayes.experiment import TableSpec
from lazybayes.report import tables
from lazybayes.report.tables import reports
from lazybayes.statistics import comparison
from lazybayes.statistics.comparison import RAW, compare
from lazybayes.statistics.matrix import Matrix, Trials
from lazybayes.statistics.tests import OVER_TRIALS, TESTS
from lazybayes.statistics.win_tie_loss import Record
from tests.report.test_kinds import EXPERIMENT, Stored


def matrix(**errors: list[list[int]]) -> Matrix:
    """Errors of 10 test rows a trial, a list of trials for each data set, by algorithm."""
    entries = {
        (f"d{i}", a): Trials(np.array(trials) / 10, sum(trials), 90 * len(trials), 10 * len(trials))
        for a, sets in errors.items()
        for i, trials in enumerate(sets)
    }
    names = tuple(f"d{i}" for i in range(len(next(iter(errors.values())))))
    return Matrix("error", "lower", names, tuple(errors), entries)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, Any]]:
    """How often each test is computed, by its name and what it is of."""
    counter: Counter[tuple[str, Any]] = Counter()

    def counted(name: str, function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            of = arguments[1:] if name in OVER_TRIALS else id(arguments[0])
            counter[name, of] += 1
            return function(*arguments)

        return call

    tests = {}
    for name, test in TESTS.items():
        given = {k: counted(name, f) for k in ("trials", "records", "pairs", "all") if (f := getattr(test, k))}
        tests[name] = replace(test, **given)
    monkeypatch.setattr(comparison, "TESTS", tests)
    monkeypatch.setattr(comparison, "OVER_TRIALS", {name: tests[name].trials for name in OVER_TRIALS})
    return counter


def test_all_that_a_table_names_is_there() -> None:
    found = matrix(A=[[1, 2, 1], [3, 3, 4]], B=[[5, 6, 6], [3, 3, 4]], C=[[0, 1, 0], [9, 9, 9]])
    result = compare(found, TableSpec("error", "A", tuple(TESTS)))
    assert result.rivals == ("B", "C")
    assert result.marking == "paired-t"
    assert result.records[RAW] == {("A", "B"): Record(1, 1, 0), ("A", "C"): Record(1, 0, 1)}
    assert list(result.records) == [RAW, "paired-t", "corrected-t"]
    assert result.mark("d0", "B") == 1
    assert result.mark("d0", "C") == -1
    assert result.mark("d1", "B") == 0
    assert result.p_values["sign"][RAW]["A", "B"] == 0.5
    assert set(result.p_values["sign"]) == set(result.records)
    assert set(result.p_values["wilcoxon"]) == {RAW}
    assert result.overall["friedman"].values == {"A": 1.75, "B": 2.25, "C": 2.0}


def test_each_test_is_computed_once_a_comparison(
    calls: Counter[tuple[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables with marks, records, p values and notes on outcomes, of one comparison."""
    monkeypatch.setattr(tables, "load_frame", lambda store, metrics: store.frame(metrics))
    spec = TableSpec("error", "LBR", tuple(TESTS))
    made = reports(Stored(), EXPERIMENT, [spec])
    assert len(made) == 2
    assert max(calls.values()) == 1
    names = Counter(name for name, _ in calls)
    assert names["paired-t"] == names["corrected-t"] == 2  # one rival, two data sets
    assert names["sign"] == 3  # of the raw record and of those of both t tests
    assert names["wilcoxon"] == names["friedman"] == 1


def test_each_pair_is_tested_once(calls: Counter[tuple[str, Any]]) -> None:
    found = matrix(**{a: [[i, i + 1], [i, i]] for i, a in enumerate("ABCD")})
    result = compare(found, TableSpec("error", None, ("corrected-t",), "records"))
    assert len(result.pairs) == 6
    assert Counter(name for name, _ in calls) == {"corrected-t": 12}
    assert max(calls.values()) == 1
