"""What a learner tells of each row is kept beside its predictions; a data set's survey holds what table 2 shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lazybayes.evaluate.plan import surveys
from lazybayes.evaluate.runner import run
from lazybayes.experiment import Algorithm, Experiment, Preprocess, Scheme
from lazybayes.learners.base import Learner
from lazybayes.results.store import Store

MakeExperiment = Callable[..., Experiment]
BARE = Preprocess(discretize="none")


class Telling(Learner):
    """Tells the row's first code, and the number of rows."""

    wide = 0

    def _fit(self, rows, y):
        pass

    def _scores(self, rows):
        first = rows.nominal[:, 0].astype(float)
        told = np.append(first, [0.0] * self.wide)
        return np.zeros((len(first), len(self.classes_))), {"first": told, "rows": float(len(first))}


class Wide(Telling):
    """Tells one value too many."""

    wide = 1


def test_a_learner_tells_numbers_and_rows() -> None:
    X = pd.DataFrame({"a": pd.Categorical(["x", "y", "x"])})
    answer = Telling().fit(X, ["p", "q", "p"]).answer(X)
    assert answer.diagnostics == {"rows": 3.0}
    assert answer.row_diagnostics["first"].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.usefixtures("_told")
def test_row_diagnostics_stand_beside_the_predictions(tmp_path: Path, experiment: MakeExperiment, data: Path) -> None:
    exp = experiment(algorithms=(Algorithm("T", "telling", {}, BARE), Algorithm("NB", "naive-bayes", {}, BARE)))
    run(exp, store_dir=tmp_path / "r", tell=lambda text: None)
    attribute = [line.split(",")[0] for line in data.read_text().splitlines()[1:]]
    with Store(tmp_path / "r") as store:
        trials = list(store.predictions())
        assert len(trials) == 6
        for held, kept in trials:
            if held.algorithm == "NB":
                assert kept.row_diagnostics == {}
            else:
                codes = ["xyz".find(attribute[row]) if attribute[row] else -1 for row in kept.index]
                assert kept.row_diagnostics["first"].tolist() == codes


@pytest.mark.usefixtures("_told")
def test_a_row_diagnostic_of_another_length_fails_the_trial(tmp_path: Path, experiment: MakeExperiment) -> None:
    exp = experiment(algorithms=(Algorithm("W", "wide", {}, BARE),))
    summary = run(exp, store_dir=tmp_path / "r", tell=lambda text: None)
    assert {failure.message for failure in summary.failures} <= {
        f"the row diagnostic first has the shape ({n + 1},); expected ({n},)" for n in (7, 8)
    }
    assert len(summary.failures) == 3


def test_the_survey_counts_what_describes_the_data(tmp_path: Path, experiment: MakeExperiment) -> None:
    path = tmp_path / "d.arff"
    path.write_text(
        "@relation d\n@attribute a {x,y}\n@attribute n numeric\n@attribute m numeric\n@attribute c {p,q,r}\n"
        "@data\nx,1,?,p\n?,2,3,q\ny,?,4,p\nx,1,1,q\n"
    )
    entry = experiment().datasets[0]
    entry = type(entry).of("d", "path", str(path), target="c")
    exp = experiment(datasets=(entry,), algorithms=(Algorithm("NB", "naive-bayes"),), cv=Scheme(folds=2))
    found = surveys(exp, ["d"])["d"]
    assert (found.n_rows, found.n_classes, found.classes_present) == (4, 3, 2)
    assert (found.n_numeric, found.n_nominal, found.missing_cells) == (2, 1, 3)


@pytest.fixture
def _told(monkeypatch: pytest.MonkeyPatch) -> None:
    from lazybayes.learners import registry

    classes = {"telling": Telling, "wide": Wide}
    monkeypatch.setattr(registry, "LEARNERS", {**registry.LEARNERS, **dict.fromkeys(classes, "")})
    usual = registry.learner_class
    monkeypatch.setattr(registry, "learner_class", lambda name: classes.get(name) or usual(name))
