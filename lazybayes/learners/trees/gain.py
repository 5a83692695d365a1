"""C4.5's choice of a split: the best gain ratio among splits of at least average gain (Quinlan 1993, 2.2; 1996).

The gain of a split of a node of weight n is what it takes from the class entropy of the rows of known value, divided by
n. Its split information counts the rows of missing value as one branch more. A numeric attribute's gain pays
log2(cuts tried) / n for the choice of its cut.

As in Weka's J48, gains and ratios within 1e-6 are equal. Of equal splits the first wins, of equal cuts the lowest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.counts.tables import BLOCK, TABLES, ValueIndex
from lazybayes.learners.trees.cuts import Ordered
from lazybayes.learners.trees.entropy import EntropyTerms, NodeValuePairs, pairs_of
from lazybayes.learners.trees.growth import Level, Splits
from lazybayes.learners.trees.tree import NEAR

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SLACK = 1e-3
"""How far below the average gain a split may be."""

MANY = 0.3
"""A nominal attribute with this share of the training rows as values is left out of the average gain."""


@dataclass(frozen=True)
class Candidates:
    """A level's possible splits, one row per attribute.

    gain, information: (a, G), in bits a training row; valid: (a, G) whether it is a split at all; cut: (a, G) midway
    between two values of a numeric attribute.
    """

    gain: Floats
    information: Floats
    valid: Bools
    cut: Floats


class GainRatio:
    """C4.5's splitter.

    rows, y: the training rows, (n,), and their classes; min_rows: what two branches must at least have.
    """

    def __init__(self, rows: Rows, y: Ints, n_classes: int, min_rows: float) -> None:
        self.y, self.min_rows, self.terms = y, min_rows, EntropyTerms(len(y))
        is_numeric = np.array([labels is None for labels in rows.labels], dtype=bool)
        nominal, numeric = np.flatnonzero(~is_numeric), np.flatnonzero(is_numeric)
        self.value_index = ValueIndex(rows.arity)
        self.ids, self.complete = self.value_index.ids(rows.nominal).astype(np.int64), bool((rows.nominal >= 0).all())
        self.per_attribute = (np.arange(len(nominal))[:, None] == self.value_index.attribute_of).astype(
            np.float64
        )  # (p, V)
        step = max(1, 4 * BLOCK // len(y))
        self.bands = [slice(s, s + step) for s in range(0, len(numeric), step)]
        self.ordered = [Ordered(rows.numeric[:, band], n_classes) for band in self.bands]
        self.place = np.argsort(np.concatenate([nominal, numeric]))  # in the file -> among nominal, then numeric ones
        self.numeric = numeric
        few = np.concatenate([rows.arity < MANY * len(y), np.ones(len(numeric), dtype=bool)])[self.place]
        self.averaged = few if few.any() else ~few

    def __call__(self, level: Level) -> Splits:
        """The split of each node; a leaf where it has too few rows, or one class, or no split is of use."""
        splits = Splits(np.full(len(level), -1), np.full(len(level), np.nan))
        weight, most = level.classes.sum(axis=1), level.classes.max(axis=1)
        active = np.flatnonzero((weight > 2 * self.min_rows - NEAR) & (weight - most > NEAR))
        if not len(active) or not len(self.averaged):
            return splits
        level = level.only(active)
        for ordered in self.ordered:
            ordered.narrow(level)
        for part, nodes in level.parts(weight[active] * (self.value_index.n_values + 1), TABLES):
            attribute, cut = self._choose(self._candidates(nodes))
            splits.attribute[active[part]], splits.threshold[active[part]] = attribute, cut
        for band, ordered in zip(self.bands, self.ordered, strict=True):
            for j, attribute in enumerate(self.numeric[band]):
                here = np.flatnonzero(splits.attribute == attribute)
                splits.threshold[here] = ordered.settle(j, splits.threshold[here])
        return splits

    def _choose(self, candidates: Candidates) -> tuple[Ints, Floats]:
        """(G,) the chosen attribute, -1 for none, and its cut."""
        averaged = candidates.valid & self.averaged[:, None]
        n = averaged.sum(axis=0)
        total = np.where(averaged, candidates.gain, 0.0).sum(axis=0)
        average = np.divide(total, n, out=np.full(len(n), np.inf), where=n > 0)
        able = candidates.valid & (candidates.gain >= average - SLACK)
        ratio = np.divide(candidates.gain, candidates.information, out=np.zeros_like(candidates.gain), where=able)
        best = ratio.max(axis=0)
        chosen = np.argmax(ratio > best - NEAR, axis=0)
        return np.where(best > NEAR, chosen, -1), candidates.cut[chosen, np.arange(len(chosen))]

    def _candidates(self, level: Level) -> Candidates:
        """The splits on every attribute, in file order."""
        pairs = pairs_of(level, self.y)
        parts = [self._nominal(level, pairs)] if len(self.value_index.arity) else []
        parts += [self._numeric(level, pairs, ordered) for ordered in self.ordered]
        if len(parts) == 1:
            return parts[0]
        names = ("gain", "information", "valid", "cut")
        return Candidates(*(np.concatenate([getattr(part, name) for part in parts])[self.place] for name in names))

    def _nominal(self, level: Level, pairs: NodeValuePairs) -> Candidates:
        """The splits on nominal attributes, from one table of values x (node and class)."""
        slots = np.take(self.ids, level.row, axis=0)
        slots *= len(pairs)
        slots += pairs.of[:, None]
        whole = level.weight.dtype.kind == "i"
        weight = None if whole else np.repeat(level.weight, slots.shape[1])
        table = np.bincount(slots.ravel(), weight, minlength=(self.value_index.n_values + 1) * len(pairs))
        counts = table.reshape(-1, len(pairs))[:-1]
        known = pairs.weight if self.complete else self.per_attribute @ counts
        of_value, of_known, total = pairs.per_node(counts), pairs.per_node(known), pairs.per_node(pairs.weight)
        terms_of_value = self.terms(of_value)
        before = self.terms(of_known) - pairs.per_node(self.terms(known))
        after = self.per_attribute @ (terms_of_value - pairs.per_node(self.terms(counts)))
        missing = self.terms(total) - self.terms(total - of_known)
        gain = (before - after) / total
        information = (missing - self.per_attribute @ terms_of_value) / total
        large = self.per_attribute @ (of_value > self.min_rows - NEAR).astype(np.float64)
        return Candidates(gain, information, large >= 2, np.broadcast_to(np.nan, gain.shape))

    def _numeric(self, level: Level, pairs: NodeValuePairs, ordered: Ordered) -> Candidates:
        """The splits on numeric attributes."""
        best = ordered.best(level, pairs, self.terms, self.min_rows)
        shape, at = (ordered.n_attributes, len(level)), (best.attribute, best.node)
        candidates = Candidates(np.zeros(shape), np.ones(shape), np.zeros(shape, dtype=bool), np.full(shape, np.nan))
        total = level.classes.sum(axis=1)[best.node]
        sides = self.terms(best.below) + self.terms(best.above)
        missing = self.terms(total) - self.terms(total - best.below - best.above)
        gain = best.gain - np.log2(best.tried) / total
        candidates.gain[at], candidates.information[at], candidates.cut[at] = gain, (missing - sides) / total, best.cut
        candidates.valid[at] = (best.gain > NEAR) & (gain > NEAR)
        return candidates
