"""The records of a run: the survey of a data set, and planned, computed and stored trials."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.experiment import Algorithm, DatasetEntry, Scheme
from lazybayes.metrics.registry import Answers, Measure

STORE_FORMAT = 3
"""Incremented when the meaning of a key, or of anything stored, changes."""

DONE, FAILED, TO_DO = "done", "failed", "to do"


@dataclass(frozen=True)
class Trial:
    """A planned trial. It refers to the data; a worker loads the table itself.

    fingerprint: that of the table from which the key was computed; folds_hash: that of the folds file, or "";
    params: the learner's parameters with all defaults (for the seed); version: the learner's, which changes with its
    code; algorithm.name is not part of the key.
    """

    key: str
    dataset: DatasetEntry
    fingerprint: str
    scheme: Scheme
    folds_hash: str
    seed: int
    repeat: int
    fold: int
    algorithm: Algorithm
    params: Mapping[str, Any]
    version: str

    @property
    def label(self) -> str:
        """The name of the trial in messages."""
        return f"{self.dataset.name}, {self.algorithm.name}, repeat {self.repeat}, fold {self.fold}"


@dataclass(frozen=True)
class Survey:
    """The properties of a data set that the plan needs.

    asked: what was surveyed (entry, scheme, content of a folds file), to check whether a kept survey is still valid;
    n_classes: number of declared classes; classes_present: number of classes with rows; missing_cells: number in the
    attributes; folds: every (repeat, fold) in order; classes: the declared labels; largest_class: number of rows of the
    most frequent class (0 if unknown); files: as in `Table`.
    """

    name: str
    asked: str
    fingerprint: str
    n_rows: int
    n_classes: int
    classes_present: int
    n_numeric: int
    n_nominal: int
    missing_cells: int
    folds: tuple[tuple[int, int], ...]
    notices: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    largest_class: int = 0
    files: tuple[tuple[str, int], ...] = ()

    @property
    def folds_hash(self) -> str:
        """The content hash of the surveyed folds file, or "": the last part of `asked`."""
        return str(json.loads(self.asked)[-1])


@dataclass(frozen=True, kw_only=True)
class Predictions(Answers):
    """A learner's predictions for the n test rows of a trial.

    index: (n,) row numbers in the data file; row_diagnostics: by name, (n,) the learner's diagnostic of each row.
    """

    index: NDArray[np.int64]
    row_diagnostics: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a trial, with its key.

    status: ``done``, ``to do``, or ``failed`` (with a one-line message and the traceback). errors: number of
    misclassified test rows. measures: by canonical metric name.
    """

    key: str
    status: str = TO_DO
    n_train: int | None = None
    n_test: int | None = None
    errors: int | None = None
    train_seconds: float | None = None
    test_seconds: float | None = None
    measures: Mapping[str, Measure] = field(default_factory=dict)
    diagnostics: Mapping[str, float] = field(default_factory=dict)
    message: str = ""
    traceback: str = ""


@dataclass(frozen=True, kw_only=True)
class Result(Outcome):
    """A computed trial, ready to be stored.

    predictions: None if they are not kept. notices: notices on the data for the user; warnings: (kind, text) of the
    learner's warnings.
    """

    predictions: Predictions | None = None
    notices: tuple[str, ...] = ()
    warnings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class StoredTrial(Outcome):
    """A planned trial with its stored outcome; kept: whether its predictions are stored."""

    dataset: str
    algorithm: str
    repeat: int
    fold: int
    kept: bool = False
