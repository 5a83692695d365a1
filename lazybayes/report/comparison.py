"""A paper's figures beside runs, as a table: published, ours, the tolerance or gate, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazybayes.messages import plural
from lazybayes.published.claims import Paper
from lazybayes.published.judge import AGREES, DIFFERS, FAILED, NOT_JUDGED, PASSED, REPORTED, Line
from lazybayes.published.kinds import Part, RunValue
from lazybayes.report.formats import Entry, Report, Row, slug

NUMBERED = {AGREES: "agree", DIFFERS: "differ", REPORTED: "only reported"}
OUTSIDE = "x"
"""Marks a cell outside its tolerance where runs stand side by side."""

CELL_VERDICTS = {True: "within", False: "outside"}


def comparison(paper: Paper, lines: Sequence[Line], runs: Sequence[str]) -> list[Report]:
    """The table of all figures, and one of the cells of each figure that has many. runs: what each run is called."""
    columns = ["ours"] if len(runs) == 1 else list(runs)
    settings = ("setting", "data-sets")
    groups = [
        tuple(_row(line) for line in lines if line.figure.gate),
        tuple(_row(line) for line in lines if not line.figure.gate and line.figure.kind not in settings),
        tuple(_row(line) for line in lines if not line.figure.gate and line.figure.kind in settings),
    ]
    whole = Report(
        f"{paper.name}: {paper.title}",
        ("published figure", "place", "published", *columns, "gate or tolerance", "verdict"),
        tuple(group for group in groups if group),
        tuple(_notes(paper, lines, runs)),
        name="comparison",
        words=True,
    )
    return [whole, *(_cells(paper, line, runs) for line in lines if line.judged and line.judged.parts)]


def summary(lines: Sequence[Line]) -> str:
    """How many gates are passed, and of the figures without a gate how many agree."""

    def count(*words: str) -> str:
        found = {word: sum(line.verdict == word for line in lines) for word in words}
        return ", ".join(f"{n} {NUMBERED.get(word, word)}" for word, n in found.items() if n) or "none"

    return f"gates: {count(PASSED, FAILED, NOT_JUDGED)}; figures without a gate: {count(AGREES, DIFFERS, REPORTED)}"


def _row(line: Line) -> Row:
    figure = line.figure
    ours = tuple(Entry(_ours(found)) for found in line.ours)
    return Row(
        figure.title,
        (Entry(figure.where), Entry(_published(figure.published)), *ours, Entry(line.tolerance), Entry(line.verdict)),
    )


def _ours(found: RunValue | None) -> str:
    """What a run has; of fewer data sets than the figure is about, it says so."""
    if found is None:
        return "-"
    return f"{found.text} (incomplete)" if found.gaps and found.values and not found.parts else found.text


def _published(value: Any) -> str:
    """A published value as it is shown."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return "/".join(map(str, value))
    if isinstance(value, dict):
        return plural(len(value), "cell")
    return (
        {"below": "p < 0.05", "not below": "p >= 0.05"}.get(value, str(value)) if isinstance(value, str) else f"{value}"
    )


def _cells(paper: Paper, line: Line, runs: Sequence[str]) -> Report:
    """A figure's cells: of one run with their tolerances, of several side by side."""
    if len(runs) > 1:
        return _side_by_side(paper, line, runs)
    parts: Sequence[Part] = line.judged.parts if line.judged else ()
    rows = tuple(
        Row(
            part.label,
            (Entry(part.published), Entry(part.ours), Entry(part.tolerance), Entry(CELL_VERDICTS[part.agrees])),
        )
        for part in parts
    )
    figure = line.figure
    return Report(
        f"{paper.name}: {figure.title}, {figure.where}",
        ("data set", "published", "ours", "tolerance", "verdict"),
        (rows,),
        (f"tolerance: {line.judged.tolerance if line.judged else ''}",),
        name=f"comparison-{slug(figure.title)}",
    )


def _side_by_side(paper: Paper, line: Line, runs: Sequence[str]) -> Report:
    by_run = [{part.label: part for part in found.parts} if found else {} for found in line.ours]
    published = {label: part.published for parts in by_run for label, part in parts.items()}
    rows = [
        Row(label, (Entry(cell), *(_beside(parts.get(label)) for parts in by_run))) for label, cell in published.items()
    ]
    counts = [f"{sum(part.agrees for part in parts.values())} of {len(parts)}" for parts in by_run]
    return Report(
        f"{paper.name}: {line.figure.title}, {line.figure.where}",
        ("data set", "published", *runs),
        (tuple(rows), (Row("within", (Entry(), *map(Entry, counts))),)),
        (f"{OUTSIDE}: outside the tolerance, {line.judged.tolerance if line.judged else ''}",),
        name=f"comparison-{slug(line.figure.title)}",
    )


def _beside(part: Part | None) -> Entry:
    return Entry("-") if part is None else Entry(part.ours, mark="" if part.agrees else OUTSIDE)


def _notes(paper: Paper, lines: Sequence[Line], runs: Sequence[str]) -> list[str]:
    """What is missing, where the gates come from, what is uncertain, and the sum of it."""
    out = [paper.source.strip()]
    if len(runs) > 1:
        out.append("verdicts are on the first run that a figure applies to")
    gaps: dict[str, list[str]] = {}
    for line in lines:
        for gap in line.judged.gaps if line.judged else ():
            gaps.setdefault(gap.what, []).append(line.figure.title)
    for what, titles in gaps.items():
        concerned = titles[0] if len(titles) == 1 else f"{len(titles)} figures"
        out.append(f"missing for {concerned}: {what}")
    for short, end in ((True, "counts as not passed"), (False, "does not count: the runs were never asked for it")):
        titles = [line.figure.title for line in lines if line.verdict == NOT_JUDGED and line.short is short]
        if titles:
            out.append(f"not judged for want of what is missing, which {end}: {'; '.join(titles)}")
    unmet = [line.figure.scheme for line in lines if line.figure.scheme and line.judged is None]
    for scheme in dict.fromkeys(unmet):
        out.append(f"no run of the scheme {scheme} is given; figures that need one: {unmet.count(scheme)}")
    for line in lines:
        for run, found in zip(runs, line.ours, strict=True):
            if found is not None and found.detail:
                out.append(f"{line.figure.title}{f', {run}' if len(runs) > 1 else ''}: {found.detail}")
    out += [f"gate of {f.title}: {f.gate.because}" for f in (line.figure for line in lines) if f.gate]
    out += [f"{line.figure.title}: {line.figure.note}" for line in lines if line.figure.note]
    uncertain = [line.figure for line in lines if line.figure.confidence != "high"]
    out += [f"{figure.title}: {figure.confidence}, not read in the paper" for figure in uncertain]
    out += [f"{name}: cannot be had, {why}" for name, why in paper.unavailable.items()]
    return [*out, summary(lines)]
