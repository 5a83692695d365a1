"""Pessimistic errors against the numbers of Quinlan's book and a formula written twice; what pruning does to a tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.learners.trees.pruning import collapse, pessimistic_errors
from lazybayes.learners.trees.tree import Tree
from tests.learners.trees import slow_c45 as slow


@pytest.mark.parametrize(
    ("errors", "n", "rate"),
    [(0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750), (1, 16, 0.157)],
)
def test_limits_of_the_book(errors: int, n: int, rate: float) -> None:
    """C4.5: Programs for Machine Learning, 4.2: U25%(E, N). At one error of 16 release 8 is near it, not on it."""
    found = pessimistic_errors(np.array([[n - errors, errors]], dtype=np.float64), 0.25)[0]
    assert found == pytest.approx(n * rate, abs=0.001 * n if errors == 0 else 0.02 * n)


@given(
    st.lists(st.lists(st.floats(0, 300), min_size=2, max_size=4), min_size=1, max_size=1),
    st.sampled_from([0.25, 0.1, 0.5]),
)
def test_the_formula(classes: list[list[float]], confidence: float) -> None:
    n, wrong = sum(classes[0]), sum(classes[0]) - max(classes[0])
    expected = wrong + slow.added_errors(n, wrong, confidence) if n > slow.NEAR else 0.0
    found = pessimistic_errors(np.array(classes), confidence)
    np.testing.assert_allclose(found, [expected], rtol=1e-9, atol=1e-5)


def tree(
    classes: list[list[float]], attribute: list[int], first: list[int], branches: list[int], parent: list[int]
) -> Tree:
    cut = np.full(len(parent), np.nan)
    return Tree(np.array(attribute), cut, np.array(first), np.array(branches), np.array(parent), np.array(classes))


def test_collapse_looks_at_all_leaves_and_takes_away_all_below() -> None:
    # 0 -> (1 -> (3, 4), 2): the split of 1 saves nothing, that of 0 saves one row
    grown = tree(
        [[6, 3], [4, 2], [0, 1], [3, 2], [1, 0]],
        [0, 1, -1, -1, -1],
        [1, 3, 0, 0, 0],
        [2, 2, 0, 0, 0],
        [-1, 0, 0, 1, 1],
    )
    collapse(grown)
    assert grown.attribute.tolist() == [0, -1, -1, -1, -1]
    kept = grown.compact()
    assert kept.attribute.tolist() == [0, -1, -1]
    assert kept.first.tolist() == [1, 0, 0]
    assert kept.parent.tolist() == [-1, 0, 0]
    assert kept.classes.tolist() == [[6, 3], [4, 2], [0, 1]]


def test_collapse_of_the_root_leaves_one_node() -> None:
    grown = tree(
        [[6, 2], [4, 1], [2, 1], [1, 1], [1, 0]],
        [0, -1, 1, -1, -1],
        [1, 0, 3, 0, 0],
        [2, 0, 2, 0, 0],
        [-1, 0, 0, 2, 2],
    )
    collapse(grown)
    assert grown.attribute.tolist() == [-1] * 5
    assert len(grown.compact()) == 1
