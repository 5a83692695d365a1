"""Rules for parameters: what is right passes, what is not is said with what would be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lazybayes.learners.parameters import EstimateOf, Flag, Number, OneOf, Optional, Parameter, Whole

PAPER = OneOf(("paper", "printed"))


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        (PAPER, ["paper", "printed"]),
        (Number(0.0, 1.0), [0, 0.0, 0.05, np.nextafter(1, 0), np.float64(0.5)]),
        (Number(-1.0), [-1, 0, 1e300]),
        (Whole(2), [2, 10**12]),
        (Flag(), [True, False]),
        (EstimateOf(), ["laplace", {"kind": "m-estimate", "m": 0}]),
        (Optional(PAPER, "paper"), [None, "printed"]),
    ],
)
def test_right_values_pass(rule: Parameter, values: list[Any]) -> None:
    assert [rule.problem(value) for value in values] == [None] * len(values)


@pytest.mark.parametrize(
    ("rule", "value", "words"),
    [
        (PAPER, "papers", ["'papers'", "paper, printed"]),
        (PAPER, None, ["None", "paper, printed"]),
        (PAPER, ["paper"], ["['paper']", "paper, printed"]),
        (PAPER, True, ["True", "paper, printed"]),
        (Number(0.0, 1.0), 1.0, ["1.0", "0 <= x < 1"]),
        (Number(0.0, 1.0), -1e-300, ["-1e-300", "0 <= x < 1"]),
        (Number(0.0, 1.0), float("nan"), ["nan", "0 <= x < 1"]),
        (Number(0.0, 1.0), "0.05", ["'0.05'", "number"]),
        (Number(0.0, 1.0), True, ["True", "number"]),
        (Number(0.0, 1.0), None, ["None", "number"]),
        (Number(1.0), float("inf"), ["inf", ">= 1"]),
        (Whole(2), 1, ["1", "whole number >= 2"]),
        (Whole(2), 2.0, ["2.0", "whole number"]),
        (Whole(0), True, ["True", "whole number"]),
        (Flag(), "yes", ["'yes'", "true, false"]),
        (Flag(), 1, ["1", "true, false"]),
        (EstimateOf(), "laplas", ["laplas", "did you mean laplace"]),
        (Optional(PAPER, "paper"), "x", ["'x'", "paper, printed"]),
    ],
)
def test_wrong_values_are_said_with_what_is_allowed(rule: Parameter, value: Any, words: list[str]) -> None:
    problem = rule.problem(value)
    assert problem is not None
    assert all(word in problem for word in words), problem


def test_every_rule_describes_what_is_allowed() -> None:
    assert PAPER.describe() == "paper, printed"
    assert Number(0.0, 1.0).describe() == "a number, 0 <= x < 1"
    assert Number(30.0).describe() == "a number >= 30"
    assert Whole(2).describe() == "a whole number >= 2"
    assert Flag().describe() == "true, false"
    assert Optional(PAPER, "paper").describe() == "paper, printed"
    for kind in ("m-estimate", "laplace", "friedman", "dirichlet", "frequency", "N0", "alpha", "prior"):
        assert kind in EstimateOf().describe()


def test_numpys_numbers_are_numbers() -> None:
    """As a grid search over `numpy.arange` gives them."""
    assert Whole(2).problem(np.int64(3)) is None
    assert Number(0).problem(np.float32(0.5)) is None
    assert Whole(2).problem(np.int64(1)) is not None
    assert Whole(0).problem(np.True_) is not None
