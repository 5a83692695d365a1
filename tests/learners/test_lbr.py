"""LBR against table 1 of the paper followed to the letter for one row at a time, and against Weka's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.counts import scores, tables
from lazybayes.data.generators import generate
from lazybayes.learners import lbr
from lazybayes.learners.lbr import LazyBayesianRules
from lazybayes.learners.naive_bayes import NaiveBayes
from tests import references, weka
from tests import textbook as book
from tests.drawn import SPECS, as_classes, as_rows, copied, entangled, for_classes, with_tests
from tests.references import Data, Lbr, Rule, Spec, Value, normalized, significant

ALPHAS = (0.05, 0.05, 0.2, 0.5, 0.9, 1 / 32, 37 / 256)
"""Also levels that a sign test hits exactly: 5 of 5 rows, 6 of 8."""


@dataclass(frozen=True)
class Case:
    """Training data, rows to be classified, and the rule that table 1 grows for each."""

    data: Data
    spec: Spec
    alpha: float
    tests: list[tuple[Value, ...]]
    rules: list[Rule]

    def fitted(self) -> LazyBayesianRules:
        return LazyBayesianRules(self.spec.config(), self.alpha).fit(as_rows(self.data), as_classes(self.data))


def case(data: Data, spec: Spec, alpha: float, tests: list[tuple[Value, ...]]) -> Case:
    spec = for_classes(spec, data.n_classes)
    slow = Lbr(spec, data, alpha)
    return Case(data, spec, alpha, tests, [slow.rule(test) for test in tests])


@cache
def entangled_cases() -> tuple[Case, ...]:
    cases = []
    for seed in range(200):
        random = Random(seed)
        data = entangled(random, random.choice((8, 20, 40, 60)))
        rows = [tuple(None if random.random() < 0.1 else random.randrange(k) for k in data.arity) for _ in range(6)]
        cases.append(case(data, random.choice(SPECS), random.choice(ALPHAS), rows))
    return tuple(cases)


@cache
def tic_tac_toe() -> Case:
    """A sample of the end boards, with the defaults of the paper."""
    raw, target = generate("tic-tac-toe", {})
    names = [attribute.name for attribute in raw.attributes]
    y = raw.columns[names.index(target)]
    cells = np.column_stack([column for name, column in zip(names, raw.columns, strict=True) if name != target])
    rows = np.random.default_rng(4).permutation(len(y))[:200]
    train, test = rows[:180], rows[180:]
    data = Data((3,) * 9, 2, tuple(map(tuple, cells[train].tolist())), tuple(y[train].tolist()))
    return case(data, Spec("m-estimate"), 0.05, [tuple(row) for row in cells[test].tolist()])


def lengths(cases: tuple[Case, ...]) -> Counter[int]:
    return Counter(len(rule.conditions) for one in cases for rule in one.rules)


def test_the_cases_grow_rules_of_one_two_and_three_conditions() -> None:
    """Else the comparisons below would say little."""
    grown = lengths(entangled_cases())
    assert grown[1] >= 150
    assert grown[2] >= 60
    assert grown[3] >= 10
    assert sum(rule.tied for one in entangled_cases() for rule in one.rules) >= 50
    assert {one.spec.kind for one in entangled_cases()} == {spec.kind for spec in SPECS}
    assert lengths((tic_tac_toe(),))[1] >= 10


def assert_as_table_1(one: Case) -> None:
    answer = one.fitted().answer(as_rows(one.data, one.tests))
    right = [normalized(rule.products) for rule in one.rules]
    np.testing.assert_allclose(answer.proba, right, rtol=0, atol=1e-9)
    assert answer.predicted.tolist() == [references.decide(rule.products) for rule in one.rules]
    n = Counter(len(rule.conditions) for rule in one.rules)
    told = answer.diagnostics
    assert told["conditions"] == pytest.approx(sum(k * v for k, v in n.items()) / len(one.rules))
    assert told["plain_nb_share"] == pytest.approx(n[0] / len(one.rules))
    assert {k: told.get(f"rules_of_{k}", 0.0) for k in range(7)} == {k: n[k] for k in range(7)}
    assert told["distinct_rules"] == len({frozenset(rule.conditions) for rule in one.rules})
    assert told["prior_answered"] == sum(rule.lost for rule in one.rules)


SPARSE, DENSE = 0, 1e18


@pytest.mark.parametrize(
    ("cheaper", "block", "entries"),
    [
        pytest.param(lbr.CHEAPER, tables.BLOCK, tables.TABLES, id="as it is"),
        pytest.param(SPARSE, tables.BLOCK, tables.TABLES, id="sparse sums"),
        pytest.param(DENSE, tables.BLOCK, tables.TABLES, id="matrix products"),
        pytest.param(SPARSE, 60, 300, id="sparse sums in tiny blocks"),
        pytest.param(DENSE, 60, 300, id="matrix products in tiny blocks"),
    ],
)
def test_rules_are_those_of_table_1(monkeypatch: pytest.MonkeyPatch, cheaper: float, block: int, entries: int) -> None:
    products = 0

    def counting(*args: Any) -> Any:
        nonlocal products
        products += 1
        return scores.leave_one_out_products(*args)

    monkeypatch.setattr(lbr, "CHEAPER", cheaper)
    monkeypatch.setattr(lbr, "TABLES", entries)
    monkeypatch.setattr(tables, "TABLES", entries)
    monkeypatch.setattr(tables, "BLOCK", block)
    monkeypatch.setattr(scores, "BLOCK", block)
    monkeypatch.setattr(lbr, "leave_one_out_products", counting)
    for one in (*entangled_cases(), tic_tac_toe()):
        assert_as_table_1(one)
    if cheaper == SPARSE:
        assert products == 0
    if cheaper == DENSE:
        assert products > 20


@settings(max_examples=150)
@given(with_tests(), st.sampled_from(SPECS), st.sampled_from((*ALPHAS, 0.99, 1e-9)))
def test_small_data_of_every_shape(drawn: tuple[Data, list[tuple[Value, ...]]], spec: Spec, alpha: float) -> None:
    assert_as_table_1(case(drawn[0], spec, alpha, drawn[1]))


def test_explain_shows_the_rule_of_table_1() -> None:
    for one in (*entangled_cases()[:50], tic_tac_toe()):
        learner, rows = one.fitted(), as_rows(one.data, one.tests)
        for i, rule in enumerate(one.rules):
            told = learner.explain(rows, i)
            assert told.antecedent == tuple((f"a{j}", f"v{v}") for j, v in rule.conditions)
            assert told.local_rows.tolist() == list(rule.rows)
            local = one.data.only(rule.rows)
            assert told.class_rows.tolist() == [local.y.count(c) for c in range(one.data.n_classes)]
            conditioned = {j for j, _ in rule.conditions}
            known = [(f"a{j}", f"v{v}") for j, v in enumerate(one.tests[i]) if v is not None and j not in conditioned]
            assert [(name, value) for name, value, _ in told.factors] == known
            np.testing.assert_allclose(told.posterior, normalized(rule.products), rtol=0, atol=1e-9)
            if not rule.lost:
                joint = np.exp(told.prior + sum(factor for *_, factor in told.factors))
                np.testing.assert_allclose(joint, [float(p) for p in rule.products], rtol=1e-9, atol=0)


@pytest.mark.parametrize("name", weka.LBR_SETS)
def test_laplace_equals_weka(shared: Path, name: str) -> None:
    grown: Counter[str] = Counter()
    for fold in weka.folds(shared, name, "LBR"):
        answer = LazyBayesianRules("laplace").fit(*fold.of(fold.train)).answer(fold.of(fold.test)[0])
        weka.assert_same(answer.proba, answer.predicted, fold)
        grown.update({key: int(n) for key, n in answer.diagnostics.items() if key.startswith("rules_of_")})
    if name == "tic-tac-toe":
        assert min(grown["rules_of_1"], grown["rules_of_2"], grown["rules_of_3"]) > 20


# --- what follows from the definition


@settings(max_examples=80)
@given(with_tests(max_rows=25), st.sampled_from(SPECS))
def test_with_alpha_0_it_is_naive_bayes(drawn: tuple[Data, list[tuple[Value, ...]]], spec: Spec) -> None:
    data, tests = drawn
    spec = for_classes(spec, data.n_classes)
    lazy = LazyBayesianRules(spec.config(), alpha=0.0).fit(as_rows(data), as_classes(data)).answer(as_rows(data, tests))
    plain = NaiveBayes(spec.config()).fit(as_rows(data), as_classes(data)).answer(as_rows(data, tests))
    np.testing.assert_array_equal(lazy.proba, plain.proba)
    np.testing.assert_array_equal(lazy.predicted, plain.predicted)
    assert lazy.diagnostics["plain_nb_share"] == 1


def test_the_order_of_training_rows_does_not_matter() -> None:
    for seed, one in enumerate((*entangled_cases()[:60], tic_tac_toe())):
        order = Random(seed).sample(range(len(one.data.y)), len(one.data.y))
        other = LazyBayesianRules(one.spec.config(), one.alpha)
        other.fit(as_rows(one.data.only(order)), as_classes(one.data.only(order)))
        rows = as_rows(one.data, one.tests)
        np.testing.assert_array_equal(other.answer(rows).proba, one.fitted().answer(rows).proba)


def test_the_order_of_attributes_and_values_decides_ties_alone() -> None:
    compared = 0
    for seed, one in enumerate((*entangled_cases(), tic_tac_toe())):
        random = Random(seed)
        a = len(one.data.arity)
        attributes = random.sample(range(a), a)
        values = [random.sample(range(k), k) for k in one.data.arity]

        def moved(
            cells: tuple[Value, ...], attributes: list[int] = attributes, values: list[list[int]] = values
        ) -> tuple[Value, ...]:
            return tuple(None if cells[j] is None else values[j][cells[j]] for j in attributes)

        arity = tuple(one.data.arity[j] for j in attributes)
        other = Data(arity, one.data.n_classes, tuple(map(moved, one.data.rows)), one.data.y)
        learner = LazyBayesianRules(one.spec.config(), one.alpha).fit(as_rows(other), as_classes(other))
        untied = [i for i, rule in enumerate(one.rules) if not rule.tied]
        compared += sum(bool(one.rules[i].conditions) for i in untied)
        after = learner.answer(as_rows(other, [moved(test) for test in one.tests])).proba
        right = np.array([normalized(rule.products) for rule in one.rules])
        np.testing.assert_allclose(after[untied], right[untied], rtol=0, atol=1e-9)
    assert compared > 100


# --- by hand


def exclusive_or(copies: int) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Section 4.2's example: the class is a xor b; noise is no help; each combination stands `copies` times."""
    cells = [(a, b, n) for a in (0, 1) for b in (0, 1) for n in (0, 1) for _ in range(copies)]
    X = pd.DataFrame(cells, columns=["a", "b", "noise"]).astype(str).astype("category")
    return X, np.array([a ^ b for a, b, _ in cells])


