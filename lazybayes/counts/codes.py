"""Rows of attribute values as small integers: what learners and the engine count over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """The rows a learner sees.

    names: attribute names in file order.
    labels: the declared labels of each nominal attribute; None stands for a numeric one.
    nominal: (n, p) int32 codes of the nominal attributes, -1 = missing.
    numeric: (n, q) float64 of the numeric attributes, NaN = missing.
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...] | None, ...]
    nominal: NDArray[np.int32]
    numeric: Floats

    def __len__(self) -> int:
        return len(self.nominal)

    def take(self, rows: Ints) -> Rows:
        """The rows at these positions."""
        return replace(self, nominal=self.nominal[rows], numeric=self.numeric[rows])

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
