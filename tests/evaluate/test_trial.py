"""One trial: what it computes, what it refuses, what it does with failures."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lazybayes.data.load import load_table
from lazybayes.errors import DataError, UsageError
from lazybayes.evaluate.plan import surveys, trials
from lazybayes.evaluate.trial import Job, fitted, fitted_fold, run_trial
from lazybayes.experiment import Algorithm, Experiment, Preprocess, Scheme
from lazybayes.learners import registry
from lazybayes.metrics.registry import MetricSettings
from lazybayes.preprocess.pipeline import fit_preprocess
from lazybayes.results.records import Result, Trial
from tests.splits import splits

MakeExperiment = Callable[..., Experiment]
BARE = Preprocess(discretize="none")
JOB = Job(("error", "cll", "auc", "train-seconds", "conditions"), MetricSettings())


def planned(experiment: Experiment) -> list[Trial]:
    names = [entry.name for entry in experiment.datasets]
    return list(trials(experiment, surveys(experiment, names)))


def one(experiment: MakeExperiment, learner: str, fold: int = 0, job: Job = JOB, **params: object) -> Result:
    """The result of a learner on one fold (23 rows in 3 folds: 15, 15 and 16 train)."""
    return run_trial(planned(experiment(algorithms=(Algorithm("A", learner, params, BARE),)))[fold], job)


def test_a_trial_is_the_definition_written_out(experiment: MakeExperiment) -> None:
    exp = experiment(algorithms=(Algorithm("NB", "naive-bayes", {"estimate": "laplace"}, BARE),))
    table = load_table(exp.datasets[0])
    for trial, split in zip(planned(exp), splits(exp.cv, table, exp.seed), strict=True):
        got = run_trial(trial, JOB)
        rows = fit_preprocess(BARE, table, split.train)
        learner = registry.make("naive-bayes", {"estimate": "laplace"})
        classes = pd.Categorical.from_codes(table.y[split.train], list(table.target.values))
        learner.fit(rows.transform(table, split.train), classes)
        want = learner.answer(rows.transform(table, split.test))
        actual = table.y[split.test]
        assert got.status == "done"
        assert (got.n_train, got.n_test) == (len(split.train), len(split.test))
        assert got.errors == np.sum(want.predicted != actual)
        assert got.measures["error"].value == got.errors / len(actual)
        assert got.measures["cll@1e-10"].value == pytest.approx(
            sum(math.log(p[c]) for p, c in zip(want.proba, actual, strict=True))
        )
        assert set(got.measures) == {"error", "cll@1e-10", "auc@'present-pairs'"}
        assert got.predictions is not None
        assert np.array_equal(got.predictions.proba, want.proba)
        assert got.predictions.index.tolist() == table.index[split.test].tolist()
        assert got.predictions.actual.tolist() == actual.tolist()
        assert got.train_seconds is not None
        assert got.train_seconds >= 0


def test_predictions_can_be_left_out(experiment: MakeExperiment) -> None:
    assert one(experiment, "naive-bayes", job=dataclasses.replace(JOB, predictions=False)).predictions is None


@pytest.mark.parametrize(
    ("how", "message"),
    [("raise", "ValueError: too few moons"), ("memory", "MemoryError"), ("exit", "SystemExit: 3")],
)
def test_whatever_a_learner_raises_is_a_failed_trial(experiment: MakeExperiment, how: str, message: str) -> None:
    got = one(experiment, "toy_learners.Failing", how=how, rows=15)
    assert (got.status, got.message) == ("failed", message)
    assert "toy_learners.py" in got.traceback
    assert (got.n_train, got.n_test) == (15, 8)
    assert got.predictions is None
    assert not got.measures


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("nan", "a probability is not finite in 1 of 8 test rows"),
        (
            "sum",
            "probabilities are below 0, or their sum is not 1, in 1 of 8 test rows (first: test row 0, sum 1.00001)",
        ),
        ("negative", "probabilities are below 0, or their sum is not 1, in 1 of 8 test rows"),
    ],
)
def test_an_answer_that_is_none_is_a_failed_trial(experiment: MakeExperiment, what: str, message: str) -> None:
    got = one(experiment, "toy_learners.Wrong", what=what)
    assert got.status == "failed"
    assert got.message.startswith(message)


def test_rounding_is_no_failure(experiment: MakeExperiment) -> None:
    assert one(experiment, "toy_learners.Wrong", what="nearly").status == "done"


def test_warnings_are_kept_not_printed(experiment: MakeExperiment, capsys: pytest.CaptureFixture[str]) -> None:
    got = one(experiment, "toy_learners.Failing", how="warn", rows=15)
    assert got.status == "done"
    assert got.warnings == (("UserWarning", "the moon is waning"),)
    assert capsys.readouterr().err == ""


def test_data_that_changed_since_planning_fails_the_trial(experiment: MakeExperiment, data: Path) -> None:
    first, second, *_ = planned(experiment(name="other"))
    data.write_text(data.read_text(encoding="utf-8").replace("x,s", "y,s"), encoding="utf-8")
    for trial in (first, second):
        got = run_trial(trial, JOB)
        assert (got.status, got.message) == ("failed", "small has changed since the run was planned: run again")
        assert got.n_train is None


def test_a_folds_file_that_changed_since_planning_fails_the_trial(experiment: MakeExperiment, tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("repeat,fold,index\n0,0,1\n", encoding="utf-8")
    (trial, *_) = planned(experiment(cv=Scheme("folds-file", path=str(path))))
    path.write_text("repeat,fold,index\n0,0,2\n", encoding="utf-8")
    assert run_trial(trial, JOB).message == f"{path} has changed since the run was planned: run again"


def test_the_algorithms_of_a_fold_cannot_change_each_others_rows(experiment: MakeExperiment) -> None:
    exp = experiment()
    got = fitted(exp, "small", "NB", 4)
    with pytest.raises(ValueError, match="read-only"):
        got.rows.nominal[0, 0] = 1


def test_fitted_is_the_learner_of_the_fold_that_tests_the_row(experiment: MakeExperiment) -> None:
    exp = experiment(cv=Scheme(folds=3, repeats=2))
    results = {
        (trial.repeat, trial.fold): run_trial(trial, JOB) for trial in planned(exp) if trial.algorithm.name == "NB"
    }
    for row in (0, 7, 22):
        for repeat in (0, 1):
            got = fitted(exp, "small", "NB", row, repeat)
            place = got.table.index[got.split.test].tolist().index(row)
            kept = results[repeat, got.split.fold].predictions
            assert kept is not None
            assert got.split.repeat == repeat
            assert kept.index[place] == row
            assert np.array_equal(got.learner.answer(got.rows).proba[place], kept.proba[place])


def test_fitted_refuses_data_and_folds_that_changed_since_the_run(
    experiment: MakeExperiment, tmp_path: Path, data: Path
) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("repeat,fold,index\n0,0,1\n", encoding="utf-8")
    exp = experiment(cv=Scheme("folds-file", path=str(path)))
    known = surveys(exp, ["small"])["small"]
    calls = (partial(fitted, exp, "small", "NB", 1, known=known), partial(fitted_fold, exp, "small", "NB", known=known))
    assert fitted(exp, "small", "NB", 1, known=known).split.test.tolist() == [1]
    path.write_text("repeat,fold,index\n0,0,1\n0,0,2\n", encoding="utf-8")
    for call in calls:
        with pytest.raises(DataError, match=r"the folds of .*folds\.csv have changed since the run: run again"):
            call()
    path.write_text("repeat,fold,index\n0,0,1\n", encoding="utf-8")
    assert fitted_fold(exp, "small", "NB", known=known).split.test.tolist() == [1]
    data.write_text(data.read_text(encoding="utf-8").replace(",p\n", ",n\n", 1), encoding="utf-8")
    for call in calls:
        with pytest.raises(DataError, match="the data of small have changed since the run: run again"):
            call()


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("smal", "NB", 0), r"no data set smal \(did you mean small\?\)"),
        (("small", "MB", 0), "no algorithm MB"),
        (("small", "NB", 23), "no row 23, or the row is excluded: rows go from 0 to 22"),
        (("small", "NB", 0, 2), "no repeat 2"),
    ],
)
def test_fitted_says_what_is_not_there(
    experiment: MakeExperiment, tmp_path: Path, args: tuple[object, ...], why: str
) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("repeat,fold,index\n0,0,1\n", encoding="utf-8")
    exp = experiment(cv=Scheme("folds-file", path=str(path)))
    with pytest.raises(UsageError, match=why):
        fitted(exp, *args)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="row 0 of small is not tested in any fold of repeat 0"):
        fitted(exp, "small", "NB", 0)


def test_a_learner_that_only_decides_has_no_log_likelihood_and_ranks_by_its_distances(
    experiment: MakeExperiment,
) -> None:
    job = Job(("error", "cll", "brier", "rmse", "auc", "macro-f1"), MetricSettings())
    svc = one(experiment, "sklearn.svm.LinearSVC", job=job, random_state=1)
    bare = one(experiment, "toy_learners.Decides", job=job)
    for got, without in (
        (svc, {"cll@1e-10", "brier", "rmse"}),
        (bare, {"cll@1e-10", "brier", "rmse", "auc@'present-pairs'"}),
    ):
        assert {name for name, measure in got.measures.items() if math.isnan(measure.value)} == without
        assert got.predictions is not None
        assert np.isnan(got.predictions.proba).all()
    assert svc.predictions is not None
    scores, actual = svc.predictions.scores, svc.predictions.actual
    assert scores is not None
    above = scores[actual == 1, 1][:, None] - scores[actual == 0, 1]
    expected = (np.sum(above > 1e-9) + np.sum(np.abs(above) <= 1e-9) / 2) / above.size
    assert svc.measures["auc@'present-pairs'"].value == pytest.approx(expected)
