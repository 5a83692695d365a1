"""Documents as data: a folder tree, or a tar archive of one, a file a document and its folder's name its class.

The table has two columns, ``text`` and ``class``. Where a data set's texts begin with header lines, as those of mail
and news do, ``headers: remove`` takes them away.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from lazybayes.data.table import Attribute, RawTable, listed
from lazybayes.data.text import decode
from lazybayes.data.trees import is_document, read_tree
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.messages import plural

TEXT, CLASS = "text", "class"
HEADERS = ("keep", "remove")
OF_TABLES = (
    *("types", "missing", "leave_out", "recode"),
    *("header", "columns", "separator", "thousands", "decimal", "skip_lines", "split", "blocks"),
)
"""What an entry can say of a table's file but not of documents."""

_HEADER = re.compile(r"[!-9;-~]+:")  # a field's name (RFC 5322, section 2.2)
_EMPTY_LINE = re.compile(r"(?>\r\n|\r|\n){2}")


def read_documents(paths: Sequence[Path], entry: DatasetEntry) -> RawTable:
    """The documents of all trees, each in the order of folders and names.

    A document's class is the name of the folder it stands in; a folder with nothing in it is a class without documents.
    Files whose names begin with a dot, and files that stand in no folder of the tree, are left out, with a notice. The
    text is UTF-8, or else Latin-1, unless `encoding` says otherwise: no byte is lost.

    Raises DataError if a tree cannot be read or holds no document, bytes are not what `encoding` says, or the entry
    says of documents what can only be said of a table's file.
    """
    for key in entry.changed():
        if key in OF_TABLES:
            raise DataError(f"{paths[0]}: {key} is for files of tables; these are documents, a file each")
    texts: list[str] = []
    labels: list[str] = []
    declared: set[str] = set()
    notices: list[str] = []
    for root in paths:
        files, empty = read_tree(root)
        kept = [file for file in files if is_document(file.path)]
        if not kept:
            raise DataError(f"{root}: no documents; a folder a class is expected, and in it a file a document")
        if left := len(files) - len(kept):
            notices.append(f"{root}: {plural(left, 'file')} left out, hidden or in no folder of a class")
        otherwise = []
        for file in kept:
            text, wrong = decode(os.path.join(root, *file.path), file.data, entry.reading.encoding)
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
