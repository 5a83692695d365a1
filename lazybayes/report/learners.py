"""The output of `lazybayes learners`: a description of the registered learners."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from tabulate import tabulate

from lazybayes.errors import UsageError
from lazybayes.learners import registry

FOREIGN = (
    "Any scikit-learn classifier can also be used, by its dotted path: "
    "{learner: sklearn.ensemble.RandomForestClassifier, n_estimators: 100}."
)


def listing(width: int) -> str:
    """The learners, in lines of this width, and how to use other classifiers."""
    rows = [[name, _first_line(name), registry.learner_class(name).paper] for name in registry.names()]
    free = max(20, width - 4 - max(len(name) for name, _, _ in rows))
    widths = [None, free * 5 // 9, free * 4 // 9]
    table = tabulate(rows, ["learner", "what it is", "source"], maxcolwidths=widths)
    return "\n".join([table, "", *textwrap.wrap(FOREIGN, width, break_long_words=False)])


def description(name: str) -> str:
    """A description of one learner. Raises UsageError for an unknown name, with the nearest one."""
    if registry.definition(name).foreign:
        return _foreign(name)
    if name not in registry.names():
        known, meant = ", ".join(registry.names()), registry.meant(name)
        hint = f" (did you mean {meant}?)" if meant else ""
        raise UsageError(f"unknown learner {name}{hint}; the built-in learners are {known}")
    cls = registry.learner_class(name)
    defaults = registry.resolve(name, {})
    parameters = [
        [key, rule.when_omitted() if defaults[key] is None else _text(defaults[key]), rule.describe()]
        for key, rule in cls.parameters.items()
    ]
    lines = [
        f"{name}: {_first_line(name)}",
        f"Source: {cls.paper}",
        "",
        tabulate(parameters, ["parameter", "default", "allowed"], maxcolwidths=[None, 36, 60], disable_numparse=True)
        if parameters
        else "No parameters.",
        "",
        f"Missing values: {cls.missing}.",
        f"Numeric attributes: {_numeric(cls)}.",
        *(["Accepts only documents, without other attributes."] if cls.accepts == {"documents"} else []),
    ]
    if cls.diagnostics:
        lines += ["", "Diagnostics (columns of the exported results; `tables --metric NAME`):"]
        lines += [f"  {key}: {meaning}" for key, meaning in cls.diagnostics.items()]
    lines += ["", f"In Python: from lazybayes import {cls.__name__}"]
    return "\n".join(lines)


def _foreign(path: str) -> str:
    """A description of a scikit-learn classifier, given by its dotted path."""
    from lazybayes.learners.foreign import default_input, default_preprocess, foreign_class

    try:
        cls = foreign_class(path)
    except ValueError as error:
        raise UsageError(str(error)) from error
    parameters = [
        [key, "(required)" if known.default is inspect.Parameter.empty else _text(known.default)]
        for key, known in inspect.signature(cls).parameters.items()
        if known.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]
    spec = default_preprocess(path, {})
    lines = [
        f"{path}: {_summary(cls)}",
        "",
        tabulate(parameters, ["parameter", "default"], disable_numparse=True) if parameters else "No parameters.",
        "",
        f"Nominal attributes: input: {default_input(path, {})} (by default; or categorical, one-hot, ordinal).",
        f"Preprocessing by default: {{impute: {spec.impute}, discretize: {spec.discretize}}}.",
        "",
        f"In a config: {{learner: {path}}}",
        f"In Python: from {cls.__module__.partition('._')[0]} import {cls.__name__}",
    ]
    return "\n".join(lines)


def _summary(cls: type[Any]) -> str:
    """The first line of a class's docstring."""
    return (inspect.getdoc(cls) or cls.__name__).splitlines()[0].rstrip(".")


def _first_line(name: str) -> str:
    return _summary(registry.learner_class(name))


def _numeric(cls: Any) -> str:
    for key, rule in cls.parameters.items():
        if rule.is_learner():
            return f"as handled by the {key}"
    if "numeric" in cls.accepts:
        return "used as numbers"
    if "nominal" not in cls.accepts:
        return "not accepted"
    settings = [f"{key}: {value}" for key, value in cls.numeric_settings()]
    return f"must be discretized, unless {' or '.join(settings)}" if settings else "must be discretized"


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(part)}" for key, part in value.items()) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
