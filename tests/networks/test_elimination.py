"""Exact answers against the full joint distribution, and against pyAgrum on standard networks where it is installed."""

from __future__ import annotations

import gzip
import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.errors import UsageError
from lazybayes.networks import elimination
from lazybayes.networks.elimination import batch_plans, eliminate, log_tables, make_plan
from lazybayes.networks.files import load_network
from lazybayes.networks.network import Network, Variable
from lazybayes.networks.queries import exact
from tests.networks.reference import joint, likely_evidence, networks, posterior, random_network, worlds


@given(networks(), st.data())
def test_elimination_is_enumeration(network: Network, data: st.DataObject) -> None:
    n = len(network)
    ask = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3, unique=True))
    rest = [i for i in range(n) if i not in ask]
    known = data.draw(st.lists(st.sampled_from(rest), unique=True)) if rest else []
    evidence = {i: data.draw(st.integers(0, network.arity[i] - 1)) for i in known}
    table, p = posterior(network, evidence, ask)
    if p == 0:
        for together in (False, True):
            with pytest.raises(UsageError, match="probability 0"):
                exact(network, evidence, ask, joint=together)
        return
    together = exact(network, evidence, ask, joint=True)
    assert together.log_evidence == pytest.approx(math.log(p), abs=1e-12)
    np.testing.assert_allclose(together.posteriors[0].table, table / p, atol=1e-12)
    single = exact(network, evidence, ask)
    assert single.log_evidence == pytest.approx(math.log(p), abs=1e-12)
    for place, one in enumerate(single.posteriors):
        others = tuple(axis for axis in range(len(ask)) if axis != place)
        assert one.variables == (ask[place],)
        np.testing.assert_allclose(one.table, table.sum(axis=others) / p, atol=1e-12)


@given(networks(most=6), st.data())
def test_a_batch_gives_the_posterior_of_every_family(network: Network, data: st.DataObject) -> None:
    known = data.draw(st.sets(st.integers(0, len(network) - 1)))
    rows = [[data.draw(st.integers(0, k - 1)) for k in network.arity] for _ in range(3)]
    codes = np.array(rows)
    codes[:, [i for i in range(len(network)) if i not in known]] = -1  # not to be read
    plan = make_plan(network, known, about=range(len(network)))
    done = eliminate(plan, log_tables(network), codes)
    for place, family in enumerate(done.posteriors()):
        free = plan.free[place]
        for b, row in enumerate(rows):
            evidence = {i: row[i] for i in known}
            table, p = posterior(network, evidence, free)
            assert math.exp(done.log_evidence[b]) == pytest.approx(p, abs=1e-12)
            expected = table / p if p else np.zeros(table.shape)
            np.testing.assert_allclose(np.broadcast_to(family, (3, *table.shape))[b], expected, atol=1e-12)


@given(networks(most=6), st.data())
def test_rows_that_know_different_variables_are_answered_alike_by_one_plan_and_by_many(
    network: Network, data: st.DataObject
) -> None:
    rows = [[data.draw(st.integers(-1, k - 1)) for k in network.arity] for _ in range(4)]
    target = data.draw(st.integers(0, len(network) - 1))
    codes = np.array(rows)
    codes[:, target] = -1
    for cost in (0, 1 << 30):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(elimination, "STEP_ENTRIES", cost)
            plans = batch_plans(network, codes, (target,))
        assert len(plans) == (1 if cost else len(np.unique(codes >= 0, axis=0)))
        assert sorted(np.concatenate([mine for _, mine in plans]).tolist()) == [0, 1, 2, 3]
        for plan, mine in plans:
            joint_of = eliminate(plan, log_tables(network), codes[mine]).joint
            for row, logs in zip(codes[mine], joint_of, strict=True):
                table, _ = posterior(network, {i: int(v) for i, v in enumerate(row) if v >= 0}, [target])
                np.testing.assert_allclose(np.exp(logs), table, atol=1e-12)


