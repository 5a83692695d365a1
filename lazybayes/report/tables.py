"""The tables of an experiment: data sets by algorithms, and a baseline against each rival."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lazybayes.errors import UsageError
from lazybayes.experiment import Experiment, TableSpec
from lazybayes.messages import nearest, p_value
from lazybayes.metrics.registry import METRICS
from lazybayes.report import notes
from lazybayes.report.formats import Entry, Report, Row, slug
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store
from lazybayes.statistics.comparison import RAW, Comparison, compare
from lazybayes.statistics.matrix import Matrix, from_frame
from lazybayes.statistics.tests import TESTS
from lazybayes.statistics.win_tie_loss import error_ratios

if TYPE_CHECKING:
    import pandas as pd

    from lazybayes.results.records import Survey

NOTHING = Entry("-")

MARKS = {1: "*", 0: "", -1: "v"}
"""By the baseline's significant verdict, as in Weka: the rival is worse (*) or better (v)."""

NO_METRICS = (
    *("dataset", "algorithm", "repeat", "fold", "n_train", "n_test"),
    *("status", "errors", "train_seconds", "test_seconds"),
)
"""The frame's columns that are neither a metric nor a learner's diagnostic."""


def reports(store: Store, experiment: Experiment, specs: Sequence[TableSpec]) -> list[Report]:
    """The tables as grids with their names. Raises UsageError like `render`."""
    frame = load_frame(store, list(dict.fromkeys(spec.metric for spec in specs if spec.metric in METRICS)))
    surveys = store.surveys()
    found = []
    for spec in specs:
        if spec.show == "description":
            made = [description(surveys, frame, experiment)]
        else:
            made = _of_comparison(compare(matrix_of(frame, spec), spec), spec, experiment)
            if made:
                remarks = (*made[0].notes, *notes.on_data(frame, spec, experiment, surveys))
                made[0] = replace(made[0], notes=remarks)
        for report in made:
            title = f"{spec.name}. {report.title}" if spec.name else report.title
            found.append(replace(report, title=title, name=slug(spec.name or report.name)))
    return found


def _of_comparison(comparison: Comparison, spec: TableSpec, experiment: Experiment) -> list[Report]:
    """The tables of a comparison that a specification selects."""
    if spec.show == "records":
        return [every_pair(comparison, spec, experiment)]
    made = [] if spec.show == "ratio" else [build(comparison, spec, experiment)]
    if spec.show in ("all", "ratio") and spec.metric == "error" and comparison.rivals:
        made.append(ratios(comparison, spec, experiment))
    return made


def choose(
    experiment: Experiment, metric: str | None, baseline: str | None, tests: Sequence[str] | None
) -> list[TableSpec]:
    """The tables to print: the experiment's tables (of the metric), or its first table with the metric replaced.

    If the experiment has no tables, one per metric.
    """
    specs = list(experiment.tables) or [TableSpec(name) for name in experiment.metrics]
    if metric is not None:
        measured = [spec for spec in specs if spec.metric in METRICS]
        like = measured[0] if metric in METRICS and measured else TableSpec()
        usual = replace(like, metric=metric, show="all", name="")
        specs = [spec for spec in specs if spec.metric == metric] or [usual]
    changes: dict[str, Any] = {"baseline": baseline, "tests": None if tests is None else tuple(tests)}
    changes = {key: value for key, value in changes.items() if value is not None}

    def changed(spec: TableSpec) -> TableSpec:
        # Records of every pair, descriptions and diagnostics have no baseline to change. A table without a column
        # for the new baseline gets all columns.
        if spec.show == "records" or (metric is None and spec.metric not in METRICS):
            return spec
        columns = () if baseline is not None and baseline not in spec.algorithms else spec.algorithms
        return replace(spec, **changes, algorithms=columns)

    return [changed(spec) for spec in specs]


def build(comparison: Comparison, spec: TableSpec, experiment: Experiment) -> Report:
    """The table of a metric: mean ± standard error (or one of them), averages, the records of the baseline."""
    matrix = comparison.matrix
    groups = [[Row(d, tuple(_entry(comparison, d, a, spec) for a in matrix.algorithms)) for d in matrix.datasets]]
    remarks = notes.on_trials(matrix, experiment)
    if spec.show != "se":
        groups += [
            [_averages(matrix, spec)] if matrix.judged else [],
            _overall(comparison),
            _records(comparison, matrix.algorithms),
        ]
        remarks += notes.on_comparison(comparison, spec)
    return Report(
        notes.title(matrix, experiment, spec.show),
        ("data set", *matrix.algorithms),
        tuple(tuple(group) for group in groups if group),
        tuple(remarks),
        name=spec.metric if spec.show == "all" else f"{spec.metric}-{spec.show}",
        spread="sd" if spec.show == "sd" else "se",
    )


