"""SuperParent TAN against a search that refits for every candidate and every row left out."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.learners.tan.superparent import SuperParentTan
from tests.drawn import SPECS, as_classes, as_rows, entangled, for_classes, with_tests
from tests.learners.tan import reference
from tests.references import Data, Spec, Value, normalized

Drawn = tuple[Data, list[tuple[Value, ...]]]


def check(spec: Spec, data: Data, tests: list[tuple[Value, ...]]) -> int:
    learner = SuperParentTan(estimate=spec.config()).fit(as_rows(data), as_classes(data))
    arcs = reference.superparent(spec, data)
    assert [(arc.parent, arc.child, arc.errors) for arc in learner.steps_] == arcs
    parents: reference.Parents = [None] * len(data.arity)
    for parent, child, _ in arcs:
        parents[child] = parent
    expected = [normalized(reference.tan(spec, data, row, parents)) for row in tests]
    answer = learner.answer(as_rows(data, tests))
    np.testing.assert_allclose(answer.proba, expected, rtol=0, atol=1e-9)
    assert answer.diagnostics["arcs"] == len(arcs)
    return len(arcs)


@settings(max_examples=60)
@given(with_tests(max_rows=9), st.sampled_from(SPECS))
def test_equals_refitting_for_every_candidate(drawn: Drawn, spec: Spec) -> None:
    data, tests = drawn
    check(for_classes(spec, data.n_classes), data, tests)


@pytest.mark.parametrize("seed", [0, 5, 82])
def test_equals_refitting_where_arcs_pay(seed: int) -> None:
    """With these seeds an attribute that has a parent would do well as the parent of its own tree's root."""
    random = Random(seed)
    data = entangled(random, 24)
    tests = [tuple(random.choice([None, *range(k)]) for k in data.arity) for _ in range(5)]
    assert check(Spec("friedman", n0=0.5), data, tests) >= 2


def test_finds_an_exclusive_or() -> None:
    rows = tuple((a, b) for a in (0, 1) for b in (0, 1) for _ in range(4))
    data = Data((2, 2), 2, rows, tuple(a ^ b for a, b in rows))
    learner = SuperParentTan().fit(as_rows(data), as_classes(data))
    assert [(arc.parent, arc.child, arc.errors) for arc in learner.steps_] == [(0, 1, 0)]
    assert learner.describe().splitlines()[1] == "  a0 -> a1: 0"


@pytest.mark.parametrize("seed", range(3))
def test_without_an_arc_that_pays_it_is_naive_bayes(seed: int) -> None:
    random = Random(seed)
    rows = tuple((random.randrange(2), random.randrange(3)) for _ in range(30))
    data = Data((2, 3), 2, rows, tuple(row[0] for row in rows))  # nothing to gain
    learner = SuperParentTan().fit(as_rows(data), as_classes(data))
    plain = NaiveBayes(estimate="friedman").fit(as_rows(data), as_classes(data))
    assert learner.answer(as_rows(data)).diagnostics == {"arcs": 0.0, "prior_answered": 0.0}
    assert (learner.predict_proba(as_rows(data)) == plain.predict_proba(as_rows(data))).all()
