"""Small disjuncts: errors by the training rows of the leaf, on the same rows for every algorithm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lazybayes.errors import StoreError, UsageError
from lazybayes.results.records import Predictions, StoredTrial
from lazybayes.statistics.disjuncts import small_disjuncts

ACTUAL = np.zeros(6, dtype=np.int32)


def answers(wrong: list[int], leaf: list[float] | None = None) -> Predictions:
    """Six rows, the wrong ones by their place; leaf: the training rows of each one's leaf."""
    predicted = np.zeros(6, dtype=np.int32)
    predicted[wrong] = 1
    told = {} if leaf is None else {"leaf_rows": np.array(leaf)}
    return Predictions(
        index=np.arange(6), actual=ACTUAL, predicted=predicted, proba=np.full((6, 2), 0.5), row_diagnostics=told
    )


def cell(dataset: str, algorithm: str, fold: int, kept: Predictions) -> tuple[StoredTrial, Predictions]:
    return StoredTrial(
        f"{dataset}{algorithm}{fold}", "done", dataset=dataset, algorithm=algorithm, repeat=0, fold=fold
    ), kept


CELLS = [
    cell("d", "T", 0, answers([0, 1, 4], [1, 2, 2.5, 5, 50, 500])),
    cell("d", "L", 0, answers([1, 5])),
    cell("d", "T", 1, answers([2], [2, 2, 2, 2, 2, np.nan])),
    cell("d", "L", 1, answers([5])),
    cell("e", "T", 0, answers([], [100, 100, 101, 101, 101, 101])),
    cell("e", "L", 0, answers([0, 1, 2])),
]


def test_rows_are_grouped_by_their_leaf() -> None:
    (found,) = small_disjuncts(CELLS)
    assert found.algorithm == "T"
    assert found.labels[:2] == ("at most 2", "over 2 to 5")
    assert found.labels[-1] == "over 100"
    # at most 2: two and five rows; over 2 to 5: 2.5 and 5; over 30 to 100: 50 and two 100s; over 100: 500 and four
    assert found.rows.tolist() == [7, 2, 0, 0, 3, 5]
    assert found.datasets.tolist() == [1, 1, 0, 0, 2, 2]
    assert found.errors["T"].tolist() == [3, 0, 0, 0, 1, 0]
    assert found.errors["L"].tolist() == [1, 0, 0, 0, 2, 2]
    assert found.unknown == 1


def test_other_edges() -> None:
    (found,) = small_disjuncts(CELLS, ["T"], edges=[2.0])
    assert found.labels == ("at most 2", "over 2")
    assert found.rows.tolist() == [7, 10]


def test_a_fold_that_lacks_an_algorithm_is_left_out() -> None:
    (found,) = small_disjuncts(CELLS[:3])
    assert found.rows.sum() == 6


def test_what_does_not_tell_its_leaves_is_told() -> None:
    with pytest.raises(UsageError, match=r"L does not tell the training rows of the leaf .* here T do"):
        small_disjuncts(CELLS, ["L"])
    with pytest.raises(UsageError, match="no algorithm of this run reports"):
        small_disjuncts([CELLS[1]])


def test_rows_that_differ_are_told() -> None:
    other = replace(CELLS[1][1], index=np.arange(1, 7))
    with pytest.raises(StoreError, match="the test rows of T and L differ in a fold of d"):
        small_disjuncts([CELLS[0], (CELLS[1][0], other)])
