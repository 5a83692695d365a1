"""Learners by name: a config's `learner` to an object with `fit(rows, y)` and `answer(rows)`.

A name without a dot is one of `LEARNERS`; a dotted path is any scikit-learn classifier (see `foreign`).
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lazybayes.experiment import Preprocess
from lazybayes.learners.definition import Classifier, Definition
from lazybayes.messages import nearest

if TYPE_CHECKING:
    from lazybayes.learners.base import Learner
    from lazybayes.learners.parameters import Parameters

LEARNERS: Mapping[str, str] = {
    "naive-bayes": "lazybayes.learners.naive_bayes:NaiveBayes",
    "lbr": "lazybayes.learners.lbr:LazyBayesianRules",
    "bse": "lazybayes.learners.selective:BackwardElimination",
    "bsej": "lazybayes.learners.selective:BackwardEliminationAndJoining",
    "lazy-tree": "lazybayes.learners.lazy_tree:LazyTree",
    "bt": "lazybayes.learners.trees.bt:BayesianTree",
    "c45": "lazybayes.learners.trees.c45:C45",
    "tan": "lazybayes.learners.tan.tree:TreeAugmentedNaiveBayes",
    "hocp-tan": "lazybayes.learners.tan.hocp:HigherOrderTan",
    "semi-lazy-tan": "lazybayes.learners.tan.lazy:SemiLazyTan",
    "lazy-tan": "lazybayes.learners.tan.lazy:LazyTan",
    "superparent-tan": "lazybayes.learners.tan.superparent:SuperParentTan",
    "nb-tree": "lazybayes.learners.trees.nb_tree:NBTree",
    "cll-tree": "lazybayes.learners.trees.cll_tree:CLLTree",
    "bagging": "lazybayes.learners.bagging:Bagging",
    "text-naive-bayes": "lazybayes.learners.text_naive_bayes:TextNaiveBayes",
    "belief-network": "lazybayes.learners.belief_network:BeliefNetwork",
    "majority": "lazybayes.learners.majority:Majority",
}

OTHER_NAMES: Mapping[str, str] = {"lazydt": "lazy-tree", "j48": "c45", "zeror": "majority", "dummy": "majority"}
"""Names under which others know a learner, in small letters."""


def names() -> tuple[str, ...]:
    """The built-in learners."""
    return tuple(LEARNERS)


def meant(word: str) -> str | None:
    """The built-in learner that an unknown name probably means: by its name, its class or its name elsewhere."""

    def compact(name: str) -> str:
        return name.casefold().replace("-", "").replace("_", "")

    known = {place.partition(":")[2].casefold(): name for name, place in LEARNERS.items()}
    known |= {compact(name): name for name in LEARNERS} | dict(OTHER_NAMES)
    close = difflib.get_close_matches(compact(word), known, n=1, cutoff=0.6)
    return known[close[0]] if close else None


def learner_class(name: str) -> type[Learner]:
    """The class of a built-in learner. Raises KeyError for another name."""
    module, _, attribute = LEARNERS[name].partition(":")
    loaded: type[Learner] = getattr(importlib.import_module(module), attribute)
    return loaded


def diagnostics() -> tuple[str, ...]:
    """What the built-in learners tell beside their answers, by name: each can be asked for like a metric."""
    return tuple(dict.fromkeys(key for name in LEARNERS for key in learner_class(name).diagnostics))


class BuiltIn(Definition):
    """A learner of `LEARNERS`, or an unknown name, which `check` reports."""

    @property
    def rules(self) -> Parameters:
        """A rule for each parameter; none for an unknown name."""
        return learner_class(self.name).parameters if self.name in LEARNERS else {}

    def check(self, params: Mapping[str, Any]) -> list[tuple[str, str]]:
        if self.name not in LEARNERS:
            allowed = f"{', '.join(LEARNERS)}, or the dotted path of a scikit-learn classifier"
            hint = f" (did you mean {name}?)" if (name := meant(self.name)) else ""
            return [("", f"{self.name!r} is not a learner{hint}; allowed: {allowed}")]
        rules = self.rules
        problems = []
        for name, value in params.items():
            if name not in rules:
                allowed = ", ".join(rules) or "none"
                problems.append(
                    (name, f"{name!r} is not a parameter of {self.name}{nearest(str(name), rules)}; allowed: {allowed}")
                )
            elif problem := rules[name].problem(value):
                problems.append((name, problem))
        return problems

    def make(self, params: Mapping[str, Any], input: str | None, seed: int | None) -> Learner:
        estimator = learner_class(self.name)(**params)
        if seed is not None and "random_state" in estimator.get_params() and params.get("random_state") is None:
            estimator.set_params(random_state=seed)
        return estimator

    def accepts(self, params: Mapping[str, Any]) -> frozenset[str]:
        return learner_class(self.name).accepts_with(params)

    def resolve(self, params: Mapping[str, Any]) -> dict[str, Any]:
        full = {**defaults(self.name), **params}
        return {name: rule.resolve(full[name]) for name, rule in self.rules.items()}

    def version(self) -> str:
        return str(learner_class(self.name).version)

    def missing(self, params: Mapping[str, Any]) -> list[str]:
        if self.name not in LEARNERS:
            return []
        required = [name for name, default in defaults(self.name).items() if default is inspect.Parameter.empty]
        return [name for name in required if name not in params]

    def locate(self, params: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        rules = self.rules
        return {name: rules[name].locate(value, folder) if name in rules else value for name, value in params.items()}

    def inner_learners(self, params: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        named = (rule.inner_learner(params.get(name)) for name, rule in self.rules.items())
        return [inner for inner in named if inner]

    def default_preprocess(self, params: Mapping[str, Any]) -> Preprocess:
        inner = self.inner_learners(params)
        return default_preprocess(*inner[0]) if inner else Preprocess()


def definition(learner: str) -> Definition:
    """A learner by its name: a dotted path is a foreign one."""
    if "." not in learner:
        return BuiltIn(learner)
    from lazybayes.learners.foreign import ForeignDefinition

    return ForeignDefinition(learner)


def is_foreign(learner: str, params: Mapping[str, Any]) -> bool:
    """Whether its code, or that of a learner inside it, is not this project's."""
    own = definition(learner)
    return own.foreign or any(is_foreign(*inner) for inner in own.inner_learners(params))


