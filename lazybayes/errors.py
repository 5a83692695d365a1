"""What a user can get wrong. `cli/main.py` alone turns these into messages and exit statuses."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path

MOST_OF_LINE = 2_000
"""Characters of a line of a message: a word in it may be a whole file."""


class LazyBayesError(Exception):
    """Base of every error a user can cause: one message that names the thing, its place and what would be right."""

    exit_status = 2

    def __str__(self) -> str:
        """The message; a line that quotes very much of a file keeps its two ends."""
        lines = super().__str__().split("\n")
        return "\n".join(
            line if len(line) <= MOST_OF_LINE else f"{line[: MOST_OF_LINE - 500]} ... {line[-500:]}" for line in lines
        )


class ConfigError(LazyBayesError):
    """A YAML file (config, catalogue entry) that is wrong; holds all its problems at once."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class DataError(LazyBayesError):
    """A data file, or a data set, that cannot be read or used as asked."""


class FileError(DataError):
    """A file or folder that a user names and that is not there or cannot be read."""


class FetchError(DataError):
    """A data set that could not be fetched: the network, a service, or what it sent."""

    exit_status = 1


class StoreError(LazyBayesError):
    """A results folder that cannot be read, written or understood."""


class DiskError(LazyBayesError):
    """A file that could be written to, but not to its end: the disk is full, or it fails."""

    exit_status = 1


class UsageError(LazyBayesError):
    """A command that asks for something that is not there."""


class RunError(LazyBayesError):
    """A run or a comparison that fell short."""

    exit_status = 1


def unwritable(path: Path | str, problem: OSError) -> LazyBayesError:
    """The error for a file that could not be written: the disk's, or the user's who named the file."""
    kind = DiskError if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO) else UsageError
    return kind(f"{path} cannot be written: {problem.strerror}")


def no_matplotlib(what: str) -> UsageError:
    """The error for a picture where matplotlib is not installed."""
    return UsageError(f"{what} needs matplotlib, which is not installed: `pip install matplotlib` adds it")
