"""Two classes with normal densities of one attribute: where the decision changes, and the error that is left.

No classifier errs less than the Bayes error, the area under the lower of the two curves P(c) p(x | c)
(Tan, Steinbach & Kumar 5.3.4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Normal:
    """A class: the mean and standard deviation (above 0) of its attribute, and its prior probability (above 0)."""

    mean: float
    deviation: float
    prior: float = 0.5

    def below(self, x: float) -> float:
        """P(c) times the probability of a value below x."""
        return self.prior * 0.5 * math.erfc((self.mean - x) / (self.deviation * math.sqrt(2)))

    def log_joint(self, x: float) -> float:
        """ln P(c) p(x | c)."""
        z = (x - self.mean) / self.deviation
        return math.log(self.prior) - 0.5 * z * z - math.log(self.deviation) - 0.5 * math.log(2 * math.pi)


def decision_boundaries(one: Normal, other: Normal) -> tuple[float, ...]:
    """The values at which both classes are equally probable, rising: none, one or two.

    With equal deviations and priors it is the mean of the means. Two equal classes have no boundary.
    """
    a = 1 / (2 * other.deviation**2) - 1 / (2 * one.deviation**2)
    b = one.mean / one.deviation**2 - other.mean / other.deviation**2
    c = one.log_joint(0.0) - other.log_joint(0.0)
    if a == 0:
        return () if b == 0 else (-c / b,)
    inside = b * b - 4 * a * c
    if inside <= 0:
        return ()
    # The root without cancellation first, the other from the product of the roots.
    q = -0.5 * (b + math.copysign(math.sqrt(inside), b))
    return tuple(sorted((q / a, c / q)))


def bayes_error(one: Normal, other: Normal) -> float:
    """The least error of any classifier: the sum over the stretches between boundaries of the less probable class."""
    edges = (-math.inf, *decision_boundaries(one, other), math.inf)
    return math.fsum(
        min(one.below(high) - one.below(low), other.below(high) - other.below(low)) for low, high in pairwise(edges)
    )
