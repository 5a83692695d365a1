"""Log scores equal products of probabilities; leaving a row out of the tables equals refitting without it."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lazybayes.counts import scores, tables
from lazybayes.counts.estimates import Estimate, parse_estimate
from lazybayes.counts.scores import (
    LogTables,
    decide,
    fall_back_to_prior,
    leave_one_out_products,
    leave_one_out_scores,
    leave_one_out_tables,
    log_scores,
    log_tables,
)
from lazybayes.counts.tables import Counts, ValueIndex, count, one_hot
from tests import references
from tests.drawn import SPECS, codes, data_sets, for_classes, with_tests
from tests.references import Data, Spec, Value, joint, leave_one_out, log_of, normalized


def counted(data: Data, spec: Spec) -> tuple[ValueIndex, NDArray[np.int32], NDArray[np.int32], Counts, Estimate]:
    value_index = ValueIndex(np.array(data.arity, dtype=np.int64))
    ids, y = value_index.ids(codes(data.rows, len(data.arity))), np.array(data.y, dtype=np.int32)
    estimate = parse_estimate(spec.config()).bind(tuple("abcd"[: data.n_classes]), spec.class_prior)
    return value_index, ids, y, count(value_index, ids, y, data.n_classes), estimate


def posterior(log_scores: NDArray[Any]) -> NDArray[Any]:
    p = np.exp(log_scores - log_scores.max(axis=1, keepdims=True))
    return np.asarray(p / p.sum(axis=1, keepdims=True))


@settings(max_examples=150)
@given(with_tests(), st.sampled_from(SPECS), st.sampled_from([1, 3, tables.BLOCK]))
def test_scores_are_logs_of_products(drawn: tuple[Data, list[tuple[Value, ...]]], spec: Spec, block: int) -> None:
    data, tests = drawn
    spec = for_classes(spec, data.n_classes)
    value_index, _, _, counts, estimate = counted(data, spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", block)
        patch.setattr(scores, "BLOCK", block)
        found = log_scores(value_index.ids(codes(tests, len(data.arity))), log_tables(counts, estimate))
    for row, test in zip(found, tests, strict=True):
        products, lost = joint(spec, data, test, data.attributes)
        if not lost:
            np.testing.assert_allclose(row, [log_of(p) for p in products], rtol=0, atol=1e-9)
        else:
            assert np.isneginf(row).all()


@settings(max_examples=150)
@given(data_sets(), st.sampled_from(SPECS), st.sampled_from([1, 3, tables.BLOCK]))
def test_leave_one_out_equals_refitting(data: Data, spec: Spec, block: int) -> None:
    spec = for_classes(spec, data.n_classes)
    _, ids, y, counts, estimate = counted(data, spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", block)
        patch.setattr(scores, "BLOCK", block)
        found = leave_one_out_scores(ids, y, leave_one_out_tables(counts, estimate))
    refitted = leave_one_out(spec, data)
    np.testing.assert_allclose(posterior(found), [normalized(p) for p in refitted], rtol=0, atol=1e-9)
    assert decide(found).tolist() == [references.decide(p) for p in refitted]


def test_leaving_a_row_out_changes_the_factors_of_every_class() -> None:
    """With a marginal prior the row's own values weigh less in p_v, also for the classes it does not belong to."""
    data = Data((2,), 2, ((0,), (0,), (1,), (1,)), (0, 1, 1, 1))
    spec = Spec("m-estimate")
    _, ids, y, counts, estimate = counted(data, spec)
    found = leave_one_out_scores(ids, y, leave_one_out_tables(counts, estimate))
    # without row 0: P(0) = 1/5, P(1) = 4/5; p_v = (1 + 1)/(3 + 2); P(v|0) = p_v, P(v|1) = (1 + 2 * 2/5)/(3 + 2)
    np.testing.assert_allclose(np.exp(found[0]), [1 / 5 * 2 / 5, 4 / 5 * (1 + 4 / 5) / 5], rtol=1e-12)