def every_pair(comparison: Comparison, spec: TableSpec, experiment: Experiment) -> Report:
    """Wins/ties/losses of every pair of algorithms (Liang & Yan 2006, tables 3, 5 and 7), each pair once.

    The algorithms are in reverse order, so that the last row compares the first one with all others. If the
    specification includes a test over trials, only significant differences count.
    """
    matrix = comparison.matrix
    records = comparison.records[comparison.marking or RAW]
    order = matrix.ranked[::-1]
    body = [
        Row(algorithm, tuple(Entry(str(records[algorithm, r])) if r in order[:place] else Entry() for r in order[:-1]))
        for place, algorithm in enumerate(order)
        if place
    ]
    return Report(
        notes.title(matrix, experiment, "records"),
        ("", *order[:-1]),
        (tuple(body),),
        (*notes.on_trials(matrix, experiment), *notes.on_records(comparison)),
        name=f"{spec.metric}-records",
    )


def ratios(comparison: Comparison, spec: TableSpec, experiment: Experiment) -> Report:
    """Error ratios, baseline / rival, per data set (Zheng & Webb 2000, table 5); needs a rival."""
    matrix, rivals = comparison.matrix, comparison.rivals
    table = {rival: error_ratios(matrix, str(spec.baseline), rival) for rival in rivals}
    body = [Row(d, tuple(_ratio(comparison, d, rival, table[rival]) for rival in rivals)) for d in matrix.judged]
    means = {rival: sum(column.values()) / len(column) for rival, column in table.items() if column}
    reductions = {rival: f"{100 * (1 - mean) + 0.0:.1f} %" for rival, mean in means.items()}
    summary = [
        _row(rivals, "average", {rival: f"{mean:.3f}" for rival, mean in means.items()}),
        _row(rivals, f"error reduction by {spec.baseline}, mean", reductions),
    ]
    records = _records(comparison, rivals) if spec.show == "ratio" else []
    remarks = notes.on_ratios(comparison, spec, table)
    if records:
        said = (*notes.on_trials(matrix, experiment), *notes.on_comparison(comparison, spec))
        remarks += [note for note in said if note not in remarks]
    return Report(
        f"{experiment.name}: error ratio, {spec.baseline} divided by the algorithm of the column",
        ("data set", *rivals),
        tuple(tuple(group) for group in (body, summary, records) if group),
        tuple(remarks),
        name=f"{spec.metric}-ratio",
    )


def _ratio(comparison: Comparison, dataset: str, rival: str, column: Mapping[str, float]) -> Entry:
    if dataset not in column:
        return NOTHING
    return Entry(f"{column[dataset]:.3f}", mark=MARKS[comparison.mark(dataset, rival)])


def description(surveys: Mapping[str, Survey], frame: pd.DataFrame, experiment: Experiment) -> Report:
    """The properties of the data sets as loaded (Zheng & Webb 2000, table 2, and missing cells)."""
    chosen = {name: surveys[name] for name in dict.fromkeys(frame["dataset"])}
    # A data set without numeric and nominal attributes has exactly one text attribute.
    texts = {name: int(found.n_numeric + found.n_nominal == 0) for name, found in chosen.items()}
    any_text = any(texts.values())
    rows = []
    for name, found in chosen.items():
        attributes = (found.n_numeric, found.n_nominal, *((texts[name],) if any_text else ()))
        counts = (found.n_rows, found.n_classes, *attributes, found.missing_cells)
        share = f"{100 * found.missing_cells / (found.n_rows * sum(attributes)):.1f} %"
        rows.append(Row(name, (*(Entry(str(count)) for count in counts), Entry(share))))
    kinds = ("numeric", "nominal", *(("text",) if any_text else ()))
    fewer = {name: surveys[name].classes_present for name in surveys}
    some = [f"{name} {n}" for name, n in fewer.items() if n < surveys[name].n_classes]
    return Report(
        f"{experiment.name}: the data sets as loaded",
        ("data set", "rows", "classes", *(f"{kind} attributes" for kind in kinds), "missing cells", "share"),
        (tuple(rows),),
        (
            "rows with a class; attributes without the class and dropped columns; declared classes"
            + (f", of which fewer have rows in: {', '.join(some)}" if some else ""),
        ),
        name="description",
    )


