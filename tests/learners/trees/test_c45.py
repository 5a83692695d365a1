"""C4.5 against Weka's J48 (same trees, same probabilities), and against a slow C4.5 written node by node."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.counts.codes import Rows
from lazybayes.learners.trees import gain
from lazybayes.learners.trees.c45 import C45
from lazybayes.learners.trees.tree import Tree
from tests import weka
from tests.learners.trees import slow_c45 as slow

VARIANTS = {
    "J48": {},
    "J48-L": {"laplace": True},
    "C44": {"prune": False, "collapse": False, "laplace": True},
}
NOMINAL = (
    *("balance-scale", "breast-cancer", "credit-g", "glass", "iris", "kr-vs-kp"),
    *("lymph", "soybean", "tic-tac-toe", "vehicle", "vote", "zoo"),
)
RAW = ("breast-cancer", "credit-g", "diabetes", "glass", "hepatitis", "iris", "labor", "vote")
ANSWERED = [
    *((name, variant) for name in NOMINAL for variant in VARIANTS),
    *((f"raw-{name}", variant) for name in RAW for variant in ("J48", "C44")),
]


# --- Weka


@pytest.mark.parametrize(("name", "variant"), ANSWERED)
def test_probabilities_are_wekas(shared: Path, name: str, variant: str) -> None:
    """Nominal and numeric splits, missing cells, pruning with subtree raising: all ten folds."""
    for fold in weka.folds(shared, name, variant):
        train, test = fold.of(fold.train), fold.of(fold.test)
        answer = C45(**VARIANTS[variant]).fit(*train).answer(test[0])  # type: ignore[arg-type]
        weka.assert_same(answer.proba, answer.predicted, fold)


@pytest.mark.parametrize("name", [*NOMINAL, *(f"raw-{name}" for name in RAW)])
def test_trees_are_wekas(shared: Path, name: str) -> None:
    """Line by line: the same attributes, cuts, values, classes, weights of leaves and of their errors."""
    with gzip.open(shared / "weka" / "answers" / name / "J48.models.txt.gz", "rt") as file:
        printed = file.read().split("### repeat 0 fold ")[1:]
    for k, fold in enumerate(weka.folds(shared, name, "J48")):
        learner = C45().fit(*fold.of(fold.train))
        wekas = printed[k].split("------------------\n")[1].split("\nNumber of Leaves")[0].strip()
        ours, theirs = map(lines, (learner.describe(), wekas))
        assert len(ours) == len(theirs)
        values = name.startswith("raw-") or all(labels is not None for labels in fold.rows.labels)
        for mine, other in zip(ours, theirs, strict=True):
            assert mine[:3] == other[:3]
            if values and "bin" not in str(mine[3]):
                assert mine[3] == other[3]
            assert mine[4] == other[4]
            np.testing.assert_allclose(mine[5:], other[5:], rtol=0, atol=0.011)
        leaves = int(re.findall(r"Number of Leaves  : \t(\d+)", printed[k])[0])
        assert learner.answer(fold.of(fold.test)[0]).diagnostics["leaves"] == leaves


def lines(text: str) -> list[tuple[Any, ...]]:
    """Depth, attribute, =, <= or >, value, class, weight and wrong weight of each line of a printed tree."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"((?:\|   )*)(?:(.+?) (=|<=|>) (.+?))?(?:: (\S.*?) \(([\d.]+)(?:/([\d.]+))?\))?", line)
        assert match, line
        bars, attribute, relation, value, label, weight, wrong = match.groups()
        plain = None if value is None else value.strip("'")
        if relation in ("<=", ">"):
            plain = round(float(value), 6)
        found.append((len(bars), attribute, relation, plain, label, float(weight or 0), float(wrong or 0)))
    return found


# --- a slow C4.5


