"""The results of an experiment in one SQLite file: one row per trial, under the key of everything it depends on.

The table `cells` keeps every trial that was ever finished in the folder. `plan` lists the trials of the current
experiment in order; each run rewrites it, so that tables and exports show exactly the trials of its config. Two
algorithms with equal parameters share a trial. Only the parent process of a run writes; reading needs neither the lock
nor write permission.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import numpy as np

from lazybayes.errors import StoreError
from lazybayes.experiment import Experiment
from lazybayes.files import exists, is_file, is_folder, obstacle
from lazybayes.messages import snippet
from lazybayes.metrics.registry import Measure, MetricSettings
from lazybayes.results.database import Damage, checksum, connect, explain, make_folder, transaction
from lazybayes.results.records import DONE, STORE_FORMAT, Outcome, Predictions, Result, StoredTrial, Survey, Trial
from lazybayes.snapshot import from_dict, to_dict

FILE = "results.sqlite"
TABLES = {
    "meta": ("name TEXT PRIMARY KEY", "value TEXT NOT NULL"),
    "datasets": ("name TEXT PRIMARY KEY", "survey TEXT NOT NULL"),
    "cells": (
        "key TEXT PRIMARY KEY", "status TEXT NOT NULL", "n_train INTEGER", "n_test INTEGER", "errors INTEGER",
        "train_seconds REAL", "test_seconds REAL", "metrics TEXT NOT NULL", "diagnostics TEXT NOT NULL",
        "message TEXT NOT NULL", "traceback TEXT NOT NULL", "notices TEXT NOT NULL", "kept INTEGER NOT NULL",
    ),
    "predictions": (
        "key TEXT PRIMARY KEY", "rows BLOB NOT NULL", "actual BLOB NOT NULL", "predicted BLOB NOT NULL",
        "proba BLOB NOT NULL", "row_diagnostics TEXT NOT NULL", "row_values BLOB NOT NULL", "scores BLOB",
    ),
    "plan": (
        "position INTEGER PRIMARY KEY", "dataset TEXT NOT NULL", "algorithm TEXT NOT NULL",
        "repeat INTEGER NOT NULL", "fold INTEGER NOT NULL", "key TEXT NOT NULL",
    ),
}  # fmt: skip
"""The columns of each table, without the last one, the checksum of the others. cells.kept: whether `predictions` has a
row with this key."""
LISTS = ("datasets", "plan")
"""The tables that a run writes as a whole; `meta` contains their numbers of rows."""


class NothingYet(StoreError):
    """A results file without results."""


class Store:
    """The results in a folder; `Store(folder)` reads, `Store(folder, write=True)` creates what is missing.

    A context manager. Raises StoreError if the folder contains no results, cannot be written to, or was created by
    another version.
    """

    def __init__(self, folder: Path | str, *, write: bool = False) -> None:
        self.folder = Path(folder)
        self.path = self.folder / FILE
        self._writes = write
        if write:
            make_folder(self.folder)
        elif not is_file(self.path):
            raise StoreError(_not_there(self.folder))
        if exists(self.path) and (problem := obstacle(self.path)):
            raise StoreError(f"{self.path}: {problem}")
        try:
            with explain(self.path, write=write):
                self._db = connect(self.path, write=write)
                try:
                    self._prepare()
                except BaseException:
                    self._db.close()
                    raise
        except Damage as damage:  # too much for `mend` to open the file
            raise Damage(self.path, damage.what, "move it away and run again") from damage

    def _prepare(self) -> None:
        """Creates the tables of a new file; rejects a file of another format."""
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "meta" in tables:
            (stored_format,) = self._db.execute("SELECT value FROM meta WHERE name = 'format'").fetchone() or ("",)
            if not (isinstance(stored_format, str) and stored_format.isdecimal()):
                raise Damage(self.path, "its format is not stored")
            if stored_format != str(STORE_FORMAT):
                raise StoreError(
                    f"{self.path} has format {stored_format}, but this version of lazybayes reads format "
                    f"{STORE_FORMAT}: use the version that wrote it, or another folder (--output)"
                )
        elif tables:
            raise StoreError(f"{self.path} is not a results file of lazybayes: use another folder")
        elif not self._writes:
            raise NothingYet(f"{self.path} contains no results yet: run the experiment (again)")
        else:
            with transaction(self._db):
                for name, columns in TABLES.items():
                    self._db.execute(f"CREATE TABLE {name} ({', '.join(columns)}, checksum TEXT NOT NULL)")
                self._set_meta("format", str(STORE_FORMAT))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    # ---- writing: only the parent process of a run ----

    def begin(self, experiment: Experiment, surveys: Mapping[str, Survey], trials: Iterable[Trial]) -> None:
        """Stores the experiment with these trials as its plan. Raises StoreError like `check_name`."""
        self.check_name(experiment)
        plan = (
            (position, trial.dataset.name, trial.algorithm.name, trial.repeat, trial.fold, trial.key)
            for position, trial in enumerate(trials)
        )
        with self._transaction():
            self._set_meta("experiment", json.dumps(to_dict(experiment)))
            self._fill("datasets", ((name, json.dumps(asdict(survey))) for name, survey in surveys.items()))
            self._fill("plan", plan)

    def put(self, result: Result) -> None:
        """Writes a finished trial in one transaction; replaces an earlier one with the same key."""
        row = (
            result.key,
            result.status,
            result.n_train,
            result.n_test,
            result.errors,
            result.train_seconds,
            result.test_seconds,
            json.dumps({name: _plain(measure) for name, measure in result.measures.items()}),
            json.dumps(dict(result.diagnostics)),
            result.message,
            result.traceback,
            json.dumps([*result.notices, *(f"{kind}: {text}" for kind, text in result.warnings)]),
            int(result.predictions is not None),
        )
        with self._transaction():
            self._insert("cells", [row])
            if result.predictions:
                self._insert("predictions", [(result.key, *_to_blobs(result.predictions))])
            else:
                self._db.execute("DELETE FROM predictions WHERE key = ?", (result.key,))

    def forget(self, keys: Iterable[str]) -> None:
        """Deletes these trials."""
        rows = [(key,) for key in keys]
        with self._transaction():
            for table in ("cells", "predictions"):
                self._db.executemany(f"DELETE FROM {table} WHERE key = ?", rows)

    # ---- reading ----

    def check_name(self, experiment: Experiment) -> None:
        """Raises StoreError if the results belong to an experiment with another name."""
        stored = json.loads(self._meta("experiment") or "{}")
        if stored.get("name", experiment.name) != experiment.name:
            of_file = f" ({stored['path']})" if stored.get("path") else ""
            hint = f"if it is the same experiment under a new name, set {snippet(name=stored['name'])} in the config"
            if any(re.search(r"-seed-\d+$", name) for name in (stored["name"], experiment.name)):  # of `run --seed`
                hint = f"without --output this run's results go to {Path('results') / experiment.name}"
            raise StoreError(
                f"{self.folder} contains the results of the experiment {stored['name']}{of_file}, not of "
                f"{experiment.name}: choose another folder (--output), or move this one away; {hint}"
            )

    @property
    def experiment(self) -> Experiment:
        """The experiment of the last run."""
        text = self._meta("experiment")
        if text is None:
            raise StoreError(f"{self.folder} contains no experiment yet: no run has reached its first trial")
        return from_dict(json.loads(text))

    @property
    def settings(self) -> MetricSettings:
        """The settings of the experiment's metrics."""
        experiment = self.experiment
        return MetricSettings(experiment.cll_floor, experiment.auc)

    def surveys(self) -> dict[str, Survey]:
        """The last run's survey of each data set, by name."""
        surveys = {}
        for name, text in self._list("datasets"):
            fields = json.loads(text)
            fields["folds"] = tuple((repeat, fold) for repeat, fold in fields["folds"])
            fields["files"] = tuple((file, rows) for file, rows in fields.get("files", ()))
            surveys[name] = Survey(**fields | {key: tuple(fields.get(key, ())) for key in ("notices", "classes")})
        return surveys

    def statuses(self) -> dict[str, str]:
        """The status of every stored trial, by key, planned or not."""
        return {row[0]: row[1] for row in self._rows("SELECT * FROM cells")}

    def trials(self) -> list[StoredTrial]:
        """Every planned trial, in plan order."""
        plan = self._list("plan")
        with explain(self.path, write=self._writes):
            rows = {row[0]: row for row in self._db.execute("SELECT * FROM cells")}
        trials = []
        for _, dataset, algorithm, repeat, fold, key in plan:
            outcome, kept = _outcome(self._sound(rows[key])) if key in rows else (Outcome(key), False)
            place = {"dataset": dataset, "algorithm": algorithm, "repeat": repeat, "fold": fold}
            trials.append(StoredTrial(**vars(outcome), **place, kept=kept))
        return trials

    def predictions_of(self, key: str) -> Predictions | None:
        """The predictions of a trial; None if they were not kept."""
        for row_key, *blobs in self._rows("SELECT * FROM predictions WHERE key = ?", key):
            if row_key == key:
                return _from_blobs(*blobs)
        for *_, kept in self._rows("SELECT * FROM cells NOT INDEXED WHERE key = ?", key):
            if kept:
                raise Damage(self.path, "predictions are missing")
        return None

    def predictions(self) -> Iterator[tuple[StoredTrial, Predictions]]:
        """The predictions of every planned trial that is done, in plan order; StoreError if some are missing."""
        for trial in self.trials():
            if trial.status != DONE:
                continue
            predictions = self.predictions_of(trial.key)
            if predictions is None:
                raise StoreError(
                    f"{self.folder} contains no predictions of {trial.dataset}, {trial.algorithm}: the experiment "
                    "sets `predictions: false`; set it to true and run again"
                )
            yield trial, predictions

    # ---- rows with checksums ----

    def check(self) -> None:
        """Reads the whole file. Raises Damage if it differs from what was written."""
        with explain(self.path, write=self._writes):
            (verdict,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise Damage(self.path, verdict)
        for table in TABLES:
            for _ in self._rows(f"SELECT * FROM {table}"):
                pass
        for table in LISTS:
            self._list(table)
        self.check_predictions()

    def check_predictions(self) -> None:
        """Raises Damage if predictions that were kept are missing."""
        with explain(self.path, write=self._writes):
            kept = self._db.execute("SELECT key FROM cells NOT INDEXED WHERE kept").fetchall()
            there = self._db.execute("SELECT key FROM predictions NOT INDEXED").fetchall()
        if set(kept) != set(there):
            raise Damage(self.path, "predictions are missing")

    def take(self, other: Store) -> None:
        """Copies the intact rows of a damaged store; a trial only with its predictions."""
        with self._transaction():
            for table in TABLES:
                self._insert(table, (row[:-1] for row in other._readable(table) if _is_sound(row)))
            self._db.execute("DELETE FROM cells WHERE kept AND key NOT IN (SELECT key FROM predictions)")
            self._db.execute("DELETE FROM predictions WHERE key NOT IN (SELECT key FROM cells WHERE kept)")

    def _readable(self, table: str) -> Iterator[tuple[Any, ...]]:
        """The rows before the first unreadable place, and, read from the end, those after it."""
        for order in ("", "ORDER BY rowid DESC"):
            with suppress(sqlite3.Error, MemoryError, UnicodeDecodeError):
                yield from self._db.execute(f"SELECT * FROM {table} NOT INDEXED {order}")

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of a query without their checksums. Raises Damage if a row does not match its checksum."""
        with explain(self.path, write=self._writes):
            for row in self._db.execute(query, values):
                yield self._sound(row)

    def _sound(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        if not _is_sound(row):
            raise Damage(self.path, "a row does not match its checksum")
        return row[:-1]

    def _list(self, table: str) -> list[tuple[Any, ...]]:
        """All rows of a table that a run writes as a whole. Raises Damage if the number of rows is wrong."""
        rows = list(self._rows(f"SELECT * FROM {table} ORDER BY rowid"))
        if len(rows) != int(self._meta(table) or 0):
            raise Damage(self.path, f"the table {table} has {len(rows)} rows instead of {self._meta(table)}")
        return rows

    def _fill(self, table: str, rows: Iterable[tuple[object, ...]]) -> None:
        self._db.execute(f"DELETE FROM {table}")
        self._set_meta(table, str(self._insert(table, rows)))

    def _insert(self, table: str, rows: Iterable[tuple[object, ...]]) -> int:
        """Writes rows, replacing those with the same keys; returns their number."""
        marks = ", ".join("?" * (len(TABLES[table]) + 1))
        sealed = ((*row, checksum(row)) for row in rows)
        return self._db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", sealed).rowcount

    def _meta(self, name: str) -> str | None:
        for _, value in self._rows("SELECT * FROM meta WHERE name = ?", name):
            return str(value)
        return None

    def _set_meta(self, name: str, value: str) -> None:
        self._insert("meta", [(name, value)])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with explain(self.path, write=True), transaction(self._db):
            yield


def mend(folder: Path) -> list[str]:
    """Repairs a damaged results file by keeping its intact rows; needs the run lock. Returns notices for the user.

    Raises StoreError if the file cannot even be opened as a results file.
    """
    place = folder / ".mend"
    with Store(folder) as store:
        try:
            store.check()
            return []
        except Damage as damage:
            problem = f"damaged: {store.path}: {damage.what}"
        shutil.rmtree(place, ignore_errors=True)  # left by a run that was killed at this point
        with Store(place, write=True) as whole:
            whole.take(store)
    try:
        os.replace(whole.path, store.path)
        place.rmdir()
    except OSError as error:
        raise StoreError(f"{problem}; but {store.path} cannot be replaced: {error.strerror}") from error
    return [f"{problem}: the intact trials are kept, the others are recomputed"]


def has_results(folder: Path) -> bool:
    """Whether a folder contains results, even damaged ones; a run that ends very early leaves an empty file."""
    try:
        Store(folder).close()
    except NothingYet:
        return False
    except StoreError:
        return is_file(folder / FILE)
    return True


def last_run(folder: Path, last: Experiment, now: Experiment) -> str:
    """The beginning of messages on an earlier run of an experiment with this name; names its config if it differs."""
    of_file = f" ({last.path})" if last.path and last.path != now.path else ""
    return f"{folder} was last run with another plan{of_file}"


def _not_there(folder: Path) -> str:
    if not exists(folder):
        return f"there are no results at {folder}: run the experiment first"
    if not is_folder(folder):
        return f"{folder} is a file, not a results folder"
    return f"{folder} is not a results folder: it does not contain {FILE}"


def _plain(measure: Measure) -> tuple[float | None, int]:
    return None if math.isnan(measure.value) else measure.value, measure.special


def _to_blobs(predictions: Predictions) -> tuple[bytes, bytes, bytes, bytes, str, bytes, bytes | None]:
    return (
        predictions.index.astype("<i8").tobytes(),
        predictions.actual.astype("<i4").tobytes(),
        predictions.predicted.astype("<i4").tobytes(),
        predictions.proba.astype("<f8").tobytes(),
        json.dumps(list(predictions.row_diagnostics)),
        b"".join(values.astype("<f8").tobytes() for values in predictions.row_diagnostics.values()),
        None if predictions.scores is None else predictions.scores.astype("<f8").tobytes(),
    )


def _from_blobs(
    rows: bytes, actual: bytes, predicted: bytes, proba: bytes, names: str, values: bytes, scores: bytes | None
) -> Predictions:
    index = np.frombuffer(rows, dtype="<i8")
    diagnostics = json.loads(names)
    return Predictions(
        index=index,
        actual=np.frombuffer(actual, dtype="<i4"),
        predicted=np.frombuffer(predicted, dtype="<i4"),
        proba=np.frombuffer(proba, dtype="<f8").reshape(len(index), -1),
        scores=None if scores is None else np.frombuffer(scores, dtype="<f8").reshape(len(index), -1),
        row_diagnostics=dict(
            zip(diagnostics, np.frombuffer(values, dtype="<f8").reshape(len(diagnostics), len(index)), strict=True)
        ),
    )


def _outcome(row: tuple[Any, ...]) -> tuple[Outcome, bool]:
    """The outcome in a row of `cells`, and whether its predictions are stored."""
    key, status, n_train, n_test, errors, train, test, metrics, diagnostics, message, trace, _, kept = row
    measures = {
        name: Measure(math.nan if value is None else value, special)
        for name, (value, special) in json.loads(metrics).items()
    }
    done = Outcome(key, status, n_train, n_test, errors, train, test, measures, json.loads(diagnostics), message, trace)
    return done, bool(kept)


def _is_sound(row: tuple[Any, ...]) -> bool:
    return bool(row[-1] == checksum(row[:-1]))