def test_exclusive_or_needs_one_condition() -> None:
    X, y = exclusive_or(5)
    assert (NaiveBayes().fit(X, y).predict(X) == y).mean() <= 0.5
    learner = LazyBayesianRules().fit(X, y)
    assert (learner.predict(X) == y).all()
    for i in range(len(X)):
        assert learner.explain(X, i).antecedent == (("a", X["a"][i]),)  # b would do as well: the first on a tie
    told = learner.answer(X).diagnostics
    assert (told["conditions"], told["plain_nb_share"], told["distinct_rules"]) == (1.0, 0.0, 2.0)


def test_four_newly_right_rows_are_too_few_and_five_are_enough() -> None:
    assert not significant(4, 0, 0.05)
    assert significant(5, 0, 0.05)
    for copies, conditions in ((1, 0.0), (2, 1.0)):
        # all rows are wrong by leave-one-out; a condition makes the 4 or 8 rows that satisfy it right
        X, y = exclusive_or(copies)
        assert LazyBayesianRules().fit(X, y).answer(X).diagnostics["conditions"] == conditions


def test_a_level_that_is_hit_exactly_is_not_passed() -> None:
    """Eight rows newly right: p = 2^-8."""
    X, y = exclusive_or(2)
    for alpha, conditions in ((2**-8, 0.0), (np.nextafter(2**-8, 1) * (1 + 1e-11), 1.0), (0.0, 0.0)):
        assert LazyBayesianRules(alpha=alpha).fit(X, y).answer(X).diagnostics["conditions"] == conditions


