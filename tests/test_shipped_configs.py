"""Shipped configs about numeric attributes and textbooks, run on what needs no download."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lazybayes.cli.main import main
from lazybayes.config import load_config
from lazybayes.evaluate import runner
from lazybayes.experiment import DatasetEntry, Experiment, Scheme
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store


def frame(experiment: Experiment, folder: Path) -> dict[tuple[str, str], list[float]]:
    """Errors of the cells by data set and algorithm, all of which are done."""
    summary = runner.run(experiment, store_dir=folder, jobs=1)
    assert summary.exit_status == 0
    with Store(folder) as store:
        found = load_frame(store, ["error", "cll-per-row"])
        assert (found["status"] == "done").all()
        assert np.isfinite(found["cll-per-row"]).all()
    return {key: part["error"].tolist() for key, part in found.groupby(["dataset", "algorithm"])}  # type: ignore[misc]


def test_numeric_attributes_in_four_ways(tmp_path: Path) -> None:
    experiment = load_config("numeric-attributes")
    assert [algorithm.preprocess.discretize for algorithm in experiment.algorithms] == [
        "mdl",
        "equal-width",
        "equal-frequency",
        "none",
    ]
    wine = dataclasses.replace(
        experiment, datasets=(DatasetEntry.of("wine", "generate", "wine"),), cv=Scheme(folds=3), tables=()
    )
    errors = frame(wine, tmp_path / "wine")
    assert len({tuple(values) for values in errors.values()}) > 1  # the four ways are four
    assert all(np.mean(values) < 0.1 for values in errors.values())


def test_odd_numbers_have_defined_answers_in_each_way(tmp_path: Path) -> None:
    """A constant attribute, one constant in a class, a class of one row, one never known, huge ones."""
    path = tmp_path / "odd.csv"
    rows = [f"7,{0 if i % 2 else i},?,{i}e300,{'no' if i % 2 else 'yes'}" for i in range(1, 13)]
    path.write_text("same,in_class,never,huge,class\n" + "\n".join([*rows, "7,3,?,1,once"]) + "\n")
    entry = DatasetEntry.of("odd", "path", str(path), target="class", types={"never": "numeric"})
    experiment = dataclasses.replace(
        load_config("numeric-attributes"), datasets=(entry,), cv=Scheme("leave-one-out"), tables=()
    )
    errors = frame(experiment, tmp_path / "odd")
    assert {key[1] for key in errors} == {"MDL", "width", "frequency", "normal"}


def test_the_textbooks_tables_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> str:
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    call("run", "textbooks", "--jobs", "1", "--quiet")
    told = call("explain", "textbooks", "--dataset", "loan", "--algorithm", "NB", "--row", "3")
    assert "defaulted = No" in told
    # ln of the density of an income of 120 given No, 0.0071923 (Tan, Steinbach & Kumar, section 5.3.3)
    assert f"{np.log(0.007192295359419549):.4f}" in told
    compared = call("compare", "textbooks", "--published", "textbooks", "--format", "csv")
    assert "PlayTennis: P(no | X),section 6.9.1,0.795,0.795417" in compared
