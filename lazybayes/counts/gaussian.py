"""Normal densities of numeric attributes given the class (Tan, Steinbach & Kumar eq. 5.16)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

NARROW = 1e-9
"""The share of the pooled variance that stands in for a variance that is 0 or not to be had."""


@dataclass(frozen=True)
class Gaussian:
    """means, variances: (C, q) of each class and numeric attribute, in units of (q,) `scale`.

    The variance is the sample variance (n - 1). Where it is 0, or fewer than two rows know the attribute, it is the
    attribute's pooled within-class variance times 1e-9, or 1e-9 if that is 0 too. A class that never knows the
    attribute has the attribute's overall mean; an attribute that no row knows says nothing (NaN mean).
    """

    means: Floats
    variances: Floats
    scale: Floats

    def log_density(self, numeric: Floats) -> Floats:
        """(n, C, q) ln of the density of each cell given each class; 0 where the cell is missing."""
        z = (numeric / self.scale)[:, None, :] - self.means
        density = -0.5 * (z * z / self.variances + np.log(2 * np.pi * self.variances)) - np.log(self.scale)
        return np.where(np.isnan(z), 0.0, density)


def fit_gaussian(numeric: Floats, y: Ints, n_classes: int) -> Gaussian:
    """Means and variances of (n, q) cells (NaN = missing) by class. y: (n,)."""
    known = ~np.isnan(numeric)
    largest = np.max(np.abs(numeric), axis=0, where=known, initial=0.0)
    scale = np.exp2(np.frexp(largest)[1].astype(np.float64) - 1)  # a power of two: exact, and squares cannot overflow
    scale[largest == 0] = 1.0
    cells = np.where(known, numeric / scale, 0.0)
    member = (y[:, None] == np.arange(n_classes)).astype(np.float64)  # (n, C)
    n = member.T @ known
    n_all = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        overall = cells.sum(axis=0) / np.where(n_all, n_all, np.nan)
        means = np.where(n > 0, (member.T @ cells) / n, overall)
        off = np.where(known, cells - np.where(np.isnan(means), 0.0, means)[y], 0.0)
        squares = member.T @ (off * off)
        free = np.maximum(n - 1, 0)
        variances = squares / free
        pooled = squares.sum(axis=0) / free.sum(axis=0)
    narrow = np.where(pooled > 0, pooled * NARROW, NARROW / scale**2)
    usable = (n >= 2) & (variances > 0)
    return Gaussian(means, np.where(usable, variances, narrow), scale)
