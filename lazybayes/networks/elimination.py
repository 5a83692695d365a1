"""Exact inference by variable elimination, forwards and backwards, for one set of evidence or a batch of them.

Forwards: every table is cut to the evidence (evidence first), variables that are no ancestors of what is asked or known
are left out (barren), and the others are summed out one by one; the order is planned on the graph alone, by the
smaller total of two greedy rules, min-fill and min-weight (Koller & Friedman 2009, 9.4.3). Backwards: the derivative
of ln P(evidence) by ln of a table's entry is the entry's posterior P(y, u | evidence) (Darwiche 2003), so one pass back
over the stored tables gives the posterior of every variable with its parents.

All tables hold logarithms, so that no product of many small numbers becomes 0.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lazybayes.errors import UsageError
from lazybayes.networks.network import Network

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]

MOST_ENTRIES = 1 << 25
"""Entries that the tables of one elimination may have together (256 MB)."""

STEP_ENTRIES = 3000
"""How many entries of large tables cost as much as a step with small ones (measured)."""

BATCH_ENTRIES = 1 << 22
"""The same for a batch of evidence, which is taken in blocks (32 MB)."""


@dataclass(frozen=True)
class EliminationStep:
    """Adds up some tables and sums a variable out. inputs: numbers of tables; scope: their variables, ascending."""

    variable: int
    inputs: tuple[int, ...]
    scope: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """How a query is answered, whatever the values of its evidence.

    given: variables known in every set of evidence of a batch; seen: those known in some. The tables are numbered:
    first those of the families that take part, then a table a seen variable that rules out its other values, then the
    steps' results. free: the variables of the first and second of these, ascending; ask: the variables that are kept,
    ascending; last: the tables left at the end, over `ask`.
    """

    network: Network
    given: frozenset[int]
    seen: tuple[int, ...]
    ask: tuple[int, ...]
    families: tuple[int, ...]
    free: tuple[tuple[int, ...], ...]
    steps: tuple[EliminationStep, ...]
    last: tuple[int, ...]

    @cached_property
    def entries(self) -> int:
        """Entries of all tables of the elimination together."""
        scopes = [*self.free, *(step.scope for step in self.steps), self.ask]
        return sum(_size(self.network, scope) for scope in scopes)

    @property
    def fits(self) -> bool:
        """Whether its tables are small enough."""
        return self.entries <= MOST_ENTRIES

    def check_size(self) -> None:
        """Raises UsageError with the size it would have had, for a query whose tables do not fit."""
        if not self.fits:
            widest = max((step.scope for step in self.steps), key=lambda scope: _size(self.network, scope), default=())
            widest = max(widest, self.ask, key=lambda scope: _size(self.network, scope))
            raise UsageError(
                f"{self.network.name}: the exact answer needs tables of {_count(self.entries)} numbers "
                f"({_bytes(8 * self.entries)}; the largest is over {len(widest)} variables); at most "
                f"{_count(MOST_ENTRIES)} ({_bytes(8 * MOST_ENTRIES)}) are allowed: `--sample N` answers without them"
            )


def make_plan(
    network: Network,
    given: Collection[int],
    ask: Collection[int] = (),
    about: Collection[int] = (),
    seen: Collection[int] = (),
) -> Plan:
    """Plans the elimination of all variables but those given and asked, which must not overlap.

    about: further variables whose posteriors will be wanted; seen: further evidence, known in some rows of a batch.
    What is no ancestor of any of these is barren: the answer does not depend on it, and it is left out.
    """
    # a variable of one value is known, and would only lengthen the scopes
    known = frozenset(given) | {i for i, k in enumerate(network.arity) if k == 1 and i not in ask}
    kept = tuple(sorted(set(ask)))
    families = tuple(sorted(network.ancestors({*given, *seen, *ask, *about})))
    ruled = tuple(sorted({*seen} - known))
    free = (*(tuple(sorted({i, *network.parents[i]} - known)) for i in families), *((i,) for i in ruled))
    orders = [_order(network, free, kept, by_fill) for by_fill in (True, False)]
    plans = [Plan(network, known, ruled, kept, families, free, *_steps(free, order)) for order in orders]
    return min(plans, key=lambda plan: plan.entries)


@dataclass(frozen=True)
class Elimination:
    """A finished pass forwards over B sets of evidence.

    joint: (B, k of each asked variable) ln P(asked, evidence); log_evidence: (B,) ln P(evidence), -inf where it is 0.
    """

    plan: Plan
    tables: list[Floats]
    sums: list[Floats]
    joint: Floats
    log_evidence: Floats

    def posteriors(self) -> list[Floats]:
        """(B, k of each free variable, ascending) P(the family's free variables | evidence), one array a family.

        0 where the evidence has probability 0.
        """
        plan = self.plan
        back: list[Floats | float] = [0.0] * len(self.tables)
        weight = _ratio(self.joint, self.log_evidence.reshape(-1, *[1] * len(plan.ask)))
        for number in plan.last:
            back[number] = back[number] + _reduce(weight, plan.ask, self._scope(number))
        for place in reversed(range(len(plan.steps))):
            step, result = plan.steps[place], len(plan.free) + place
            axis = 1 + step.scope.index(step.variable)
            weight = _ratio(self.sums[place], np.expand_dims(self.tables[result], axis))
            weight = weight * np.expand_dims(np.asarray(back[result]), axis)
            for number in step.inputs:
                back[number] = back[number] + _reduce(weight, step.scope, self._scope(number))
        return [np.asarray(entry) for entry in back[: len(plan.families)]]

    def _scope(self, number: int) -> tuple[int, ...]:
        n_first = len(self.plan.free)
        if number < n_first:
            return self.plan.free[number]
        step = self.plan.steps[number - n_first]
        return tuple(i for i in step.scope if i != step.variable)


def eliminate(plan: Plan, log_tables: Sequence[Floats], codes: Ints) -> Elimination:
    """Runs a plan. log_tables: ln of each variable's table; codes: (B, n) values of the evidence, -1 where a seen
    variable is not known; those of other variables are not read.

    Raises UsageError if the tables do not fit.
    """
    plan.check_size()
    codes = np.where(np.array(plan.network.arity) == 1, 0, codes)
    tables = [cut(plan, log_tables, place, codes) for place in range(len(plan.families))]
    tables += [_ruling(codes[:, i, None], plan.network.arity[i]) for i in plan.seen]
    scopes = list(plan.free)
    sums = []
    for step in plan.steps:
        total = _add([(tables[i], scopes[i]) for i in step.inputs], step.scope)
        axis = 1 + step.scope.index(step.variable)
        sums.append(total)
        tables.append(_log_sum(total, axis))
        scopes.append(tuple(i for i in step.scope if i != step.variable))
    joint = _add([(tables[i], scopes[i]) for i in plan.last], plan.ask)
    joint = np.broadcast_to(joint, (len(codes), *joint.shape[1:]))
    return Elimination(plan, tables, sums, joint, _log_sum(joint.reshape(len(codes), -1), 1))


def cut(plan: Plan, log_tables: Sequence[Floats], place: int, codes: Ints) -> Floats:
    """(B, k of each free variable, ascending) the table of a family at the evidence; B is 1 if no evidence is in it."""
    number = plan.families[place]
    axes = (*plan.network.parents[number], number)
    fixed = [axis for axis in axes if axis in plan.given]
    table = np.transpose(log_tables[number], [axes.index(axis) for axis in (*fixed, *plan.free[place])])
    return np.asarray(table[tuple(codes[:, axis] for axis in fixed)] if fixed else table[None])


def blocks(plan: Plan, n: int) -> Iterable[slice]:
    """Slices of n sets of evidence whose tables stay within `BATCH_ENTRIES`."""
    step = max(1, BATCH_ENTRIES // max(1, plan.entries))
    return (slice(start, min(n, start + step)) for start in range(0, n, step))


def batch_plans(
    network: Network, codes: Ints, ask: Collection[int] = (), about: Collection[int] = ()
) -> list[tuple[Plan, Ints]]:
    """Plans for a batch of evidence whose rows know different variables: each with the positions of its rows.

    Rows that know the same variables share a plan, in which evidence makes tables small; or all share one, in which
    evidence only rules out values, where the rows differ so much that the steps of many plans would cost more.
    codes: (B, n), -1 = not known.
    """
    known = codes >= 0
    patterns, pattern = np.unique(known, axis=0, return_inverse=True)
    if len(patterns) > 1:
        always, some = known.all(axis=0), known.any(axis=0)
        given, seen = (np.flatnonzero(chosen).tolist() for chosen in (always, some & ~always))
        plan = make_plan(network, given, ask, about, seen)
        if plan.entries * len(codes) < STEP_ENTRIES * len(network) * len(patterns):
            return [(plan, np.arange(len(codes)))]
    return [
        (make_plan(network, np.flatnonzero(own).tolist(), ask, about), np.flatnonzero(pattern.reshape(-1) == number))
        for number, own in enumerate(patterns)
    ]


def log_tables(network: Network) -> list[Floats]:
    """Logarithms of every variable's table; -inf for 0."""
    with np.errstate(divide="ignore"):
        return [np.log(variable.table) for variable in network.variables]


def _ruling(code: Ints, k: int) -> Floats:
    """(B, k) 0 for the values that evidence allows, -inf for others. code: (B, 1), -1 = not known."""
    return np.where((code < 0) | (code == np.arange(k)), 0.0, -np.inf)


def _order(network: Network, scopes: Sequence[tuple[int, ...]], keep: tuple[int, ...], by_fill: bool) -> list[int]:
    """The variables to sum out: by fewest arcs added, then by the smallest table, or the other way round."""
    near: dict[int, set[int]] = {i: set() for scope in scopes for i in scope}
    for scope in scopes:
        for i in scope:
            near[i].update(scope)
    for i in near:
        near[i].discard(i)

    def cost(i: int) -> tuple[int, int]:
        fill = sum(len(near[i] - near[j]) - 1 for j in near[i]) // 2
        weight = _size(network, near[i]) * network.arity[i]
        return (fill, weight) if by_fill else (weight, fill)

    costs = {i: cost(i) for i in sorted(near) if i not in keep}
    order = []
    while costs:
        best = min(costs, key=lambda i: (costs[i], i))
        del costs[best]
        order.append(best)
        around = near.pop(best)
        for i in around:
            near[i].update(around)
            near[i].difference_update((i, best))
        for i in set().union(around, *(near[i] for i in around)) & costs.keys():
            costs[i] = cost(i)
    return order


def _steps(
    free: Sequence[tuple[int, ...]], order: Sequence[int]
) -> tuple[tuple[EliminationStep, ...], tuple[int, ...]]:
    """The steps of an order, and the tables that are left after them."""
    scopes = dict(enumerate(free))
    holding: dict[int, set[int]] = {}
    for number, scope in scopes.items():
        for i in scope:
            holding.setdefault(i, set()).add(number)
    steps: list[EliminationStep] = []
    for variable in order:
        inputs = tuple(sorted(holding[variable]))
        scope = tuple(sorted({i for number in inputs for i in scopes[number]}))
        result = len(free) + len(steps)
        steps.append(EliminationStep(variable, inputs, scope))
        for number in inputs:
            for i in scopes.pop(number):
                holding[i].discard(number)
        scopes[result] = tuple(i for i in scope if i != variable)
        for i in scopes[result]:
            holding[i].add(result)
    return tuple(steps), tuple(scopes)


def _add(parts: Sequence[tuple[Floats, tuple[int, ...]]], scope: tuple[int, ...]) -> Floats:
    """The sum of log tables over a joint scope; (1, 1, ...) zeros of no table."""
    total = np.zeros((1,) * (1 + len(scope)))
    for table, own in sorted(parts, key=lambda part: part[0].size):
        sizes = dict(zip(own, table.shape[1:], strict=True))
        total = total + table.reshape(len(table), *(sizes.get(i, 1) for i in scope))
    return total


def _reduce(weight: Floats, scope: tuple[int, ...], own: tuple[int, ...]) -> Floats:
    """Sums a table over `scope` down to `own`; axis 0, the batch, stays."""
    return np.asarray(weight.sum(axis=tuple(1 + place for place, i in enumerate(scope) if i not in own)))


def _ratio(part: Floats, whole: Floats) -> Floats:
    """exp(part - whole), 0 where the whole is impossible."""
    return np.exp(part - np.where(np.isneginf(whole), 0.0, whole))


def _log_sum(logs: Floats, axis: int) -> Floats:
    """The logarithm of the sum of exp along an axis; -inf where all are."""
    peak = logs.max(axis=axis, keepdims=True)
    peak = np.where(np.isneginf(peak), 0.0, peak)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - peak).sum(axis=axis)) + np.squeeze(peak, axis))


def _size(network: Network, scope: Iterable[int]) -> int:
    return math.prod(network.arity[i] for i in scope)


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"about 10^{round(math.log10(number))}"


def _bytes(number: int) -> str:
    units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    power = min((max(number, 1).bit_length() - 1) // 10, len(units) - 1)
    if number >> 10 * power >= 1000:
        return f"{_count(number >> 10 * power)} {units[power]}"
    return f"{number / 1024**power:.3g} {units[power]}"