def test_what_cannot_matter_is_left_out() -> None:
    network = load_network("campfire")
    names = [network.variables[i].name for i in make_plan(network, [network.index["Campfire"]], about=[0]).families]
    assert names == ["Storm", "BusTourGroup", "Campfire"]


@pytest.mark.parametrize("seed", range(3))
def test_forty_variables_agree_with_a_slow_sum(seed: int) -> None:
    """A network of 40 with few unknown variables: the sum over those is small enough to write out."""
    rng = np.random.default_rng(seed)
    network = random_network(rng, 40)
    unknown = rng.choice(40, 8, replace=False).tolist()
    evidence = likely_evidence(network, rng, [i for i in range(40) if i not in unknown])
    answer = exact(network, evidence, unknown)
    sums = {i: np.zeros(network.arity[i]) for i in unknown}
    total = 0.0
    world = [evidence.get(i, 0) for i in range(40)]
    for values in np.ndindex(*(network.arity[i] for i in unknown)):
        for i, value in zip(unknown, values, strict=True):
            world[i] = value
        p = joint(network, world)
        total += p
        for i, value in zip(unknown, values, strict=True):
            sums[i][value] += p
    for one in answer.posteriors:
        np.testing.assert_allclose(one.table, sums[one.variables[0]] / total, atol=1e-12)
    assert answer.log_evidence == pytest.approx(math.log(total), abs=1e-10)


def test_many_small_factors_do_not_become_nothing() -> None:
    """A naive Bayes of 2,000 attributes: P(evidence) is far below the smallest double."""
    cause = Variable("cause", ("a", "b"), (), np.array([0.5, 0.5]))
    rows = np.array([[0.011, 0.989], [0.010, 0.990]])
    network = Network("wide", (cause, *(Variable(f"e{i}", ("y", "n"), ("cause",), rows) for i in range(2000))))
    answer = exact(network, dict.fromkeys(range(1, 2001), 0), [0])
    odds = 2000 * math.log(0.011 / 0.010)
    assert answer.log_evidence == pytest.approx(math.log(0.5) + 2000 * math.log(0.011) + math.log1p(math.exp(-odds)))
    assert answer.posteriors[0].table[1] == pytest.approx(math.exp(-odds), rel=1e-9)


def test_a_query_that_does_not_fit_is_refused_with_its_size() -> None:
    """40 causes of one effect in pairs, all asked together: 2^40 entries are 8 TiB."""
    coin = np.array([0.5, 0.5])
    network = Network("wide", tuple(Variable(f"x{i}", ("y", "n"), (), coin) for i in range(40)))
    with pytest.raises(UsageError, match=r"about 10\^12 numbers \(8 TiB; the largest is over 40 variables\).*--sample"):
        exact(network, {}, range(40), joint=True)
    assert len(exact(network, {}, range(40)).posteriors) == 40  # one by one they fit
    huge = Network("huge", tuple(Variable(f"x{i}", ("y", "n"), (), coin) for i in range(3000)))
    with pytest.raises(UsageError, match=r"10\^903 numbers"):
        exact(huge, {}, range(3000), joint=True)


def test_a_grid_is_planned_by_its_width() -> None:
    """A 4 x 10 grid: a good order's tables are over no more than 5 variables or so, a bad one's over 10 and more."""
    rng = np.random.default_rng(0)
    variables = []
    for column in range(10):
        for row in range(4):
            parents = [f"x{row - 1}_{column}"] * (row > 0) + [f"x{row}_{column - 1}"] * (column > 0)
            table = rng.dirichlet(np.ones(2), size=(2,) * len(parents))
            variables.append(Variable(f"x{row}_{column}", ("y", "n"), tuple(parents), table))
    network = Network("grid", tuple(variables))
    plan = make_plan(network, [], about=range(40))
    assert max(len(step.scope) for step in plan.steps) <= 7
    first = exact(network, {}, [0]).posteriors[0].table
    np.testing.assert_allclose(first, variables[0].table, atol=1e-12)