def problem_of(random: Random) -> tuple[slow.Problem, list[slow.Row], dict[str, Any]]:
    """Nominal and numeric attributes with a bearing on the class, noise, missing cells; any parameters."""
    arity = [random.choice([None, 2, 2, 3, 4]) for _ in range(random.randint(1, 6))]
    n_classes, n = random.choice([2, 2, 3]), random.randint(1, 120)
    missing, noise = random.choice([0.0, 0.0, 0.05, 0.2]), random.choice([0.05, 0.2, 0.4])
    weights = [random.uniform(-1, 1) for _ in arity]
    decimals = random.choice([0, 1, 2])
    rows = []
    for _ in range(n):
        cells = [round(random.gauss(0, 1), decimals) if k is None else random.randrange(k) for k in arity]
        score = sum(w * (x if k is None else x - k / 2) for w, x, k in zip(weights, cells, arity, strict=True))
        y = int(score > 0) if n_classes == 2 else int(score > 0) + int(score > 0.7)
        y = random.randrange(n_classes) if random.random() < noise else y
        rows.append(slow.Row(tuple(None if random.random() < missing else x for x in cells), y))
    params = {
        "min_rows": random.choice([1, 2, 2, 5]),
        "confidence": random.choice([0.25, 0.25, 0.1, 0.5]),
        "prune": random.random() < 0.8,
        "collapse": random.random() < 0.7,
        "subtree_raising": random.random() < 0.8,
        "laplace": random.random() < 0.3,
    }
    given_ = {key: params[key] for key in ("min_rows", "confidence")}
    return slow.problem_of(arity, n_classes, rows, **given_), rows, params


def slow_tree(problem: slow.Problem, rows: list[slow.Row], params: dict[str, Any]) -> slow.Node:
    node = slow.grow(problem, rows)
    if params["collapse"]:
        slow.collapse(node)
    if params["prune"]:
        slow.prune(problem, node, rows, params["subtree_raising"])
    return node


def as_rows(arity: tuple[int | None, ...], rows: list[tuple[slow.Cell, ...]]) -> Rows:
    nominal = [[-1 if row[j] is None else row[j] for row in rows] for j, k in enumerate(arity) if k is not None]
    numeric = [[np.nan if row[j] is None else row[j] for row in rows] for j, k in enumerate(arity) if k is None]
    return Rows(
        tuple(f"a{j}" for j in range(len(arity))),
        tuple(None if k is None else tuple(f"v{v}" for v in range(k)) for k in arity),
        np.array(nominal, dtype=np.int32).reshape(-1, len(rows)).T,
        np.array(numeric, dtype=np.float64).reshape(-1, len(rows)).T,
    )


def as_classes(problem: slow.Problem, rows: list[slow.Row]) -> pd.Categorical:
    return pd.Categorical.from_codes([row.y for row in rows], [f"c{c}" for c in range(problem.n_classes)])


def shape(tree: Tree, node: int = 0) -> object:
    """The splits, to compare trees by."""
    if tree.attribute[node] < 0:
        return None
    cut, branches = tree.threshold[node], tree.children(np.array([node]))[0].tolist()
    return (
        int(tree.attribute[node]),
        None if np.isnan(cut) else float(cut),
        [shape(tree, branch) for branch in branches],
    )


@given(st.integers(0, 10**6), st.sampled_from([None, 1]))
def test_it_is_the_slow_c45(seed: int, budget: int | None) -> None:
    """budget: nodes and attributes may also be looked at one by one, for want of memory."""
    random = Random(seed)
    problem, rows, params = problem_of(random)
    node = slow_tree(problem, rows, params)
    with pytest.MonkeyPatch.context() as patch:
        if budget:
            patch.setattr(gain, "TABLES", budget)
            patch.setattr(gain, "BLOCK", budget)
        learner = C45(**params).fit(as_rows(problem.arity, [row.cells for row in rows]), as_classes(problem, rows))
    assert shape(learner.tree_) == node.shape()
    cells = [random.choice(rows).cells for _ in range(6)]
    tests = [tuple(None if random.random() < 0.2 else x for x in row) for row in cells]
    expected = [slow.probabilities(problem, node, row, params["laplace"]) for row in tests]
    proba = learner.predict_proba(as_rows(problem.arity, tests))
    np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-9)


