"""Whole tables of a small run, in every format, and what a table refuses and admits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lazybayes.errors import UsageError
from lazybayes.experiment import Experiment, Scheme, TableSpec
from lazybayes.report.formats import FORMATS, Report
from lazybayes.report.tables import build as table
from lazybayes.report.tables import matrix_of
from lazybayes.results.records import Survey
from lazybayes.statistics.comparison import compare
from tests.report.rendering import render

EXPECTED = Path(__file__).parent / "expected"
SUFFIX = {"text": "txt", "markdown": "md", "latex": "tex", "csv": "csv", "html": "html"}

ERRORS = {
    "tic-tac-toe": {"NB": [3, 4, 3, 4], "LBR": [1, 2, 1, 2], "C_4.5|x": [2, 2, 2, 2]},
    "a|b & 100%, <x>_y": {"NB": [1, 1, 1, 1], "LBR": [1, 1, 1, 1], "C_4.5|x": [0, 0, 0, 0]},
    "花": {"NB": [5, 4, 5, 4], "LBR": [5, 5, 5, 5], "C_4.5|x": [4, 3, None, 4]},
    "vote": {"NB": [2, 0, 2, 0], "LBR": [0, 2, 0, 2], "C_4.5|x": [3, 3, 2, 2]},
}
"""Errors on 10 test rows a trial, 2 x 2 folds; None = the cell failed.

