"""Weights of the edges of a tree: conditional mutual information, of attributes or of values, and Weka's gain.

All come from the class x value x value table, over the rows that know both attributes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from lazybayes.counts.pairs import pair_tables
from lazybayes.counts.tables import ValueIndex
from lazybayes.counts.training import TrainingRows

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

ALPHA = 0.5
"""The Dirichlet parameter of each entry in the Bayesian score."""


@dataclass(frozen=True)
class Sums:
    """A block of the pair table, for values u of A of the attributes and all V values v, with its sums.

    both: (K, C, V) rows of each class with u and v; with_u: (K, C, a) rows with u that know v's attribute; with_v: (A,
    C, V) rows with v that know u's attribute; know: (A, C, a) rows that know both attributes. attribute_of: (K,) of
    each u among the A.
    """

    both: Floats
    with_u: Floats
    with_v: Floats
    know: Floats
    attribute_of: Ints


def _sums(value_index: ValueIndex, attributes: slice, values: slice, table: Floats) -> Sums:
    first = value_index.offsets[attributes] - values.start
    with_u = value_index.per_attribute(table)
    return Sums(
        table,
        with_u,
        np.add.reduceat(table, first, axis=0),
        np.add.reduceat(with_u, first, axis=0),
        value_index.attribute_of[values] - attributes.start,
    )


def conditional_mutual_information(training: TrainingRows, weight: str) -> Floats:
    """(a, a) I(A_i; A_j | C) in nats, over the rows that know both.

    Semi-lazy TAN paper, eq. 7. weight: what ln [P(u, v | c) / (P(u | c) P(v | c))] is weighted by: ``joint``, P(u, v,
    c), the definition; ``printed``, P(u, v | c), as the equation is printed there.
    """
    value_index = training.value_index
    a = len(value_index.arity)
    information = np.zeros((a, a))
    for attributes, values, table in pair_tables(training):
        sums = _sums(value_index, attributes, values, table)
        first = value_index.offsets[attributes] - values.start
        total = np.add.reduceat(value_index.per_attribute(xlogy(table, table)), first, axis=0)
        total -= np.add.reduceat(xlogy(sums.with_u, sums.with_u), first, axis=0)
        total -= value_index.per_attribute(xlogy(sums.with_v, sums.with_v))
        total += xlogy(sums.know, sums.know)  # (A, C, a)
        if weight == "printed":
            information[attributes] = (total / np.maximum(sums.know, 1.0)).sum(axis=1)
        else:
            information[attributes] = total.sum(axis=1) / np.maximum(sums.know.sum(axis=1), 1.0)
    return information


def value_information(training: TrainingRows, weight: str, by_class: bool = False) -> Floats:
    """(1, V, V) the conditional mutual information of two values, eq. 11, or (C, V, V) each class's own term of it.

    weight: ``printed``, P(u, v | c), or ``joint``, P(u, v, c). Raw frequencies; 0 ln 0 = 0; a class without rows adds
    0.
    """
    value_index, n_values = training.value_index, training.value_index.n_values
    information = np.empty((training.n_classes if by_class else 1, n_values, n_values))
    for attributes, values, table in pair_tables(training):
        sums = _sums(value_index, attributes, values, table)
        know = value_index.spread(sums.know)[sums.attribute_of]
        expected = value_index.spread(sums.with_u) * sums.with_v[sums.attribute_of]
        ratio = np.divide(table * know, expected, out=np.ones_like(table), where=table > 0)
        scale = know if weight == "printed" else know.sum(axis=1, keepdims=True)
        terms = (table / np.maximum(scale, 1.0) * np.log(ratio)).transpose(1, 0, 2)  # (C, K, V)
        information[:, values] = terms if by_class else terms.sum(axis=0)
    return information


def bayesian_gain(training: TrainingRows) -> Floats:
    """(a, a) [x, y]: how much the parent y raises the Bayesian score of x given the class (Weka's BayesNet TAN).

    The score is the logarithm of the marginal likelihood of x's values under Dirichlet priors with 0.5 in each entry.
    """
    value_index = training.value_index
    a = len(value_index.arity)
    gain = np.zeros((a, a))
    whole = value_index.arity * ALPHA
    for attributes, values, table in pair_tables(training):
        sums = _sums(value_index, attributes, values, table)
        first = value_index.offsets[attributes] - values.start
        with_parent = value_index.per_attribute((gammaln(ALPHA + table) - gammaln(ALPHA)).sum(axis=1))
        with_parent -= (gammaln(whole + sums.with_u) - gammaln(whole)).sum(axis=1)
        alone = value_index.per_attribute((gammaln(ALPHA + sums.with_v) - gammaln(ALPHA)).sum(axis=1))
        alone -= (gammaln(whole + sums.know) - gammaln(whole)).sum(axis=1)
        gain[:, attributes] = (np.add.reduceat(with_parent, first, axis=0) - alone).T
    return gain
