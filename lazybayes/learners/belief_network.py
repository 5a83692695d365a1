"""A belief network as a classifier (Mitchell 6.11): its arcs from a file, its tables counted or from the file."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from lazybayes.counts.codes import Rows
from lazybayes.counts.estimates import parse_estimate
from lazybayes.counts.scores import fall_back_to_prior
from lazybayes.data.table import listed
from lazybayes.errors import FileError, LazyBayesError
from lazybayes.files import expand_home, is_file, read_file
from lazybayes.learners.base import Floats, Ints, Learner
from lazybayes.learners.parameters import EstimateOf, Parameter, Parameters
from lazybayes.networks.elimination import batch_plans, blocks, eliminate, log_tables, make_plan
from lazybayes.networks.files import find_network, load_network
from lazybayes.networks.fitting import check_estimate, count_tables
from lazybayes.networks.network import Network
from lazybayes.networks.observed import translate

OWN_TABLES = "none"
"""The estimate that keeps the file's tables."""


@dataclass(frozen=True)
class NetworkFile(Parameter):
    """A network file, or a shipped network's name; {path, sha256} is a file with the content it must have."""

    def when_omitted(self) -> str:
        """What holds when the parameter is None."""
        return "(must be given)"

    def problem(self, value: Any) -> str | None:
        """What is wrong with the file, or None."""
        if isinstance(value, Mapping) and sorted(value) == ["path", "sha256"]:
            problem = self.problem(value["path"])
            return problem or (None if self.resolve(value["path"]) == value else f"{value['path']} has changed")
        if not isinstance(value, str):
            return f"{value!r} is not allowed; allowed: {self.describe()}"
        try:
            load_network(value, tables=False)
        except LazyBayesError as error:
            return str(error)
        return None

    def describe(self) -> str:
        """What is allowed, in a few words."""
        return "a network in YAML or BIF (relative to the config), or the name of a shipped one"

    def locate(self, value: Any, folder: Path) -> Any:
        """The file a config means: a path starts from the config's folder, a name stays."""
        if not isinstance(value, str):
            return value
        try:
            path = Path(os.path.abspath(folder / expand_home(value)))
        except FileError:  # `problem` reports it
            return value
        return str(path) if is_file(path) or "." in value or os.sep in value else value

    def resolve(self, value: Any) -> Any:
        """The file and its content's hash, on which a result depends."""
        if not isinstance(value, str):
            return dict(value) if isinstance(value, Mapping) else None
        path = find_network(value)
        content = hashlib.sha256(read_file(path)).hexdigest() if is_file(path) else ""
        return {"path": value, "sha256": content}


@dataclass(frozen=True)
class TableEstimate(EstimateOf):
    """An estimate of a network's tables, or ``none``."""

    def problem(self, value: Any) -> str | None:
        """What is wrong with the value and what is allowed, or None."""
        if value == OWN_TABLES:
            return None
        problem = super().problem(value)
        if problem is None:
            try:
                check_estimate(parse_estimate(value))
            except ValueError as error:
                problem = str(error)
        return problem

    def describe(self) -> str:
        """What is allowed, in a few words."""
        return f"{super().describe()}; {OWN_TABLES}: the file's own tables"

    def resolve(self, value: Any) -> Any:
        """The value with every parameter filled in."""
        return OWN_TABLES if value == OWN_TABLES else super().resolve(value)


