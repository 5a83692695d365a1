"""Imputation and discretization, fitted on training rows.

`Discretizer`, the scikit-learn transformer, is loaded on first use: the runner does not need scikit-learn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lazybayes.preprocess.transformer import Discretizer

__all__ = ["Discretizer"]


def __getattr__(name: str) -> Any:
    if name == "Discretizer":
        from lazybayes.preprocess.transformer import Discretizer

        return Discretizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