def matrix_of(frame: pd.DataFrame, spec: TableSpec) -> Matrix:
    """The matrix of a specification's metric, after checking all names in the specification.

    frame: from `load_frame`, with the column of the metric. Raises UsageError for unknown names in the specification,
    and for a baseline if neither lower nor higher values are better.
    """
    if spec.metric not in METRICS and (spec.metric not in frame or spec.metric in NO_METRICS):
        own = [c for c in frame.columns if c not in (*NO_METRICS, *METRICS) and not c.endswith("_special")]
        known = (*METRICS, *own)
        raise UsageError(
            f"unknown metric {spec.metric}{nearest(spec.metric, known)}; the metrics are {', '.join(known)}"
        )
    for test in spec.tests:
        if test not in TESTS:
            raise UsageError(f"unknown test {test}{nearest(test, TESTS)}; the tests are {', '.join(TESTS)}")
    better = METRICS[spec.metric].better if spec.metric in METRICS else None
    matrix = from_frame(frame, spec.metric, better)
    if spec.algorithms:  # only those in the results: --only can exclude some
        matrix = replace(matrix, algorithms=tuple(a for a in spec.algorithms if a in matrix.algorithms))
    if spec.baseline is not None and spec.baseline not in matrix.algorithms:
        hint = nearest(spec.baseline, matrix.algorithms)
        raise UsageError(
            f"the baseline {spec.baseline} is not an algorithm of these results{hint}; "
            f"the algorithms are {', '.join(matrix.algorithms)}"
        )
    if better is None and (spec.baseline is not None or spec.tests):
        raise UsageError(
            f"{spec.metric} is a diagnostic: neither low nor high values are better, so drop the baseline and the tests"
        )
    return matrix


def _entry(comparison: Comparison, dataset: str, algorithm: str, spec: TableSpec) -> Entry:
    """Mean ± standard error or deviation with its mark, or the reason why it is missing."""
    trials = comparison.matrix.at(dataset, algorithm)
    if not trials.usable:
        return Entry("failed" if trials.failed else "to do" if trials.to_do else "n/a")
    error = trials.standard_error
    if spec.show == "se":
        return NOTHING if error is None else Entry(_number(error, spec.metric))
    error = {"mean": None, "sd": trials.deviation}.get(spec.show, error)
    spread = "" if error is None else _number(error, spec.metric)
    return Entry(_number(trials.mean, spec.metric), spread, MARKS[comparison.mark(dataset, algorithm)])


def _records(comparison: Comparison, columns: Sequence[str]) -> list[Row]:
    """The baseline's raw and significant records against each rival, with their tests."""
    if not comparison.rivals:
        return []
    baseline = comparison.baseline
    rows = []
    for name, records in comparison.records.items():
        test = TESTS[name] if name != RAW else None
        what = test.row.format(baseline=baseline, name=name) if test else f"{baseline} wins/ties/losses against"
        rows.append(_row(columns, what, {rival: str(record) for (_, rival), record in records.items()}))
        rows += _p_rows(comparison, columns, name, of_records=True)
    return rows + _p_rows(comparison, columns, RAW, of_records=False)


def _p_rows(comparison: Comparison, columns: Sequence[str], name: str, of_records: bool) -> list[Row]:
    """The rows of the tests of a record, or of the tests over the data sets."""
    of = f", {name}" if name != RAW else ""
    return [
        _row(columns, TESTS[test].row.format(of=of), {rival: p_value(p) for (_, rival), p in by_record[name].items()})
        for test, by_record in comparison.p_values.items()
        if (TESTS[test].records is not None) == of_records
    ]


def _overall(comparison: Comparison) -> list[Row]:
    """The rows of tests of all algorithms, without tests that have too few data sets (a note says so)."""
    return [
        _row(comparison.matrix.algorithms, TESTS[test].row, {a: f"{value:.2f}" for a, value in overall.values.items()})
        for test, overall in comparison.overall.items()
        if overall.values
    ]


def _averages(matrix: Matrix, spec: TableSpec) -> Row:
    """The averages over the judged data sets; with standard deviations, also their average."""
    cells = []
    for a in matrix.algorithms:
        spreads = [matrix.at(d, a).deviation for d in matrix.judged]
        known = [spread for spread in spreads if spread is not None]
        full = spec.show == "sd" and len(known) == len(spreads)
        spread = _number(math.fsum(known) / len(known), spec.metric) if full else ""
        cells.append(Entry(_number(matrix.average(a), spec.metric), spread) if a in matrix.ranked else NOTHING)
    return Row("average", tuple(cells))


def _row(columns: Sequence[str], label: str, values: Mapping[str, str]) -> Row:
    """A row with the available values."""
    return Row(label, tuple(Entry(values[name]) if name in values else NOTHING for name in columns))


def _number(value: float, metric: str) -> str:
    """A mean or a standard error as printed; never -0.00."""
    scale, decimals = (METRICS[metric].scale, METRICS[metric].decimals) if metric in METRICS else (1, 4)
    return f"{round(value * scale, decimals) + 0.0:.{decimals}f}"
