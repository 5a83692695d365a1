"""LBR against Weka's: CPU seconds of training and testing in a 10-fold CV, the same folds, bins and modes, `laplace`.

Where Weka needs minutes, both take the first fold alone, and ten times its seconds stand for the CV. The answers are
compared as well: a ratio says something only where both did the same work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import weka
from duel import FOLDS, duel
from harness import Figure, missing_data

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
    cap = 8 if fast else None
    found = duel(case.name, "lbr", {"estimate": "laplace"}, WEKA_LBR, folds=case.folds, reps=3 if fast else 5, cap=cap)
    how = ", capped" if found.capped else ""
    return Figure(
        f"LBR {case.name}, 10-fold CV" + (" (1 fold x 10)" if case.folds < FOLDS else ""),
        f"{found.ours:.2f} s",
        f"Weka {found.theirs:.1f} s{how}; answers within {found.apart:.0e}",
        found.theirs / found.ours,
        "times faster",
        case.target,
        least=True,
    )
