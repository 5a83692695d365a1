"""Lazy Bayesian classifiers, and the experiments that compare them.

The classifiers are scikit-learn estimators, and `Discretizer` a transformer to stand before them in a Pipeline. They
are imported when first asked for, so that `import lazybayes` and `lazybayes --help` stay quick. `dir(lazybayes)` lists
them: every learner of the registry is here.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_homes())
    home = _homes().get(name) if name[:1].isupper() else None  # a submodule's name asks for no registry
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})


def _homes() -> dict[str, str]:
    """The module of each class."""
    from lazybayes.learners.registry import LEARNERS

    homes = {"Discretizer": "lazybayes.preprocess.transformer"}
    for place in LEARNERS.values():
        module, _, name = place.partition(":")
        homes[name] = module
    return homes
