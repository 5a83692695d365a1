"""Training rows: their order, their classes, their tables, and the codes behind their value ids."""

from __future__ import annotations

import numpy as np
import pytest

from lazybayes.counts.codes import Rows
from lazybayes.counts.training import TrainingRows

CLASSES = ("no", "yes", "never")
Y = np.array([1, 0, 1, 0], dtype=np.int32)
NOMINAL = np.array([[0, 2], [1, -1], [-1, 0], [1, 1]], dtype=np.int32)


def rows() -> Rows:
    return Rows(("a", "b"), (("x", "y"), ("u", "v", "w")), NOMINAL, np.empty((4, 0)))


def test_rows_come_in_class_order_and_keep_theirs_within_a_class() -> None:
    training = TrainingRows.of(rows(), Y, CLASSES, "laplace")
    assert training.ids.tolist() == [[1, 5], [1, 3], [0, 4], [5, 2]]
    assert training.y.tolist() == [0, 0, 1, 1]
    assert training.starts.tolist() == [0, 2, 4, 4]
    assert training.counts.classes.tolist() == [2, 2, 0]
    assert training.counts.values[1].tolist() == [1, 0, 1, 0, 1]


def test_another_order_is_kept() -> None:
    training = TrainingRows.of(rows(), Y, CLASSES, "laplace", order=np.array([3, 2, 1, 0]))
    assert training.y.tolist() == [0, 1, 0, 1]
    for attribute in (0, 1):
        assert training.value_index.codes(training.ids, attribute).tolist() == NOMINAL[::-1, attribute].tolist()


def test_an_estimate_that_does_not_fit_the_classes_is_refused() -> None:
    with pytest.raises(ValueError, match="prior has 2 numbers; the data has 3 classes"):
        TrainingRows.of(rows(), Y, CLASSES, {"kind": "m-estimate", "prior": [0.5, 0.5]})
