"""Belief networks in Python: variables and values by their names, rows as a DataFrame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.estimates import parse_estimate
from lazybayes.data.table import listed
from lazybayes.errors import DataError
from lazybayes.networks.fitting import ascend, count_tables, starting_tables
from lazybayes.networks.network import Network
from lazybayes.networks.queries import exact


def query(
    network: Network, ask: str | Sequence[str], given: Mapping[str, Any] | None = None
) -> dict[str, dict[str, float]]:
    """P(variable | given) of each variable asked for, exact: {variable: {value: probability}}.

    Names may be in any case, and a variable's may be cut short where it stays clear. Raises UsageError for a variable
    or a value that the network does not have, one that is both asked and given, or evidence of probability 0.

    Examples
    --------
    >>> from lazybayes.networks import load_network, query
    >>> answer = query(load_network("campfire"), "Campfire", {"Storm": True, "BusTourGroup": True})
    >>> round(answer["Campfire"]["true"], 6)
    0.4
    """
    asked = [network.find(name) for name in ([ask] if isinstance(ask, str) else ask)]
    evidence = {}
    for name, value in (given or {}).items():
        number = network.find(name)
        evidence[number] = network.find_value(number, str(value))
    answer = exact(network, evidence, asked)
    return {
        network.variables[number].name: dict(
            zip(network.variables[number].values, posterior.table.tolist(), strict=True)
        )
        for number, posterior in zip(asked, answer.posteriors, strict=True)
    }


def fit(network: Network, X: Any, estimate: Any = None) -> Network:
    """The network with tables learned from rows X, (n, a), a DataFrame: its columns are variables, by their names.

    With an estimate (see `lazybayes.counts.estimates`) the tables are counted, each over the rows that know a variable
    and its parents; without, by the m-estimate if every cell is known, else they maximize the likelihood, by gradient
    ascent from the network's own tables. A missing cell, or a variable without a column, is hidden; other columns are
    not used. Raises DataError or UsageError for rows that do not fit the network.
    """
    codes = _codes(network, X)
    hidden = (codes < 0).sum(axis=0)
    if estimate is None and hidden.any():
        return ascend(network, codes, starting_tables(network)).network
    unknown = [variable.name for variable, n in zip(network.variables, hidden, strict=True) if n == len(codes)]
    if unknown:
        raise DataError(f"{listed(unknown)}: every row is missing; counts need values (fit without an estimate)")
    return network.with_tables(count_tables(network, codes, parse_estimate(estimate or "m-estimate")))


def _codes(network: Network, X: Any) -> NDArray[np.int32]:
    """(n, variables) values of the network's variables, -1 = hidden."""
    import pandas as pd

    from lazybayes.preprocess.columns import as_nominal

    if not isinstance(X, pd.DataFrame):
        raise DataError(f"X is a {type(X).__name__}; a DataFrame is expected, whose columns are named as the variables")
    names = [name for name in network.index if name in X.columns]
    if not names or not len(X):
        problem = "no column is a variable" if len(X) else "there are no rows"
        raise DataError(f"X: {problem}; the variables of {network.name} are {listed([*network.index])}")
    codes = np.full((len(X), len(network)), -1, dtype=np.int32)
    for name in names:
        number = network.index[name]
        values = as_nominal(name, X[name])
        cells = pd.Categorical(X[name]) if values is None else values
        used = cells.remove_unused_categories()
        places = [network.find_value(number, str(label)) for label in used.categories]
        codes[:, number] = np.array([*places, -1], dtype=np.int32)[used.codes]
    return codes
