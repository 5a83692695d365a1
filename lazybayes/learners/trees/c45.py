"""C4.5 release 8 (Quinlan 1993, 1996), the decision tree of Zheng & Webb 2000 and of Liang & Yan 2006."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lazybayes.counts.codes import Rows
from lazybayes.learners.base import Learner
from lazybayes.learners.parameters import Flag, Number, Parameters, Whole
from lazybayes.learners.trees.gain import GainRatio
from lazybayes.learners.trees.growth import grow
from lazybayes.learners.trees.pruning import Pruning, collapse

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


class C45(Learner):
    """The decision tree learner C4.5, release 8, over nominal and numeric attributes.

    Splits on nominal attributes have a branch for each declared value; numeric ones are cut in two. C4.4 (Provost &
    Domingos) is ``prune=False, collapse=False, laplace=True``; C4.5-L is ``laplace=True``.

    Parameters
    ----------
    min_rows : int, default 2
        What at least two branches of a split must have (training rows by weight); a node needs twice as many.
    confidence : float, default 0.25
        Confidence level of pessimistic pruning: the lower, the smaller the tree.
    prune : bool, default True
        Whether pessimistic pruning takes place.
    collapse : bool, default True
        Whether a subtree that gets no fewer training rows wrong than a leaf becomes a leaf, before pruning.
    subtree_raising : bool, default True
        Whether pruning may put a node's largest branch in its place.
    laplace : bool, default False
        Whether a leaf's probabilities are (n_c + 1) / (n + C), not n_c / n.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.
    Quinlan, J. R. (1996). Improved use of continuous attributes in C4.5. JAIR 4, 77-90.
    Provost, F. and Domingos, P. (2003). Tree induction for probability-based ranking. Machine Learning 52, 199-215.
    """

    accepts: ClassVar[frozenset[str]] = frozenset({"nominal", "numeric"})
    parameters: ClassVar[Parameters] = {
        "min_rows": Whole(1),
        "confidence": Number(0.0, 1.0),
        "prune": Flag(),
        "collapse": Flag(),
        "subtree_raising": Flag(),
        "laplace": Flag(),
    }
    diagnostics: ClassVar[Mapping[str, str]] = {
        "leaves": "leaves of the tree",
        "depth": "splits on the longest way from the root to a leaf",
    }
    missing = (
        "a row whose split value is missing goes down every branch with a part of its weight, in training and in "
        "classifying, in proportion to the training rows of known value"
    )
    paper = "Quinlan 1993 and 1996"

    def __init__(
        self,
        min_rows: int = 2,
        confidence: float = 0.25,
        prune: bool = True,
        collapse: bool = True,
        subtree_raising: bool = True,
        laplace: bool = False,
    ) -> None:
        self.min_rows = min_rows
        self.confidence = confidence
        self.prune = prune
        self.collapse = collapse
        self.subtree_raising = subtree_raising
        self.laplace = laplace

    def _fit(self, rows: Rows, y: Ints) -> None:
        n_classes = len(self.classes_)
        tree, levels = grow(rows, y, n_classes, GainRatio(rows, y, n_classes, self.min_rows))
        if self.collapse:
            collapse(tree)
        if self.prune:
            Pruning(tree, rows, y, self.confidence, self.subtree_raising).prune(np.array([0]), levels)
        self.tree_ = tree.compact()
        classes = self.tree_.classes[self.tree_.answering] + float(self.laplace)
        self.proba_ = classes / classes.sum(axis=1, keepdims=True)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        tree = self.tree_
        reached = tree.leaves(rows)
        member = csr_matrix((reached.weight, (reached.row, reached.node)), shape=(len(rows), len(tree)))
        with np.errstate(divide="ignore"):
            scores = np.log(member @ self.proba_)
        told = {"leaves": float((tree.attribute < 0).sum()), "depth": float(tree.depth)}
        return scores, {**told, "leaf_rows": self.leaves(rows)[1]}

    def leaves(self, X: Rows) -> tuple[Ints, Floats]:
        return None, np.zeros(len(X))
