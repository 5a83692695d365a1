"""Bagging: the mean of classifiers of resampled rows; a base that is named, nested, foreign, or wrong."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from lazybayes.learners.bagging import Bagging
from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.learners.registry import accepts, check, locate, make, resolve, version
from lazybayes.learners.trees.c45 import C45
from tests.drawn import as_classes, as_rows, entangled

DATA = entangled(Random(8), 50)
X, Y = as_rows(DATA), as_classes(DATA)
C44 = {"learner": "c45", "prune": False, "collapse": False, "laplace": True}
FOREST = {"learner": "sklearn.tree.DecisionTreeClassifier", "max_depth": 3, "input": "ordinal"}


def test_it_is_the_mean_over_the_bags_drawn_from_the_seed() -> None:
    generator = np.random.default_rng(7)
    members = []
    for _ in range(4):
        bag = generator.integers(len(Y), size=len(Y))
        generator.integers(2**32)  # the seed of a randomized base
        members.append(C45(prune=False, collapse=False, laplace=True).fit(X.take(bag), Y[bag]).predict_proba(X))
    found = Bagging(C44, bags=4, random_state=7).fit(X, Y)
    np.testing.assert_allclose(found.predict_proba(X), np.mean(members, axis=0), rtol=0, atol=1e-12)
    assert found.predict(X).tolist() == [Y.categories[c] for c in np.mean(members, axis=0).argmax(axis=1)]


def test_a_seed_decides_and_none_is_drawn_anew() -> None:
    def proba(state: int | None) -> Any:
        return Bagging("c45", random_state=state).fit(X, Y).predict_proba(X)

    np.testing.assert_array_equal(proba(1), proba(1))
    assert (proba(1) != proba(2)).any()
    assert (proba(None) != proba(None)).any()
    assert make("bagging", {"base": "c45"}, seed=5).random_state == 5  # type: ignore[attr-defined]


def test_one_bag_of_one_row_is_that_row() -> None:
    one = Bagging("naive-bayes", bags=3, random_state=0).fit(X.take(np.array([4])), Y[[4]])
    expected = NaiveBayes().fit(X.take(np.array([4])), Y[[4]]).predict_proba(X)
    np.testing.assert_allclose(one.predict_proba(X), expected, rtol=0, atol=1e-12)


def test_classes_that_no_bag_has_keep_their_column() -> None:
    y = pd.Categorical.from_codes([0, 0, 0, 2], ["a", "never", "b"])
    for base in ("c45", FOREST):
        found = Bagging(base, random_state=3).fit(X.take(np.arange(4)), y).answer(X)
        assert found.proba.shape == (len(X), 3)
        assert (found.proba[:, 1] == 0).all()
        np.testing.assert_allclose(found.proba.sum(axis=1), 1)


@pytest.mark.parametrize("base", ["nb-tree", C44, {"learner": "bagging", "base": C44, "bags": 2}, FOREST])
def test_any_learner_can_be_bagged(base: Any) -> None:
    assert check("bagging", {"base": base}) == []
    learner = make("bagging", {"base": base, "bags": 2}, seed=1)
    answer = learner.fit(X, Y).answer(X)
    np.testing.assert_allclose(answer.proba.sum(axis=1), 1)
    again = clone(learner).fit(X, Y).answer(X)
    np.testing.assert_array_equal(again.proba, answer.proba)


def test_it_accepts_what_its_base_accepts() -> None:
    assert accepts("bagging", {"base": "c45"}) == {"nominal", "numeric"}
    assert accepts("bagging", {"base": "nb-tree"}) == {"nominal"}
    assert accepts("bagging", {"base": {"learner": "naive-bayes", "numeric": "gaussian"}}) == {"nominal", "numeric"}
    assert accepts("bagging", {"base": {"learner": "bagging", "base": "bt"}}) == {"nominal"}
    with pytest.raises(ValueError, match="nominal attributes only"):
        Bagging("bt").fit(pd.DataFrame({"x": [1.0, 2.0]}), ["a", "b"])


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("c4.5x", ["c4"]),
        ("c54", ["'c54' is not a learner", "did you mean c45"]),
        ({"learner": "c45", "prun": True}, ["'prun' is not a parameter of c45", "did you mean prune"]),
        (
            {"learner": "c45", "min_rows": 0, "laplace": 1},
            ["0 is not allowed", "1 is not allowed; allowed: true, false"],
        ),
        ({"lerner": "c45"}, ["needs the key learner", "did you mean learner"]),
        ({}, ["needs the key learner"]),
        ({"learner": "bagging"}, ["bagging needs the parameter base"]),
        ({"learner": "bagging", "base": {"learner": "nbtree"}}, ["did you mean nb-tree"]),
        ({"learner": "cll-tree", "folds": 1, "min_rows": 0}, ["folds: 1 is not allowed", "min_rows: 0 is not allowed"]),
        ({"learner": "c45", "input": "one-hot"}, ["c45 has no input"]),
        ({**FOREST, "input": "hot"}, ["'hot' is not allowed", "one-hot"]),
        (["c45"], ["is not allowed; allowed: a learner's name, or an entry"]),
        (None, ["is not allowed"]),
    ],
)
def test_what_is_wrong_with_a_base_is_said(base: Any, words: list[str]) -> None:
    ((parameter, message),) = check("bagging", {"base": base})
    assert parameter == "base"
    assert all(word in message for word in words), message
    with pytest.raises(ValueError, match="base"):
        Bagging(base).fit(X, Y)


def test_what_it_depends_on_is_the_base_in_full_with_its_version() -> None:
    full = resolve("bagging", {"base": C44})
    own = {key: value for key, value in C44.items() if key != "learner"}
    expected = {"learner": "c45", **resolve("c45", own)}
    assert full == {"base": {**expected, "version": version("c45")}, "bags": 10, "random_state": None}
    assert json.loads(json.dumps(full)) == full
    assert resolve("bagging", {"base": "c45"}) == resolve("bagging", {"base": {"learner": "c45", "min_rows": 2}})
    assert resolve("bagging", {"base": "c45"}) != full
    assert check("bagging", {key: value for key, value in full.items() if value is not None}) == []
    assert resolve("bagging", {"base": FOREST})["base"]["input"] == "ordinal"


def test_files_of_a_base_are_found_from_the_configs_folder(tmp_path: Path) -> None:
    (tmp_path / "net.yaml").write_text("x", encoding="utf-8")
    params = {"base": {"learner": "belief-network", "file": "net.yaml"}}
    assert locate("bagging", params, tmp_path)["base"]["file"] == str(tmp_path / "net.yaml")
    assert locate("bagging", {"base": "c45"}, tmp_path) == {"base": "c45"}
