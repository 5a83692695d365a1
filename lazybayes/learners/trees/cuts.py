"""Where to cut numeric attributes: all cuts of all of a level's nodes in a few passes over their rows in value order.

Moving the cut above one more row of class c changes two of the terms that make up the entropy of the sides, that of c
below and that of c above. So running sums of these changes give the entropy of every cut, whatever the number of classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.groups import by_group, ranges, running, totals
from lazybayes.learners.trees.entropy import NEAR, Pairs, Terms
from lazybayes.learners.trees.growth import Level

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

APART = 1e-5
"""Numbers closer than this are one value."""

LEAST_SHARE, LEAST = 0.1, 25.0
"""Each side of a cut holds at least this share of the mean class's rows, but needs no more than so many."""


@dataclass(frozen=True)
class Cuts:
    """The best cut of nodes' numeric attributes, an entry for each that has one.

    node, attribute: which; gain: the gain without its price; tried: how many cuts there were; below, above: the weight on
    each side; cut: midway between the values on each side.
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

    attribute, row, value: (K,).
    """

    def __init__(self, cells: Floats, n_classes: int) -> None:
        order = np.argsort(cells, axis=0, kind="stable").T  # missing cells, NaN, come last
        known = np.arange(len(cells)) < np.sum(~np.isnan(cells), axis=0)[:, None]
        self.n_attributes, self.n_classes = cells.shape[1], n_classes
        self.attribute, self.row = np.nonzero(known)[0], order[known]
        self.value = cells[self.row, self.attribute]
        self.n_rows = len(cells)

    def best(self, level: Level, pairs: Pairs, terms: Terms, min_rows: float) -> Cuts:
        """The best cut of each attribute at each node of a level: the lowest of those with the most gain."""
        n_nodes, n_attributes, n_pairs = len(level), self.n_attributes, len(pairs)
        copies = np.bincount(level.row, minlength=self.n_rows)
        times = copies[self.row]
        cell = np.repeat(np.arange(len(self.row)), times)
        entry = ranges((np.cumsum(copies) - copies)[self.row], times)
        order, starts = by_group(self.attribute[cell] * n_nodes + level.at[entry], n_attributes * n_nodes)
        cell, entry = cell[order], entry[order]
        attribute, value, weight = self.attribute[cell], self.value[cell], level.weight[entry]
        segment = attribute * n_nodes + level.at[entry]

        # What the row's class weighs below the cut above the row, and what it weighs above.
        of_class, class_starts = by_group(attribute * n_pairs + pairs.of[entry], n_attributes * n_pairs)
        run = running(weight[of_class], class_starts)
        below, above = np.empty_like(run), np.empty_like(run)
        below[of_class], above[of_class] = run, totals(run, class_starts) - run
        terms_below = running(terms(below) - terms(below - weight), starts)
        terms_lost = running(terms(above + weight) - terms(above), starts)
        terms_all = totals(terms_lost, starts)
        size_below = running(weight, starts)
        size = totals(size_below, starts)

        least = np.clip(LEAST_SHARE / self.n_classes * size, min_rows, max(min_rows, LEAST)) - NEAR
        able = (size_below >= least) & (size - size_below >= least)
        able[:-1] &= (segment[1:] == segment[:-1]) & (value[1:] > value[:-1] + APART)
        at = np.flatnonzero(able[:-1])
        segment, lower, upper = segment[at], size_below[at], (size - size_below)[at]
        before = terms(size[at]) - terms_all[at]
        after = terms(lower) + terms(upper) - terms_below[at] - (terms_all - terms_lost)[at]
        gain = (before - after) / level.classes.sum(axis=1)[segment % n_nodes]

        runs = np.flatnonzero(np.diff(segment, prepend=-1))
        tried = np.diff(runs, append=len(segment))
        most = np.maximum.reduceat(gain, runs) if len(runs) else gain
        near = np.flatnonzero(gain > np.repeat(most, tried) - NEAR)
        first = near[np.flatnonzero(np.diff(segment[near], prepend=-1))]
        cut = self.value[cell[at[first]]] / 2 + self.value[cell[at[first] + 1]] / 2
        return Cuts(
            segment[first] % n_nodes,
            segment[first] // n_nodes,
            gain[first],
            tried,
            lower[first],
            upper[first],
            cut,
        )

    def settle(self, attribute: int, cut: Floats) -> Floats:
        """Each cut moved down to the largest value of all training rows that is not above it."""
        values = self.value[self.attribute == attribute]
        return values[np.searchsorted(values, cut + NEAR) - 1]
