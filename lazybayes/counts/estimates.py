"""Estimates of P(value given class) and P(class) from counts: a parameter of every Bayesian learner.

Every estimate of a conditional has one form: with n rows of the class that carry the value, N that know the
attribute, a prior p for the value and a strength s,

    P(v given c) = (n + s p) / (N + s),

so an `Estimate` only defines s and p. Sources: Cestnik (1990) and Mitchell eq. 6.22 for the m-estimate;
Friedman, Geiger & Goldszmidt (1997) for `friedman`, N/(N + N0) n/N + N0/(N + N0) p, which is the m-estimate
with m = N0 and the marginal prior.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.messages import nearest

Floats = NDArray[np.float64]

KINDS: Mapping[str, Mapping[str, Any]] = {
    "m-estimate": {"m": 2.0, "prior": "marginal"},
    "laplace": {},
    "friedman": {"N0": 5.0},
    "dirichlet": {"alpha": 0.5},
    "frequency": {},
}
"""The parameters of each kind, with their defaults."""


@dataclass(frozen=True)
class Estimate:
    """How counts become probabilities.

    strength: s, or None where it is proportional to the attribute's k declared values (`per_value` times k).
    prior: ``marginal`` (the value's own Laplace relative frequency), ``uniform`` (1/k), a number, or one number
    per class (a tuple in the declared order of the classes, or a mapping from class labels until `bind`).
    class_prior: ``laplace`` (n_c + 1)/(n + C), ``frequency`` n_c/n, ``dirichlet`` (n_c + a)/(n + a C), a = `per_value`.
    """

    kind: str
    strength: float | None
    per_value: float
    prior: Any
    class_prior: str

    def bind(self, classes: tuple[str, ...], class_prior: str | None = None) -> Estimate:
        """The same estimate for these classes: one number per class in their order, and class_prior if given.

        Raises ValueError if the prior's numbers do not fit the classes.
        """
        prior = self.prior
        if isinstance(prior, Mapping):
            if sorted(prior) != sorted(classes):
                raise ValueError(
                    f"estimate: prior names the classes {', '.join(prior)}; the data's are {', '.join(classes)}"
                )
            prior = tuple(float(prior[label]) for label in classes)
        if isinstance(prior, tuple) and len(prior) != len(classes):
            raise ValueError(f"estimate: prior has {len(prior)} numbers; the data has {len(classes)} classes")
        return Estimate(self.kind, self.strength, self.per_value, prior, class_prior or self.class_prior)

    def conditional(self, n: Floats, known: Floats, n_value: Floats, known_value: Floats, k: Floats) -> Floats:
        """P(v given c), elementwise over arrays that broadcast to (..., C, V).

        n: rows of class c with value v; known: rows of class c that know v's attribute; n_value, known_value: the
        same over all classes; k: the attribute's declared values. 0/0 (no known row, no prior) is 0.
        """
        strength = self.per_value * k if self.strength is None else self.strength
        if self.prior == "marginal":
            prior = (n_value + 1.0) / (known_value + k)
        elif self.prior == "uniform":
            prior = 1.0 / k
        elif isinstance(self.prior, tuple):
            prior = np.array(self.prior)[:, None]
        else:
            prior = self.prior
        share, total = n + strength * prior, known + strength
        if total.min(initial=1.0) > 0.0:
            return share / total
        return np.divide(share, total, out=np.zeros(np.broadcast_shapes(share.shape, total.shape)), where=total > 0)

    def of_class(self, n_class: Floats, n: Floats, n_classes: int) -> Floats:
        """P(c), elementwise: n_class rows of class c among n. Without rows or prior: 1/C."""
        pseudo = {"laplace": 1.0, "frequency": 0.0, "dirichlet": self.per_value}[self.class_prior]
        total = n + pseudo * n_classes
        shares = np.full(np.broadcast_shapes(np.shape(n_class), np.shape(total)), 1.0 / n_classes)
        np.divide(n_class + pseudo, total, out=shares, where=total > 0)
        return shares

    def spec(self) -> dict[str, Any]:
        """The estimate as written in a config, with every parameter filled in."""
        own: dict[str, dict[str, Any]] = {
            "m-estimate": {
                "m": self.strength,
                "prior": list(self.prior) if isinstance(self.prior, tuple) else self.prior,
            },
            "friedman": {"N0": self.strength},
            "dirichlet": {"alpha": self.per_value},
        }
        return {"kind": self.kind, **own.get(self.kind, {})}


def parse_estimate(spec: str | Mapping[str, Any] | Estimate) -> Estimate:
    """An `Estimate` from a kind's name or a mapping {kind, parameters}.

    Raises ValueError with what is wrong and what is allowed.
    """
    if isinstance(spec, Estimate):
        return spec
    if isinstance(spec, str):
        spec = {"kind": spec}
    if not isinstance(spec, Mapping):
        raise ValueError(
            f"an estimate must be a name ({', '.join(KINDS)}) or a mapping with the key kind, not {spec!r}"
        )
    kind = spec.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        hint = nearest(str(kind), KINDS)
        raise ValueError(f"kind {kind!r} is not an estimate{hint}; allowed: {', '.join(KINDS)}")
    own = dict(KINDS[kind])
    for key, value in spec.items():
        if key == "kind":
            continue
        if key not in own:
            allowed = ", ".join(["kind", *own])
            raise ValueError(
                f"{key!r} is not a parameter of the estimate {kind}{nearest(str(key), own)}; allowed: {allowed}"
            )
        own[key] = _prior(value) if key == "prior" else _positive(key, value, zero=key == "m")
    if kind == "m-estimate":
        return Estimate(kind, own["m"], 0.0, own["prior"], "laplace")
    if kind == "laplace":
        return Estimate(kind, None, 1.0, "uniform", "laplace")
    if kind == "friedman":
        return Estimate(kind, own["N0"], 0.0, "marginal", "laplace")
    if kind == "dirichlet":
        return Estimate(kind, None, own["alpha"], "uniform", "dirichlet")
    return Estimate(kind, 0.0, 0.0, "uniform", "frequency")


def _positive(name: str, value: Any, zero: bool = False) -> float:
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not np.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise ValueError(f"{name} must be a number {'>=' if zero else '>'} 0, not {value!r}")
    return float(value)


def _prior(value: Any) -> Any:
    if isinstance(value, str) and value in ("marginal", "uniform"):
        return value
    if isinstance(value, Mapping):
        return {str(label): _share(number) for label, number in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_share(number) for number in value)
    return _share(value)


def _share(value: Any) -> float:
    share = float(value) if isinstance(value, Real) and not isinstance(value, bool) else -1.0
    if not 0 <= share <= 1:
        raise ValueError(
            f"prior must be marginal, uniform, a number from 0 to 1 or one such number per class, not {value!r}"
        )
    return share
