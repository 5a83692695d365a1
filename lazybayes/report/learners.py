"""What `lazybayes learners` prints: the registry in words."""

from __future__ import annotations

import inspect
from typing import Any

from tabulate import tabulate

from lazybayes.errors import UsageError, nearest
from lazybayes.learners import registry

FOREIGN = (
    "Any scikit-learn classifier is a further learner, by its dotted path: "
    "{learner: sklearn.ensemble.RandomForestClassifier, n_estimators: 100}."
)


def listing() -> str:
    """One line a learner, and how others are named."""
    rows = [[name, _first_line(name), registry.learner_class(name).paper] for name in registry.names()]
    return f"{tabulate(rows, ['learner', 'what it is', 'source'])}\n\n{FOREIGN}"


def description(name: str) -> str:
    """Everything about one learner. Raises UsageError for an unknown one, with the nearest name."""
    if name not in registry.names():
        known = ", ".join(registry.names())
        raise UsageError(f"there is no learner {name}{nearest(name, registry.names())}; the built-in ones are {known}")
    found = registry.learner_class(name)
    defaults = registry.resolved(name, {})
    parameters = [
        [key, getattr(rule, "otherwise", "-") if defaults[key] is None else _text(defaults[key]), rule.describe()]
        for key, rule in found.parameters.items()
    ]
    lines = [
        f"{name}: {_first_line(name)}",
        f"Source: {found.paper}",
        "",
        tabulate(parameters, ["parameter", "default", "allowed"], maxcolwidths=[None, 36, 60], disable_numparse=True)
        if parameters
        else "No parameters.",
        "",
        f"Missing values: {found.missing}.",
        f"Numeric attributes: {_numeric(found)}.",
        *(["It takes documents, and no attributes beside them."] if "documents" in found.accepts else []),
    ]
    if found.diagnostics:
        lines += ["", "Diagnostics (columns of the exported results; `tables --metric NAME`):"]
        lines += [f"  {key}: {meaning}" for key, meaning in found.diagnostics.items()]
    lines += ["", f"In Python: from lazybayes import {found.__name__}"]
    return "\n".join(lines)


def _first_line(name: str) -> str:
    return (inspect.getdoc(registry.learner_class(name)) or "").splitlines()[0].rstrip(".")


def _numeric(found: Any) -> str:
    for key, rule in found.parameters.items():
        if hasattr(rule, "accepts"):  # a learner itself
            return f"as the {key} takes them"
    if "numeric" in found.accepts:
        return "taken as they are"
    if "nominal" not in found.accepts:
        return "not taken"
    taken = [f"{key}: {value}" for key, value in found.numeric_settings()]
    return f"must be discretized, unless {' or '.join(taken)}" if taken else "must be discretized"


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(part)}" for key, part in value.items()) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
