"""The area under the ROC curve of several classes: Hand & Till's (2001) A(i|j) and its means over pairs.

Rows are ranked for class i by their log odds ln p_i - ln(sum of the other classes' p). That is the order of p_i
without the rounding errors near p_i = 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.integer]
Floats = NDArray[np.float64]

TIE = 1e-9
"""Scores of a class within this distance of the lowest of them are equal."""


def log_odds(log_proba: Floats) -> Floats:
    """(n, C) ln p_c - ln(sum of the other classes' p); infinite where a class has probability 0 or 1.

    log_proba: (n, C), with a finite entry in each row; a constant per row does not matter.
    """
    rows = np.arange(len(log_proba))
    top = log_proba.argmax(axis=1)
    others = log_proba.copy()
    others[rows, top] = -np.inf
    best, second = log_proba.max(axis=1, keepdims=True), others.max(axis=1, keepdims=True)
    second[np.isneginf(second)] = 0.0
    weights, rest = np.exp(log_proba - best), np.exp(others - second)
    with np.errstate(divide="ignore", invalid="ignore"):
        others = best + np.log(weights.sum(axis=1, keepdims=True) - weights)  # a difference of at least 1, but at top
        others[rows, top] = second[:, 0] + np.log(rest.sum(axis=1))
    return np.asarray(log_proba - others)


@dataclass(frozen=True)
class Rule:
    """A mean over pairs of classes i < j.

    one_sided: the mean is of A(i|j) alone instead of (A(i|j) + A(j|i)) / 2; absent: the value of a pair with an absent
    class, given the numbers of test rows of i and of j; None excludes such pairs.
    """

    one_sided: bool
    absent: Callable[[int, int], float] | None


def _declared(of_i: int, of_j: int) -> float:
    return 1.0 if of_i or of_j else 0.5


def _declared_one_sided(of_i: int, of_j: int) -> float:
    return 1.0 if of_i else of_j / (of_j + 1) if of_j else 0.5


RULES: dict[str, Rule] = {
    "present-pairs": Rule(False, None),
    "declared-pairs": Rule(False, _declared),
    "declared-one-sided": Rule(True, _declared_one_sided),
}


def mean_over_pairs(actual: Codes, scores: Floats, rule: Rule) -> tuple[float, int]:
    """The rule's mean, NaN if there are no pairs, and the number of pairs with an absent class.

    actual: (n,) class codes; scores: (n, C) scores that rank the rows for each class.
    """
    n_classes = scores.shape[1]
    counts = np.bincount(actual, minlength=n_classes)
    present = np.flatnonzero(counts)
    chances = _chances(actual, scores, counts, present)
    if not rule.one_sided:
        chances = (chances + chances.T) / 2
    values: list[float] = chances[np.triu_indices(len(present), 1)].tolist()
    pairs = n_classes * (n_classes - 1) // 2
    absent = pairs - len(values)
    if rule.absent:
        first, second = np.triu_indices(n_classes, 1)
        lacking = (counts[first] == 0) | (counts[second] == 0)
        values += map(rule.absent, counts[first[lacking]].tolist(), counts[second[lacking]].tolist())
    return (math.fsum(values) / len(values) if values else math.nan), absent


def _chances(actual: Codes, scores: Floats, counts: Codes, present: Codes) -> Floats:
    """(k, k) A(i|j) of the k present classes, from one sort per class; the diagonal has no meaning.

    A(i|j) is the chance that a row of class i has a higher score for i than a row of class j, ties counting half.
    """
    chances = np.empty((len(present), len(present)))
    ones = actual[:, None] == present  # (n, k)
    below = np.zeros((len(actual) + 1, len(present)), dtype=np.int64)
    for place, label in enumerate(present):
        order = np.argsort(scores[:, label], kind="stable")
        np.cumsum(ones[order], axis=0, out=below[1:])  # rows of each class among the r lowest
        edges = _tie_groups(scores[order, label])
        own = np.diff(below[edges, place])  # rows of the class in each group of equal scores
        chances[place] = own @ (below[edges[:-1]] + below[edges[1:]]) / (2.0 * counts[label] * counts[present])
    return chances


def _tie_groups(rising: Floats) -> list[int]:
    """Where each group of equal scores begins, and the end: a score is equal to the first of a group within `TIE`."""
    following = np.searchsorted(rising, rising + TIE, "right").tolist()
    edges = [0]
    while edges[-1] < len(rising):
        edges.append(following[edges[-1]])
    return edges
