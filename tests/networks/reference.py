"""Random networks, and slow definitions: everything from the full joint distribution, entry by entry."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from lazybayes.networks.network import Floats, Network, Variable


def random_network(rng: np.random.Generator, n: int, *, most_parents: int = 3, zeros: float = 0.0) -> Network:
    """Variables in random file order, of one to three values; zeros: the share of entries that are 0."""
    order = rng.permutation(n)
    arity = rng.choice([1, 2, 2, 2, 3], n)
    parents: dict[int, list[int]] = {}
    for place, i in enumerate(order):
        parents[int(i)] = [int(j) for j in rng.permutation(order[:place])[: rng.integers(0, most_parents + 1)]]
    variables = []
    for i in range(n):
        shape = (*(int(arity[j]) for j in parents[i]), int(arity[i]))
        table = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        table = np.where((rng.random(shape) < zeros) & (table < table.max(axis=-1, keepdims=True)), 0.0, table)
        table /= table.sum(axis=-1, keepdims=True)
        names = tuple(f"x{j}" for j in parents[i])
        variables.append(Variable(f"x{i}", tuple(f"v{v}" for v in range(arity[i])), names, table))
    return Network("random", tuple(variables))


@st.composite
def networks(draw: st.DrawFn, most: int = 7) -> Network:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return random_network(rng, draw(st.integers(1, most)), zeros=draw(st.sampled_from([0.0, 0.0, 0.2])))


def worlds(network: Network) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(k) for k in network.arity))


def joint(network: Network, world: Sequence[int]) -> float:
    """The product rule."""
    p = 1.0
    for i, variable in enumerate(network.variables):
        p *= float(variable.table[tuple(world[j] for j in network.parents[i])][world[i]])
    return p


def posterior(network: Network, given: Mapping[int, int], ask: Sequence[int]) -> tuple[Floats, float]:
    """(k of each asked variable) P(asked, given), not divided, and P(given)."""
    table = np.zeros(tuple(network.arity[i] for i in ask))
    for world in worlds(network):
        if all(world[i] == value for i, value in given.items()):
            table[tuple(world[i] for i in ask)] += joint(network, world)
    return table, float(table.sum())


def likely_evidence(network: Network, rng: np.random.Generator, variables: Sequence[int]) -> dict[int, int]:
    """Values of these variables in a world drawn from the network: never impossible."""
    world: dict[int, int] = {}
    for i in network.order:
        row = network.variables[i].table[tuple(world[j] for j in network.parents[i])]
        world[i] = int(rng.choice(len(row), p=row))
    return {i: world[i] for i in variables}


def same(one: Network, other: Network) -> bool:
    """Equal to the last bit."""
    return one.name == other.name and all(
        (a.name, a.values, a.parents) == (b.name, b.values, b.parents) and np.array_equal(a.table, b.table)
        for a, b in zip(one.variables, other.variables, strict=True)
    )
