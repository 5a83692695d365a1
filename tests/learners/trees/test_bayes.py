"""BT, NBTree and CLLTree against trees grown node by node, each row or fold left out by fitting a classifier anew."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.counts import tables, training, validation
from lazybayes.data.load import load_table
from lazybayes.experiment import DatasetEntry, Preprocess
from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.learners.registry import make
from lazybayes.learners.trees import leaf_scores
from lazybayes.learners.trees.bayes import SHUFFLE_SEED, BayesTreeLearner
from lazybayes.learners.trees.bt import BayesianTree
from lazybayes.learners.trees.cll_tree import CLLTree
from lazybayes.learners.trees.nb_tree import NBTree
from lazybayes.learners.trees.tree import Tree
from lazybayes.preprocess.pipeline import fit_preprocess
from tests.drawn import SPECS, as_classes, as_rows, copied, data_sets, entangled, for_classes, with_tests
from tests.learners.trees.references import (
    Node,
    Problem,
    Row,
    answers,
    contiguous,
    deal,
    grow_bt,
    grow_cll,
    grow_nb_tree,
)
from tests.references import Data, Spec, Value

GAINS = (Fraction(5, 100), Fraction(0), Fraction(1, 4))
LEARNERS = (BayesianTree, NBTree, CLLTree)


def shape(tree: Tree, node: int = 0) -> object:
    """The splits, to compare trees by; None for a leaf and for a branch without rows."""
    if tree.attribute[node] < 0:
        return None
    branches = tree.children(np.array([node]))[0].tolist()
    return int(tree.attribute[node]), [shape(tree, branch) for branch in branches]


def drawn(random: Random) -> tuple[Data, Spec, Problem, list[Row], list[tuple[Value, ...]]]:
    """Data that trees find splits in, an estimate, and rows to be classified, some of them training rows."""
    data = entangled(random, random.randint(10, 36))
    spec = for_classes(random.choice(SPECS), data.n_classes)
    rows = [Row(cells, y, 1, i) for i, (cells, y) in enumerate(zip(data.rows, data.y, strict=True))]
    tests = [tuple(None if random.random() < 0.2 else random.randrange(k) for k in data.arity) for _ in range(5)]
    return data, spec, Problem(data.arity, data.n_classes, spec), rows, [*tests, *data.rows[:3]]


def compare(
    learner: BayesTreeLearner, data: Data, problem: Problem, node: Node, tests: list[tuple[Value, ...]], divide: bool
) -> None:
    learner.fit(as_rows(data), as_classes(data))
    assert shape(learner.tree_) == node.shape()
    expected = [answers(problem, node, test, divide) for test in tests]
    np.testing.assert_allclose(learner.predict_proba(as_rows(data, tests)), expected, rtol=0, atol=1e-9)


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_bt_is_the_slow_bt(seed: int) -> None:
    random = Random(seed)
    data, spec, problem, rows, tests = drawn(random)
    min_rows, gain = random.choice((4, 10, 30)), random.choice(GAINS)
    node = grow_bt(problem, rows, data.attributes, min_rows, gain)
    learner = BayesianTree(spec.config(), min_rows, float(gain))
    compare(learner, data, problem, node, tests, divide=True)


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_nb_tree_is_the_slow_nb_tree(seed: int) -> None:
    random = Random(seed)
    data, spec, problem, rows, tests = drawn(random)
    folds, inner = random.choice((2, 5, 5)), random.choice(("deal", "contiguous"))
    min_rows, min_branch, gain = random.choice((4, 10, 30)), random.choice((1, 2, 5)), random.choice(GAINS)
    validate = deal(folds) if inner == "deal" else contiguous(folds)
    node = grow_nb_tree(problem, rows, validate, min_rows, min_branch, gain)
    learner = NBTree(spec.config(), folds, inner, min_rows, min_branch, float(gain))
    compare(learner, data, problem, node, tests, divide=True)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(("paper", "weka-frame")), st.sampled_from(("as-is", "zero")))
def test_cll_tree_is_the_slow_cll_tree(seed: int, reading: str, small: str) -> None:
    random = Random(seed)
    data, spec, problem, rows, tests = drawn(random)
    folds, inner = random.choice((2, 5, 5)), random.choice(("deal", "contiguous"))
    min_rows, gain = random.choice((4, 10, 30)), float(random.choice(GAINS))
    validate = deal(folds) if inner == "deal" else contiguous(folds)
    frame, zero = reading == "weka-frame", small == "zero"
    node = grow_cll(problem, rows, data.attributes, validate, min_rows, gain, frame, zero)
    learner = CLLTree(spec.config(), reading, small, folds, inner, min_rows, gain)
    compare(learner, data, problem, node, tests, divide=False)


def test_the_slow_trees_have_splits() -> None:
    """Or else the comparisons above would be easy."""
    depths: dict[str, list[int]] = {"bt": [], "nb": [], "cll": []}
    for seed in range(25):
        data, _, _, rows, _ = drawn(Random(seed))
        problem = Problem(data.arity, data.n_classes, Spec("laplace"))
        depths["bt"].append(grow_bt(problem, rows, data.attributes, 4, GAINS[0]).leaves())
        depths["nb"].append(grow_nb_tree(problem, rows, deal(5), 4, 2, GAINS[0]).leaves())
        depths["cll"].append(grow_cll(problem, rows, data.attributes, deal(5), 4, 0.05, False, False).leaves())
    for leaves in depths.values():
        assert sum(1 for n in leaves if n > 1) > 10
        assert sum(1 for n in leaves if n > 4) > 1


# --- properties


def learners(**params: Any) -> list[BayesTreeLearner]:
    return [kind(**params) for kind in LEARNERS]


@given(with_tests(), st.sampled_from(SPECS))
def test_a_tree_of_depth_0_is_naive_bayes_to_the_last_bit(drawn_: Any, spec: Spec) -> None:
    data, tests = drawn_
    estimate = for_classes(spec, data.n_classes).config()
    X, y, other = as_rows(data), as_classes(data), as_rows(data, tests)
    plain = NaiveBayes(estimate).fit(X, y).answer(other)
    for learner in learners(estimate=estimate, min_rows=1000):
        answer = learner.fit(X, y).answer(other)
        np.testing.assert_array_equal(answer.proba, plain.proba)
        np.testing.assert_array_equal(answer.predicted, plain.predicted)
        assert answer.diagnostics == {"leaves": 1, "depth": 0, **plain.diagnostics}


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_the_memory_at_hand_changes_nothing(seed: int) -> None:
    data, spec, _, _, tests = drawn(Random(seed))
    X, y, other = as_rows(data), as_classes(data), as_rows(data, tests)
    whole = [learner.fit(X, y) for learner in learners(estimate=spec.config(), min_rows=4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "CACHED", 1)
        patch.setattr(training, "CHEAPER", 0)
        for module in (leaf_scores, tables):
            patch.setattr(module, "TABLES", 1)
        pieces = [learner.fit(X, y) for learner in learners(estimate=spec.config(), min_rows=4)]
        for one, other_one in zip(whole, pieces, strict=True):
            assert shape(one.tree_) == shape(other_one.tree_)
            found, expected = other_one.predict_proba(other), one.predict_proba(other)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@given(data_sets(max_rows=30, max_attributes=3))
def test_a_copy_of_an_attribute_never_comes_first(data: Data) -> None:
    """Equal splits: the first wins, whatever the last bits say."""
    if not data.arity:
        return
    twice = copied(data, 0)
    for learner in learners(min_rows=4):
        tree = learner.fit(as_rows(twice), as_classes(twice)).tree_
        assert len(twice.arity) - 1 not in tree.attribute


def test_leaves_tell_where_rows_come_and_how_many_were_there() -> None:
    data = Data(
        (2, 2, 3), 2, tuple((i & 1, i >> 1 & 1, 0) for i in range(40)), tuple((i ^ i >> 1) & 1 for i in range(40))
    )
    tests = [(0, 0, 0), (1, None, 2), (None, 1, 1)]
    for learner in learners(min_rows=30):
        learner.fit(as_rows(data), as_classes(data))
        assert learner.tree_.attribute[0] == 0
        leaf, rows = learner.leaves(as_rows(data, tests))
        stays = isinstance(learner, CLLTree)
        assert leaf.tolist() == [1, 2, 0 if stays else 1]
        assert rows.tolist() == [20, 20, 40 if stays else 20]
        answer = learner.answer(as_rows(data, tests))
        assert answer.row_diagnostics["leaf_rows"].tolist() == rows.tolist()
        assert (answer.diagnostics["leaves"], answer.diagnostics["depth"]) == (2, 1)
        assert learner.describe() == "a0 = v0: naive Bayes (20.0)\na0 = v1: naive Bayes (20.0)"


def test_20_errors_to_19_is_a_split_to_nb_tree_and_none_to_bt() -> None:
    """A saving of exactly the least there may be: at least 5 % is enough to Weka's NBTree, BT wants more."""

    def accepted(rules: leaf_scores.Rules, node: float, split: float) -> bool:
        most = np.minimum(
            (1 - rules.min_gain) * node + (-1 if rules.strict else 1) * leaf_scores.SAME, node - leaf_scores.SAME
        )
        return bool(split <= most)

    for errors in (20.0, 40.0, 60.0, 100.0, 20 / 3):
        assert accepted(NBTree()._rules(), errors, errors * 0.95)
        assert not accepted(BayesianTree()._rules(), errors, errors * 0.95)
    assert not accepted(NBTree(min_gain=0.0)._rules(), 3.0, 3.0)


