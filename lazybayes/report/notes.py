"""The title and notes of a table: what was excluded, floored, judged and tested."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from lazybayes.experiment import Experiment, Scheme, TableSpec
from lazybayes.messages import plural
from lazybayes.metrics.registry import METRICS
from lazybayes.report.preparation import preparation
from lazybayes.statistics.comparison import Comparison
from lazybayes.statistics.formulas import ALL_SAME, ALL_ZERO, ALPHA, NO_TRIALS
from lazybayes.statistics.matrix import Matrix, Trials
from lazybayes.statistics.tests import TESTS

if TYPE_CHECKING:
    import pandas as pd

    from lazybayes.results.records import Survey


def title(matrix: Matrix, experiment: Experiment, show: str = "all") -> str:
    """What the numbers are and where they come from. show: ``all`` (means with standard errors) or as in the spec."""
    name = METRICS[matrix.metric].title if matrix.metric in METRICS else matrix.metric
    counts = sorted({len(trials.values) for trials in matrix.entries.values()})
    what = {
        "all": "mean ± standard error",
        "sd": "mean ± standard deviation",
        "mean": "mean",
        "se": "standard error of the mean",
        "records": "wins/ties/losses of each pair",
    }[show]
    if counts and counts[-1] > 1:
        what = f"{what} over {f'{counts[0]} trials' if len(counts) == 1 else 'the trials'}"
    else:
        what = "one trial"
    metric = METRICS.get(matrix.metric)
    unit = f" ({metric.unit})" if metric and metric.unit and show != "records" else ""
    return f"{experiment.name}: {name}{unit}, {what}; {scheme(experiment.cv)}, seed {experiment.seed}"


def scheme(cv: Scheme) -> str:
    """A cross-validation scheme in words."""
    if cv.scheme == "stratified-k-fold":
        return f"{cv.repeats} x stratified {cv.folds}-fold cross-validation"
    if cv.scheme == "holdout":
        return f"{cv.repeats} x holdout of {cv.test:.4g} of the rows"
    words = {"resubstitution": "tested on the training rows", "folds-file": "folds from a file"}
    return words.get(cv.scheme, cv.scheme)


def on_trials(matrix: Matrix, experiment: Experiment) -> list[str]:
    """Missing or undefined trials, excluded data sets, and special outcomes with their counts."""
    why = METRICS[matrix.metric].undefined if matrix.metric in METRICS else ""
    counts: dict[str, Callable[[Trials], int]] = {
        "failed": lambda trials: trials.failed,
        "to do": lambda trials: trials.to_do,
        f"undefined{f' ({why})' if why else ''}, excluded from the mean": lambda trials: trials.undefined,
    }
    found = {word: _where(matrix, count) for word, count in counts.items()}
    out = [f"{word}: {where}" for word, where in found.items() if where]
    if matrix.metric in METRICS and METRICS[matrix.metric].special:
        metric = METRICS[matrix.metric]
        totals = {a: sum(matrix.at(d, a).special for d in matrix.datasets) for a in matrix.algorithms}
        who = ", ".join(f"{a} {n}" for a, n in totals.items() if n) or "none"
        setting = f"{metric.setting} = {getattr(experiment, metric.setting)}; " if metric.setting else ""
        out.append(f"{setting}{metric.special}: {who}")
    left = [d for d in matrix.datasets if d not in matrix.judged]
    if left and len(matrix.algorithms) > 1:
        out.append(f"excluded from averages, ranks and records for every algorithm: {', '.join(left)}")
    idle = [a for a in matrix.algorithms if a not in matrix.ranked]
    if idle and matrix.ranked:
        out.append(f"excluded from averages, ranks and records because no data set is usable: {', '.join(idle)}")
    return out


def on_data(frame: pd.DataFrame, spec: TableSpec, experiment: Experiment, surveys: Mapping[str, Survey]) -> list[str]:
    """The preprocessing per algorithm, and which algorithms err more than always predicting the most frequent class."""
    shown = set(spec.algorithms or [algorithm.name for algorithm in experiment.algorithms])
    algorithms = [algorithm for algorithm in experiment.algorithms if algorithm.name in shown]
    out = preparation(algorithms, list(surveys.values()))
    if spec.metric not in METRICS or not METRICS[spec.metric].counted:
        return out
    done = frame[frame["algorithm"].isin(shown) & frame["errors"].notna()]
    totals = done.groupby(["algorithm", "dataset"], sort=False)[["errors", "n_test"]].sum()
    worse: dict[str, list[str]] = {}
    for (algorithm, dataset), (errors, tested) in zip(totals.index, totals.to_numpy(dtype=float), strict=True):
        survey = surveys.get(dataset)
        if survey and survey.largest_class and tested:
            least = 1 - survey.largest_class / survey.n_rows
            if errors / tested > least + 1e-9:
                worse.setdefault(algorithm, []).append(f"{dataset} ({100 * errors / tested:.2f}, {100 * least:.2f} %)")
    if worse:
        where = "; ".join(f"{algorithm} on {', '.join(worse[algorithm])}" for algorithm in worse)
        out.append(f"errs more often than always predicting the most frequent class (both errors in brackets): {where}")
    return out


def on_comparison(comparison: Comparison, spec: TableSpec) -> list[str]:
    """The meaning of records and marks, the tests used, and how often a test had a special outcome."""
    out = [overall.sentence for overall in comparison.overall.values()]
    baseline, matrix = comparison.baseline, comparison.matrix
    if baseline is None:
        idle = [name for name in spec.tests if not TESTS[name].all]
        return [*out, f"{', '.join(idle)}: needs a baseline, but none is given"] if idle else out
    if not comparison.rivals:
        return [*out, f"nothing to compare {baseline} with: no data set is usable for it and another algorithm"]
    out.append(
        f"wins/ties/losses: data sets on which {baseline} is better than, equal to, worse than the column's algorithm,"
        f" judged on {matrix.judged_on}"
    )
    for name in comparison.judgements:
        outcomes = _outcomes(comparison.outcomes(name))
        out.append(f"{name}: {TESTS[name].title}, significant at p < {ALPHA}{outcomes}")
    named = [test for name, test in TESTS.items() if name in spec.tests]
    out += [f"{test.name}: {test.title}" for test in named if test.records]
    share = " as a share of the test rows" if matrix.counted else ""
    out += [f"{test.name}: {test.title}, on {matrix.judged_on}{share}" for test in named if test.pairs]
    return [*out, *_marks(comparison)]


def on_records(comparison: Comparison) -> list[str]:
    """The meaning of the records of every pair, and how often the test had a special outcome."""
    out = ["wins/ties/losses: data sets on which the row's algorithm is better than, equal to, worse than the column's"]
    test = comparison.marking
    if test is None:
        return [f"{out[0]}, judged on {comparison.matrix.judged_on}"]
    outcomes = _outcomes(comparison.outcomes(test))
    return [*out, f"{test}: {TESTS[test].title}; only a difference significant at p < {ALPHA} counts{outcomes}"]


def on_ratios(comparison: Comparison, spec: TableSpec, table: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The meaning of the ratios, and which are undefined."""
    matrix = comparison.matrix
    missing = {rival: len(matrix.judged) - len(column) for rival, column in table.items()}
    none = [f"{rival} {count}" for rival, count in missing.items() if count]
    out = [f"below 1, {spec.baseline} errs less; the mean error reduction is 1 minus the average ratio"]
    if none:
        out.append(
            f"no ratio (-) if the column's algorithm makes no error; "
            f"data sets excluded for this reason: {', '.join(none)}"
        )
    left = [d for d in matrix.datasets if d not in matrix.judged]
    if left:
        out.append(f"excluded because not usable for every algorithm: {', '.join(left)}")
    return [*out, *_marks(comparison)]


