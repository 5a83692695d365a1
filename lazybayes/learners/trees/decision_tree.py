"""What tree learners share once they are grown: which leaf a row reaches, and the tree as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.learners.base import Learner
from lazybayes.learners.trees.tree import Entries, Tree

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


class TreeLearner(Learner):
    """A learner that has grown a tree, `tree_`. A subclass also defines the content of a leaf."""

    tree_: Tree
    diagnostics: ClassVar[Mapping[str, str]] = {
        "leaves": "leaves of the tree (leaf_rows: training rows at the leaf a row reaches)",
        "depth": "splits on the longest way from the root to a leaf",
    }

    def leaves(self, X: pd.DataFrame | Rows) -> tuple[Ints, Floats]:
        """The leaf each row of X reaches, (n,), a node of `tree_`, and the training rows there by weight, (n,).

        A row that reaches several, because cells are missing, counts at the one where most of its weight comes.
        """
        rows = self._rows(X)
        return self._main_leaf(self._reach(rows), len(rows))

    def describe(self) -> str:
        """The tree as text: one line per branch, with the content of each leaf and its training weight."""
        return self.tree_.describe([str(name) for name in self.names_], self.labels_, self._leaf_text)

    def _main_leaf(self, reached: Entries, n: int) -> tuple[Ints, Floats]:
        order = np.lexsort((reached.node, -reached.weight, reached.row))
        leaf = reached.node[order[np.searchsorted(reached.row[order], np.arange(n))]]
        return leaf, self.tree_.weight[leaf]

    def _diagnostics(self, reached: Entries, n: int) -> dict[str, float | Floats]:
        """The diagnostics of a tree, and of n rows that reached these nodes."""
        return {
            "leaves": float((self.tree_.attribute < 0).sum()),
            "depth": float(self.tree_.depth),
            "leaf_rows": self._main_leaf(reached, n)[1],
        }

    def _reach(self, rows: Rows) -> Entries:
        """The nodes that answer for rows, before those without a training row ask their parents."""
        return self.tree_.leaves(rows)

    def _leaf_text(self, leaf: int) -> str:
        raise NotImplementedError


def weight_text(weight: float) -> str:
    """A weight of rows with two decimals at most: `12.0`, `3.25`."""
    return repr(round(float(weight), 2))
