"""A results folder's SQLite files: made, locked to one run at a time, their errors told as messages."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Self

from lazybayes.errors import DiskError, StoreError

LOCK = "run.lock"


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
        try:
            db = sqlite3.connect(path, timeout=0, isolation_level=None)
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as problem:
            if "locked" in str(problem):
                raise StoreError(f"a run of this experiment is going on in {self.folder}: wait for it to end") from None
            raise explained(path, problem, writes=True) from problem
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


def explained(path: Path, problem: sqlite3.Error, writes: bool) -> StoreError | DiskError:
    """An error of SQLite for the user; writes: whether the file was to be written."""
    text = str(problem)
    if getattr(problem, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return DiskError(f"{path}: {text}; what was finished before is kept")
    return StoreError(_explained(path, text, writes))


def _explained(path: Path, text: str, writes: bool) -> str:
    if "readonly" in text or "unable to open" in text:
        if writes:
            return f"{path} cannot be written to: choose another folder (--output), or change its permissions"
        return f"{path} cannot be read: a killed run may have left it unfinished; run again, or copy the folder"
    if "locked" in text:
        return f"{path} is in use by another program: try again when that has ended"
    if "not a database" in text or "malformed" in text:
        return f"{path} is damaged, or no results file at all ({text}): move it away and run again"
    return f"{path}: {text}"
