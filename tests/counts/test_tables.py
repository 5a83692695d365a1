"""Contingency tables equal pandas crosstabs; the offset space keeps every attribute's values apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lazybayes.counts import tables
from lazybayes.counts.tables import ValueIndex, blocks, count, one_hot, pair_counts
from tests.drawn import codes, data_sets
from tests.references import Data


def frame(data: Data) -> pd.DataFrame:
    """The codes, missing cells as such, and the class in the column `class`."""
    columns: dict[Any, Any] = {
        j: pd.Categorical([cells[j] for cells in data.rows], categories=range(k)) for j, k in enumerate(data.arity)
    }
    return pd.DataFrame({**columns, "class": pd.Categorical(data.y, categories=range(data.n_classes))})


def crosstab(one: pd.Series, two: pd.Series) -> NDArray[np.int64]:
    """Every declared pair, seen or not; a missing cell is in none."""
    return (
        pd.crosstab(one, two, dropna=False)
        .reindex(one.cat.categories, columns=two.cat.categories, fill_value=0)
        .to_numpy()
    )


def counted(data: Data) -> tuple[ValueIndex, NDArray[np.int32], NDArray[np.int32]]:
    value_index = ValueIndex(np.array(data.arity, dtype=np.int64))
    return value_index, value_index.ids(codes(data.rows, len(data.arity))), np.array(data.y, dtype=np.int32)


@settings(max_examples=60)
@given(data_sets(max_rows=20), st.sampled_from([1, 5, tables.BLOCK]))
def test_class_and_value_tables_equal_crosstabs(data: Data, block: int) -> None:
    value_index, ids, y = counted(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", block)
        counts = count(value_index, ids, y, data.n_classes)
    expected = frame(data)
    classes = expected["class"].value_counts().reindex(range(data.n_classes)).to_numpy()
    np.testing.assert_array_equal(counts.classes, classes)
    assert counts.values.shape == (data.n_classes, sum(data.arity))
    for j, k in enumerate(data.arity):
        start = value_index.offsets[j]
        table = crosstab(expected["class"], expected[j])
        np.testing.assert_array_equal(counts.values[:, start : start + k], table)
        np.testing.assert_array_equal(counts.known[:, j], table.sum(axis=1))


@settings(max_examples=25)
@given(data_sets(max_rows=20, max_attributes=3))
def test_pair_tables_equal_crosstabs(data: Data) -> None:
    order = np.argsort(data.y, kind="stable")
    value_index, ids, y = counted(data)
    ids, y = ids[order], y[order]
    starts = np.searchsorted(y, np.arange(data.n_classes + 1))
    values = np.arange(value_index.n_values)[::-1]  # any order, any subset
    pairs = pair_counts(one_hot(value_index, ids), starts, values)
    assert pairs.shape == (value_index.n_values, data.n_classes, value_index.n_values)
    expected = frame(data)
    for place, value in enumerate(values.tolist()):
        j, v = value_index.attribute_of[value], value - value_index.offsets[value_index.attribute_of[value]]
        chosen = expected[expected[j] == v]
        for other, k in enumerate(data.arity):
            start = value_index.offsets[other]
            np.testing.assert_array_equal(pairs[place, :, start : start + k], crosstab(chosen["class"], chosen[other]))


@given(data_sets(max_rows=20), st.data())
def test_a_fold_is_left_out_by_subtraction(data: Data, draw: st.DataObject) -> None:
    value_index, ids, y = counted(data)
    out = np.array(draw.draw(st.lists(st.booleans(), min_size=len(y), max_size=len(y))), dtype=bool)
    total, fold, rest = (count(value_index, ids[keep], y[keep], data.n_classes) for keep in (out >= 0, out, ~out))
    left = total - fold
    np.testing.assert_array_equal(left.classes, rest.classes)
    np.testing.assert_array_equal(left.values, rest.values)
    np.testing.assert_array_equal(left.known, rest.known)


@given(data_sets(max_rows=20), st.data())
def test_stacked_tables_count_each_group_alone(data: Data, draw: st.DataObject) -> None:
    value_index, ids, y = counted(data)
    group = np.array(draw.draw(st.lists(st.integers(0, 2), min_size=len(y), max_size=len(y))))
    stacked = count(value_index, ids, y, data.n_classes, group, 4)
    assert stacked.values.shape == (4, data.n_classes, value_index.n_values)
    for g in range(4):
        alone = count(value_index, ids[group == g], y[group == g], data.n_classes)
        np.testing.assert_array_equal(stacked.classes[g], alone.classes)
        np.testing.assert_array_equal(stacked.values[g], alone.values)
        np.testing.assert_array_equal(stacked.known[g], alone.known)


def test_layout_of_an_offset_space() -> None:
    value_index = ValueIndex(np.array([2, 3, 1]))
    assert value_index.offsets.tolist() == [0, 2, 5]
    assert value_index.n_values == 6
    assert value_index.attribute_of.tolist() == [0, 0, 1, 1, 1, 2]
    assert value_index.arity_of.tolist() == [2, 2, 3, 3, 3, 1]
    assert value_index.ids(np.array([[1, 2, 0], [-1, 0, -1]])).tolist() == [[1, 4, 5], [6, 2, 6]]
    assert value_index.per_attribute(np.arange(6.0)).tolist() == [1, 9, 5]
    assert value_index.spread(np.array([7.0, 8.0, 9.0])).tolist() == [7, 7, 8, 8, 8, 9]


def test_an_attribute_without_declared_values_keeps_its_place() -> None:
    value_index = ValueIndex(np.array([2, 0, 3]))
    ids = value_index.ids(np.array([[1, -1, 2], [0, -1, -1]]))
    counts = count(value_index, ids, np.array([0, 1]), 2)
    assert counts.known.tolist() == [[1, 0, 1], [1, 0, 0]]
    assert value_index.per_attribute(counts.values).tolist() == counts.known.tolist()


def test_no_attributes_at_all() -> None:
    value_index = ValueIndex(np.array([], dtype=np.int64))
    counts = count(value_index, value_index.ids(np.empty((3, 0), dtype=np.int32)), np.array([0, 2, 2]), 3)
    assert counts.classes.tolist() == [1, 0, 2]
    assert counts.values.shape == (3, 0)
    assert counts.known.shape == (3, 0)


@given(st.integers(0, 50), st.integers(0, 20), st.integers(1, 30))
def test_blocks_cover_all_rows_once_within_the_bound(n: int, width: int, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", block)
        slices = list(blocks(n, width))
    assert [i for part in slices for i in range(n)[part]] == list(range(n))
    assert all((part.stop - part.start) * width <= max(block, width) for part in slices)


def test_pair_counts_are_exact_where_float32_is_not_in_every_number() -> None:
    """An odd count near the limit of 2^24 rows, summed in float32."""
    n = 2**24 - 1
    hot = np.broadcast_to(np.ones((1, 1), dtype=np.float32), (n, 1))
    assert pair_counts(hot, np.array([0, n]), np.array([0])).tolist() == [[[n]]]
