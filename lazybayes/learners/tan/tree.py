"""TAN: tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt 1997; Wang, Webb & Zheng 2003)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.arcs import Arcs
from lazybayes.counts.codes import Rows
from lazybayes.counts.scores import fall_back_to_prior, log_scores
from lazybayes.counts.training import TrainingRows
from lazybayes.learners.base import Learner
from lazybayes.learners.parameters import EstimateOf, OneOf, Optional, Parameters
from lazybayes.learners.tan.structure import directed, prim_tree, ranks, rooted, spanning_trees
from lazybayes.learners.tan.weights import bayesian_gain, conditional_mutual_information
from lazybayes.messages import plural

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

FRIEDMAN = "friedman"
"""The estimate of the semi-lazy TAN paper: eq. 8 with N0 = 5 and a Laplace marginal as the prior."""


class AttributeTree(Learner):
    """A learner whose attributes form a tree, learnt from training rows, `training_`, kept in class order."""

    training_: TrainingRows

    def _arcs(self, parents: Ints) -> str:
        """The arcs of a tree as text, one per line, by parent."""
        name = self.names_
        arcs = sorted((parent, child) for child, parent in enumerate(parents.tolist()) if parent >= 0)
        return "\n".join(f"  {name[parent]} -> {name[child]}" for parent, child in arcs) or "  none"


class TreeAugmentedNaiveBayes(AttributeTree):
    """TAN: naive Bayes in which each attribute but one has another as a second parent, of a maximum spanning tree.

    P(c | row) is proportional to P(c) times the product over the known attributes of P(v | c, value of the parent).

    With `edge_score` ``cmi`` the edges are weighted by conditional mutual information and chosen by Kruskal's
    algorithm: weights rounded to 12 decimals, ties to the lowest (i, j), a full tree even where weights are 0. With
    ``bayes`` the tree is Weka's: the gain of the Bayesian score, Prim's algorithm, and Weka's own directions.

    Readings where the paper is ambiguous: the weight is P(u, v, c), the definition's; rows that miss either attribute
    of an edge are left out of its weight; two parents that would meet turn round the part of the higher attribute; a
    parent missing in the row falls back to P(v | c).

    Parameters
    ----------
    edge_score : str, default "cmi"
        ``cmi`` or ``bayes``.
    estimate : str or mapping, optional
        How counts become P(v | c, u): see `lazybayes.counts.estimates`; by default ``friedman`` with N0 = 5, and with
        the edge score ``bayes`` ``dirichlet`` with alpha = 0.5.
    direction : str, default "paper"
        ``paper``: as the score's source directs edges when they are added (for ``cmi`` from the lower attribute index
        to the higher one); ``root``: away from the first attribute.
    weight : str, default "joint"
        Of ``cmi``: ``joint``, P(u, v, c), or ``printed``, P(u, v | c), as eq. 7 of the paper is printed.

    References
    ----------
    Friedman, N., Geiger, D. and Goldszmidt, M. (1997). Bayesian network classifiers. Machine Learning 29, 131-163.
    Wang, Z., Webb, G. I. and Zheng, F. (2003). Adjusting dependence relations for semi-lazy TAN classifiers. AI 2003,
    453-465.
    """

    parameters: ClassVar[Parameters] = {
        "edge_score": OneOf(("cmi", "bayes")),
        "estimate": Optional(EstimateOf(), "friedman (with edge_score bayes: dirichlet)"),
        "direction": OneOf(("paper", "root")),
        "weight": OneOf(("joint", "printed")),
    }
    diagnostics: ClassVar[Mapping[str, str]] = {
        "edges": "edges between attributes in the tree",
        "prior_answered": "rows for which every class had probability 0, answered by the class prior",
    }
    missing = (
        "a missing cell is not counted in training and skipped in classifying; an attribute whose parent is missing "
        "is scored by P(value | class)"
    )
    paper = "Wang, Webb & Zheng 2003, sections 2.1-2.2; edge_score bayes: BayesNet's TAN in Weka 3.6"

    def __init__(
        self, edge_score: str = "cmi", estimate: Any = None, direction: str = "paper", weight: str = "joint"
    ) -> None:
        self.edge_score = edge_score
        self.estimate = estimate
        self.direction = direction
        self.weight = weight

    def _fit(self, rows: Rows, y: Ints) -> None:
        default = {"cmi": FRIEDMAN, "bayes": "dirichlet"}[self.edge_score]
        estimate = default if self.estimate is None else self.estimate
        self.training_ = TrainingRows.of(rows, y, self._class_names(), estimate)
        self.parents_ = self._tree()
        self._fit_tree()

    def _tree(self) -> Ints:
        """(a,) the parent of each attribute, -1 = none."""
        if self.edge_score == "bayes":
            parents = prim_tree(bayesian_gain(self.training_))[None]
        else:
            weights = conditional_mutual_information(self.training_, self.weight)
            parents = directed(spanning_trees(ranks(weights)[None]), len(weights))
        tree: Ints = (rooted(parents) if self.direction == "root" else parents)[0]
        return tree

    def _fit_tree(self) -> None:
        self.arcs_ = Arcs(self.training_.value_index, self.parents_)
        self.log_tables_ = self.arcs_.log_tables(self.training_)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        scores = log_scores(self.arcs_.places(self.training_.value_index.ids(rows.nominal)), self.log_tables_)
        return scores, self._diagnostics(float(fall_back_to_prior(scores, self.log_tables_.prior)))

    def _diagnostics(self, prior_answered: float) -> dict[str, float]:
        return {"edges": float((self.parents_ >= 0).sum()), "prior_answered": prior_answered}

    def describe(self) -> str:
        """The learned arcs between attributes."""
        return f"Arcs between the {plural(len(self.parents_), 'attribute')}:\n{self._arcs(self.parents_)}"
