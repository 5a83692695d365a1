"""The results of an experiment in one SQLite file: one row a cell, under the key of everything it depends on.

`cells` keeps every cell ever finished here; `plan` says which of them the experiment consists of now, in order, and is
written anew by each run, so that tables and exports show exactly the cells of the config they were asked for. Two
algorithms with equal parameters share a cell. Only the parent process of a run writes; reading needs neither the lock
nor a folder that can be written to.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from lazybayes.errors import StoreError
from lazybayes.evaluate.database import explained, make_folder
from lazybayes.evaluate.metrics import Measure, Settings
from lazybayes.evaluate.records import DONE, STORE_FORMAT, Cell, Held, Outcome, Predictions, Result, Survey
from lazybayes.files import exists, is_file, is_folder

if TYPE_CHECKING:
    import pandas as pd

    from lazybayes.experiment import Experiment

FILE = "results.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS datasets (name TEXT PRIMARY KEY, survey TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY, status TEXT NOT NULL, n_train INTEGER, n_test INTEGER, errors INTEGER,
    train_seconds REAL, test_seconds REAL, metrics TEXT NOT NULL, diagnostics TEXT NOT NULL,
    message TEXT NOT NULL, traceback TEXT NOT NULL, notices TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS predictions (
    key TEXT PRIMARY KEY, rows BLOB NOT NULL, actual BLOB NOT NULL, predicted BLOB NOT NULL, proba BLOB NOT NULL,
    row_diagnostics TEXT NOT NULL, row_values BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS plan (
    position INTEGER PRIMARY KEY, dataset TEXT NOT NULL, algorithm TEXT NOT NULL,
    repeat INTEGER NOT NULL, fold INTEGER NOT NULL, key TEXT NOT NULL
);
"""
_CELL_COLUMNS = (
    "status", "n_train", "n_test", "errors", "train_seconds", "test_seconds",
    "metrics", "diagnostics", "message", "traceback", "notices",
)  # fmt: skip


class NothingYet(StoreError):
    """A results file that is still empty."""


