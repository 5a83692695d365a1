"""Where to cut numeric attributes: all cuts of all of a level's nodes in a few passes over their rows in value order.

Moving the cut above one more row of class c changes two of the terms that make up the entropy of the sides, that of c
below and that of c above. So sums of these changes give the entropy of every cut, whatever the number of classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.groups import by_group, ranges, sums
from lazybayes.learners.trees.entropy import EntropyTerms, NodeValuePairs
from lazybayes.learners.trees.growth import Level
from lazybayes.learners.trees.tree import NEAR

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

APART = 1e-5
"""Numbers closer than this are one value."""

LEAST_SHARE, LEAST = 0.1, 25.0
"""Each side of a cut holds at least this share of the mean class's rows, but needs no more than so many."""


@dataclass(frozen=True)
class Cuts:
    """The best cut of nodes' numeric attributes, an entry for each that has one.

    node, attribute: which; gain: the gain without its price; tried: how many cuts there were; below, above: the weight
    on each side; cut: midway between the values on each side.
    """

    node: Ints
    attribute: Ints
    gain: Floats
    tried: Ints
    below: Floats
    above: Floats
    cut: Floats


class Ordered:
    """Known cells of numeric attributes, each attribute's in value order.

    attribute, row, value: (K,) of the cells of rows that may still be split; values: each attribute's training values.
    """

    def __init__(self, cells: Floats, n_classes: int) -> None:
        order = np.argsort(cells, axis=0, kind="stable").T  # missing cells, NaN, come last
        n_known = np.sum(~np.isnan(cells), axis=0)
        known = np.arange(len(cells)) < n_known[:, None]
        self.attribute, self.row = np.nonzero(known)[0], order[known]
        self.value = cells[self.row, self.attribute]
        self.values = np.split(self.value, np.cumsum(n_known)[:-1])
        self.n_rows, self.n_attributes = cells.shape
        self.n_classes = n_classes

    def narrow(self, level: Level) -> None:
        """Keeps the cells of a level's rows: no other will be asked for any more."""
        here = np.zeros(self.n_rows, dtype=bool)
        here[level.row] = True
        kept = here[self.row]
        self.attribute, self.row, self.value = self.attribute[kept], self.row[kept], self.value[kept]

    def best(self, level: Level, pairs: NodeValuePairs, terms: EntropyTerms, min_rows: float) -> Cuts:
        """The best cut of each attribute at each node of a level: the lowest of those with the most gain."""
        n_nodes, n_pairs = len(level), len(pairs)
        copies = np.bincount(level.row, minlength=self.n_rows)
        times = copies[self.row]
        cell = np.repeat(np.arange(len(self.row)), times)
        entry = ranges((np.cumsum(copies) - copies)[self.row], times)
        attribute = self.attribute[cell]
        order, starts = by_group(attribute * n_nodes + level.at[entry], self.n_attributes * n_nodes)
        value, entry, attribute = self.value[cell[order]], entry[order], attribute[order]
        weight, segment = level.weight[entry], attribute * n_nodes + level.at[entry]

        # What the row's class weighs up to the row and after it; then all classes' terms, up to it and lost by it.
        of_class, class_starts = by_group(attribute * n_pairs + pairs.of[entry], self.n_attributes * n_pairs)
        run = sums(weight[of_class])
        sizes = np.diff(class_starts)
        before_class, after_class = np.repeat(run[class_starts[:-1]], sizes), np.repeat(run[class_starts[1:]], sizes)
        below, above = np.empty_like(weight), np.empty_like(weight)
        below[of_class], above[of_class] = run[1:] - before_class, after_class - run[1:]
        in_below = sums(terms(below) - terms(below - weight))
        out_of_above = sums(terms(above + weight) - terms(above))
        size = sums(weight)

        at = np.flatnonzero((segment[1:] == segment[:-1]) & (value[1:] > value[:-1] + APART)) + 1
        first, last = starts[segment[at]], starts[segment[at] + 1]
        lower, upper = size[at] - size[first], size[last] - size[at]
        share = LEAST_SHARE / self.n_classes * (lower + upper)
        least = np.minimum(lower, upper) > np.clip(share, min_rows, max(min_rows, LEAST)) - NEAR
        at, first, last, lower, upper = at[least], first[least], last[least], lower[least], upper[least]
        before = terms(lower + upper) - (out_of_above[last] - out_of_above[first])
        after = terms(lower) + terms(upper) - (in_below[at] - in_below[first]) - (out_of_above[last] - out_of_above[at])
        segment = segment[at]
        gain = (before - after) / level.classes.sum(axis=1)[segment % n_nodes]

        runs = np.flatnonzero(np.diff(segment, prepend=-1))
        tried = np.diff(runs, append=len(segment))
        most = np.maximum.reduceat(gain, runs) if len(runs) else gain
        near = np.flatnonzero(gain > np.repeat(most, tried) - NEAR)
        best = near[np.flatnonzero(np.diff(segment[near], prepend=-1))]
        cut = value[at[best] - 1] / 2 + value[at[best]] / 2
        return Cuts(segment[best] % n_nodes, segment[best] // n_nodes, gain[best], tried, lower[best], upper[best], cut)

    def settle(self, attribute: int, cut: Floats) -> Floats:
        """Each cut moved down to the largest value of all training rows that is not above it."""
        values = self.values[attribute]
        return np.asarray(values[np.searchsorted(values, cut + NEAR) - 1])
