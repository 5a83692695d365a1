"""Confusion counted over trials, against a crosstab."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from lazybayes.statistics.confusion import confusions


def trial(dataset: str, algorithm: str, actual: list[int], predicted: list[int], classes: int) -> tuple[Any, Any]:
    proba = np.zeros((len(actual), classes))
    codes = (np.array(values, dtype=np.int32) for values in (actual, predicted))
    kept = dict(zip(("actual", "predicted"), codes, strict=True))
    return SimpleNamespace(dataset=dataset, algorithm=algorithm), SimpleNamespace(**kept, proba=proba)


def test_trials_are_summed_by_data_set_and_algorithm() -> None:
    rng = np.random.default_rng(1)
    draws = [rng.integers(0, 3, (2, 20)) for _ in range(2)]
    trials = [trial("d", "NB", *draw.tolist(), 4) for draw in draws]
    one = trial("e", "NB", [1, 1], [1, 0], 2)
    found = confusions([trials[0], one, trials[1]], {"d": ("a", "b", "c", "none"), "e": ()})
    assert [(c.dataset, c.trials, c.labels) for c in found] == [
        ("d", 2, ("a", "b", "c", "none")),
        ("e", 1, ("0", "1")),
    ]
    actual, predicted = np.hstack(draws)
    expected = pd.crosstab(actual, predicted).reindex(index=range(4), columns=range(4), fill_value=0)
    np.testing.assert_array_equal(found[0].counts, expected)
    assert found[0].shares[3].tolist() == [0, 0, 0, 0]
    assert found[1].shares.tolist() == [[0, 0], [0.5, 0.5]]
