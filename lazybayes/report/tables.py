"""The tables of an experiment: data sets by algorithms, and a baseline against each rival."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lazybayes.errors import UsageError
from lazybayes.experiment import Experiment, TableSpec
from lazybayes.messages import nearest
from lazybayes.metrics.registry import METRICS
from lazybayes.report import notes
from lazybayes.report.formats import Entry, Report, Row, document, slug
from lazybayes.results.frame import load_frame
from lazybayes.results.store import Store
from lazybayes.statistics.matrix import Matrix, from_frame
from lazybayes.statistics.tests import TESTS
from lazybayes.statistics.win_tie_loss import (
    T_TESTS,
    Record,
    error_ratios,
    ranking,
    signed_ranks,
    significant,
    tally,
    verdict,
)

if TYPE_CHECKING:
    import pandas as pd

    from lazybayes.results.records import Survey

PERCENT = ("error", "accuracy")
"""Metrics printed in percent."""

DECIMALS = {"error": 2, "accuracy": 2, "cll": 2}
"""Decimals of the printed means; four for any other metric."""

NOTHING = Entry("-")

MARKS = {1: "*", 0: "", -1: "v"}
"""By the baseline's significant verdict, as in Weka: the rival is worse (*) or better (v)."""

NO_METRICS = (
    *("dataset", "algorithm", "repeat", "fold", "n_train", "n_test"),
    *("status", "errors", "train_seconds", "test_seconds"),
)
"""The frame's columns that are neither a metric nor a learner's diagnostic."""


def render(
    store: Store,
    experiment: Experiment,
    *,
    metric: str | None = None,
    baseline: str | None = None,
    tests: Sequence[str] | None = None,
    fmt: str = "text",
) -> str:
    """The experiment's own tables, or the one asked for, in a format of `formats.FORMATS`.

    metric: a metric or a learner's diagnostic; baseline, tests: in place of those of the experiment's tables.
    Raises UsageError for a metric, baseline, test or format that is not there.
    """
    return document(reports(store, experiment, choose(experiment, metric, baseline, tests)), fmt)


def reports(store: Store, experiment: Experiment, specs: Sequence[TableSpec]) -> list[Report]:
    """The tables as grids, each with its name. Raises UsageError as `render`."""
    frame = load_frame(store, list(dict.fromkeys(spec.metric for spec in specs if spec.metric in METRICS)))
    surveys = store.surveys()
    found = []
    for spec in specs:
        made: list[Report | None] = []
        if spec.show == "description":
            made.append(description(surveys, frame, experiment))
        elif spec.show == "records":
            made.append(every_pair(frame, spec, experiment))
        elif spec.show != "ratio":
            made.append(build(frame, spec, experiment))
        if spec.show in ("all", "ratio"):
            made.append(ratios(frame, spec, experiment))
        for report in (report for report in made if report is not None):
            if spec.show != "description" and report is made[0]:
                report = replace(report, notes=(*report.notes, *notes.on_data(frame, spec, experiment, surveys)))
            title = f"{spec.name}. {report.title}" if spec.name else report.title
            found.append(replace(report, title=title, name=slug(spec.name or report.name)))
    return found