def test_shuffled_folds_are_one_fixed_shuffle() -> None:
    data = entangled(Random(3), 60)
    first, second = (NBTree(inner="shuffled", min_rows=4).fit(as_rows(data), as_classes(data)) for _ in range(2))
    np.testing.assert_array_equal(first.predict_proba(as_rows(data)), second.predict_proba(as_rows(data)))
    order = np.random.default_rng(SHUFFLE_SEED).permutation(60)
    y = np.array(data.y)
    expected = [i for c in range(data.n_classes) for i in order if y[i] == c]
    np.testing.assert_array_equal(first.training_.y, y[expected])
    ids = first.training_.value_index.ids(as_rows(data).nominal)
    np.testing.assert_array_equal(first.training_.ids, ids[expected])
    problem = Problem(data.arity, data.n_classes, Spec("laplace"))
    place = {i: p for p, i in enumerate(order.tolist())}
    rows = sorted((Row(data.rows[i], data.y[i], 1, place[i]) for i in range(60)), key=lambda row: row.place)
    assert shape(first.tree_) == grow_nb_tree(problem, rows, deal(5), 4, 5, GAINS[0]).shape()


def test_copied_columns(shared: Path) -> None:
    """Case 35: every learner runs, no NaN, the same on a second run; and a first copy is as good as a second."""
    file = shared / "cases" / "035-copied-columns" / "data.arff"
    table = load_table(DatasetEntry.of("copies", "path", str(file), target="class"))
    everything = np.arange(table.n_rows)
    rows = fit_preprocess(Preprocess(impute="none", discretize="none"), table, everything).transform(table, everything)
    classes = pd.Categorical.from_codes(table.y, list(table.target.values))
    for name in ("c45", "bt", "nb-tree", "cll-tree"):
        one, two = (make(name, {}).fit(rows, classes).answer(rows) for _ in range(2))
        assert np.isfinite(one.proba).all()
        np.testing.assert_array_equal(one.proba, two.proba)


