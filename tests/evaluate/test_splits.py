"""Splits against their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.data.table import Attribute, Table
from lazybayes.errors import DataError
from lazybayes.evaluate.seeds import partition_seed
from lazybayes.evaluate.splits import Split, folds_of, partition, repeats, scheme_notices
from lazybayes.experiment import Scheme
from tests.splits import splits

MakeTable = Callable[..., Table]
ys = st.lists(st.integers(0, 3), min_size=2, max_size=60)


def of(y: list[int], name: str = "d") -> Table:
    target = Attribute("class", "nominal", ("a", "b", "c", "d"))
    return Table(name, (), (), target, np.array(y, dtype=np.int32), np.arange(len(y)))


def all_splits(scheme: Scheme, y: list[int], seed: int = 1) -> list[Split]:
    return list(splits(scheme, of(y), seed))


@given(ys, st.integers(2, 12), st.integers(0, 5))
def test_k_fold_tests_every_row_once_and_spreads_every_class(y: list[int], folds: int, seed: int) -> None:
    folds = min(folds, len(y))
    found = all_splits(Scheme(folds=folds, repeats=2), y, seed)
    assert [(split.repeat, split.fold) for split in found] == [(r, f) for r in range(2) for f in range(folds)]
    for repeat in range(2):
        tests = [split.test.tolist() for split in found if split.repeat == repeat]
        assert sorted(row for test in tests for row in test) == list(range(len(y)))
        sizes = [len(test) for test in tests]
        assert max(sizes) - min(sizes) <= 1
        for label in set(y):
            counts = [sum(y[row] == label for row in test) for test in tests]
            assert max(counts) - min(counts) <= 1
    for split in found:
        assert split.test.tolist() == sorted(split.test.tolist())
        assert split.train.tolist() == [row for row in range(len(y)) if row not in set(split.test.tolist())]


def test_k_fold_by_the_letter() -> None:
    """Rows shuffled, brought into class order (stable), dealt to the folds in turn."""
    y = [2, 0, 1, 1, 0, 2, 2, 0, 1, 0, 3]
    shuffled = np.random.default_rng(partition_seed(7, "d", 1)).permutation(len(y)).tolist()
    order = sorted(shuffled, key=lambda row: y[row])
    dealt: dict[int, list[int]] = {fold: [] for fold in range(4)}
    for place, row in enumerate(order):
        dealt[place % 4].append(row)
    got = {s.fold: s.test.tolist() for s in all_splits(Scheme(folds=4, repeats=2), y, seed=7) if s.repeat == 1}
    assert got == {fold: sorted(rows) for fold, rows in dealt.items()}


def test_a_partition_depends_on_seed_name_and_repeat_alone() -> None:
    y = [0, 1] * 20

    def tests(seed: int = 1, name: str = "d", repeats: int = 1) -> list[list[int]]:
        return [split.test.tolist() for split in splits(Scheme(folds=5, repeats=repeats), of(y, name), seed)]

    base = tests()
    assert tests() == base
    assert tests(repeats=3)[:5] == base
    assert tests(seed=2) != base
    assert tests(name="e") != base
    assert tests(repeats=2)[5:] != base


def test_a_class_with_fewer_rows_than_folds_is_no_error() -> None:
    found = all_splits(Scheme(folds=5), [0] * 9 + [1])
    assert Counter(int(np.sum(split.test == 9)) for split in found) == {0: 4, 1: 1}


def test_a_class_with_fewer_rows_than_folds_is_told() -> None:
    data = of([0] * 9 + [1])
    (notice,) = scheme_notices(Scheme(folds=5), data)
    assert "1 class with fewer rows than the 5 folds" in notice
    assert notice.endswith("(1 row)")
    assert scheme_notices(Scheme("leave-one-out"), data) == ()
    assert scheme_notices(Scheme(folds=5), of([0] * 9 + [1] * 5)) == ()


@pytest.mark.parametrize("folds", [6, 1])
def test_an_impossible_number_of_folds_is_an_error(folds: int) -> None:
    with pytest.raises(DataError, match=f"d: {folds} folds of 5 rows: expected 2 to 5"):
        all_splits(Scheme(folds=folds), [0, 1, 0, 1, 0])


def test_leave_one_out() -> None:
    found = all_splits(Scheme("leave-one-out", repeats=3), [0, 1, 1])
    assert [(s.repeat, s.fold, s.test.tolist(), s.train.tolist()) for s in found] == [
        (0, 0, [0], [1, 2]),
        (0, 1, [1], [0, 2]),
        (0, 2, [2], [0, 1]),
    ]


def test_resubstitution_trains_and_tests_on_every_row() -> None:
    (split,) = all_splits(Scheme("resubstitution"), [0, 1, 1])
    assert split.train.tolist() == split.test.tolist() == [0, 1, 2]


@given(ys, st.floats(0.001, 0.999), st.integers(0, 5))
def test_holdout_takes_its_share_of_every_class(y: list[int], share: float, seed: int) -> None:
    n = len(y)
    first, second = all_splits(Scheme("holdout", test=share, repeats=2), y, seed)
    m = min(max(round(n * share), 1), n - 1)
    for split in (first, second):
        assert split.fold == 0
        assert len(split.test) == m
        assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(n))
        for label in set(y):
            taken = sum(y[row] == label for row in split.test.tolist())
            assert abs(taken - Fraction(y.count(label) * m, n)) < 1


@pytest.mark.parametrize("scheme", ["stratified-k-fold", "leave-one-out", "holdout", "resubstitution"])
def test_the_folds_are_known_before_all_repeats_are_shuffled(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    many = Scheme(scheme, folds=3, repeats=3)
    assert folds_of(many, of([0, 1, 0, 1]), 1) == tuple((s.repeat, s.fold) for s in all_splits(many, [0, 1, 0, 1]))
    asked: list[int] = []
    monkeypatch.setattr(
        "lazybayes.evaluate.splits.partition_seed", lambda seed, name, repeat: asked.append(repeat) or seed
    )
    folds_of(many, of([0, 1, 0, 1]), 1)
    assert len(asked) <= 1


def test_holdouts_of_two_repeats_differ() -> None:
    first, second = all_splits(Scheme("holdout", test=0.3334, repeats=2), [0, 1] * 30)
    assert len(first.test) == round(60 * 0.3334)
    assert first.test.tolist() != second.test.tolist()


@pytest.mark.parametrize("scheme", ["stratified-k-fold", "leave-one-out", "holdout"])
def test_one_row_cannot_both_train_and_test(scheme: str) -> None:
    with pytest.raises(DataError, match="needs at least two rows"):
        all_splits(Scheme(scheme), [0])


def test_no_rows_are_an_error() -> None:
    with pytest.raises(DataError, match="d: there are no rows to test"):
        all_splits(Scheme("resubstitution"), [])


def test_a_folds_file_need_not_test_every_row(tmp_path: Path, table: MakeTable) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("repeat,fold,index\n1,0,7\n0,2,5\n0,1,2\n0,2,3\n", encoding="utf-8")
    data = table([0, 1, 0, 1], index=[2, 3, 5, 7])  # rows of the file 2, 3, 5, 7 have a class
    scheme = Scheme("folds-file", path=str(path))
    found = [(s.repeat, s.fold, s.test.tolist(), s.train.tolist()) for s in splits(scheme, data, 1)]
    assert found == [(0, 1, [0], [1, 2, 3]), (0, 2, [1, 2], [0, 3]), (1, 0, [3], [0, 1, 2])]
    assert repeats(scheme, data) == (0, 1)
    assert folds_of(scheme, data, 1) == ((0, 1), (0, 2), (1, 0))
    with pytest.raises(KeyError):
        partition(scheme, data, 1, 2)
