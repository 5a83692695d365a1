"""LBR against Weka's: CPU seconds of training and testing in a 10-fold CV, the same folds, bins and modes, `laplace`.

Where Weka needs minutes, both take the first fold alone, and ten times its seconds stand for the CV. The answers are
compared as well: a ratio says something only where both did the same work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import weka
from harness import Figure, cpu_seconds, load, missing_data

from lazybayes.evaluate.splits import splits
from lazybayes.experiment import Preprocess, Scheme
from lazybayes.learners.registry import make
from lazybayes.preprocess.pipeline import fit_preprocess

FOLDS = 10
WEKA_LBR = "weka.classifiers.lazy.LBR"


@dataclass(frozen=True)
class Case:
    """A data set: at least `target` times faster than Weka, over so many of the ten folds."""

    name: str
    target: float
    folds: int


CASES = (
    Case("kr-vs-kp", 100, 1),
    Case("splice", 100, 1),
    Case("soybean", 30, 1),
    Case("segment", 30, 1),
    Case("mushroom", 30, 1),
    Case("tic-tac-toe", 5, FOLDS),
    Case("vote", 5, FOLDS),
)


def figures(fast: bool) -> Iterator[Figure]:
    """A figure for each data set; fast: Weka is stopped after eight CPU seconds and scaled by the rows tested."""
    why = weka.absent()
    if why:
        print(f"lbr: skipped, {why}")
        return
    for case in CASES:
        lacking = missing_data(case.name)
        if lacking:
            print(f"lbr {lacking}")
        else:
            yield _figure(case, fast)


def _figure(case: Case, fast: bool) -> Figure:
    table = load(case.name)
    chosen = list(splits(Scheme(folds=FOLDS), table, seed=1))[: case.folds]
    spec = Preprocess(impute="mode-mean", discretize="mdl")
    folds = []
    for split in chosen:
        fitted = fit_preprocess(spec, table, split.train)
        y = pd.Categorical.from_codes(table.y[split.train], list(table.target.values))
        folds.append((fitted.transform(table, split.train), y, fitted.transform(table, split.test)))

    def work() -> list[np.ndarray]:
        return [make("lbr", {"estimate": "laplace"}).fit(train, y).answer(test).proba for train, y, test in folds]

    reps = 3 if fast else 5
    ours = cpu_seconds(work, reps=reps) * FOLDS / case.folds
    peer = weka.run(case.name, WEKA_LBR, table, chosen, cap=8 if fast else None, reps=reps)
    seconds = peer.seconds * FOLDS / case.folds
    theirs = np.concatenate([peer.proba[table.index[split.test]] for split in chosen])
    apart = np.nanmax(np.abs(theirs - np.concatenate(work())))
    how = ", capped" if peer.capped else ""
    return Figure(
        f"LBR {case.name}, 10-fold CV" + (" (1 fold x 10)" if case.folds < FOLDS else ""),
        f"{ours:.2f} s",
        f"Weka {seconds:.1f} s{how}; answers within {apart:.0e}",
        seconds / ours,
        "times faster",
        case.target,
        least=True,
    )
