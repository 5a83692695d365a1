"""Measures of a classifier on the test part of one cell, all from its stored class probabilities.

Notation: n test rows, C declared classes, p[r, c] the probability of class c for row r, y[r] the true class.
Every measure states what happens where its formula has no value, and counts how often that was needed.
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
"""Two classes whose log scores differ by no more than this are tied; the lowest wins."""


@dataclass(frozen=True)
class Measure:
    """value: NaN = undefined; special: how many rows, pairs, classes or folds needed a stated outcome."""

    value: float
    special: int = 0


@dataclass(frozen=True)
class Settings:
    """What a measure depends on besides the predictions."""

    cll_floor: float = 1e-10
    auc: str = "present-pairs"


@dataclass(frozen=True)
class Metric:
    """A column of the results.

    better: ``lower`` or ``higher``. compute: None for what is not a function of the predictions (seconds).
    setting: the field of `Settings` the value depends on, or "". special: what `Measure.special` counts.
    """

    title: str
    better: str
    compute: Callable[[Codes, Codes, Floats, Settings], Measure] | None = None
    setting: str = ""
    special: str = ""


def decide(proba: Floats) -> NDArray[np.int32]:
    """(n,) class codes: for each row the lowest class whose log probability is within 1e-9 of the best.

    proba: (n, C), not negative.
    """
    with np.errstate(divide="ignore"):
        logs = np.log(proba)
    best = logs.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(logs >= best - TIE, axis=1), dtype=np.int32)


def error(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """The share of rows whose predicted class is wrong."""
    return Measure(np.count_nonzero(actual != predicted) / len(actual))


def accuracy(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """The share of rows whose predicted class is right."""
    return Measure(np.count_nonzero(actual == predicted) / len(actual))


def cll(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """Conditional log-likelihood: sum over rows of ln p[r, y[r]], p floored; special = rows that needed the floor."""
    true = proba[np.arange(len(actual)), actual]
    floored = true < settings.cll_floor
    logs = np.log(np.where(floored, settings.cll_floor, true))
    return Measure(math.fsum(logs.tolist()), int(floored.sum()))


def cll_per_row(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """`cll` divided by the number of test rows."""
    total = cll(actual, predicted, proba, settings)
    return Measure(total.value / len(actual), total.special)


def brier(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """Brier's (1950) score over all classes: the mean over rows of sum_c (p[r, c] - [y[r] = c])^2, from 0 to 2."""
    return Measure(_squares(actual, proba) / len(actual))


def rmse(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """Root mean squared error of the probabilities over rows *and* declared classes (as Weka reports it)."""
    return Measure(math.sqrt(_squares(actual, proba) / proba.size))


def macro_f1(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """The plain mean of the classes' F1 = 2 TP / (2 TP + FP + FN).

    A class that no test row has and no row was given has no F1 and is left out (special counts these); a class
    that occurs on one side only has F1 = 0.
    """
    classes = proba.shape[1]
    true = np.bincount(actual, minlength=classes)
    given = np.bincount(predicted, minlength=classes)
    hits = np.bincount(actual[actual == predicted], minlength=classes)
    seen = true + given > 0
    scores = 2 * hits[seen] / (true + given)[seen]
    return Measure(float(scores.mean()), int(classes - seen.sum()))


def auc(actual: Codes, predicted: Codes, proba: Floats, settings: Settings) -> Measure:
    """Hand & Till's (2001) M: the mean over pairs of classes i < j of (A(i|j) + A(j|i)) / 2.

    A(i|j) is the chance that a row of class i has a higher p[., i] than a row of class j, equality counting half.
    ``present-pairs``: the mean is over pairs whose classes both have test rows; with fewer than two classes present
    it is undefined (NaN, special = 1). ``declared-pairs``: over all declared pairs, one class absent counting 1 and
    both absent 0.5 (special = the pairs that got such a value).
    """
    classes = proba.shape[1]
    counts = np.bincount(actual, minlength=classes)
    present = np.flatnonzero(counts)
    pairs: list[float] = []
    if len(present) > 1:
        chances = _pair_chances(actual, proba, counts, present)
        upper = np.triu_indices(len(present), 1)
        pairs = ((chances + chances.T)[upper] / 2).tolist()
    if settings.auc == "present-pairs":
        return Measure(math.fsum(pairs) / len(pairs)) if pairs else Measure(math.nan, 1)
    if settings.auc != "declared-pairs":
        raise ValueError(f"auc: {settings.auc} is neither present-pairs nor declared-pairs")
    absent = classes - len(present)
    one, both = len(present) * absent, absent * (absent - 1) // 2
    total = len(pairs) + one + both
    if not total:
        return Measure(math.nan, 1)
    return Measure(math.fsum([*pairs, float(one), 0.5 * both]) / total, one + both)


def _pair_chances(actual: Codes, proba: Floats, counts: Codes, present: Codes) -> Floats:
    """(k, k): A(i|j) for the k present classes, from one sort a class; the diagonal means nothing."""
    chances = np.empty((len(present), len(present)))
    ones = actual[:, None] == present  # (n, k)
    below = np.zeros((len(actual) + 1, len(present)), dtype=np.int64)
    for row, label in enumerate(present):
        column = proba[:, label]
        order = np.argsort(column, kind="stable")
        np.cumsum(ones[order], axis=0, out=below[1:])  # rows of each class among the r lowest
        own = column[actual == label]
        ranked = column[order]
        less = below[np.searchsorted(ranked, own, "left")].sum(axis=0)
        no_more = below[np.searchsorted(ranked, own, "right")].sum(axis=0)
        chances[row] = (less + no_more) / (2.0 * counts[label] * counts[present])
    return chances


def _squares(actual: Codes, proba: Floats) -> float:
    """The sum over rows and classes of (p - [y = c])^2."""
    gaps = proba.copy()
    gaps[np.arange(len(actual)), actual] -= 1.0
    return float(np.square(gaps).sum())


_FLOORED = "test rows whose probability was floored"
METRICS: dict[str, Metric] = {
    "error": Metric("Error", "lower", error),
    "accuracy": Metric("Accuracy", "higher", accuracy),
    "cll": Metric("CLL", "higher", cll, "cll_floor", _FLOORED),
    "cll-per-row": Metric("CLL per row", "higher", cll_per_row, "cll_floor", _FLOORED),
    "auc": Metric("AUC", "higher", auc, "auc", "folds without a value, or pairs with an absent class"),
    "brier": Metric("Brier score", "lower", brier),
    "rmse": Metric("RMSE", "lower", rmse),
    "macro-f1": Metric("Macro F1", "higher", macro_f1, special="classes that neither occur nor were predicted"),
    "train-seconds": Metric("Training CPU seconds", "lower"),
    "test-seconds": Metric("Testing CPU seconds", "lower"),
}


def measure(
    name: str,
    actual: Codes,
    predicted: Codes,
    proba: Floats,
    *,
    cll_floor: float = Settings.cll_floor,
    auc: str = Settings.auc,
) -> Measure:
    """The metric ``name`` of predictions on one test part.

    actual, predicted: (n,) class codes, n >= 1; proba: (n, C). Raises KeyError for a metric that is no function of
    the predictions.
    """
    compute = METRICS[name].compute
    if compute is None:
        raise KeyError(name)
    return compute(actual, predicted, proba, Settings(cll_floor, auc))


def canonical(name: str, settings: Settings) -> str:
    """The metric's name with the setting its value depends on: what a stored value is kept under."""
    setting = METRICS[name].setting
    return f"{name}@{getattr(settings, setting)!r}" if setting else name
