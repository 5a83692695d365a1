"""HOCP against a slow reference that counts the rows matching every known ancestor."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.learners.tan.hocp import HigherOrderTan
from lazybayes.learners.tan.tree import TreeAugmentedNaiveBayes
from tests.drawn import SPECS, as_classes, as_rows, entangled, for_classes, with_tests
from tests.learners.tan import reference
from tests.references import Data, Spec, Value, normalized

Drawn = tuple[Data, list[tuple[Value, ...]]]


def check(spec: Spec, data: Data, tests: list[tuple[Value, ...]], direction: str) -> HigherOrderTan:
    learner = HigherOrderTan(estimate=spec.config(), direction=direction).fit(as_rows(data), as_classes(data))
    parents = reference.tree(data, "joint", direction)
    expected = [normalized(reference.hocp(spec, data, row, parents)) for row in tests]
    np.testing.assert_allclose(learner.predict_proba(as_rows(data, tests)), expected, rtol=0, atol=1e-9)
    return learner


@settings(max_examples=120)
@given(with_tests(), st.sampled_from(SPECS), st.sampled_from(("paper", "root")))
def test_equals_the_reference(drawn: Drawn, spec: Spec, direction: str) -> None:
    data, tests = drawn
    check(for_classes(spec, data.n_classes), data, tests, direction)


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_equals_the_reference_where_lines_are_long(seed: int) -> None:
    random = Random(seed)
    data = entangled(random, 40)
    tests = [tuple(random.choice([None, *range(k), *range(k)]) for k in data.arity) for _ in range(10)]
    check(Spec("friedman"), data, tests, "root")


@pytest.mark.parametrize("seed", range(3))
def test_with_one_ancestor_at_most_it_is_tan(seed: int) -> None:
    data = entangled(Random(seed), 50)
    two = Data(data.arity[:2], data.n_classes, tuple(row[:2] for row in data.rows), data.y)
    rows, classes = as_rows(two), as_classes(two)
    hocp, tan = (learner().fit(rows, classes) for learner in (HigherOrderTan, TreeAugmentedNaiveBayes))
    np.testing.assert_allclose(hocp.predict_proba(rows), tan.predict_proba(rows), rtol=0, atol=1e-12)


def test_tells_how_many_ancestors_there_are() -> None:
    data = entangled(Random(2), 50)
    learner = HigherOrderTan().fit(as_rows(data), as_classes(data))
    parents = [None if p < 0 else p for p in learner.parents_.tolist()]
    mean = np.mean([len(reference.ancestors(parents, j)) for j in data.attributes])
    diagnostics = learner.answer(as_rows(data)).diagnostics
    assert diagnostics["ancestors"] == pytest.approx(mean)
    assert set(diagnostics) == set(learner.diagnostics)
