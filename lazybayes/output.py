"""Output files: checked before any work, and never left half written."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from lazybayes.errors import UsageError, unwritable
from lazybayes.files import exists, is_file, is_folder, unusable_name

STDOUT = "-"


def check_output(path: Path | str) -> Path:
    """Returns the path if a file can be written there; an existing file will be replaced. `-` is standard output.

    Raises UsageError if the path is a folder, its folder does not exist, or write permission is missing.
    """
    target = Path(path)
    if str(path) == STDOUT:
        return target
    if is_folder(target):
        raise UsageError(f"{target} is a folder; the output must be a file")
    folder = target.parent
    if not is_folder(folder):
        raise UsageError(f"{target} cannot be written: the folder {folder} does not exist")
    if problem := unusable_name(target):
        raise UsageError(f"{target} cannot be written: {problem}")
    may = os.access(target, os.W_OK) if exists(target) else os.access(folder, os.W_OK)
    if not may or (is_file(target) and stat.S_ISREG(target.stat().st_mode) and not os.access(folder, os.W_OK)):
        raise UsageError(f"{target} cannot be written: no permission")
    return target


@contextmanager
def open_output(path: Path | str) -> Iterator[TextIO]:
    """Opens a text file (UTF-8, line ends as written) that gets its name only when it is complete.

    Standard output (`-`) and special files (a pipe, a terminal) are written to directly. Raises UsageError like
    `check_output` and if writing fails, DiskError if the disk is full.
    """
    target = check_output(path)
    if str(path) == STDOUT:
        yield sys.stdout
        return
    try:
        if exists(target) and not stat.S_ISREG(target.stat().st_mode):
            with target.open("w", encoding="utf-8", newline="") as stream:
                yield stream
            return
        target = target.resolve()  # replaces the target of a symbolic link, not the link
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                yield stream
            os.chmod(name, _mode(target))
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as problem:
        if isinstance(problem, BrokenPipeError):
            raise
        raise unwritable(target, problem) from problem


def _mode(target: Path) -> int:
    """The permissions that a file opened with `open` would have."""
    if exists(target):
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
