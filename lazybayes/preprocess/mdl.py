"""Supervised discretization by class entropy and minimum description length.

U. M. Fayyad, K. B. Irani: Multi-interval discretization of continuous-valued attributes for classification
learning. IJCAI 1993, sections 3 and 4.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]

TIE = 1e-12
"""Two cuts whose class entropies (bits a row) differ by no more than this are tied: rounding must not choose."""


def mdl_cuts(x: Floats, y: Ints) -> Floats:
    """The cut points of one numeric attribute, rising; empty where no cut pays.

    x: (n,) values, finite or NaN = missing (left out); y: (n,) class codes, none missing.

    Candidates lie midway between neighbouring distinct values, and a value equal to a cut belongs to its left.
    The cut of the lowest class entropy (the lowest cut on a tie) is accepted if its gain exceeds
    (log2(N - 1) + log2(3^k - 2) - (k E - k_l E_l - k_r E_r)) / N, with k the classes present in each part, and both
    halves are then cut in the same way. Only class counts enter, so the order of the rows does not matter.
    """
    known = ~np.isnan(x)
    values, place = np.unique(x[known], return_inverse=True)
    classes, code = np.unique(y[known], return_inverse=True)
    counts = np.bincount(code * len(values) + place, minlength=len(classes) * len(values))
    below = np.zeros((len(classes), len(values) + 1), dtype=np.int64)
    np.cumsum(counts.reshape(len(classes), len(values)), axis=1, out=below[:, 1:])
    xlogx = _xlogx(len(code))
    cuts: list[float] = []
    pending = [(0, len(values))]  # an explicit stack: nested cuts may outnumber Python's frames
    while pending:
        start, stop = pending.pop()
        split = _split(below, start, stop, xlogx)
        if split is not None:
            cuts.append(midpoint(float(values[split - 1]), float(values[split])))
            pending += [(start, split), (split, stop)]
    return np.sort(np.array(cuts, dtype=np.float64))


def midpoint(low: float, high: float) -> float:
    """A finite cut in [low, high): midway, where doubles allow it. Both are finite and low < high."""
    middle = (low + high) / 2
    if math.isinf(middle):
        middle = low / 2 + high / 2
    return middle if middle < high else low


def _xlogx(n: int) -> Floats:
    """(n + 1,) x ln x of the counts 0 to n, 0 ln 0 = 0."""
    x = np.arange(n + 1, dtype=np.float64)
    x[1:] *= np.log(x[1:])
    return x


def _split(below: NDArray[np.int64], start: int, stop: int, xlogx: Floats) -> int | None:
    """Where to cut the interval of the distinct values start to stop - 1; None if no cut is accepted.

    below: (C, m + 1) rows of each class among the first so many distinct values. Returns the first distinct value
    of the right half.
    """
    whole = below[:, stop] - below[:, start]
    if stop - start < 2 or np.count_nonzero(whole) < 2:
        return None
    left = below[:, start + 1 : stop] - below[:, start, np.newaxis]
    right = whole[:, np.newaxis] - left
    left_bits, right_bits = _bits(left, xlogx), _bits(right, xlogx)
    bits = left_bits + right_bits
    n = int(whole.sum())
    best = int(np.argmax(bits <= bits.min() + TIE * n))
    # the paper's inequality with both sides times N: n_part times entropy is `_bits`
    penalty = (
        _present(whole) * _bits(whole, xlogx) / n
        - _present(left[:, best]) * left_bits[best] / left[:, best].sum()
        - _present(right[:, best]) * right_bits[best] / right[:, best].sum()
    )
    price = math.log2(n - 1) + math.log2(3 ** _present(whole) - 2) - penalty
    return start + 1 + best if _bits(whole, xlogx) - bits[best] > price else None


def _bits(counts: NDArray[np.int64], xlogx: Floats) -> Floats:
    """N times the class entropy (base 2) of each column of counts (C, ...), N its sum: N log N - sum n_c log n_c."""
    bits: Floats = (xlogx[counts.sum(axis=0)] - xlogx[counts].sum(axis=0)) / math.log(2)
    return bits


def _present(counts: NDArray[np.int64]) -> int:
    return int(np.count_nonzero(counts))
