"""Trees of files, in a folder or in a tar archive: read whole, within a bound, regular files alone."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import posixpath
import struct
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import IO, Any

from lazybayes.errors import DataError
from lazybayes.files import MOST_TIMES, allowed, is_folder, most_unpacked, obstacle, read_file
from lazybayes.settings import settings

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_LONGEST_CHAIN = 40  # of links, as in Linux
_PACKED: Mapping[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_DAMAGE = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, struct.error, ValueError, RuntimeError)

Parts = tuple[str, ...]


@dataclass(frozen=True)
class File:
    """A file of a tree. path: its parts from the root of the tree."""

    path: Parts
    data: bytes


def is_tree(path: Path) -> bool:
    """Whether a path holds a tree: a folder, or a tar archive by its name."""
    return is_folder(path) or path.name.lower().endswith(ARCHIVES)


def is_document(path: Parts) -> bool:
    """Whether a file stands in a folder of the tree and is not hidden."""
    return len(path) > 1 and not path[-1].startswith(".")


def read_tree(root: Path) -> tuple[list[File], set[str]]:
    """The files of a tree in the order of their paths, and the names of its empty folders.

    Raises DataError if the tree cannot be read, is damaged, holds what is not a regular file, or is too large.
    """
    try:
        files, folders = _read_folder(root) if is_folder(root) else _read_archive(root)
    except _DAMAGE as error:
        raise DataError(f"{root}: the archive is damaged ({' '.join(str(error).split())})") from None
    except OSError as error:
        raise DataError(f"{error.filename or root}: cannot be read: {error.strerror or error}") from None
    # In text order what is below a folder follows it at once.
    paths = sorted({*folders, *(file.path for file in files)})
    inhabited = {path for path, following in pairwise(paths) if following[: len(path)] == path}
    empty = {path[-1] for path in folders if path and path not in inhabited and not path[-1].startswith(".")}
    return sorted(files, key=lambda file: file.path), empty


def _read_folder(root: Path) -> tuple[list[File], list[Parts]]:
    """Its folders and files; what is not a document is not opened."""
    files, folders = [], []
    left = settings().most_bytes
    for folder, _, names in os.walk(root, onerror=_raise):
        parts = Path(folder).relative_to(root).parts
        folders.append(parts)
        for name in names:
            data = read_file(Path(folder, name), left, "most_bytes") if is_document((*parts, name)) else b""
            left -= len(data)
            files.append(File((*parts, name), data))
    return files, folders


def _read_archive(root: Path) -> tuple[list[File], list[Parts]]:
    """As of a folder; one folder that holds all the others is the root."""
    if problem := obstacle(root):
        raise DataError(f"{root}: {problem}")
    with root.open("rb") as packed:
        start = packed.read(6)
    unpack = next((unpack for magic, unpack in _PACKED.items() if start.startswith(magic)), open)
    with unpack(root, "rb") as stream:
        files, folders, links = _members(root, _Bounded(root, stream))
    files += _follow(root, links, files, folders)
    tops = {file.path[0] for file in files}
    if len(tops) == 1 and any(len(file.path) > 2 for file in files):
        files = [File(file.path[1:], file.data) for file in files]
        folders = [folder[1:] for folder in folders]
    return files, folders


def _members(root: Path, stream: _Bounded) -> tuple[list[File], list[Parts], dict[Parts, Parts]]:
    """The files, folders and links of an archive, read from its start to its end; a link with the path it leads to."""
    files: list[File] = []
    folders: list[Parts] = []
    links: dict[Parts, Parts] = {}
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            parts = _parts(member.name)
            if member.isdir():
                folders.append(parts)
            elif not parts:
                raise tarfile.ReadError("a member without a name")
            elif member.islnk():
                links[parts] = _parts(member.linkname)
            elif member.issym():
                links[parts] = _parts(posixpath.join(*parts[:-1], member.linkname))
            elif not member.isfile():
                raise DataError(f"{root}: {member.name} is a device or a FIFO; only regular files are read")
            else:
                stream.check(member.size)  # a sparse file is larger than what the archive holds of it
                content = archive.extractfile(member)
                files.append(File(parts, content.read() if content else b""))
    return files, folders, links


def _follow(root: Path, links: Mapping[Parts, Parts], files: list[File], folders: list[Parts]) -> Iterator[File]:
    """The files that links lead to, under the links' names; a link to a folder is not followed."""
    by_path = {file.path: file for file in files}
    known_folders = {*folders, *(file.path[:-1] for file in files)}
    for link in links:
        target, steps = link, 0
        while target in links and target not in by_path and steps < _LONGEST_CHAIN:
            target, steps = links[target], steps + 1
        if target in by_path:
            yield File(link, by_path[target].data)
        elif target not in known_folders:
            raise DataError(
                f"{root}: {'/'.join(link)} is a link to {'/'.join(links[link])}, which is not a file of the archive"
            )


def _parts(name: str) -> Parts:
    return tuple(part for part in PurePosixPath(posixpath.normpath(name)).parts if part not in (".", "/", "//"))


class _Bounded(io.BufferedIOBase):
    """The unpacked bytes of an archive, as `tarfile` reads them: no more than are allowed."""

    def __init__(self, root: Path, stream: IO[bytes]) -> None:
        super().__init__()
        self._root = root
        self._stream = stream
        self._most = settings().most_bytes
        self._most_of_packed = most_unpacked(root.stat().st_size)
        self._count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = self._stream.read(-1 if size is None else size)
        self._count += len(data)
        self.check(0)
        return data

    def check(self, more: int) -> None:
        """Raises DataError if the bytes so far, and so many more, are too many."""
        count = self._count + more
        if count > self._most:
            raise DataError(f"{self._root}: the archive unpacks to more; {allowed(self._most, 'most_bytes')}")
        if count > self._most_of_packed:
            raise DataError(
                f"{self._root}: the archive unpacks to more than {MOST_TIMES} times its size, which no archive of "
                f"documents does; unpack it yourself and give the folder if it is sound"
            )


def _raise(problem: OSError) -> Iterator[None]:
    raise problem
