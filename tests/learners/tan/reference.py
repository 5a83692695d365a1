"""Slow references of the TAN family in plain Python, from the papers and their settled readings; nothing is shared with
the product. Everything is counted anew where it is needed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from itertools import product as pairs

from hypothesis import assume

from tests.references import Data, Posterior, Spec, Value, class_counts, decide, of_class, of_value

Row = Sequence[Value]
Parents = list[int | None]
Edge = tuple[int, int]


# --- probabilities


def given(spec: Spec, data: Data, j: int, v: int, c: int, conditions: Mapping[int, int]) -> Fraction:
    """P(attribute j is v, given class c and the values of some other attributes)."""
    know = [(row[j], y, row) for row, y in zip(data.rows, data.y, strict=True) if row[j] is not None]
    match = [value for value, y, row in know if y == c and all(row[a] == u for a, u in conditions.items())]
    n_jv = sum(value == v for value, _, _ in know)
    return of_value(spec, match.count(v), len(match), n_jv, len(know), data.arity[j], c)


def product(
    spec: Spec, data: Data, row: Row, conditions: Sequence[Mapping[int, int]], classes: Sequence[int]
) -> Posterior:
    """P(c) times the product of P(v given c, conditions) over the known attributes, for some classes."""
    n_class = class_counts(data)
    found = []
    for c in classes:
        p = of_class(spec, n_class[c], len(data.y), data.n_classes)
        for j, v in enumerate(row):
            if v is not None:
                p *= given(spec, data, j, v, c, conditions[j])
        found.append(p)
    return found


def or_prior(spec: Spec, data: Data, products: Posterior) -> Posterior:
    """The products, or the class prior where all are 0."""
    n_class = class_counts(data)
    prior = [of_class(spec, n_class[c], len(data.y), data.n_classes) for c in range(data.n_classes)]
    return products if any(products) else prior


def known(row: Row, attributes: Sequence[int]) -> dict[int, int]:
    return {a: v for a in attributes if (v := row[a]) is not None}


def ancestors(parents: Parents, j: int) -> list[int]:
    """The nearest first."""
    parent = parents[j]
    return [] if parent is None else [parent, *ancestors(parents, parent)]


def tan(spec: Spec, data: Data, row: Row, parents: Parents) -> Posterior:
    conditions = [known(row, [] if p is None else [p]) for p in parents]
    return or_prior(spec, data, product(spec, data, row, conditions, range(data.n_classes)))


def hocp(spec: Spec, data: Data, row: Row, parents: Parents) -> Posterior:
    conditions = [known(row, ancestors(parents, j)) for j in data.attributes]
    return or_prior(spec, data, product(spec, data, row, conditions, range(data.n_classes)))


def is_chain(parents: Parents, undirected: bool) -> bool:
    for j in range(len(parents)):
        children = parents.count(j)
        if children + (parents[j] is not None) > 2 if undirected else children > 1:
            return False
    return True


def semi_lazy(spec: Spec, data: Data, row: Row, parents: Parents, weight: str, undirected: bool) -> Posterior:
    conditions: list[dict[int, int]] = []
    chain = is_chain(parents, undirected)
    for j, v in enumerate(row):
        best, most = None, -math.inf
        for a in [] if chain or v is None else ancestors(parents, j):
            if row[a] is not None and (worth := rounded(sum_of_terms(data, (a, j), row, weight))) > most:
                best, most = a, worth
        conditions.append({} if best is None else known(row, [best]))
    return or_prior(spec, data, product(spec, data, row, conditions, range(data.n_classes)))


def totally_lazy(data: Data, row: Row, weight: str, given_class: bool) -> Posterior:
    spec = Spec("friedman")
    there = [j for j in data.attributes if row[j] is not None]
    products: Posterior = []
    for c in range(data.n_classes):
        weights = {}
        for i, j in combinations(there, 2):
            terms = value_terms(data, (i, j), row, weight)
            weights[i, j] = rounded(terms[c] if given_class else math.fsum(terms))
        parents = directed(kruskal(weights), len(row))
        conditions = [known(row, [] if p is None else [p]) for p in parents]
        products += product(spec, data, row, conditions, [c])
    return products


# --- weights


def rounded(weight: float, decimals: int = 12) -> float:
    """Leaves out the rare example whose last bit decides how it is rounded."""
    assume(abs(weight * 10**decimals % 1 - 0.5) > 0.001)
    return round(weight, decimals)


def log_ratio(n: int, n_c: int, n_u: int, n_v: int) -> float:
    """ln [P(u, v given c) / (P(u given c) P(v given c))]."""
    return math.log(Fraction(n, n_c) / (Fraction(n_u, n_c) * Fraction(n_v, n_c)))


def value_terms(data: Data, pair: Edge, row: Row, weight: str) -> list[float]:
    """Each class's term of eq. 11 for the row's values of two attributes."""
    i, j = pair
    both = [(r[i], r[j], y) for r, y in zip(data.rows, data.y, strict=True) if r[i] is not None and r[j] is not None]
    terms = []
    for c in range(data.n_classes):
        here = [(u, v) for u, v, y in both if y == c]
        n = here.count((row[i], row[j]))  # type: ignore[arg-type]
        if n == 0:
            terms.append(0.0)
            continue
        n_u, n_v = (sum(pair[side] == row[(i, j)[side]] for pair in here) for side in (0, 1))
        share = n / len(here) if weight == "printed" else n / len(both)
        terms.append(share * log_ratio(n, len(here), n_u, n_v))
    return terms


def sum_of_terms(data: Data, pair: Edge, row: Row, weight: str) -> float:
    return math.fsum(value_terms(data, pair, row, weight))


def mutual_information(data: Data, i: int, j: int, weight: str) -> float:
    """Eq. 7: eq. 11's terms for every pair of values."""
    terms = []
    for u, v in pairs(range(data.arity[i]), range(data.arity[j])):
        row = [u if a == i else v if a == j else None for a in data.attributes]
        terms += value_terms(data, (i, j), row, weight)
    return math.fsum(terms)


