"""Boundaries and the Bayes error of two normal classes, against root finding and integration."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from lazybayes.textbooks.two_normals import Normal, bayes_error, decision_boundaries
from tests import textbook as book

NORMALS = st.builds(Normal, st.floats(-5, 5), st.floats(0.3, 4), st.just(0.5))


def test_crocodiles_and_alligators() -> None:
    alligator, crocodile = (Normal(*book.CROCODILES[animal]) for animal in ("alligator", "crocodile"))
    assert decision_boundaries(alligator, crocodile) == (book.CROCODILE_BOUNDARY,)
    assert bayes_error(alligator, crocodile) == pytest.approx(norm.cdf(-0.75), rel=1e-12)
    assert decision_boundaries(alligator, alligator) == ()
    assert bayes_error(alligator, alligator) == 0.5
    # with a prior the boundary moves away from the likelier class, by sd^2 ln(odds) / gap
    rarer = decision_boundaries(Normal(12, 2, 0.75), Normal(15, 2, 0.25))
    assert rarer == pytest.approx((13.5 + 4 * math.log(3) / 3,))


def test_one_class_may_be_the_likelier_everywhere() -> None:
    narrow, wide = Normal(0, 1, 0.001), Normal(0, 1.2, 0.999)
    assert decision_boundaries(narrow, wide) == ()
    assert bayes_error(narrow, wide) == pytest.approx(0.001)


@settings(max_examples=60)
@given(NORMALS, NORMALS, st.floats(0.05, 0.95))
def test_against_integration(one: Normal, other: Normal, prior: float) -> None:
    one, other = Normal(one.mean, one.deviation, prior), Normal(other.mean, other.deviation, 1 - prior)

    def lower(x: float) -> float:
        return min(prior * norm.pdf(x, one.mean, one.deviation), (1 - prior) * norm.pdf(x, other.mean, other.deviation))

    edges = decision_boundaries(one, other)
    stops = sorted({-60.0, 60.0, one.mean, other.mean, *(edge for edge in edges if abs(edge) < 60)})
    area = math.fsum(quad(lower, a, b, limit=200)[0] for a, b in pairwise(stops))
    assert bayes_error(one, other) == pytest.approx(area, abs=1e-6)
    for edge in edges:
        if abs(edge) < 60:
            assert one.log_joint(edge) == pytest.approx(other.log_joint(edge), abs=1e-5)
