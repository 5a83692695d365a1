"""Small frames as the store gives them, and views of them, for the tests of the comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from lazybayes.published.view import View

Trials = Sequence[float | None]


def frame(
    errors: Mapping[tuple[str, str], Trials],
    n_test: int = 10,
    columns: Mapping[str, Mapping[tuple[str, str], Trials]] = {},
) -> pd.DataFrame:
    """Errors a trial by (data set, algorithm), None = failed; columns: further metrics and diagnostics, so keyed."""
    rows = []
    for (dataset, algorithm), counts in errors.items():
        for fold, count in enumerate(counts):
            done = count is not None
            row: dict[str, Any] = {
                **{"dataset": dataset, "algorithm": algorithm, "repeat": 0, "fold": fold},
                **{"n_train": 9 * n_test, "n_test": n_test, "status": "done" if done else "failed"},
                **{"errors": count, "error": count / n_test if done else math.nan, "error_special": 0},
            }
            for name, given in columns.items():
                values = given.get((dataset, algorithm))
                row[name] = math.nan if values is None or not done else values[fold]
            rows.append(row)
    return pd.DataFrame(rows).astype({"errors": "Int64"})


def view(held: pd.DataFrame, wanted: Sequence[str] = "", scheme: str = "stratified-k-fold", **settings: Any) -> View:
    """A view whose data sets go by their own names; wanted: the paper's data sets (default: those of the frame)."""
    own = list(dict.fromkeys(held["dataset"]))
    names = {name: name for name in (wanted or own) if name in own}
    directions = {"error": "lower", "accuracy": "higher", "cll": "higher", "train-seconds": "lower"}
    cv = {"scheme": scheme, "folds": 10, "repeats": 2}
    return View("run", held, {"cv": cv, **settings}, names, tuple(wanted or own), directions)
