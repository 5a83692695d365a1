"""The trials of a store as one pandas DataFrame, the input of tables, tests and figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lazybayes.errors import StoreError, UsageError
from lazybayes.messages import nearest
from lazybayes.metrics.registry import METRICS, Measure, MetricSettings, canonical
from lazybayes.results.records import DONE, StoredTrial
from lazybayes.results.store import Store

if TYPE_CHECKING:
    import pandas as pd


COUNTS = ("n_train", "n_test", "errors")


def load_frame(store: Store, metrics: Sequence[str]) -> pd.DataFrame:
    """One row per planned trial, in plan order (data sets, repeats, folds, algorithms).

    Columns: dataset, algorithm, repeat, fold, n_train, n_test, status (done, failed, to do), errors; per metric, its
    value (NaN if undefined or not done) and METRIC_special (0 if not done); train_seconds, test_seconds; one column per
    learner diagnostic (NaN if the learner does not have it). n_train, n_test and errors are nullable integers: errors
    is <NA> for a trial that is not done, the sizes are <NA> for a trial that ended before its split. A metric that was
    not computed in the run is computed from the stored predictions.

    Raises UsageError for an unknown metric, StoreError if a metric needs predictions that were not kept.
    """
    import numpy as np
    import pandas as pd

    cells = store.trials()
    diagnostics = list(dict.fromkeys(name for cell in cells for name in cell.diagnostics))
    for name in metrics:
        if name not in METRICS and name not in diagnostics:
            known = (*METRICS, *diagnostics)
            raise UsageError(f"unknown metric {name}{nearest(name, known)}; the metrics are {', '.join(known)}")
    settings = store.settings
    columns: dict[str, Any] = {
        name: [getattr(cell, name) for cell in cells] for name in ("dataset", "algorithm", "repeat", "fold")
    }
    for name in COUNTS[:2]:
        columns[name] = _counts(cells, name)
    columns["status"] = [cell.status for cell in cells]
    columns["errors"] = _counts(cells, "errors")
    for name in dict.fromkeys(metrics):
        measures = [_measure(store, cell, name, settings) for cell in cells]
        columns[name] = np.array([measure.value for measure in measures], dtype=np.float64)
        columns[f"{name}_special"] = np.array([measure.special for measure in measures], dtype=np.int64)
    for name in ("train_seconds", "test_seconds"):
        columns[name] = np.array([_seconds(cell, name) for cell in cells], dtype=np.float64)
    for name in diagnostics:
        if name not in columns:
            columns[name] = np.array([cell.diagnostics.get(name, math.nan) for cell in cells], dtype=np.float64)
    return pd.DataFrame(columns)


def _counts(cells: Sequence[StoredTrial], name: str) -> Any:
    import pandas as pd

    return pd.array([getattr(cell, name) for cell in cells], dtype="Int64")


def _seconds(cell: StoredTrial, name: str) -> float:
    value: float | None = getattr(cell, name)
    return math.nan if value is None else value


def _measure(store: Store, cell: StoredTrial, name: str, settings: MetricSettings) -> Measure:
    if cell.status != DONE:
        return Measure(math.nan)
    metric = METRICS.get(name)
    if metric is None:
        return Measure(cell.diagnostics.get(name, math.nan))
    if metric.compute is None:
        return Measure(_seconds(cell, name.replace("-", "_")))
    kept = cell.measures.get(canonical(name, settings))
    if kept is not None:
        return kept
    found = store.predictions_of(cell.key)
    if found is None:
        raise StoreError(
            f"{name} of {cell.dataset}, {cell.algorithm} was not computed, and the experiment does not keep the "
            f"predictions to compute it from: add {name} to its metrics and run again"
        )
    return metric.compute(found, settings)
