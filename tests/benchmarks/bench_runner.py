"""The runner's own cost: wall milliseconds a cell of planning, splitting, preprocessing, measuring and storing.

Two learners that cost next to nothing share each of 1,000 folds of balance-scale, in this process; what they take
themselves (fit and answer) is subtracted. A second figure is a run that finds everything done.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from harness import Figure
from numpy.typing import NDArray

from lazybayes.evaluate.progress import Progress
from lazybayes.evaluate.runner import run
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store

FOLDS = 10
REPEATS = 100


class Guess:
    """Every class is as likely; called by dotted path."""

    version = 1

    def __init__(self, label: str = "") -> None:
        self.label = label

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """What tells one of these from another."""
        return {"label": self.label}

    def fit(self, X: Any, y: NDArray[np.int64]) -> Guess:
        """Notes the classes."""
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        """(n,) the first class."""
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """(n, C) equal parts."""
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def figures(fast: bool) -> Iterator[Figure]:
    """A figure for a run from nothing, and one for a run that has nothing to do."""
    bare = Preprocess(discretize="none")
    experiment = Experiment(
        name="bench",
        datasets=(DatasetEntry.of("balance-scale", "generate", "balance-scale"),),
        algorithms=tuple(
            Algorithm(label, f"{Guess.__module__}.Guess", {"label": label}, bare, input="ordinal") for label in "AB"
        ),
        cv=Scheme(folds=FOLDS, repeats=REPEATS // 10 if fast else REPEATS),
    )
    with tempfile.TemporaryDirectory() as folder:
        for what, target in (("from nothing", 5.0), ("when all is done", None)):
            start = time.perf_counter()
            summary = run(experiment, store_dir=folder, progress=Progress(quiet=True))
            spent = time.perf_counter() - start
            with Store(folder) as store:
                frame = load_frame(store, ["error"])
            if summary.computed:
                spent -= float((frame["train_seconds"] + frame["test_seconds"]).sum())
            each = 1000 * spent / summary.trials
            yield Figure(f"runner, {what}", f"{summary.trials} cells, {spent:.2f} s", "", each, "ms a cell", target)


if __name__ == "__main__":
    import sys

    import bench_runner  # by its name, so that workers and the registry find Guess
    from harness import table

    print(table(bench_runner.figures("--fast" in sys.argv)))
