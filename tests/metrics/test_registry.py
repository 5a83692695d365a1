"""Metrics against slow definitions, scikit-learn, and values worked by hand."""

from __future__ import annotations

import csv
import itertools
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn import metrics as peer

from lazybayes.metrics.registry import METRICS, MetricSettings, canonical
from tests.measures import decide, measure

Predictions = tuple[NDArray[np.int64], NDArray[np.float64]]


@st.composite
def predictions(draw: st.DrawFn, min_classes: int = 2) -> Predictions:
    """Actual classes and probabilities on a coarse grid, so that ties and absent classes are frequent."""
    classes = draw(st.integers(min_classes, 5))
    n = draw(st.integers(1, 25))
    actual = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    weights = draw(st.lists(st.lists(st.integers(0, 4), min_size=classes, max_size=classes), min_size=n, max_size=n))
    proba = np.array(weights, dtype=float) + 1e-3
    return np.array(actual), proba / proba.sum(axis=1, keepdims=True)


RULES = ["present-pairs", "declared-pairs", "declared-one-sided"]


def slow_auc(actual: NDArray[np.int64], proba: NDArray[np.float64], rule: str) -> float:
    """Hand & Till by comparing every two rows."""

    def chance(i: int, j: int) -> float:
        mine, other = proba[actual == i, i], proba[actual == j, i]
        return float(np.mean([0.5 if abs(p - q) < 1e-9 else 1.0 if p > q else 0.0 for p in mine for q in other]))

    parts = []
    for i, j in itertools.combinations(range(proba.shape[1]), 2):
        of_i, of_j = np.sum(actual == i), np.sum(actual == j)
        if of_i and of_j:
            parts.append(chance(i, j) if rule == "declared-one-sided" else (chance(i, j) + chance(j, i)) / 2)
        elif rule == "declared-one-sided":
            parts.append(1.0 if of_i else of_j / (of_j + 1) if of_j else 0.5)
        elif rule == "declared-pairs":
            parts.append(1.0 if of_i or of_j else 0.5)
    return float(np.mean(parts)) if parts else math.nan


@given(predictions(), st.sampled_from(RULES))
def test_auc_is_hand_and_tills_definition(case: Predictions, rule: str) -> None:
    actual, proba = case
    got = measure("auc", actual, decide(proba), proba, auc=rule)
    assert got.value == pytest.approx(slow_auc(actual, proba, rule), abs=1e-12, nan_ok=True)
    classes, present = proba.shape[1], len(set(actual.tolist()))
    if rule == "present-pairs":
        assert got.special == (1 if present < 2 else 0)
    else:
        assert got.special == math.comb(classes, 2) - math.comb(present, 2)


def test_auc_equals_scikit_learn_where_every_class_is_present() -> None:
    rng = np.random.default_rng(7)
    proba = rng.dirichlet(np.ones(4), size=60)
    actual = rng.permutation(np.repeat(np.arange(4), 15))
    want = peer.roc_auc_score(actual, proba, multi_class="ovo", average="macro")
    assert measure("auc", actual, decide(proba), proba).value == pytest.approx(want, abs=1e-12)


def test_two_class_auc_equals_scikit_learn_with_ties() -> None:
    rng = np.random.default_rng(8)
    p = rng.integers(0, 8, size=80) / 8
    actual = rng.integers(0, 2, size=80)
    proba = np.column_stack([1 - p, p])
    assert measure("auc", actual, decide(proba), proba).value == pytest.approx(peer.roc_auc_score(actual, p), abs=1e-12)


THREE = (
    np.array([0, 1, 0, 1, 1]),
    np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.3, 0.3, 0.4], [0.1, 0.8, 0.1]]),
)
ONE = np.array([0, 0]), np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3]])


def test_auc_with_absent_classes() -> None:
    """A(0|1) = 1, A(1|0) = (2 + 0 + 1 + ...) by hand: rows of class 1 give .5 .3 .8 against .3 .4 of class 0."""
    beats = (1 + 1) + (0.5 + 0) + (1 + 1)  # .5 beats both, .3 ties one, .8 beats both
    pair = (1 + beats / 6) / 2
    for (actual, proba), rule, value, special in [
        (THREE, "present-pairs", pair, 0),
        (THREE, "declared-pairs", (pair + 1 + 1) / 3, 2),
        (ONE, "present-pairs", math.nan, 1),
        (ONE, "declared-pairs", (1 + 1 + 0.5) / 3, 3),
        (THREE, "declared-one-sided", (1 + 1 + 1) / 3, 2),
        (ONE, "declared-one-sided", (1 + 1 + 0.5) / 3, 3),
        ((ONE[0] + 1, ONE[1]), "declared-one-sided", (2 / 3 + 0.5 + 1) / 3, 3),
        ((ONE[0] + 2, ONE[1]), "declared-one-sided", (0.5 + 2 / 3 + 2 / 3) / 3, 3),
    ]:
        got = measure("auc", actual, decide(proba), proba, auc=rule)
        assert got.value == pytest.approx(value, abs=1e-15, nan_ok=True)
        assert got.special == special


