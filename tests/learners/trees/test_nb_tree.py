"""NBTree and Weka's answers. Weka deals its inner folds by its own shuffling, so the slow NBTree, which the product is
held against with folds of its own, is held against Weka's answers with Weka's folds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests import weka
from tests.learners.trees.references import (
    Losses,
    Problem,
    Row,
    Validate,
    answers,
    contiguous,
    grow_nb_tree,
)
from tests.references import Spec


class JavaRandom:
    """java.util.Random, as its documentation defines it."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & (1 << 48) - 1

    def bits(self, n: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) & (1 << 48) - 1
        return self.state >> 48 - n

    def below(self, bound: int) -> int:
        if bound & -bound == bound:
            return bound * self.bits(31) >> 31
        while True:
            bits = self.bits(31)
            if bits - bits % bound + bound - 1 < 1 << 31:
                return bits % bound


def weka_folds(generator: JavaRandom) -> Validate:
    """Shuffled, brought into class order by swapping, every fifth row to a run, and the runs cut into folds."""

    def validate(problem, rows, attributes, loss) -> Losses:  # type: ignore[no-untyped-def]
        order = list(rows)
        for j in range(len(order) - 1, 0, -1):
            k = generator.below(j + 1)
            order[j], order[k] = order[k], order[j]
        at = 1
        while at < len(order):
            for j in range(at, len(order)):
                if order[at - 1].y == order[j].y:
                    order[at], order[j] = order[j], order[at]
                    at += 1
            at += 1
        dealt = [row for start in range(5) for row in order[start::5]]
        places = {id(row): place for place, row in enumerate(dealt)}
        cut = contiguous(5)
        renumbered = [Row(row.cells, row.y, row.weight, places[id(row)]) for row in rows]
        return cut(problem, renumbered, attributes, loss)

    return validate


def test_java_random() -> None:
    """The first whole numbers below 10 that new java.util.Random(42) gives."""
    generator = JavaRandom(42)
    assert [generator.below(10) for _ in range(10)] == [0, 3, 8, 4, 0, 5, 5, 8, 9, 3]


@pytest.mark.parametrize(
    ("name", "only"), [("iris", tuple(range(10))), ("balance-scale", (0,)), ("breast-cancer", (0,))]
)
def test_the_slow_nb_tree_with_wekas_folds_is_wekas(shared: Path, name: str, only: tuple[int, ...]) -> None:
    for fold in weka.folds(shared, name, "NBTree", only=only):
        arity = tuple(len(labels or ()) for labels in fold.rows.labels)
        problem = Problem(arity, len(fold.classes), Spec("laplace"))
        cells = [tuple(v if v >= 0 else None for v in row) for row in fold.rows.nominal.tolist()]
        rows = [Row(cells[i], int(fold.y[i]), 1, i) for i in fold.train.tolist()]
        node = grow_nb_tree(problem, rows, contiguous(5), 30, 5, Fraction(5, 100), lambda: weka_folds(JavaRandom(1)))
        found = [answers(problem, node, cells[i], divide=True) for i in fold.test.tolist()]
        np.testing.assert_allclose(found, fold.proba, rtol=0, atol=1e-9)