@settings(max_examples=60)
@given(data_sets(max_rows=8), data_sets(max_rows=8), st.sampled_from(SPECS), st.sampled_from([1, tables.BLOCK]))
def test_stacked_tables_score_as_each_alone(one: Data, two: Data, spec: Spec, block: int) -> None:
    """Two sets of rows of the same attributes, every row against the table of both sets."""
    spec = for_classes(spec, one.n_classes)
    k = len(one.arity)
    shared = tuple(
        tuple(None if v is None or j >= len(cells) or v >= one.arity[j] else v for j, v in enumerate(cells[:k]))
        + (None,) * max(0, k - len(cells))
        for cells in two.rows
    )
    both = Data(one.arity, one.n_classes, one.rows + shared, one.y + tuple(c % one.n_classes for c in two.y))
    value_index, ids, y, _, estimate = counted(both, spec)
    group = np.repeat([0, 1], [len(one.rows), len(shared)])
    stacked = count(value_index, ids, y, one.n_classes, group, 2)
    row, stack = np.tile(np.arange(len(y)), 2), np.repeat([1, 0], len(y))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", block)
        patch.setattr(scores, "BLOCK", block)
        found = log_scores(ids, log_tables(stacked, estimate), row, stack)
    own = leave_one_out_tables(stacked, estimate)
    mine = np.arange(len(y))
    left = leave_one_out_scores(ids, y, own, mine, group)
    for g in (0, 1):
        alone = count(value_index, ids[group == g], y[group == g], one.n_classes)
        np.testing.assert_allclose(found[stack == g], log_scores(ids, log_tables(alone, estimate)), rtol=0, atol=1e-12)
        expected = leave_one_out_scores(ids[group == g], y[group == g], leave_one_out_tables(alone, estimate))
        np.testing.assert_allclose(left[group == g], expected, rtol=0, atol=1e-12)


