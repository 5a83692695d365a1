"""How trees grow: level by level, so that a splitter can look at all nodes of a level in one pass over their rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.counts.groups import by_group
from lazybayes.learners.trees.tree import Entries, Tree, Weights, all_rows, stack

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Level:
    """Some nodes of one level and their training rows.

    classes: (G, C) training weight of each class; used: (G, a) which attributes the way to the node has split on; row,
    at, weight: (E,) the rows, in training order, the node of each, 0 to G - 1, and their weights.
    """

    classes: Floats
    used: Bools
    row: Ints
    at: Ints
    weight: Weights

    def __len__(self) -> int:
        return len(self.classes)

    def only(self, chosen: Ints) -> Level:
        """Some of the nodes. chosen: which of them, ascending."""
        if len(chosen) == len(self):
            return self
        number = np.full(len(self), -1)
        number[chosen] = np.arange(len(chosen))
        at = number[self.at]
        here = at >= 0
        return Level(self.classes[chosen], self.used[chosen], self.row[here], at[here], self.weight[here])

    def parts(self, cost: Floats, budget: float) -> Iterator[tuple[slice, Level]]:
        """The nodes in runs, each of one node or of a cost within the budget: (which nodes, the level of these alone).

        cost: (G,).
        """
        total = np.cumsum(cost)
        if total[-1] <= budget:
            yield slice(0, len(self)), self
            return
        order, starts = by_group(self.at, len(self))
        first = 0
        while first < len(self):
            last = max(first + 1, int(np.searchsorted(total, total[first] - cost[first] + budget, side="right")))
            some, here = slice(first, last), np.sort(order[starts[first] : starts[last]])
            at = self.at[here] - first
            yield some, Level(self.classes[some], self.used[some], self.row[here], at, self.weight[here])
            first = last


@dataclass(frozen=True)
class Splits:
    """What becomes of a level's nodes: (G,) the attribute each splits on, -1 = leaf, and where a numeric one is cut."""

    attribute: Ints
    threshold: Floats


class Splitter(Protocol):
    """Says what each node of a level splits on: this is where tree learners differ."""

    def __call__(self, level: Level) -> Splits:
        """The splits of the level's nodes."""
        ...


def grow(rows: Rows, y: Ints, n_classes: int, split: Splitter, divide: bool = True) -> tuple[Tree, list[Entries]]:
    """Grows a tree on training rows of classes y, (n,): (the tree, each level's rows).

    divide: rows whose value is missing go down every branch; else they stay at the node.
    """
    n_branches = np.array([2 if labels is None else max(1, len(labels)) for labels in rows.labels], dtype=np.int64)
    layers: list[Tree] = []
    levels = [all_rows(len(y))]
    parent, used = np.array([-1]), np.zeros((1, len(n_branches)), dtype=bool)
    while len(parent):
        entries, n_nodes = levels[-1], len(parent)
        counts = np.bincount(entries.node * n_classes + y[entries.row], entries.weight, minlength=n_nodes * n_classes)
        classes = counts.reshape(n_nodes, n_classes).astype(np.float64, copy=False)
        splits = split(Level(classes, used, entries.row, entries.node, entries.weight))
        inner = np.flatnonzero(splits.attribute >= 0)
        branches = np.zeros(n_nodes, dtype=np.int64)
        branches[inner] = n_branches[splits.attribute[inner]]
        layer = Tree(splits.attribute, splits.threshold, np.cumsum(branches) - branches, branches, parent, classes)
        layers.append(layer)
        levels.append(layer.descend(rows, entries, fitted=False, divide=divide))
        parent = np.repeat(inner, branches[inner])
        used = used[parent]
        used[np.arange(len(parent)), splits.attribute[parent]] = True
    starts = np.cumsum([0, *map(len, layers)])
    levels = [Entries(e.row, e.node + start, e.weight) for e, start in zip(levels, starts, strict=True)][:-1]
    return stack(layers), levels
