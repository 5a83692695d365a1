"""Wins, ties and losses: judged on counts or means, raw and significant; error ratios; ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pytest

from lazybayes.statistics.comparison import significant
from lazybayes.statistics.formulas import wilcoxon
from lazybayes.statistics.matrix import Matrix, Trials, from_frame
from lazybayes.statistics.tests import friedman
from lazybayes.statistics.win_tie_loss import Record, error_ratios, tally, verdict


def counted(errors: Mapping[tuple[str, str], Sequence[int]], metric: str = "error", n_test: int = 10) -> Matrix:
    """The matrix of error counts a trial, keyed by (data set, algorithm)."""
    rows = [
        {
            **{"dataset": dataset, "algorithm": algorithm, "repeat": 0, "fold": fold, "status": "done"},
            **{"n_train": 9 * n_test, "n_test": n_test, "errors": count},
            **{"error": count / n_test, "accuracy": 1 - count / n_test},
        }
        for (dataset, algorithm), counts in errors.items()
        for fold, count in enumerate(counts)
    ]
    return from_frame(pd.DataFrame(rows), metric, "lower" if metric == "error" else "higher")


def measured(values: Mapping[str, Sequence[float]], better: str) -> Matrix:
    """The matrix of one data set `d` and any other metric, keyed by algorithm."""
    rows = [
        {
            **{"dataset": "d", "algorithm": algorithm, "repeat": 0, "fold": fold, "status": "done"},
            **{"n_train": 90, "n_test": 10, "errors": 0, "m": value},
        }
        for algorithm, trials in values.items()
        for fold, value in enumerate(trials)
    ]
    return from_frame(pd.DataFrame(rows), "m", better)


def test_error_is_judged_on_total_counts() -> None:
    """3 x 0.1 and 0.3 differ in the last bit of their means, and are a tie."""
    matrix = counted({("d", "A"): [1, 1, 1], ("d", "B"): [3, 0, 0], ("d", "C"): [1, 1, 2]})
    assert [verdict(matrix, "d", "A", rival) for rival in "BC"] == [0, 1]
    assert verdict(matrix, "d", "C", "A") == -1


@pytest.mark.parametrize("metric", ["error", "accuracy"])
def test_equal_total_errors_are_a_tie_for_records_ranks_and_wilcoxon_alike(metric: str) -> None:
    """Folds of 31 and 30 rows: with 3 errors each, in other folds, the means of the folds' rates differ."""

    def trials(first: int, second: int) -> Trials:
        rates = np.array([first / 31, second / 30])
        return Trials(rates if metric == "error" else 1 - rates, first + second, 122, 61)

    errors = {("d", "A"): (3, 0), ("d", "B"): (0, 3), ("d", "C"): (5, 0), ("e", "A"): (1, 0), ("e", "B"): (2, 0)}
    entries = {key: trials(*counts) for key, counts in {**errors, ("e", "C"): (1, 0)}.items()}
    matrix = Matrix(metric, "lower" if metric == "error" else "higher", ("d", "e"), ("A", "B", "C"), entries)
    assert abs(matrix.at("d", "A").mean - matrix.at("d", "B").mean) > 1e-3
    assert verdict(matrix, "d", "A", "B") == 0
    assert tuple(friedman(matrix).values.values()) == ((1.5 + 1.5) / 2, (1.5 + 3) / 2, (3 + 1.5) / 2)
    found = wilcoxon(matrix.differences("A", "B"))
    assert (found.n, found.zeros, found.positive, found.p) == (1, 1, 1.0, 1.0)


def test_wilcoxon_ranks_differences_of_rates_not_of_counts() -> None:
    """Two errors of 10 rows are more than four of 1,000."""
    entries = {
        ("small", "A"): Trials(np.array([0.1]), 1, 90, 10),
        ("small", "B"): Trials(np.array([0.3]), 3, 90, 10),
        ("large", "A"): Trials(np.array([0.014]), 14, 9000, 1000),
        ("large", "B"): Trials(np.array([0.01]), 10, 9000, 1000),
    }
    found = wilcoxon(Matrix("error", "lower", ("small", "large"), ("A", "B"), entries).differences("A", "B"))
    assert (found.positive, found.negative) == (2.0, 1.0)


