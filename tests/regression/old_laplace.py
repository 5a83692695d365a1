"""What an older Weka's Laplace estimate of leaves makes of the CLLTree paper's records of C4.4 and C4.5-L.

    python tests/regression/old_laplace.py [RUN]         # RUN: a finished run of clltree2006, which is the default

The estimate is (n_c + 1) / (n + the classes that occur at the leaf), 1 / C for every class at a leaf without a training
row, and is not normalized: such values do not sum to 1, so it is no option of the learner. Prints, as Markdown, each
published record of CLL with C4.4 and of accuracy with C4.5-L, beside ours and ours by this estimate. The trees, and
every other learner's results, are those of the run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray
from tabulate import tabulate

from lazybayes.counts.scores import decide
from lazybayes.data.load import load_table
from lazybayes.evaluate.splits import partition, repeats
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment
from lazybayes.learners import registry
from lazybayes.learners.trees.c45 import C45
from lazybayes.locate import find_run
from lazybayes.preprocess.pipeline import fit_preprocess
from lazybayes.published.claims import Claim, load_published
from lazybayes.published.kinds import KINDS
from lazybayes.published.runs import view_of_run
from lazybayes.published.view import View
from lazybayes.results.store import Store

TREES = {"C4.4": "cll", "C4.5-L": "accuracy"}
"""The algorithms whose leaves have Laplace's estimate, and the metric of the tables that are in question."""
OLD = " (old)"


def old_estimate(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, C) the older Weka's values at leaves with these class counts, (n, C)."""
    occurring = (counts > 0).sum(axis=1, keepdims=True)
    values = (counts + 1) / np.maximum(counts.sum(axis=1, keepdims=True) + occurring, 1)
    return np.asarray(np.where(occurring > 0, values, 1 / counts.shape[1]))


def trials(experiment: Experiment, entry: DatasetEntry, column: Algorithm, repeat: int) -> list[dict[str, Any]]:
    """The algorithm's trials of a repeat, by the old estimate, as rows of a frame."""
    return list(_trials(experiment, entry, column, repeat))


def _trials(experiment: Experiment, entry: DatasetEntry, column: Algorithm, repeat: int) -> Iterator[dict[str, Any]]:
    table = load_table(entry)
    parts = partition(experiment.cv, table, experiment.seed, repeat)
    for fold in parts.tests:
        split = parts.split(fold)
        rows = fit_preprocess(column.preprocess, table, split.train)
        learner = registry.make(column.learner, column.params)
        if not isinstance(learner, C45):
            raise SystemExit(f"{column.name} is {column.learner}; a single C4.5 tree is expected")
        classes = pd.Categorical.from_codes(table.y[split.train], list(table.target.values))
        learner.fit(rows.transform(table, split.train), classes)
        leaf, _ = learner.leaves(rows.transform(table, split.test))
        values, actual = old_estimate(learner.tree_.classes[leaf]), table.y[split.test]
        errors = int((decide(np.log(values)) != actual).sum())
        true = values[np.arange(len(actual)), actual]  # at least 1 / (n + C): nothing needs the floor
        yield {
            **{"dataset": entry.name, "algorithm": column.name + OLD, "repeat": repeat, "fold": fold},
            **{"n_train": len(split.train), "n_test": len(split.test), "status": "done", "errors": errors},
            **{"accuracy": 1 - errors / len(actual), "cll": float(np.log(true).sum())},
            **{"accuracy_special": 0, "cll_special": 0},
        }


def old_frame(experiment: Experiment) -> pd.DataFrame:
    """All trials by the old estimate."""
    columns = [column for column in experiment.algorithms if column.name in TREES]
    jobs = [
        delayed(trials)(experiment, entry, column, repeat)
        for entry in experiment.datasets
        for column in columns
        for repeat in repeats(experiment.cv, load_table(entry))
    ]
    return pd.DataFrame([row for part in Parallel(n_jobs=-1)(jobs) for row in part])


def records(figures: tuple[Claim, ...], view: View) -> Iterator[tuple[str, str, str, str]]:
    """Each published record in question, ours, and ours by the old estimate."""
    for figure in figures:
        names = (figure.given.get("algorithm"), figure.given.get("rival"))
        name = next((n for n in names if n in TREES and figure.given.get("metric") == TREES[n]), None)
        if figure.kind == "record" and name:
            ours, old = (
                KINDS["record"].measure(figure.given, figure.published, one)
                for one in (view, view.reading(name, name + OLD))
            )
            yield figure.title, "/".join(map(str, figure.published)), ours.text, old.text


def main() -> int:
    run = sys.argv[1] if len(sys.argv) > 1 else "clltree2006"
    paper = load_published("clltree2006")
    with Store(find_run(run)) as store:
        experiment = store.experiment
    view = view_of_run(run, find_run(run), paper)
    old = old_frame(experiment)
    frame = pd.concat([view.frame[list(old.columns)], old], ignore_index=True)
    both = View(view.label, frame, view.settings, view.names, view.wanted, view.directions)
    header = ("record", "published", "ours", "ours by the old estimate")
    print(f"**{run}: wins/ties/losses where leaves have an older Weka's Laplace estimate**\n")
    print(tabulate(records(paper.claims, both), header, tablefmt="pipe", disable_numparse=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
