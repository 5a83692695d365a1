"""What AUC ranks rows by: log odds that do not saturate, and ties that rounding neither makes nor breaks."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.config import load_config
from lazybayes.evaluate.runner import run
from lazybayes.experiment import Algorithm, Experiment, Preprocess
from lazybayes.learners.base import Learner
from lazybayes.learners.registry import make
from lazybayes.metrics.auc import RULES, log_odds
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store
from lazybayes.vocabulary import AUC_RULES
from tests.measures import decide, measure

MakeExperiment = Callable[..., Experiment]
BARE = Preprocess(discretize="none")


def auc(actual: list[int], scores: list[float]) -> float:
    """Of two classes with these scores of class 1."""
    ranked = np.array(scores)
    proba = np.full((len(actual), 2), 0.5)
    return measure("auc", np.array(actual), decide(proba), proba, scores=np.column_stack([-ranked, ranked])).value


@given(st.lists(st.lists(st.floats(-3000, 0), min_size=3, max_size=3), min_size=1, max_size=6))
def test_log_odds_are_their_definition_however_small_a_probability(rows: list[list[float]]) -> None:
    found = log_odds(np.array(rows))
    for row, odds in zip(rows, found.tolist(), strict=True):
        for c, score in enumerate(odds):
            others = [x for other, x in enumerate(row) if other != c]
            rest = max(others) + math.log(sum(math.exp(x - max(others)) for x in others))
            assert score == pytest.approx(row[c] - rest, rel=1e-12, abs=1e-12)


def test_log_odds_are_infinite_where_a_class_has_all_or_nothing() -> None:
    with np.errstate(divide="ignore"):
        found = log_odds(np.log(np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])))
    assert found.tolist() == [[math.inf, -math.inf, -math.inf], [0.0, 0.0, -math.inf]]
    assert log_odds(np.zeros((1, 1))).tolist() == [[math.inf]]


@pytest.mark.parametrize(
    ("scores", "value"),
    [
        ([0.0, 0.9e-9, 0.0, 0.9e-9], 0.5),
        ([0.0, 0.9e-9, 0.0, 1.8e-9], 0.625),  # the last is near its neighbour, not the first of the group
        ([-math.inf, math.inf, -math.inf, math.inf], 0.5),
        ([-math.inf, 5.0, 5.0, math.inf], 0.875),
        ([1e9, 1e9, 1e9 + 1, 1e9 - 1], 0.5),
    ],
)
def test_a_score_joins_a_tie_by_its_distance_from_the_first(scores: list[float], value: float) -> None:
    assert auc([0, 0, 1, 1], scores) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("case", ["038-auc-saturated-probabilities", "039-auc-rounding-noise"])
def test_auc_of_shared_cases(shared: Path, tmp_path: Path, case: str) -> None:
    shutil.copytree(shared / "cases" / case, tmp_path / "case")
    want = json.loads((tmp_path / "case" / "expected.json").read_text(encoding="utf-8"))["auc"]
    run(load_config(str(tmp_path / "case" / "config.yaml")), store_dir=tmp_path / "r", tell=lambda text: None)
    with Store(tmp_path / "r") as store:
        assert load_frame(store, ["auc"])["auc"].tolist() == pytest.approx([want], abs=1e-12)
        (kept,) = [p for _, p in store.predictions()]
    assert kept.scores is None  # the probabilities say it: no double underflows


class Far(Learner):
    """Scores class 1 by the row's first code, in steps that no probability can hold."""

    def _fit(self, rows, y):
        pass

    def _scores(self, rows):
        steps = 1000.0 * (2 + rows.nominal[:, 0])
        return np.column_stack([np.zeros(len(steps)), steps]), {}


