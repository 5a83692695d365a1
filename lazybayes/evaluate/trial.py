"""One trial: split, preprocess on the training rows, fit, answer, measure. Runs in the parent or in a worker process.

Times are CPU seconds of this process (`time.process_time`): training time covers only `fit`, testing time only
`answer`. Neither includes loading, splitting, preprocessing (shared by the algorithms of a fold) and measuring.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.data.load import load_table
from lazybayes.data.table import Table
from lazybayes.errors import DataError, RunError, UsageError
from lazybayes.evaluate.folds_file import content_hash
from lazybayes.evaluate.plan import folds_hash
from lazybayes.evaluate.seeds import canonical_json, learner_seed
from lazybayes.evaluate.splits import Partition, Split, partition, repeats
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme
from lazybayes.learners import registry
from lazybayes.learners.base import Answer
from lazybayes.learners.code import beside
from lazybayes.messages import nearest, one_line, plural, trace
from lazybayes.metrics.auc import log_odds
from lazybayes.metrics.registry import METRICS, MetricSettings, canonical
from lazybayes.preprocess.pipeline import fit_preprocess
from lazybayes.results.records import DONE, FAILED, Predictions, Result, Survey, Trial

SUM_TOLERANCE = 1e-6
"""Maximum deviation of the sum of a row of probabilities from 1."""

MOST_WARNINGS = 20
"""Maximum number of warnings kept per trial."""


@dataclass(frozen=True)
class Job:
    """Settings shared by all trials of a run: the metrics to compute, whether predictions are kept."""

    metrics: tuple[str, ...]
    settings: MetricSettings
    predictions: bool = True
    offline: bool = False


class Fitted(NamedTuple):
    """A learner trained in one fold; rows: the preprocessed test rows of the fold, in the order of `split.test`."""

    learner: Any
    table: Table
    split: Split
    rows: Rows


def run_trial(trial: Trial, job: Job) -> Result:
    """Computes a trial. Any exception gives a failed result, except KeyboardInterrupt (Ctrl-C), which is raised."""
    sizes: dict[str, int] = {}
    caught: dict[tuple[str, str], None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _keeper(caught)
        try:
            result = _compute(trial, job, sizes)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            result = failure(problem)
    return Result(key=trial.key, **{**sizes, **result}, warnings=tuple(caught))


def failure(problem: BaseException) -> dict[str, Any]:
    """The fields of a failed result."""
    return {"status": FAILED, "message": one_line(problem), "traceback": trace(problem)}


def _keeper(caught: dict[tuple[str, str], None]) -> Callable[..., None]:
    """Records the kinds and texts of the first warnings: one per test row could fill the memory or the store."""

    def keep(message: Warning, category: type[Warning], *place: Any, **more: Any) -> None:
        if len(caught) < MOST_WARNINGS:
            caught[category.__name__, one_line(message).removeprefix(f"{category.__name__}: ")] = None

    return keep


def only_dataset(experiment: Experiment, name: str | None) -> str:
    """The name, or if it is None, that of the only data set. Raises UsageError if there are several."""
    if name is not None:
        return name
    names = [entry.name for entry in experiment.datasets]
    if len(names) > 1:
        raise UsageError(
            f"{experiment.name} has {len(names)} data sets; choose one: --dataset NAME ({', '.join(names)})"
        )
    return names[0]


def fitted(
    experiment: Experiment,
    dataset: str,
    algorithm: str,
    row: int,
    repeat: int = 0,
    *,
    known: Survey | None = None,
    offline: bool = False,
) -> Fitted:
    """The algorithm as trained in the fold that tests a row (its number in the data file, from 0).

    known: the run's survey of the data set. Raises UsageError for an unknown data set, algorithm, repeat or tested row,
    DataError if the data or the folds have changed since the run.
    """
    column, table, parts = _planned(experiment, dataset, algorithm, repeat, known, offline)
    place = np.flatnonzero(table.index == row)
    if not len(place):
        raise UsageError(
            f"{dataset} has no row {row}, or the row is excluded: rows go from {table.index[0]} to {table.index[-1]}"
        )
    fold = next((fold for fold, test in parts.tests.items() if place[0] in test), None)
    if fold is None:
        raise UsageError(f"row {row} of {dataset} is not tested in any fold of repeat {repeat}")
    return _trained(experiment, column, table, parts.split(fold))


def fitted_fold(
    experiment: Experiment,
    dataset: str,
    algorithm: str,
    repeat: int = 0,
    fold: int = 0,
    *,
    known: Survey | None = None,
    offline: bool = False,
) -> Fitted:
    """The algorithm as trained in a fold. Raises like `fitted`."""
    column, table, parts = _planned(experiment, dataset, algorithm, repeat, known, offline)
    if fold not in parts.tests:
        raise UsageError(f"repeat {repeat} has no fold {fold}; it has {', '.join(map(str, parts.tests))}")
    return _trained(experiment, column, table, parts.split(fold))


def _planned(
    experiment: Experiment, dataset: str, algorithm: str, repeat: int, known: Survey | None, offline: bool
) -> tuple[Algorithm, Table, Partition]:
    if experiment.path:
        beside(experiment.path.parent)
    entries = {entry.name: entry for entry in experiment.datasets}
    columns = {column.name: column for column in experiment.algorithms}
    for kind, name, names in (("data set", dataset, tuple(entries)), ("algorithm", algorithm, tuple(columns))):
        if name not in names:
            raise UsageError(f"{experiment.name} has no {kind} {name}{nearest(name, names)}; it has {', '.join(names)}")
    table = load_table(entries[dataset], offline=offline)
    if known and known.fingerprint != table.fingerprint():
        raise DataError(f"the data of {dataset} have changed since the run: run again")
    if known and known.folds_hash != folds_hash(experiment.cv):
        raise DataError(f"the folds of {experiment.cv.path} have changed since the run: run again")
    if repeat not in repeats(experiment.cv, table):
        raise UsageError(f"{experiment.name} has no repeat {repeat} (repeats are numbered from 0)")
    return columns[algorithm], table, partition(experiment.cv, table, experiment.seed, repeat)


def _trained(experiment: Experiment, column: Algorithm, table: Table, split: Split) -> Fitted:
    fitted_rows = _preprocessed(split, table, column.preprocess)
    params = registry.resolve(column.learner, column.params)
    seed = learner_seed(experiment.seed, table.name, split.repeat, split.fold, column.learner, params)
    learner = registry.make(column.learner, column.params, input=column.input, seed=seed)
    learner.fit(fitted_rows.train, _classes(table, split.train))
    return Fitted(learner, table, split, fitted_rows.test)


def _compute(trial: Trial, job: Job, sizes: dict[str, int]) -> dict[str, Any]:
    """The fields of a done result; fills in `sizes` as soon as the split is known."""
    algorithm, source = trial.algorithm, _Source.of(trial, job.offline)
    fold = _fold(source, trial.scheme, trial.folds_hash, trial.seed, trial.repeat, trial.fold, algorithm.preprocess)
    sizes |= {"n_train": len(fold.train), "n_test": len(fold.test)}
    seed = learner_seed(trial.seed, trial.dataset.name, trial.repeat, trial.fold, algorithm.learner, trial.params)
    learner = registry.make(algorithm.learner, algorithm.params, input=algorithm.input, seed=seed)
    if _version(algorithm.learner) != trial.version:
        raise RunError(f"the code of {algorithm.learner} has changed since the run was planned: run again")
    start = time.process_time()
    learner.fit(fold.train, fold.classes)
    trained = time.process_time()
    answer = learner.answer(fold.test)
    tested = time.process_time()
    predictions = _checked(answer, fold)
    measures = {}
    for name in job.metrics:
        metric = METRICS.get(name)
        if metric and metric.compute:
            measures[canonical(name, job.settings)] = metric.compute(predictions, job.settings)
    return {
        "status": DONE,
        "errors": int(np.count_nonzero(predictions.predicted != predictions.actual)),
        "train_seconds": trained - start,
        "test_seconds": tested - trained,
        "measures": measures,
        "diagnostics": {name: float(value) for name, value in answer.diagnostics.items()},
        "predictions": predictions if job.predictions else None,
        "notices": fold.notices,
    }


def _checked(answer: Answer, fold: _Fold) -> Predictions:
    """The predictions of the fold's test rows in an answer. Raises RunError for an invalid answer."""
    n, classes = len(fold.test), len(fold.classes.categories)
    proba = np.ascontiguousarray(answer.proba, dtype=np.float64)
    predicted = np.ascontiguousarray(answer.predicted, dtype=np.int32)
    if proba.shape != (n, classes) or predicted.shape != (n,):
        raise RunError(
            f"the learner's answer has the shapes {proba.shape} and {predicted.shape}; "
            f"{plural(n, 'row')} of {plural(classes, 'class', 'classes')} need {(n, classes)} and {(n,)}"
        )
    finite = np.isfinite(proba).all(axis=1)
    if not finite.all():
        raise RunError(f"a probability is not finite in {n - int(finite.sum())} of {plural(n, 'test row')}")
    wrong = (np.abs(proba.sum(axis=1) - 1) > SUM_TOLERANCE) | (proba < 0).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise RunError(
            f"probabilities are below 0, or their sum is not 1, in {int(wrong.sum())} of {plural(n, 'test row')} "
            f"(first: test row {row}, sum {proba[row].sum():.9g})"
        )
    if ((predicted < 0) | (predicted >= classes)).any():
        raise RunError(f"a predicted class is not among 0 to {classes - 1}")
    row_diagnostics = {name: np.asarray(values, dtype=np.float64) for name, values in answer.row_diagnostics.items()}
    for name, values in row_diagnostics.items():
        if values.shape != (n,):
            raise RunError(f"the row diagnostic {name} has the shape {values.shape}; expected {(n,)}")
    return Predictions(
        index=fold.index,
        actual=fold.actual,
        predicted=predicted,
        proba=np.full_like(proba, np.nan) if answer.only_decides else proba,
        scores=_scores(answer, proba),
        row_diagnostics=row_diagnostics,
    )


