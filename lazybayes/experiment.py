"""An experiment as frozen dataclasses: what a config says, after every default is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

SCHEME_KEYS: Mapping[str, tuple[str, ...]] = {
    "stratified-k-fold": ("folds", "repeats"),
    "leave-one-out": (),
    "holdout": ("test", "repeats"),
    "resubstitution": (),
    "folds-file": ("path",),
}
"""The cross-validation schemes, each with the fields of `Scheme` that it uses."""


@dataclass(frozen=True)
class Source:
    """Where a data set comes from.

    kind: ``catalogue``, ``path``, ``openml``, ``uci`` or ``generate``; location: the catalogue name, the absolute path,
    the OpenML id (several joined by ``+``), UCI's ID/ARCHIVE.zip, or the generator's name. files: more paths behind the
    first, or the members of UCI's archive; the rows of all files are joined. options: a generator's parameters.
    unverified: why the source is not sure; checksum: of what the service sends (``md5`` or ``sha256``), where it is
    really known.
    """

    kind: str
    location: str
    files: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    unverified: str = ""
    checksum: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Selection:
    """Which table is made of what a source has: the keys of a config.

    types: a tuple lists the declared values of a nominal column. leave_out: rows with one of these values of a column.
    recode: other labels for those of a column, None for missing. In types, leave_out and recode ``*`` is every column
    but the class that is not named itself. headers: ``keep`` (the default) or ``remove`` the header lines of texts.
    """

    target: str | None = None
    drop: tuple[str, ...] = ()
    types: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    missing: tuple[str, ...] | None = None
    leave_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    recode: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    headers: str | None = None


@dataclass(frozen=True)
class Reading:
    """How the files of a data set are read: the keys of a config.

    skip_lines: lines (from 1) of a file, by its name, that are no records. split: a column of words of that many
    letters, each letter a column. blocks: a column that is not in the file: how many rows have each label, in order.
    """

    header: bool = True
    columns: tuple[str, ...] | None = None
    separator: str | None = None
    thousands: str | None = None
    decimal: str = "."
    encoding: str | None = None
    skip_lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    split: Mapping[str, int] = field(default_factory=dict)
    blocks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class DatasetEntry:
    """One data set of an experiment.

    expect: hold the table against the counts that the catalogue expects. where: the place in the config, for messages.
    """

    name: str
    source: Source
    selection: Selection = Selection()
    reading: Reading = Reading()
    expect: bool = True
    where: str = ""

    @classmethod
    def of(cls, name: str, source: str, location: str, **keys: Any) -> DatasetEntry:
        """An entry by its keys, as a config has them and `keys` gives them. Raises TypeError for an unknown key."""
        return cls(name, Source(source, location)).with_keys(**keys)

    def with_keys(self, **keys: Any) -> DatasetEntry:
        """The entry with other values of these keys. Raises TypeError for an unknown key."""
        parts: dict[str, Any] = {
            name: replace(part, **{key: keys.pop(key) for key in vars(part) if key in keys})
            for name, part in (("source", self.source), ("selection", self.selection), ("reading", self.reading))
        }
        return replace(self, **parts, **keys)

    def keys(self) -> dict[str, Any]:
        """Every key with its value, in one mapping: the form that results folders keep."""
        source = dict(vars(self.source))
        own = {"name": self.name, "source": source.pop("kind"), "expect": self.expect, "where": self.where}
        return own | source | vars(self.selection) | vars(self.reading)

    def changed(self) -> list[str]:
        """The keys of the selection and of the reading that have not their default."""
        usual = vars(Selection()) | vars(Reading())
        given = vars(self.selection) | vars(self.reading)
        return [key for key, value in usual.items() if given[key] != value]


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

    scheme: str = "stratified-k-fold"  # one of `SCHEME_KEYS`
    folds: int = 10
    repeats: int = 1
    test: float = 1 / 3
    path: str | None = None  # absolute


@dataclass(frozen=True)
class TableSpec:
    """One table of the report.

    show: ``all`` (means with standard errors, averages, records; for the error a table of ratios as well), ``sd``
    (standard deviations in their place), ``mean``, ``se`` (standard errors), ``ratio`` (of errors, with the records),
    ``records`` (wins/ties/losses of every pair of algorithms), or ``description`` (of the data; it has no metric).
    name: how the table is called, in its title and as a file. algorithms: its columns in order; none named: all.
    """

    metric: str = ""
    baseline: str | None = None
    tests: tuple[str, ...] = ()
    show: str = "all"
    name: str = ""
    algorithms: tuple[str, ...] = ()


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
    auc: str = "present-pairs"  # declared-pairs, declared-one-sided
    path: Path | None = None  # the config file
