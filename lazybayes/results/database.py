"""A results folder's SQLite files: opened, locked to one run at a time, their rows under checksums.

There is one journal mode, SQLite's own: a rollback journal beside the file while a transaction lasts. It works on
network file systems, and whoever opens the file next rolls back what a killed writer left.
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
"""Seconds for which a reader waits for a writer, and a writer for readers."""


class RunLock:
    """Lets one run at a time into a results folder; the end of the process, however it comes, lets the next one in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._db: sqlite3.Connection | None = None

    def acquire(self) -> None:
        """Makes the folder and takes the lock, unless it has it. Raises StoreError if another run holds it."""
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
                raise StoreError(f"{path} is not a lock of lazybayes: delete it and run again") from error
            raise explanation(path, error, write=True) from error
        self._db = db

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._db:
            self._db.close()


def make_folder(folder: Path) -> None:
    """Makes a results folder, with those above it. Raises StoreError if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(f"the results folder {folder} cannot be made: {problem.strerror}") from problem


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection; write: makes a file that is not there.

    A reader too opens the file for writing where it may, since only so can SQLite roll back what a killed run left;
    it changes nothing else. SQLite opens a file without permission to write read-only.
    """
    mode = "rwc" if write else "rw"
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=WAIT, isolation_level=None)
    db.text_factory = _decoded
    if not write:
        db.execute("PRAGMA query_only = ON")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All that is written in it, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk has ended it already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


class Damage(StoreError):
    """A results file that does not hold what was written to it."""

    def __init__(self, path: Path, what: str, remedy: str = "") -> None:
        remedy = remedy or "`lazybayes run` keeps what is sound and computes the rest again"
        self.what = "".join(char if char.isprintable() else " " for char in what)  # it may quote the file
        super().__init__(f"damaged: {path}: {self.what}: {remedy}")


def checksum(values: Iterable[object]) -> str:
    """Of the values of a row: texts, bytes, numbers and None."""
    digest = hashlib.blake2b(digest_size=8)
    for value in values:
        raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
        digest.update(f"{type(value).__name__} {len(raw)} ".encode())
        digest.update(raw)
    return digest.hexdigest()


@contextmanager
def explain(path: Path, *, write: bool) -> Iterator[None]:
    """SQLite's errors as messages for the user; write: whether the file was to be written."""
    try:
        yield
    except sqlite3.Error as problem:
        raise explanation(path, problem, write=write) from problem
    except (MemoryError, UnicodeDecodeError) as problem:  # a length, or a name, that the file makes up
        raise Damage(path, "its tables cannot be read") from problem


def explanation(path: Path, problem: sqlite3.Error, *, write: bool) -> LazyBayesError:
    """An error of SQLite for the user; write: whether the file was to be written."""
    code, text = _code(problem), str(problem)
    if write and _is_gone(path, problem):
        return RunError(f"{path} was removed or replaced during the run, and its results with it: run again")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return DiskError(f"{path}: {text}; what was finished before is kept")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(f"{path} is in use by another program: try again when that has ended")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(_forbidden(path, write))
    if code == sqlite3.SQLITE_NOTADB:
        return Damage(path, f"it is not a results file of lazybayes ({text})")
    return Damage(path, text)


def _is_gone(path: Path, problem: sqlite3.Error) -> bool:
    """Whether an open file has lost its name."""
    moved = getattr(problem, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_DBMOVED
    return moved or not os.path.isdir(path.parent)


def _forbidden(path: Path, write: bool) -> str:
    if write:
        return f"{path} cannot be written to: choose another folder (--output), or change its permissions"
    if path.with_name(f"{path.name}-journal").exists():
        return (
            f"{path} cannot be read: a run was killed while it wrote, and the file must be mended by someone with the "
            f"permission to write to {path.parent}: run the command as that user, or copy the folder and read the copy"
        )
    return f"{path} cannot be read: change its permissions"


def _code(problem: sqlite3.Error) -> int:
    """The primary result code of SQLite, 0 for an error of Python's module."""
    return int(getattr(problem, "sqlite_errorcode", 0)) & 0xFF


def _decoded(raw: bytes) -> str:
    """Any bytes as a text, so that damaged ones reach the comparison of the seal."""
    return raw.decode("utf-8", "surrogateescape")
