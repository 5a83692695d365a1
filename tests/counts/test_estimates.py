"""Every estimate by its formula, in fractions; what an estimate may be, and the words for what it may not."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.counts.estimates import KINDS, Estimate, parse_estimate
from tests.drawn import SPECS, for_classes
from tests.references import Spec, of_class, of_value

COUNTS = st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=5), min_size=1, max_size=4)


@given(COUNTS, st.sampled_from(SPECS))
def test_probabilities_of_values_follow_the_formulas(table: list[list[int]], spec: Spec) -> None:
    """One attribute: a row of the table a class, a column a value."""
    k = min(len(row) for row in table)
    n = np.array([row[:k] for row in table], dtype=np.float64)
    spec = for_classes(spec, len(table))
    estimate = parse_estimate(spec.config()).bind(tuple("abcd"[: len(table)]))
    known, n_value = n.sum(axis=1, keepdims=True), n.sum(axis=0, keepdims=True)
    found = estimate.conditional(n, known, n_value, n_value.sum(keepdims=True), np.full(k, float(k)))
    for c, row in enumerate(n.astype(int).tolist()):
        for v, n_jvc in enumerate(row):
            right = of_value(spec, n_jvc, sum(row), int(n_value[0, v]), int(n.sum()), k, c)
            assert found[c, v] == pytest.approx(float(right), rel=1e-14, abs=0)


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=5),
    st.sampled_from(SPECS),
    st.sampled_from([None, "laplace", "frequency"]),
)
def test_class_priors_follow_the_formulas(n_class: list[int], spec: Spec, class_prior: str | None) -> None:
    estimate = parse_estimate(Spec(spec.kind, alpha=spec.alpha).config()).bind(
        tuple("abcde"[: len(n_class)]), class_prior
    )
    asked = Spec(spec.kind, alpha=spec.alpha, class_prior=class_prior)
    counts = np.array(n_class, dtype=np.float64)
    found = estimate.of_class(counts, counts.sum(keepdims=True), len(n_class))
    right = [float(of_class(asked, n_c, sum(n_class), len(n_class))) for n_c in n_class]
    np.testing.assert_allclose(found, right, rtol=1e-14)


@pytest.mark.parametrize(
    ("spec", "right"),
    [
        # 3 of class c's 4 rows that know the attribute have the value, 5 of all 11; three declared values
        ("m-estimate", (3 + 2 * Fraction(6, 14)) / (4 + 2)),
        ({"kind": "m-estimate", "m": 1}, (3 + Fraction(6, 14)) / (4 + 1)),
        ({"kind": "m-estimate", "m": 6, "prior": "uniform"}, Fraction(5, 10)),
        ({"kind": "m-estimate", "prior": 0.25}, Fraction(7, 12)),
        ("laplace", Fraction(4, 7)),
        ("friedman", Fraction(4, 9) * Fraction(3, 4) + Fraction(5, 9) * Fraction(6, 14)),
        ({"kind": "friedman", "N0": 1}, Fraction(4, 5) * Fraction(3, 4) + Fraction(1, 5) * Fraction(6, 14)),
        ("dirichlet", Fraction(7, 11)),
        ("frequency", Fraction(3, 4)),
    ],
)
def test_a_number_by_hand(spec: Any, right: Fraction) -> None:
    def one(x: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.array([[float(x)]])

    found = parse_estimate(spec).conditional(one(3), one(4), one(5), one(11), one(3))
    assert found.item() == pytest.approx(float(right), rel=1e-15)


def test_a_class_that_never_knows_the_attribute() -> None:
    zero, k = np.zeros((1, 1)), np.array([[4.0]])
    seen = np.array([[2.0]]), np.array([[5.0]])

    def of(spec: Any) -> float:
        return float(parse_estimate(spec).conditional(zero, zero, *seen, k).item())

    assert of("m-estimate") == of("friedman") == pytest.approx(3 / 9)  # the marginal alone
    assert of("laplace") == of("dirichlet") == 0.25
    assert of("frequency") == of({"kind": "m-estimate", "m": 0}) == 0.0


# --- what an estimate may be


def test_names_mappings_and_estimates_are_read_alike() -> None:
    for kind, own in KINDS.items():
        short, full = parse_estimate(kind), parse_estimate({"kind": kind, **own})
        assert short == full == parse_estimate(full)
        assert short.spec() == {"kind": kind, **own}
    assert set(KINDS) == {"m-estimate", "laplace", "friedman", "dirichlet", "frequency"}


@pytest.mark.parametrize("spec", SPECS)
def test_spec_writes_what_can_be_read_again(spec: Spec) -> None:
    estimate = parse_estimate(spec.config())
    assert parse_estimate(json.loads(json.dumps(estimate.spec()))) == estimate


def test_class_priors_that_the_estimates_bring() -> None:
    assert {kind: parse_estimate(kind).class_prior for kind in KINDS} == {
        "m-estimate": "laplace",
        "laplace": "laplace",
        "friedman": "laplace",
        "dirichlet": "dirichlet",
        "frequency": "frequency",
    }


def test_numbers_a_class_come_in_any_order_by_name() -> None:
    estimate = parse_estimate({"kind": "m-estimate", "prior": {"yes": 1 / 3, "no": 2 / 3}})
    assert estimate.bind(("no", "yes")).prior == (2 / 3, 1 / 3)
    assert estimate.bind(("yes", "no"), "frequency").class_prior == "frequency"


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ({"yes": 0.5, "nein": 0.5}, ["yes", "nein", "no"]),
        ({"yes": 0.5}, ["yes", "no"]),
        ([0.5], ["1", "2 classes"]),
        ([0.2, 0.3, 0.5], ["3 numbers", "2 classes"]),
        ([], ["0 numbers", "2 classes"]),
    ],
)
def test_prior_numbers_that_do_not_fit_the_classes(prior: Any, words: list[str]) -> None:
    estimate = parse_estimate({"kind": "m-estimate", "prior": prior})
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the words are checked below
        estimate.bind(("no", "yes"))
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("laplac", ["laplac", "did you mean laplace", "friedman"]),
        ({"kind": "m_estimate"}, ["m_estimate", "m-estimate"]),
        ({}, ["kind", "laplace"]),
        ({"kind": None}, ["None", "laplace"]),
        ({"kind": ["laplace"]}, ["laplace"]),
        ({"kind": {"laplace": 1}}, ["laplace"]),
        ({"kind": 2}, ["2", "laplace"]),
        (None, ["name", "mapping"]),
        (2.0, ["2.0", "mapping"]),
        (["laplace"], ["mapping"]),
        ({"kind": "m-estimate", "prio": "uniform"}, ["prio", "did you mean prior", "m-estimate"]),
        ({"kind": "laplace", "m": 2}, ["'m'", "laplace", "allowed: kind"]),
        ({"kind": "laplace", 3: 4}, ["3", "laplace", "allowed: kind"]),
        ({"kind": "m-estimate", "m": -1}, ["m must be", "-1"]),
        ({"kind": "m-estimate", "m": "2e0"}, ["m must be", "2e0"]),
        ({"kind": "m-estimate", "m": True}, ["m must be", "True"]),
        ({"kind": "m-estimate", "m": float("nan")}, ["m must be", "nan"]),
        ({"kind": "m-estimate", "m": float("inf")}, ["m must be", "inf"]),
        ({"kind": "m-estimate", "prior": "marginel"}, ["prior must be", "marginal", "marginel"]),
        ({"kind": "m-estimate", "prior": 1.5}, ["prior must be", "1.5"]),
        ({"kind": "m-estimate", "prior": None}, ["prior must be", "None"]),
        ({"kind": "m-estimate", "prior": [0.5, "x"]}, ["prior must be", "x"]),
        ({"kind": "m-estimate", "prior": {"yes": -0.1}}, ["prior must be", "-0.1"]),
        ({"kind": "friedman", "N0": 0}, ["N0 must be", "a number > 0"]),
        ({"kind": "dirichlet", "alpha": 0}, ["alpha must be", "a number > 0"]),
    ],
)
def test_what_is_no_estimate_is_said_in_words(spec: Any, words: list[str]) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the words are checked below
        parse_estimate(spec)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_an_estimate_is_not_changed_by_binding() -> None:
    estimate = parse_estimate({"kind": "m-estimate", "prior": {"a": 0.5, "b": 0.25}})
    bound = estimate.bind(("b", "a"), "frequency")
    assert (estimate.prior, estimate.class_prior) == ({"a": 0.5, "b": 0.25}, "laplace")
    assert isinstance(bound, Estimate)
    assert bound.strength == 2.0