def choose(
    experiment: Experiment, metric: str | None, baseline: str | None, tests: Sequence[str] | None
) -> list[TableSpec]:
    """The tables to print: the experiment's own (of that metric), or one like its first with the metric changed.

    Without tables in the experiment: one for each of its metrics.
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
        # Of the experiment's own tables some have no baseline to change: records of every pair, descriptions,
        # diagnostics. One without a column for the new baseline gets all columns.
        if spec.show == "records" or (metric is None and spec.metric not in METRICS):
            return spec
        columns = () if baseline is not None and baseline not in spec.algorithms else spec.algorithms
        return replace(spec, **changes, algorithms=columns)

    return [changed(spec) for spec in specs]


def build(frame: pd.DataFrame, spec: TableSpec, experiment: Experiment) -> Report:
    """The table of a metric: mean ± standard error over the trials (or one of them), averages, the baseline's records.

    frame: the store's, with the column of the metric. Raises UsageError for what the spec names and is not there, and
    for a baseline where neither a lower nor a higher value is better.
    """
    matrix = _matrix(frame, spec)
    groups = [[Row(d, tuple(_entry(matrix, d, a, spec) for a in matrix.algorithms)) for d in matrix.datasets]]
    remarks = notes.on_trials(matrix, experiment)
    if spec.show != "se":
        groups += [
            [_averages(matrix, spec)] if matrix.judged else [],
            _ranks(matrix) if "friedman" in spec.tests else [],
            _records(matrix, spec),
        ]
        remarks += notes.on_comparison(matrix, spec, opponents(matrix, spec))
    return Report(
        notes.title(matrix, experiment, "%" if spec.metric in PERCENT else "", spec.show),
        ("data set", *matrix.algorithms),
        tuple(tuple(group) for group in groups if group),
        tuple(remarks),
        name=spec.metric if spec.show == "all" else f"{spec.metric}-{spec.show}",
        spread="sd" if spec.show == "sd" else "se",
    )


def every_pair(frame: pd.DataFrame, spec: TableSpec, experiment: Experiment) -> Report:
    """Wins/ties/losses of every pair of algorithms (Liang & Yan 2006, tables 3, 5 and 7), a pair once.

    The algorithms stand in the reverse of their order, so that the first has the last row, against all others.
    """
    matrix = _matrix(frame, spec)
    order = matrix.ranked[::-1]
    body = []
    for place, algorithm in enumerate(order[1:], start=1):
        records = [tally(_decided(matrix, d, algorithm, rival, spec) for d in matrix.judged) for rival in order[:place]]
        cells = [Entry(str(record)) for record in records]
        body.append(Row(algorithm, (*cells, *[Entry()] * (len(order) - 1 - place))))
    return Report(
        notes.title(matrix, experiment, "", "records"),
        ("", *order[:-1]),
        (tuple(body),),
        (*notes.on_trials(matrix, experiment), *notes.on_records(matrix, spec)),
        name=f"{spec.metric}-records",
    )


def ratios(frame: pd.DataFrame, spec: TableSpec, experiment: Experiment) -> Report | None:
    """Error ratios, baseline / rival, for each data set (Zheng & Webb 2000, table 5).

    None unless the metric is error and there is a baseline with a rival to compare with.
    """
    matrix = _matrix(frame, spec)
    rivals = opponents(matrix, spec)
    if spec.metric != "error" or spec.baseline is None or not rivals:
        return None
    table = {rival: error_ratios(matrix, spec.baseline, rival) for rival in rivals}
    means = {rival: sum(column.values()) / len(column) for rival, column in table.items() if column}
    body = [
        Row(
            dataset,
            tuple(
                Entry(f"{table[rival][dataset]:.3f}", mark=_mark(matrix, dataset, rival, spec))
                if dataset in table[rival]
                else NOTHING
                for rival in rivals
            ),
        )
        for dataset in matrix.judged
    ]
    summary = [
        Row("average", tuple(Entry(f"{means[rival]:.3f}") if rival in means else NOTHING for rival in rivals)),
        Row(
            f"error reduction by {spec.baseline}, mean",
            tuple(Entry(f"{100 * (1 - means[r]) + 0.0:.1f} %") if r in means else NOTHING for r in rivals),
        ),
    ]
    records = _records(matrix, spec) if spec.show == "ratio" else []
    place = [matrix.algorithms.index(rival) for rival in rivals]
    records = [Row(row.label, tuple(row.cells[j] for j in place)) for row in records]
    remarks = notes.on_ratios(matrix, spec, table)
    if records:
        said = (*notes.on_trials(matrix, experiment), *notes.on_comparison(matrix, spec, rivals))
        remarks += [note for note in said if note not in remarks]
    return Report(
        f"{experiment.name}: error ratio, {spec.baseline} divided by the algorithm of the column",
        ("data set", *rivals),
        tuple(tuple(group) for group in (body, summary, records) if group),
        tuple(remarks),
        name=f"{spec.metric}-ratio",
    )


def description(surveys: Mapping[str, Survey], frame: pd.DataFrame, experiment: Experiment) -> Report:
    """What describes the data sets as they were loaded (Zheng & Webb 2000, table 2, and missing cells)."""
    chosen = {name: surveys[name] for name in dict.fromkeys(frame["dataset"])}
    # A plan takes text alone, and one attribute of it: where there is no other attribute, there is that one.
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
            "rows with a class; attributes without the class and what is dropped; declared classes"
            + (f", of which fewer have rows in: {', '.join(some)}" if some else ""),
        ),
        name="description",
    )


def opponents(matrix: Matrix, spec: TableSpec) -> tuple[str, ...]:
    """The algorithms that the baseline can be compared with; none without a baseline or without a judged data set."""
    if spec.baseline not in matrix.ranked or not matrix.judged:
        return ()
    return tuple(a for a in matrix.ranked if a != spec.baseline)


def _matrix(frame: pd.DataFrame, spec: TableSpec) -> Matrix:
    """The matrix of the spec's metric, after a check of all that the spec names."""
    if spec.metric not in METRICS and (spec.metric not in frame or spec.metric in NO_METRICS):
        own = [c for c in frame.columns if c not in (*NO_METRICS, *METRICS) and not c.endswith("_special")]
        known = (*METRICS, *own)
        raise UsageError(
            f"There is no metric {spec.metric}{nearest(spec.metric, known)}; there are {', '.join(known)}."
        )
    for test in spec.tests:
        if test not in TESTS:
            raise UsageError(f"There is no test {test}{nearest(test, TESTS)}; there are {', '.join(TESTS)}.")
    better = METRICS[spec.metric].better if spec.metric in METRICS else None
    matrix = from_frame(frame, spec.metric, better)
    if spec.algorithms:  # those of them that the results have: --only may have left some out
        matrix = replace(matrix, algorithms=tuple(a for a in spec.algorithms if a in matrix.algorithms))
    if spec.baseline is not None and spec.baseline not in matrix.algorithms:
        hint = nearest(spec.baseline, matrix.algorithms)
        raise UsageError(
            f"The baseline {spec.baseline} is no algorithm of these results{hint}; "
            f"there are {', '.join(matrix.algorithms)}."
        )
    if better is None and (spec.baseline is not None or spec.tests):
        raise UsageError(
            f"{spec.metric} is a diagnostic: neither low nor high is better, so it takes no baseline and no tests."
        )
    return matrix