class Store:
    """The results in a folder; `Store(folder)` reads, `Store(folder, write=True)` makes what is not there.

    A context manager. Raises StoreError if the folder holds no results, cannot be written to, or was made by another
    version.
    """

    def __init__(self, folder: Path | str, *, write: bool = False) -> None:
        self.folder = Path(folder)
        self.path = self.folder / FILE
        self._writes = write
        if write:
            make_folder(self.folder)
        elif not is_file(self.path):
            raise StoreError(_not_there(self.folder))
        with self._told():
            self._db = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}",
                uri=True,
                timeout=30,
                isolation_level=None,
            )
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def _prepare(self) -> None:
        """Makes the tables of a new file; refuses a file of another format."""
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "meta" in tables:
            found = self._meta("format")
            if found != str(STORE_FORMAT):
                raise StoreError(
                    f"{self.path} has the format {found}, this version of lazybayes reads format {STORE_FORMAT}: "
                    "use the version that wrote it, or another folder (--output)"
                )
        elif tables:
            raise StoreError(f"{self.path} is no results file of lazybayes: use another folder")
        elif not self._writes:
            raise NothingYet(f"{self.path} is empty and holds no results yet: run the experiment (again)")
        if self._writes:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            with self._transaction():
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._set_meta("format", str(STORE_FORMAT))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; a writer folds what SQLite keeps beside it into it, so that the one file can be copied."""
        if self._writes:
            with suppress(sqlite3.Error):  # somebody reads it just now: the next run will fold it
                self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()

    # ---- writing: the parent of a run alone ----

    def begin(self, experiment: Experiment, surveys: Mapping[str, Survey], cells: Iterable[Cell]) -> None:
        """Keeps the experiment and makes these cells its plan. Raises StoreError as `check_name`."""
        from lazybayes.snapshot import to_dict

        self.check_name(experiment)
        rows = (
            (position, cell.dataset.name, cell.algorithm.name, cell.repeat, cell.fold, cell.key)
            for position, cell in enumerate(cells)
        )
        with self._told(), self._transaction():
            self._set_meta("experiment", json.dumps(to_dict(experiment)))
            self._db.execute("DELETE FROM datasets")
            self._db.executemany(
                "INSERT INTO datasets VALUES (?, ?)", [(name, json.dumps(asdict(s))) for name, s in surveys.items()]
            )
            self._db.execute("DELETE FROM plan")
            self._db.executemany("INSERT INTO plan VALUES (?, ?, ?, ?, ?, ?)", rows)

    def put(self, result: Result) -> None:
        """Writes a finished cell in one transaction, in place of an earlier one with its key."""
        values = (
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
        )
        marks = ", ".join("?" * (1 + len(_CELL_COLUMNS)))
        with self._told(), self._transaction():
            self._db.execute(f"INSERT OR REPLACE INTO cells VALUES ({marks})", (result.key, *values))
            if result.predictions:
                blobs = _to_blobs(result.predictions)
                marks = ", ".join("?" * (1 + len(blobs)))
                self._db.execute(f"INSERT OR REPLACE INTO predictions VALUES ({marks})", (result.key, *blobs))
            else:
                self._db.execute("DELETE FROM predictions WHERE key = ?", (result.key,))

    def forget(self, keys: Iterable[str]) -> None:
        """Deletes these cells."""
        rows = [(key,) for key in keys]
        with self._told(), self._transaction():
            for table in ("cells", "predictions"):
                self._db.executemany(f"DELETE FROM {table} WHERE key = ?", rows)

    # ---- reading ----

    def check_name(self, experiment: Experiment) -> None:
        """Raises StoreError if the results are another experiment's; one that kept its name may have changed."""
        held = json.loads(self._meta("experiment") or "{}")
        if held.get("name", experiment.name) != experiment.name:
            of_file = f" ({held['path']})" if held.get("path") else ""
            hint = f"if they are the same experiment under a new name, `name: {held['name']}` in the config says so"
            if any(re.search(r"-seed-\d+$", name) for name in (held["name"], experiment.name)):  # of `run --seed`
                hint = f"without --output this run's results go to {Path('results') / experiment.name}"
            raise StoreError(
                f"{self.folder} holds the results of the experiment {held['name']}{of_file}, not of "
                f"{experiment.name}: run into another folder (--output), or move this one away; {hint}"
            )

    @property
    def experiment(self) -> Experiment:
        """The experiment of the last run."""
        from lazybayes.snapshot import from_dict

        kept = self._meta("experiment")
        if kept is None:
            raise StoreError(f"{self.folder} holds no experiment yet: no run got as far as its first cell")
        return from_dict(json.loads(kept))

    @property
    def settings(self) -> Settings:
        """The settings of the experiment's metrics."""
        experiment = self.experiment
        return Settings(experiment.cll_floor, experiment.auc)

    def surveys(self) -> dict[str, Survey]:
        """What the last run found out about each data set, by name."""
        with self._told():
            rows = self._db.execute("SELECT name, survey FROM datasets").fetchall()
        found = {}
        for name, text in rows:
            fields = json.loads(text)
            fields["folds"] = tuple((repeat, fold) for repeat, fold in fields["folds"])
            found[name] = Survey(**fields | {key: tuple(fields.get(key, ())) for key in ("notices", "classes")})
        return found

    def statuses(self) -> dict[str, str]:
        """The status of every cell here, by key, planned or not."""
        with self._told():
            return dict(self._db.execute("SELECT key, status FROM cells").fetchall())

    def held(self) -> list[Held]:
        """Every planned cell, in plan order."""
        columns = ", ".join(f"c.{name}" for name in _CELL_COLUMNS[:-1])
        query = (
            f"SELECT p.dataset, p.algorithm, p.repeat, p.fold, p.key, {columns}, q.key IS NOT NULL FROM plan p "
            "LEFT JOIN cells c ON c.key = p.key LEFT JOIN predictions q ON q.key = p.key ORDER BY p.position"
        )
        with self._told():
            rows = self._db.execute(query).fetchall()
        return [_held(row) for row in rows]

    def predictions_of(self, key: str) -> Predictions | None:
        """The predictions kept with a cell; None if there are none."""
        with self._told():
            row = self._db.execute(
                "SELECT rows, actual, predicted, proba, row_diagnostics, row_values FROM predictions WHERE key = ?",
                (key,),
            ).fetchone()
        return _from_blobs(*row) if row else None

    def predictions(self) -> Iterator[tuple[Held, Predictions]]:
        """The predictions of every planned cell that is done, in plan order; StoreError if some were not kept."""
        for held in self.held():
            if held.status != DONE:
                continue
            kept = self.predictions_of(held.key)
            if kept is None:
                raise StoreError(
                    f"{self.folder} holds no predictions of {held.dataset}, {held.algorithm}: the experiment says "
                    "predictions: false; turn them on and run again"
                )
            yield held, kept

    def frame(self, metrics: Sequence[str]) -> pd.DataFrame:
        """One row a planned cell; see `lazybayes.evaluate.frame`."""
        from lazybayes.evaluate.frame import frame

        return frame(self, metrics)

    def export_results(self, path: Path | str) -> None:
        """One CSV row a cell; see `lazybayes.evaluate.export`."""
        from lazybayes.evaluate.export import export_results

        export_results(self, path)

    def export_predictions(self, path: Path | str) -> None:
        """One CSV row a test row of a cell; see `lazybayes.evaluate.export`."""
        from lazybayes.evaluate.export import export_predictions

        export_predictions(self, path)

    # ---- SQLite ----

    def _meta(self, name: str) -> str | None:
        with self._told():
            row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def _set_meta(self, name: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):  # a full disk has ended it already
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """SQLite's errors as messages for the user."""
        try:
            yield
        except sqlite3.Error as problem:
            raise explained(self.path, problem, self._writes) from problem