By hand, in percent: tic-tac-toe NB 35 (sd of .3, .4, .3, .4 is .0577, over sqrt 4: 2.89), LBR 15 ± 2.89, C 20 ± 0.
LBR - NB is -20 in every trial (p = 0); C - LBR is 10, 0, 10, 0: t = 5 / 2.89 = 1.73, one-tailed p = 0.09.
花 is left out. vote: NB and LBR both 4 errors, a tie. C - LBR there: 30, 10, 20, 0: mean 15, sd 12.9, t = 2.32,
p = 0.0514.
LBR against NB 1/2/0, sign test 0.5; against C 2/0/1: P(B(3) >= 2) = 0.5. Significant: 1/2/0; 0/2/1 (p = 1).
Averages of three: NB 18.33, LBR 11.67, C 15. Ratios to NB 0.429, 1, 1: mean 0.810; to C 0.75, -, 0.4: mean 0.575.
"""

EXPERIMENT = Experiment(
    "small",
    (),
    (),
    cv=Scheme(folds=2, repeats=2),
    tables=(TableSpec("error", "LBR", ("sign", "paired-t")),),
    cll_floor=1e-5,
)


def build(held: pd.DataFrame, spec: TableSpec, experiment: Experiment) -> Report:
    return table(compare(matrix_of(held, spec), spec), spec, experiment)


def frame(errors: dict[str, dict[str, list[int | None]]] = ERRORS) -> pd.DataFrame:
    rows = []
    for dataset, algorithms in errors.items():
        for trial in range(len(next(iter(algorithms.values())))):
            for algorithm, counts in algorithms.items():
                count = counts[trial]
                done = count is not None
                rate = count / 10 if count is not None else math.nan
                rows.append(
                    {
                        **{"dataset": dataset, "algorithm": algorithm, "repeat": trial // 2, "fold": trial % 2},
                        **{"n_train": 10, "n_test": 10, "status": "done" if done else "failed"},
                        **{"errors": count if done else math.nan, "error": rate, "error_special": 0},
                        **{"cll": -3 * rate, "cll_special": int(done and count == 5), "auc": 1 - rate},
                        **{"train_seconds": 0.1, "test_seconds": 0.2},
                        **{"conditions": 1.5 if algorithm == "LBR" and done else math.nan},
                    }
                )
    return pd.DataFrame(rows).astype({"errors": "Int64"})  # <NA> where not done, as in the store's frame


class Stored:
    """A store that remembers what it was asked for."""

    def __init__(self, held: pd.DataFrame) -> None:
        self.held = held
        self.asked: list[str] = []

    def frame(self, metrics: Sequence[str]) -> pd.DataFrame:
        self.asked = list(metrics)
        return self.held

    def surveys(self) -> dict[str, Survey]:
        return {}


def lines(**options: Any) -> list[str]:
    return render(Stored(frame()), EXPERIMENT, **options).splitlines()


@pytest.mark.parametrize("name", FORMATS)
def test_the_tables_of_a_small_run(name: str) -> None:
    expected = (EXPECTED / f"small.{SUFFIX[name]}").read_text(encoding="utf-8")
    assert render(Stored(frame()), EXPERIMENT, fmt=name) == expected


def test_a_metric_that_has_no_table_gets_one_like_the_first() -> None:
    store = Stored(frame())
    written = render(store, EXPERIMENT, metric="cll")
    assert store.asked == ["cll"]
    assert written.startswith("small: CLL, mean ± standard error over 4 trials;")
    assert "LBR wins/ties/losses against" in written
    assert "LBR significant w/t/l, paired-t" in written
    assert "ratio" not in written


def test_cll_shows_its_floor_and_how_often_it_was_needed() -> None:
    assert "- cll_floor = 1e-05; test rows whose probability was floored: NB 2, LBR 4" in lines(metric="cll")


def test_baseline_and_tests_replace_the_configs() -> None:
    written = render(Stored(frame()), EXPERIMENT, baseline="NB", tests=["corrected-t"])
    assert "NB significant w/t/l, corrected-t" in written
    assert "sign test" not in written
    assert "paired-t" not in written


def test_an_experiment_without_tables_gets_one_for_each_metric() -> None:
    store = Stored(frame())
    written = render(store, Experiment("plain", (), (), metrics=("error", "auc")))
    assert store.asked == ["error", "auc"]
    assert [line.split(",")[0] for line in written.splitlines() if line.startswith("plain")] == [
        "plain: Error (%)",
        "plain: AUC",
    ]
    assert "wins" not in written


def test_a_diagnostic_has_a_table_without_a_comparison() -> None:
    store = Stored(frame())
    written = render(store, EXPERIMENT, metric="conditions")
    assert store.asked == []
    assert "tic-tac-toe        n/a  1.5000 ± 0.0000      n/a" in written
    assert "wins" not in written
    with pytest.raises(UsageError, match="conditions is a diagnostic"):
        render(store, EXPERIMENT, metric="conditions", baseline="LBR")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "eror"}, r"unknown metric eror \(did you mean error\?\).*test-seconds, conditions$"),
        ({"metric": "n_train"}, "unknown metric n_train"),
        ({"baseline": "LRB"}, r"baseline LRB is not an algorithm of these results \(did you mean LBR\?\)"),
        ({"tests": ["signs"]}, r"unknown test signs \(did you mean sign\?\)"),
        ({"fmt": "pdf"}, "unknown format pdf; the formats are text, markdown, latex, csv, html"),
    ],
)
def test_what_is_not_there_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        render(Stored(frame()), EXPERIMENT, **options)


def test_wilcoxon_and_friedman_stand_in_the_table() -> None:
    written = lines(tests=["wilcoxon", "friedman"])
    # ranks, 1 = best, over the three judged sets: NB 3, 2.5, 1.5; LBR 1, 2.5, 1.5; C 2, 1, 3
    assert ["2.33", "1.67", "2.00"] in [line.split()[-3:] for line in written if line.startswith("mean rank, 1 = best")]
    # LBR - NB: -20, 0, 0: one difference, p = 1; LBR - C: -5, 10, -15: rank sums 2 and 4, p = 6/8
    assert "Wilcoxon p 1.0000 - 0.7500" in [" ".join(line.split()) for line in written]
    text = " ".join(" ".join(written).split())
    assert "Friedman over 3 data sets, ranked on total errors over the trials: corrected" in text
    assert "zeros dropped, on total errors over the trials as a share of the test rows" in text


def test_friedman_says_what_it_needs() -> None:
    two = {d: {a: counts for a, counts in by.items() if a != "NB"} for d, by in ERRORS.items()}
    report = build(frame(two), TableSpec("error", None, ("friedman",)), EXPERIMENT)
    needs = "Friedman's test needs at least 3 algorithms and 2 data sets; usable here are"
    assert f"{needs} 2 and 3" in report.notes
    begun = {d: {**{a: [None, None] for a in "BC"}, "A": [1, 2] if d == "x" else [1, None]} for d in "xy"}
    assert f"{needs} 1 and 1" in build(frame(begun), TableSpec("error", None, ("friedman",)), EXPERIMENT).notes
    same = {d: {a: [1, 2] for a in "ABC"} for d in "xy"}
    report = build(frame(same), TableSpec("error", None, ("friedman",)), EXPERIMENT)
    assert "Friedman: all values tie on every data set, so there is nothing to test (p = 1)" in report.notes


def test_tests_without_a_baseline_are_not_dropped_silently() -> None:
    report = build(frame(), TableSpec("error", None, ("sign", "paired-t")), EXPERIMENT)
    assert "sign, paired-t: needs a baseline, but none is given" in report.notes


def test_a_baseline_that_never_ran_is_said() -> None:
    never = {d: {**by, "LBR": [None] * 4} for d, by in ERRORS.items()}
    report = build(frame(never), EXPERIMENT.tables[0], EXPERIMENT)
    assert "excluded from averages, ranks and records because no data set is usable: LBR" in report.notes
    assert "nothing to compare LBR with: no data set is usable for it and another algorithm" in report.notes
    assert [row.label for row in report.rows] == [*ERRORS, "average"]


def test_nothing_done_yet() -> None:
    nothing = frame().assign(status="to do", error=math.nan)
    report = build(nothing, EXPERIMENT.tables[0], EXPERIMENT)
    assert {str(cell) for row in report.rows for cell in row.entries} == {"to do"}
    assert (
        "to do: NB on every data set (4 of 4); LBR on every data set (4 of 4); C_4.5|x on every data set (4 of 4)"
        in (report.notes)
    )


def test_one_trial_has_neither_a_standard_error_nor_a_significance() -> None:
    one: dict[str, dict[str, list[int | None]]] = {"d": {"A": [1], "B": [4]}}
    report = build(frame(one), TableSpec("error", "A", ("sign", "paired-t")), EXPERIMENT)
    assert [str(cell) for cell in report.rows[0].entries] == ["10.00", "40.00"]
    assert "one trial" in report.title
    assert str(report.rows[2].entries[1]) == "1/0/0"
    assert str(report.rows[4].entries[1]) == "0/1/0"
    assert any("fewer than two trials in 1 of 1 comparison (p = 1)" in note for note in report.notes)


def test_a_mean_that_rounds_to_zero_has_no_sign() -> None:
    tiny = frame({"d": {"A": [0, 0], "B": [1, 1]}})
    tiny["cll"] = -1e-4
    report = build(tiny, TableSpec("cll"), EXPERIMENT)
    assert str(report.rows[0].entries[0]) == "0.00 ± 0.00"
