"""Normal densities of numeric attributes given the class (Tan, Steinbach & Kumar eq. 5.16)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

NARROW = 1e-9
"""Fraction of the pooled variance that replaces a variance that is 0 or undefined."""


@dataclass(frozen=True)
class Gaussian:
    """origins, centres, deviations: (C, q) of each class and numeric attribute, in units of (q,) `scale`.

    A centre is the mean's distance from the origin, a cell near it: at 1e15 their sum would be rounded to whole units.

    The variance is the sample variance (n - 1). Where it is 0, or fewer than two rows know the attribute, it is the
    attribute's pooled within-class variance times 1e-9, or 1e-9 if that is 0 too. A class that never knows the
    attribute has the attribute's overall mean; an attribute that no row knows is ignored (NaN mean).
    """

    origins: Floats
    centres: Floats
    deviations: Floats
    scale: Floats

    @property
    def means(self) -> Floats:
        """(C, q) means, in units of `scale`."""
        return self.origins + self.centres

    def log_density(self, numeric: Floats) -> Floats:
        """(n, C, q) ln of the density of each cell given each class; 0 where the cell is missing."""
        with np.errstate(over="ignore"):  # a cell beyond all reach has the density 0
            z = ((numeric / self.scale)[:, None, :] - self.origins - self.centres) / self.deviations
            density = -0.5 * z * z - 0.5 * np.log(2 * np.pi) - np.log(self.deviations) - np.log(self.scale)
        return np.where(np.isnan(z), 0.0, density)


def fit_gaussian(numeric: Floats, y: Ints, n_classes: int) -> Gaussian:
    """Means and deviations of (n, q) cells (NaN = missing) by class. y: (n,)."""
    known = ~np.isnan(numeric)
    largest = np.max(np.abs(numeric), axis=0, where=known, initial=0.0)
    # A power of two is exact; in its units no square overflows, and 1e-9 / scale**2 would, but not its root.
    scale = np.exp2(np.maximum(np.frexp(largest)[1] - 1.0, -1000.0))
    cells = numeric / scale
    member = (y[:, None] == np.arange(n_classes)).astype(np.float64)  # (n, C)
    n = member.T @ known
    lowest = np.full(n.shape, np.inf)
    np.fmin.at(lowest, y, cells)
    lowest = np.where(n > 0, lowest, lowest.min(axis=0))
    lowest[np.isinf(lowest)] = np.nan  # of an attribute that no row knows
    # Seen from its lowest cell a constant class has the variance 0 exactly: 0.1 is not the rounded mean of three 0.1.
    off = np.where(known, cells - lowest[y], 0.0)
    mean_off = member.T @ off / np.maximum(n, 1)
    squares = member.T @ np.where(known, off - mean_off[y], 0.0) ** 2
    free = np.maximum(n - 1, 0)
    variances = squares / np.maximum(free, 1)
    pooled = squares.sum(axis=0) / np.maximum(free.sum(axis=0), 1)
    narrow = np.where(pooled > 0, np.sqrt(pooled * NARROW), np.sqrt(NARROW) / scale)
    deviations = np.where(variances > 0, np.sqrt(variances), narrow)
    n_all = n.sum(axis=0)
    all_off = np.where(known, cells - lowest.min(axis=0), 0.0).sum(axis=0) / np.maximum(n_all, 1)
    return Gaussian(lowest, np.where(n > 0, mean_off, all_off), deviations, scale)
