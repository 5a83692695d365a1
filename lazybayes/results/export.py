"""Results and predictions as CSV files: floats as Python's repr, undefined and missing numbers as empty cells."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lazybayes.data.table import place_of
from lazybayes.metrics.registry import METRICS
from lazybayes.output import check_output, open_output
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store

TRIAL = ("dataset", "algorithm", "repeat", "fold")


RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")


def export_results(store: Store, path: Path | str, *, for_spreadsheets: bool = False) -> None:
    """One row per planned trial: `dataset,algorithm,repeat,fold,n_train,n_test,status,` the experiment's metrics,
    `train_seconds,test_seconds,` the learners' diagnostics. An existing file is replaced.
    for_spreadsheets: see `for_a_spreadsheet`.

    Raises UsageError, before any work, if the path cannot be written.
    """
    check_output(path)
    wanted = [name for name in store.experiment.metrics if name in METRICS and METRICS[name].compute]
    table = load_frame(store, wanted)
    hidden = {"errors", *(f"{name}_special" for name in wanted)}
    columns = [name for name in table.columns if name not in hidden]
    with open_output(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        shown = for_a_spreadsheet if for_spreadsheets else list
        writer.writerows(map(shown, zip(*(_cells(table[name].tolist()) for name in columns), strict=True)))


def export_predictions(store: Store, path: Path | str, *, for_spreadsheets: bool = False) -> None:
    """One row per test row of a done trial: `dataset,algorithm,repeat,fold,index,actual,predicted,actual_class,
    predicted_class,p0,p1,...`. An existing file is replaced.

    index: the row number in the data file, from 0, counting excluded rows. If any data set has several files, the index
    counts through them, and the columns `file,row` after it contain the file and the row number in it; they are empty
    for data sets with one file. actual, predicted: class codes (positions in the declared order), followed by class
    names. If other data sets have more classes, the additional probabilities are empty. for_spreadsheets: see
    `for_a_spreadsheet`.

    Raises UsageError, before any work, if the path cannot be written; StoreError if the predictions were not kept.
    """
    check_output(path)
    surveys = store.surveys()
    width = max((survey.n_classes for survey in surveys.values()), default=0)
    place = ("index", "file", "row") if any(survey.files for survey in surveys.values()) else ("index",)
    answers = ("actual", "predicted", "actual_class", "predicted_class")
    shown = for_a_spreadsheet if for_spreadsheets else list
    with open_output(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*TRIAL, *place, *answers, *(f"p{c}" for c in range(width))])
        for trial, predictions in store.predictions():
            survey = surveys[trial.dataset]
            first = shown((trial.dataset, trial.algorithm, trial.repeat, trial.fold))
            blank = ("",) * (width - predictions.proba.shape[1])
            columns = (
                predictions.index.tolist(),
                predictions.actual.tolist(),
                predictions.predicted.tolist(),
                predictions.proba.tolist(),
            )
            for index, actual, predicted, proba in zip(*columns, strict=True):
                file = (place_of(index, survey.files) if survey.files else ("", "")) if len(place) > 1 else ()
                names = (survey.classes[actual], survey.classes[predicted])
                writer.writerow((*first, index, *shown(file), actual, predicted, *shown(names), *_cells(proba), *blank))


def export_classes(store: Store, path: Path | str, *, for_spreadsheets: bool = False) -> None:
    """One row per declared class of a data set: `dataset,code,name`. An existing file is replaced.

    for_spreadsheets: see `for_a_spreadsheet`.

    Raises UsageError, before any work, if the path cannot be written.
    """
    check_output(path)
    shown = for_a_spreadsheet if for_spreadsheets else list
    with open_output(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("dataset", "code", "name"))
        for name, survey in store.surveys().items():
            writer.writerows(shown((name, code, label)) for code, label in enumerate(survey.classes))


def for_a_spreadsheet(cells: Iterable[Any]) -> list[Any]:
    """The cells of a row, with an apostrophe before text that a spreadsheet would interpret as a formula.

    Numbers are not changed. Without this function, names are written unchanged and can be read back without loss.
    """
    return [f"'{cell}" if isinstance(cell, str) and cell.startswith(RUN_BY_SPREADSHEETS) else cell for cell in cells]


def _cells(values: Sequence[Any]) -> list[Any]:
    """The values as written to CSV, with empty strings for <NA> and NaN."""
    import pandas as pd

    return ["" if value is pd.NA or (isinstance(value, float) and math.isnan(value)) else value for value in values]
