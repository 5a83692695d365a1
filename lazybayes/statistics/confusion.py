"""Confusion matrices, summed over all trials of an algorithm on a data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from lazybayes.results.records import Predictions, StoredTrial


@dataclass(frozen=True, eq=False)
class Confusion:
    """labels: the C declared classes; counts: (C, C) test rows by class (down) and by the class they were taken for."""

    dataset: str
    algorithm: str
    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    trials: int

    @property
    def shares(self) -> NDArray[np.float64]:
        """(C, C) the counts as shares of each class's rows; 0 for a class that was not tested."""
        return np.asarray(self.counts / np.maximum(self.counts.sum(axis=1, keepdims=True), 1))


def confusions(
    predictions: Iterable[tuple[StoredTrial, Predictions]], labels: Mapping[str, Sequence[str]]
) -> list[Confusion]:
    """One for each data set and algorithm, in the order of the predictions. labels: the classes of each data set, if
    they are known (a run of an earlier version did not keep them): otherwise their places count from 0.
    """
    found: dict[tuple[str, str], tuple[NDArray[np.int64], int]] = {}
    for cell, kept in predictions:
        n = kept.proba.shape[1]
        counts = np.bincount(kept.actual.astype(np.int64) * n + kept.predicted, minlength=n * n).reshape(n, n)
        before, trials = found.get((cell.dataset, cell.algorithm), (np.zeros((n, n), dtype=np.int64), 0))
        found[cell.dataset, cell.algorithm] = before + counts, trials + 1
    return [
        Confusion(dataset, algorithm, tuple(labels[dataset]) or tuple(map(str, range(len(counts)))), counts, trials)
        for (dataset, algorithm), (counts, trials) in found.items()
    ]
