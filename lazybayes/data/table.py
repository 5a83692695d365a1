"""A data set as it was read: typed columns in file order, missing cells kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.errors import DataError


@dataclass(frozen=True)
class Attribute:
    """A column's name and type.

    kind: ``nominal`` (``values`` are its declared labels, in declared order), ``numeric``, or ``string``
    (free text, which no learner over attributes accepts).
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()


Column = NDArray[Any]
"""(n,) int32 codes with -1 = missing for nominal; (n,) float64 with NaN = missing for numeric; (n,) object (str or None) for string."""


@dataclass(frozen=True)
class RawTable:
    """What a reader returns: every column of the file, no class chosen yet."""

    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    n_rows: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A data set ready for an experiment.

    attributes, columns: as in `RawTable`, without the class and the dropped columns.
    target: the class attribute (nominal); y: (n,) int32 class codes, never -1.
    index: (n,) int64 row numbers in the file, from 0 (rows without a class are left out, with a notice).
    notices: what the user should be told about the data.
    """

    name: str
    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    target: Attribute
    y: NDArray[np.int32]
    index: NDArray[np.int64]
    notices: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def n_classes(self) -> int:
        return len(self.target.values)

    def fingerprint(self) -> str:
        """SHA-256 (hex) over names, types, declared values, cells, classes and row numbers: what a result depends on."""
        digest = hashlib.sha256()
        for attribute, column in zip((*self.attributes, self.target), (*self.columns, self.y), strict=True):
            digest.update(repr((attribute.name, attribute.kind, attribute.values)).encode())
            cells = repr(column.tolist()).encode() if column.dtype == object else np.ascontiguousarray(column).tobytes()
            digest.update(cells)
        digest.update(self.index.tobytes())
        return digest.hexdigest()


def choose_class(
    raw: RawTable, name: str, target: str | None, drop: tuple[str, ...] = (), where: str = ""
) -> Table:
    """Makes a `Table` of a `RawTable`: the class attribute named, columns dropped, rows without a class left out.

    Raises DataError if the target or a dropped column is not there, or the class is not nominal.
    """
    raise NotImplementedError


__all__ = ["Attribute", "Column", "DataError", "RawTable", "Table", "choose_class", "replace"]
