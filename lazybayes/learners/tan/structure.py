"""Trees over attributes: maximum spanning trees, the direction of their edges, ancestors. Many trees at once.

A tree is (a,) parents, -1 for none; m trees are (m, a).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

DECIMALS = 12
"""Mutual information is equal if it is when rounded to so many decimals."""

GAIN_DECIMALS = 8
"""The same for gains of a score, which grow with the number of rows, as do their last bits' errors."""


def ranks(weights: Floats) -> NDArray[np.int64]:
    """Weights as ranks, of the same shape: 0 for the highest, equal ones alike once rounded."""
    _, rank = np.unique(-np.round(weights, DECIMALS), return_inverse=True)
    return rank.reshape(weights.shape).astype(np.int64)


def spanning_trees(rank: Ints, known: Bools | None = None) -> Ints:
    """(m, a - 1, 2) edges (i, j), i < j, of m maximum spanning trees, in the order that Kruskal's algorithm adds them.

    rank: (m, a, a) ranks of the weights, symmetric; equal ones go to the lowest (i, j), which makes the tree unique,
    so that Prim's algorithm finds Kruskal's tree. known: (m, a) the attributes that a tree spans, all if not given;
    the edges that others would have are (-1, -1), at the end.
    """
    m, a = rank.shape[:2]
    if a < 2:
        return np.empty((m, 0, 2), dtype=np.int64)
    low, high = np.triu_indices(a, 1)
    place = np.zeros((a, a), dtype=np.int64)
    place[low, high] = place[high, low] = np.arange(len(low))
    none = np.iinfo(np.int64).max
    key = rank * len(low) + place
    if known is not None:
        key[~(known[:, :, None] & known[:, None, :])] = none
    each = np.arange(m)
    start = np.zeros(m, dtype=np.int64) if known is None else known.argmax(axis=1)
    outside = np.ones((m, a), dtype=bool)
    outside[each, start] = False
    best = key[each, start]
    keys = np.empty((m, a - 1), dtype=np.int64)
    for step in range(a - 1):
        reach = np.where(outside, best, none)
        new = reach.argmin(axis=1)
        keys[:, step] = reach[each, new]
        outside[each, new] = False
        best = np.minimum(best, key[each, new])
    keys.sort(axis=1)
    edge = keys % len(low)
    return np.where((keys < none)[..., None], np.stack([low[edge], high[edge]], axis=-1), -1)


def directed(edges: Ints, n_attributes: int) -> Ints:
    """(m, a) parents. edges: (m, E, 2) in the order they are added, (-1, -1) for none.

    As the semi-lazy TAN paper has it (section 2.2) the lower attribute is made the parent as the edge is added. If the
    higher one has a parent already, the lower one becomes the child; if both have, the higher one's part of the tree is
    turned round first, so that it is its root.
    """
    parents = np.full((len(edges), n_attributes), -1)
    for low, high in edges.transpose(1, 2, 0):
        trees = np.flatnonzero(low >= 0)
        low, high = low[trees], high[trees]
        onward = (parents[trees, high] < 0) | (parents[trees, low] >= 0)
        turn_round(parents, trees, np.where(onward, high, low), np.where(onward, low, high))
    return parents


def turn_round(parents: Ints, trees: Ints, child: Ints, parent: Ints) -> None:
    """Makes each child the root of its part of the tree and gives it the parent (-1 = none), in place.

    parents: (m, a); trees: (t,) which of the m; child, parent: (t,).
    """
    while len(trees):
        before = parents[trees, child]
        parents[trees, child] = parent
        on = before >= 0
        trees, child, parent = trees[on], before[on], child[on]


def rooted(parents: Ints, root: int = 0) -> Ints:
    """(m, a) the same trees with all edges pointing away from one attribute."""
    parents = parents.copy()
    m, a = parents.shape
    if a:
        turn_round(parents, np.arange(m), np.full(m, root), np.full(m, -1))
    return parents


def prim_tree(gain: Floats) -> Ints:
    """(a,) parents by Prim's algorithm over gains that depend on the direction, as Weka's BayesNet TAN builds its tree.

    gain: (a, a), [x, y] what parent y is worth to child x. The best edge starts; the next is the best with one end in
    the tree; of gains that are equal once rounded the first in order of (x, y) wins. In the order in which the edges
    were found the candidate parent y of each gets x as *its* parent, unless it has one already: then x gets y.
    """
    a = len(gain)
    gain = np.round(gain, GAIN_DECIMALS)
    parents = np.full(a, -1)
    inside = np.zeros(a, dtype=bool)
    for step in range(a - 1):
        allowed = inside[:, None] != inside if step else ~np.eye(a, dtype=bool)
        x, y = np.unravel_index(np.argmax(np.where(allowed, gain, -np.inf)), gain.shape)
        if parents[y] < 0:
            parents[y] = x
        else:
            parents[x] = y
        inside[[x, y]] = True
    return parents


def ancestors(parents: Ints) -> list[list[int]]:
    """The ancestors of each attribute of one tree, the nearest first."""
    lines = []
    for parent in parents.tolist():
        line = []
        while parent >= 0:
            line.append(parent)
            parent = int(parents[parent])
        lines.append(line)
    return lines
