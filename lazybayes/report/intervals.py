"""Confidence intervals of a metric's mean over the trials of a run."""

from __future__ import annotations

import math

from lazybayes.metrics.registry import METRICS
from lazybayes.report.formats import Entry, Report, Row, slug
from lazybayes.statistics.matrix import Matrix, Trials

LEVEL = 0.95


def intervals(matrix: Matrix, name: str, level: float = LEVEL) -> Report:
    """Mean, plain and corrected interval per data set and algorithm. name: of the experiment."""
    metric = METRICS.get(matrix.metric)
    scale, unit = (metric.scale, f" ({metric.unit})") if metric and metric.unit else (1, "")
    rows = []
    for dataset in matrix.datasets:
        for algorithm in matrix.algorithms:
            trials = matrix.at(dataset, algorithm)
            if not len(trials.defined):
                rows.append(Row(dataset, (Entry(algorithm), Entry("0"), *(Entry("-"),) * 4)))
                continue
            mean = scale * trials.mean
            shown = (_between(mean, None if h is None else scale * h) for h in half_widths(trials, level))
            spread = "-" if trials.standard_error is None else _number(scale * _spread(trials))
            cells = (algorithm, str(len(trials.defined)), _number(mean), spread, *shown)
            rows.append(Row(dataset, tuple(map(Entry, cells))))
    percent = f"{100 * level:g} % interval"
    return Report(
        f"{name}: {matrix.metric}{unit} over the trials",
        ("data set", "algorithm", "trials", "mean", "standard deviation", percent, f"corrected {percent}"),
        (tuple(rows),),
        (
            "interval: mean ± t s / sqrt(J), Student's t with J - 1 degrees of freedom, J trials, s their standard "
            "deviation; it is too narrow because the trials share training rows",
            "corrected: s sqrt(1 / J + n_test / n_train) instead of s / sqrt(J) (Nadeau & Bengio 2003)",
        ),
        name=slug(f"intervals {matrix.metric}"),
    )


def half_widths(trials: Trials, level: float) -> tuple[float | None, float | None]:
    """Half the width of the plain and of the corrected interval; None with fewer than two trials."""
    from scipy.special import stdtrit

    n = len(trials.defined)
    if n < 2:
        return None, None
    t = float(stdtrit(n - 1, (1 + level) / 2))
    plain = t * _spread(trials) / math.sqrt(n)
    corrected = t * _spread(trials) * math.sqrt(1 / n + trials.n_test / trials.n_train) if trials.n_train else None
    return plain, corrected


def _spread(trials: Trials) -> float:
    return float(trials.defined.std(ddof=1))


def _between(mean: float, half: float | None) -> str:
    return "-" if half is None else f"{_number(mean - half)} to {_number(mean + half)}"


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 1000 else f"{value:.0f}"
