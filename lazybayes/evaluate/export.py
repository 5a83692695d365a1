"""Results and predictions as CSV files: doubles as Python's repr, undefined and missing numbers as empty cells."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lazybayes.evaluate.metrics import METRICS
from lazybayes.evaluate.output import check_output, written

if TYPE_CHECKING:
    from lazybayes.evaluate.store import Store

CELL = ("dataset", "algorithm", "repeat", "fold")


RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")


def export_results(store: Store, path: Path | str, *, for_spreadsheets: bool = False) -> None:
    """One row a planned cell: `dataset,algorithm,repeat,fold,n_train,n_test,status,` the experiment's metrics,
    `train_seconds,test_seconds,` the learners' diagnostics. An existing file is replaced.
    for_spreadsheets: see `for_a_spreadsheet`.

    Raises UsageError, before any work, if the path cannot be written.
    """
    check_output(path)
    wanted = [name for name in store.experiment.metrics if name in METRICS and METRICS[name].compute]
    table = store.frame(wanted)
    hidden = {"errors", *(f"{name}_special" for name in wanted)}
    columns = [name for name in table.columns if name not in hidden]
    with written(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        shown = for_a_spreadsheet if for_spreadsheets else list
        writer.writerows(map(shown, zip(*(_cells(table[name].tolist()) for name in columns), strict=True)))


def export_predictions(store: Store, path: Path | str, *, for_spreadsheets: bool = False) -> None:
    """One row a test row of a done cell: `dataset,algorithm,repeat,fold,index,actual,predicted,p0,p1,...`, classes by
    their place in the declared order, index the row number in the data file (from 0). Where data sets differ in their
    classes the cells behind a data set's last class are empty. An existing file is replaced.
    for_spreadsheets: see `for_a_spreadsheet`.

    Raises UsageError, before any work, if the path cannot be written, StoreError if predictions were not kept.
    """
    check_output(path)
    width = max((survey.n_classes for survey in store.surveys().values()), default=0)
    with written(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*CELL, "index", "actual", "predicted", *(f"p{c}" for c in range(width))])
        for cell, kept in store.predictions():
            place = [cell.dataset, cell.algorithm, cell.repeat, cell.fold]
            place = for_a_spreadsheet(place) if for_spreadsheets else place
            blank = ("",) * (width - kept.proba.shape[1])
            columns = (kept.index.tolist(), kept.actual.tolist(), kept.predicted.tolist(), kept.proba.tolist())
            writer.writerows(
                (*place, index, actual, predicted, *_cells(proba), *blank)
                for index, actual, predicted, proba in zip(*columns, strict=True)
            )


def for_a_spreadsheet(cells: Iterable[Any]) -> list[Any]:
    """The cells of a row; a text that a spreadsheet would run as a formula gets an apostrophe in front.

    Numbers stay as they are. Without this a CSV file holds names as they are, and is read back without loss.
    """
    return [f"'{cell}" if isinstance(cell, str) and cell.startswith(RUN_BY_SPREADSHEETS) else cell for cell in cells]


def _cells(values: Sequence[Any]) -> list[Any]:
    """The values as CSV shows them; <NA> and NaN as nothing."""
    import pandas as pd

    return ["" if value is pd.NA or (isinstance(value, float) and math.isnan(value)) else value for value in values]
