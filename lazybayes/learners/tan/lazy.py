"""Semi-lazy TAN and the two totally lazy TANs (Wang, Webb & Zheng 2003, sections 3.3 and 3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.counts.pairs import given_value
from lazybayes.counts.scores import add_up, fall_back_to_prior, log_tables
from lazybayes.counts.tables import blocks
from lazybayes.counts.training import TrainingRows
from lazybayes.learners.parameters import OneOf, Parameters
from lazybayes.learners.tan.structure import DECIMALS, ancestors, directed, ranks, spanning_trees
from lazybayes.learners.tan.tree import FRIEDMAN, AttributeTree, TreeAugmentedNaiveBayes
from lazybayes.learners.tan.weights import value_information
from lazybayes.messages import plural

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


class SemiLazyTan(TreeAugmentedNaiveBayes):
    """Semi-lazy TAN: TAN's tree, and for each row to be classified other parents in it.

    An attribute's parent is replaced by the ancestor whose value has the highest conditional mutual information with
    the attribute's own value in that row (eq. 10, 11). If the tree is a single chain, naive Bayes with the same
    estimate answers.

    Readings taken where the paper is open: eq. 11 from raw frequencies over the rows that know both attributes,
    rounded to 12 decimals; on a tie the nearest ancestor; an ancestor missing in the row is not a candidate. It keeps a
    number for each class and pair of values.

    Parameters
    ----------
    edge_score, estimate, direction, weight
        As for TAN.
    value_weight : str, default "printed"
        Of eq. 11: ``printed``, P(u, v | c), or ``joint``, P(u, v, c).
    chain : str, default "directed"
        What a single chain is: ``directed``, no attribute has two children; ``undirected``, none has three neighbours.

    References
    ----------
    Wang, Z., Webb, G. I. and Zheng, F. (2003). Adjusting dependence relations for semi-lazy TAN classifiers. AI 2003,
    453-465.
    """

    parameters: ClassVar[Parameters] = {
        **TreeAugmentedNaiveBayes.parameters,
        "value_weight": OneOf(("printed", "joint")),
        "chain": OneOf(("directed", "undirected")),
    }
    diagnostics: ClassVar[Mapping[str, str]] = {
        **TreeAugmentedNaiveBayes.diagnostics,
        "chain": "1 if the tree is a single chain, so that naive Bayes answers",
        "adjusted": "share of the known cells with a parent whose parent was replaced",
    }
    missing = (
        "a missing cell is not counted in training and skipped in classifying; an attribute without a known "
        "ancestor is scored by P(value | class)"
    )
    paper = "Wang, Webb & Zheng 2003, section 3.3, eq. 10-11"

    def __init__(
        self,
        edge_score: str = "cmi",
        estimate: Any = None,
        direction: str = "paper",
        weight: str = "joint",
        value_weight: str = "printed",
        chain: str = "directed",
    ) -> None:
        super().__init__(edge_score, estimate, direction, weight)
        self.value_weight = value_weight
        self.chain = chain

    def _fit_tree(self) -> None:
        self.is_chain_ = self._is_chain()
        self.class_log_prior_ = log_tables(self.training_.counts, self.training_.estimate).prior
        self.given_value_ = given_value(self.training_)
        self.value_information_ = np.round(value_information(self.training_, self.value_weight)[0], DECIMALS)

    def _is_chain(self) -> bool:
        child = np.flatnonzero(self.parents_ >= 0)
        n_children = np.bincount(self.parents_[child], minlength=len(self.parents_))
        if self.chain == "directed":
            return bool((n_children <= 1).all())
        return bool((n_children + (self.parents_ >= 0) <= 2).all())

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        ids = self.training_.value_index.ids(rows.nominal)
        parents = np.full(ids.shape, self.training_.value_index.n_values)
        adjusted = with_parent = 0
        for attribute, line in enumerate([] if self.is_chain_ else ancestors(self.parents_)):
            if not line:
                continue
            known = np.flatnonzero(ids[:, attribute] < self.training_.value_index.n_values)
            candidates = ids[known][:, line]
            there = candidates < self.training_.value_index.n_values
            value = ids[known, attribute][:, None]
            worth = np.where(there, self.value_information_[np.where(there, candidates, 0), value], -np.inf)
            nearest = worth.argmax(axis=1)
            parents[known, attribute] = candidates[np.arange(len(known)), nearest]
            adjusted += int((nearest > 0).sum())
            with_parent += len(known)
        scores = score_given_parents(ids, parents, self.given_value_, self.class_log_prior_)
        diagnostics = self._diagnostics(float(fall_back_to_prior(scores, self.class_log_prior_)))
        return scores, {**diagnostics, "chain": float(self.is_chain_), "adjusted": adjusted / max(1, with_parent)}

    def describe(self) -> str:
        """What was learnt: the arcs of the tree in which each row looks for its parents."""
        chain = "\nThe tree is a single chain, so naive Bayes answers." if self.is_chain_ else ""
        return super().describe() + chain


class LazyTan(AttributeTree):
    """Totally lazy TAN: a tree of its own for each row to be classified, over the attributes that the row knows.

    Edges are weighted by the conditional mutual information of the row's two values (eq. 11); they are chosen and
    directed as TAN's, negative weights like any other; the estimate is TAN's, ``friedman`` with N0 = 5. It keeps a
    number for each class and pair of values (two with the form ``given-class``).

    Parameters
    ----------
    form : str, default "all-classes"
        ``all-classes``: one tree, by the sum of eq. 11 over the classes; ``given-class``: a tree for each class, by the
        class's own term of the sum, and each class is scored by its own tree.
    value_weight : str, default "printed"
        Of eq. 11: ``printed``, P(u, v | c), or ``joint``, P(u, v, c).

    References
    ----------
    Wang, Z., Webb, G. I. and Zheng, F. (2003). Adjusting dependence relations for semi-lazy TAN classifiers. AI 2003,
    453-465.
    """

    parameters: ClassVar[Parameters] = {
        "form": OneOf(("all-classes", "given-class")),
        "value_weight": OneOf(("printed", "joint")),
    }
    diagnostics: ClassVar[Mapping[str, str]] = {
        "edges": "mean number of edges in a row's tree",
        "prior_answered": "rows for which every class had probability 0, answered by the class prior",
    }
    paper = "Wang, Webb & Zheng 2003, section 3.4, eq. 11"

    def __init__(self, form: str = "all-classes", value_weight: str = "printed") -> None:
        self.form = form
        self.value_weight = value_weight

    def _fit(self, rows: Rows, y: Ints) -> None:
        self.training_ = TrainingRows.of(rows, y, self._class_names(), FRIEDMAN)
        self.class_log_prior_ = log_tables(self.training_.counts, self.training_.estimate).prior
        self.given_value_ = given_value(self.training_)
        self.ranks_ = ranks(value_information(self.training_, self.value_weight, by_class=self.form == "given-class"))

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        ids = self.training_.value_index.ids(rows.nominal)
        scores = np.empty((len(ids), len(self.classes_)))
        for block in blocks(len(ids), max(1, ids.shape[1]) ** 2):
            for c, rank in enumerate(self.ranks_):
                parents = self._parents(ids[block], rank)
                by_tree = score_given_parents(ids[block], parents, self.given_value_, self.class_log_prior_)
                if self.form == "given-class":
                    scores[block, c] = by_tree[:, c]
                else:
                    scores[block] = by_tree
        known = (ids < self.training_.value_index.n_values).sum(axis=1)
        edges = float(np.maximum(known - 1, 0).sum() / max(1, len(ids)))
        return scores, {"edges": edges, "prior_answered": float(fall_back_to_prior(scores, self.class_log_prior_))}

    def _parents(self, ids: Ints, rank: Ints) -> Ints:
        """(m, a) the value id of each attribute's parent in the row's own tree, V = none. rank: (V, V) of edges."""
        known = ids < self.training_.value_index.n_values
        value = np.where(known, ids, 0)
        edges = spanning_trees(rank[value[:, :, None], value[:, None, :]], known)
        tree = directed(edges, ids.shape[1])
        parents = np.take_along_axis(ids, np.maximum(tree, 0), axis=1) if ids.shape[1] else ids
        return np.where(tree < 0, self.training_.value_index.n_values, parents)

    def describe(self) -> str:
        """What was learnt: tables only; the trees are the rows'."""
        rows, attributes = (
            plural(len(self.training_), "training row"),
            plural(len(self.training_.value_index.arity), "attribute"),
        )
        return f"{rows} of {attributes}; each row builds its own tree"


def score_given_parents(ids: Ints, parents: Ints, given: Floats, prior: Floats) -> Floats:
    """(m, C) log scores of rows whose attributes have parents of their own.

    ids: (m, a) value ids; parents: (m, a) the value id of each attribute's parent, V = none; given: see
    `given_value`.
    """
    width = len(given)
    return add_up(parents * width + ids, given.reshape(width * width, -1), prior)
