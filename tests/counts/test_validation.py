"""Validated scores of weighted rows in many groups, against classifiers fitted anew without the row or the fold."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.counts import training, validation
from lazybayes.counts.tables import ValueIndex, count
from lazybayes.counts.validation import (
    FoldValidation,
    LeaveOneOut,
    Members,
    StratifiedFolds,
    validated_scores,
)
from tests.drawn import SPECS, codes, data_sets, for_classes, training_rows
from tests.learners.trees.references import Problem, Row, scores
from tests.references import Data, Spec

WEIGHTS = (Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(2, 7))


@st.composite
def grouped(draw: st.DrawFn) -> tuple[Data, Spec, list[tuple[int, int, Fraction]], list[tuple[bool, ...]]]:
    """Rows in groups, some of them in several or in none: (row, group, weight), and the attributes of each group."""
    data = draw(data_sets(max_rows=14))
    spec = for_classes(draw(st.sampled_from(SPECS)), data.n_classes)
    whole = draw(st.booleans())
    weight = st.just(Fraction(1)) if whole else st.sampled_from(WEIGHTS)
    n_groups = draw(st.integers(1, 3))
    member = st.tuples(st.integers(0, len(data.y) - 1), st.integers(0, n_groups - 1))
    chosen = sorted(draw(st.sets(member, min_size=1, max_size=25)))
    keep = [tuple(draw(st.booleans()) for _ in data.arity) for _ in range(n_groups)]
    return data, spec, [(i, g, draw(weight)) for i, g in chosen], keep


def found(
    kind: LeaveOneOut | FoldValidation,
    given_: tuple[Data, Spec, list[tuple[int, int, Fraction]], list[tuple[bool, ...]]],
) -> np.ndarray:
    data, spec, members, keep = given_
    row, group = (np.array([member[k] for member in members]) for k in (0, 1))
    whole = all(weight == 1 for *_, weight in members)
    weight = np.array([float(w) for *_, w in members]).astype(np.int64 if whole else np.float64)
    kept = np.array(keep, dtype=bool).reshape(len(keep), len(data.arity))
    out = np.full((len(members), data.n_classes), np.nan)
    for here, part in validated_scores(kind, training_rows(data, spec), Members(row, group, weight, kept)):
        out[here] = part
    return out


def expected(data: Data, spec: Spec, rows: list[Row], test: Row, keep: tuple[bool, ...]) -> list[float]:
    problem = Problem(data.arity, data.n_classes, spec)
    return scores(problem, rows, [j for j, kept in enumerate(keep) if kept], test.cells)


def assert_same(found: np.ndarray, wanted: list[float]) -> None:
    """The same scores, up to a constant."""
    best, most = found.max(), max(wanted)
    if most > -np.inf:
        found, wanted = found - best, [score - most for score in wanted]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)


def rows_of(data: Data, members: list[tuple[int, int, Fraction]], group: int) -> list[Row]:
    return [Row(data.rows[i], data.y[i], weight, i) for i, g, weight in members if g == group]


@pytest.mark.parametrize("cached", [1, 1 << 16])
@pytest.mark.parametrize("cheaper", [0, 12])
@given(given_=grouped())
def test_leave_one_out_is_a_fit_without_the_row(given_, cached: int, cheaper: int) -> None:  # type: ignore[no-untyped-def]
    data, spec, members, keep = given_
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "CACHED", cached)
        patch.setattr(training, "CHEAPER", cheaper)
        got = found(LeaveOneOut(), given_)
    for k, (i, g, _) in enumerate(members):
        group = rows_of(data, members, g)
        others = [row for row in group if row.place != i]
        test = next(row for row in group if row.place == i)
        assert_same(got[k], expected(data, spec, others, test, keep[g]))


@pytest.mark.parametrize("kind", [FoldValidation(2), FoldValidation(5), FoldValidation(3, contiguous=True)])
@given(given_=grouped())
def test_folds_are_fits_without_the_fold(given_, kind: FoldValidation) -> None:  # type: ignore[no-untyped-def]
    data, spec, members, keep = given_
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "CACHED", 1)
        got = found(kind, given_)
    place = {(i, g): k for k, (i, g, _) in enumerate(members)}
    for g, kept in enumerate(keep):
        group = rows_of(data, members, g)
        if kind.contiguous:
            cuts = np.array_split(np.arange(len(group)), kind.n_folds)
            fold_of = {i: f for f, run in enumerate(cuts) for i in run.tolist()}
        else:
            fold_of = {i: i % kind.n_folds for i in range(len(group))}
        for i, row in enumerate(group):
            others = [other for m, other in enumerate(group) if fold_of[m] != fold_of[i]]
            want = expected(data, spec, others, row, kept)
            assert_same(got[place[row.place, g]], want)


def test_each_row_of_a_group_of_fewer_rows_than_folds_is_a_fold() -> None:
    few, many = np.array([3, 0, 2]), np.array([12])
    assert FoldValidation(5).fold(few, np.zeros(5, dtype=int)).tolist() == [0, 1, 2, 0, 1]
    assert FoldValidation(5, contiguous=True).fold(few, np.zeros(5, dtype=int)).tolist() == [0, 1, 2, 0, 1]
    runs = FoldValidation(5, contiguous=True).fold(many, np.zeros(12, dtype=int))
    assert runs.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]


def test_stratified_folds_deal_each_class_in_turn_and_are_drawn_anew() -> None:
    sizes, rng = np.array([23, 0, 40, 3]), np.random.default_rng(4)
    y = rng.integers(0, 3, sizes.sum())
    folds = StratifiedFolds(5, generator=np.random.default_rng(1))
    first, second = folds.fold(sizes, y), folds.fold(sizes, y)
    assert (first != second).any()
    np.testing.assert_array_equal(StratifiedFolds(5, generator=np.random.default_rng(1)).fold(sizes, y), first)
    for start, stop in itertools.pairwise(np.cumsum([0, *sizes])):
        for fold in (first, second):
            of_group = np.bincount(fold[start:stop], minlength=5)
            assert of_group.max(initial=0) - of_group.min() <= 1
            for c in range(3):
                of_class = np.bincount(fold[start:stop][y[start:stop] == c], minlength=5)
                assert of_class.max() - of_class.min() <= 1


def test_fractions_that_leave_nothing_leave_nothing() -> None:
    """0.1 + 0.2 - 0.3 is not 0 in floats; a probability of 0 must not become one of 1e-17."""
    data = Data((2,), 2, ((0,), (0,), (1,)), (0, 0, 1))
    spec = Spec("frequency")
    members = [(0, 0, Fraction(1, 10)), (1, 0, Fraction(2, 10)), (2, 0, Fraction(3, 10))]
    got = found(FoldValidation(2), (data, spec, members, [(True,)]))
    for k, (i, _, _) in enumerate(members):
        group = rows_of(data, members, 0)
        others = [row for m, row in enumerate(group) if m % 2 != i % 2]
        assert_same(got[k], expected(data, spec, others, group[i], (True,)))


@given(data_sets(), st.data())
def test_weights_count_as_so_many_rows(data: Data, draw: st.DataObject) -> None:
    """Counting each row with a weight of 1/2 or 3/2 is half of counting it once or three times."""
    value_index = ValueIndex(np.array(data.arity, dtype=np.int64))
    ids, y = value_index.ids(codes(data.rows, len(data.arity))), np.array(data.y)
    times = np.array(draw.draw(st.lists(st.sampled_from([1, 3]), min_size=len(y), max_size=len(y))))
    often = np.repeat(np.arange(len(y)), times)
    weighted = count(value_index, ids, y, data.n_classes, weight=times / 2)
    repeated = count(value_index, ids[often], y[often], data.n_classes)
    np.testing.assert_array_equal(2 * weighted.values, repeated.values)
    np.testing.assert_array_equal(2 * weighted.classes, repeated.classes)


@given(data_sets())
def test_a_layout_of_the_values_present_counts_the_same(data: Data) -> None:
    value_index = ValueIndex(np.array(data.arity, dtype=np.int64))
    ids, y = value_index.ids(codes(data.rows, len(data.arity))), np.array(data.y)
    present = np.isin(np.arange(value_index.n_values), ids)
    small, place = value_index.restrict(present)
    full, counts = count(value_index, ids, y, data.n_classes), count(small, place[ids], y, data.n_classes)
    at = place[:-1][present]
    np.testing.assert_array_equal(counts.values[:, at], full.values[:, present])
    np.testing.assert_array_equal(counts.known, full.known)
    np.testing.assert_array_equal(small.arity_of[at], value_index.arity_of[present])  # still the declared values
    np.testing.assert_array_equal(small.attribute_of[at], value_index.attribute_of[present])
    assert place[-1] == small.n_values  # missing stays missing