class BeliefNetwork(Learner):
    """A discrete Bayesian belief network whose structure is given.

    P(c | row) is exact, by variable elimination, given the row's known attributes. Attributes are variables of the
    same name; the class is the variable of y's name (a Series), or else the only one that is not an attribute and has
    all the classes among its values. Attributes that are not variables are ignored with a warning.

    Parameters
    ----------
    file : str
        A network in YAML or BIF, or the name of a shipped one.
    estimate : str or mapping, default "m-estimate"
        How the training rows' counts become the tables: see `lazybayes.networks.fitting.count_tables`. A network
        whose arcs go from the class to every attribute is then naive Bayes with the same estimate. ``none`` keeps the
        file's own tables; then variables that are neither class nor attribute are allowed, and summed out.

    References
    ----------
    Mitchell, T. M. (1997). Machine Learning. McGraw-Hill, section 6.11.
    """

    parameters: ClassVar[Parameters] = {"file": NetworkFile(), "estimate": TableEstimate()}
    diagnostics: ClassVar[Mapping[str, str]] = {
        "prior_answered": "rows whose known attributes have probability 0, answered by the class's own distribution"
    }
    missing = (
        "a row counts for the variables it knows together with their parents; in classifying, what is missing is "
        "summed out"
    )
    paper = "Mitchell 1997, section 6.11"

    def __init__(self, file: Any, estimate: Any = "m-estimate") -> None:
        self.file = file
        self.estimate = estimate

    def fit(self, X: pd.DataFrame | Rows, y: Any) -> Self:
        """As `Learner.fit`; of y, a Series, the name is used too."""
        self._class_name = getattr(y, "name", None)
        return super().fit(X, y)

    def _fit(self, rows: Rows, y: Ints) -> None:
        own = self.estimate == OWN_TABLES
        file = self.file["path"] if isinstance(self.file, Mapping) else self.file
        network = load_network(file, tables=own)
        self._class = self._find_class(network, rows)
        variable = network.variables[self._class]
        self._classes = translate([str(label) for label in self.classes_], variable.values)[:-1]
        self._check(network, rows, own)
        if not own:
            codes = self._codes(network, rows)
            codes[:, self._class] = self._classes[y]
            network = network.with_tables(count_tables(network, codes, parse_estimate(self.estimate)))
        self.network_ = network

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        network, logs = self.network_, log_tables(self.network_)
        codes, row = np.unique(self._codes(network, rows), axis=0, return_inverse=True)
        scores = np.empty((len(codes), network.arity[self._class]))
        for plan, mine in batch_plans(network, codes, (self._class,)):
            for block in blocks(plan, len(mine)):
                scores[mine[block]] = eliminate(plan, logs, codes[mine[block]]).joint
        prior = eliminate(make_plan(network, (), (self._class,)), logs, np.zeros((1, len(network)), dtype=np.int64))
        scores = scores[row.reshape(-1)][:, self._classes]
        return scores, {"prior_answered": float(fall_back_to_prior(scores, prior.joint[:, self._classes]))}

    def _find_class(self, network: Network, rows: Rows) -> int:
        classes = {str(label) for label in self.classes_}
        fits = [
            i
            for i, variable in enumerate(network.variables)
            if variable.name not in rows.names and classes <= set(variable.values)
        ]
        named = [i for i in fits if network.variables[i].name == self._class_name]
        fits = named or fits
        if len(fits) == 1:
            return fits[0]
        count = "several variables" if fits else "no variable"
        names = f": {listed([network.variables[i].name for i in fits])}" if fits else ""
        raise ValueError(
            f"{network.name} has {count} that could be the class (no attribute, with the values "
            f"{listed(sorted(classes))}){names}"
        )

    def _check(self, network: Network, rows: Rows, own: bool) -> None:
        hidden = [v.name for i, v in enumerate(network.variables) if i != self._class and v.name not in rows.names]
        unused = [name for name in rows.names if name not in network.index]
        if hidden and not own:
            raise ValueError(
                f"{network.name} has the variables {listed(hidden)}, which are not attributes; their tables cannot be "
                f"counted (estimate: {OWN_TABLES} keeps the file's)"
            )
        for name, labels, cells in zip(rows.names, rows.nominal_labels, rows.nominal.T, strict=True):
            if name in network.index:
                values = network[name].values
                lost = (translate(labels, values)[cells] < 0) & (cells >= 0)
                if lost.any():
                    label = labels[int(cells[lost][0])]
                    raise ValueError(f"{name} has the value {label}; {network.name} knows {listed(values)}")
        if unused or hidden:
            parts = [f"not used: {listed(unused)}"] if unused else []
            parts += [f"summed out: {listed(hidden)}"] if hidden else []
            warnings.warn(f"{network.name}: {'; '.join(parts)}", stacklevel=3)

    def _codes(self, network: Network, rows: Rows) -> Ints:
        """(n, variables) the network's values, -1 where missing, unknown or no attribute."""
        codes = np.full((len(rows), len(network)), -1, dtype=np.int32)
        for name, labels, cells in zip(rows.names, rows.nominal_labels, rows.nominal.T, strict=True):
            if name in network.index:
                codes[:, network.index[name]] = translate(labels, network[name].values)[cells]
        return codes
