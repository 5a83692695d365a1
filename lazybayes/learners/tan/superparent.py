"""SuperParent TAN: arcs added by leave-one-out accuracy (Keogh & Pazzani 1999).

Each attribute's term of a leave-one-out score depends on its parent alone, and one pair table gives it for every pair.
So a candidate network is a sum of terms, never a refit: what a superparent adds to the sum is kept for each attribute,
and an arc that is added takes one term out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.arcs import Arcs
from lazybayes.counts.codes import Rows
from lazybayes.counts.pairs import leave_one_out_given_value
from lazybayes.counts.scores import fall_back_to_prior, log_scores
from lazybayes.counts.tables import blocks
from lazybayes.counts.terms import Terms, add, leave_one_out_terms, leave_one_out_wrong, prior_terms, stack
from lazybayes.counts.training import TrainingRows
from lazybayes.learners.parameters import EstimateOf, Parameters
from lazybayes.learners.tan.tree import FRIEDMAN, AttributeTree
from lazybayes.messages import plural

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Arc:
    """An arc that was added, and the leave-one-out errors afterwards."""

    parent: int
    child: int
    errors: int


class SuperParentSearch:
    """The state of the search; a score is a sum of leave-one-out terms, one an attribute.

    training: in class order.
    """

    def __init__(self, training: TrainingRows) -> None:
        self.ids = np.ascontiguousarray(training.ids.T)
        self.starts, self.n_values = training.starts, training.value_index.n_values
        self.tables = leave_one_out_given_value(training)
        self.attributes = list(range(len(self.ids)))
        self.parents = np.full(len(self.ids), -1)
        self.root = np.arange(len(self.ids))
        self.prior = prior_terms(self.starts, self.tables)
        self.alone = [self._terms(np.array([j]), np.array([-1]))[:, 0] for j in self.attributes]
        self.now = list(self.alone)
        # What each attribute as the parent of all orphans but itself would add to the sum.
        naive = self._total()
        self.adopted = [self._adopted(s, naive - self.prior) for s in self.attributes]
        self.errors = self._count(naive[:, None])[0]

    def run(self) -> Iterator[Arc]:
        """Adds the arc from the best superparent to its favourite child as long as that saves an error."""
        while candidates := [s for s in self.attributes if self._orphans(s)]:
            total = self._total()
            errors: list[int] = []
            for block in blocks(len(candidates), self.prior.logs.size):
                errors += self._count(total[:, None] + stack([self._adoption(s) for s in candidates[block]]))
            best = candidates[int(np.argmin(errors))]
            orphans = self._orphans(best)
            errors = []
            for block in blocks(len(orphans), self.prior.logs.size):
                errors += self._count(total[:, None] + self._changes(best, orphans[block]))
            if min(errors) >= self.errors:
                return
            self.errors = min(errors)
            child = orphans[int(np.argmin(errors))]
            self._add(best, child)
            yield Arc(best, child, self.errors)

    def _orphans(self, s: int) -> list[int]:
        """Whom s could be a parent of: the orphans but itself and its ancestors, of whom only the root is an orphan."""
        return [j for j in np.flatnonzero(self.parents < 0).tolist() if j not in (s, self.root[s])]

    def _total(self) -> Terms:
        return add(self.now, self.prior)

    def _count(self, candidates: Terms) -> list[int]:
        wrong: list[int] = leave_one_out_wrong(candidates, self.prior, self.starts).sum(axis=-1).tolist()
        return wrong

    def _adopted(self, s: int, alone: Terms) -> Terms:
        """(C, n) what s as the parent of all others adds to the sum. alone: (C, n) the sum of terms without parents."""
        others = np.array([j for j in self.attributes if j != s], dtype=np.int64)
        parts = [others[part] for part in blocks(len(others), self.prior.logs.size)]
        return add((self._terms(part, np.full(len(part), s)).sum(axis=1) for part in parts), self.alone[s] - alone)

    def _adoption(self, s: int) -> Terms:
        """(C, n) what s adds to the sum as the parent of all its orphans."""
        root = int(self.root[s])
        return self.adopted[s] if root == s else self.adopted[s] - self._changes(s, [root])[:, 0]

    def _changes(self, s: int, orphans: list[int]) -> Terms:
        """(C, P, n) what s as the parent of one orphan adds to the sum."""
        return self._terms(np.array(orphans, dtype=np.int64), np.full(len(orphans), s)) - stack(
            [self.alone[j] for j in orphans]
        )

    def _terms(self, attributes: Ints, parents: Ints) -> Terms:
        """(C, P, n) terms of attributes with these parents, -1 = none."""
        parent = np.where(parents[:, None] < 0, self.n_values, self.ids[parents])
        return leave_one_out_terms(parent * (self.n_values + 1) + self.ids[attributes], self.starts, self.tables)

    def _add(self, parent: int, child: int) -> None:
        self.now[child] = self._terms(np.array([child]), np.array([parent]))[:, 0]
        self.parents[child] = parent
        self.root[self.root == child] = self.root[parent]
        for s in self.attributes:
            if s != child:
                self.adopted[s] = self.adopted[s] - self._changes(s, [child])[:, 0]


class SuperParentTan(AttributeTree):
    """SuperParent TAN: naive Bayes with arcs between attributes that each raise the leave-one-out accuracy.

    A step looks for a superparent, the attribute that does best as the parent of all attributes without one, and then
    for its favourite child, the one attribute it does best as the parent of; that arc is added if accuracy rises.
    The search ends when no arc does or the tree is full.

    Readings where the papers are ambiguous: an attribute is not a parent of itself or its ancestors; the best
    superparent is used even when it does not beat the current network; the lowest index wins ties; an attribute whose
    parent is missing in the row is scored by P(v | c). No candidate is refitted: leave-one-out is a sum of terms from
    one pair table.

    Parameters
    ----------
    estimate : str or mapping, default "friedman"
        How counts become P(v | c, u): see `lazybayes.counts.estimates`.

    References
    ----------
    Keogh, E. J. and Pazzani, M. J. (1999). Learning augmented Bayesian classifiers. AI & Statistics 1999, 225-230.
    Wang, Z., Webb, G. I. and Zheng, F. (2003). Adjusting dependence relations for semi-lazy TAN classifiers. AI 2003,
    453-465.
    """

    parameters: ClassVar[Parameters] = {"estimate": EstimateOf()}
    diagnostics: ClassVar[Mapping[str, str]] = {
        "arcs": "arcs added between attributes",
        "prior_answered": "rows for which every class had probability 0, answered by the class prior",
    }
    missing = (
        "a missing cell is not counted in training and skipped in classifying; an attribute whose parent is missing "
        "is scored by P(value | class)"
    )
    paper = "Keogh & Pazzani 1999, as described in Wang, Webb & Zheng 2003, section 2.3"

    def __init__(self, estimate: Any = FRIEDMAN) -> None:
        self.estimate = estimate

    def _fit(self, rows: Rows, y: Ints) -> None:
        self.training_ = TrainingRows.of(rows, y, self._class_names(), self.estimate)
        search = SuperParentSearch(self.training_)
        self.start_errors_ = search.errors
        self.steps_ = tuple(search.run())
        self.parents_ = search.parents
        self.arcs_ = Arcs(self.training_.value_index, self.parents_)
        self.log_tables_ = self.arcs_.log_tables(self.training_)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        scores = log_scores(self.arcs_.places(self.training_.value_index.ids(rows.nominal)), self.log_tables_)
        prior_answered = float(fall_back_to_prior(scores, self.log_tables_.prior))
        return scores, {"arcs": float(len(self.steps_)), "prior_answered": prior_answered}

    def describe(self) -> str:
        """The learned arcs in the order they were added, with the leave-one-out errors after each."""
        name = self.names_
        lines = [
            f"Leave-one-out errors on {plural(len(self.training_), 'training row')} without arcs: {self.start_errors_}"
        ]
        lines += [f"  {name[arc.parent]} -> {name[arc.child]}: {arc.errors}" for arc in self.steps_]
        return "\n".join(lines)
