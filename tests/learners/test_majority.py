"""The most frequent class: its probabilities, ties, and every kind of data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lazybayes import Majority
from lazybayes.counts.codes import Rows
from lazybayes.preprocess.vocabulary import count_words


def test_probabilities_are_laplace_estimates_of_the_class_frequencies() -> None:
    X = pd.DataFrame({"a": [1.5, np.nan, 3.0, 4.0, 2.0], "b": pd.Categorical(["x", None, "y", "x", "y"])})
    y = pd.Categorical(["no", "yes", "yes", "no", "yes"], ["yes", "no", "maybe"])
    learner = Majority().fit(X, y)
    np.testing.assert_allclose(learner.predict_proba(X), [[4 / 8, 3 / 8, 1 / 8]] * 5, rtol=1e-14)
    assert learner.predict(X).tolist() == ["yes"] * 5
    assert learner.class_count_.tolist() == [3, 2, 0]


@pytest.mark.parametrize(("y", "predicted"), [([2, 1, 1, 2], 1), ([2, 1, 2, 1, 2], 2)])
def test_a_tie_goes_to_the_lowest_class(y: list[int], predicted: int) -> None:
    X = np.zeros((len(y), 1))
    assert Majority().fit(X, y).predict(X).tolist() == [predicted] * len(y)


def test_documents_are_taken_too() -> None:
    rows = Rows((), (), np.empty((3, 0), dtype=np.int32), np.empty((3, 0)), count_words(["a", "b", None], "text"))
    answer = Majority().fit(rows, ["tea", "oil", "oil"]).answer(rows)
    np.testing.assert_allclose(answer.proba, [[3 / 5, 2 / 5]] * 3, rtol=1e-14)
