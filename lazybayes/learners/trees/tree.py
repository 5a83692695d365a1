"""A tree over rows of nominal and numeric attributes, and rows at its nodes.

A node that splits on a nominal attribute has a branch for each declared value; one that splits on a numeric attribute
has two, at most the threshold and above it. A row whose cell is missing goes down every branch, with a part of its
weight (Quinlan 1993, section 3.2): the part of the training rows of known value that went there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.counts.groups import ranges

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Weights = NDArray[Any]

NEAR = 1e-6
"""Weights, numbers and gains this close are equal: fractions of rows do not add up exactly."""


@dataclass(frozen=True)
class Entries:
    """Rows at nodes: (E,) rows, nodes and weights.

    Rows are ascending; one is at several nodes if a cell is missing. Weights are whole, integers, or fractions, floats.
    """

    row: Ints
    node: Ints
    weight: Weights

    def __len__(self) -> int:
        return len(self.row)

    def take(self, chosen: Ints | Bools) -> Entries:
        """The entries at these positions, or where True."""
        return Entries(self.row[chosen], self.node[chosen], self.weight[chosen])


def all_rows(n: int) -> Entries:
    """Every row at the root."""
    return Entries(np.arange(n), np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.int64))


@dataclass
class Tree:
    """Nodes numbered level by level; the branches of a node have neighbouring numbers, in the order of its values.

    attribute: (N,) the attribute a node splits on, by its place in the file, -1 at a leaf; threshold: (N,) where a
    numeric one is cut, else NaN; first, branches: (N,) a node's first branch and how many it has; parent: (N,) -1 at
    the root; classes: (N, C) training weight of each class.
    """

    attribute: Ints
    threshold: Floats
    first: Ints
    branches: Ints
    parent: Ints
    classes: Floats

    def __len__(self) -> int:
        return len(self.attribute)

    @property
    def weight(self) -> Floats:
        """(N,) training weight."""
        return np.asarray(self.classes.sum(axis=1))

    @property
    def answering(self) -> Ints:
        """(N,) the node that answers for a row there: itself, or its parent if no training row came there."""
        empty = self.weight < NEAR
        empty[0] = False
        return np.where(empty, self.parent, np.arange(len(self)))

    def children(self, nodes: Ints) -> tuple[Ints, Ints]:
        """The branches of split nodes, one node's after the other's, and (S,) where each node's begin among them."""
        sizes = self.branches[nodes]
        return ranges(self.first[nodes], sizes), np.cumsum(sizes) - sizes

    def descend(self, rows: Rows, entries: Entries, fitted: bool = True, divide: bool = True) -> Entries:
        """The entries that are at split nodes, one level down.

        fitted: rows of missing value are divided as the training rows were; else as the entries themselves are.
        divide: whether rows of missing value go down at all.
        """
        at = entries.take(np.flatnonzero(self.attribute[entries.node] >= 0))
        branch = self._branch(rows, at.row, at.node)
        down = Entries(at.row, self.first[at.node] + branch, at.weight)
        missing = branch < 0
        if not missing.any():
            return down
        known = down.take(~missing)
        if not divide:
            return known
        here: Weights = self.weight
        there = here
        if not fitted:
            here = np.bincount(at.node[~missing], known.weight, len(self))
            there = np.bincount(known.node, known.weight, int((self.first + self.branches).max()))
        times = np.where(missing, self.branches[at.node], 1)
        node = ranges(np.where(missing, self.first[at.node], down.node), times)
        of = np.repeat(np.arange(len(at)), times)
        share = np.where(missing[of], there[node] / np.maximum(here[at.node[of]], NEAR), 1.0)
        return Entries(at.row[of], node, at.weight[of] * share).take(share > NEAR)

    def follow(self, rows: Rows, row: Ints, node: Ints) -> Iterator[Ints]:
        """(M,) the nodes where rows without missing cells are, a step down each time until all are at leaves."""
        yield node
        while len(inner := np.flatnonzero(self.attribute[node] >= 0)):
            node = node.copy()
            node[inner] = self.first[node[inner]] + self._branch(rows, row[inner], node[inner])
            yield node

    def _branch(self, rows: Rows, row: Ints, node: Ints) -> Ints:
        """(E,) the branch each row takes at a split node: its value's, or 0 and 1 at a threshold; -1 = missing."""
        attribute = self.attribute[node]
        if not rows.numeric.shape[1]:
            return rows.nominal[row, attribute]
        is_numeric = np.array([labels is None for labels in rows.labels])
        column = np.where(is_numeric, np.cumsum(is_numeric), np.cumsum(~is_numeric))[attribute] - 1
        numeric = is_numeric[attribute]
        nominal = ~numeric
        branch = np.empty(len(row), dtype=np.int64)
        branch[nominal] = rows.nominal[row[nominal], column[nominal]]
        x = rows.numeric[row[numeric], column[numeric]]
        branch[numeric] = np.where(np.isnan(x), -1, x > self.threshold[node[numeric]] + NEAR)
        return branch

    def leaves(self, rows: Rows, divide: bool = True) -> Entries:
        """Rows at the leaves they reach; one that reaches several has a weight at each, 1 in all.

        divide: whether rows of missing value go down every branch, or else end at the node.
        """
        parts = []
        entries = all_rows(len(rows))
        while len(entries):
            below = self.descend(rows, entries, divide=divide)
            ends = self.attribute[entries.node] < 0
            if not divide:
                ends = ~np.isin(entries.row, below.row)
            parts.append(entries.take(ends))
            entries = below
        return join([all_rows(0), *parts])

    def on_path(self, nodes: Ints, n_attributes: int) -> Bools:
        """(S, a) which attributes the way to each node splits on."""
        used = np.zeros((len(nodes), n_attributes), dtype=bool)
        above = self.parent[nodes]
        while (above >= 0).any():
            here = np.flatnonzero(above >= 0)
            used[here, self.attribute[above[here]]] = True
            above[here] = self.parent[above[here]]
        return used

    def levels(self, nodes: Ints) -> Iterator[Ints]:
        """The nodes, their branches, the branches' branches, ..."""
        while len(nodes):
            yield nodes
            nodes = self.children(nodes[self.attribute[nodes] >= 0])[0]

    @cached_property
    def depth(self) -> int:
        """The longest way from the root to a leaf."""
        return sum(1 for _ in self.levels(np.array([0]))) - 1

    def compact(self) -> Tree:
        """The same tree without the nodes that cannot be reached any more."""
        reachable = np.concatenate(list(self.levels(np.array([0]))))
        number = np.full(len(self), -1)
        number[reachable] = np.arange(len(reachable))
        leaf = self.attribute[reachable] < 0
        parent = np.full(len(reachable), -1)
        branches, starts = self.children(reachable[~leaf])
        parent[number[branches]] = np.repeat(np.flatnonzero(~leaf), self.branches[reachable[~leaf]])
        first = np.zeros(len(reachable), dtype=np.int64)
        first[~leaf] = number[branches[starts]] if len(branches) else 0
        return Tree(
            self.attribute[reachable],
            np.where(leaf, np.nan, self.threshold[reachable]),
            first,
            np.where(leaf, 0, self.branches[reachable]),
            parent,
            self.classes[reachable],
        )

    def describe(self, names: Sequence[str], labels: Sequence[Sequence[str] | None], leaf: Callable[[int], str]) -> str:
        """The tree as text, one line per branch. leaf: what a leaf's line ends with, by the number of the leaf."""
        if self.attribute[0] < 0:
            return leaf(0)
        lines = []
        pending = [(int(branch), 0) for branch in reversed(self.children(np.array([0]))[0])]
        while pending:
            node, depth = pending.pop()
            up = int(self.parent[node])
            attribute, place = int(self.attribute[up]), node - int(self.first[up])
            values = labels[attribute]
            test = f"= {values[place]}" if values is not None else f"{('<=', '>')[place]} {self.threshold[up]:.12g}"
            end = f": {leaf(node)}" if self.attribute[node] < 0 else ""
            lines.append("|   " * depth + f"{names[attribute]} {test}{end}")
            if self.attribute[node] >= 0:
                pending += [(int(branch), depth + 1) for branch in reversed(self.children(np.array([node]))[0])]
        return "\n".join(lines)


def join(parts: Sequence[Entries]) -> Entries:
    """All entries, one part after the other."""
    return Entries(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Entries)))


def stack(layers: Sequence[Tree]) -> Tree:
    """One tree of levels that number their nodes, and their branches on the next level, from 0 each."""
    start, before = 0, 0
    for layer in layers:
        layer.parent[layer.parent >= 0] += before
        start, before = start + len(layer), start
        layer.first += start
    return Tree(*(np.concatenate([getattr(layer, field.name) for layer in layers]) for field in fields(Tree)))
