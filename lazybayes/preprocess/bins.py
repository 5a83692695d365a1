"""Cut points of numeric attributes, and the bins they make: `value <= cut` goes left."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lazybayes.preprocess.mdl import Floats, Ints, mdl_cuts

VERSIONS = {"equal-frequency": 2}
"""Raised when a method's cuts change, so that stored results are computed again; 1 where none is named."""


def find_cuts(method: str, x: Floats, y: Ints, bins: int) -> Floats:
    """The rising cut points by one of `DISCRETIZERS`; empty where no value is known.

    x: (n,) values, finite or NaN = missing; y: (n,) class codes (mdl); bins: how many bins to make (the others).
    """
    if method == "mdl":
        return mdl_cuts(x, y)
    return {"equal-width": equal_width_cuts, "equal-frequency": equal_frequency_cuts}[method](x, bins)


def equal_width_cuts(x: Floats, bins: int) -> Floats:
    """(bins - 1,) edges min + i * width, width = (max - min) / bins; none where all known values are equal.

    Edges that coincide as doubles (a range of a few last bits) are one edge; one at the maximum is none.
    """
    known = x[~np.isnan(x)]
    if not len(known):
        return np.empty(0)
    scale = _scale(known)
    low, high = known.min() * scale, known.max() * scale
    return _parting((low + np.arange(1, bins) * ((high - low) / bins)) / scale, known)


def equal_frequency_cuts(x: Floats, bins: int) -> Floats:
    """The i / bins quantiles of the known values (linear interpolation, numpy's default).

    Duplicates are one cut, and one at the maximum is none: so a constant column has one bin.
    """
    known = x[~np.isnan(x)]
    if not len(known):
        return np.empty(0)
    scale = _scale(known)
    return _parting(np.quantile(known * scale, np.arange(1, bins) / bins) / scale, known)


def assign(x: Floats, cuts: Floats) -> NDArray[np.int32]:
    """(n,) int32 bin of each value, from 0; -1 where it is missing. Values beyond the ends fall in the end bins."""
    codes = np.searchsorted(cuts, x, side="left").astype(np.int32)
    codes[np.isnan(x)] = -1
    return codes


def bin_labels(cuts: Floats) -> tuple[str, ...]:
    """The names of the bins, such as `(-inf, 2.45]`, `(2.45, inf)`; numbers in full, so that names differ."""
    edges = ["-inf", *map(repr, cuts.tolist())]
    return (*(f"({low}, {high}]" for low, high in pairwise(edges)), f"({edges[-1]}, inf)")


def _parting(cuts: Floats, known: Floats) -> Floats:
    """The cuts once each, rising, without those that no known value lies above: their last bin would be empty."""
    return np.unique(cuts[cuts < known.max()])


def _scale(known: Floats) -> float:
    """A power of two that keeps the range of the values finite (beside such a range it rounds nothing that counts)."""
    with np.errstate(over="ignore"):
        return 0.5 if math.isinf(known.max() - known.min()) else 1.0