def has_results(folder: Path) -> bool:
    """Whether a folder holds results, if damaged ones; a run that ends in its first moments leaves an empty file."""
    try:
        Store(folder).close()
    except NothingYet:
        return False
    except StoreError:
        return is_file(folder / FILE)
    return True


def last_run(folder: Path, last: Experiment, now: Experiment) -> str:
    """How messages tell of an earlier run of an experiment of the same name, with its file if that is another."""
    of_file = f" ({last.path})" if last.path and last.path != now.path else ""
    return f"{folder} was last run with another plan{of_file}"


def _not_there(folder: Path) -> str:
    if not exists(folder):
        return f"there are no results at {folder}: run the experiment first"
    if not is_folder(folder):
        return f"{folder} is no results folder but a file"
    return f"{folder} is no results folder: it has no {FILE}"


def _plain(measure: Measure) -> tuple[float | None, int]:
    return None if math.isnan(measure.value) else measure.value, measure.special


def _to_blobs(kept: Predictions) -> tuple[bytes, bytes, bytes, bytes, str, bytes]:
    return (
        kept.index.astype("<i8").tobytes(),
        kept.actual.astype("<i4").tobytes(),
        kept.predicted.astype("<i4").tobytes(),
        kept.proba.astype("<f8").tobytes(),
        json.dumps(list(kept.row_diagnostics)),
        b"".join(values.astype("<f8").tobytes() for values in kept.row_diagnostics.values()),
    )


def _from_blobs(rows: bytes, actual: bytes, predicted: bytes, proba: bytes, names: str, values: bytes) -> Predictions:
    index = np.frombuffer(rows, dtype="<i8")
    told = json.loads(names)
    return Predictions(
        index,
        np.frombuffer(actual, dtype="<i4"),
        np.frombuffer(predicted, dtype="<i4"),
        np.frombuffer(proba, dtype="<f8").reshape(len(index), -1),
        dict(zip(told, np.frombuffer(values, dtype="<f8").reshape(len(told), len(index)), strict=True)),
    )


def _held(row: tuple[Any, ...]) -> Held:
    dataset, algorithm, repeat, fold, key, status, n_train, n_test, errors, train, test, *rest = row
    place: dict[str, Any] = {"dataset": dataset, "algorithm": algorithm, "repeat": repeat, "fold": fold}
    if status is None:
        return Held(key, **place)
    metrics, diagnostics, message, trace, kept = rest
    measures = {
        name: Measure(math.nan if value is None else value, special)
        for name, (value, special) in json.loads(metrics).items()
    }
    done = Outcome(key, status, n_train, n_test, errors, train, test, measures, json.loads(diagnostics), message, trace)
    return Held(**vars(done), **place, kept=bool(kept))
