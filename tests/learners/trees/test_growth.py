"""Growth with a splitter that says beforehand what to do: which rows come where, and what a level shows."""

from __future__ import annotations

import numpy as np

from lazybayes.counts.codes import Rows
from lazybayes.learners.trees.growth import Level, Splits, grow

ROWS = Rows(
    ("a", "x"),
    (("p", "q", "r"), None),
    np.array([[0], [1], [-1], [1], [0]], dtype=np.int32),
    np.array([[1.0], [2.0], [3.0], [4.0], [np.nan]]),
)
Y = np.array([0, 1, 0, 1, 1])


class Script:
    """The splits of each level, and the levels that were shown."""

    def __init__(self, *levels: list[tuple[int, float]]) -> None:
        self.levels, self.shown = list(levels), list[Level]()

    def __call__(self, level: Level) -> Splits:
        self.shown.append(level)
        splits = self.levels.pop(0) if self.levels else [(-1, np.nan)] * len(level)
        return Splits(np.array([j for j, _ in splits]), np.array([cut for _, cut in splits]))


LEAF = (-1, np.nan)


def test_levels_show_their_nodes_rows_classes_and_used_attributes() -> None:
    script = Script([(0, np.nan)], [(1, 1.5), (1, 3.0), LEAF])
    tree, levels = grow(ROWS, Y, 2, script)
    first, second, third = script.shown
    assert (len(first), len(second), len(third)) == (1, 3, 4)
    assert first.classes.tolist() == [[2, 3]]
    assert second.row.tolist() == [0, 1, 2, 2, 3, 4]  # in training order; row 2 at two nodes, none of them without rows
    assert second.at.tolist() == [0, 1, 0, 1, 1, 0]
    assert second.weight.tolist() == [1, 1, 0.5, 0.5, 1, 1]
    assert second.classes.tolist() == [[1.5, 1], [0.5, 2], [0, 0]]
    assert second.used.tolist() == [[True, False]] * 3
    assert third.used.tolist() == [[True, True]] * 4
    # row 4 (weight 1) is divided by the known rows 0 (1) and 2 (0.5) of its node
    np.testing.assert_allclose(third.classes, [[1, 2 / 3], [0.5, 1 / 3], [0.5, 1], [0, 1]])
    assert tree.parent.tolist() == [-1, 0, 0, 0, 1, 1, 2, 2]
    assert tree.first[:3].tolist() == [1, 4, 6]
    assert [sorted(set(level.node.tolist())) for level in levels] == [[0], [1, 2], [4, 5, 6, 7]]


def test_rows_of_missing_value_may_stay() -> None:
    script = Script([(0, np.nan)])
    tree, levels = grow(ROWS, Y, 2, script, divide=False)
    assert levels[1].row.tolist() == [0, 1, 3, 4]
    assert tree.classes.tolist() == [[2, 3], [1, 1], [0, 2], [0, 0]]


def test_a_level_in_parts() -> None:
    script = Script([(0, np.nan)])
    grow(ROWS, Y, 2, script)
    level = script.shown[1]
    parts = list(level.parts(np.array([3.0, 2.0, 2.0]), 4.0))
    assert [part for part, _ in parts] == [slice(0, 1), slice(1, 3)]
    (_, one), (_, rest) = parts
    assert (one.row.tolist(), one.at.tolist()) == ([0, 2, 4], [0, 0, 0])
    assert (rest.row.tolist(), rest.at.tolist(), rest.classes.tolist()) == ([1, 2, 3], [0, 0, 0], [[0.5, 2], [0, 0]])
    assert [len(nodes) for _, nodes in level.parts(np.array([3.0, 2.0, 2.0]), 1.0)] == [1, 1, 1]
    assert [len(nodes) for _, nodes in level.parts(np.array([3.0, 2.0, 2.0]), 7.0)] == [3]
