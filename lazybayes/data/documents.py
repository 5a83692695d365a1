"""Documents as data: a folder tree, or a tar archive of one, a file a document and its folder's name its class.

The table has two columns, ``text`` and ``class``. Where a data set's texts begin with header lines, as those of mail
and news do, ``headers: remove`` takes them away.
"""

from __future__ import annotations

import os
import re
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import numpy as np

from lazybayes.data.table import Attribute, RawTable, listed
from lazybayes.data.text import decoded
from lazybayes.errors import DataError, plural
from lazybayes.experiment import DatasetEntry
from lazybayes.files import is_folder

TEXT, CLASS = "text", "class"
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
HEADERS = ("keep", "remove")
OF_TABLES = (
    *("types", "missing", "leave_out", "recode"),
    *("header", "columns", "separator", "skip_lines", "split", "blocks"),
)
"""What an entry can say of a table's file but not of documents."""

_HEADER = re.compile(r"[!-9;-~]+:")  # a field's name (RFC 5322, section 2.2)
_EMPTY_LINE = re.compile(r"(?>\r\n|\r|\n){2}")


@dataclass(frozen=True)
class _File:
    """A file of a tree. path: its parts from the root of the tree."""

    path: tuple[str, ...]
    data: bytes


def is_tree(path: Path) -> bool:
    """Whether a path holds documents: a folder, or a tar archive by its name."""
    return is_folder(path) or path.name.lower().endswith(ARCHIVES)


def read_documents(paths: Sequence[Path], entry: DatasetEntry) -> RawTable:
    """The documents of all trees, each in the order of folders and names.

    A document's class is the name of the folder it stands in; a folder with nothing in it is a class without documents.
    Files whose names begin with a dot, and files that stand in no folder of the tree, are left out, with a notice. The
    text is UTF-8, or else Latin-1, unless `encoding` says otherwise: no byte is lost.

    Raises DataError if a tree cannot be read or holds no document, bytes are not what `encoding` says, or the entry
    says of documents what can only be said of a table's file.
    """
    usual = DatasetEntry("", "", "")
    for key in OF_TABLES:
        if getattr(entry, key) != getattr(usual, key):
            raise DataError(f"{paths[0]}: {key} is for files of tables; these are documents, a file each")
    texts: list[str] = []
    labels: list[str] = []
    declared: set[str] = set()
    notices: list[str] = []
    for root in paths:
        files, empty = _read_tree(root)
        kept = [file for file in files if len(file.path) > 1 and not file.path[-1].startswith(".")]
        if not kept:
            raise DataError(f"{root}: no documents; a folder a class is expected, and in it a file a document")
        if left := len(files) - len(kept):
            notices.append(f"{root}: {plural(left, 'file')} left out, hidden or in no folder of a class")
        otherwise = []
        for file in kept:
            text, wrong = decoded(os.path.join(root, *file.path), file.data, entry.encoding)
            otherwise += [] if wrong is None else ["/".join(file.path)]
            texts.append(text)
            labels.append(file.path[-2])
        if otherwise:
            many = f"{plural(len(otherwise), 'document')} of {len(kept)}"
            notices.append(f"{root}: {many} read as Latin-1, being no UTF-8 ({listed(otherwise, 2)})")
        declared |= {*labels, *empty}
    values = tuple(sorted(declared))
    codes = {value: code for code, value in enumerate(values)}
    column = np.empty(len(texts), dtype=object)
    column[:] = texts
    return RawTable(
        attributes=(Attribute(TEXT, "string"), Attribute(CLASS, "nominal", values)),
        columns=(column, np.array([codes[label] for label in labels], dtype=np.int32)),
        n_rows=len(texts),
        notices=tuple(notices),
    )


def without_headers(raw: RawTable, place: str) -> RawTable:
    """The table with the header lines of its texts removed. Raises DataError if it has no text column."""
    if all(attribute.kind != "string" for attribute in raw.attributes):
        raise DataError(f"{place}: headers: remove is for texts, and no column is text (`types: {{COLUMN: string}}`)")
    columns = list(raw.columns)
    for j, attribute in enumerate(raw.attributes):
        if attribute.kind == "string":
            columns[j] = columns[j].copy()
            columns[j][:] = [None if text is None else body(text) for text in raw.columns[j]]
    return replace(raw, columns=tuple(columns))


def body(text: str) -> str:
    """A text without its header: all up to the first empty line, if the first line is a header line (`Subject: tea`).

    A text that begins otherwise, or has no empty line, has no header.
    """
    end = _EMPTY_LINE.search(text) if _HEADER.match(text) else None
    return text[end.end() :] if end else text


def _read_tree(root: Path) -> tuple[list[_File], set[str]]:
    """The files of a tree in the order of their paths, and the names of its empty folders."""
    try:
        files, folders = _read_folder(root) if root.is_dir() else _read_archive(root)
    except FileNotFoundError:
        raise DataError(f"{root}: no such file") from None
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise DataError(f"{root}: the archive is damaged ({' '.join(str(error).split())})") from None
    except OSError as error:
        raise DataError(f"{error.filename or root}: cannot be read: {error.strerror or error}") from None
    inhabited = {path[:depth] for path in (*folders, *(file.path for file in files)) for depth in range(1, len(path))}
    empty = {folder[-1] for folder in folders if folder and folder not in inhabited and not folder[-1].startswith(".")}
    return sorted(files, key=lambda file: file.path), empty


def _read_folder(root: Path) -> tuple[list[_File], list[tuple[str, ...]]]:
    files, folders = [], []
    for folder, _, names in os.walk(root, onerror=_raise):
        parts = Path(folder).relative_to(root).parts
        folders.append(parts)
        files += [_File((*parts, name), Path(folder, name).read_bytes()) for name in names]
    return files, folders


def _read_archive(root: Path) -> tuple[list[_File], list[tuple[str, ...]]]:
    """As of a folder; one folder that holds all the others is the root."""
    files, folders = [], []
    with tarfile.open(root) as archive:
        for member in archive:
            parts = tuple(part for part in PurePosixPath(member.name).parts if part not in (".", "/"))
            if member.isdir():
                folders.append(parts)
            elif (stream := archive.extractfile(member)) is not None:
                files.append(_File(parts, stream.read()))
    tops = {file.path[0] for file in files}
    if len(tops) == 1 and any(len(file.path) > 2 for file in files):
        files = [_File(file.path[1:], file.data) for file in files]
        folders = [folder[1:] for folder in folders]
    return files, folders


def _raise(problem: OSError) -> Iterator[None]:
    raise problem
