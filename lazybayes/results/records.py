"""What the pieces of a run hand each other: a data set's survey, a planned trial, a computed one, a stored one."""

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
"""Raised when the meaning of a key, or of anything stored, changes."""

DONE, FAILED, TO_DO = "done", "failed", "to do"


@dataclass(frozen=True)
class Trial:
    """One trial, by reference: a worker loads the table itself.

    fingerprint: of the table the key was made with; folds_hash: of the folds file, "" without one;
    params: the learner's parameters with all defaults (for the seed); version: the learner's, which changes with its
    code; algorithm.name is no part of the key.
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
        """How messages name the trial."""
        return f"{self.dataset.name}, {self.algorithm.name}, repeat {self.repeat}, fold {self.fold}"


@dataclass(frozen=True)
class Survey:
    """What the plan needs to know of a data set.

    asked: what was surveyed (entry, scheme, content of a folds file), to tell whether a kept survey still holds;
    n_classes: declared classes; classes_present: those that some row has; missing_cells: of the attributes;
    folds: every (repeat, fold) in order; classes: the declared labels; largest_class: the rows of the most frequent
    class (0 = not known); files: as in `Table`.
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
        """The content hash of the folds file that was surveyed, "" without one: the last part of `asked`."""
        return str(json.loads(self.asked)[-1])


@dataclass(frozen=True, kw_only=True)
class Predictions(Answers):
    """What a learner said of the n test rows of a trial.

    index: (n,) row numbers in the data file; row_diagnostics: (n,) what else the learner told of each row, by name.
    """

    index: NDArray[np.int64]
    row_diagnostics: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What came of a trial, under its key.

    status: ``done``, ``to do``, or ``failed``, then with a one-line message and the traceback. errors: wrong rows of
    the test part. measures: by canonical metric name.
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

    predictions: None if they are not to be kept. notices: what the user should be told of the data; warnings: (kind,
    text) of what the learner warned of.
    """

    predictions: Predictions | None = None
    notices: tuple[str, ...] = ()
    warnings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class StoredTrial(Outcome):
    """What the store has of a planned trial; kept: whether its predictions are there."""

    dataset: str
    algorithm: str
    repeat: int
    fold: int
    kept: bool = False
