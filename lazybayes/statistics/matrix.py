"""The values of one metric as data sets by algorithms, each entry the vector of its trials, from the store's frame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.errors import StoreError
from lazybayes.metrics.registry import METRICS

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trials:
    """What one algorithm did on one data set.

    values: (J,) the metric in (repeat, fold) order, NaN = undefined or not done; errors, n_train, n_test: totals over
    the trials that are done; special: how often a value needed a stated outcome; failed, to_do: trials without a value.
    """

    values: Floats
    errors: int = 0
    n_train: int = 0
    n_test: int = 0
    special: int = 0
    failed: int = 0
    to_do: int = 0

    @property
    def defined(self) -> Floats:
        """The values that are defined."""
        return self.values[~np.isnan(self.values)]

    @property
    def undefined(self) -> int:
        """Trials that are done but have no value: they are excluded from the mean and counted."""
        return len(self.values) - len(self.defined) - self.failed - self.to_do

    @property
    def usable(self) -> bool:
        """Every trial is done, and some trial has a value."""
        return not (self.failed or self.to_do) and len(self.defined) > 0

    @property
    def mean(self) -> float:
        """Mean over the defined trials (at least one)."""
        return float(self.defined.mean())

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation (J - 1) over the J defined trials; None with fewer than two."""
        values = self.defined
        return float(values.std(ddof=1)) if len(values) > 1 else None

    @property
    def standard_error(self) -> float | None:
        """The sample standard deviation over sqrt(J); None with fewer than two trials."""
        deviation = self.deviation
        return None if deviation is None else deviation / math.sqrt(len(self.defined))


@dataclass(frozen=True)
class Matrix:
    """Data sets by algorithms, in plan order. better: ``lower``, ``higher``, or None where neither is better."""

    metric: str
    better: str | None
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    entries: Mapping[tuple[str, str], Trials]

    @property
    def counted(self) -> bool:
        """Whether the metric is judged on the errors of all trials, not on the mean of the trials' rates."""
        return self.metric in METRICS and METRICS[self.metric].counted

    @property
    def judged_on(self) -> str:
        """What decides whether two algorithms tie on a data set, in records, ranks and Wilcoxon's test alike."""
        return "total errors over the trials" if self.counted else "means, equal within 1e-9"

    def at(self, dataset: str, algorithm: str) -> Trials:
        """The trials of an algorithm on a data set."""
        return self.entries[dataset, algorithm]

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The algorithms that are usable on some data set: the others are excluded from averages and records."""
        return tuple(a for a in self.algorithms if any(self.at(d, a).usable for d in self.datasets))

    @cached_property
    def judged(self) -> tuple[str, ...]:
        """The data sets of averages and records: those on which every ranked algorithm is usable."""
        if not self.ranked:
            return ()
        return tuple(d for d in self.datasets if all(self.at(d, a).usable for a in self.ranked))

    def average(self, algorithm: str) -> float:
        """The mean over the judged data sets of an algorithm's means."""
        return math.fsum(self.at(d, algorithm).mean for d in self.judged) / len(self.judged)

    def loss(self, dataset: str, algorithm: str) -> float:
        """The value that verdicts, ranks and differences over data sets compare; lower is better.

        For error and accuracy the errors of all trials over their test rows, for another metric the mean over the
        trials, or minus the mean where higher is better. Values within 1e-9 are a tie.
        """
        trials = self.at(dataset, algorithm)
        if self.counted:
            return trials.errors / trials.n_test
        return -trials.mean if self.better == "higher" else trials.mean

    def differences(self, algorithm: str, rival: str) -> list[float]:
        """How much the algorithm is better than the rival on each judged data set, by `loss`."""
        return [self.loss(d, rival) - self.loss(d, algorithm) for d in self.judged]

    def advantages(self, dataset: str, algorithm: str, rival: str) -> Floats:
        """(J,) how much the algorithm is better than the rival; trials undefined for either are excluded."""
        gaps = self.at(dataset, algorithm).values - self.at(dataset, rival).values
        gaps = gaps[~np.isnan(gaps)]
        return gaps if self.better == "higher" else -gaps


def from_frame(frame: pd.DataFrame, metric: str, better: str | None) -> Matrix:
    """The matrix of a metric, from the store's frame (one row per planned trial).

    A trial that only other algorithms have on the same data set counts as still to do. Raises StoreError if a trial
    occurs twice in the frame.
    """
    empty = [0] * len(frame)
    special = frame[f"{metric}_special"].tolist() if f"{metric}_special" in frame else empty
    columns = (frame[name].tolist() for name in ("dataset", "algorithm", "repeat", "fold"))
    facts = (frame[name].tolist() for name in (metric, "errors", "n_train", "n_test", "status"))
    cells: dict[tuple[str, str], dict[tuple[int, int], tuple[Any, ...]]] = {}
    keys: dict[str, dict[tuple[int, int], None]] = {}
    for dataset, algorithm, repeat, fold, *fact in zip(*columns, *facts, special, strict=True):
        own = cells.setdefault((dataset, algorithm), {})
        if (repeat, fold) in own:
            raise StoreError(
                f"The results contain two trials for data set {dataset}, algorithm {algorithm}, repeat {repeat}, "
                f"fold {fold}; expected one."
            )
        own[repeat, fold] = tuple(fact)
        keys.setdefault(dataset, {})[repeat, fold] = None
    algorithms = tuple(dict.fromkeys(algorithm for _, algorithm in cells))
    entries = {
        (dataset, algorithm): _trials([cells.get((dataset, algorithm), {}).get(key) for key in sorted(trials)])
        for dataset, trials in keys.items()
        for algorithm in algorithms
    }
    return Matrix(metric, better, tuple(keys), algorithms, entries)


def _trials(cells: list[tuple[Any, ...] | None]) -> Trials:
    """The trials of (value, errors, n_train, n_test, status, special); None = not in the frame."""
    done = [cell if cell is not None and cell[4] == "done" else None for cell in cells]
    kept = [cell for cell in done if cell is not None]
    failed = sum(cell is not None and cell[4] == "failed" for cell in cells)
    return Trials(
        values=np.array([math.nan if cell is None else cell[0] for cell in done], dtype=np.float64),
        errors=sum(int(cell[1]) for cell in kept),
        n_train=sum(int(cell[2]) for cell in kept),
        n_test=sum(int(cell[3]) for cell in kept),
        special=sum(int(cell[5]) for cell in kept),
        failed=failed,
        to_do=len(cells) - len(kept) - failed,
    )