def test_probabilities_too_small_for_a_double_are_ranked_by_their_logs(
    tmp_path: Path, experiment: MakeExperiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lazybayes.learners import registry

    monkeypatch.setattr(registry, "LEARNERS", {**registry.LEARNERS, "far": f"{__name__}:Far"})
    far = Algorithm("FAR", "far", {}, BARE)
    bag = Algorithm("BAG", "bagging", {"base": "far", "bags": 3}, BARE)
    exp = experiment(algorithms=(far, bag, Algorithm("NB", "naive-bayes", {}, BARE)), metrics=("auc",))
    run(exp, store_dir=tmp_path / "r", tell=lambda text: None)
    with Store(tmp_path / "r") as store:
        stored = {(h.algorithm, h.fold): h.measures["auc@'present-pairs'"].value for h in store.trials()}
        for held, kept in store.predictions():
            again = measure("auc", kept.actual, kept.predicted, kept.proba, scores=kept.scores).value
            assert again == stored[held.algorithm, held.fold]
            if held.algorithm == "NB":
                assert kept.scores is None
                continue
            assert kept.scores is not None
            assert (kept.proba[:, 1] == 1).all()
            of = {c: kept.scores[kept.actual == c, 1] for c in (0, 1)}
            pairs = [1.0 if p > q else 0.5 if p == q else 0.0 for p in of[1] for q in of[0]]
            assert again == pytest.approx(np.mean(pairs))
            assert len(np.unique(kept.scores[:, 1].round(6))) > 1


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((8, 3)), "the learner's scores have the shape (8, 3); expected (8, 2)"),
        (np.full((8, 2), np.nan), "a score is not a number in 8 test rows"),
    ],
)
def test_scores_that_are_none_fail_the_cell(
    experiment: MakeExperiment, monkeypatch: pytest.MonkeyPatch, scores: np.ndarray, message: str
) -> None:
    import dataclasses

    from lazybayes.evaluate.plan import surveys, trials
    from lazybayes.evaluate.trial import Job, run_trial
    from lazybayes.learners.naive_bayes import NaiveBayes
    from lazybayes.metrics.registry import MetricSettings

    plain = NaiveBayes.answer
    monkeypatch.setattr(NaiveBayes, "answer", lambda *given: dataclasses.replace(plain(*given), scores=scores))
    exp = experiment(algorithms=(Algorithm("NB", "naive-bayes", {}, BARE),))
    first = next(iter(trials(exp, surveys(exp, ["small"]))))
    got = run_trial(first, Job(("auc",), MetricSettings()))
    assert (got.status, got.message) == ("failed", message)


def test_a_foreign_learner_is_ranked_by_its_log_probabilities_where_it_has_them() -> None:
    import pandas as pd

    from lazybayes.learners.rows import as_rows

    rows = as_rows(pd.DataFrame({"x": [0.0, 1.0, 40.0, 80.0], "z": [1.0, 0.0, 1.0, 0.0]}))
    y = pd.Categorical.from_codes([0, 0, 1, 1], ["n", "m", "p"]).set_categories(["n", "absent", "m", "p"])
    gaussian = make("sklearn.naive_bayes.GaussianNB", {"var_smoothing": 1e-9}).fit(rows, y).answer(rows)
    assert gaussian.log_proba is not None
    assert np.isfinite(gaussian.log_proba[:, [0, 2]]).all()
    assert np.isneginf(gaussian.log_proba[:, [1, 3]]).all()
    assert (gaussian.proba == 0)[:, 0].any()
    plain = make("sklearn.naive_bayes.GaussianNB", {"var_smoothing": 1.0}).fit(rows, y)
    assert plain.answer(rows.take(np.array([1]))).log_proba is None  # nothing underflows


def test_a_mixture_over_leaves_keeps_what_underflows() -> None:
    from lazybayes.learners.trees.bayes import _mixed
    from lazybayes.learners.trees.tree import Entries

    scores = np.array([[0.0, -2000.0], [0.0, -3000.0], [-5.0, -np.inf]])
    reached = Entries(np.array([0, 0, 1]), np.array([1, 2, 1]), np.array([0.25, 0.75, 1.0]))
    want = [[0.0, -2000.0 + math.log(0.25)], [-5.0, -math.inf]]
    np.testing.assert_allclose(_mixed(scores, reached, 2), want, rtol=1e-12, atol=1e-12)


def test_every_rule_can_be_asked_for() -> None:
    assert set(AUC_RULES) == set(RULES)
