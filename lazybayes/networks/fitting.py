"""Learning the tables of a network whose structure is given (Mitchell 6.11.4-6.11.5; Russell et al. 1995).

Where all values are observed, the tables are estimated from counts, as for naive Bayes. Where some are hidden,
ln P(D|h) is maximized by gradient ascent. Its derivative by a table's entry w is the sum over rows of
P(y, u | row) / w. The rule as printed (add the gradient, then renormalize) is no ascent direction on the simplex of a
table's row. So the default projects the gradient by softmax parameters ("exponentiated gradient"; Bauer, Koller &
Singer 1997): with N_j the expected rows of entry j and N their sum over its row, the entry is multiplied by
exp(step * (N_j / (N w_j) - 1)) and the row renormalized. w stays positive, and the step is halved until ln P(D|h)
rises: so it never falls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.estimates import Estimate
from lazybayes.networks.elimination import Plan, batch_plans, blocks, eliminate
from lazybayes.networks.network import Network

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
Tables = list[Floats]

SMALLEST = 1e-12
"""No entry becomes smaller in gradient ascent, so that it can rise again."""

UNIFORM_SHARE = 1e-3
"""How much of the uniform distribution enters a row that starts with a zero."""

LARGEST_STEP = 2.0**20
PATIENCE = 3
"""Iterations in a row with less than the tolerance gained that end an ascent."""


@dataclass
class Ascent:
    """A gradient ascent: its network, and (ln P(D|h), step) at the start (step 0) and after each iteration."""

    network: Network
    path: list[tuple[float, float]] = field(default_factory=list)


def count_tables(network: Network, codes: Ints, estimate: Estimate) -> Tables:
    """Tables from counts. codes: (n, variables), -1 = hidden: a row counts where it knows a variable and its parents.

    A variable without parents is estimated as classes are (`Estimate.of_class`), any other as values given a class,
    its parents' values together being the class; the marginal prior is that of the counted rows. A row of a table
    without counts or prior (``frequency`` alone) is uniform.

    Raises ValueError for a prior of given numbers, which makes no distribution of a table's rows.
    """
    check_estimate(estimate)
    tables = []
    for number, parents in enumerate(network.parents):
        axes = [*parents, number]
        shape = tuple(network.arity[axis] for axis in axes)
        known = codes[(codes[:, axes] >= 0).all(axis=1)]
        cell = np.ravel_multi_index(tuple(known[:, axis] for axis in axes), shape)
        counts = np.bincount(cell, minlength=math.prod(shape)).reshape(-1, shape[-1]).astype(np.float64)
        tables.append(_estimated(counts, estimate, bool(parents)).reshape(shape))
    return tables


def check_estimate(estimate: Estimate) -> None:
    """Raises ValueError for a prior of given numbers, which makes no distribution of a table's rows."""
    if estimate.prior not in ("marginal", "uniform"):
        raise ValueError("the tables of a network need the prior marginal or uniform")


def _estimated(counts: Floats, estimate: Estimate, has_parents: bool) -> Floats:
    """(U, k) probabilities from (U, k) counts."""
    k = counts.shape[1]
    total = counts.sum(axis=1, keepdims=True)
    if not has_parents:
        return estimate.of_class(counts, total, k)
    of_value = counts.sum(axis=0)
    table = estimate.conditional(counts, total, of_value, of_value.sum(), np.asarray(float(k)))
    return np.where(table.sum(axis=1, keepdims=True) > 0, table, 1.0 / k)


class Likelihood:
    """Ln P(D|h) and the expected rows of every table's entry, for any tables of one network and one data set."""

    def __init__(self, network: Network, codes: Ints) -> None:
        """codes: (n, variables), -1 = hidden; rows alike are taken once."""
        self.network = network
        rows, times = np.unique(codes, axis=0, return_counts=True)
        plans = batch_plans(network, rows, about=range(len(network)))
        self._groups = [(plan, rows[mine], times[mine].astype(np.float64)) for plan, mine in plans]
        for plan, _ in plans:
            plan.check_size()

    def of(self, tables: Sequence[Floats]) -> tuple[float, Tables]:
        """Ln P(D|h), -inf if a row is impossible, and the expected rows of each entry, one array a table."""
        expected = [np.zeros_like(table) for table in tables]
        with np.errstate(divide="ignore"):
            logs = [np.log(table) for table in tables]
        total = 0.0
        for plan, rows, times in self._groups:
            for block in blocks(plan, len(rows)):
                done = eliminate(plan, logs, rows[block])
                total += float(times[block] @ done.log_evidence)
                for place, posterior in enumerate(done.posteriors()):
                    self._add(plan, place, rows[block], times[block], posterior, expected)
        return total, expected

    def _add(self, plan: Plan, place: int, rows: Ints, times: Floats, posterior: Floats, expected: Tables) -> None:
        number = plan.families[place]
        axes = (*self.network.parents[number], number)
        fixed = [axis for axis in axes if axis in plan.given]
        entries = np.transpose(expected[number], [axes.index(axis) for axis in (*fixed, *plan.free[place])])
        weighted = posterior * times.reshape(-1, *[1] * (posterior.ndim - 1))
        if fixed:
            np.add.at(entries, tuple(rows[:, axis] for axis in fixed), weighted)
        else:
            entries += weighted.sum(axis=0)