# --- a peer


def peer(network: Network) -> Any:
    """The same network in pyAgrum (built from these tables: its BIF reader keeps single precision)."""
    gum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    bn = gum.BayesNet(network.name)
    for variable in network.variables:
        bn.add(gum.LabelizedVariable(variable.name, variable.name, [f"v{v}" for v in range(len(variable.values))]))
    for variable in network.variables:
        for parent in variable.parents:
            bn.addArc(parent, variable.name)
    for variable in network.variables:
        cpt, axes = bn.cpt(variable.name), [*variable.parents, variable.name]
        cpt[:] = np.ascontiguousarray(np.transpose(variable.table, [axes.index(name) for name in reversed(cpt.names)]))
    return gum, bn


def compare_with_peer(network: Network, rng: np.random.Generator, queries: int = 3) -> None:
    gum, bn = peer(network)
    for query in range(queries):
        known = rng.choice(len(network), min(2 * query, len(network) - 1), replace=False).tolist()
        evidence = likely_evidence(network, rng, known)
        engine = gum.LazyPropagation(bn)
        engine.setEvidence({network.variables[i].name: value for i, value in evidence.items()})
        engine.makeInference()
        for one in exact(network, evidence, [i for i in range(len(network)) if i not in evidence]).posteriors:
            theirs = np.ravel(engine.posterior(network.variables[one.variables[0]].name).toarray())
            np.testing.assert_allclose(one.table, theirs, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_random_networks_against_pyagrum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    compare_with_peer(random_network(rng, 30, zeros=0.1), rng)


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance", "child", "hailfinder", "win95pts", "andes"])
def test_standard_networks_against_pyagrum(name: str, tmp_path: Path) -> None:
    found = importlib.util.find_spec("pgmpy")  # its wheel (0.1.26) carries the files; it is not imported
    folders = found.submodule_search_locations if found else None
    packed = Path(folders[0]) / "utils" / "example_models" / f"{name}.bif.gz" if folders else None
    if packed is None or not packed.is_file():
        pytest.skip("pgmpy, whose package carries the standard networks, is not installed")
    file = tmp_path / f"{name}.bif"
    file.write_bytes(gzip.decompress(packed.read_bytes()))
    compare_with_peer(load_network(file), np.random.default_rng(0))


def test_the_reference_sums_to_one() -> None:
    network = load_network("campfire")
    assert sum(joint(network, world) for world in worlds(network)) == pytest.approx(1)


def test_variables_that_fit_each_by_itself_are_asked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `joint` a plan for all that is too large is split; with it the question is refused."""
    coin = np.array([0.3, 0.7])
    network = Network("coins", tuple(Variable(f"x{i}", ("y", "n"), (), coin) for i in range(7)))
    whole = exact(network, {0: 0}, [1, 2, 3])
    largest = max(make_plan(network, {0: 0}, about=[i]).entries for i in (1, 2, 3))
    assert make_plan(network, {0: 0}, about=[1, 2, 3]).entries > largest
    monkeypatch.setattr(elimination, "MOST_ENTRIES", largest)
    split = exact(network, {0: 0}, [1, 2, 3])
    assert split.log_evidence == pytest.approx(whole.log_evidence, abs=1e-12)
    for one, other in zip(split.posteriors, whole.posteriors, strict=True):
        assert one.variables == other.variables
        assert one.table == pytest.approx(other.table, abs=1e-12)
    with pytest.raises(UsageError, match="--sample"):
        exact(network, {0: 0}, [1, 2, 3, 4, 5, 6], joint=True)


@pytest.mark.parametrize(
    ("number", "words"),
    [(5, "5 bytes"), (1023, "1,023 bytes"), (1024, "1 KiB"), (1771674010, "1.65 GiB"), (1 << 60, "1,048,576 TiB")],
)
def test_sizes_in_words(number: int, words: str) -> None:
    assert elimination._bytes(number) == words
