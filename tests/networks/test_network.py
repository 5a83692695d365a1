"""The graph: order, ancestors, cycles, and how a user's words find variables."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.errors import UsageError
from lazybayes.networks.files import load_network
from lazybayes.networks.network import Network, Variable, find_cycles
from tests.networks.reference import networks

COIN = np.array([0.5, 0.5])


@given(networks(most=12))
def test_parents_stand_before_children_and_every_variable_once(network: Network) -> None:
    assert sorted(network.order) == list(range(len(network)))
    place = {i: at for at, i in enumerate(network.order)}
    assert all(place[parent] < place[i] for i in place for parent in network.parents[i])


@given(networks(most=12), st.data())
def test_ancestors_are_closed_under_parents(network: Network, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(network) - 1))
    found = network.ancestors([start])
    assert start in found
    assert all(parent in found for i in found for parent in network.parents[i])
    for i in found - {start}:  # each has a child that is an ancestor, or the start
        assert any(i in network.parents[j] for j in found)


@given(st.integers(1, 8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=14))
def test_a_cycle_is_found_exactly_where_there_is_one(n: int, arcs: list[tuple[int, int]]) -> None:
    parents = {str(i): [str(a) for a, b in arcs if b == i and a < n] for i in range(n)}
    cycles = find_cycles(parents)
    left = {name: set(of) for name, of in parents.items()}
    while free := [name for name, of in left.items() if not of & left.keys()]:  # peel off what has no parent left
        for name in free:
            del left[name]
    assert bool(cycles) == bool(left)
    for cycle in cycles:
        assert cycle[0] == cycle[-1]
        assert all(parent in parents[child] for parent, child in pairwise(cycle))


def test_a_network_made_in_python_is_checked() -> None:
    a, b = (
        Variable("a", ("x", "y"), ("b",), np.full((2, 2), 0.5)),
        Variable("b", ("x", "y"), ("a",), np.full((2, 2), 0.5)),
    )
    with pytest.raises(ValueError, match=r"a -> b -> a|b -> a -> b"):
        Network("n", (a, b))
    with pytest.raises(ValueError, match="parent c is no variable"):
        Network("n", (Variable("a", ("x", "y"), ("c",), COIN),))
    with pytest.raises(ValueError, match=r"shape \(3,\); \(2,\)"):
        Network("n", (Variable("a", ("x", "y"), (), np.full(3, 1 / 3)),))
    with pytest.raises(ValueError, match="same name"):
        Network("n", (Variable("a", ("x", "y"), (), COIN),) * 2)


@pytest.mark.parametrize(
    ("word", "name"),
    [("Storm", "Storm"), ("storm", "Storm"), ("bus", "BusTourGroup"), ("FOREST", "ForestFire"), ("c", "Campfire")],
)
def test_a_variable_is_found_by_how_its_name_begins(word: str, name: str) -> None:
    network = load_network("campfire")
    assert network.variables[network.find(word)].name == name


@pytest.mark.parametrize(
    ("word", "message"), [("strom", "did you mean Storm"), ("", "it has Storm, BusTourGroup"), ("camper", "Campfire")]
)
def test_a_variable_that_is_not_there(word: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_network("campfire").find(word)


def test_words_that_could_mean_two_things_are_refused() -> None:
    network = Network("n", tuple(Variable(name, ("Y", "y"), (), COIN) for name in ("ab", "abc", "AB", "xyz", "xy")))
    assert network.find("ab") == 0
    assert network.find("xy") == 4
    with pytest.raises(UsageError, match="could be ab, AB"):
        network.find("aB")
    with pytest.raises(UsageError, match="could be xyz, xy"):
        network.find("x")
    assert network.find_value(0, "y") == 1
    with pytest.raises(UsageError, match="ab has no value z; it has Y, y"):
        network.find_value(0, "z")
