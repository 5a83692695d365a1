"""Files and folders that a user names: the one place that asks what a path is, and that reads a file whole.

A path may be anything that was typed: a name that the file system cannot hold, a folder that may not be looked into,
a device without end. No function here lets an OSError through.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from lazybayes.errors import FileError
from lazybayes.messages import nearest

MOST = 64 << 20
"""Bytes that a config, a network, a file of published numbers or of folds may have."""
MOST_TIMES = 100
"""How many times its size packed data may unpack to; text does not reach it, a decompression bomb does."""
FREE = 64 << 20
"""Bytes that packed data of any size may unpack to."""
MOST_NAME = 200
"""Bytes of a name that files are called after; file systems allow 255, and endings are added."""
_SPECIAL = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def expand_home(word: str) -> Path:
    """The path with a leading `~` or `~NAME` replaced by that home folder. Raises FileError if there is none."""
    try:
        return Path(word).expanduser()
    except RuntimeError:
        home = Path(word).parts[0]
        raise FileError(f"{word}: there is no home folder {home}; write the path without {home}") from None


def is_file(path: Path | str) -> bool:
    """Whether a path is there and not a folder; a device counts, so that `read_file` can say what is wrong with it."""
    try:
        return not stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_folder(path: Path | str) -> bool:
    """Whether a path is a folder."""
    return os.path.isdir(path)


def exists(path: Path | str) -> bool:
    """Whether anything is at a path."""
    return os.path.exists(path)


def names_beside(path: Path) -> list[str]:
    """The names in the folder of a path, in order; none if it cannot be read."""
    try:
        return sorted(os.listdir(path.parent))
    except (OSError, ValueError):
        return []


def obstacle(path: Path) -> str:
    """Why a path cannot be read as a regular file, or an empty string."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return f"there is no such file{nearest(path.name, names_beside(path))}"
    except (OSError, ValueError) as problem:
        return _reason(path, problem)
    if stat.S_ISDIR(mode):
        return "this is a folder; a file is expected"
    for is_kind, kind in _SPECIAL:
        if is_kind(mode):
            return f"this is {kind}; only regular files are read"
    return ""


def read_file(path: Path, most: int = MOST, setting: str = "") -> bytes:
    """The bytes of a regular file.

    setting: the name of the setting that `most` comes from, for the message.
    Raises FileError if the file cannot be read or has more than `most` bytes.
    """
    if problem := obstacle(path):
        raise FileError(f"{path}: {problem}")
    try:
        if (size := path.stat().st_size) > most:
            raise FileError(f"{path}: the file has {size:,} bytes; {allowed(most, setting)}")
        return path.read_bytes()
    except OSError as error:
        raise FileError(f"{path}: {_reason(path, error)}") from None


def most_unpacked(size: int) -> int:
    """Bytes that packed data of a size may unpack to."""
    return max(FREE, MOST_TIMES * size)


def allowed(most: int, setting: str = "") -> str:
    """The words for a limit of size, and for the setting that it comes from."""
    return f"at most {most:,} are allowed" + (f" (the setting {setting})" if setting else "")


def unusable_name(path: Path) -> str:
    """Why the file system cannot have a file or folder of this name, or an empty string."""
    try:
        os.lstat(path)
    except (OSError, ValueError) as problem:
        if isinstance(problem, ValueError) or problem.errno == errno.ENAMETOOLONG:
            return _reason(path, problem)
    return ""


def _reason(path: Path, problem: OSError | ValueError) -> str:
    if isinstance(problem, ValueError):
        return "the name contains a character that file names cannot have"
    if problem.errno == errno.ENAMETOOLONG:
        return f"the name is too long for the file system ({len(os.fsencode(path.name))} bytes; most allow 255)"
    return f"cannot be read: {problem.strerror or problem}"
