"""Class entropies of rows, in bits and times the weight of the rows, so that parts add up.

Rows of weight w, of which w_c have class c, have f(w) - sum f(w_c) of it, with f(x) = x log2 x.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.learners.trees.growth import Level
from lazybayes.learners.trees.tree import NEAR, Weights

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class EntropyTerms:
    """f of weights up to n: looked up where rows are whole, else computed."""

    n: int

    @cached_property
    def _whole(self) -> Floats:
        return _terms(np.arange(self.n + 1, dtype=np.float64))

    def __call__(self, weight: NDArray[Any]) -> Floats:
        """f of each weight, 0 at 0."""
        return self._whole.take(weight, mode="clip") if weight.dtype.kind == "i" else _terms(weight)


def _terms(weight: Floats) -> Floats:
    return weight * np.log2(np.maximum(weight, NEAR))


@dataclass(frozen=True)
class NodeValuePairs:
    """The pairs of a level's node and a class that occur, by node.

    of: (E,) the pair of each row at the nodes; weight: (T,) the pairs' weights; starts: (G,) each node's first pair.
    """

    of: Ints
    weight: Weights
    starts: Ints

    def __len__(self) -> int:
        return len(self.weight)

    def per_node(self, values: NDArray[Any]) -> NDArray[Any]:
        """(..., G) sums of (..., T) over each node's pairs."""
        return np.add.reduceat(values, self.starts, axis=-1)


def pairs_of(level: Level, y: Ints) -> NodeValuePairs:
    """The pairs of a level, whose every node has a row. y: (n,) classes of the training rows."""
    present = level.classes > 0
    number = np.cumsum(present)
    weight = level.classes[present].astype(level.weight.dtype)
    starts = np.concatenate([[0], number[present.shape[1] - 1 :: present.shape[1]][:-1]])
    return NodeValuePairs(number[level.at * present.shape[1] + y[level.row]] - 1, weight, starts)
