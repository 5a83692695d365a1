"""A learner's rows: nominal codes beside numbers, in file order."""

from __future__ import annotations

import numpy as np

from lazybayes.counts.codes import Rows

ROWS = Rows(
    names=("colour", "length", "shape", "width"),
    labels=(("red", "green", "blue"), None, ("round",), None),
    nominal=np.array([[0, 0], [2, -1], [1, 0]], dtype=np.int32),
    numeric=np.array([[1.0, 2.0], [np.nan, 4.0], [5.0, 6.0]]),
)


def test_nominal_and_numeric_attributes_keep_their_order() -> None:
    assert ROWS.nominal_names == ("colour", "shape")
    assert ROWS.numeric_names == ("length", "width")
    assert ROWS.nominal_labels == (("red", "green", "blue"), ("round",))
    assert ROWS.arity.tolist() == [3, 1]
    assert len(ROWS) == 3


def test_take_picks_rows_of_both_kinds_in_the_order_asked() -> None:
    taken = ROWS.take(np.array([2, 0, 2]))
    assert taken.nominal.tolist() == [[1, 0], [0, 0], [1, 0]]
    assert taken.numeric.tolist() == [[5.0, 6.0], [1.0, 2.0], [5.0, 6.0]]
    assert (taken.names, taken.labels) == (ROWS.names, ROWS.labels)
    assert len(ROWS.take(np.array([], dtype=np.int64))) == 0


def test_rows_without_nominal_attributes() -> None:
    rows = Rows(("x",), (None,), np.empty((2, 0), dtype=np.int32), np.zeros((2, 1)))
    assert len(rows) == 2
    assert rows.arity.tolist() == []
    assert rows.take(np.array([1])).nominal.shape == (1, 0)
