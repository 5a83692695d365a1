"""A learner and Weka's on the same folds, bins and modes: CPU seconds of training and testing, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import weka
from harness import cpu_seconds, load
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.data.table import Table
from lazybayes.evaluate.splits import Split, partition
from lazybayes.experiment import Preprocess, Scheme
from lazybayes.learners.registry import make
from lazybayes.preprocess.pipeline import fit_preprocess

FOLDS = 10
Fold = tuple[Rows, pd.Categorical, Rows]


@dataclass(frozen=True)
class Duel:
    """Seconds of a 10-fold CV, ours and Weka's; apart: the largest difference of two probabilities."""

    ours: float
    theirs: float
    capped: bool
    apart: float


def duel(
    name: str,
    learner: str,
    params: Mapping[str, Any],
    classifier: str,
    *,
    folds: int = FOLDS,
    reps: int,
    cap: float | None = None,
) -> Duel:
    """Both on the first folds of a 10-fold CV of a data set, scaled to all ten. cap: see `weka.run`."""
    table = load(name)
    chosen = first_folds(table, folds)
    work = answers(learner, params, prepared(table, chosen))
    ours = cpu_seconds(work, reps=reps) * FOLDS / folds
    peer = weka.run(name, classifier, table, chosen, cap=cap, reps=reps)
    theirs = np.concatenate([peer.proba[table.index[split.test]] for split in chosen])
    apart = float(np.nanmax(np.abs(theirs - np.concatenate(work()))))
    return Duel(ours, peer.seconds * FOLDS / folds, peer.capped, apart)


def first_folds(table: Table, folds: int = FOLDS) -> list[Split]:
    """The first folds of a stratified 10-fold CV."""
    parts = partition(Scheme(folds=FOLDS), table, seed=1, repeat=0)
    return [parts.split(fold) for fold in range(folds)]


def prepared(table: Table, chosen: Sequence[Split]) -> list[Fold]:
    """Training rows, their classes, test rows; MDL bins and modes from each training part."""
    found = []
    for split in chosen:
        fitted = fit_preprocess(Preprocess(impute="mode-mean", discretize="mdl"), table, split.train)
        y = pd.Categorical.from_codes(table.y[split.train], list(table.target.values))
        found.append((fitted.transform(table, split.train), y, fitted.transform(table, split.test)))
    return found


def answers(learner: str, params: Mapping[str, Any], folds: Sequence[Fold]) -> Callable[[], list[NDArray[np.float64]]]:
    """The work to be timed: training and testing on each fold."""
    return lambda: [make(learner, params, seed=1).fit(train, y).answer(test).proba for train, y, test in folds]
