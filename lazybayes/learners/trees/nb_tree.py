"""NBTree (Kohavi 1996) as Weka has it, which Liang & Yan 2006 compare with."""

from __future__ import annotations

from typing import Any, ClassVar

from lazybayes.learners.parameters import EstimateOf, Number, OneOf, Parameters, Whole
from lazybayes.learners.trees.bayes import INNER, FoldedTreeLearner
from lazybayes.learners.trees.leaf_scores import Rules, errors


class NBTree(FoldedTreeLearner):
    """NBTree as Weka has it: splits by the errors of inner cross-validation, all attributes in every classifier.

    A node of `min_rows` training rows of several classes, with errors, is split on the attribute whose branches'
    classifiers err least, all branches together, if that saves `min_gain` of its own errors or more. The attribute
    must be a split to C4.5 (two branches of two known rows), and two branches must have `min_branch` rows; the rows
    of smaller branches count as errors. Of equal splits the first wins.

    Weka's own inner folds depend on the order of the rows and on its shuffling: a node's are runs of the rows as they
    stand, a branch's are shuffled and stratified. By default node and branch are validated alike here; ``inner: weka``
    makes folds as Weka does, by another generator, so trees differ from Weka's where folds decide.

    Parameters
    ----------
    estimate : str or mapping, default "laplace"
        How counts become P(v | c): see `lazybayes.counts.estimates`.
    folds : int, default 5
        Folds of the inner cross-validation.
    inner : str, default "deal"
        How rows come to inner folds, anew at every node and branch: ``deal`` (in class order, to the folds in turn),
        ``contiguous`` (in training order, cut into runs), ``shuffled`` (shuffled once, with a fixed seed, then dealt),
        ``weka`` (shuffled once, with a fixed seed, a node's rows cut into runs; a branch's shuffled anew by the same
        generator, then dealt).
    min_rows : int, default 30
        Training rows, by weight, that a node must have to be split.
    min_branch : int, default 5
        Rows that two branches must have, and that a branch needs for its classifier to be asked.
    min_gain : float, default 0.05
        The part of a node's errors that a split must save.

    References
    ----------
    Kohavi, R. (1996). Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid. KDD-96, 202-207.
    """

    parameters: ClassVar[Parameters] = {
        "estimate": EstimateOf(),
        "folds": Whole(2),
        "inner": OneOf(INNER),
        "min_rows": Whole(1),
        "min_branch": Whole(1),
        "min_gain": Number(0.0, 1.0),
    }
    missing = (
        "a missing cell is not counted in training and skipped in classifying; a row whose split value is missing goes "
        "down every branch with a part of its weight, as in C4.5"
    )
    paper = "Kohavi 1996, as implemented in Weka"

    def __init__(
        self,
        estimate: Any = "laplace",
        folds: int = 5,
        inner: str = "deal",
        min_rows: int = 30,
        min_branch: int = 5,
        min_gain: float = 0.05,
    ) -> None:
        self.estimate = estimate
        self.folds = folds
        self.inner = inner
        self.min_rows = min_rows
        self.min_branch = min_branch
        self.min_gain = min_gain

    def _rules(self) -> Rules:
        return Rules(
            errors,
            self._validation(),
            branch_validation=self._branch_validation(),
            keep_path=True,
            divide=True,
            min_rows=self.min_rows,
            min_gain=self.min_gain,
            strict=False,
            mixed=True,
            branch_weight=2.0,
            two_large=True,
            small_rows=self.min_branch,
            small_loss=1.0,
        )
