"""The frame and the CSV files of a finished run."""

from __future__ import annotations

import csv
import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lazybayes.data.load import load_table
from lazybayes.data.table import number_of
from lazybayes.errors import DataError, StoreError, UsageError
from lazybayes.evaluate.runner import run
from lazybayes.evaluate.trial import fitted
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme
from lazybayes.metrics.registry import METRICS
from lazybayes.report.explanation import explain
from lazybayes.results.export import export_classes, export_predictions, export_results
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store
from tests.measures import measure

MakeExperiment = Callable[..., Experiment]
BARE = Preprocess(discretize="none")


@pytest.fixture
def finished(tmp_path: Path, experiment: MakeExperiment) -> Path:
    """Two data sets of two and three classes, three algorithms of which one fails in two folds, 3 folds."""
    wide = tmp_path / "wide.csv"
    wide.write_text("a,class\n" + "x,p\ny,q\nx,r\ny,p\nx,\nx,q\ny,r\nx,p\n", encoding="utf-8")
    exp = experiment()
    failing = Algorithm("FAIL", "toy_learners.Failing", {"rows": 15}, BARE)
    lbr = Algorithm("LBR", "lbr", {}, BARE)
    datasets = (*exp.datasets, DatasetEntry.of("wide", "path", str(wide), target="class"))
    folder = tmp_path / "r"
    run(dataclasses.replace(exp, datasets=datasets, algorithms=(lbr, failing, *exp.algorithms)), store_dir=folder)
    return folder


def test_the_frame_is_one_row_a_planned_trial(finished: Path) -> None:
    with Store(finished) as store:
        frame = load_frame(store, ["error", "cll", "auc", "test-seconds", "conditions"])
        kept = {(h.dataset, h.algorithm, h.fold): p for h, p in store.predictions()}
    fixed = ["dataset", "algorithm", "repeat", "fold", "n_train", "n_test", "status", "errors"]
    asked = ("error", "cll", "auc", "test-seconds", "conditions")
    metrics = [f"{name}{end}" for name in asked for end in ("", "_special")]
    assert list(frame.columns[: len(fixed) + len(metrics) + 2]) == [*fixed, *metrics, "train_seconds", "test_seconds"]
    assert len(set(frame.columns)) == len(frame.columns)
    place = list(zip(frame["dataset"], frame["fold"], frame["algorithm"], strict=True))
    assert place == [(d, f, a) for d in ("small", "wide") for f in range(3) for a in ("LBR", "FAIL", "NB", "TOY")]
    for row in frame.to_dict("records"):
        if row["status"] == "failed":
            assert (row["dataset"], row["algorithm"], row["n_train"]) == ("small", "FAIL", 15)
            assert pd.isna(row["errors"])
            assert math.isnan(row["error"])
            assert row["cll_special"] == 0
            continue
        p = kept[row["dataset"], row["algorithm"], row["fold"]]
        assert row["errors"] == np.sum(p.actual != p.predicted)
        for name in ("error", "cll", "auc"):
            want = measure(name, p.actual, p.predicted, p.proba)
            assert row[name] == pytest.approx(want.value, nan_ok=True)
            assert row[f"{name}_special"] == want.special
        assert row["test-seconds"] == row["test_seconds"] >= 0
        assert math.isnan(row["conditions"]) == (row["algorithm"] != "LBR")
    assert frame["status"].tolist().count("failed") == 2


def test_a_metric_asked_for_later_comes_from_the_predictions(finished: Path) -> None:
    late = [name for name, metric in METRICS.items() if metric.compute]
    with Store(finished) as store:
        assert "brier" not in store.experiment.metrics
        frame = load_frame(store, late)
        kept = [p for _, p in store.predictions()]
    done = frame[frame["status"] == "done"]
    for name in late:
        want = [measure(name, p.actual, p.predicted, p.proba).value for p in kept]
        assert done[name].tolist() == pytest.approx(want, nan_ok=True)


