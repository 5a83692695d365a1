"""HOCP: higher-order conditional probabilities over a TAN's tree (Wang, Webb & Zheng 2003, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.counts.scores import fall_back_to_prior, log_tables
from lazybayes.learners.tan.structure import ancestors
from lazybayes.learners.tan.tree import TreeAugmentedNaiveBayes

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Condition:
    """Rows grouped by their values of some ancestors.

    query: (m,) positions of the rows to be classified, key: (m,) the group of each, of `n_keys`; rows, row_key: the
    same of the training rows that are in one of these groups.
    """

    query: Ints
    key: Ints
    rows: Ints
    row_key: Ints
    n_keys: int

    def refine(self, query_value: Ints, row_value: Ints, arity: int) -> Condition:
        """The groups split by one more attribute.

        query_value, row_value: its codes; rows to be classified all know it, training rows that do not are left out.
        """
        distinct, key = np.unique(self.key * arity + query_value, return_inverse=True)
        of_row = self.row_key * arity + row_value
        row_key = np.minimum(np.searchsorted(distinct, of_row), len(distinct) - 1)
        match = (row_value >= 0) & (distinct[row_key] == of_row)
        return Condition(self.query, key, self.rows[match], row_key[match], len(distinct))


class HigherOrderTan(TreeAugmentedNaiveBayes):
    """HOCP: as TAN, but each attribute is conditioned on all its ancestors in the tree (eq. 9), not its parent alone.

    An ancestor that is missing in the row is dropped from the condition. The paper shows that this overfits: better
    than TAN on the training rows, worse by cross-validation.

    Parameters
    ----------
    edge_score, estimate, direction, weight
        As for TAN; N of the ``friedman`` estimate counts the rows that match all the ancestors.

    References
    ----------
    Wang, Z., Webb, G. I. and Zheng, F. (2003). Adjusting dependence relations for semi-lazy TAN classifiers. AI 2003,
    453-465.
    """

    diagnostics: ClassVar[Mapping[str, str]] = {
        **TreeAugmentedNaiveBayes.diagnostics,
        "ancestors": "mean number of ancestors of an attribute",
    }
    missing = (
        "a missing cell is not counted in training and skipped in classifying; an ancestor missing in the row is "
        "dropped from the condition"
    )
    paper = "Wang, Webb & Zheng 2003, section 3.2, eq. 9"

    def _fit_tree(self) -> None:
        self.log_tables_ = log_tables(self.training_.counts, self.training_.estimate)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        ids = self.training_.value_index.ids(rows.nominal)
        scores = np.tile(self.log_tables_.prior, (len(ids), 1))
        for attribute, condition in self._conditions(ids):
            scores[condition.query] += self._log_factors(attribute, condition, ids)
        diagnostics = self._diagnostics(float(fall_back_to_prior(scores, self.log_tables_.prior)))
        mean = sum(map(len, ancestors(self.parents_))) / max(1, len(self.parents_))
        return scores, {**diagnostics, "ancestors": mean}

    def _conditions(self, ids: Ints) -> Iterator[tuple[int, Condition]]:
        """Each attribute with rows that know it, in the groups their known ancestors make; from the roots down."""
        everyone, rows = np.arange(len(ids)), np.arange(len(self.training_.ids))
        start = Condition(everyone, np.zeros(len(ids), dtype=np.int64), rows, np.zeros(len(rows), dtype=np.int64), 1)
        waiting = [(int(root), start) for root in np.flatnonzero(self.parents_ < 0)]
        while waiting:
            attribute, above = waiting.pop()
            value = self.training_.value_index.codes(ids, attribute)[above.query]
            known, children = value >= 0, np.flatnonzero(self.parents_ == attribute).tolist()
            for part in (known, ~known):
                if not part.any():
                    continue
                here = Condition(above.query[part], above.key[part], above.rows, above.row_key, above.n_keys)
                if part is known:
                    yield attribute, here
                    row_value = self.training_.value_index.codes(self.training_.ids, attribute)[here.rows]
                    if children:
                        here = here.refine(value[part], row_value, int(self.training_.value_index.arity[attribute]))
                waiting += [(child, here) for child in children]

    def _log_factors(self, attribute: int, condition: Condition, ids: Ints) -> Floats:
        """(m, C) ln P(v given class and group) of the condition's rows to be classified."""
        n_classes, k = len(self.classes_), int(self.training_.value_index.arity[attribute])
        value = self.training_.value_index.codes(ids, attribute)[condition.query]
        row_value = self.training_.value_index.codes(self.training_.ids, attribute)[condition.rows]
        each = condition.refine(value, row_value, k)
        first = np.zeros(each.n_keys, dtype=np.int64)
        first[each.key] = np.arange(len(each.key))  # any row to be classified of each group and value

        def table(key: Ints, rows: Ints, n_keys: int) -> Floats:
            slot = key * n_classes + self.training_.y[rows]
            return np.bincount(slot, minlength=n_keys * n_classes).reshape(n_keys, n_classes).T.astype(np.float64)

        n = table(each.row_key, each.rows, each.n_keys)
        knows = row_value >= 0
        known = table(condition.row_key[knows], condition.rows[knows], condition.n_keys)[:, condition.key[first]]
        of_value = self.training_.counts.values[
            :, self.training_.value_index.offsets[attribute] : self.training_.value_index.offsets[attribute] + k
        ].sum(axis=0)
        with np.errstate(divide="ignore"):
            logs = np.log(
                self.training_.estimate.conditional(
                    n, known, of_value[value[first]], of_value.sum(), np.array(float(k))
                )
            )
        return logs.T[each.key]
