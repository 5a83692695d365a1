"""TAN against Weka's, and SuperParent TAN against TAN: CPU seconds of training and testing in a 10-fold CV."""

from __future__ import annotations

from collections.abc import Iterator

import weka
from duel import answers, duel, first_folds, prepared
from harness import Figure, cpu_seconds, load, missing_data

WEKA_TAN = (
    "weka.classifiers.bayes.BayesNet -D -Q weka.classifiers.bayes.net.search.local.TAN -- -S BAYES "
    "-E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 0.5"
)
NAMES = ("kr-vs-kp", "splice", "letter")


def figures(fast: bool) -> Iterator[Figure]:
    """Two figures for each data set; fast: fewer repetitions. SuperParent has no target: its ratio is to be stated."""
    reps = 1 if fast else 3
    why = weka.absent()
    if why:
        print(f"tan: Weka skipped, {why}")
    for name in NAMES:
        if missing_data(name):
            print(f"tan {missing_data(name)}")
            continue
        if not why:
            found = duel(name, "tan", {"edge_score": "bayes"}, WEKA_TAN, reps=reps)
            yield Figure(
                f"TAN (edge_score bayes) {name}, 10-fold CV",
                f"{found.ours:.2f} s",
                f"Weka {found.theirs:.2f} s; answers within {found.apart:.0e}",
                found.ours / found.theirs,
                "times Weka's",
                1.0,
            )
        table = load(name)
        folds = prepared(table, first_folds(table))
        tan, superparent = (cpu_seconds(answers(a, {}, folds), reps=reps) for a in ("tan", "superparent-tan"))
        yield Figure(
            f"SuperParent TAN {name}, 10-fold CV",
            f"{superparent:.2f} s",
            f"TAN {tan:.2f} s",
            superparent / tan,
            "times TAN's",
        )