def test_the_slow_c45_prunes_and_raises() -> None:
    """Or else the comparison above would be easy: many such trees are pruned, and some have a branch raised, with and
    without missing cells."""
    pruned, raised = {True: 0, False: 0}, {True: 0, False: 0}
    for seed in range(400):
        problem, rows, params = problem_of(Random(seed))
        missing = any(x is None for row in rows for x in row.cells)
        shapes = [
            slow_tree(problem, rows, {**params, "prune": prune, "subtree_raising": raising}).shape()
            for prune, raising in ((False, False), (True, False), (True, True))
        ]
        pruned[missing] += shapes[0] != shapes[1]
        raised[missing] += shapes[1] != shapes[2]
    assert min(pruned.values()) > 30
    assert min(raised.values()) > 3


# --- Quinlan's own examples

GOLF = """
sunny 75 70 true play
sunny 80 90 true no
sunny 85 85 false no
sunny 72 95 false no
sunny 69 70 false play
overcast 72 90 true play
overcast 83 78 false play
overcast 64 65 true play
overcast 81 75 false play
rain 71 80 true no
rain 65 70 true no
rain 75 80 false play
rain 68 80 false play
rain 70 96 false play
"""


def golf(missing: bool = False) -> tuple[pd.DataFrame, pd.Categorical]:
    """Table 2.1 of C4.5: Programs for Machine Learning; missing: case 6 without its outlook (section 3.2)."""
    cells = [line.split() for line in GOLF.strip().splitlines()]
    if missing:
        cells[5][0] = "?"
    outlook, temperature, humidity, windy, y = zip(*cells, strict=True)
    known = [None if value == "?" else value for value in outlook]
    X = pd.DataFrame(
        {
            "outlook": pd.Categorical(known, ["sunny", "overcast", "rain"]),
            "temperature": [float(x) for x in temperature],
            "humidity": [float(x) for x in humidity],
            "windy": pd.Categorical(windy, ["true", "false"]),
        }
    )
    return X, pd.Categorical(y, ["play", "no"])


def test_the_golf_tree_of_the_book() -> None:
    """Figure 2.2, with Quinlan's cut of humidity at 75."""
    X, y = golf()
    assert C45().fit(X, y).describe().splitlines() == [
        "outlook = sunny",
        "|   humidity <= 75: play (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: play (4.0)",
        "outlook = rain",
        "|   windy = true: no (2.0)",
        "|   windy = false: play (3.0)",
    ]


def test_the_golf_tree_with_an_unknown_outlook() -> None:
    """Section 3.2: case 6 is divided 5/13, 3/13, 5/13; of the 3.4 cases at sunny, humidity > 75, 0.4 are play; a sunny
    row of unknown humidity is play with probability 0.44."""
    X, y = golf(missing=True)
    learner = C45().fit(X, y)
    assert learner.describe().splitlines() == [
        "outlook = sunny",
        "|   humidity <= 75: play (2.0)",
        "|   humidity > 75: no (3.38/0.38)",
        "outlook = overcast: play (3.23)",
        "outlook = rain",
        "|   windy = true: no (2.38/0.38)",
        "|   windy = false: play (3.0)",
    ]
    test = pd.DataFrame(
        {
            "outlook": pd.Categorical(["sunny"], ["sunny", "overcast", "rain"]),
            "temperature": [70.0],
            "humidity": [np.nan],
            "windy": pd.Categorical(["false"], ["true", "false"]),
        }
    )
    assert learner.predict_proba(test)[0].tolist() == pytest.approx([0.44, 0.56], abs=0.005)
    leaf, rows = learner.leaves(test)
    assert (leaf.tolist(), rows[0]) == ([5], pytest.approx(3 + 5 / 13))  # where most of the row's weight comes