def test_a_condition_must_shrink_the_subset() -> None:
    """Constants of many declared values make class q too unlikely: without one of them its ten rows would be right.

    That would be a deletion, not a condition: all 30 rows satisfy it.
    """
    constant = pd.Categorical(["same"] * 30, ["same", *(f"other {i}" for i in range(99))])
    b = pd.Categorical(["x"] * 17 + ["y"] * 13)
    X, y = pd.DataFrame({"k1": constant, "k2": constant, "b": b}), ["p"] * 20 + ["q"] * 10
    spec = Spec("laplace")
    data = Data((100, 100, 2), 2, tuple((0, 0, i) for i in b.codes.tolist()), tuple([0] * 20 + [1] * 10))
    slow = Lbr(spec, data, 0.2)
    full, less = (slow.errors(tuple(range(30)), attributes) for attributes in ((0, 1, 2), (1, 2)))
    assert significant(len(full - less), len(less - full), 0.2)
    learner = LazyBayesianRules("laplace", 0.2).fit(X, y)
    assert [learner.explain(X, i).antecedent for i in (0, 29)] == [(), (("b", "y"),)]


def test_of_copies_the_lowest_is_chosen_and_the_rest_say_nothing_more() -> None:
    random = Random(7)
    data = copied(entangled(random, 60), 0)
    last = len(data.arity) - 1
    learner = LazyBayesianRules("laplace", 0.5).fit(as_rows(data), as_classes(data))
    for i in range(len(data.y)):
        assert f"a{last}" not in {name for name, _ in learner.explain(as_rows(data), i).antecedent}


