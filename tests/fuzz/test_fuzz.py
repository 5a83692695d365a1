"""A short slice of the fuzzer, and the fuzzer itself: it must notice what it looks for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lazybayes.errors import DataError
from tests.fuzz import fuzz as module
from tests.fuzz.fuzz import fuzz
from tests.fuzz.targets import TARGETS

PATIENT = 120.0
"""The ordinary tests ask for an answer, not for one within a time."""


def test_mutated_inputs_are_read_or_refused(tmp_path: Path) -> None:
    outcome = fuzz(13 * len(TARGETS), 7, list(TARGETS), tmp_path / "failures", PATIENT)
    assert not outcome.failures, outcome.failures
    assert sum(outcome.counts.values()) == 13 * len(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_every_sample_of_a_target_that_is_whole_is_read(name: str, tmp_path: Path) -> None:
    """At least the first: an archive of one form is no archive of another."""
    (tmp_path / "samples").mkdir()
    (tmp_path / "work").mkdir()
    samples = TARGETS[name].samples(tmp_path / "samples")
    assert "read" in {module.attempt(name, content, tmp_path / "work") for content in samples}


def _raises(path: Path) -> object:
    raise KeyError("x")


def _hangs(path: Path) -> object:
    time.sleep(60)
    return None


def _dies(path: Path) -> object:
    os._exit(3)


def _eats(path: Path) -> object:
    return np.ones(3 << 27).sum()


def _refuses(path: Path) -> object:
    raise DataError("x")


@pytest.mark.parametrize(
    ("read", "problem"),
    [(_raises, "KeyError"), (_hangs, "no answer"), (_dies, "died"), (_eats, "bytes of memory"), (_refuses, "")],
)
def test_the_fuzzer_notices(
    read: Callable[[Path], object], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TARGETS, "csv", replace(TARGETS["csv"], read=read))
    outcome = fuzz(1, 1, ["csv"], tmp_path / "f", 1.0 if read is _hangs else PATIENT)
    if problem:
        assert problem in outcome.failures["csv-0"]
        assert (tmp_path / "f" / "csv-0").is_file()
    else:
        assert outcome.counts == {"csv refused": 1}
