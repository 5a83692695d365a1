"""Runs: what is computed, what is skipped, what is refused."""

from __future__ import annotations

import dataclasses
import math
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lazybayes.errors import DataError, RunError, StoreError, UsageError
from lazybayes.evaluate import runner
from lazybayes.evaluate.progress import Progress
from lazybayes.evaluate.runner import Failure, Summary, outlook, run
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme
from lazybayes.learners import registry
from lazybayes.results.database import RunLock
from lazybayes.results.export import export_predictions, export_results
from lazybayes.results.frame import load_frame
from lazybayes.results.store import FILE, Store

MakeExperiment = Callable[..., Experiment]
BARE = Preprocess(discretize="none")


@pytest.fixture
def go(tmp_path: Path) -> Callable[..., Summary]:
    """`run` into one folder, without a word."""

    def call(experiment: Experiment, **options: Any) -> Summary:
        return run(experiment, **{"store_dir": tmp_path / "r", "tell": lambda text: None, **options})

    return call


def exported(folder: Path, results: bool = True) -> str:
    """The exports of a results folder, the columns of seconds left out."""
    with Store(folder) as store:
        export_results(store, folder.parent / "results.csv")
        export_predictions(store, folder.parent / "predictions.csv")
    lines = (folder.parent / "results.csv").read_text(encoding="utf-8").splitlines()
    timed = [i for i, name in enumerate(lines[0].split(",")) if name.endswith("_seconds")]
    kept = [",".join(cell for i, cell in enumerate(line.split(",")) if i not in timed) for line in lines]
    return "\n".join([*kept, (folder.parent / "predictions.csv").read_text(encoding="utf-8")])


def test_a_second_run_has_nothing_to_do(go: Callable[..., Summary], experiment: MakeExperiment) -> None:
    assert go(experiment()) == Summary(6, 0, 6, ())
    assert go(experiment()) == Summary(6, 6, 0, ())