def test_a_setting_that_changed_is_another_metric(finished: Path, tmp_path: Path, experiment: MakeExperiment) -> None:
    with Store(finished) as store:
        exp = dataclasses.replace(store.experiment, cll_floor=0.45)
        before = load_frame(store, ["cll"])["cll"]
    assert run(exp, store_dir=finished).computed == 2  # the failed ones
    with Store(finished) as store:
        after = load_frame(store, ["cll"])
        kept = [p for _, p in store.predictions()]
    want = [measure("cll", p.actual, p.predicted, p.proba, cll_floor=0.45) for p in kept]
    done = after[after["status"] == "done"]
    assert done["cll"].tolist() == pytest.approx([m.value for m in want])
    assert done["cll_special"].tolist() == [m.special for m in want]
    assert not np.array_equal(before, after["cll"], equal_nan=True)


def test_an_unknown_metric_is_told(finished: Path) -> None:
    with Store(finished) as store, pytest.raises(UsageError, match=r"unknown metric brrier \(did you mean brier\?\)"):
        load_frame(store, ["brrier"])


def test_results_as_csv(finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    with Store(finished) as store:
        export_results(store, path)
        frame = load_frame(store, store.experiment.metrics)
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    head = "dataset,algorithm,repeat,fold,n_train,n_test,status,error,cll,auc,train_seconds,test_seconds"
    assert path.read_text(encoding="utf-8").startswith(head + ",")
    assert len(rows) == len(frame)
    for row, (_, want) in zip(rows, frame.iterrows(), strict=True):
        assert (row["dataset"], row["algorithm"], row["status"]) == (want["dataset"], want["algorithm"], want["status"])
        for name in ("error", "cll", "auc", "train_seconds", "conditions"):
            assert row[name] == ("" if math.isnan(want[name]) else repr(float(want[name])))
    assert (rows[1]["n_train"], rows[1]["n_test"], rows[1]["error"]) == ("15", "8", "")  # failed


def test_predictions_as_csv(finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    path.write_text("old", encoding="utf-8")
    with Store(finished) as store:
        export_predictions(store, path)
        kept = list(store.predictions())
    with path.open(encoding="utf-8", newline="") as lines:
        header, *rows = list(csv.reader(lines))
    said = ["index", "actual", "predicted", "actual_class", "predicted_class"]
    assert header == ["dataset", "algorithm", "repeat", "fold", *said, "p0", "p1", "p2"]
    names = {"small": ("n", "p"), "wide": ("p", "q", "r")}
    want = [
        [h.dataset, h.algorithm, str(h.repeat), str(h.fold), str(p.index[i]), str(p.actual[i]), str(p.predicted[i])]
        + [names[h.dataset][p.actual[i]], names[h.dataset][p.predicted[i]]]
        + [repr(float(v)) for v in p.proba[i]]
        + [""] * (3 - p.proba.shape[1])
        for h, p in kept
        for i in range(len(p.index))
    ]
    assert rows == want
    wide = [row for row in rows if row[:2] == ["wide", "NB"]]
    assert sorted(int(row[4]) for row in wide) == [0, 1, 2, 3, 5, 6, 7]  # row 4 has no class; numbers are the file's


def test_without_predictions_what_needs_them_is_told(tmp_path: Path, experiment: MakeExperiment) -> None:
    run(experiment(predictions=False, metrics=("error",)), store_dir=tmp_path / "r")
    with Store(tmp_path / "r") as store:
        assert load_frame(store, ["error"])["error"].notna().all()
        with pytest.raises(StoreError, match="auc of small, NB was not computed"):
            load_frame(store, ["auc"])
        with pytest.raises(StoreError, match="predictions: false"):
            export_predictions(store, tmp_path / "p.csv")
    assert not (tmp_path / "p.csv").exists()


def test_an_impossible_output_is_told_and_leaves_nothing(finished: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    with Store(finished) as store:
        for export in (export_results, export_predictions):
            with pytest.raises(UsageError, match="is a folder"):
                export(store, tmp_path)
            with pytest.raises(UsageError, match="does not exist"):
                export(store, tmp_path / "no" / "x.csv")
    assert sorted(tmp_path.rglob("*")) == before


def test_trials_still_to_do_are_empty(tmp_path: Path, experiment: MakeExperiment) -> None:
    run(experiment(cv=Scheme(folds=2)), store_dir=tmp_path / "r", only_algorithms=["NB"])
    with Store(tmp_path / "r") as store:
        frame = load_frame(store, ["error"])
        export_results(store, tmp_path / "r.csv")
    assert frame["status"].tolist() == ["done", "to do"] * 2
    assert frame.loc[1, ["n_train", "n_test", "errors"]].isna().all()
    line = (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()[2]
    assert line.startswith("small,TOY,0,0,,,to do,,,,,")


def test_a_spreadsheet_runs_no_name_and_other_readers_lose_nothing(tmp_path: Path, experiment: MakeExperiment) -> None:
    names = ["=1+1", "-1", "@x", "+2", "NB"]
    exp = dataclasses.replace(experiment(), algorithms=tuple(Algorithm(n, "naive-bayes", {}, BARE) for n in names))
    run(exp, store_dir=tmp_path / "r")
    out = tmp_path / "out.csv"
    with Store(tmp_path / "r") as store:
        for export in (export_results, export_predictions):
            export(store, out)
            plain = pd.read_csv(out)
            assert list(dict.fromkeys(plain["algorithm"])) == names
            export(store, out, for_spreadsheets=True)
            escaped = pd.read_csv(out)
            assert list(dict.fromkeys(escaped["algorithm"])) == ["'=1+1", "'-1", "'@x", "'+2", "NB"]
            pd.testing.assert_frame_equal(plain.drop(columns="algorithm"), escaped.drop(columns="algorithm"))


def test_classes_as_csv_on_standard_output(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(finished) as store:
        export_classes(store, "-")
    assert capsys.readouterr().out.splitlines()[0] == "dataset,code,name"


def test_rows_have_the_numbers_of_their_files_whatever_is_left_out(tmp_path: Path, experiment: MakeExperiment) -> None:
    """The rows x of a.csv and the row without a class of b.csv are left out; w says where each row really stands."""
    (tmp_path / "a.csv").write_text("k,w,c\n" + "x,a0,p\ny,a1,q\nx,a2,p\nz,a3,p\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("k,w,c\n" + "y,b0,\ny,b1,q\nz,b2,p\n", encoding="utf-8")
    files = (str(tmp_path / "b.csv"),)
    entry = DatasetEntry.of("two", "path", str(tmp_path / "a.csv"), target="c", files=files, leave_out={"k": ("x",)})
    table = load_table(entry)
    words = [table.attributes[1].values[code] for code in table.columns[1]]
    assert words == ["a1", "a3", "b1", "b2"]
    assert table.index.tolist() == [1, 3, 5, 6]
    folds = tmp_path / "folds.csv"
    folds.write_text("repeat,fold,file,row\n0,0,b.csv,1\n0,0,b.csv,0\n0,1,a.csv,3\n", encoding="utf-8")
    scheme = Scheme("folds-file", path=str(folds))
    exp = dataclasses.replace(experiment(), datasets=(entry,), cv=scheme)
    run(exp, store_dir=tmp_path / "r")
    with Store(tmp_path / "r") as store:
        export_predictions(store, tmp_path / "p.csv")
    with (tmp_path / "p.csv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["algorithm"] == "NB"]
    assert [(row["fold"], row["index"], row["file"], row["row"]) for row in rows] == [
        ("0", "5", "b.csv", "1"),
        ("1", "3", "a.csv", "3"),
    ]
    assert [row["actual_class"] for row in rows] == ["q", "p"]
    text = explain(fitted(exp, "two", "NB", number_of("b.csv", 1, table.files)), "NB", 5)
    assert text.startswith("two, row 5 (b.csv, row 1): NB predicts c = ")
    folds.write_text("repeat,fold,file,row\n0,0,c.csv,1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"folds.csv, line 2: two: there is no file c.csv.*the files are a.csv, b.csv"):
        run(exp, store_dir=tmp_path / "s")
    folds.write_text("repeat,fold,file,row\n0,0,b.csv,3\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"line 2: two: b.csv has no row 3; its rows are 0 to 2"):
        run(exp, store_dir=tmp_path / "s")
