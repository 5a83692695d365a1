"""What a table must say besides its numbers: its title, and what was left out, floored, judged and tested."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from lazybayes.errors import UsageError
from lazybayes.experiment import Experiment, Scheme, TableSpec
from lazybayes.messages import plural
from lazybayes.metrics.registry import METRICS
from lazybayes.report.preparation import preparation
from lazybayes.statistics.matrix import COUNTED, Matrix, Trials
from lazybayes.statistics.tests import ALL_SAME, ALL_ZERO, ALPHA, NO_TRIALS, TESTS, Omnibus
from lazybayes.statistics.win_tie_loss import T_TESTS, ranking, t_test

if TYPE_CHECKING:
    import pandas as pd

    from lazybayes.results.records import Survey


def title(matrix: Matrix, experiment: Experiment, unit: str, show: str = "all") -> str:
    """What the numbers are and where they come from. show: ``all`` for means with standard errors, else as the spec."""
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
    unit = f" ({unit})" if unit else ""
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
    """Trials that are missing or undefined, data sets left out, and stated outcomes with their counts."""
    why = METRICS[matrix.metric].undefined if matrix.metric in METRICS else ""
    counts: dict[str, Callable[[Trials], int]] = {
        "failed": lambda trials: trials.failed,
        "to do": lambda trials: trials.to_do,
        f"undefined{f' ({why})' if why else ''}, left out of the mean": lambda trials: trials.undefined,
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
        out.append(f"left out of averages, ranks and records for every algorithm: {', '.join(left)}")
    idle = [a for a in matrix.algorithms if a not in matrix.ranked]
    if idle and matrix.ranked:
        out.append(f"in no average, rank or record, for want of a usable data set: {', '.join(idle)}")
    return out


def on_data(frame: pd.DataFrame, spec: TableSpec, experiment: Experiment, surveys: Mapping[str, Survey]) -> list[str]:
    """What each algorithm was given, and which errs more than the most frequent class of a data set would."""
    shown = set(spec.algorithms or [algorithm.name for algorithm in experiment.algorithms])
    algorithms = [algorithm for algorithm in experiment.algorithms if algorithm.name in shown]
    out = preparation(algorithms, list(surveys.values()))
    if spec.metric not in ("error", "accuracy"):
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
        out.append(f"errs more often than the answer of the most frequent class alone (in brackets both): {where}")
    return out


def on_comparison(matrix: Matrix, spec: TableSpec, rivals: Sequence[str]) -> list[str]:
    """What the records and the marks mean, which tests were used, and how often one had no value of its own."""
    out = []
    baseline = spec.baseline
    if "friedman" in spec.tests:
        out.append(_friedman(matrix))
    if baseline is None:
        idle = [test for test in spec.tests if test != "friedman"]
        return [*out, f"{', '.join(idle)}: needs a baseline, and none is named"] if idle else out
    if not rivals:
        return [*out, f"nothing to compare {baseline} with: no data set is usable for it and another algorithm"]
    out.append(
        f"wins/ties/losses: data sets on which {baseline} is better than, equal to, worse than the column's algorithm,"
        f" judged on {_judged(matrix)}"
    )
    for test in T_TESTS:
        if test in spec.tests:
            outcomes = [t_test(matrix, d, baseline, r, test).outcome for r in rivals for d in matrix.judged]
            out.append(f"{test}: {TESTS[test]}, significant at p < {ALPHA}{_outcomes(outcomes)}")
    if "sign" in spec.tests:
        out.append(f"sign: {TESTS['sign']}")
    if "wilcoxon" in spec.tests:
        share = " as a share of the test rows" if matrix.metric in COUNTED else ""
        out.append(f"wilcoxon: {TESTS['wilcoxon']}, on {_judged(matrix)}{share}")
    return [*out, *_marks(spec)]


def on_records(matrix: Matrix, spec: TableSpec) -> list[str]:
    """What the records of every pair mean, and how often the test had no value of its own."""
    test = marking(spec)
    out = ["wins/ties/losses: data sets on which the row's algorithm is better than, equal to, worse than the column's"]
    if test is None:
        return [f"{out[0]}, judged on {_judged(matrix)}"]
    pairs = combinations(matrix.ranked, 2)
    outcomes = [t_test(matrix, d, *pair, test).outcome for pair in pairs for d in matrix.judged]
    return [*out, f"{test}: {TESTS[test]}; only a difference significant at p < {ALPHA} counts{_outcomes(outcomes)}"]


def on_ratios(matrix: Matrix, spec: TableSpec, table: Mapping[str, Mapping[str, float]]) -> list[str]:
    """What the ratios mean, and which have none."""
    missing = {rival: len(matrix.judged) - len(column) for rival, column in table.items()}
    none = [f"{rival} {count}" for rival, count in missing.items() if count]
    out = [f"below 1, {spec.baseline} errs less; the mean error reduction is 1 minus the average ratio"]
    if none:
        out.append(
            f"no ratio (-) where the column's algorithm makes no error; data sets left out for this: {', '.join(none)}"
        )
    left = [d for d in matrix.datasets if d not in matrix.judged]
    if left:
        out.append(f"left out, not usable for every algorithm: {', '.join(left)}")
    return [*out, *_marks(spec)]


def marking(spec: TableSpec) -> str | None:
    """The test that sets the marks: the first t test the spec names."""
    return next((test for test in spec.tests if test in T_TESTS), None)


def p_value(p: float) -> str:
    """Four decimals, never 0.0000."""
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def _marks(spec: TableSpec) -> list[str]:
    test = marking(spec)
    return [f"v, *: significantly better, worse than {spec.baseline} ({test})"] if test else []


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
    """How many comparisons had a stated outcome."""
    meaning = {ALL_ZERO: "p = 1", ALL_SAME: "p = 0 in their direction", NO_TRIALS: "p = 1"}
    counts = {outcome: outcomes.count(outcome) for outcome in meaning}
    return "".join(
        f"; {o} in {n} of {plural(len(outcomes), 'comparison')} ({meaning[o]})" for o, n in counts.items() if n
    )


def _judged(matrix: Matrix) -> str:
    """What decides whether two algorithms tie on a data set, in records, ranks and Wilcoxon's test alike."""
    return "total errors over the trials" if matrix.metric in COUNTED else "means, equal within 1e-9"


def _friedman(matrix: Matrix) -> str:
    """Friedman's test in words, or why there is none."""
    try:
        result = ranking(matrix)
    except UsageError:
        usable = f"{len(matrix.ranked)} and {len(matrix.judged)}"
        return f"Friedman's test needs at least 3 algorithms and 2 data sets; usable here are {usable}"
    if result.outcome:
        return f"Friedman: {result.outcome} on every data set, so there is nothing to test (p = 1)"

    def words(omnibus: Omnibus) -> str:
        return (
            f"chi2 {omnibus.chi2:.4f} (p {p_value(omnibus.chi2_p)}), "
            f"Iman-Davenport F {omnibus.f:.4f} (p {p_value(omnibus.f_p)})"
        )

    return (
        f"Friedman over {plural(result.n, 'data set')}, ranked on {_judged(matrix)}: "
        f"corrected for ties {words(result.corrected)}; "
        f"Demsar's formula, uncorrected, {words(result.demsar)}; "
        f"Nemenyi's critical difference of mean ranks at {ALPHA}: {result.cd:.4f}"
    )
