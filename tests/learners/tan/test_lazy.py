"""Semi-lazy TAN and totally lazy TAN against slow references that look for parents row by row."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.learners.tan.lazy import LazyTan, SemiLazyTan
from tests.drawn import SPECS, as_classes, as_rows, entangled, for_classes, with_tests
from tests.learners.tan import reference
from tests.references import Data, Spec, Value, normalized

Drawn = tuple[Data, list[tuple[Value, ...]]]
WEIGHTS = st.sampled_from(("printed", "joint"))


def check_semi_lazy(
    spec: Spec, data: Data, tests: list[tuple[Value, ...]], direction: str, value_weight: str, chain: str
) -> SemiLazyTan:
    learner = SemiLazyTan(estimate=spec.config(), direction=direction, value_weight=value_weight, chain=chain)
    learner.fit(as_rows(data), as_classes(data))
    parents = reference.tree(data, "joint", direction)
    expected = [
        normalized(reference.semi_lazy(spec, data, row, parents, value_weight, chain == "undirected")) for row in tests
    ]
    np.testing.assert_allclose(learner.predict_proba(as_rows(data, tests)), expected, rtol=0, atol=1e-9)
    return learner


@settings(max_examples=120)
@given(with_tests(), st.sampled_from(SPECS), WEIGHTS, st.sampled_from(("directed", "undirected")))
def test_semi_lazy_equals_the_reference(drawn: Drawn, spec: Spec, value_weight: str, chain: str) -> None:
    data, tests = drawn
    check_semi_lazy(for_classes(spec, data.n_classes), data, tests, "paper", value_weight, chain)


@settings(max_examples=20)
@given(st.integers(0, 2**32), WEIGHTS)
def test_semi_lazy_equals_the_reference_where_lines_are_long(seed: int, value_weight: str) -> None:
    random = Random(seed)
    data = entangled(random, 40)
    tests = [tuple(random.choice([None, *range(k), *range(k)]) for k in data.arity) for _ in range(10)]
    check_semi_lazy(Spec("friedman"), data, tests, "root", value_weight, "directed")


def star() -> Data:
    """b, c and d repeat a, each with an exception of its own: a is the parent of them all."""
    rows = [(a, a, a, a) for a in (0, 1, 0, 1, 0, 1, 0, 1, 0, 1)]
    for j, i in ((1, 0), (2, 3), (3, 6)):
        cells = list(rows[i])
        cells[j] = 1 - cells[j]
        rows[i] = tuple(cells)  # type: ignore[assignment]
    return Data((2, 2, 2, 2), 2, tuple(rows), (0, 0, 1, 1, 0, 1, 0, 0, 1, 1))


@pytest.mark.parametrize("chain", ["directed", "undirected"])
def test_a_chain_is_naive_bayes_with_the_same_estimate(chain: str) -> None:
    data = star()
    rows, classes = as_rows(data), as_classes(data)
    learner = SemiLazyTan(chain=chain).fit(rows, classes)
    assert learner.parents_.tolist() == [-1, 0, 0, 0]
    assert learner.answer(rows).diagnostics["chain"] == 0
    two = Data((2, 2), 2, tuple(row[:2] for row in data.rows), data.y)
    learner = SemiLazyTan(chain=chain).fit(as_rows(two), classes)
    plain = NaiveBayes(estimate="friedman").fit(as_rows(two), classes)
    answer = learner.answer(as_rows(two))
    assert answer.diagnostics["chain"] == 1
    assert (answer.proba == plain.predict_proba(as_rows(two))).all()
    assert learner.describe().endswith("naive Bayes answers.")


def test_a_line_with_its_root_in_the_middle_is_no_directed_chain() -> None:
    data = Data((2, 2, 2), 2, tuple(row[:3] for row in star().rows), star().y)
    for chain in ("directed", "undirected"):
        learner = SemiLazyTan(chain=chain).fit(as_rows(data), as_classes(data))
        assert learner.parents_.tolist() == [-1, 0, 0]
        assert learner.is_chain_ == (chain == "undirected")


def test_values_are_compared_at_12_decimals() -> None:
    data = entangled(Random(4), 60)
    learner = SemiLazyTan().fit(as_rows(data), as_classes(data))
    worth = learner.value_information_
    assert len(np.unique(worth)) > 10
    assert (worth == np.round(worth, 12)).all()


@settings(max_examples=120)
@given(with_tests(), WEIGHTS, st.booleans())
def test_lazy_equals_the_reference(drawn: Drawn, value_weight: str, given_class: bool) -> None:
    data, tests = drawn
    check_lazy(data, tests, value_weight, given_class)


@settings(max_examples=15)
@given(st.integers(0, 2**32), WEIGHTS, st.booleans())
def test_lazy_equals_the_reference_on_larger_trees(seed: int, value_weight: str, given_class: bool) -> None:
    random = Random(seed)
    data = entangled(random, 40)
    tests = [tuple(random.choice([None, *range(k), *range(k)]) for k in data.arity) for _ in range(6)]
    check_lazy(data, tests, value_weight, given_class)


def check_lazy(data: Data, tests: list[tuple[Value, ...]], value_weight: str, given_class: bool) -> None:
    form = "given-class" if given_class else "all-classes"
    learner = LazyTan(form=form, value_weight=value_weight).fit(as_rows(data), as_classes(data))
    expected = [normalized(reference.totally_lazy(data, row, value_weight, given_class)) for row in tests]
    answer = learner.answer(as_rows(data, tests))
    np.testing.assert_allclose(answer.proba, expected, rtol=0, atol=1e-9)
    edges = [max(sum(v is not None for v in row) - 1, 0) for row in tests]
    assert answer.diagnostics == {"edges": pytest.approx(np.mean(edges)), "prior_answered": 0}


def test_lazy_of_one_attribute_is_naive_bayes() -> None:
    data = entangled(Random(3), 30)
    one = Data(data.arity[:1], data.n_classes, tuple(row[:1] for row in data.rows), data.y)
    rows, classes = as_rows(one), as_classes(one)
    plain = NaiveBayes(estimate="friedman").fit(rows, classes).predict_proba(rows)
    for form in ("all-classes", "given-class"):
        assert (LazyTan(form=form).fit(rows, classes).predict_proba(rows) == plain).all()
