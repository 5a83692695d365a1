"""Spanning trees and directions, many at once, against Kruskal's algorithm one at a time."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.learners.tan.structure import ancestors, directed, ranks, rooted, spanning_trees
from tests.learners.tan import reference

Weights = dict[tuple[int, int], float]


def drawn_weights(random: Random, a: int) -> Weights:
    """Few different weights, so that there are ties, some of them negative."""
    return {edge: random.choice((-0.5, 0.0, 0.25, 0.25 + 1e-15, 1.0, 2.0)) for edge in combinations(range(a), 2)}


def as_matrix(weights: Weights, a: int) -> np.ndarray:  # type: ignore[type-arg]
    matrix = np.zeros((a, a))
    for (i, j), weight in weights.items():
        matrix[i, j] = matrix[j, i] = weight
    return matrix


@settings(max_examples=100)
@given(st.integers(1, 9), st.integers(1, 4), st.integers(0, 2**32))
def test_many_trees_at_once_are_kruskals(a: int, m: int, seed: int) -> None:
    random = Random(seed)
    weights = [drawn_weights(random, a) for _ in range(m)]
    known = [[random.random() < 0.8 for _ in range(a)] for _ in range(m)]
    rank = ranks(np.array([as_matrix(w, a) for w in weights]))
    edges = spanning_trees(rank, np.array(known))
    parents = directed(edges, a)
    for t in range(m):
        rounded = {edge: round(w, 12) for edge, w in weights[t].items() if all(known[t][j] for j in edge)}
        expected = reference.kruskal(rounded)
        assert [tuple(edge) for edge in edges[t].tolist() if edge[0] >= 0] == expected
        assert [None if p < 0 else p for p in parents[t].tolist()] == reference.directed(expected, a)


@settings(max_examples=50)
@given(st.integers(1, 9), st.integers(0, 2**32))
def test_rooted_keeps_the_edges_and_turns_them_away_from_the_root(a: int, seed: int) -> None:
    random = Random(seed)
    weights = drawn_weights(random, a)
    parents = directed(spanning_trees(ranks(as_matrix(weights, a))[None]), a)
    root = random.randrange(a)
    turned = rooted(parents, root)[0]
    assert {frozenset(e) for e in enumerate(parents[0].tolist()) if e[1] >= 0} == {
        frozenset(e) for e in enumerate(turned.tolist()) if e[1] >= 0
    }
    assert all(line[-1] == root for j, line in enumerate(ancestors(turned)) if j != root)
    assert turned[root] == -1


def test_where_two_parents_meet_the_higher_part_is_turned_round() -> None:
    # 0 -> 2 and 1 -> 3 come first; then 2 and 3, both with a parent: 3's part is turned to 3 -> 1, and 2 -> 3.
    weights = dict.fromkeys(combinations(range(4), 2), 0.0) | {(0, 2): 3.0, (1, 3): 2.0, (2, 3): 1.0}
    parents = directed(spanning_trees(ranks(as_matrix(weights, 4))[None]), 4)
    assert parents.tolist() == [[-1, 3, 0, 2]]
    assert ancestors(parents[0]) == [[], [3, 2, 0], [0], [2, 0]]
