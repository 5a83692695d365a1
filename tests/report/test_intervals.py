"""Confidence intervals over trials."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lazybayes.report.intervals import half_widths, intervals
from lazybayes.statistics.matrix import Matrix, Trials

VALUES = np.array([0.81, 0.84, 0.8, 0.86, 0.83])
SPLITS = Trials(VALUES, n_train=5 * 200, n_test=5 * 100)


def test_the_plain_interval_is_students() -> None:
    plain, corrected = half_widths(SPLITS, 0.9)
    low, high = stats.t.interval(0.9, 4, VALUES.mean(), stats.sem(VALUES))
    assert plain == pytest.approx((high - low) / 2)
    assert corrected == pytest.approx(plain * np.sqrt((1 / 5 + 1 / 2) / (1 / 5)))


def test_the_table() -> None:
    entries = {
        ("d", "A"): SPLITS,
        ("d", "B"): Trials(np.array([0.5, np.nan]), n_train=10, n_test=5),
        ("d", "C"): Trials(np.array([np.nan, np.nan]), failed=2),
    }
    report = intervals(Matrix("accuracy", "higher", ("d",), ("A", "B", "C"), entries), "mine")
    low, high = stats.t.interval(0.95, 4, 100 * VALUES.mean(), 100 * stats.sem(VALUES))
    first, second, third = ([str(cell) for cell in row.entries] for row in report.rows)
    assert first[:5] == ["A", "5", "82.80", f"{100 * VALUES.std(ddof=1):.2f}", f"{low:.2f} to {high:.2f}"]
    assert second == ["B", "1", "50.00", "-", "-", "-"]
    assert third == ["C", "0", "-", "-", "-", "-"]
    assert report.title == "mine: accuracy (%) over the trials"
