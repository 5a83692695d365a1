"""Questions to a network: P(asked | given), exact or by likelihood weighting."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lazybayes.errors import UsageError
from lazybayes.networks.elimination import Elimination, Floats, eliminate, log_tables, make_plan
from lazybayes.networks.network import Network, conditions
from lazybayes.networks.sampling import tally


@dataclass(frozen=True)
class Posterior:
    """P(asked | given) of one or some variables together.

    variables: their numbers, in the order asked; table: (k of each) probabilities; errors: (k of each) standard errors
    of a sampled answer, None of an exact one.
    """

    variables: tuple[int, ...]
    table: Floats
    errors: Floats | None = None


@dataclass(frozen=True)
class QueryAnswer:
    """The posteriors asked for and ln P(given).

    effective: how many samples without weights a sampled answer is worth; None of an exact answer.
    """

    posteriors: tuple[Posterior, ...]
    log_evidence: float
    effective: float | None = None


def exact(network: Network, given: Mapping[int, int], ask: Sequence[int], *, joint: bool = False) -> QueryAnswer:
    """The posterior of each asked variable, or of all together, by variable elimination.

    given: values by variable, both as numbers. Raises UsageError for evidence of probability 0, a variable that is
    both asked and given or asked twice, or tables that do not fit.
    """
    _check(network, given, ask)
    codes = np.zeros((1, len(network)), dtype=np.int64)
    codes[0, list(given)] = list(given.values())
    plan = make_plan(network, given, ask) if joint else make_plan(network, given, about=ask)
    if not (joint or plan.fits or len(ask) == 1):  # each by itself needs less
        answers = [exact(network, given, [i]) for i in ask]
        return QueryAnswer(tuple(answer.posteriors[0] for answer in answers), answers[0].log_evidence)
    done = eliminate(plan, log_tables(network), codes)
    log_evidence = float(done.log_evidence[0])
    if math.isinf(log_evidence):
        raise UsageError(
            f"the evidence {evidence(network, given)} has probability 0: it cannot happen in {network.name}"
        )
    if joint:
        table = np.transpose(_normalized(np.exp(done.joint[0] - log_evidence)), [plan.ask.index(i) for i in ask])
        return QueryAnswer((Posterior(tuple(ask), table),), log_evidence)
    return QueryAnswer(tuple(Posterior((i,), table) for i, table in _marginals(done, ask)), log_evidence)


def sample(
    network: Network,
    given: Mapping[int, int],
    ask: Sequence[int],
    n: int,
    seed: int | None = None,
    *,
    joint: bool = False,
) -> QueryAnswer:
    """The same by likelihood weighting with n samples, with standard errors; a seed gives the same answer again.

    Where the estimate is 0 or 1, the error is 1 / (m + 1), m the effective number of samples: Wilson's (1927) interval
    for one standard error ends there.

    Raises UsageError as `exact` does, and where no sample agrees with the evidence.
    """
    _check(network, given, ask)
    groups = [tuple(ask)] if joint else [(i,) for i in ask]
    tallies = tally(network, given, groups, n, np.random.default_rng(seed))
    if tallies.weight == 0:
        raise UsageError(
            f"the evidence {evidence(network, given)} has probability 0, or so little that no sample of "
            f"{network.name} agrees with it ({n:,} drawn)"
        )
    effective = tallies.weight**2 / tallies.square
    posteriors = []
    for group, weights, squares in zip(groups, tallies.weights, tallies.squares, strict=True):
        shape = tuple(network.arity[i] for i in group)
        p = weights / tallies.weight
        # delta method for a ratio of sums: sum of w^2 (hit - p)^2, where hit is 0 or 1
        spread = squares * (1 - 2 * p) + p * p * tallies.square
        errors = np.sqrt(np.maximum(spread, 0)) / tallies.weight
        if p.size > 1:  # a value that all samples have, or none: what Wilson's (1927) interval allows for one error
            errors[(weights == 0) | (weights == tallies.weight)] = 1 / (effective + 1)
        posteriors.append(Posterior(group, p.reshape(shape), errors.reshape(shape)))
    log_evidence = math.log(tallies.weight / n) + tallies.log_scale
    return QueryAnswer(tuple(posteriors), log_evidence, effective)


def evidence(network: Network, given: Mapping[int, int]) -> str:
    """``Storm = true, BusTourGroup = true``."""
    variables = [network.variables[i] for i in given]
    values = [variable.values[v] for variable, v in zip(variables, given.values(), strict=True)]
    return conditions([variable.name for variable in variables], values)


def parse_given(network: Network, options: Sequence[str]) -> dict[int, int]:
    """Evidence as a user writes it: ``storm=true,bus=true``, in one or several options.

    An option that is one exact NAME=VALUE of the network is taken as that; otherwise commas outside of double quotes
    part the pairs. Raises UsageError for what is not understood, and for a variable with two different values.
    """
    given: dict[int, int] = {}
    for part in [part for option in options for part in _pairs(network, option)]:
        name, equals, value = _halves(network, part)
        if not equals:
            raise UsageError(f"--given {part}: NAME=VALUE is expected, like --given storm=true,bus=true")
        variable = network.find(name)
        code = network.find_value(variable, value)
        if given.setdefault(variable, code) != code:
            found = network.variables[variable]
            both = f"{found.values[given[variable]]} and {found.values[code]}"
            raise UsageError(f"--given: {found.name} cannot be {both} at once")
    return given


def parse_ask(network: Network, options: Sequence[str]) -> list[int]:
    """The variables a user asks for: ``campfire,thunder``, in one or several options; a name with a comma in quotes."""
    words = [word for option in options for word in ([option] if option in network.index else _split(option)) if word]
    return [network.find(word) for word in words]


def _pairs(network: Network, option: str) -> list[str]:
    name, equals, value = _halves(network, option)
    whole = equals and name in network.index and value in network[name].values
    return [option] if whole else [part for part in _split(option) if part]


def _halves(network: Network, part: str) -> tuple[str, str, str]:
    """Parts a pair at the = behind the longest exact name, else at the first one."""
    names = [name for name in network.index if part.startswith(f"{name}=")]
    if names:
        name = max(names, key=len)
        return name, "=", part[len(name) + 1 :]
    name, equals, value = part.partition("=")
    return name.strip(), equals, value.strip()


def _split(option: str) -> list[str]:
    """Parts a text at commas outside of double quotes, and takes the quotes away."""
    words, word, quoted = [], "", False
    for character in option:
        if character == '"':
            quoted = not quoted
        elif character == "," and not quoted:
            words.append(word)
            word = ""
        else:
            word += character
    return [*map(str.strip, [*words, word])]


def _check(network: Network, given: Mapping[int, int], ask: Sequence[int]) -> None:
    if not ask:
        raise UsageError("no variable is asked for; at least one is expected")
    seen: set[int] = set()
    for i in ask:
        name = network.variables[i].name
        if i in given:
            raise UsageError(f"{name} is both given and asked; ask for another variable")
        if i in seen:
            raise UsageError(f"{name} is asked twice")
        seen.add(i)


def _marginals(done: Elimination, ask: Sequence[int]) -> list[tuple[int, Floats]]:
    plan = done.plan
    found = []
    posteriors = done.posteriors()
    for i in ask:
        place = plan.families.index(i)
        others = tuple(1 + axis for axis, j in enumerate(plan.free[place]) if j != i)
        table = posteriors[place].sum(axis=others)[0] if i in plan.free[place] else np.ones(1)
        found.append((i, _normalized(table)))
    return found


def _normalized(table: Floats) -> Floats:
    """Sums to 1 exactly where one entry alone is possible."""
    return np.asarray(table / table.sum())
