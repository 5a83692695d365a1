"""NBTree and C4.5 against Weka's, and bagged C4.4: CPU seconds of training and testing in a 10-fold CV.

Where Weka's NBTree needs a minute, both take the first fold alone, and ten times its seconds stand for the CV. NBTree's
answers are not compared: Weka's depend on its own shuffling. Weka is not capped, for it trains eagerly.
"""

from __future__ import annotations

from collections.abc import Iterator

import weka
from duel import FOLDS, answers, duel, first_folds, prepared
from harness import Figure, cpu_seconds, load, missing_data

WEKA_NB_TREE = "weka.classifiers.trees.NBTree"
WEKA_C45 = "weka.classifiers.trees.J48 -C 0.25 -M 2"

NB_TREES = {"tic-tac-toe": FOLDS, "kr-vs-kp": 1, "segment": 1, "soybean": 1, "mushroom": 1}
"""The folds taken of each data set."""

TIMES_FASTER = 25
"""NBTree's target, of the seconds summed over these data sets."""

C45_RATIOS = {"soybean": 1.5, "kr-vs-kp": 1.5, "splice": 3.0, "letter": 3.0}
"""At most so many times J48's seconds."""

C44 = {"learner": "c45", "prune": False, "collapse": False, "laplace": True}
MINUTES = 5
"""Bagged C4.4 on letter must finish within."""


def figures(fast: bool) -> Iterator[Figure]:
    """A figure for each data set, and the sum for NBTree; fast: without repetitions, and without letter's C4.5."""
    yield from _bagged()
    why = weka.absent()
    if why:
        print(f"trees: skipped, {why}")
        return
    reps = 1 if fast else 3
    for name in _present(C45_RATIOS):
        if not (fast and name == "letter"):
            yield _c45(name, reps)
    ours = theirs = 0.0
    names = _present(NB_TREES)
    for name in names:
        found = duel(name, "nb-tree", {}, WEKA_NB_TREE, folds=NB_TREES[name], reps=reps)
        ours, theirs = ours + found.ours, theirs + found.theirs
        yield Figure(
            f"NBTree {name}, 10-fold CV" + (" (1 fold x 10)" if NB_TREES[name] < FOLDS else ""),
            f"{found.ours:.2f} s",
            f"Weka {found.theirs:.1f} s",
            found.theirs / found.ours,
            "times faster",
        )
    if names:
        yield Figure(
            f"NBTree, {len(names)} data sets summed",
            f"{ours:.2f} s",
            f"Weka {theirs:.1f} s",
            theirs / ours,
            "times faster",
            TIMES_FASTER,
            least=True,
        )


def _c45(name: str, reps: int) -> Figure:
    found = duel(name, "c45", {}, WEKA_C45, reps=reps)
    return Figure(
        f"C4.5 {name}, 10-fold CV",
        f"{found.ours:.2f} s",
        f"Weka {found.theirs:.2f} s; answers within {found.apart:.0e}",
        found.ours / found.theirs,
        "times Weka's",
        C45_RATIOS[name],
    )


def _bagged() -> Iterator[Figure]:
    for name in _present({"letter": FOLDS}):
        table = load(name)
        work = answers("bagging", {"base": C44}, prepared(table, first_folds(table)))
        seconds = cpu_seconds(work, reps=1)
        yield Figure(f"bagged C4.4 {name}, 10-fold CV", f"{seconds:.1f} s", "", seconds / 60, "minutes", MINUTES)


def _present(names: dict[str, int] | dict[str, float]) -> list[str]:
    """Those that can be had; the others are named."""
    for name in names:
        if missing_data(name):
            print(f"trees {missing_data(name)}")
    return [name for name in names if not missing_data(name)]
