"""The matrix: what is read off the store's frame, what counts, and what is left out."""

from __future__ import annotations

import math
import statistics

import pandas as pd
import pytest

from lazybayes.errors import StoreError
from lazybayes.statistics.matrix import from_frame

NAN = math.nan


def cell(dataset: str, algorithm: str, repeat: int, fold: int, **values: object) -> dict[str, object]:
    base = {"n_train": 90, "n_test": 10, "status": "done", "errors": 1, "error": 0.1, "auc": 0.5, "auc_special": 0}
    return {"dataset": dataset, "algorithm": algorithm, "repeat": repeat, "fold": fold, **base, **values}


def missing(dataset: str, algorithm: str, repeat: int, fold: int, status: str) -> dict[str, object]:
    return cell(dataset, algorithm, repeat, fold, status=status, errors=NAN, error=NAN, auc=NAN, auc_special=NAN)


def test_trials_stand_in_the_order_of_repeat_and_fold_whatever_the_frames() -> None:
    values = {(0, 0): 0.1, (0, 1): 0.4, (1, 0): 0.2, (1, 1): 0.7}
    frame = pd.DataFrame([cell("d", "A", *key, error=value) for key, value in reversed(values.items())])
    trials = from_frame(frame, "error", "lower").at("d", "A")
    assert trials.values.tolist() == [0.1, 0.4, 0.2, 0.7]
    assert trials.mean == pytest.approx(0.35)
    assert trials.standard_error == pytest.approx(statistics.stdev(values.values()) / 2)
    assert (trials.errors, trials.n_train, trials.n_test) == (4, 360, 40)


def test_order_is_the_frames() -> None:
    frame = pd.DataFrame([cell(d, a, 0, 0) for d in ("z", "a") for a in ("Y", "X")])
    matrix = from_frame(frame, "error", "lower")
    assert (matrix.datasets, matrix.algorithms) == (("z", "a"), ("Y", "X"))


def test_a_cell_twice_is_an_error() -> None:
    frame = pd.DataFrame([cell("d", "A", 0, 3), cell("d", "A", 0, 3)])
    with pytest.raises(StoreError, match="two trials for data set d, algorithm A, repeat 0, fold 3"):
        from_frame(frame, "error", "lower")


def test_undefined_values_are_left_out_and_counted() -> None:
    frame = pd.DataFrame([cell("d", "A", 0, f, auc=v, auc_special=int(v != v)) for f, v in enumerate([0.5, NAN, 1.0])])
    trials = from_frame(frame, "auc", "higher").at("d", "A")
    assert (trials.mean, trials.undefined, trials.special, trials.usable) == (0.75, 1, 1, True)
    assert trials.standard_error == pytest.approx(0.25)  # sd of 0.5 and 1 is sqrt(1 / 8), over two trials


def test_one_trial_has_no_standard_error_and_no_value_no_mean() -> None:
    frame = pd.DataFrame([cell("d", "A", 0, 0), cell("d", "B", 0, 0, auc=NAN)])
    matrix = from_frame(frame, "auc", "higher")
    assert matrix.at("d", "A").standard_error is None
    assert not matrix.at("d", "B").usable
    assert matrix.at("d", "B").undefined == 1


def test_a_failed_or_missing_trial_leaves_the_data_set_out_for_every_algorithm() -> None:
    rows = [cell(d, a, 0, f, error=0.1 * (f + 1)) for d in ("good", "bad", "short") for a in ("A", "B") for f in (0, 1)]
    rows[5] = missing("bad", "A", 0, 1, "failed")
    del rows[11]  # B has not the trial (0, 1) of short
    matrix = from_frame(pd.DataFrame(rows), "error", "lower")
    assert (matrix.at("bad", "A").failed, matrix.at("bad", "A").to_do, matrix.at("bad", "A").undefined) == (1, 0, 0)
    assert (matrix.at("short", "B").failed, matrix.at("short", "B").to_do) == (0, 1)
    assert len(matrix.at("short", "B").values) == 2
    assert matrix.judged == ("good",)
    assert matrix.average("B") == pytest.approx(0.15)


def test_an_algorithm_without_any_usable_data_set_does_not_take_the_others_along() -> None:
    rows = [cell(d, "A", 0, 0) for d in "xy"] + [missing(d, "B", 0, 0, "to do") for d in "xy"]
    matrix = from_frame(pd.DataFrame(rows), "error", "lower")
    assert (matrix.ranked, matrix.judged) == (("A",), ("x", "y"))
    nothing = from_frame(pd.DataFrame(rows[2:]), "error", "lower")
    assert (nothing.ranked, nothing.judged) == ((), ())


def test_advantages_are_above_0_where_the_algorithm_is_better() -> None:
    rows = [cell("d", a, 0, f, error=e, auc=u) for a, e, u in (("A", 0.1, 0.9), ("B", 0.3, 0.6)) for f in (0, 1)]
    rows[0]["auc"] = NAN
    frame = pd.DataFrame(rows)
    assert from_frame(frame, "error", "lower").advantages("d", "A", "B") == pytest.approx([0.2, 0.2])
    assert from_frame(frame, "auc", "higher").advantages("d", "A", "B") == pytest.approx([0.3])