def test_results_do_not_depend_on_jobs_or_on_the_order_of_algorithms(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    drawn = [
        Algorithm("R1", "toy_learners.Random", {}, BARE),
        Algorithm("R2", "toy_learners.Random", {"size": 2}, BARE),
        Algorithm("NB", "naive-bayes", {}, BARE),
    ]
    exp = experiment(algorithms=tuple(drawn))
    texts = set()
    for jobs in (1, 2):  # test_interruption has 4
        go(exp, store_dir=tmp_path / str(jobs) / "r", jobs=jobs)
        texts.add(exported(tmp_path / str(jobs) / "r"))
    assert len(texts) == 1
    turned = dataclasses.replace(exp, algorithms=tuple(drawn[::-1]))
    go(turned, store_dir=tmp_path / "turned" / "r")
    (text,) = texts
    assert sorted(exported(tmp_path / "turned" / "r").splitlines()) == sorted(text.splitlines())
    rows = [line.split(",") for line in text.splitlines() if line.count(",") == 10]
    first, second = ([row[4:] for row in rows if row[1] == name] for name in ("R1", "R2"))
    assert first != second  # other parameters, another seed


def test_algorithms_with_equal_parameters_share_a_trial_and_both_stand(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    twins = (Algorithm("A", "naive-bayes", {}, BARE), Algorithm("B", "naive-bayes", {"estimate": "m-estimate"}, BARE))
    assert go(experiment(algorithms=twins)) == Summary(3, 0, 3, ())
    with Store(tmp_path / "r") as store:
        frame = load_frame(store, ["error"])
    assert frame["algorithm"].tolist() == ["A", "B"] * 3
    assert frame["status"].eq("done").all()


def test_a_changed_config_runs_only_what_changed(
    tmp_path: Path, experiment: MakeExperiment, entry: DatasetEntry, go: Callable[..., Summary]
) -> None:
    exp = experiment()
    go(exp)
    more = Algorithm("L", "naive-bayes", {"estimate": "laplace"}, BARE)
    assert go(dataclasses.replace(exp, algorithms=(more, *exp.algorithms))) == Summary(9, 6, 3, ())
    assert go(dataclasses.replace(exp, cv=Scheme(folds=3, repeats=2))) == Summary(12, 6, 6, ())
    renamed = tuple(dataclasses.replace(algorithm, name=algorithm.name + "!") for algorithm in exp.algorithms)
    assert go(dataclasses.replace(exp, algorithms=renamed)).computed == 0
    with Store(tmp_path / "r") as store:
        names = load_frame(store, ["error"])["algorithm"].unique().tolist()
        assert names == ["NB!", "TOY!"]  # the plan is the config's
    two = (entry, dataclasses.replace(entry, name="again"))
    assert go(dataclasses.replace(exp, datasets=two)) == Summary(12, 6, 6, ())
    assert go(dataclasses.replace(exp, seed=2)) == Summary(6, 0, 6, ())
    assert go(exp) == Summary(6, 6, 0, ())  # what an earlier config made is still there


def test_a_changed_file_or_learner_version_runs_again(
    data: Path, experiment: MakeExperiment, go: Callable[..., Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    go(experiment())
    data.write_text(data.read_text(encoding="utf-8") + "x,s,n\n", encoding="utf-8")
    assert go(experiment()).computed == 6
    real = registry.version
    monkeypatch.setattr(registry, "version", lambda name: "next" if name == "naive-bayes" else real(name))
    assert go(experiment()).computed == 3


def test_a_class_absent_from_training_keeps_its_column(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    """Fold 0 trains on x,a x,a y,b y,b x,b: priors 3/8, 4/8, 1/8; P(x) is 3/4, 2/5, 1/2."""
    (tmp_path / "d.arff").write_text(
        "@relation f\n@attribute v {x,y}\n@attribute class {a,b,c}\n@data\nx,a\nx,a\ny,b\ny,b\nx,b\ny,c\nx,c\n",
        encoding="utf-8",
    )
    (tmp_path / "folds.csv").write_text("repeat,fold,index\n0,0,5\n0,0,6\n", encoding="utf-8")
    exp = experiment(
        datasets=(DatasetEntry.of("d", "path", str(tmp_path / "d.arff"), target="class"),),
        algorithms=(
            Algorithm("NB", "naive-bayes", {"estimate": "laplace"}, BARE),
            Algorithm("TREE", "sklearn.tree.DecisionTreeClassifier", {}, BARE),
        ),
        cv=Scheme("folds-file", path=str(tmp_path / "folds.csv")),
    )
    go(exp)
    with Store(tmp_path / "r") as store:
        frame = load_frame(store, ["error", "cll", "auc"])
        (_, nb), (_, tree) = store.predictions()
    y, x = [3 / 8 * 1 / 4, 4 / 8 * 3 / 5, 1 / 8 * 1 / 2], [3 / 8 * 3 / 4, 4 / 8 * 2 / 5, 1 / 8 * 1 / 2]
    want = [[p / sum(row) for p in row] for row in (y, x)]
    assert nb.proba.tolist() == [pytest.approx(row) for row in want]
    assert tree.proba.shape == (2, 3)
    assert frame["error"].tolist() == [1.0, 1.0]
    assert frame["cll"].tolist() == pytest.approx([math.log(want[0][2] * want[1][2]), 2 * math.log(1e-10)])
    assert frame["cll_special"].tolist() == [0, 2]
    assert frame["auc"].isna().all()  # one class in the test part
    assert frame["auc_special"].tolist() == [1, 1]


def test_failures_are_kept_told_and_tried_again(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    mended = tmp_path / "mended"
    params = {"rows": 15, "mended": str(mended)}
    exp = experiment(algorithms=(Algorithm("F", "toy_learners.Failing", params, BARE), *experiment().algorithms))
    summary = go(exp)
    assert (summary.trials, summary.computed, summary.exit_status) == (9, 9, 1)
    assert [(f.dataset, f.algorithm, f.fold, f.message) for f in summary.failures] == [
        ("small", "F", 0, "ValueError: too few moons"),
        ("small", "F", 1, "ValueError: too few moons"),
    ]
    assert summary.lines() == [
        "2 of 9 trials failed (run the same command to try them again):",
        "  small, F, 2 trials (the first: repeat 0, fold 0): ValueError: too few moons",
    ]
    with Store(tmp_path / "r") as store:
        assert [held.status for held in store.trials()].count("done") == 7
        assert "too few moons" in store.trials()[0].traceback
    mended.touch()
    again = go(exp)
    assert again == Summary(9, 7, 2, ())
    assert (again.exit_status, again.lines()) == (0, [])


def test_equal_failures_are_one_line_and_the_remedy_is_named() -> None:
    failures = [
        *(Failure("wine", "SVC", 0, fold, "ValueError: Input X contains NaN.") for fold in range(3)),
        Failure("wine", "SVC", 1, 4, "ValueError: too few moons"),
        *(Failure("iris", "SVC", 0, fold, "ValueError: too few moons") for fold in range(2)),
    ]
    head, *lines = Summary(20, 0, 20, tuple(failures)).lines()
    assert head == "6 of 20 trials failed (run the same command to try them again):"
    assert lines == [
        "  wine, SVC, 3 trials (the first: repeat 0, fold 0): ValueError: Input X contains NaN. "
        "(set the algorithm's `preprocess: {impute: mode-mean}` to fill in missing values)",
        "  wine, SVC, repeat 1, fold 4: ValueError: too few moons",
        "  iris, SVC, 2 trials (the first: repeat 0, fold 0): ValueError: too few moons",
    ]
    assert Summary(20, 0, 20, tuple(failures)).lines(limit=1) == [head, lines[0], "  and 3 more"]


def test_loky_has_queued_all_trials_before_its_workers_are_ended(
    experiment: MakeExperiment, go: Callable[..., Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    from joblib.externals.loky.process_executor import _ExecutorManagerThread

    real, awake = _ExecutorManagerThread.wait_result_broken_or_wakeup, threading.Event()
    raised: list[Any] = []
    submitted: list[Any] = []

    def slow(self: Any) -> Any:
        event = real(self)
        awake.set()
        time.sleep(1.5)
        return event

    def interrupt(*trial: Any) -> None:
        submitted.append(trial)
        assert awake.wait(60)
        if len(submitted) == 2:  # submitted while loky's thread is not looking
            raise KeyboardInterrupt

    monkeypatch.setattr(_ExecutorManagerThread, "wait_result_broken_or_wakeup", slow)
    monkeypatch.setattr(threading, "excepthook", raised.append)
    monkeypatch.setattr(Progress, "started", interrupt)
    with pytest.raises(KeyboardInterrupt):
        go(experiment(), jobs=2)
    assert not raised


def test_a_worker_that_dies_fails_its_trial_alone(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    exp = experiment(
        algorithms=(*experiment().algorithms, Algorithm("D", "toy_learners.Failing", {"how": "die", "rows": 16}, BARE)),
    )
    summary = go(exp, jobs=2)
    assert (summary.trials, summary.computed) == (9, 9)
    assert [(f.algorithm, f.fold) for f in summary.failures] == [("D", 2)]
    assert "the worker process died" in summary.failures[0].message
    with Store(tmp_path / "r") as store:
        assert [held.status for held in store.trials()].count("done") == 8


def test_only_redo_and_fresh(experiment: MakeExperiment, entry: DatasetEntry, go: Callable[..., Summary]) -> None:
    exp = experiment(datasets=(entry, dataclasses.replace(entry, name="again")))
    assert go(exp, only_datasets=["small"], only_algorithms=["TOY"]) == Summary(3, 0, 3, ())
    assert go(exp, only_algorithms=["TOY"]) == Summary(6, 3, 3, ())
    assert go(exp) == Summary(12, 6, 6, ())
    assert go(exp, redo=["NB"]) == Summary(12, 6, 6, ())
    assert go(exp, redo=["NB"], only_datasets=["again"]) == Summary(6, 3, 3, ())
    assert go(exp, fresh=True, only_algorithms=["TOY"]) == Summary(6, 0, 6, ())
    assert go(exp, fresh=True) == Summary(12, 0, 12, ())
    assert go(exp) == Summary(12, 12, 0, ())


def test_a_results_file_that_an_earlier_run_left_empty_is_filled(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / FILE).touch()
    assert [plan.done for plan in outlook(experiment(), store_dir=tmp_path / "r")] == [0]
    assert go(experiment()) == Summary(6, 0, 6, ())


def test_the_other_data_sets_stay_in_the_plan(
    tmp_path: Path, experiment: MakeExperiment, entry: DatasetEntry, go: Callable[..., Summary]
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,class\nx,n\ny,p\nx,n\ny,p\n", encoding="utf-8")
    exp = experiment(datasets=(DatasetEntry.of("other", "path", str(other), target="class"), entry))
    go(exp)
    other.unlink()
    go(exp, only_datasets=["small"], redo=["NB"])
    with Store(tmp_path / "r") as store:
        frame = load_frame(store, ["error"])
    assert frame["dataset"].tolist() == ["other"] * 6 + ["small"] * 6
    assert frame["status"].eq("done").all()
    with pytest.raises(DataError, match=r"other\.csv"):
        go(exp)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"only_datasets": ["smal"]}, r"no data set smal \(did you mean small\?\); it has small"),
        ({"only_algorithms": ["nb"]}, r"no algorithm nb \(did you mean NB\?\); it has NB, TOY"),
        ({"redo": ["TOI"]}, r"no algorithm TOI \(did you mean TOY\?\)"),
        ({"redo": ["TOY"], "only_algorithms": ["NB"]}, r"--redo algorithm=TOY: TOY is not selected"),
    ],
)
def test_unknown_names_are_told(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary], options: dict[str, Any], why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        go(experiment(), **options)
    assert not (tmp_path / "r").exists()


def test_data_that_cannot_be_read_makes_no_folder(
    tmp_path: Path, data: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    data.unlink()
    with pytest.raises(DataError):
        go(experiment())
    assert not (tmp_path / "r").exists()


def test_a_second_run_at_the_same_time_stops(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    with RunLock(tmp_path / "r") as lock:
        lock.acquire()
        with pytest.raises(StoreError, match="a run of this experiment is going on"):
            go(experiment())
    assert go(experiment()).computed == 6


def test_a_metric_or_predictions_asked_for_later(experiment: MakeExperiment, go: Callable[..., Summary]) -> None:
    lean = experiment(metrics=("error",), predictions=False)
    go(lean)
    assert go(lean).computed == 0
    assert go(dataclasses.replace(lean, metrics=("error", "auc"))).computed == 6  # nothing to compute it from
    assert go(dataclasses.replace(lean, metrics=("auc",))).computed == 0
    kept = dataclasses.replace(lean, predictions=True)
    assert go(kept).computed == 6
    assert go(dataclasses.replace(kept, metrics=("error", "brier"))).computed == 0  # from the predictions
    assert go(dataclasses.replace(kept, predictions=False)).computed == 0


def test_every_notice_is_told_once(tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]) -> None:
    holey = tmp_path / "holey.csv"
    holey.write_text("a,b,class\n" + "x,1,n\ny,2,p\nx,3,\n" * 8 + "y,4,p\n", encoding="utf-8")  # 17 rows have a class
    leaky = Preprocess(discretize="equal-width", fit="all-rows")
    told: list[str] = []
    exp = experiment(
        datasets=(DatasetEntry.of("holey", "path", str(holey), target="class"),),
        algorithms=(
            Algorithm("NB", "naive-bayes", {}, leaky),
            Algorithm("WARN", "toy_learners.Failing", {"how": "warn", "rows": 11}, leaky),
        ),
        cv=Scheme(folds=3, repeats=2),
    )
    go(exp, tell=told.append)
    assert sum("leak" in text for text in told) == 1
    assert sum("without a class" in text or "no class" in text for text in told) == 1
    assert [text for text in told if "moon" in text] == [
        "holey, WARN, repeat 0, fold 0: UserWarning: the moon is waning"
    ]


def test_outlook_counts_and_writes_nothing(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary]
) -> None:
    failing = Algorithm("F", "toy_learners.Failing", {"rows": 15}, BARE)
    exp = experiment(algorithms=(*experiment().algorithms, failing))
    (before,) = outlook(exp, store_dir=tmp_path / "r")
    assert (before.survey.name, before.survey.n_rows, before.trials, before.done, before.failed) == (
        "small",
        23,
        9,
        0,
        0,
    )
    assert not (tmp_path / "r").exists()
    go(exp, only_algorithms=["NB", "F"])
    (after,) = outlook(exp, store_dir=tmp_path / "r")
    assert (after.trials, after.done, after.failed) == (9, 4, 2)


def test_what_is_done_is_kept_when_something_breaks_the_run(
    tmp_path: Path, experiment: MakeExperiment, go: Callable[..., Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = Store.put, []

    def put(self: Store, result: Any) -> None:
        if len(seen) == 4:
            raise KeyboardInterrupt
        seen.append(result.key)
        real(self, result)

    monkeypatch.setattr(runner.Store, "put", put)
    with pytest.raises(KeyboardInterrupt, match="interrupted: 4 of 6 trials done and kept"):
        go(experiment())
    monkeypatch.undo()
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    assert go(experiment()) == Summary(6, 4, 2, ())


class Disturber(Progress):
    """Does something to the results folder after a number of trials."""

    def __init__(self, trials: int, disturb: Callable[[], object]) -> None:
        super().__init__(quiet=True)
        self._left, self._disturb = trials, disturb

    def finished(self, key: str, *, failed: bool) -> None:
        super().finished(key, failed=failed)
        self._left -= 1
        if not self._left:
            self._disturb()


@pytest.mark.parametrize("after", [2, 6])
def test_a_folder_that_is_removed_during_the_run_is_no_success(
    tmp_path: Path, go: Callable[..., Summary], experiment: MakeExperiment, after: int
) -> None:
    with pytest.raises(
        RunError, match=r"was removed or replaced during|the results are missing at the end of the run"
    ) as caught:
        go(experiment(), progress=Disturber(after, lambda: shutil.rmtree(tmp_path / "r")))
    assert caught.value.exit_status == 1
    assert go(experiment()) == Summary(6, 0, 6, ())


@pytest.mark.parametrize("after", [2, 6])
def test_a_results_file_that_is_replaced_during_the_run_is_no_success(
    tmp_path: Path, go: Callable[..., Summary], experiment: MakeExperiment, after: int
) -> None:
    go(experiment(cv=Scheme(folds=2)), store_dir=tmp_path / "other")

    def replace() -> None:
        os.replace(tmp_path / "other" / FILE, tmp_path / "r" / FILE)

    with pytest.raises(RunError, match=r"was removed or replaced during|has the results of only 0 of 6 trials"):
        go(experiment(), progress=Disturber(after, replace))
    assert go(experiment()) == Summary(6, 0, 6, ())


@pytest.mark.parametrize(
    ("table", "why"), [("cells", "has the results of only 4 of 6 trials"), ("predictions", "predictions are missing")]
)
def test_rows_that_are_deleted_during_the_run_are_missed(
    tmp_path: Path, go: Callable[..., Summary], experiment: MakeExperiment, table: str, why: str
) -> None:
    def delete() -> None:
        with closing(sqlite3.connect(tmp_path / "r" / FILE, isolation_level=None)) as db:
            keys = "SELECT key FROM plan WHERE position IN (1, 4)"
            db.execute(f"DELETE FROM predictions WHERE key IN ({keys})")
            if table == "cells":
                db.execute(f"DELETE FROM cells WHERE key IN ({keys})")

    with pytest.raises(RunError, match=why):
        go(experiment(), progress=Disturber(6, delete))
    assert go(experiment()) == Summary(6, 4, 2, ())


def test_what_is_damaged_is_told_and_computed_again(
    tmp_path: Path, go: Callable[..., Summary], experiment: MakeExperiment
) -> None:
    go(experiment())
    whole = exported(tmp_path / "r")
    with closing(sqlite3.connect(tmp_path / "r" / FILE, isolation_level=None)) as db:
        db.execute("UPDATE predictions SET proba = zeroblob(length(proba)) WHERE rowid = 2")
        db.execute("UPDATE cells SET errors = errors + 1 WHERE rowid = 3")
        db.execute("UPDATE meta SET value = '{}' WHERE name = 'experiment'")
        db.execute("DELETE FROM datasets")
    with pytest.raises(StoreError, match=r"^damaged: "):
        exported(tmp_path / "r")
    notices: list[str] = []
    assert go(experiment(), tell=notices.append) == Summary(6, 4, 2, ())
    (notice,) = [text for text in notices if text.startswith("damaged: ")]
    assert notice.endswith(
        f"{FILE}: a row does not match its checksum: the intact trials are kept, the others are recomputed"
    )
    assert exported(tmp_path / "r") == whole