def starting_tables(network: Network, rng: np.random.Generator | None = None) -> Tables:
    """Where an ascent begins: the network's own tables, made positive, or random ones (each row a uniform draw)."""
    tables = []
    for variable in network.variables:
        table, k = variable.table, len(variable.values)
        if rng is not None:
            table = rng.dirichlet(np.ones(k), size=table.shape[:-1])
        zeros = (table <= 0).any(axis=-1, keepdims=True)
        tables.append(np.where(zeros, (1 - UNIFORM_SHARE) * table + UNIFORM_SHARE / k, table))
    return tables


def ascend(
    network: Network,
    codes: Ints,
    start: Sequence[Floats],
    *,
    iterations: int = 1000,
    tolerance: float = 1e-6,
    report: Callable[[int, float, float], None] = lambda iteration, log_likelihood, step: None,
) -> Ascent:
    """Maximizes ln P(D|h) along the projected gradient; each iteration's ln P is above the one before.

    codes: (n, variables), -1 = hidden. Ends after `PATIENCE` iterations in a row that gain less than the tolerance, or
    when no step rises. report: told (iteration, ln P, step).
    """
    likelihood = Likelihood(network, codes)
    tables = list(start)
    value, expected = likelihood.of(tables)
    path = [(value, 0.0)]
    report(0, value, 0.0)
    step, idle = 1.0, 0
    for iteration in range(1, iterations + 1):
        directions = [_direction(table, rows) for table, rows in zip(tables, expected, strict=True)]
        while step > 1e-9:
            moved = [_moved(table, step * way) for table, way in zip(tables, directions, strict=True)]
            new_value, new_expected = likelihood.of(moved)
            if new_value > value:
                break
            step /= 2
        else:
            break
        idle = idle + 1 if new_value - value < tolerance else 0
        tables, value, expected = moved, new_value, new_expected
        path.append((value, step))
        report(iteration, value, step)
        if idle == PATIENCE:
            break
        step = min(2 * step, LARGEST_STEP)
    return Ascent(network.with_tables(tables), path)


def ascend_as_printed(
    network: Network,
    codes: Ints,
    start: Sequence[Floats],
    *,
    step: float,
    iterations: int = 1000,
    tolerance: float = 1e-6,
    report: Callable[[int, float, float], None] = lambda iteration, log_likelihood, step: None,
) -> Ascent:
    """The rule as it is printed: add step times the gradient, renormalize each row. ln P(D|h) may fall.

    Otherwise as `ascend`.
    """
    likelihood = Likelihood(network, codes)
    tables = list(start)
    value, expected = likelihood.of(tables)
    path = [(value, 0.0)]
    report(0, value, 0.0)
    idle = 0
    for iteration in range(1, iterations + 1):
        tables = [_positive(table + step * rows / table) for table, rows in zip(tables, expected, strict=True)]
        before = value
        value, expected = likelihood.of(tables)
        path.append((value, step))
        report(iteration, value, step)
        idle = idle + 1 if abs(value - before) < tolerance else 0
        if idle == PATIENCE:
            break
    return Ascent(network.with_tables(tables), path)


def _direction(table: Floats, expected: Floats) -> Floats:
    """The gradient of each row divided by its expected rows, its mean under the row taken off; 0 where it has none.

    A row with a long way to go is shortened to 1, so that it does not hold up the others.
    """
    total = expected.sum(axis=-1, keepdims=True)
    ratio = np.where(total > 0, expected / np.where(total > 0, total, 1.0) / table - 1, 0.0)
    return np.asarray(ratio / np.maximum(1.0, ratio.max(axis=-1, keepdims=True)))


def _moved(table: Floats, change: Floats) -> Floats:
    """Tables whose softmax parameters have changed."""
    return _positive(table * np.exp(change - change.max(axis=-1, keepdims=True)))


def _positive(table: Floats) -> Floats:
    table = np.maximum(table / table.sum(axis=-1, keepdims=True), SMALLEST)
    return np.asarray(table / table.sum(axis=-1, keepdims=True))
