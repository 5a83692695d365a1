"""Trees with a naive Bayesian classifier at each leaf: Kohavi's NBTree, Zheng & Webb's BT, Liang & Yan's CLLTree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lazybayes.counts.codes import Rows
from lazybayes.counts.estimates import parse_estimate
from lazybayes.counts.groups import by_group, ranges
from lazybayes.counts.scores import log_scores, log_tables, rescue
from lazybayes.counts.tables import TABLES, Layout, count
from lazybayes.counts.validation import Folds, LeaveOneOut, Training
from lazybayes.learners.parameters import EstimateOf, Number, OneOf, Parameters, Whole
from lazybayes.learners.trees.growth import grow
from lazybayes.learners.trees.learner import TreeLearner, weight_text
from lazybayes.learners.trees.tree import Entries, join
from lazybayes.learners.trees.utility import Rules, Utility, errors, surprise

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

INNER = ("deal", "contiguous", "shuffled")
"""How rows come to inner folds."""

SMALL = 5
"""A branch of fewer rows is small to CLLTree."""

SHUFFLE_SEED = 1
"""Seed of the generator (numpy's default, PCG64) that shuffles the training rows for `inner: shuffled`."""


class BayesTree(TreeLearner):
    """A tree whose nodes have naive Bayesian classifiers, each of the node's training rows; leaves answer.

    A subclass says by which `Rules` splits are chosen. A branch without a training row is answered by its node's
    classifier.
    """

    estimate: Any
    diagnostics: ClassVar[Mapping[str, str]] = {
        **TreeLearner.diagnostics,
        "prior_answered": "rows for which every class had probability 0 at a leaf, answered by the class prior there",
    }

    def _rules(self) -> Rules:
        raise NotImplementedError

    def _order(self, y: Ints) -> Ints:
        """The order in which training rows are validated."""
        return np.argsort(y, kind="stable")

    def _fit(self, rows: Rows, y: Ints) -> None:
        rules, order, layout = self._rules(), self._order(y), Layout(rows.arity)
        estimate = parse_estimate(self.estimate).bind(tuple(str(label) for label in self.classes_))
        rows, y = rows.take(order), y[order]
        training = Training(layout, layout.cells(rows.nominal), y, len(self.classes_), estimate)
        self.tree_, levels = grow(rows, y, len(self.classes_), Utility(training, rules), rules.divide)
        self.training_, self.rules_ = training, rules
        at = join(levels)
        by_node, self.starts_ = by_group(at.node, len(self.tree_))
        self.at_ = at.take(by_node)  # the training rows at every node, node by node

    def _reach(self, rows: Rows) -> Entries:
        return self.tree_.leaves(rows, self.rules_.divide)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        reached = self._reach(rows)
        cells = self.training_.layout.cells(rows.nominal)
        nodes, stack = np.unique(self.tree_.answering[reached.node], return_inverse=True)
        scores, rescued = self._local_scores(cells, nodes, Entries(reached.row, stack, reached.weight))
        told = {**self._told(reached, len(rows)), "prior_answered": float(rescued)}
        return _mixed(scores, reached, len(rows)), told

    def _local_scores(self, cells: Ints, nodes: Ints, reached: Entries) -> tuple[Floats, int]:
        """(E, C) log scores of rows by nodes' classifiers, and how many the class prior answered.

        cells: (n, a) of the rows; nodes: (S,); reached: the rows and which of the nodes answers each.
        """
        training, n_classes = self.training_, len(self.classes_)
        layout = training.layout
        scores, rescued = np.empty((len(reached), n_classes)), 0
        step = max(1, TABLES // (n_classes * (layout.n_values + 1)))
        for start in range(0, len(nodes), step):
            some = nodes[start : start + step]
            sizes = self.starts_[some + 1] - self.starts_[some]
            at = self.at_.take(ranges(self.starts_[some], sizes))
            group = np.repeat(np.arange(len(some)), sizes)
            counts = count(layout, training.cells[at.row], training.y[at.row], n_classes, group, len(some), at.weight)
            tables = log_tables(counts, training.estimate)
            if not self.rules_.keep_path:
                tables = tables.restrict(~self.tree_.on_path(some, len(layout.arity))[:, layout.attribute_of])
            here = np.flatnonzero((reached.node >= start) & (reached.node < start + step))
            stack = reached.node[here] - start
            scores[here] = log_scores(cells, tables, reached.row[here], stack)
            part = scores[here]
            rescued += rescue(part, tables.prior[stack])
            scores[here] = part
        return scores, rescued

    def _leaf_text(self, leaf: int) -> str:
        """The weight of the classifier's training rows."""
        return f"naive Bayes ({weight_text(self.tree_.weight[leaf])})"


def _mixed(scores: Floats, reached: Entries, n: int) -> Floats:
    """(n, C) logs of the weighted means of rows' probabilities at the nodes they reach. scores: (E, C) of each there.

    A row that reaches one node keeps its scores.
    """
    shifted = scores - scores.max(axis=1, keepdims=True)
    proba = np.exp(shifted)
    proba /= proba.sum(axis=1, keepdims=True)
    member = csr_matrix((reached.weight, (reached.row, np.arange(len(reached)))), shape=(n, len(reached)))
    with np.errstate(divide="ignore"):
        mixed = np.log(member @ proba)
    alone = np.flatnonzero(np.bincount(reached.row, minlength=n)[reached.row] == 1)
    mixed[reached.row[alone]] = scores[alone]
    return np.asarray(mixed)


class BayesianTree(BayesTree):
    """BT: Zheng & Webb's NBTree, which counts the errors of leave-one-out.

    A node of `min_rows` training rows and some errors is split on the attribute whose branches' classifiers err least
    by leave-one-out, all branches together, if that is less than 1 - `min_gain` of the errors of its own. Classifiers
    do without the attributes of their path. No branch is too small, as the paper complains.

    The paper says both "greater than 5%" and "at least 5%"; here 20 errors to 19 are no split. Of equal splits the
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


class _Folded(BayesTree):
    """A tree whose classifiers are validated by inner k-fold cross-validation, made anew at every node and branch."""

    folds: int
    inner: str

    def _order(self, y: Ints) -> Ints:
        if self.inner == "contiguous":
            return np.arange(len(y))
        rows = np.arange(len(y))
        if self.inner == "shuffled":
            np.random.default_rng(SHUFFLE_SEED).shuffle(rows)
        return rows[np.argsort(y[rows], kind="stable")]

    def _validation(self) -> Folds:
        return Folds(self.folds, contiguous=self.inner == "contiguous")


class NBTree(_Folded):
    """NBTree as Weka has it: splits by the errors of inner cross-validation, all attributes in every classifier.

    A node of `min_rows` training rows of several classes, with errors, is split on the attribute whose branches'
    classifiers err least, all branches together, if that saves `min_gain` of its own errors or more. The attribute
    must be a split to C4.5 (two branches of two known rows), and two branches must have `min_branch` rows; the rows
    of smaller branches count as errors. Of equal splits the first wins.

    Parameters
    ----------
    estimate : str or mapping, default "laplace"
        How counts become P(v | c): see `lazybayes.counts.estimates`.
    folds : int, default 5
        Folds of the inner cross-validation.
    inner : str, default "deal"
        How rows come to inner folds, anew at every node and branch: ``deal`` (in class order, to the folds in turn),
        ``contiguous`` (in training order, cut into runs), ``shuffled`` (shuffled once, with a fixed seed, then dealt).
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


class CLLTree(_Folded):
    """CLLTree: splits by the conditional log likelihood (CLL) of inner cross-validation.

    A node of `min_rows` training rows is split on the attribute whose branches' classifiers give the highest CLL of
    the node's rows, if its absolute value is less than 1 - `min_gain` of that of the node's own classifier.
    Probabilities are normalized (eq. 6 of the paper is not). A row whose split value is missing counts, and is
    answered, by the node's own classifier; so is one whose branch has no training row. Of equal splits the first
    wins.

    What the paper leaves open are parameters. A split of which fewer than two branches have rows is none.

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
            keep_path=self.reading == "weka-frame",
            divide=False,
            min_rows=self.min_rows,
            min_gain=self.min_gain,
            two_large=self.reading == "weka-frame",
            small_rows=SMALL,
            small_loss=0.0 if self.small == "zero" else None,
        )
