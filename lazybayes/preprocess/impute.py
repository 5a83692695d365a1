"""Imputation: what a missing cell is replaced by, learnt from training rows."""

from __future__ import annotations

import math

import numpy as np

from lazybayes.preprocess.mdl import Floats, Ints

HUGE = 2.0**-64
"""Brings a column whose sum overflows into range; a power of two, so that nothing that matters is rounded."""


def mode(codes: Ints) -> int | None:
    """The most frequent code (the lowest on a tie); None where every cell is missing (-1)."""
    known = codes[codes >= 0]
    return int(np.bincount(known).argmax()) if len(known) else None


def mean(x: Floats) -> float | None:
    """The mean of the known values; None where every cell is missing (NaN).

    The sum is exact and rounded once, so that neither the order of the rows nor a constant column can move it.
    """
    known = x[~np.isnan(x)]
    if not len(known):
        return None
    try:
        middle = math.fsum(known.tolist()) / len(known)
    except OverflowError:
        middle = math.fsum((known * HUGE).tolist()) / len(known) / HUGE
    return min(max(middle, float(known.min())), float(known.max()))
