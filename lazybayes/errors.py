"""Errors that a user can cause. Only `cli/main.py` turns them into messages and exit statuses."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path

MOST_OF_LINE = 2_000
"""Maximum number of characters per line of a message: a quoted word can be as long as a file."""


class LazyBayesError(Exception):
    """Base of every error that a user can cause: one message that says what is wrong, where, and what to do."""

    exit_status = 2

    def __str__(self) -> str:
        """The message; the middle of a very long line is omitted."""
        lines = super().__str__().split("\n")
        return "\n".join(
            line if len(line) <= MOST_OF_LINE else f"{line[: MOST_OF_LINE - 500]} ... {line[-500:]}" for line in lines
        )


class ConfigError(LazyBayesError):
    """An invalid YAML file (config, catalogue entry); contains all problems of the file."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class DataError(LazyBayesError):
    """A data file or data set that cannot be read or used as requested."""


class FileError(DataError):
    """A file or folder given by the user that does not exist or cannot be read."""


class FetchError(DataError):
    """A data set that could not be downloaded, because of the network, a service or the response."""

    exit_status = 1


class StoreError(LazyBayesError):
    """A results folder that cannot be read, written or interpreted."""


class DiskError(LazyBayesError):
    """A file that could not be written completely, because the disk is full or failing."""

    exit_status = 1


class UsageError(LazyBayesError):
    """A command that requests something that does not exist."""


class RunError(LazyBayesError):
    """A run or a comparison that did not succeed."""

    exit_status = 1


def unwritable(path: Path | str, problem: OSError) -> LazyBayesError:
    """The error for a file that could not be written: a DiskError if the disk is the cause, otherwise a UsageError."""
    kind = DiskError if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO) else UsageError
    return kind(f"{path} cannot be written: {problem.strerror}")


def no_matplotlib(what: str) -> UsageError:
    """The error for a figure if matplotlib is not installed."""
    return UsageError(f"{what} needs matplotlib, which is not installed: run `pip install matplotlib`")
