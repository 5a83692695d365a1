"""Slow references in plain Python: estimates, naive Bayes, leave-one-out, Gaussian densities, LBR.

Everything is counted anew where it is needed, leave-one-out refits without the row, probabilities are fractions and
are multiplied, not added as logs. Nothing is shared with the product.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

Value = int | None  # a code, or a missing cell
Posterior = list[Fraction]

TIE = Fraction(math.exp(-1e-9))  # scores whose logs differ by 1e-9 at most are equal


@dataclass(frozen=True)
class Data:
    """Training rows. arity: declared values of each attribute; y: classes, 0 to n_classes - 1."""

    arity: tuple[int, ...]
    n_classes: int
    rows: tuple[tuple[Value, ...], ...]
    y: tuple[int, ...]

    @property
    def attributes(self) -> tuple[int, ...]:
        return tuple(range(len(self.arity)))

    def without(self, i: int) -> Data:
        return Data(self.arity, self.n_classes, self.rows[:i] + self.rows[i + 1 :], self.y[:i] + self.y[i + 1 :])

    def only(self, keep: Sequence[int]) -> Data:
        return Data(self.arity, self.n_classes, tuple(self.rows[i] for i in keep), tuple(self.y[i] for i in keep))


@dataclass(frozen=True)
class Spec:
    """An estimate. prior: marginal, uniform, a number, or a number a class (a tuple)."""

    kind: str
    m: float = 2.0
    prior: str | float | tuple[float, ...] = "marginal"
    n0: float = 5.0
    alpha: float = 0.5
    class_prior: str | None = None

    def config(self) -> dict[str, object]:
        """As the product is told of it."""
        own = {
            "m-estimate": {"m": self.m, "prior": list(self.prior) if isinstance(self.prior, tuple) else self.prior},
            "friedman": {"N0": self.n0},
            "dirichlet": {"alpha": self.alpha},
        }
        return {"kind": self.kind, **own.get(self.kind, {})}


# --- the estimates, one formula each


@cache
def of_value(spec: Spec, n_jvc: int, n_jc: int, n_jv: int, n_j: int, k: int, c: int) -> Fraction:
    """P(v given c). n_jvc: rows of class c with value v of j; n_jc: rows of class c that know j; n_jv, n_j: the same
    over all classes; k: declared values of j."""
    marginal = Fraction(n_jv + 1, n_j + k)
    if spec.kind == "laplace":
        return Fraction(n_jvc + 1, n_jc + k)
    if spec.kind == "dirichlet":
        alpha = Fraction(spec.alpha)
        return (n_jvc + alpha) / (n_jc + alpha * k)
    if spec.kind == "friedman":
        if n_jc == 0:
            return marginal
        n0 = Fraction(spec.n0)
        return n_jc / (n_jc + n0) * Fraction(n_jvc, n_jc) + n0 / (n_jc + n0) * marginal
    if spec.kind == "frequency":
        return Fraction(n_jvc, n_jc) if n_jc else Fraction(0)
    assert spec.kind == "m-estimate"
    m = Fraction(spec.m)
    if spec.prior == "marginal":
        p = marginal
    elif spec.prior == "uniform":
        p = Fraction(1, k)
    elif isinstance(spec.prior, tuple):
        p = Fraction(spec.prior[c])
    else:
        p = Fraction(spec.prior)  # type: ignore[arg-type]
    return (n_jvc + m * p) / (n_jc + m) if n_jc + m else Fraction(0)


@cache
def of_class(spec: Spec, n_c: int, n: int, n_classes: int) -> Fraction:
    """P(c)."""
    kind = spec.class_prior or {"frequency": "frequency", "dirichlet": "dirichlet"}.get(spec.kind, "laplace")
    if kind == "laplace":
        return Fraction(n_c + 1, n + n_classes)
    if kind == "dirichlet":
        alpha = Fraction(spec.alpha)
        return (n_c + alpha) / (n + alpha * n_classes)
    return Fraction(n_c, n) if n else Fraction(1, n_classes)


# --- naive Bayes


def class_counts(data: Data) -> list[int]:
    return [data.y.count(c) for c in range(data.n_classes)]


def joint(spec: Spec, data: Data, row: Sequence[Value], attributes: Sequence[int]) -> tuple[list[Fraction], bool]:
    """P(c) times the product over the row's known attributes of P(v given c), and whether the class prior had to answer
    because every class came to 0."""
    with_value: Counter[tuple[int, Value, int]] = Counter()
    for cells, c in zip(data.rows, data.y, strict=True):
        for j in attributes:
            with_value[j, cells[j], c] += 1
    n_class = class_counts(data)
    classes = range(data.n_classes)
    priors = [of_class(spec, n_class[c], len(data.y), data.n_classes) for c in classes]
    products = list(priors)
    for j in attributes:
        v = row[j]
        if v is None:
            continue
        n_jv = sum(with_value[j, v, c] for c in classes)
        known = [n_class[c] - with_value[j, None, c] for c in classes]
        for c in classes:
            products[c] *= of_value(spec, with_value[j, v, c], known[c], n_jv, sum(known), data.arity[j], c)
    return (products, False) if any(products) else (priors, True)


def decide(products: Sequence[Fraction]) -> int:
    """The lowest class whose log score is within 1e-9 of the best."""
    best = max(products)
    return next(c for c, p in enumerate(products) if p >= best * TIE)


def normalized(products: Sequence[Fraction]) -> list[float]:
    total = sum(products)
    return [float(p / total) for p in products]


def leave_one_out(spec: Spec, data: Data, attributes: Sequence[int] | None = None) -> list[list[Fraction]]:
    """Each row's joint probabilities from a classifier fitted on all the other rows."""
    chosen = data.attributes if attributes is None else attributes
    return [joint(spec, data.without(i), row, chosen)[0] for i, row in enumerate(data.rows)]


