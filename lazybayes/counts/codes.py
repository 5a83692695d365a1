"""Rows of attribute values as small integers, and documents as counts of words: what learners count over."""

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
    """The words of documents, one document a row.

    name: of the attribute that holds the texts; words: (V,) all words of the data set, rising; counts: (n, V) how often
    each stands in each document. The words are those of training and test documents alike: which of them are known is
    the learner's to say, from the counts of its training rows.
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
    labels: the declared labels of each nominal attribute; None stands for a numeric one.
    nominal: (n, p) int32 codes of the nominal attributes, -1 = missing.
    numeric: (n, q) float64 of the numeric attributes, NaN = missing.
    documents: the words of the text attribute, which is in neither names nor labels; None where there is none.
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