def _scores(answer: Answer, proba: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """(n, C) scores that rank the rows for each class, if they differ from the probabilities.

    These are the learner's own scores, or the log odds if a probability is too small for a double.
    """
    scores = answer.scores
    if scores is None and answer.log_proba is not None:
        underflow = (proba < np.finfo(np.float64).tiny) & np.isfinite(answer.log_proba)
        scores = log_odds(answer.log_proba) if underflow.any() else None
    if scores is None:
        return None
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    if scores.shape != proba.shape:
        raise RunError(f"the learner's scores have the shape {scores.shape}; expected {proba.shape}")
    if np.isnan(scores).any():
        raise RunError(f"a score is not a number in {plural(int(np.isnan(scores).any(axis=1).sum()), 'test row')}")
    return scores


@dataclass(frozen=True)
class _Source:
    """A data set as planned. Its text is the key in the caches, because an entry is not hashable (it has mappings)."""

    text: str
    fingerprint: str
    offline: bool
    entry: DatasetEntry = field(compare=False)

    @classmethod
    def of(cls, trial: Trial, offline: bool) -> _Source:
        return cls(canonical_json(vars(trial.dataset)), trial.fingerprint, offline, trial.dataset)


@dataclass(frozen=True)
class _Fold:
    """A preprocessed fold, shared by its algorithms. actual: true classes; index: row numbers in the file."""

    train: Rows
    classes: pd.Categorical
    test: Rows
    actual: NDArray[np.int32]
    index: NDArray[np.int64]
    notices: tuple[str, ...]


class _Preprocessed(NamedTuple):
    train: Rows
    test: Rows
    notices: tuple[str, ...]


@cache
def _version(learner: str) -> str:
    """A learner's version as imported by this process: its modules stay loaded even if their files change."""
    return registry.version(learner)


@lru_cache(maxsize=4)
def _table(source: _Source) -> Table:
    table = load_table(source.entry, offline=source.offline)
    if table.fingerprint() != source.fingerprint:
        raise DataError(f"{table.name} has changed since the run was planned: run again")
    return table


@lru_cache(maxsize=4)
def _partition(source: _Source, scheme: Scheme, folds_hash: str, seed: int, repeat: int) -> Partition:
    if scheme.path and folds_hash and content_hash(scheme.path) != folds_hash:
        raise DataError(f"{scheme.path} has changed since the run was planned: run again")
    return partition(scheme, _table(source), seed, repeat)


@lru_cache(maxsize=8)
def _fold(
    source: _Source, scheme: Scheme, folds_hash: str, seed: int, repeat: int, fold: int, spec: Preprocess
) -> _Fold:
    table = _table(source)
    split = _partition(source, scheme, folds_hash, seed, repeat).split(fold)
    rows = _preprocessed(split, table, spec)
    return _Fold(
        train=rows.train,
        classes=_classes(table, split.train),
        test=rows.test,
        actual=table.y[split.test],
        index=table.index[split.test],
        notices=rows.notices,
    )


def _preprocessed(split: Split, table: Table, spec: Preprocess) -> _Preprocessed:
    """Training and test rows, read-only because the algorithms of a fold share them."""
    fit = fit_preprocess(spec, table, split.train)
    train, test = fit.transform(table, split.train), fit.transform(table, split.test)
    for rows in (train, test):
        rows.nominal.flags.writeable = False
        rows.numeric.flags.writeable = False
    return _Preprocessed(train, test, fit.notices)


def _classes(table: Table, positions: NDArray[np.int64]) -> pd.Categorical:
    """(n,) the classes of these rows; labels stay strings even if they look like numbers."""
    return pd.Categorical.from_codes(table.y[positions], pd.Index(table.target.values, dtype=object))
