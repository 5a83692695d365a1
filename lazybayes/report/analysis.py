"""Analyses of a run as tables: the rules of a lazy learner, and small disjuncts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from lazybayes.errors import UsageError
from lazybayes.messages import plural
from lazybayes.report.formats import Entry, Report, Row, slug
from lazybayes.statistics.disjuncts import Disjuncts
from lazybayes.statistics.matrix import Matrix, Trials, from_frame

if TYPE_CHECKING:
    import pandas as pd

CONDITIONS, PLAIN, DISTINCT = "conditions", "plain_nb_share", "distinct_rules"


def rules(frame: pd.DataFrame, name: str) -> list[Report]:
    """A table per algorithm that grows rules, one row per data set: mean rule length, share of plain naive Bayes.

    frame: from `load_frame`; name: of the experiment. Raises UsageError if no algorithm of the run grows rules.
    """
    if CONDITIONS not in frame:
        raise UsageError("no algorithm of this run grows rules (LBR does)")
    growing = list(dict.fromkeys(frame.loc[frame[CONDITIONS].notna(), "algorithm"]))
    own = {column: from_frame(frame, column, None) for column in (CONDITIONS, PLAIN, DISTINCT) if column in frame}
    return [_rules(own, algorithm, name, len(growing) > 1) for algorithm in growing]


def _rules(matrices: dict[str, Matrix], algorithm: str, name: str, several: bool) -> Report:
    whole = matrices[CONDITIONS]
    usable = [d for d in whole.datasets if whole.at(d, algorithm).usable]
    trials = {column: {d: matrix.at(d, algorithm) for d in usable} for column, matrix in matrices.items()}
    columns: dict[str, Callable[[str], str]] = {
        "mean conditions per rule": lambda d: f"{trials[CONDITIONS][d].mean:.3f}",
        "rows by plain NB": lambda d: f"{100 * trials[PLAIN][d].mean:.1f} %",
        "different rules per fold": lambda d: f"{trials[DISTINCT][d].mean:.1f}",
    }
    body = tuple(Row(d, tuple(Entry(show(d)) for show in columns.values())) for d in usable)
    left = [d for d in whole.datasets if d not in usable]
    none = [d for d in usable if not trials[CONDITIONS][d].defined.any()]
    notes = [
        f"no rule has a condition (plain naive Bayes throughout) on {len(none)} of {plural(len(usable), 'data set')}"
        + (f": {', '.join(none)}" if none else ""),
        *([f"excluded because not all trials are done: {', '.join(left)}"] if left else []),
    ]
    summary = Row(
        "average",
        (
            Entry(f"{_mean(trials[CONDITIONS]):.3f}"),
            Entry(f"{100 * _mean(trials[PLAIN]):.1f} %"),
            Entry(f"{_mean(trials[DISTINCT]):.1f}"),
        ),
    )
    groups = (body, (summary,)) if usable else ()
    called = slug(f"rules {algorithm}") if several else "rules"
    return Report(f"{name}: the rules of {algorithm}", ("data set", *columns), groups, tuple(notes), name=called)


def disjuncts(found: Disjuncts, name: str) -> Report:
    """Errors by leaf size (training rows) of the algorithm and of the others, on the same test rows."""
    others = [a for a in found.errors if a != found.algorithm]
    total = max(1, int(found.rows.sum()))
    body = tuple(
        Row(
            label,
            (
                Entry(str(found.datasets[g])),
                Entry(str(found.rows[g])),
                Entry(f"{100 * found.rows[g] / total:.1f} %"),
                *(Entry(_rate(found.errors[a][g], found.rows[g])) for a in (found.algorithm, *others)),
            ),
        )
        for g, label in enumerate(found.labels)
    )
    rates = tuple(Entry(_rate(found.errors[a].sum(), found.rows.sum())) for a in (found.algorithm, *others))
    whole = Row("all", (Entry(""), Entry(str(found.rows.sum())), Entry("100.0 %" if found.rows.any() else "-"), *rates))
    notes = [
        "test rows over all data sets and trials, grouped by the training rows (weight) of the leaf of "
        f"{found.algorithm} that they reach; all columns use the same rows",
        *([f"excluded because the leaf size is unknown: {plural(found.unknown, 'test row')}"] if found.unknown else []),
    ]
    return Report(
        f"{name}: error (%) by the size of the leaf of {found.algorithm}",
        (f"training rows at {found.algorithm}'s leaf", "data sets", "test rows", "share", found.algorithm, *others),
        (body, (whole,)),
        tuple(notes),
        name=slug(f"small disjuncts {found.algorithm}"),
    )


def _rate(errors: int, rows: int) -> str:
    return f"{100 * errors / rows:.2f}" if rows else "-"


def _mean(trials: dict[str, Trials]) -> float:
    return math.fsum(part.mean for part in trials.values()) / len(trials) if trials else math.nan
