"""Measures of a classifier on the test rows of one trial, computed from its stored answers.

Notation: n test rows, C declared classes, p[r, c] the probability of class c for row r, y[r] the true class.
Every measure states its value where its formula is undefined, and counts how often this occurs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lazybayes.metrics.auc import RULES, Codes, Floats, log_odds, mean_over_pairs


@dataclass(frozen=True)
class Measure:
    """value: NaN = undefined; special: how many rows, pairs, classes or folds needed a stated outcome."""

    value: float
    special: int = 0


@dataclass(frozen=True, kw_only=True)
class Answers:
    """A learner's answers for n test rows, with the true classes.

    actual, predicted: (n,) class codes; proba: (n, C) class probabilities; scores: (n, C) scores
    by which AUC ranks the rows for each class (None: the probabilities are used). All probabilities are NaN if the
    learner does not give any: then their measures are undefined, and so is AUC unless scores are given.
    """

    actual: Codes
    predicted: Codes
    proba: Floats
    scores: Floats | None = None


@dataclass(frozen=True)
class MetricSettings:
    """What a measure depends on besides the predictions."""

    cll_floor: float = 1e-10
    auc: str = "present-pairs"


@dataclass(frozen=True)
class Metric:
    """A column of the results.

    better: ``lower`` or ``higher``. compute: None for a metric that is not a function of the predictions (seconds).
    setting: the field of `MetricSettings` the value depends on, or "". special: what `Measure.special` counts.
    undefined: why a trial may have no value. unit, decimals: how a mean is printed (``%``: times 100). counted: whether
    algorithms are compared by the total number of errors over all trials, not by the mean of the trials. version:
    raised when the formula changes, so that stored values are computed again.
    """

    title: str
    better: str
    compute: Callable[[Answers, MetricSettings], Measure] | None = None
    setting: str = ""
    special: str = ""
    undefined: str = ""
    unit: str = ""
    decimals: int = 4
    counted: bool = False
    version: int = 1

    @property
    def scale(self) -> int:
        """Factor by which a value is multiplied when it is printed."""
        return 100 if self.unit == "%" else 1


def error(answers: Answers, settings: MetricSettings) -> Measure:
    """Proportion of rows whose predicted class is wrong."""
    return Measure(np.count_nonzero(answers.actual != answers.predicted) / len(answers.actual))


def accuracy(answers: Answers, settings: MetricSettings) -> Measure:
    """Proportion of rows whose predicted class is correct."""
    return Measure(np.count_nonzero(answers.actual == answers.predicted) / len(answers.actual))


def cll(answers: Answers, settings: MetricSettings) -> Measure:
    """Conditional log-likelihood: sum over rows of ln p[r, y[r]], p floored; special = rows that needed the floor."""
    true = answers.proba[np.arange(len(answers.actual)), answers.actual]
    floored = true < settings.cll_floor
    logs = np.log(np.where(floored, settings.cll_floor, true))
    return Measure(math.fsum(logs.tolist()), int(floored.sum()))


def cll_per_row(answers: Answers, settings: MetricSettings) -> Measure:
    """`cll` divided by the number of test rows."""
    total = cll(answers, settings)
    return Measure(total.value / len(answers.actual), total.special)


def brier(answers: Answers, settings: MetricSettings) -> Measure:
    """Brier's (1950) score over all classes: the mean over rows of sum_c (p[r, c] - [y[r] = c])^2, from 0 to 2."""
    return Measure(_squares(answers) / len(answers.actual))


def rmse(answers: Answers, settings: MetricSettings) -> Measure:
    """Root mean squared error of the probabilities over rows *and* declared classes (as Weka reports it)."""
    return Measure(math.sqrt(_squares(answers) / answers.proba.size))


