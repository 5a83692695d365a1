"""Discrete Bayesian belief networks: files, exact and sampled answers, learning from data, pictures (Mitchell 6.11).

In Python: `load_network` reads a file, `query` asks it, `fit` learns its tables from a DataFrame, and `network_text` is
what a file of it holds.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lazybayes.networks.files import load_network, network_text
    from lazybayes.networks.interface import fit, query

__all__ = ["fit", "load_network", "network_text", "query"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "interface" if name in ("fit", "query") else "files"
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