@pytest.mark.parametrize("metric", ["error", "accuracy"])
def test_error_and_accuracy_give_the_same_verdicts(metric: str) -> None:
    matrix = counted({("d", "A"): [0, 1, 0, 1], ("d", "B"): [3, 4, 4, 5]}, metric)
    assert verdict(matrix, "d", "A", "B") == 1
    assert significant(matrix, "d", "A", "B", "paired-t") == 1
    assert significant(matrix, "d", "B", "A", "corrected-t") == -1


@pytest.mark.parametrize(("better", "expected"), [("lower", 1), ("higher", -1)])
def test_other_metrics_are_judged_on_means_in_their_direction(better: str, expected: int) -> None:
    matrix = measured({"A": [0.1, 0.2], "B": [0.3, 0.1], "C": [0.2 + 1e-10, 0.1]}, better)
    assert verdict(matrix, "d", "A", "B") == expected
    assert verdict(matrix, "d", "B", "A") == -expected
    assert verdict(matrix, "d", "A", "C") == 0


def test_the_paired_t_is_one_tailed_at_5_percent_either_way() -> None:
    """t of [0, 1, 1] is 2: one-tailed p 0.0918; of [1, 1, 2] it is 4: p 0.0286, two-tailed 0.0572."""
    weak = measured({"A": [0, 1, 1], "B": [0, 0, 0]}, "higher")
    strong = measured({"A": [1, 1, 2], "B": [0, 0, 0]}, "higher")
    assert significant(weak, "d", "A", "B", "paired-t") == 0
    assert significant(strong, "d", "A", "B", "paired-t") == 1
    assert significant(strong, "d", "B", "A", "paired-t") == -1
    assert significant(strong, "d", "A", "B", "corrected-t") == 0


def test_the_corrected_t_uses_the_rows_of_training_and_test() -> None:
    """Differences 1, 1, 2: mean 4/3, variance 1/3, t = (4/3) / sqrt((1/3 + r) / 3); the 5 % point at df 2 is 4.303.

    So it is never significant; at 5 trials (1, 1, 2, 1, 2: mean 1.4, variance 0.3) the point is 2.776:
    t = 1.4 / sqrt((1/5 + r) 0.3) is above it for r < 0.648.
    """
    trials = {"A": [1, 1, 2, 1, 2], "B": [0] * 5}
    for n_train, expected in ((90, 1), (15, 0)):
        rows = [
            {
                **{"dataset": "d", "algorithm": a, "repeat": 0, "fold": f, "status": "done"},
                **{"n_train": n_train, "n_test": 10, "errors": 0, "m": v},
            }
            for a, values in trials.items()
            for f, v in enumerate(values)
        ]
        matrix = from_frame(pd.DataFrame(rows), "m", "higher")
        assert significant(matrix, "d", "A", "B", "corrected-t") == expected


def test_equal_differences_decide_and_no_differences_tie() -> None:
    matrix = counted({("d", "A"): [1, 2, 3], ("d", "B"): [2, 3, 4], ("d", "C"): [1, 2, 3]})
    for test in ("paired-t", "corrected-t"):
        assert significant(matrix, "d", "A", "B", test) == 1
        assert significant(matrix, "d", "B", "A", test) == -1
        assert significant(matrix, "d", "A", "C", test) == 0


def test_a_record_counts_and_has_a_sign_test() -> None:
    record = tally([1, 1, 0, -1, 1, 1, 1])
    assert record == Record(5, 1, 1)
    assert str(record) == "5/1/1"
    assert record.sign.p == (6 + 1) / 64


def test_error_ratios_leave_out_a_rival_without_errors() -> None:
    matrix = counted({("d", "A"): [1, 2], ("d", "B"): [2, 4], ("e", "A"): [1, 0], ("e", "B"): [0, 0]})
    assert error_ratios(matrix, "A", "B") == {"d": pytest.approx(0.5)}
    assert error_ratios(matrix, "B", "A") == {"d": pytest.approx(2), "e": 0}


def test_ranks_tie_where_the_counts_do() -> None:
    matrix = counted(
        {(d, a): counts for d in "xy" for a, counts in (("A", [1, 1, 1]), ("B", [3, 0, 0]), ("C", [0, 0, 1]))}
    )
    assert tuple(friedman(matrix).values.values()) == (2.5, 2.5, 1)


def test_ranks_need_data_sets() -> None:
    overall = friedman(counted({("d", a): [1, 2] for a in "ABC"}))
    assert overall.values == {}
    assert "usable here are 3 and 1" in overall.sentence
