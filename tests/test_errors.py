"""Hints for names that were misspelt or shortened."""

from __future__ import annotations

import pytest

from lazybayes.errors import ConfigError
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


def test_a_message_that_quotes_very_much_keeps_its_ends() -> None:
    problems = ["short", f"file, line 3: {'x' * 100_000} is not a number; 1 is expected"]
    first, second = str(ConfigError(problems)).split("\n")
    assert first == "short"
    assert len(second) < 2_100
    assert second.startswith("file, line 3: xxx")
    assert second.endswith("x is not a number; 1 is expected")
