"""Hints for names that were misspelt or shortened."""

from __future__ import annotations

import pytest

from lazybayes.messages import nearest
from lazybayes.metrics.registry import METRICS


@pytest.mark.parametrize(("word", "meant"), [("acc", "accuracy"), ("f1", "macro-f1"), ("erorr", "error")])
def test_a_metric_by_part_of_its_name(word: str, meant: str) -> None:
    assert nearest(word, METRICS) == f" (did you mean {meant}?)"


def test_nothing_like_it() -> None:
    assert nearest("zzz", METRICS) == ""


def test_a_forest_that_classifies() -> None:
    from lazybayes.learners.foreign import foreign_class

    with pytest.raises(ValueError, match=r"did you mean RandomForestClassifier\?"):
        foreign_class("sklearn.ensemble.RandomForest")
