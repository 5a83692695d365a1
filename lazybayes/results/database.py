"""The SQLite files of a results folder: connections, the lock for one run at a time, checksums of rows, errors.

The journal mode is SQLite's default: a rollback journal beside the file during a transaction. It works on network
file systems, and the next process that opens the file rolls back the transaction of a killed writer.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from lazybayes.errors import DiskError, LazyBayesError, RunError, StoreError
from lazybayes.files import exists, obstacle

LOCK = "run.lock"
WAIT = 30.0
"""Seconds that a reader waits for a writer, and a writer for readers."""


class RunLock:
    """Admits one run at a time to a results folder; released when the process ends, even if it is killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._db: sqlite3.Connection | None = None

    def acquire(self) -> None:
        """Creates the folder and acquires the lock, unless it has it already. Raises StoreError if it is in use."""
        if self._db:
            return
        make_folder(self.folder)
        path = self.folder / LOCK
        if exists(path) and (problem := obstacle(path)):
            raise StoreError(f"{path}: {problem}")
        try:
            db = sqlite3.connect(path, timeout=0, isolation_level=None)
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            code = _code(error)
            if code == sqlite3.SQLITE_BUSY:
                raise StoreError(f"a run of this experiment is going on in {self.folder}: wait for it to end") from None
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise StoreError(f"{path} is not a lock file of lazybayes: delete it and run again") from error
            raise explanation(path, error, write=True) from error
        self._db = db

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._db:
            self._db.close()


def make_folder(folder: Path) -> None:
    """Creates a results folder and its parents. Raises StoreError if it cannot be created."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(f"the results folder {folder} cannot be created: {problem.strerror}") from problem


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection; write: creates a missing file.

    A reader also opens the file for writing if it has permission, because SQLite can otherwise not roll back the
    transaction of a killed run; it changes nothing else. Without permission SQLite opens the file read-only.
    """
    mode = "rwc" if write else "rw"
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=WAIT, isolation_level=None)
    db.text_factory = _decoded
    if not write:
        db.execute("PRAGMA query_only = ON")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commits everything that is written in the context, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk has already ended it
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


class Damage(StoreError):
    """A results file whose content differs from what was written to it."""

    def __init__(self, path: Path, what: str, remedy: str = "") -> None:
        remedy = remedy or "run `lazybayes run` to keep the intact trials and recompute the others"
        self.what = "".join(char if char.isprintable() else " " for char in what)  # it can quote the file
        super().__init__(f"damaged: {path}: {self.what}: {remedy}")


def checksum(values: Iterable[object]) -> str:
    """The checksum of the values of a row: strings, bytes, numbers and None."""
    digest = hashlib.blake2b(digest_size=8)
    for value in values:
        raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
        digest.update(f"{type(value).__name__} {len(raw)} ".encode())
        digest.update(raw)
    return digest.hexdigest()


@contextmanager
def explain(path: Path, *, write: bool) -> Iterator[None]:
    """Turns SQLite's errors into messages for the user; write: whether the file was opened for writing."""
    try:
        yield
    except sqlite3.Error as problem:
        raise explanation(path, problem, write=write) from problem
    except (MemoryError, UnicodeDecodeError) as problem:  # from an invalid length or name in the file
        raise Damage(path, "its tables cannot be read") from problem


def explanation(path: Path, problem: sqlite3.Error, *, write: bool) -> LazyBayesError:
    """An SQLite error as an error for the user; write: whether the file was opened for writing."""
    code, text = _code(problem), str(problem)
    if write and _is_gone(path, problem):
        return RunError(f"{path} was removed or replaced during the run, and its results are lost: run again")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return DiskError(f"{path}: {text}; trials finished before are kept")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(f"{path} is in use by another program: try again when it has ended")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(_forbidden(path, write))
    if code == sqlite3.SQLITE_NOTADB:
        return Damage(path, f"not a results file of lazybayes ({text})")
    return Damage(path, text)


def _is_gone(path: Path, problem: sqlite3.Error) -> bool:
    """Whether an open file was removed or replaced."""
    moved = getattr(problem, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_DBMOVED
    return moved or not os.path.isdir(path.parent)


def _forbidden(path: Path, write: bool) -> str:
    if write:
        return f"{path} cannot be written to: choose another folder (--output), or change its permissions"
    if path.with_name(f"{path.name}-journal").exists():
        return (
            f"{path} cannot be read: a run was killed while writing, and repairing the file needs write permission for "
            f"{path.parent}: run the command as a user with this permission, or copy the folder and read the copy"
        )
    return f"{path} cannot be read: change its permissions"


def _code(problem: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for an error raised by Python's module."""
    return int(getattr(problem, "sqlite_errorcode", 0)) & 0xFF


def _decoded(raw: bytes) -> str:
    """Decodes any bytes, so that damaged text reaches the comparison of checksums."""
    return raw.decode("utf-8", "surrogateescape")
