"""Runs the toy experiment in a process of its own: python toy_run.py FOLDER JOBS DATA.csv; the pause is TOY_PAUSE."""

from __future__ import annotations

import sys

from lazybayes.errors import LazyBayesError
from lazybayes.evaluate.runner import run
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme

BARE = Preprocess(discretize="none")


def experiment(data: str) -> Experiment:
    """Three algorithms, 2 x 5 folds."""
    return Experiment(
        name="toy",
        datasets=(DatasetEntry.of("small", "path", data, target="class"),),
        algorithms=(
            Algorithm("SLOW", "toy_learners.Slow", {}, BARE),
            Algorithm("RANDOM", "toy_learners.Random", {}, BARE),
            Algorithm("NB", "naive-bayes", {}, BARE),
        ),
        cv=Scheme(folds=5, repeats=2),
    )


def main() -> int:
    folder, jobs, data = sys.argv[1:]
    try:
        return run(experiment(data), store_dir=folder, jobs=int(jobs)).exit_status
    except LazyBayesError as problem:
        print(problem, file=sys.stderr)
        return problem.exit_status
    except KeyboardInterrupt as stop:
        print(stop, file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