@settings(max_examples=80)
@given(data_sets(), st.sampled_from([s for s in SPECS if s.kind in ("laplace", "friedman", "dirichlet")]), st.data())
def test_matrix_products_equal_sparse_sums(data: Data, spec: Spec, draw: st.DataObject) -> None:
    order = np.argsort(data.y, kind="stable").tolist()
    data = data.only(order)
    value_index, ids, y, _counts, estimate = counted(data, for_classes(spec, data.n_classes))
    group = np.array(draw.draw(st.lists(st.integers(0, 1), min_size=len(y), max_size=len(y))))
    stacked = count(value_index, ids, y, data.n_classes, group, 2)
    pairs = draw.draw(st.lists(st.tuples(st.integers(0, len(y) - 1), st.integers(0, 1)), max_size=20))
    row, stack = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    both = leave_one_out_tables(stacked, estimate)
    starts = np.searchsorted(y, np.arange(data.n_classes + 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", draw.draw(st.sampled_from([1, 5, 1 << 18])))
        found = leave_one_out_products(one_hot(value_index, ids), starts, both, row, stack)
    np.testing.assert_allclose(found, leave_one_out_scores(ids, y, both, row, stack), rtol=0, atol=1e-12)


def test_restricted_tables_skip_the_other_values() -> None:
    data = Data((2, 3), 2, ((0, 1), (1, 2), (0, None), (1, 0)), (0, 1, 1, 0))
    spec = Spec("laplace")
    value_index, ids, _, counts, estimate = counted(data, spec)
    full = log_tables(counts, estimate)
    second = value_index.attribute_of == 1
    without = [[log_of(p) for p in joint(spec, data, row, (1,))[0]] for row in data.rows]
    np.testing.assert_allclose(log_scores(ids, full.restrict(second)), without, rtol=0, atol=1e-12)
    alone = np.where(ids[:, 1:] == value_index.n_values, 3, ids[:, 1:] - 2)  # an offset space of its own
    taken = LogTables(full.prior[None], full.values[None]).take(np.array([0]), second)
    alone_scores = log_scores(alone, LogTables(taken.prior[0], taken.values[0]))
    np.testing.assert_allclose(alone_scores, without, rtol=0, atol=1e-12)
    assert not np.isclose(full.values[0], 0.0).any()  # restricting has not written into the full table


# --- underflow, ties, rescue


def test_two_thousand_attributes_do_not_underflow() -> None:
    """The product of 2,000 factors is some 1e-800; a slow sum of logs of fractions says what is right."""
    random = Random(5)
    a, n = 2000, 12
    arity = tuple(random.choice((2, 3, 9)) for _ in range(a))
    rows = tuple(tuple(random.randrange(k) if random.random() > 0.05 else None for k in arity) for _ in range(n))
    data = Data(arity, 3, rows, tuple(random.randrange(3) for _ in range(n)))
    spec = Spec("laplace")
    _value_index, ids, y, counts, estimate = counted(data, spec)

    def slow(training: Data, row: tuple[Value, ...]) -> list[float]:
        """ln P(c) + sum of ln P(v|c), one class at a time."""
        result = []
        for c in range(3):
            of_c = [r for r, yc in zip(training.rows, training.y, strict=True) if yc == c]
            terms = [math.log((len(of_c) + 1) / (len(training.y) + 3))]
            for j, v in enumerate(row):
                if v is not None:
                    cells_j = [r[j] for r in of_c if r[j] is not None]
                    terms.append(math.log((cells_j.count(v) + 1) / (len(cells_j) + arity[j])))
            result.append(math.fsum(terms))
        return result

    found = log_scores(ids, log_tables(counts, estimate))
    np.testing.assert_allclose(found, [slow(data, row) for row in rows], rtol=1e-12)
    assert found.max() < -745  # the smallest double above 0 is exp(-745.13)
    left = leave_one_out_scores(ids, y, leave_one_out_tables(counts, estimate))
    np.testing.assert_allclose(left, [slow(data.without(i), row) for i, row in enumerate(rows)], rtol=1e-12)


def test_ties_go_to_the_lowest_class_within_a_billionth() -> None:
    near, far = 0.9e-9, 1.1e-9
    table = np.array(
        [
            [-1.0, -1.0, -1.0],
            [-1.0 - near, -1.0, -3.0],
            [-1.0 - far, -1.0, -3.0],
            [-9.0, -1.0 - near, -1.0],
            [-1.0, -1.0 + near, -1.0 + 2 * near],
            [-np.inf, -700.0, -700.0],
            [-2e6, -np.inf, -1e6],
        ]
    )
    assert decide(table).tolist() == [0, 0, 1, 1, 1, 1, 2]


def test_rescue_lets_the_prior_answer_and_counts() -> None:
    table = np.array([[-np.inf, -1.0], [-np.inf, -np.inf], [-np.inf, -np.inf]])
    prior = np.log([0.25, 0.75])
    assert fall_back_to_prior(table, prior) == 2
    np.testing.assert_array_equal(table, [[-np.inf, -1.0], prior, prior])
    own = np.array([[-np.inf, -np.inf], [-1.0, -np.inf]])
    assert fall_back_to_prior(own, np.array([[-2.0, -3.0], [-4.0, -5.0]])) == 1
    np.testing.assert_array_equal(own, [[-2.0, -3.0], [-1.0, -np.inf]])


def test_rescue_is_not_asked_where_every_class_can_be() -> None:
    table = np.array([[-800.0, -900.0]])
    assert fall_back_to_prior(table, np.log([0.5, 0.5])) == 0
    np.testing.assert_array_equal(table, [[-800.0, -900.0]])


def test_leaving_out_the_only_row_with_frequencies_leaves_equal_classes() -> None:
    data = Data((2,), 3, ((1,),), (2,))
    spec = Spec("frequency")
    _, ids, y, counts, estimate = counted(data, spec)
    found = leave_one_out_scores(ids, y, leave_one_out_tables(counts, estimate))
    np.testing.assert_allclose(np.exp(found), [[1 / 3, 1 / 3, 1 / 3]], rtol=1e-12)


def test_log_tables_end_in_a_row_of_zeros_for_missing_cells() -> None:
    data = Data((2, 2), 2, ((0, 1), (1, None)), (0, 1))
    *_, counts, estimate = counted(data, Spec("laplace"))
    built: LogTables = log_tables(counts, estimate)
    assert built.values.shape == (5, 2)
    assert built.values[-1].tolist() == [0.0, 0.0]
