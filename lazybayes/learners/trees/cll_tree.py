"""CLLTree (Liang & Yan 2006)."""

from __future__ import annotations

from typing import Any, ClassVar

from lazybayes.learners.parameters import EstimateOf, Number, OneOf, Parameters, Whole
from lazybayes.learners.trees.bayes import INNER, FoldedTreeLearner
from lazybayes.learners.trees.leaf_scores import Rules, surprise

SMALL = 5
"""A branch of fewer rows is small."""


class CLLTree(FoldedTreeLearner):
    """CLLTree: splits by the conditional log likelihood (CLL) of inner cross-validation.

    A node of `min_rows` training rows is split on the attribute whose branches' classifiers give the highest CLL of
    the node's rows, if its absolute value is less than 1 - `min_gain` of that of the node's own classifier.
    Probabilities are normalized (eq. 6 of the paper is not). A row whose split value is missing counts, and is
    answered, by the node's own classifier; so is one whose branch has no training row. Of equal splits the first
    wins.

    Choices that the paper leaves open are parameters. A split needs at least two branches with rows.

    Parameters
    ----------
    estimate : str or mapping, default "laplace"
        How counts become P(v | c): see `lazybayes.counts.estimates`.
    reading : str, default "paper"
        ``paper``: classifiers do without the attributes of their path, and branches may be small; ``weka-frame``:
        they keep them, and two branches must have 5 rows.
    small : str, default "as-is"
        How a branch of fewer than 5 rows scores: as it is, or with a CLL of ``zero``.
    folds : int, default 5
        Folds of the inner cross-validation.
    inner : str, default "deal"
        How rows come to inner folds: see `NBTree`.
    min_rows : int, default 30
        Training rows that a node must have to be split.
    min_gain : float, default 0.05
        The part of a node's CLL that a split must save more than.

    References
    ----------
    Liang, H. and Yan, Y. (2006). Learning naive Bayes tree for conditional probability estimation. Canadian AI 2006,
    456-467.
    """

    parameters: ClassVar[Parameters] = {
        "estimate": EstimateOf(),
        "reading": OneOf(("paper", "weka-frame")),
        "small": OneOf(("as-is", "zero")),
        "folds": Whole(2),
        "inner": OneOf(INNER),
        "min_rows": Whole(1),
        "min_gain": Number(0.0, 1.0),
    }
    missing = (
        "a missing cell is not counted in training and skipped in classifying; a row whose split value is missing "
        "stays at the node and is answered by its classifier"
    )
    paper = "Liang & Yan 2006, algorithm 1"

    def __init__(
        self,
        estimate: Any = "laplace",
        reading: str = "paper",
        small: str = "as-is",
        folds: int = 5,
        inner: str = "deal",
        min_rows: int = 30,
        min_gain: float = 0.05,
    ) -> None:
        self.estimate = estimate
        self.reading = reading
        self.small = small
        self.folds = folds
        self.inner = inner
        self.min_rows = min_rows
        self.min_gain = min_gain

    def _rules(self) -> Rules:
        return Rules(
            surprise,
            self._validation(),
            branch_validation=self._branch_validation(),
            keep_path=self.reading == "weka-frame",
            divide=False,
            min_rows=self.min_rows,
            min_gain=self.min_gain,
            two_large=self.reading == "weka-frame",
            small_rows=SMALL,
            small_loss=0.0 if self.small == "zero" else None,
        )