def test_an_attribute_missing_in_the_row_is_no_condition() -> None:
    X, y = exclusive_or(5)
    learner = LazyBayesianRules().fit(X, y)
    row = X.iloc[[0]].copy()
    row["a"] = pd.Categorical([None], X["a"].cat.categories)
    assert learner.explain(row, 0).antecedent == (("b", "0"),)
    row["b"] = pd.Categorical([None], X["b"].cat.categories)
    assert learner.explain(row, 0).antecedent == ()
    outside = X.iloc[[0]].astype(str).assign(a="7").astype("category")
    assert learner.explain(outside, 0).antecedent == (("b", "0"),)


def test_training_rows_that_miss_the_attribute_satisfy_no_condition_on_it() -> None:
    X, y = exclusive_or(6)
    X["a"] = X["a"].where(np.arange(len(X)) % 6 != 0)
    told = LazyBayesianRules().fit(X, y).explain(X, 1)
    (condition,) = told.antecedent
    satisfied = np.flatnonzero(X[condition[0]] == condition[1])
    if condition[0] == "a":
        assert not set(satisfied) & set(range(0, len(X), 6))
    assert told.local_rows.tolist() == satisfied.tolist()
    rule = f"If {condition[0]} = {condition[1]}, then naive Bayes of {len(satisfied)} training rows ("
    assert repr(told).startswith(rule)


def test_a_rule_undoes_the_harm_of_correlated_attributes() -> None:
    """Tan, Steinbach & Kumar p. 238: naive Bayes says class 1 of A = 0, B = 0, the true posterior class 0.

    Within A = 0 the local classifier is the truth. (Ten rows are newly right and nine newly wrong: at 0.05 the
    condition would not pass.)
    """
    X, y = book.correlated()
    record = book.record({"A": 0, "B": 0}, X)
    learner = LazyBayesianRules("frequency", alpha=0.6).fit(X, y)
    told = learner.explain(record, 0)
    assert told.antecedent == (("A", "0"),)
    local = np.exp(
        told.prior + sum(factor for *_, factor in told.factors)
    )  # times P(A = 0 given Y) 50/25 less P(A = 0)
    np.testing.assert_allclose(local / local.sum(), [book.CORRELATED_TRUE_Y0, 1 - book.CORRELATED_TRUE_Y0], rtol=1e-12)
    np.testing.assert_allclose(local[0] / local[1], book.CORRELATED_TRUE[0] / book.CORRELATED_TRUE[1], rtol=1e-12)
    assert learner.predict(record).tolist() == [0]
    assert LazyBayesianRules("frequency").fit(X, y).predict(record).tolist() == [1]


def test_no_rows_to_classify() -> None:
    X, y = exclusive_or(2)
    answer = LazyBayesianRules().fit(X, y).answer(X.iloc[:0])
    assert answer.proba.shape == (0, 2)
    assert answer.predicted.shape == (0,)
    assert all(np.isfinite(value) for value in answer.diagnostics.values())


def test_one_training_row_and_one_class() -> None:
    X = pd.DataFrame({"a": pd.Categorical(["x"], ["x", "y"])})
    learner = LazyBayesianRules(alpha=0.9).fit(X, pd.Categorical(["p"], ["p"]))
    assert learner.predict_proba(X).tolist() == [[1.0]]


def test_numeric_attributes_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'length' is numeric: put lazybayes\.Discretizer"):
        LazyBayesianRules().fit(pd.DataFrame({"length": [1.0, 2.0]}), ["p", "q"])


def test_two_thousand_attributes_do_not_underflow() -> None:
    """Products of some 1e-1500, in the local classifiers and in the leave-one-out errors that are compared."""
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 6, (24, 2000))
    codes[:, :2] %= 2
    data = Data((2, 2) + (6,) * 1998, 2, tuple(map(tuple, codes.tolist())), tuple((codes[:, 0] ^ codes[:, 1]).tolist()))
    learner = LazyBayesianRules("laplace").fit(as_rows(data), as_classes(data))
    tests = as_rows(data, data.rows[:4])
    logs = learner.predict_log_proba(tests)
    assert np.isfinite(logs).all()
    for i in range(4):
        told = learner.explain(tests, i)
        scores = told.prior + np.sum([factor for *_, factor in told.factors], axis=0)
        assert scores.max() < -745  # the smallest double above 0 is exp(-745.13)
        np.testing.assert_allclose(logs[i, 0] - logs[i, 1], scores[0] - scores[1], rtol=1e-9)
