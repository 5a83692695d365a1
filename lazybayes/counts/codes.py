"""Rows of attribute values as small integers, and documents as word counts: the input of the count engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Documents:
    """The words of documents, one document per row.

    name: of the attribute that holds the texts; words: (V,) all words of the data set, ascending; counts: (n, V)
    occurrences of each word in each document. The words come from training and test documents
    alike; the learner determines from the counts of its training rows which of them are known.
    """

    name: str
    words: NDArray[Any]
    counts: csr_matrix

    def take(self, rows: Ints) -> Documents:
        """The documents at these positions."""
        return replace(self, counts=self.counts[rows])


@dataclass(frozen=True)
class Rows:
    """The rows a learner sees.

    names: attribute names in file order.
    labels: the declared labels of each nominal attribute; None for a numeric one.
    nominal: (n, p) int32 codes of the nominal attributes, -1 = missing.
    numeric: (n, q) float64 of the numeric attributes, NaN = missing.
    documents: the words of the text attribute, which is in neither names nor labels; None without one.
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...] | None, ...]
    nominal: NDArray[np.int32]
    numeric: Floats
    documents: Documents | None = None

    def __len__(self) -> int:
        return len(self.nominal)

    def take(self, rows: Ints) -> Rows:
        """The rows at these positions."""
        documents = self.documents and self.documents.take(rows)
        return replace(self, nominal=self.nominal[rows], numeric=self.numeric[rows], documents=documents)

    @cached_property
    def nominal_names(self) -> tuple[str, ...]:
        """The names of the nominal attributes, in order."""
        return tuple(name for name, labels in zip(self.names, self.labels, strict=True) if labels is not None)

    @cached_property
    def numeric_names(self) -> tuple[str, ...]:
        """The names of the numeric attributes, in order."""
        return tuple(name for name, labels in zip(self.names, self.labels, strict=True) if labels is None)

    @cached_property
    def nominal_labels(self) -> tuple[tuple[str, ...], ...]:
        """The declared labels of the nominal attributes, in order."""
        return tuple(labels for labels in self.labels if labels is not None)

    @cached_property
    def arity(self) -> NDArray[np.int64]:
        """(p,) number of declared values of each nominal attribute."""
        return np.array([len(labels) for labels in self.nominal_labels], dtype=np.int64)
