"""Counts against a naive tally; gradient ascent never falls and ends where expectation maximization does."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.counts.estimates import parse_estimate
from lazybayes.networks import elimination
from lazybayes.networks.files import load_network
from lazybayes.networks.fitting import (
    Likelihood,
    Tables,
    ascend,
    ascend_as_printed,
    count_tables,
    starting_tables,
)
from lazybayes.networks.network import Network, Variable
from tests.networks.reference import Floats, joint, likely_evidence, networks, random_network, worlds


def draw_rows(network: Network, rng: np.random.Generator, n: int, hidden: float = 0.0) -> np.ndarray:
    everything = range(len(network))
    codes = np.array([list(likely_evidence(network, rng, everything).values()) for _ in range(n)], dtype=np.int32)
    return np.where(rng.random(codes.shape) < hidden, -1, codes).astype(np.int32)


def slow_likelihood(network: Network, codes: np.ndarray) -> tuple[float, Tables]:
    """Ln P(D) and the expected rows of every entry, from the full joint."""
    expected = [np.zeros_like(variable.table) for variable in network.variables]
    total = 0.0
    for row in codes:
        fitting = [w for w in worlds(network) if all(c in (-1, v) for c, v in zip(row, w, strict=True))]
        weights = np.array([joint(network, world) for world in fitting])
        total += math.log(weights.sum())
        for world, weight in zip(fitting, weights / weights.sum(), strict=True):
            for i, parents in enumerate(network.parents):
                expected[i][(*(world[j] for j in parents), world[i])] += weight
    return total, expected


def tables_of(network: Network) -> Tables:
    return [variable.table for variable in network.variables]


@given(networks(most=5), st.integers(0, 2**32), st.sampled_from([0.0, 0.4, 1.0]))
def test_the_likelihood_and_expected_rows_are_those_of_the_joint(network: Network, seed: int, hidden: float) -> None:
    codes = draw_rows(network, np.random.default_rng(seed), 4, hidden)
    value, expected = Likelihood(network, codes).of(tables_of(network))
    slow, slow_expected = slow_likelihood(network, codes)
    assert value == pytest.approx(slow, abs=1e-9)
    for mine, theirs in zip(expected, slow_expected, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


@pytest.mark.parametrize("cost", [0, 1 << 30])
def test_expected_rows_do_not_depend_on_how_rows_are_grouped(monkeypatch: pytest.MonkeyPatch, cost: int) -> None:
    rng = np.random.default_rng(6)
    network = random_network(rng, 6)
    codes = draw_rows(network, rng, 15, 0.4)
    monkeypatch.setattr(elimination, "STEP_ENTRIES", cost)
    value, expected = Likelihood(network, codes).of(tables_of(network))
    slow, slow_expected = slow_likelihood(network, codes)
    assert value == pytest.approx(slow, abs=1e-9)
    for mine, theirs in zip(expected, slow_expected, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


def test_the_gradient_is_the_derivative() -> None:
    """Expected rows / w is the derivative of ln P(D) by the entry w (Mitchell eq. 6.25), by finite differences."""
    rng = np.random.default_rng(4)
    network = random_network(rng, 5)
    codes = draw_rows(network, rng, 20, 0.3)
    likelihood = Likelihood(network, codes)
    tables = tables_of(network)
    _, expected = likelihood.of(tables)
    for i, table in enumerate(tables):
        for place in np.ndindex(table.shape):
            moved = []
            for change in (1e-6, -1e-6):
                other = table.copy()
                other[place] += change
                moved.append(likelihood.of([*tables[:i], other, *tables[i + 1 :]])[0])
            assert (moved[0] - moved[1]) / 2e-6 == pytest.approx(expected[i][place] / table[place], rel=1e-4, abs=1e-4)


# --- counts


@given(networks(most=5), st.integers(0, 2**32), st.sampled_from(["laplace", "m-estimate", "friedman", "dirichlet"]))
def test_counted_tables_are_distributions_and_near_what_is_counted(network: Network, seed: int, kind: str) -> None:
    codes = draw_rows(network, np.random.default_rng(seed), 6, 0.3)
    for table in count_tables(network, codes, parse_estimate(kind)):
        np.testing.assert_allclose(table.sum(axis=-1), 1.0)
        assert (table > 0).all()


def tally(network: Network, codes: np.ndarray, i: int) -> Floats:
    counts = np.zeros_like(network.variables[i].table)
    for row in codes:
        place = (*(row[j] for j in network.parents[i]), row[i])
        if min(place) >= 0:
            counts[place] += 1
    return counts


@given(networks(most=5), st.integers(0, 2**32))
def test_counts_by_their_formulas(network: Network, seed: int) -> None:
    codes = draw_rows(network, np.random.default_rng(seed), 8, 0.2)
    laplace, frequency = (count_tables(network, codes, parse_estimate(kind)) for kind in ("laplace", "frequency"))
    m = count_tables(network, codes, parse_estimate({"kind": "m-estimate", "m": 3}))
    for i, k in enumerate(network.arity):
        counts = tally(network, codes, i)
        total = counts.sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(laplace[i], (counts + 1) / (total + k))
        np.testing.assert_allclose(frequency[i], np.where(total > 0, counts / np.maximum(total, 1), 1 / k))
        of_value = counts.reshape(-1, k).sum(axis=0)
        marginal = (of_value + 1) / (of_value.sum() + k)
        expected = (counts + 3 * marginal) / (total + 3) if network.parents[i] else (counts + 1) / (total + k)
        np.testing.assert_allclose(m[i], expected)


def test_frequencies_are_most_likely() -> None:
    rng = np.random.default_rng(1)
    network = random_network(rng, 5)
    codes = draw_rows(network, rng, 50)
    likelihood = Likelihood(network, codes)
    best, _ = likelihood.of(count_tables(network, codes, parse_estimate("frequency")))
    for kind in ("laplace", "m-estimate"):
        assert likelihood.of(count_tables(network, codes, parse_estimate(kind)))[0] <= best
    assert likelihood.of(tables_of(network))[0] <= best


def test_a_prior_of_numbers_is_refused() -> None:
    network = load_network("campfire")
    with pytest.raises(ValueError, match="prior marginal or uniform"):
        count_tables(network, np.zeros((1, 6), dtype=int), parse_estimate({"kind": "m-estimate", "prior": 0.25}))


# --- gradient ascent


@settings(max_examples=40)
@given(networks(most=4), st.integers(0, 2**32), st.sampled_from([0.1, 0.5, 1.0]), st.booleans())
def test_gradient_ascent_never_falls(network: Network, seed: int, hidden: float, random: bool) -> None:
    rng = np.random.default_rng(seed)
    codes = draw_rows(network, rng, 10, hidden)
    told: list[tuple[int, float, float]] = []
    start = starting_tables(network, rng if random else None)
    done = ascend(network, codes, start, iterations=30, report=lambda *line: told.append(line))
    values = [value for value, _ in done.path]
    assert all(before < after for before, after in pairwise(values))
    assert [(value, step) for _, value, step in told] == done.path
    assert values[-1] == pytest.approx(Likelihood(network, codes).of(tables_of(done.network))[0], abs=1e-9)
    for table in tables_of(done.network):
        assert (table > 0).all()
        np.testing.assert_allclose(table.sum(axis=-1), 1.0)


def test_of_complete_data_it_finds_the_frequencies() -> None:
    rng = np.random.default_rng(2)
    network = random_network(rng, 5)
    codes = draw_rows(network, rng, 200)
    best, _ = Likelihood(network, codes).of(count_tables(network, codes, parse_estimate("frequency")))
    done = ascend(network, codes, starting_tables(network, rng))
    assert done.path[-1][0] == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_it_ends_where_expectation_maximization_does(seed: int) -> None:
    """A hidden cause of four effects: both end in a maximum, from the same start in the same one."""
    rng = np.random.default_rng(seed)
    effects = [Variable(f"e{i}", ("y", "n"), ("cause",), np.array([[0.9, 0.1], [0.2, 0.8]])) for i in range(4)]
    network = Network("mixture", (Variable("cause", ("a", "b"), (), np.array([0.4, 0.6])), *effects))
    codes = draw_rows(network, rng, 150)
    codes[:, 0] = -1
    likelihood = Likelihood(network, codes)
    tables = starting_tables(network, np.random.default_rng(seed))
    done = ascend(network, codes, tables, tolerance=1e-9)
    for _ in range(3000):
        value, expected = likelihood.of(tables)
        tables = [rows / rows.sum(axis=-1, keepdims=True) for rows in expected]
    assert done.path[-1][0] == pytest.approx(value, abs=1e-4)


def test_the_printed_rule_falls_where_the_projected_one_does_not() -> None:
    """Counts 991 and 9 at their most likely table: both gradients are 1000, and adding them evens the table out."""
    network = Network("one", (Variable("A", ("a", "b"), (), np.array([0.991, 0.009])),))
    codes = np.array([[0]] * 991 + [[1]] * 9)
    for step in (1e-3, 1e-6, 1e-8):
        printed = [v for v, _ in ascend_as_printed(network, codes, tables_of(network), step=step, iterations=3).path]
        assert printed[1] < printed[0]
    projected = ascend(network, codes, tables_of(network)).path
    assert projected[-1][0] >= projected[0][0]
    from_half = ascend(network, codes, [np.array([0.5, 0.5])])
    np.testing.assert_allclose(from_half.network["A"].table, [0.991, 0.009], atol=1e-4)


def test_zeros_of_the_file_start_positive() -> None:
    network = load_network("play-tennis")
    start = starting_tables(network)[network.index["Outlook"]]
    assert (start > 0).all()
    np.testing.assert_array_equal(start[0], network["Outlook"].table[0])
    np.testing.assert_allclose(start[1], 0.999 * network["Outlook"].table[1] + 0.001 / 3)