# --- what a user may ask


def test_a_leaf_without_training_rows_answers_as_its_node() -> None:
    X = pd.DataFrame({"a": pd.Categorical([*"xxxyyy"], [*"xyz"])})
    y = pd.Categorical(["p", "p", "p", "q", "q", "p"], ["p", "q"])
    test = pd.DataFrame({"a": pd.Categorical([*"xyz"], [*"xyz"])})
    learner = C45(prune=False).fit(X, y)
    assert learner.predict_proba(test)[:, 0].tolist() == pytest.approx([1, 1 / 3, 4 / 6])
    leaf, rows = learner.leaves(test)
    assert (leaf.tolist(), rows.tolist()) == ([1, 2, 3], [3, 3, 0])
    assert C45(prune=False, laplace=True).fit(X, y).predict_proba(test)[:, 0].tolist() == pytest.approx(
        [4 / 5, 2 / 5, 5 / 8]
    )
    assert learner.describe() == "a = x: p (3.0)\na = y: q (3.0/1.0)\na = z: p (0.0)"


def test_a_tree_of_one_node() -> None:
    X, y = pd.DataFrame({"a": pd.Categorical(["x", "y", "x"])}), pd.Categorical(["p", "q", "p"])
    for params in ({}, {"laplace": True}, {"prune": False, "collapse": False}):
        learner = C45(**params).fit(X, y)
        assert learner.describe() == "p (3.0/1.0)"
        assert learner.answer(X).diagnostics == {"leaves": 1.0, "depth": 0.0}
        assert learner.answer(X).row_diagnostics["leaf_rows"].tolist() == [3, 3, 3]
    assert C45().fit(X, y).predict_proba(X)[0].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_no_attributes_and_nothing_known() -> None:
    y = pd.Categorical(["p", "q", "p"])
    assert C45().fit(pd.DataFrame(index=range(3)), y).predict_proba(pd.DataFrame(index=range(1)))[
        0, 0
    ] == pytest.approx(2 / 3)
    X = pd.DataFrame({"a": pd.Categorical([None] * 3, ["x", "y"]), "b": [np.nan] * 3})
    assert C45().fit(X, y).describe() == "p (3.0/1.0)"


def test_numbers_far_apart_and_close_together() -> None:
    """Values within 1e-5 are one; a cut between the largest doubles stays finite, and is a training value."""
    big = np.finfo(np.float64).max
    y = pd.Categorical(["p"] * 4 + ["q"] * 4)
    learner = C45().fit(pd.DataFrame({"x": [-big, -big, -1.0, 0.0, 1.0, 2.0, big, big]}), y)
    assert learner.tree_.threshold[0] == 0.0
    close = pd.DataFrame({"x": [0.0, 1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 6e-6, 7e-6]})
    assert C45().fit(close, y).tree_.attribute.tolist() == [-1]


@pytest.mark.parametrize("confidence", [0, -0.1, 0.6, 1, float("nan"), "0.25", True])
def test_impossible_confidence(confidence: Any) -> None:
    with pytest.raises(ValueError, match=r"confidence.*0 < x <= 0.5"):
        C45(confidence=confidence).fit(*golf())


def test_a_lower_confidence_prunes_more() -> None:
    random = Random(5)
    rows = [(random.randrange(3), random.randrange(3), random.randrange(3)) for _ in range(200)]
    y = pd.Categorical.from_codes([int(a == b) if random.random() < 0.7 else c % 2 for a, b, c in rows], ["p", "q"])
    X = as_rows((3, 3, 3), rows)  # type: ignore[arg-type]
    sizes = [len(C45(confidence=confidence).fit(X, y).tree_) for confidence in (0.5, 0.25, 1e-3, 1e-9)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[2]
