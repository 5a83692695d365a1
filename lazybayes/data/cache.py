"""The cache of fetched data files: plain files under readable names, each with a lock that says what it must be.

``CACHE/openml/61-iris.arff`` is the file as it was sent, ``CACHE/openml/61-iris.arff.lock`` (JSON) its SHA-256, its
size, where it came from and what was said of it. The lock is written first and once: whatever is fetched later for the
same name must agree with it, also when the file itself was deleted. A file is taken only if it agrees with its lock,
so that neither a damaged file nor two processes at once can do harm.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lazybayes.errors import DataError, FetchError, FileError
from lazybayes.files import read_file
from lazybayes.messages import plural
from lazybayes.settings import settings

LOCK = ".lock"


@dataclass(frozen=True)
class Cached:
    """A file of the cache that agrees with its lock. about: what the service said of it."""

    path: Path
    sha256: str
    about: Mapping[str, Any]


def root() -> Path:
    """The folder of the cache. Raises DataError if there is neither a setting nor a home folder."""
    folder = settings().cache
    if folder is None:
        raise DataError("there is no home folder for the cache of data sets; set LAZYBAYES_CACHE to a folder")
    return folder


def find(folder: str, pattern: str) -> Cached | None:
    """The file of a folder of the cache whose name fits a glob pattern, if it is at hand and as it was fetched.

    Raises DataError if its lock cannot be read.
    """
    locks = sorted((root() / folder).glob(pattern + LOCK))
    return _verify(locks[0]) if locks else None


def files() -> list[tuple[str, Cached | None]]:
    """Every file ever fetched into the cache, by its path there; None if it is deleted or damaged."""
    folder = root()
    locks = sorted(folder.rglob(f"*{LOCK}"))
    return [(lock.relative_to(folder).as_posix().removesuffix(LOCK), _verify(lock)) for lock in locks]


def keep(folder: str, name: str, data: bytes, about: Mapping[str, Any]) -> Cached:
    """Puts a fetched file into the cache.

    Raises FetchError if another content was fetched for this name before, DataError if the cache cannot be written.
    """
    path = root() / folder / name
    sha256 = hashlib.sha256(data).hexdigest()
    lock = {"sha256": sha256, "bytes": len(data), **about}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _create(_lock_of(path), json.dumps(lock, indent=1, ensure_ascii=False).encode()):
            first = _read_lock(_lock_of(path))
            if first["sha256"] != sha256:
                raise FetchError(
                    f"{name} is not what was fetched before: sha256 {sha256} ({plural(len(data), 'byte')}), but "
                    f"{first['sha256']} ({first.get('bytes')} bytes from {first.get('address')}) is kept in "
                    f"{_lock_of(path)}; delete that file if the change is meant"
                )
        _replace(path, data)
    except OSError as error:
        problem = f"the cache {root()} cannot be written ({error.strerror})"
        raise DataError(f"{problem}; LAZYBAYES_CACHE names another folder") from None
    return Cached(path, sha256, lock)


def _verify(lock: Path) -> Cached | None:
    """The file of a lock if it agrees with it, else None."""
    about = _read_lock(lock)
    path = lock.with_name(lock.name.removesuffix(LOCK))
    try:
        data = read_file(path, settings().most_bytes)
    except FileError:
        return None
    if hashlib.sha256(data).hexdigest() != about["sha256"]:
        return None
    return Cached(path, about["sha256"], about)


def _lock_of(path: Path) -> Path:
    return path.with_name(path.name + LOCK)


def _read_lock(path: Path) -> dict[str, Any]:
    """What a lock says. Raises DataError if it is not what `keep` writes."""
    try:
        read = json.loads(read_file(path))
        if isinstance(read, dict) and all(is_valid(read.get(name)) for name, is_valid in _FIELDS.items()):
            return read
    except (FileError, ValueError, RecursionError):
        pass
    raise DataError(f"{path}: the lock of a fetched file cannot be read; delete it, and the file is fetched anew")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_texts_or_none(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(map(_is_text, value)))


_FIELDS = {"sha256": _is_text, "target": _is_text_or_none, "ignore": _is_texts_or_none}
"""What others read of a lock."""


def _create(path: Path, data: bytes) -> bool:
    """Makes a file with this content at once, unless there is one already; whether it was made."""
    temporary = _write_beside(path, data)
    try:
        os.link(temporary, path)
    except FileExistsError:
        temporary.unlink()
        return False
    except OSError:  # a file system without links
        if path.exists():
            return False
        os.replace(temporary, path)
        return True
    temporary.unlink()
    return True


def _replace(path: Path, data: bytes) -> None:
    os.replace(_write_beside(path, data), path)


def _write_beside(path: Path, data: bytes) -> Path:
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary
