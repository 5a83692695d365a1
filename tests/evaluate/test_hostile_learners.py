"""One odd learner fails its own trials with a bounded message; every other trial of the run is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lazybayes.evaluate.runner import run
from lazybayes.experiment import Algorithm, Experiment, Preprocess, Scheme
from lazybayes.results.store import FILE, Store

BARE = Preprocess(discretize="none")
FAILS = {
    "exit at once": "the worker process died",
    "segfault": "the worker process died",
    "surrogate": "ValueError: a half \\ud800 and a bell \\x07",
    "no text": "_NoText: (its text cannot be read: RuntimeError)",
    "base exception": "_Odd: not an Exception",
    "interrupt": "KeyboardInterrupt",
    "long": "ValueError: xxx",
    "classes": "ValueError: the estimator's classes_ is [-1, 0]; fit was given the classes [0, 1]",
}
WORKS = ("closed", "prints", "warns")


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_odd_learner_never_stops_a_run(tmp_path: Path, experiment: Callable[..., Experiment], jobs: int) -> None:
    odd = [Algorithm(how, "toy_learners.Hostile", {"how": how}, BARE) for how in (*FAILS, *WORKS)]
    exp = experiment(algorithms=(*odd, *experiment().algorithms), cv=Scheme(folds=2))
    said: list[str] = []
    summary = run(exp, store_dir=tmp_path / "out", jobs=jobs, tell=said.append)
    assert (summary.trials, summary.computed, len(summary.failures)) == (26, 26, 16)
    with Store(tmp_path / "out") as store:
        held = store.trials()
    messages = {h.algorithm: h.message for h in held if h.status == "failed"}
    assert list(messages) == list(FAILS)
    for how, words in FAILS.items():
        assert messages[how].startswith(words), how
    assert {h.status for h in held if h.algorithm not in FAILS} == {"done"}
    assert max(len(h.message) for h in held) < 600
    assert max(len(h.traceback) for h in held) < 21_000
    assert max(map(len, [*said, *summary.lines()])) < 1000
    assert (tmp_path / "out" / FILE).stat().st_size < 500_000


@pytest.mark.parametrize("deep", [False, True])
def test_a_foreign_learner_in_a_bag_runs_in_a_worker_too(
    tmp_path: Path, experiment: Callable[..., Experiment], deep: bool
) -> None:
    base: dict[str, Any] = {"learner": "toy_learners.Hostile", "how": "exit at once"}
    if deep:
        base = {"learner": "bagging", "base": base, "bags": 1}
    exp = experiment(algorithms=(Algorithm("B", "bagging", {"base": base, "bags": 2}, BARE),), cv=Scheme(folds=2))
    summary = run(exp, store_dir=tmp_path / "out")
    assert [failure.message.split(" while ")[0] for failure in summary.failures] == ["the worker process died"] * 2