def _entry(matrix: Matrix, dataset: str, algorithm: str, spec: TableSpec) -> Entry:
    """Mean ± standard error or deviation with its mark, or why there is none."""
    trials = matrix.at(dataset, algorithm)
    if not trials.usable:
        return Entry("failed" if trials.failed else "to do" if trials.to_do else "n/a")
    error = trials.standard_error
    if spec.show == "se":
        return NOTHING if error is None else Entry(_number(error, spec.metric))
    error = {"mean": None, "sd": trials.deviation}.get(spec.show, error)
    spread = "" if error is None else _number(error, spec.metric)
    return Entry(_number(trials.mean, spec.metric), spread, _mark(matrix, dataset, algorithm, spec))


def _mark(matrix: Matrix, dataset: str, rival: str, spec: TableSpec) -> str:
    """Whether the rival is significantly better or worse than the baseline, by the first t test the spec names."""
    test = notes.marking(spec)
    if spec.baseline is None or test is None or rival == spec.baseline or not matrix.at(dataset, spec.baseline).usable:
        return ""
    return MARKS[significant(matrix, dataset, spec.baseline, rival, test)]


def _records(matrix: Matrix, spec: TableSpec) -> list[Row]:
    """The baseline's raw and significant records against each rival, with the tests the spec names."""
    baseline, rivals = spec.baseline, opponents(matrix, spec)
    if baseline is None or not rivals:
        return []
    found: dict[str, dict[str, Record]] = {
        "": {r: tally(verdict(matrix, d, baseline, r) for d in matrix.judged) for r in rivals}
    }
    for test in (t for t in T_TESTS if t in spec.tests):
        found[test] = {r: tally(significant(matrix, d, baseline, r, test) for d in matrix.judged) for r in rivals}
    rows = []
    for test, records in found.items():
        what = f"{baseline} significant w/t/l, {test}" if test else f"{baseline} wins/ties/losses against"
        rows.append(_row(matrix, what, {rival: str(record) for rival, record in records.items()}))
        if "sign" in spec.tests:
            values = {rival: notes.p_value(record.sign.p) for rival, record in records.items()}
            rows.append(_row(matrix, f"sign test p{', ' + test if test else ''}", values))
    if "wilcoxon" in spec.tests:
        values = {rival: notes.p_value(signed_ranks(matrix, baseline, rival).p) for rival in rivals}
        rows.append(_row(matrix, "Wilcoxon p", values))
    return rows


def _averages(matrix: Matrix, spec: TableSpec) -> Row:
    """The averages over the judged data sets; beside standard deviations that of the deviations as well."""
    cells = []
    for a in matrix.algorithms:
        spreads = [matrix.at(d, a).deviation for d in matrix.judged]
        known = [spread for spread in spreads if spread is not None]
        full = spec.show == "sd" and len(known) == len(spreads)
        spread = _number(math.fsum(known) / len(known), spec.metric) if full else ""
        cells.append(Entry(_number(matrix.average(a), spec.metric), spread) if a in matrix.ranked else NOTHING)
    return Row("average", tuple(cells))


def _decided(matrix: Matrix, dataset: str, algorithm: str, rival: str, spec: TableSpec) -> int:
    """The verdict that counts: where the spec names a t test, only a significant one."""
    test = notes.marking(spec)
    if test is None:
        return verdict(matrix, dataset, algorithm, rival)
    return significant(matrix, dataset, algorithm, rival, test)


def _ranks(matrix: Matrix) -> list[Row]:
    """Each algorithm's mean rank over the judged data sets; none where Friedman's test has too few (a note says so)."""
    try:
        ranks = ranking(matrix).ranks
    except UsageError:
        return []
    values = {a: f"{rank:.2f}" for a, rank in zip(matrix.ranked, ranks, strict=True)}
    return [_row(matrix, "mean rank, 1 = best", values)]


def _row(matrix: Matrix, label: str, values: dict[str, str]) -> Row:
    """A row with the values there are."""
    return Row(label, tuple(Entry(values[a]) if a in values else NOTHING for a in matrix.algorithms))


def _number(value: float, metric: str) -> str:
    """A mean or a standard error as it is printed; never -0.00."""
    decimals = DECIMALS.get(metric, 4)
    return f"{round(value * (100 if metric in PERCENT else 1), decimals) + 0.0:.{decimals}f}"
