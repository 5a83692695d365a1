"""What trees with a naive Bayesian classifier at each leaf share: BT, NBTree and CLLTree differ in how they split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lazybayes.counts.codes import Rows
from lazybayes.counts.groups import by_group, ranges
from lazybayes.counts.scores import fall_back_to_prior, log_scores, log_tables, normalized
from lazybayes.counts.tables import count
from lazybayes.counts.training import TrainingRows, class_order
from lazybayes.counts.validation import FoldValidation, StratifiedFolds
from lazybayes.learners.trees.decision_tree import TreeLearner, weight_text
from lazybayes.learners.trees.growth import grow
from lazybayes.learners.trees.leaf_scores import LeafScoreSplitter, Rules
from lazybayes.learners.trees.tree import Entries, join

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

INNER = ("deal", "contiguous", "shuffled", "weka")
"""How rows come to inner folds."""

SHUFFLE_SEED = 1
"""Seed of the generator (numpy's default, PCG64) of `inner: shuffled` and `inner: weka`."""


class BayesTreeLearner(TreeLearner):
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
        return class_order(y)

    def _fit(self, rows: Rows, y: Ints) -> None:
        rules, order = self._rules(), self._order(y)
        training = TrainingRows.of(rows, y, self._class_names(), self.estimate, order)
        rows, splitter = rows.take(order), LeafScoreSplitter(training, rules)
        self.tree_, levels = grow(rows, training.y, training.n_classes, splitter, rules.divide)
        self.training_, self.rules_ = training, rules
        at = join(levels)
        by_node, self.starts_ = by_group(at.node, len(self.tree_))
        self.at_ = at.take(by_node)  # the training rows at every node, node by node

    def _reach(self, rows: Rows) -> Entries:
        return self.tree_.leaves(rows, self.rules_.divide)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        reached = self._reach(rows)
        ids = self.training_.value_index.ids(rows.nominal)
        nodes, stack = np.unique(self.tree_.answering[reached.node], return_inverse=True)
        scores, prior_answered = self._local_scores(ids, nodes, Entries(reached.row, stack, reached.weight))
        diagnostics = {**self._diagnostics(reached, len(rows)), "prior_answered": float(prior_answered)}
        return _mixed(scores, reached, len(rows)), diagnostics

    def _local_scores(self, ids: Ints, nodes: Ints, reached: Entries) -> tuple[Floats, int]:
        """(E, C) log scores of rows by nodes' classifiers, and how many the class prior answered.

        ids: (n, a) of the rows; nodes: (S,); reached: the rows and which of the nodes answers each.
        """
        training, n_classes = self.training_, len(self.classes_)
        value_index = training.value_index
        scores, prior_answered = np.empty((len(reached), n_classes)), 0
        for block in training.table_blocks(len(nodes)):
            some = nodes[block]
            sizes = self.starts_[some + 1] - self.starts_[some]
            at = self.at_.take(ranges(self.starts_[some], sizes))
            group = np.repeat(np.arange(len(some)), sizes)
            counts = count(
                value_index, training.ids[at.row], training.y[at.row], n_classes, group, len(some), at.weight
            )
            tables = log_tables(counts, training.estimate)
            if not self.rules_.keep_path:
                tables = tables.restrict(~self.tree_.on_path(some, len(value_index.arity))[:, value_index.attribute_of])
            here = np.flatnonzero((reached.node >= block.start) & (reached.node < block.stop))
            stack = reached.node[here] - block.start
            part = log_scores(ids, tables, reached.row[here], stack)
            prior_answered += fall_back_to_prior(part, tables.prior[stack])
            scores[here] = part
        return scores, prior_answered

    def _leaf_text(self, leaf: int) -> str:
        """The weight of the classifier's training rows."""
        return f"naive Bayes ({weight_text(self.tree_.weight[leaf])})"


def _mixed(scores: Floats, reached: Entries, n: int) -> Floats:
    """(n, C) logs of the weighted means of rows' probabilities at the nodes they reach. scores: (E, C) of each there.

    A row that reaches one node keeps its scores.
    """
    logs = normalized(scores) + np.log(reached.weight)[:, None]
    highest = np.full((n, scores.shape[1]), -np.inf)
    np.maximum.at(highest, reached.row, logs)
    finite = np.where(np.isneginf(highest), 0.0, highest)
    member = csr_matrix((np.ones(len(reached)), (reached.row, np.arange(len(reached)))), shape=(n, len(reached)))
    with np.errstate(divide="ignore"):
        mixed = finite + np.log(member @ np.exp(logs - finite[reached.row]))
    alone = np.flatnonzero(np.bincount(reached.row, minlength=n)[reached.row] == 1)
    mixed[reached.row[alone]] = scores[alone]
    return np.asarray(mixed)


class FoldedTreeLearner(BayesTreeLearner):
    """A tree whose classifiers are validated by inner k-fold cross-validation, drawn again at every node and branch."""

    folds: int
    inner: str

    def _fit(self, rows: Rows, y: Ints) -> None:
        self._generator = np.random.default_rng(SHUFFLE_SEED)
        super()._fit(rows, y)

    def _order(self, y: Ints) -> Ints:
        rows = np.arange(len(y))
        if self.inner in ("shuffled", "weka"):
            self._generator.shuffle(rows)
        return rows[class_order(y[rows])] if self.inner in ("deal", "shuffled") else rows

    def _validation(self) -> FoldValidation:
        return FoldValidation(self.folds, contiguous=self.inner in ("contiguous", "weka"))

    def _branch_validation(self) -> FoldValidation | None:
        return StratifiedFolds(self.folds, generator=self._generator) if self.inner == "weka" else None
