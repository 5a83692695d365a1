"""C4.5 release 8 (Quinlan 1993, 1996), the decision tree of Zheng & Webb 2000 and of Liang & Yan 2006."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lazybayes.counts.codes import Rows
from lazybayes.learners.parameters import Flag, Parameters, UpTo, Whole
from lazybayes.learners.trees.decision_tree import TreeLearner, weight_text
from lazybayes.learners.trees.gain import GainRatio
from lazybayes.learners.trees.growth import grow
from lazybayes.learners.trees.pruning import Pruning, collapse
from lazybayes.learners.trees.tree import NEAR

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


class C45(TreeLearner):
    """The decision tree learner C4.5, release 8, over nominal and numeric attributes.

    A split on a nominal attribute has a branch for each declared value; a numeric one is cut in two. A branch without a
    training row answers as its node would. C4.4 (Provost & Domingos) is ``prune=False, collapse=False, laplace=True``;
    C4.5-L is ``laplace=True``.

    The answers are those of Weka's J48, which implements release 8: gains, ratios and weights within 1e-6 count as
    equal, numbers within 1e-5 are one value, and a cut is moved down to the nearest training value.

    Parameters
    ----------
    min_rows : int, default 2
        What at least two branches of a split must have (training rows by weight); a node needs twice as many.
    confidence : float, default 0.25
        Confidence level of pessimistic pruning, above 0 to 0.5: the lower, the smaller the tree.
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
        "confidence": UpTo(0.0, 0.5),
        "prune": Flag(),
        "collapse": Flag(),
        "subtree_raising": Flag(),
        "laplace": Flag(),
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
        nodes = collapse(tree) if self.collapse else list(tree.levels(np.array([0])))
        if self.prune:
            Pruning(tree, rows, y, self.confidence, self.subtree_raising).prune(nodes, levels)
        self.tree_ = tree.compact()
        classes = self.tree_.classes[self.tree_.answering] + float(self.laplace)
        self.leaf_proba_ = classes / classes.sum(axis=1, keepdims=True)  # (N, C)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        reached = self._reach(rows)
        shape = len(rows), len(self.tree_)
        member = csr_matrix((reached.weight, (reached.row, reached.node)), shape=shape, dtype=np.float64)
        with np.errstate(divide="ignore"):
            scores = np.log(member @ self.leaf_proba_)
        return scores, self._diagnostics(reached, len(rows))

    def _leaf_text(self, leaf: int) -> str:
        """The class of most training rows, their weight, and after a stroke that of the rows of other classes."""
        weight, most = self.tree_.classes[leaf].sum(), self.tree_.classes[leaf].max()
        wrong = f"/{weight_text(weight - most)}" if weight - most > NEAR else ""
        return f"{self.classes_[np.argmax(self.leaf_proba_[leaf])]} ({weight_text(weight)}{wrong})"
