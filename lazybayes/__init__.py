"""Lazy Bayesian classifiers, and the experiments that compare them.

The classifiers are scikit-learn estimators; `Discretizer` is a transformer that precedes them in a Pipeline. They are
imported on first use, so that `import lazybayes` and `lazybayes --help` are fast. `dir(lazybayes)` lists them: every
learner of the registry is available here.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_homes())
    home = _homes().get(name) if name[:1].isupper() else None  # a submodule's name does not need the registry
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{_meant(name)}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    own = {name: getattr(value, "__name__", "") for name, value in globals().items()}
    shown = {name for name, home in own.items() if name.startswith("__") or home.startswith(f"{__name__}.")}
    return sorted(shown | {*_homes()})


def _homes() -> dict[str, str]:
    """The module of each class."""
    from lazybayes.learners.registry import LEARNERS

    homes = {"Discretizer": "lazybayes.preprocess.transformer"}
    for place in LEARNERS.values():
        module, _, name = place.partition(":")
        homes[name] = module
    return homes


def _meant(name: str) -> str:
    """A hint at the class that a name probably means: a misspelt class name, or a learner's name in a config (TAN)."""
    if not name[:1].isupper():
        return ""
    from lazybayes.learners.registry import LEARNERS, meant
    from lazybayes.messages import nearest

    learner = meant(name)
    return f" (did you mean {LEARNERS[learner].partition(':')[2]}?)" if learner else nearest(name, ["Discretizer"])