def macro_f1(answers: Answers, settings: MetricSettings) -> Measure:
    """The plain mean of the classes' F1 = 2 TP / (2 TP + FP + FN).

    A class that occurs neither in the true nor in the predicted classes has no F1 and is excluded (special counts
    these); a class that occurs in only one of the two has F1 = 0.
    """
    actual, predicted, classes = answers.actual, answers.predicted, answers.proba.shape[1]
    true = np.bincount(actual, minlength=classes)
    given = np.bincount(predicted, minlength=classes)
    hits = np.bincount(actual[actual == predicted], minlength=classes)
    seen = true + given > 0
    scores = 2 * hits[seen] / (true + given)[seen]
    return Measure(float(scores.mean()), int(classes - seen.sum()))


def auc(answers: Answers, settings: MetricSettings) -> Measure:
    """Hand & Till's (2001) M: the mean over pairs of classes i < j of (A(i|j) + A(j|i)) / 2.

    A(i|j) is the chance that a row of class i has a higher score for i than a row of class j, ties counting half;
    the score is ln p[., i] - ln(sum of the other classes' p) if the answers have no scores. Scores within
    1e-9 of the lowest of them are equal.

    ``present-pairs``: the mean is over pairs whose classes both have test rows; with fewer than two classes present
    it is undefined (NaN, special = 1). The others are over all declared pairs (special = those with an absent class):
    ``declared-pairs``: one class absent counts 1, both absent 0.5; ``declared-one-sided``: of A(i|j) alone (Liang &
    Yan 2006), j absent counts 1, i absent n_j / (n_j + 1) for n_j test rows of class j, both absent 0.5.
    """
    rule = RULES.get(settings.auc)
    if rule is None:
        raise ValueError(f"auc: {settings.auc} is not one of {', '.join(RULES)}")
    scores = answers.scores
    if scores is None and np.isnan(answers.proba).any():
        return Measure(math.nan)
    if scores is None:
        with np.errstate(divide="ignore"):
            scores = log_odds(np.log(answers.proba))
    value, absent = mean_over_pairs(answers.actual, scores, rule)
    if math.isnan(value):
        return Measure(value, 1)
    return Measure(value, absent if rule.absent else 0)


def _squares(answers: Answers) -> float:
    """The sum over rows and classes of (p - [y = c])^2."""
    gaps = answers.proba.copy()
    gaps[np.arange(len(answers.actual)), answers.actual] -= 1.0
    return float(np.square(gaps).sum())


_DECIDES = "the learner gives no probabilities"
_FLOORED = "test rows whose probability was floored"
METRICS: dict[str, Metric] = {
    "error": Metric("Error", "lower", error, unit="%", decimals=2, counted=True),
    "accuracy": Metric("Accuracy", "higher", accuracy, unit="%", decimals=2, counted=True),
    "cll": Metric("CLL", "higher", cll, "cll_floor", _FLOORED, _DECIDES, decimals=2),
    "cll-per-row": Metric("CLL per row", "higher", cll_per_row, "cll_floor", _FLOORED, _DECIDES),
    "auc": Metric(
        "AUC",
        "higher",
        auc,
        "auc",
        "folds without a value, or pairs with an absent class",
        "one class in the test rows, or a learner that gives neither probabilities nor scores",
    ),
    "brier": Metric("Brier score", "lower", brier, undefined=_DECIDES),
    "rmse": Metric("RMSE", "lower", rmse, undefined=_DECIDES),
    "macro-f1": Metric("Macro F1", "higher", macro_f1, special="classes that neither occur nor were predicted"),
    "train-seconds": Metric("Training CPU seconds", "lower"),
    "test-seconds": Metric("Testing CPU seconds", "lower"),
}


def canonical(name: str, settings: MetricSettings) -> str:
    """The metric's name with its version and the setting its value depends on: what a stored value is kept under."""
    metric = METRICS[name]
    versioned = name if metric.version == 1 else f"{name}-{metric.version}"
    return f"{versioned}@{getattr(settings, metric.setting)!r}" if metric.setting else versioned
