"""BT, the Bayesian tree learner of Zheng & Webb 2000: Kohavi's NBTree by leave-one-out."""

from __future__ import annotations

from typing import Any, ClassVar

from lazybayes.counts.validation import LeaveOneOut
from lazybayes.learners.parameters import EstimateOf, Number, Parameters, Whole
from lazybayes.learners.trees.bayes import BayesTreeLearner
from lazybayes.learners.trees.leaf_scores import Rules, errors


class BayesianTree(BayesTreeLearner):
    """BT: Zheng & Webb's NBTree, which counts the errors of leave-one-out.

    A node of `min_rows` training rows and some errors is split on the attribute whose branches' classifiers err least
    by leave-one-out, all branches together, if that is less than 1 - `min_gain` of the errors of its own. Classifiers
    do without the attributes of their path. No branch is too small, as the paper complains.

    The paper says both "greater than 5%" and "at least 5%"; here 20 errors to 19 do not split. Of equal splits the
    first wins.

    Parameters
    ----------
    estimate : str or mapping, default "m-estimate"
        How counts become P(v | c): see `lazybayes.counts.estimates`.
    min_rows : int, default 30
        Training rows, by weight, that a node must have to be split.
    min_gain : float, default 0.05
        The part of a node's errors that a split must save more than.

    References
    ----------
    Kohavi, R. (1996). Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid. KDD-96, 202-207.
    Zheng, Z. and Webb, G. I. (2000). Lazy learning of Bayesian rules. Machine Learning 41, 53-84.
    """

    parameters: ClassVar[Parameters] = {"estimate": EstimateOf(), "min_rows": Whole(1), "min_gain": Number(0.0, 1.0)}
    missing = (
        "a missing cell is not counted in training and skipped in classifying; a row whose split value is missing goes "
        "down every branch with a part of its weight, as in C4.5"
    )
    paper = "Zheng & Webb 2000, section 5.1; Kohavi 1996"

    def __init__(self, estimate: Any = "m-estimate", min_rows: int = 30, min_gain: float = 0.05) -> None:
        self.estimate = estimate
        self.min_rows = min_rows
        self.min_gain = min_gain

    def _rules(self) -> Rules:
        return Rules(
            errors, LeaveOneOut(), keep_path=False, divide=True, min_rows=self.min_rows, min_gain=self.min_gain
        )
