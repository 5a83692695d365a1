"""Pruning as C4.5 release 8 does it (Quinlan 1993, chapter 4; 1996): collapse, pessimistic errors, subtree raising."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from lazybayes.counts.codes import Rows
from lazybayes.learners.trees.tree import NEAR, Entries, Tree, join

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

COLLAPSE_SLACK = 1e-3
"""A subtree must save more training errors than this to be kept."""

PRUNE_SLACK = 0.1
"""A smaller tree may have this many pessimistic errors more."""


def pessimistic_errors(classes: Floats, confidence: float) -> Floats:
    """(N,) errors of leaves by the upper limit of their error rate's confidence interval, from (N, C) training weights.

    The limit is the binomial's by the normal approximation with continuity correction; below one error it lies between
    the exact limit at none and that at one, in proportion (Quinlan's AddErrs).
    """
    n = np.maximum(classes.sum(axis=1), NEAR)
    errors = n - classes.max(axis=1)
    at_none = n * (1.0 - confidence ** (1.0 / n))
    counted = np.maximum(errors, 1.0)
    z2 = ndtri(1.0 - confidence) ** 2 / n
    rate = (counted + 0.5) / n
    limit = (rate + z2 / 2.0 + np.sqrt(z2 * np.maximum(rate - rate * rate + z2 / 4.0, 0.0))) / (1.0 + z2)
    surplus = np.where(counted + 0.5 < n, limit * n, np.maximum(n, counted)) - counted
    few = at_none + errors * (surplus - at_none)
    return np.asarray(errors + np.where(errors < 1.0, few, surplus))


def collapse(tree: Tree) -> list[Ints]:
    """Makes a leaf of every node whose leaves get about as many training rows wrong as it would itself.

    Returns the nodes that are left, by level.
    """
    errors = tree.weight - tree.classes.max(axis=1)
    below = errors.copy()
    levels = list(tree.levels(np.array([0])))
    for nodes, branches in reversed(list(pairwise(levels))):
        inner, starts = _inner(tree, nodes)
        below[inner] = np.add.reduceat(below[branches], starts)
    tree.attribute[below >= errors - COLLAPSE_SLACK] = -1
    left = levels[:1]
    for nodes in levels[1:]:
        reached = tree.attribute[tree.parent[nodes]] >= 0
        tree.attribute[nodes[~reached]] = -1
        left.append(nodes[reached])
    return [nodes for nodes in left if len(nodes)]


def _inner(tree: Tree, nodes: Ints) -> tuple[Ints, Ints]:
    """The split nodes among a level's, and (S,) where each one's branches begin on the next level."""
    inner = nodes[tree.attribute[nodes] >= 0]
    return inner, np.cumsum(tree.branches[inner]) - tree.branches[inner]


class Pruning:
    """Pessimistic pruning, bottom-up, a level at a time.

    A node becomes a leaf if that has about no more pessimistic errors than its subtree, and than its largest branch
    would have with all the node's rows; or else that branch takes its place if it has about no more than the subtree.
    A subtree that replaced a node is pruned again with its new rows.

    tree: what is pruned, in place; rows, y: the training rows, (n,), and their classes.
    """

    def __init__(self, tree: Tree, rows: Rows, y: Ints, confidence: float, raising: bool) -> None:
        self.tree, self.rows, self.y = tree, rows, y
        self.confidence, self.raising = confidence, raising
        self.complete = bool((rows.nominal >= 0).all()) and not np.isnan(rows.numeric).any()
        self.alone = pessimistic_errors(tree.classes, confidence)  # (N,) errors as a leaf
        self.errors = self.alone.copy()  # (N,) errors of the subtree
        self.largest = np.full(len(tree), -1)  # (N,) the branch with the most training weight
        self.moved = np.zeros(len(tree), dtype=bool)  # (N,) whether a branch took the node's place

    def prune(self, nodes: Sequence[Ints], levels: Sequence[Entries]) -> None:
        """Prunes subtrees. nodes: their topmost nodes, the nodes one level down, ...; levels: the rows at these."""
        tree = self.tree
        self._find_largest(nodes)
        split = len(nodes) > 1
        newcomers = Newcomers(self, levels[: len(nodes)]) if split and self.raising and self.complete else None
        for depth in reversed(range(len(nodes) - 1)):
            inner, starts = _inner(tree, nodes[depth])
            subtree = np.add.reduceat(self.errors[nodes[depth + 1]], starts)
            leaf = branch = self.alone[inner]
            if newcomers:
                branch = newcomers.errors_raised(depth, inner)
            elif self.raising:
                branch = self._errors_raised(levels[depth], inner)
            to_leaf = leaf < np.minimum(subtree, branch) + PRUNE_SLACK + NEAR
            tree.attribute[inner[to_leaf]] = -1
            self.errors[inner] = np.where(to_leaf, leaf, subtree)
            raised = ~to_leaf & (branch < subtree + PRUNE_SLACK + NEAR)
            if raised.any():
                self._raise(inner[raised], levels[depth])

    def _find_largest(self, nodes: Sequence[Ints]) -> None:
        """Notes each split node's branch with the most training weight, the last of equals. nodes: by level."""
        inner, starts = _inner(self.tree, np.concatenate(nodes))
        if len(inner):
            branches = np.concatenate(nodes[1:])
            weight = self.tree.weight[branches]
            most = np.repeat(np.maximum.reduceat(weight, starts), self.tree.branches[inner])
            self.largest[inner] = np.maximum.reduceat(np.where(weight > most - NEAR, branches, -1), starts)

    def _errors_raised(self, entries: Entries, inner: Ints) -> Floats:
        """(S,) pessimistic errors of split nodes' largest branches if these had all the nodes' rows."""
        tree = self.tree
        errors = self.alone[inner]  # a leaf there is a leaf here
        deep = tree.attribute[self.largest[inner]] >= 0
        if not deep.any():
            return errors
        top_of = np.full(len(tree), -1)
        top_of[inner[deep]] = top_of[self.largest[inner[deep]]] = np.flatnonzero(deep)
        at = entries.take(top_of[entries.node] >= 0)
        at, at_leaves = Entries(at.row, self.largest[at.node], at.weight), []
        while len(at):
            at_leaves.append(at.take(tree.attribute[at.node] < 0))
            at = tree.descend(self.rows, at, fitted=False)
            top_of[at.node] = top_of[tree.parent[at.node]]
        leaves, place = np.unique(np.concatenate([part.node for part in at_leaves]), return_inverse=True)
        limits = pessimistic_errors(self._classes(join(at_leaves), place, len(leaves)), self.confidence)
        errors[deep] = np.bincount(top_of[leaves], limits, len(inner))[deep]
        return errors

    def _raise(self, nodes: Ints, entries: Entries) -> None:
        """Replaces nodes by their largest branches and prunes these again. entries: the rows there, among others."""
        tree, branches = self.tree, self.largest[nodes]
        for part in (tree.attribute, tree.threshold, tree.first, tree.branches):
            part[nodes] = part[branches]
        self.moved[nodes] = True
        tree.parent[tree.children(nodes)[0]] = np.repeat(nodes, tree.branches[nodes])
        levels = [entries.take(np.isin(entries.node, nodes))]
        while len(levels[-1]):
            levels.append(tree.descend(self.rows, levels[-1], fitted=False))
        by_level = list(tree.levels(nodes))
        under = np.concatenate(by_level[1:])
        below = join(levels[1:])
        tree.classes[under] = self._classes(below, below.node, len(tree))[under]
        self.alone[under] = pessimistic_errors(tree.classes[under], self.confidence)
        self.errors[under] = self.alone[under]
        self.prune(by_level, levels)

    def _classes(self, entries: Entries, place: Ints, n_places: int) -> Floats:
        """(n_places, C) weight of each class among entries at each place. place: (E,)."""
        n_classes = self.tree.classes.shape[1]
        slot = place * n_classes + self.y[entries.row]
        counts = np.bincount(slot, entries.weight, minlength=n_places * n_classes)
        return counts.reshape(-1, n_classes).astype(np.float64, copy=False)


class Newcomers:
    """What the largest branches of all split nodes would have to take in if they took their nodes' places.

    If no cell is missing, the rows of the other branches come to a largest branch's leaves and its own rows stay where
    they are. Each newcomer's way down is found once, for all nodes together: pruning further down only cuts it short.
    A row comes from a smaller branch to a larger one, so all nodes together have at most n log2 n newcomers.
    """

    def __init__(self, pruning: Pruning, levels: Sequence[Entries]) -> None:
        self.pruning, tree = pruning, pruning.tree
        below = join(levels[1:])
        node = tree.parent[below.node]
        largest = pruning.largest[node]
        new = np.flatnonzero((largest != below.node) & (tree.attribute[largest] >= 0))
        self.row, self.node = below.row[new], node[new]
        self.way = np.array(list(tree.follow(pruning.rows, self.row, largest[new])))  # (steps, M) nodes
        self.starts = np.searchsorted(new, np.cumsum([0, *(len(level) for level in levels[1:])]))

    def errors_raised(self, depth: int, inner: Ints) -> Floats:
        """(S,) pessimistic errors of split nodes' largest branches if these had all the nodes' rows."""
        pruning, tree = self.pruning, self.pruning.tree
        largest = pruning.largest[inner]
        errors = np.where(tree.attribute[largest] < 0, pruning.alone[inner], pruning.errors[largest])
        here = slice(self.starts[depth], self.starts[depth + 1])
        row, node, way = self.row[here], self.node[here], self.way[:, here]
        if not len(row):
            return errors
        still = np.argmax((tree.attribute[way] < 0) | pruning.moved[way], axis=0)
        *_, leaf = tree.follow(pruning.rows, row, way[still, np.arange(len(row))])
        leaves, place = np.unique(leaf, return_inverse=True)
        classes = tree.classes[leaves] + pruning._classes(Entries(row, leaf, np.ones(len(row))), place, len(leaves))
        more = pessimistic_errors(classes, pruning.confidence) - pruning.alone[leaves]
        number = np.empty(len(tree), dtype=np.int64)
        number[inner] = np.arange(len(inner))
        top = np.empty_like(leaves)
        top[place] = number[node]
        return errors + np.bincount(top, more, len(inner))
