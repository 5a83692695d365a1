"""Small disjuncts (Zheng & Webb 2000, section 5.5): errors by the training rows of the leaf that a test row reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lazybayes.errors import StoreError, UsageError
from lazybayes.messages import nearest

if TYPE_CHECKING:
    from lazybayes.results.records import Predictions, StoredTrial

LEAF_ROWS = "leaf_rows"
"""The row diagnostic with which a tree reports the training weight at the leaf that a row reached."""

EDGES = (2.0, 5.0, 10.0, 30.0, 100.0)
"""Upper ends of the groups, each included; the last group has none."""


@dataclass(frozen=True)
class Disjuncts:
    """The test rows of an algorithm in groups by the training rows of their leaf, G groups.

    edges: (G - 1,) upper ends; rows: (G,) test rows over all data sets and trials; datasets: (G,) how many data sets
    have such rows; errors: (G,) an algorithm, on these very rows; unknown: test rows without a number.
    """

    algorithm: str
    edges: tuple[float, ...]
    rows: NDArray[np.int64]
    datasets: NDArray[np.int64]
    errors: dict[str, NDArray[np.int64]]
    unknown: int

    @property
    def labels(self) -> tuple[str, ...]:
        """The groups in words."""
        inner = [f"over {low:g} to {high:g}" for low, high in zip(self.edges, self.edges[1:], strict=False)]
        return (f"at most {self.edges[0]:g}", *inner, f"over {self.edges[-1]:g}")


def small_disjuncts(
    cells: Iterable[tuple[StoredTrial, Predictions]], algorithms: Sequence[str] = (), edges: Sequence[float] = EDGES
) -> list[Disjuncts]:
    """The groups of each of the algorithms (default: of all that tell the training rows of a leaf).

    cells: in plan order, the algorithms of a fold together. A fold that not all of the run's algorithms have done is
    left out. Raises UsageError if an algorithm does not tell them, StoreError if the rows of a fold differ.
    """
    folds: list[dict[str, Predictions]] = []
    names: list[str] = []
    for (dataset, _, _), group in groupby(cells, key=lambda cell: (cell[0].dataset, cell[0].repeat, cell[0].fold)):
        folds.append({place.algorithm: kept for place, kept in group})
        names.append(dataset)
    known = list(dict.fromkeys(name for fold in folds for name in fold))
    telling = [a for a in known if any(a in fold and LEAF_ROWS in fold[a].row_diagnostics for fold in folds)]
    if not telling:
        raise UsageError(
            "no algorithm of this run reports the training rows of the leaf that a row reaches; include a tree"
        )
    for name in algorithms:
        if name not in telling:
            raise UsageError(
                f"{name} does not tell the training rows of the leaf that a row reaches; "
                f"here {', '.join(telling)} do{nearest(name, telling)}"
            )
    whole = [(name, fold) for name, fold in zip(names, folds, strict=True) if len(fold) == len(known)]
    return [_groups(whole, algorithm, known, tuple(edges)) for algorithm in algorithms or telling]


def _groups(
    folds: Sequence[tuple[str, dict[str, Predictions]]], algorithm: str, known: Sequence[str], edges: tuple[float, ...]
) -> Disjuncts:
    n = len(edges) + 1
    rows = np.zeros(n, dtype=np.int64)
    errors = {name: np.zeros(n, dtype=np.int64) for name in known}
    seen: dict[str, NDArray[np.int64]] = {}
    unknown = 0
    for dataset, fold in folds:
        own = fold[algorithm]
        size = own.row_diagnostics[LEAF_ROWS]
        given = ~np.isnan(size)
        unknown += int((~given).sum())
        group = np.searchsorted(np.array(edges), size[given])  # an edge belongs to the group below it
        counts = np.bincount(group, minlength=n)
        rows += counts
        seen[dataset] = seen.get(dataset, np.zeros(n, dtype=np.int64)) + counts
        for name in known:
            if not np.array_equal(fold[name].index, own.index):
                raise StoreError(f"the test rows of {algorithm} and {name} differ in a fold of {dataset}: run again")
            wrong = (fold[name].predicted != fold[name].actual)[given]
            errors[name] += np.bincount(group[wrong], minlength=n)
    datasets = np.array(list(seen.values())).astype(bool).sum(axis=0) if seen else np.zeros(n, dtype=np.int64)
    return Disjuncts(algorithm, edges, rows, datasets, errors, unknown)