def bayesian_score(data: Data, x: int, parent: int | None, other: int) -> float:
    """ln of the marginal likelihood of x given class and parent, 0.5 a cell, over the rows that know x and `other`."""
    groups: dict[tuple[int, Value], list[Value]] = {}
    for row, c in zip(data.rows, data.y, strict=True):
        if row[x] is not None and row[other] is not None:
            groups.setdefault((c, None if parent is None else row[parent]), []).append(row[x])
    score = 0.0
    for values in groups.values():
        whole = 0.5 * data.arity[x]
        score += math.lgamma(whole) - math.lgamma(whole + len(values))
        for v in range(data.arity[x]):
            score += math.lgamma(0.5 + values.count(v)) - math.lgamma(0.5)
    return score


# --- trees


def kruskal(weights: Mapping[Edge, float]) -> list[Edge]:
    """The edges in the order they are added."""
    part: dict[int, set[int]] = {}
    for i, j in weights:
        part.setdefault(i, {i})
        part.setdefault(j, {j})
    edges = []
    for i, j in sorted(weights, key=lambda edge: (-weights[edge], edge)):
        if part[i] is not part[j]:
            whole = part[i] | part[j]
            for attribute in whole:
                part[attribute] = whole
            edges.append((i, j))
    return edges


def away_from(root: int, edges: Sequence[Edge], parents: Parents) -> None:
    """Directs all edges of the root's part of the tree away from it."""
    parents[root] = None
    waiting, done = [root], {root}
    while waiting:
        here = waiting.pop()
        for edge in edges:
            if here in edge:
                there = edge[0] if edge[1] == here else edge[1]
                if there not in done:
                    parents[there] = here
                    done.add(there)
                    waiting.append(there)


def directed(edges: Sequence[Edge], n: int) -> Parents:
    """In the order the edges are added, i < j: i becomes the parent of j; if j has one, j that of i; if both have, j's
    part is turned round so that j is its root, and i becomes its parent."""
    parents: Parents = [None] * n
    for at, (i, j) in enumerate(edges):
        if parents[j] is None:
            parents[j] = i
        elif parents[i] is None:
            parents[i] = j
        else:
            away_from(j, edges[:at], parents)
            parents[j] = i
    return parents


def tree(data: Data, weight: str, direction: str) -> Parents:
    weights = {(i, j): rounded(mutual_information(data, i, j, weight)) for i, j in combinations(data.attributes, 2)}
    edges = kruskal(weights)
    parents = directed(edges, len(data.arity))
    if direction == "root" and parents:
        away_from(0, edges, parents)
    return parents


def weka_tree(data: Data, direction: str) -> Parents:
    """Prim's algorithm over the gains of the Bayesian score, and Weka's directions."""
    a = len(data.arity)
    gain = {
        (x, y): rounded(bayesian_score(data, x, y, y) - bayesian_score(data, x, None, y), 8)
        for x in range(a)
        for y in range(a)
        if x != y
    }
    inside: set[int] = set()
    parents: Parents = [None] * a
    edges = []
    for step in range(a - 1):
        best = None
        for x, y in gain:  # child outer, candidate parent inner
            crossing = (x in inside) != (y in inside) if step else True
            if crossing and (best is None or gain[x, y] > gain[best]):
                best = (x, y)
        assert best is not None
        x, y = best
        inside |= {x, y}
        edges.append(best)
        if parents[y] is None:
            parents[y] = x
        else:
            parents[x] = y
    if direction == "root" and parents:
        away_from(0, edges, parents)
    return parents


# --- SuperParent


def leave_one_out_errors(spec: Spec, data: Data, parents: Parents) -> int:
    return sum(decide(tan(spec, data.without(i), row, parents)) != data.y[i] for i, row in enumerate(data.rows))


def superparent(spec: Spec, data: Data) -> list[tuple[int, int, int]]:
    """The arcs (parent, child) with the errors after each."""
    parents: Parents = [None] * len(data.arity)
    errors = leave_one_out_errors(spec, data, parents)
    added = []

    def with_arcs(s: int, children: Sequence[int]) -> int:
        return leave_one_out_errors(spec, data, [s if j in children else p for j, p in enumerate(parents)])

    def orphans(s: int) -> list[int]:
        return [j for j, p in enumerate(parents) if p is None and j != s and j not in ancestors(parents, s)]

    while len(added) < len(data.arity) - 1:
        best, fewest = None, math.inf
        for s in data.attributes:
            if orphans(s) and (found := with_arcs(s, orphans(s))) < fewest:
                best, fewest = s, found
        if best is None:
            break
        child, fewest = None, math.inf
        for j in orphans(best):
            if (found := with_arcs(best, [j])) < fewest:
                child, fewest = j, found
        if child is None or fewest >= errors:
            break
        parents[child] = best
        errors = int(fewest)
        added.append((best, child, errors))
    return added
