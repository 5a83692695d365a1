"""An experiment as frozen dataclasses: what a config says, after every default is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class DatasetEntry:
    """One data set of an experiment.

    source: ``catalogue``, ``path``, ``openml`` or ``generate``; location: the catalogue name, the absolute
    path, the OpenML id, or the generator's name. options: a generator's parameters. where: the place in the
    config, for messages.
    """

    name: str
    source: str
    location: str
    target: str | None = None
    drop: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] | None = None
    header: bool = True
    columns: tuple[str, ...] | None = None
    separator: str | None = None
    encoding: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""


@dataclass(frozen=True)
class Preprocess:
    """impute: none, mode-mean; discretize: mdl, equal-width, equal-frequency, none; fit: training-fold, all-rows."""

    impute: str = "none"
    discretize: str = "mdl"
    bins: int = 10
    fit: str = "training-fold"


@dataclass(frozen=True)
class Algorithm:
    """One column of the tables: a learner with its parameters (only those the config names)."""

    name: str
    learner: str
    params: Mapping[str, Any] = field(default_factory=dict)
    preprocess: Preprocess = Preprocess()
    input: str | None = None  # foreign estimators: categorical, one-hot, ordinal


@dataclass(frozen=True)
class Scheme:
    """A cross-validation scheme; fields that the scheme does not use stay at their defaults."""

    scheme: str = "stratified-k-fold"  # leave-one-out, holdout, resubstitution, folds-file
    folds: int = 10
    repeats: int = 1
    test: float = 1 / 3
    path: str | None = None  # absolute


@dataclass(frozen=True)
class TableSpec:
    """One table of the report."""

    metric: str
    baseline: str | None = None
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """Everything a run depends on."""

    name: str
    datasets: tuple[DatasetEntry, ...]
    algorithms: tuple[Algorithm, ...]
    cv: Scheme = Scheme()
    preprocess: Preprocess = Preprocess()
    seed: int = 1
    metrics: tuple[str, ...] = ("error", "cll", "auc")
    tables: tuple[TableSpec, ...] = ()
    predictions: bool = True
    cll_floor: float = 1e-10
    auc: str = "present-pairs"  # declared-pairs
    path: Path | None = None  # the config file
