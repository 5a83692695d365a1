"""Lazy Bayesian classifiers, and the experiments that compare them.

The classifiers are scikit-learn estimators, and `Discretizer` a transformer to stand before them in a Pipeline. They
are imported when first asked for, so that `import lazybayes` and `lazybayes --help` stay quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lazybayes.learners.belief_network import BeliefNetwork
    from lazybayes.learners.lbr import LazyBayesianRules
    from lazybayes.learners.naive_bayes import NaiveBayes
    from lazybayes.preprocess.transformer import Discretizer

__version__ = "0.1.0"
__all__ = ["BeliefNetwork", "Discretizer", "LazyBayesianRules", "NaiveBayes", "__version__"]

_HOME = {
    "BeliefNetwork": "lazybayes.learners.belief_network",
    "Discretizer": "lazybayes.preprocess.transformer",
    "LazyBayesianRules": "lazybayes.learners.lbr",
    "NaiveBayes": "lazybayes.learners.naive_bayes",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