class Still:
    """A generator that shuffles the training rows and then lets the rows of a branch stand in that order."""

    def __init__(self, seed: int, draw: Any = np.random.default_rng) -> None:
        self.shuffle = draw(seed).shuffle

    def random(self, n: int) -> Any:
        return np.zeros(n)


def test_inner_folds_as_weka_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node's shuffled rows are cut into runs; a branch's are dealt class by class, here without a second shuffle."""
    monkeypatch.setattr(np.random, "default_rng", Still)
    splits = 0
    for seed in range(40):
        random = Random(seed)
        data, spec, problem, rows, tests = drawn(random)
        order = np.arange(len(rows))
        Still(SHUFFLE_SEED).shuffle(order)
        place = {row: p for p, row in enumerate(order.tolist())}
        rows = sorted((Row(row.cells, row.y, 1, place[row.place]) for row in rows), key=lambda row: row.place)
        nb = grow_nb_tree(problem, rows, contiguous(5), 4, 2, GAINS[0], lambda: deal(5))
        compare(NBTree(spec.config(), 5, "weka", 4, 2, 0.05), data, problem, nb, tests, divide=True)
        cll = grow_cll(problem, rows, data.attributes, contiguous(5), 4, 0.05, False, False, deal(5))
        compare(CLLTree(spec.config(), inner="weka", min_rows=4), data, problem, cll, tests, divide=False)
        splits += (nb.leaves() > 1) + (cll.leaves() > 1)
    assert splits > 20


@pytest.mark.parametrize("learner", [NBTree, CLLTree])
def test_wekas_inner_folds_are_drawn_from_a_fixed_seed_at_every_fit(learner: type[Any]) -> None:
    data = entangled(Random(3), 60)
    one = learner(inner="weka", min_rows=4)
    found = [one.fit(as_rows(data), as_classes(data)).predict_proba(as_rows(data)) for _ in range(2)]
    np.testing.assert_array_equal(*found)
