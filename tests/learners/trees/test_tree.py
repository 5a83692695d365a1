"""Rows on their way through a small tree: nominal and numeric splits, fractions, rows that stay, text."""

from __future__ import annotations

import numpy as np
import pytest

from lazybayes.counts.codes import Rows
from lazybayes.learners.trees.tree import Entries, Tree

NAN = float("nan")


def tree() -> Tree:
    """0: colour (three values) -> 1, 2, 3; 2: size <= 1.5 -> 4, 5. Two rows in three of known colour are blue."""
    return Tree(
        np.array([0, -1, 1, -1, -1, -1]),
        np.array([NAN, NAN, 1.5, NAN, NAN, NAN]),
        np.array([1, 0, 4, 0, 0, 0]),
        np.array([3, 0, 2, 0, 0, 0]),
        np.array([-1, 0, 0, 0, 2, 2]),
        np.array([[4.0, 2.0], [1, 1], [3, 1], [0, 0], [1, 0], [2, 1]]),
    )


def rows(cells: list[tuple[int, float]]) -> Rows:
    return Rows(
        ("colour", "size"),
        (("red", "blue", "green"), None),
        np.array([[colour] for colour, _ in cells], dtype=np.int32),
        np.array([[size] for _, size in cells]),
    )


def entries(found: Entries) -> list[tuple[int, int, float]]:
    return sorted(zip(found.row.tolist(), found.node.tolist(), found.weight.tolist(), strict=True))


def test_rows_reach_the_leaves_of_their_values() -> None:
    found = tree().leaves(rows([(0, 9.0), (1, 1.5), (1, 1.500002), (1, 1.5000001), (2, NAN)]))
    assert entries(found) == [(0, 1, 1), (1, 4, 1), (2, 5, 1), (3, 4, 1), (4, 3, 1)]  # a millionth above is not above
    assert found.weight.dtype.kind == "i"  # whole rows have whole weights


def test_a_missing_cell_sends_a_row_down_every_branch_that_has_rows() -> None:
    found = entries(tree().leaves(rows([(-1, 1.0), (1, NAN), (-1, NAN)])))
    assert [(row, node) for row, node, _ in found] == [(0, 1), (0, 4), (1, 4), (1, 5), (2, 1), (2, 4), (2, 5)]
    third = 1 / 3
    shares = [third, 2 * third, 0.25, 0.75, third, 2 * third * 0.25, 2 * third * 0.75]
    assert [weight for *_, weight in found] == pytest.approx(shares)


def test_or_it_stays_where_it_is() -> None:
    found = entries(tree().leaves(rows([(-1, 1.0), (1, NAN), (0, NAN)]), divide=False))
    assert found == [(0, 0, 1), (1, 2, 1), (2, 1, 1)]


def test_rows_in_training_are_divided_as_the_others_at_the_node() -> None:
    at = Entries(np.array([0, 1, 2, 3]), np.zeros(4, dtype=np.int64), np.array([1.0, 0.5, 0.5, 1.0]))
    found = entries(tree().descend(rows([(0, 0.0), (1, 0.0), (2, 0.0), (-1, 0.0)]), at, fitted=False))
    assert found == [(0, 1, 1), (1, 2, 0.5), (2, 3, 0.5), (3, 1, 0.5), (3, 2, 0.25), (3, 3, 0.25)]


def test_a_branch_without_training_rows_is_answered_by_its_node() -> None:
    assert tree().answering.tolist() == [0, 1, 2, 0, 4, 5]


def test_the_way_to_a_node() -> None:
    found = tree().on_path(np.array([0, 1, 4, 2]), 2)
    assert found.tolist() == [[False, False], [True, False], [True, True], [True, False]]


def test_depth_levels_and_text() -> None:
    grown = tree()
    assert grown.depth == 2
    assert [nodes.tolist() for nodes in grown.levels(np.array([0]))] == [[0], [1, 2, 3], [4, 5]]
    assert grown.describe(["colour", "size"], [("red", "blue", "green"), None], str).splitlines() == [
        "colour = red: 1",
        "colour = blue",
        "|   size <= 1.5: 4",
        "|   size > 1.5: 5",
        "colour = green: 3",
    ]


def test_rows_without_missing_cells_are_followed_step_by_step() -> None:
    data = rows([(0, 0.0), (1, 0.0), (1, 2.0)])
    steps = list(tree().follow(data, np.array([0, 1, 2, 2]), np.array([0, 0, 0, 2])))
    assert [step.tolist() for step in steps] == [[0, 0, 0, 2], [1, 2, 2, 5], [1, 4, 5, 5]]


def test_what_cannot_be_reached_goes() -> None:
    grown = tree()
    grown.attribute[2] = -1
    kept = grown.compact()
    assert len(kept) == 4
    assert kept.branches.tolist() == [3, 0, 0, 0]
    assert np.isnan(kept.threshold).all()
    np.testing.assert_array_equal(kept.classes, grown.classes[:4])