def _marks(comparison: Comparison) -> list[str]:
    test = comparison.marking
    return [f"v, *: significantly better, worse than {comparison.baseline} ({test})"] if test else []


def _where(matrix: Matrix, count: Callable[[Trials], int]) -> str:
    """`A on d1 (2 of 20), d2 (1 of 20); B on every data set (20 of 20)`: the entries with a count above 0."""
    parts = []
    for algorithm in matrix.algorithms:
        own = {d: matrix.at(d, algorithm) for d in matrix.datasets}
        shares = {d: f"({count(trials)} of {len(trials.values)})" for d, trials in own.items() if count(trials)}
        if len(shares) == len(own) > 1 and len(set(shares.values())) == 1:
            parts.append(f"{algorithm} on every data set {next(iter(shares.values()))}")
        elif shares:
            parts.append(f"{algorithm} on {', '.join(f'{d} {share}' for d, share in shares.items())}")
    return "; ".join(parts)


def _outcomes(outcomes: Sequence[str]) -> str:
    """How many comparisons had a special outcome."""
    meaning = {ALL_ZERO: "p = 1", ALL_SAME: "p = 0 in their direction", NO_TRIALS: "p = 1"}
    counts = {outcome: outcomes.count(outcome) for outcome in meaning}
    return "".join(
        f"; {o} in {n} of {plural(len(outcomes), 'comparison')} ({meaning[o]})" for o, n in counts.items() if n
    )