# --- LBR, as table 1 of Zheng & Webb 2000 has it, for one row at a time


def significant(right: int, wrong: int, alpha: float) -> bool:
    """One-tailed sign test, ties dropped: P(Binomial(right + wrong, 1/2) >= right) < alpha, in exact integers."""
    n = right + wrong
    return Fraction(sum(math.comb(n, k) for k in range(right, n + 1)), 2**n) < Fraction(alpha)


@dataclass(frozen=True)
class Rule:
    """conditions: (attribute, value) in the order they were added; rows: local training rows; tied: whether two
    candidates had equally few errors at some step; lost: whether the class prior had to answer."""

    conditions: tuple[tuple[int, int], ...]
    rows: tuple[int, ...]
    products: list[Fraction]
    tied: bool
    lost: bool


@dataclass
class Lbr:
    """`known` keeps what a set of rows and attributes gave: a function of these alone, asked for many times."""

    spec: Spec
    data: Data
    alpha: float
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], frozenset[int]] = field(default_factory=dict)

    def errors(self, rows: tuple[int, ...], attributes: tuple[int, ...]) -> frozenset[int]:
        """The rows that N-fold cross-validation on these rows gets wrong."""
        if (rows, attributes) not in self.known:
            local = self.data.only(rows)
            products = leave_one_out(self.spec, local, attributes)
            wrong = frozenset(i for i, p, c in zip(rows, products, local.y, strict=True) if decide(p) != c)
            self.known[rows, attributes] = wrong
        return self.known[rows, attributes]

    def rule(self, test: Sequence[Value]) -> Rule:
        rows = tuple(range(len(self.data.y)))
        attributes = self.data.attributes
        conditions: list[tuple[int, int]] = []
        tied = False
        errors = self.errors(rows, attributes)
        while True:
            best, best_total = None, len(rows) + 1
            totals = []
            for a in attributes:
                v = test[a]
                if v is None:
                    continue
                subset = tuple(i for i in rows if self.data.rows[i][a] == v)
                if len(subset) == len(rows):
                    continue  # it does not shrink the subset
                rest = tuple(j for j in attributes if j != a)
                found = self.errors(subset, rest)
                total = len(found) + sum(1 for i in errors if i not in subset)
                right = sum(1 for i in subset if i in errors and i not in found)
                wrong = sum(1 for i in subset if i not in errors and i in found)
                if significant(right, wrong, self.alpha):
                    totals.append(total)
                    if total < best_total:
                        best, best_total = (a, v, subset, rest), total
            if best is None:
                products, lost = joint(self.spec, self.data.only(rows), test, attributes)
                return Rule(tuple(conditions), rows, products, tied, lost)
            tied = tied or totals.count(best_total) > 1
            a, v, rows, attributes = best
            conditions.append((a, v))
            errors = self.errors(rows, attributes)


# --- Gaussian densities (Tan, Steinbach & Kumar eq. 5.16)


def log_of(x: Fraction) -> float:
    """ln of a fraction that may be beyond the range of doubles; -inf for 0."""
    return math.log(x.numerator) - math.log(x.denominator) if x else -math.inf


def gaussian(cells: Sequence[Sequence[float]], c: int, x: float) -> float:
    """ln of the normal density of x given class c, from the known cells of each class (class c knows at least one)."""
    values = [[Fraction(cell) for cell in group] for group in cells]
    means = [sum(group, Fraction(0)) / len(group) if group else Fraction(0) for group in values]
    squares = [sum(((v - mean) ** 2 for v in group), Fraction(0)) for group, mean in zip(values, means, strict=True)]
    free = [max(len(group) - 1, 0) for group in values]
    variance = squares[c] / free[c] if free[c] else Fraction(0)
    if not variance:
        pooled = sum(squares) / sum(free) if sum(free) else Fraction(0)
        variance = (pooled or 1) * Fraction(1, 10**9)
    exponent = (Fraction(x) - means[c]) ** 2 / (2 * variance)
    try:
        power = float(exponent)
    except OverflowError:
        power = math.inf
    return -power - 0.5 * (math.log(2 * math.pi) + log_of(variance))
