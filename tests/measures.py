"""Metrics of predictions that no run has made."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts import scores as engine
from lazybayes.metrics.auc import Codes, Floats
from lazybayes.metrics.registry import METRICS, Answers, Measure, MetricSettings


def decide(proba: Floats) -> NDArray[np.int32]:
    """(n,) class codes by the rule of every learner: the lowest class whose log is within 1e-9 of the best."""
    with np.errstate(divide="ignore"):
        return engine.decide(np.log(proba))


def measure(
    name: str,
    actual: Codes,
    predicted: Codes,
    proba: Floats,
    *,
    scores: Floats | None = None,
    cll_floor: float = MetricSettings.cll_floor,
    auc: str = MetricSettings.auc,
) -> Measure:
    """The metric ``name`` of predictions on one test part.

    actual, predicted: (n,) class codes, n >= 1; proba: (n, C); scores: (n, C), see `Answers`. Raises KeyError for a
    metric that is not a function of the predictions.
    """
    compute = METRICS[name].compute
    if compute is None:
        raise KeyError(name)
    answers = Answers(actual=actual, predicted=predicted, proba=proba, scores=scores)
    return compute(answers, MetricSettings(cll_floor, auc))
