"""Bagging (Breiman 1996) of any learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from lazybayes.counts.codes import Rows
from lazybayes.learners import registry
from lazybayes.learners.base import Floats, Ints, Learner
from lazybayes.learners.parameters import OneOf, Optional, Parameter, Parameters, Whole
from lazybayes.messages import nearest
from lazybayes.vocabulary import INPUTS

VERSION = "version"
"""The key of a resolved base that holds its version: a bag's answers change when its learner's do."""


@dataclass(frozen=True)
class Base(Parameter):
    """A learner: a name, or an entry with its parameters and, for a foreign one, its input."""

    def when_omitted(self) -> str:
        """What holds when the parameter is None."""
        return "(must be given)"

    def is_learner(self) -> bool:
        """Whether its values are learners."""
        return True

    def problem(self, value: Any) -> str | None:
        """What is wrong with the learner or its parameters, and what is allowed, or None."""
        if not isinstance(value, str | Mapping):
            return f"{value!r} is not allowed; allowed: {self.describe()}"
        if isinstance(value, Mapping) and not isinstance(value.get("learner"), str):
            hint = next(filter(None, (nearest(str(key), ("learner",)) for key in value)), "")
            return f"an entry needs the key learner{hint}; allowed: {self.describe()}"
        learner, input, params = _parts(value)
        problems = registry.messages(registry.check(learner, params))
        if not problems:
            problems = [f"{learner} needs the parameter {name}" for name in registry.missing(learner, params)]
        if input is not None and not registry.definition(learner).foreign:
            problems.append(f"{learner} has no input; only an estimator by its dotted path has")
        elif input is not None:
            problems += filter(None, [OneOf(INPUTS).problem(input)])
        return "; ".join(problems) or None

    def describe(self) -> str:
        """What is allowed, in a few words."""
        return "a learner's name, or an entry {learner: NAME, parameter: value, ...}"

    def locate(self, value: Any, folder: Path) -> Any:
        """The base with the files a config means: paths start from the config's folder."""
        if not isinstance(value, Mapping) or not isinstance(value.get("learner"), str):
            return value
        return {**value, **registry.locate(value["learner"], _parts(value)[2], folder)}

    def inner_learner(self, value: Any) -> tuple[str, Mapping[str, Any]] | None:
        """The learner and its parameters; None for what is not one."""
        if isinstance(value, Mapping) and not isinstance(value.get("learner"), str):
            return None
        if not value or not isinstance(value, str | Mapping):
            return None
        learner, _, params = _parts(value)
        return learner, params

    def resolve(self, value: Any) -> Any:
        """The learner, its input, all its parameters and its version: what a bag's answers depend on."""
        if self.problem(value):
            return None
        learner, input, params = _parts(value)
        shown = {} if input is None else {"input": input}
        return {"learner": learner, **shown, **registry.resolve(learner, params), VERSION: registry.version(learner)}


def _parts(base: str | Mapping[str, Any]) -> tuple[str, str | None, dict[str, Any]]:
    """The learner of a base, its input and its parameters."""
    if isinstance(base, str):
        return base, None, {}
    params = {key: value for key, value in base.items() if key not in ("learner", "input", VERSION)}
    return base["learner"], base.get("input"), {key: value for key, value in params.items() if value is not None}


class Bagging(Learner):
    """Bagging: the mean of the probabilities of classifiers trained on bags, samples of the rows with replacement.

    Each bag has as many rows as there are training rows, drawn with replacement by numpy's default generator (PCG64).

    Parameters
    ----------
    base : str or mapping
        The learner: a name of the registry or a dotted path, or ``{"learner": name, parameter: value, ...}``.
    bags : int, default 10
        Number of bags.
    random_state : int, optional
        Seed of the bags, and of a randomized base; by default every fit draws new bags.

    References
    ----------
    Breiman, L. (1996). Bagging predictors. Machine Learning 24, 123-140.
    """

    accepts: ClassVar[frozenset[str]] = frozenset({"nominal", "numeric"})
    parameters: ClassVar[Parameters] = {
        "base": Base(),
        "bags": Whole(1),
        "random_state": Optional(Whole(0), "random (in a run: derived from its seed)"),
    }
    missing = "as handled by the base"
    paper = "Breiman 1996"

    def __init__(self, base: Any, bags: int = 10, random_state: int | None = None) -> None:
        self.base = base
        self.bags = bags
        self.random_state = random_state

    @classmethod
    def accepts_with(cls, params: Mapping[str, Any]) -> frozenset[str]:
        """The kinds of attributes that the base takes."""
        base = params.get("base")
        inner = None if Base().problem(base) else Base().inner_learner(base)
        return registry.accepts(*inner) if inner else cls.accepts

    def _fit(self, rows: Rows, y: Ints) -> None:
        learner, input, params = _parts(self.base)
        generator = np.random.default_rng(self.random_state)
        self.bags_ = []
        for _ in range(self.bags):
            bag = generator.integers(len(y), size=len(y))
            member = registry.make(learner, params, input=input, seed=int(generator.integers(2**32)))
            member.fit(rows.take(bag), pd.Categorical.from_codes(y[bag], categories=pd.Index(self.classes_)))
            self.bags_.append(member)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        total = np.logaddexp.reduce([member.answer(rows).logs for member in self.bags_])
        return total - np.log(len(self.bags_)), {}