def check(learner: str, params: Mapping[str, Any]) -> list[tuple[str, str]]:
    """See `Definition.check`."""
    return definition(learner).check(params)


def messages(problems: Iterable[tuple[str, str]]) -> list[str]:
    """The problems of `check`, with the parameters' names."""
    return [f"{name}: {message}" if name else message for name, message in problems]


def missing(learner: str, params: Mapping[str, Any]) -> list[str]:
    """See `Definition.missing`."""
    return definition(learner).missing(params)


def locate(learner: str, params: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """See `Definition.locate`."""
    return definition(learner).locate(params, folder)


def make(learner: str, params: Mapping[str, Any], *, input: str | None = None, seed: int | None = None) -> Classifier:
    """A new classifier. input: how a foreign estimator sees nominal attributes (categorical, one-hot, ordinal); seed:
    the `random_state` of an estimator that has one and was not given it.

    Raises ValueError for what `check` and `missing` find.
    """
    own = definition(learner)
    problems = own.check(params)
    if problems:
        raise ValueError("; ".join(messages(problems)))
    for name in own.missing(params):
        raise ValueError(f"{learner} needs the parameter {name}")
    return own.make(params, input, seed)


def default_input(learner: str, params: Mapping[str, Any]) -> str | None:
    """See `Definition.default_input`."""
    return definition(learner).default_input(params)


def default_preprocess(learner: str, params: Mapping[str, Any]) -> Preprocess:
    """The default preprocessing of a learner's rows; bagging uses that of its base."""
    return definition(learner).default_preprocess(params)


def accepts(learner: str, params: Mapping[str, Any]) -> frozenset[str]:
    """The kinds of attributes it takes: nominal, numeric, or documents."""
    return definition(learner).accepts(params)


def defaults(learner: str) -> dict[str, Any]:
    """A built-in learner's parameters with their defaults."""
    signature = inspect.signature(learner_class(learner))
    return {name: parameter.default for name, parameter in signature.parameters.items()}


def resolve(learner: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter with defaults filled in, as JSON can hold it: what a result depends on."""
    return definition(learner).resolve(params)


def version(learner: str) -> str:
    """Changes when the learner's answers may: a built-in's constant, a foreign one's code or package version."""
    return definition(learner).version()