def test_auc_of_case_019(shared: Path) -> None:
    folder = shared / "cases" / "019-auc-class-absent"
    want = json.loads((folder / "expected.json").read_text(encoding="utf-8"))

    def value(name: str, rule: str) -> float:
        with (folder / name).open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        proba = np.array([[float(row[f"p{c}"]) for c in range(3)] for row in rows])
        actual = np.array([int(row["actual"]) for row in rows])
        return measure("auc", actual, decide(proba), proba, auc=rule).value

    assert value("three-declared.csv", "present-pairs") == pytest.approx(want["skip"], abs=1e-12)
    assert value("three-declared.csv", "declared-pairs") == pytest.approx(want["declared"], abs=1e-12)
    assert want["one_class_skip"] is None
    assert math.isnan(value("one-class.csv", "present-pairs"))
    assert value("one-class.csv", "declared-pairs") == pytest.approx(want["one_class_declared"], abs=1e-12)


def test_auc_of_one_declared_class_is_undefined_under_any_rule() -> None:
    actual, proba = np.zeros(3, dtype=int), np.ones((3, 1))
    for rule in RULES:
        got = measure("auc", actual, decide(proba), proba, auc=rule)
        assert math.isnan(got.value)
        assert got.special == 1


def test_an_unknown_auc_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="some-pairs"):
        measure("auc", *THREE[:1], decide(THREE[1]), THREE[1], auc="some-pairs")


def test_cll_floors_and_counts() -> None:
    actual = np.array([0, 1, 1, 0])
    proba = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75], [1e-12, 1 - 1e-12]])
    got = measure("cll", actual, decide(proba), proba, cll_floor=1e-10)
    assert got.value == pytest.approx(math.log(0.5) + math.log(0.75) + 2 * math.log(1e-10), rel=1e-15)
    assert got.special == 2
    finer = measure("cll-per-row", actual, decide(proba), proba, cll_floor=1e-12)
    assert finer.value == pytest.approx((math.log(0.5) + math.log(0.75) + 2 * math.log(1e-12)) / 4, rel=1e-15)
    assert finer.special == 1  # a probability equal to the floor needs no floor


@given(predictions())
def test_measures_equal_scikit_learn(case: Predictions) -> None:
    actual, proba = case
    classes = proba.shape[1]
    predicted = decide(proba)

    def value(name: str) -> float:
        return measure(name, actual, predicted, proba).value

    one_hot = np.eye(classes)[actual]
    assert value("accuracy") == pytest.approx(peer.accuracy_score(actual, predicted))
    assert value("error") == pytest.approx(peer.zero_one_loss(actual, predicted))
    assert value("brier") == pytest.approx(classes * peer.mean_squared_error(one_hot, proba))
    assert value("rmse") == pytest.approx(peer.root_mean_squared_error(one_hot.ravel(), proba.ravel()))
    assert value("macro-f1") == pytest.approx(peer.f1_score(actual, predicted, average="macro", zero_division=0))
    assert value("cll-per-row") == pytest.approx(-peer.log_loss(actual, proba, labels=list(range(classes))))
    assert measure("macro-f1", actual, predicted, proba).special == classes - len({*actual, *predicted.tolist()})


def test_brier_equals_scikit_learns_multi_class_score() -> None:
    actual, proba = THREE
    want = peer.brier_score_loss(actual, proba, labels=[0, 1, 2], scale_by_half=False)
    assert measure("brier", actual, decide(proba), proba).value == pytest.approx(want, abs=1e-15)


def test_measures_leave_the_probabilities_alone() -> None:
    actual, proba = THREE
    before = proba.copy()
    for name, metric in METRICS.items():
        if metric.compute:
            measure(name, actual, decide(proba), proba)
    assert np.array_equal(before, proba)


def test_decide_gives_ties_to_the_lowest_class_by_logarithm() -> None:
    tie, off = 1 + 0.5e-9, 1 + 2e-9  # ln(1 + x) = x to first order
    rows = [[0.3, 0.3 * tie, 0.1], [0.3, 0.3 * off, 0.1], [0.0, 0.0, 1.0], [1e-300, 1e-300, 1e-301], [0, 0, 0]]
    assert decide(np.array(rows)).tolist() == [0, 1, 2, 0, 0]


def test_seconds_are_no_function_of_the_predictions() -> None:
    with pytest.raises(KeyError, match="train-seconds"):
        measure("train-seconds", *THREE[:1], decide(THREE[1]), THREE[1])


def test_canonical_names_carry_the_setting_a_value_depends_on() -> None:
    assert canonical("cll", MetricSettings(1e-10)) != canonical("cll", MetricSettings(1e-12))
    assert canonical("auc", MetricSettings(auc="declared-pairs")) == "auc@'declared-pairs'"
    assert (
        canonical("error", MetricSettings(1e-10))
        == canonical("error", MetricSettings(1e-12, "declared-pairs"))
        == "error"
    )


def test_a_new_version_of_a_metric_is_another_stored_value(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = MetricSettings()
    before = canonical("auc", settings), canonical("error", settings)
    for name in ("auc", "error"):
        monkeypatch.setitem(METRICS, name, replace(METRICS[name], version=2))
    after = canonical("auc", settings), canonical("error", settings)
    assert after == (before[0].replace("auc", "auc-2", 1), "error-2")
