"""Learners by name: a config's `learner` to an object with `fit(rows, y)` and `answer(rows)`.

A name without a dot is one of `LEARNERS`; a dotted path is any scikit-learn classifier (see `foreign`).
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lazybayes.experiment import Preprocess
from lazybayes.messages import nearest

if TYPE_CHECKING:
    import pandas as pd

    from lazybayes.counts.codes import Rows
    from lazybayes.learners.base import Answer, Learner

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


class Classifier(Protocol):
    """What the runner asks of a learner."""

    def fit(self, X: Rows, y: pd.Categorical) -> Any:
        """Learns from rows and their classes."""
        ...

    def answer(self, X: Rows) -> Answer:
        """Probabilities, predicted classes and diagnostics of rows."""
        ...


def names() -> tuple[str, ...]:
    """The built-in learners."""
    return tuple(LEARNERS)


def meant(word: str) -> str | None:
    """The built-in learner that a word which names none may stand for: its name, its class or another's name for it."""

    def compact(name: str) -> str:
        return name.casefold().replace("-", "").replace("_", "")

    known = {place.partition(":")[2].casefold(): name for name, place in LEARNERS.items()}
    known |= {compact(name): name for name in LEARNERS} | dict(OTHER_NAMES)
    close = difflib.get_close_matches(compact(word), known, n=1, cutoff=0.6)
    return known[close[0]] if close else None


def learner_class(name: str) -> type[Learner]:
    """The class of a built-in learner. Raises KeyError for another name."""
    module, _, attribute = LEARNERS[name].partition(":")
    found: type[Learner] = getattr(importlib.import_module(module), attribute)
    return found


def is_foreign(learner: str, params: Mapping[str, Any]) -> bool:
    """Whether its code, or that of a learner inside it, is not this project's."""
    base = params.get("base")
    if "." in learner or not base:
        return "." in learner
    return is_foreign(str(base.get("learner")), base) if isinstance(base, Mapping) else "." in str(base)


def diagnostics() -> tuple[str, ...]:
    """What the built-in learners tell beside their answers, by name: each can be asked for like a metric."""
    return tuple(dict.fromkeys(key for name in LEARNERS for key in learner_class(name).diagnostics))


def check(learner: str, params: Mapping[str, Any]) -> list[tuple[str, str]]:
    """All that is wrong with a learner's name ("" as the parameter) and its parameters: (parameter, message)."""
    if "." in learner:
        from lazybayes.learners.foreign import check_foreign

        return check_foreign(learner, params)
    if learner not in LEARNERS:
        allowed = f"{', '.join(LEARNERS)}, or the dotted path of a scikit-learn classifier"
        hint = f" (did you mean {name}?)" if (name := meant(learner)) else ""
        return [("", f"{learner!r} is not a learner{hint}; allowed: {allowed}")]
    rules = learner_class(learner).parameters
    problems = []
    for name, value in params.items():
        if name not in rules:
            allowed = ", ".join(rules) or "none"
            problems.append(
                (name, f"{name!r} is no parameter of {learner}{nearest(str(name), rules)}; allowed: {allowed}")
            )
        elif problem := rules[name].problem(value):
            problems.append((name, problem))
    return problems


def told(problems: Iterable[tuple[str, str]]) -> list[str]:
    """What `check` found, with the parameters' names."""
    return [f"{name}: {message}" if name else message for name, message in problems]


def missing(learner: str, params: Mapping[str, Any]) -> list[str]:
    """Parameters that a built-in learner must be given and is not."""
    if learner not in LEARNERS:
        return []
    return [
        name for name, default in defaults(learner).items() if default is inspect.Parameter.empty and name not in params
    ]


def located(learner: str, params: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The parameters as a config in this folder means them: a file's path starts from there."""
    rules = learner_class(learner).parameters if learner in LEARNERS else {}
    return {
        name: rules[name].located(value, folder) if hasattr(rules.get(name), "located") else value  # type: ignore[attr-defined]
        for name, value in params.items()
    }


def make(learner: str, params: Mapping[str, Any], *, input: str | None = None, seed: int | None = None) -> Classifier:
    """A new classifier. input: how a foreign estimator sees nominal attributes (categorical, one-hot, ordinal); seed:
    the `random_state` of an estimator that has one and was not given it.

    Raises ValueError for what `check` and `missing` find.
    """
    problems = check(learner, params)
    if problems:
        raise ValueError("; ".join(told(problems)))
    for name in missing(learner, params):
        raise ValueError(f"{learner} needs the parameter {name}")
    if "." in learner:
        from lazybayes.learners.foreign import ForeignClassifier

        return ForeignClassifier(learner, params, input, seed)
    estimator = learner_class(learner)(**params)
    if seed is not None and "random_state" in estimator.get_params() and params.get("random_state") is None:
        estimator.set_params(random_state=seed)
    return estimator


def default_input(learner: str, params: Mapping[str, Any]) -> str | None:
    """How a foreign learner gets nominal attributes unless `input` says so; None for a built-in learner."""
    if "." not in learner:
        return None
    from lazybayes.learners import foreign

    return foreign.default_input(learner, params)


def default_preprocess(learner: str, params: Mapping[str, Any]) -> Preprocess:
    """What is done to a learner's rows where the config does not say it: a bag's is that of its base."""
    if "." in learner:
        from lazybayes.learners import foreign

        return foreign.default_preprocess(learner, params)
    base = params.get("base")
    if not base:
        return Preprocess()
    entry = dict(base) if isinstance(base, Mapping) else {"learner": base}
    return default_preprocess(str(entry.pop("learner", "")), {k: v for k, v in entry.items() if k != "input"})


def accepts(learner: str, params: Mapping[str, Any]) -> frozenset[str]:
    """The kinds of attributes it takes: nominal, numeric, or documents."""
    if "." in learner:
        return frozenset({"nominal", "numeric"})
    return learner_class(learner).accepts_with(params)


def defaults(learner: str) -> dict[str, Any]:
    """A built-in learner's parameters with their defaults."""
    signature = inspect.signature(learner_class(learner))
    return {name: parameter.default for name, parameter in signature.parameters.items()}


def resolved(learner: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter with defaults filled in, as JSON can hold it: what a result depends on."""
    if "." in learner:
        from lazybayes.learners.foreign import all_parameters

        return {name: _plain(value) for name, value in sorted(all_parameters(learner, params).items())}
    rules = learner_class(learner).parameters
    full = {**defaults(learner), **params}
    return {name: getattr(rule, "resolved", _plain)(full[name]) for name, rule in rules.items()}


def version(learner: str) -> str:
    """Changes when the learner's answers may: a built-in's constant, a foreign one's code or package version."""
    if "." in learner:
        from lazybayes.learners.foreign import foreign_version

        return foreign_version(learner)
    return str(learner_class(learner).version)


def _plain(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value))
    except TypeError:
        return repr(value)
