"""Questions as users write them; impossible evidence; sampling within its own standard errors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from lazybayes.errors import UsageError
from lazybayes.networks.files import load_network
from lazybayes.networks.network import Network, Variable
from lazybayes.networks.queries import exact, parse_ask, parse_given, sample
from lazybayes.networks.sampling import BLOCK
from tests.networks.reference import likely_evidence, posterior, random_network

ODD = Network(
    "odd",
    (
        Variable("a=b", ("x", "1,5"), (), np.array([0.5, 0.5])),
        Variable("a", ("b=x", "c"), (), np.array([0.5, 0.5])),
        Variable("with, comma", ("[0,5; 1)", "y"), (), np.array([0.5, 0.5])),
    ),
)


def machine() -> Network:
    """A stop is certain if there is a leak or a jam, and impossible without."""
    stop = np.array([[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    yes_no = ("yes", "no")
    return Network(
        "machine",
        (
            Variable("leak", yes_no, (), np.array([0.03, 0.97])),
            Variable("jam", yes_no, (), np.array([0.08, 0.92])),
            Variable("stop", yes_no, ("leak", "jam"), stop),
            Variable("lamp", yes_no, ("stop",), np.array([[0.96, 0.04], [0.1, 0.9]])),
        ),
    )


# --- the textbook


def test_play_tennis() -> None:
    network = load_network("play-tennis")
    given = parse_given(network, ["outlook=sunny,temperature=cool", "humidity=high,wind=strong"])
    answer = exact(network, given, parse_ask(network, ["play"]))
    np.testing.assert_allclose(answer.posteriors[0].table, [1 - 0.795417348608838, 0.795417348608838], atol=1e-12)
    assert np.exp(answer.log_evidence) == pytest.approx(0.005291005291005291 + 0.020571428571428574)


def test_campfire_is_independent_of_thunder_given_its_parents() -> None:
    network = load_network("campfire")
    for storm, bus, p in [("true", "true", 0.4), ("true", "false", 0.1), ("false", "true", 0.8)]:
        for further in ("", ",thunder=true,lightning=false", ",thunder=false"):
            given = parse_given(network, [f"storm={storm},bus={bus}{further}"])
            assert exact(network, given, [network.find("camp")]).posteriors[0].table[0] == pytest.approx(p, abs=1e-12)


# --- what a user writes


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["a=b=x"], {0: 0}),  # the longest name that fits
        (["a=c"], {1: 1}),
        (["a=c", "a=b=x"], {1: 1, 0: 0}),
        (["a=b=1,5"], {0: 1}),  # one exact pair, comma and all
        (['a=b="1,5",a=c'], {0: 1, 1: 1}),
        (["with, comma=[0,5; 1)"], {2: 0}),
        (['"with, comma=[0,5; 1)", a = c '], {2: 0, 1: 1}),
        (['"with, comma"="[0,5; 1)"'], {2: 0}),
        (["WITH=Y,"], {2: 1}),
        ([], {}),
    ],
)
def test_evidence_as_users_write_it(options: list[str], expected: dict[int, int]) -> None:
    assert parse_given(ODD, options) == expected


def test_questions_as_users_write_them() -> None:
    assert parse_ask(ODD, ["with, comma", "a,a=b"]) == [2, 1, 0]
    assert parse_ask(ODD, ['"with, comma",a']) == [2, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["storm"], "NAME=VALUE is expected"),
        (["strom=true"], r"did you mean Storm\?"),
        (["storm=ture"], r"Storm has no value ture \(did you mean true\?\); it has true, false"),
        (["storm=true", "Storm=false"], "Storm cannot be true and false at once"),
    ],
)
def test_evidence_that_is_not_understood(options: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_given(load_network("campfire"), options)


def test_evidence_given_twice_alike_is_fine() -> None:
    assert parse_given(load_network("campfire"), ["storm=true,STORM=TRUE"]) == {0: 0}


@pytest.mark.parametrize(
    ("given", "ask", "message"),
    [({0: 0}, [0], "both given and asked"), ({}, [1, 1], "asked twice"), ({}, [], "no var")],
)
def test_questions_that_make_no_sense(given: dict[int, int], ask: list[int], message: str) -> None:
    network = load_network("campfire")
    with pytest.raises(UsageError, match=message):
        exact(network, given, ask)
    with pytest.raises(UsageError, match=message):
        sample(network, given, ask, 10, 1)


# --- impossible evidence


def test_certain_and_impossible_evidence() -> None:
    network = machine()
    assert exact(network, {2: 0, 0: 1}, [1]).posteriors[0].table.tolist() == [1.0, 0.0]
    lamp = exact(network, {2: 0}, [3])
    np.testing.assert_allclose(lamp.posteriors[0].table, [0.96, 0.04], atol=1e-15)
    assert np.exp(lamp.log_evidence) == pytest.approx(0.1076)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for joint in (False, True):
            with pytest.raises(UsageError, match=r"stop = yes, leak = no, jam = no has probability 0"):
                exact(network, {2: 0, 0: 1, 1: 1}, [3], joint=joint)
            with pytest.raises(UsageError, match=r"stop = yes, leak = no, jam = no has probability 0, or so little"):
                sample(network, {2: 0, 0: 1, 1: 1}, [3], 1000, 1, joint=joint)


def test_evidence_that_some_samples_contradict() -> None:
    """Without leak, only the samples with a jam have weight."""
    network = machine()
    answer = sample(network, {2: 0, 0: 1}, [1, 3], 2 * BLOCK, 1)
    assert answer.posteriors[0].table.tolist() == [1.0, 0.0]
    assert answer.effective == pytest.approx(2 * BLOCK * 0.08, rel=0.1)
    assert np.exp(answer.log_evidence) == pytest.approx(0.97 * 0.08, rel=0.1)


# --- sampling


@pytest.mark.parametrize("seed", range(8))
def test_sampling_is_within_its_standard_errors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    network = random_network(rng, 7, zeros=0.1)
    chosen = rng.permutation(7).tolist()
    given, ask = likely_evidence(network, rng, chosen[:2]), chosen[2:4]
    table, p = posterior(network, given, ask)
    answer = sample(network, given, ask, BLOCK + 4000, seed, joint=True)
    (found,) = answer.posteriors
    assert found.errors is not None
    assert answer.effective is not None
    assert np.all(np.abs(found.table - table / p) <= 5 * np.maximum(found.errors, 1 / answer.effective))
    # the errors are of the right size: those of a draw of `effective` samples, up to what the weights do to them
    plain = np.sqrt(found.table * (1 - found.table) / answer.effective)
    assert np.all(found.errors <= np.maximum(3 * plain, 1 / (answer.effective + 1)) + 1e-12)
    assert answer.log_evidence == pytest.approx(np.log(p), abs=0.2)
    again = sample(network, given, ask, BLOCK + 4000, seed, joint=True)
    assert np.array_equal(again.posteriors[0].table, found.table)
    other = sample(network, given, ask, BLOCK + 4000, seed + 100, joint=True)
    assert found.table.size == 1 or not np.array_equal(other.posteriors[0].table, found.table) or found.table.max() == 1


def test_errors_of_unweighted_samples_are_binomial() -> None:
    answer = sample(machine(), {}, [0], 10_000, 3)
    (found,) = answer.posteriors
    assert found.errors is not None
    np.testing.assert_allclose(found.errors, np.sqrt(found.table * (1 - found.table) / 10_000))
    assert answer.effective == pytest.approx(10_000)


def test_a_sampled_probability_of_0_or_1_has_an_error() -> None:
    """100 samples without weights: Wilson's interval of 0 of 100 ends at 1 / 101 for one standard error."""
    table = np.array([1.0, 0.0])
    network = Network("n", (Variable("a", ("x", "y"), (), table), Variable("b", ("z",), (), np.array([1.0]))))
    answer = sample(network, {}, [0, 1], 100, 1)
    assert answer.posteriors[0].table.tolist() == [1, 0]
    assert answer.posteriors[0].errors == pytest.approx(np.array([1 / 101, 1 / 101]))
    assert answer.posteriors[1].errors == pytest.approx(np.array([0.0]))  # its one value is certain
