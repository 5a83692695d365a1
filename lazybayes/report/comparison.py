"""A paper's claims compared with runs, as a table: published, ours, tolerance or gate, verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from lazybayes.messages import plural
from lazybayes.published.claims import Paper
from lazybayes.published.judge import AGREES, DIFFERS, FAILED, NOT_JUDGED, PASSED, REPORTED, Line
from lazybayes.published.kinds import Part, RunValue
from lazybayes.report.formats import Entry, Report, Row, slug

NUMBERED = {AGREES: "agree", DIFFERS: "differ", REPORTED: "only reported"}
OUTSIDE = "x"
"""Marks an entry outside its tolerance in tables of several runs."""

PART_VERDICTS = {True: "within", False: "outside"}


def comparison(paper: Paper, lines: Sequence[Line], runs: Sequence[str]) -> list[Report]:
    """The table of all claims, and one per claim with many values. runs: the labels of the runs."""
    columns = ["ours"] if len(runs) == 1 else list(runs)
    settings = ("setting", "data-sets")
    groups = [
        tuple(_row(line) for line in lines if line.claim.gate),
        tuple(_row(line) for line in lines if not line.claim.gate and line.claim.kind not in settings),
        tuple(_row(line) for line in lines if not line.claim.gate and line.claim.kind in settings),
    ]
    whole = Report(
        f"{paper.name}: {paper.title}",
        ("published figure", "place", "published", *columns, "gate or tolerance", "verdict"),
        tuple(group for group in groups if group),
        tuple(_notes(paper, lines, runs)),
        name="comparison",
        words=True,
    )
    return [whole, *(_parts(paper, line, runs) for line in lines if line.judged and line.judged.parts)]


def summary(lines: Sequence[Line]) -> str:
    """How many gates passed, and how many claims without a gate agree."""

    def count(*words: str) -> str:
        counts = {word: sum(line.verdict == word for line in lines) for word in words}
        return ", ".join(f"{n} {NUMBERED.get(word, word)}" for word, n in counts.items() if n) or "none"

    return f"gates: {count(PASSED, FAILED, NOT_JUDGED)}; figures without a gate: {count(AGREES, DIFFERS, REPORTED)}"


def _row(line: Line) -> Row:
    claim = line.claim
    ours = tuple(Entry(_ours(run)) for run in line.ours)
    return Row(
        claim.title,
        (Entry(claim.where), Entry(_published(claim.published)), *ours, Entry(line.tolerance), Entry(line.verdict)),
    )


def _ours(ours: RunValue | None) -> str:
    """A run's value, marked as incomplete if it covers fewer data sets than the claim."""
    if ours is None:
        return "-"
    return f"{ours.text} (incomplete)" if ours.gaps and ours.values and not ours.parts else ours.text


def _published(value: Any) -> str:
    """A published value as shown in the table."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return "/".join(map(str, value))
    if isinstance(value, dict):
        return plural(len(value), "cell")
    return (
        {"below": "p < 0.05", "not below": "p >= 0.05"}.get(value, str(value)) if isinstance(value, str) else f"{value}"
    )


def _parts(paper: Paper, line: Line, runs: Sequence[str]) -> Report:
    """A claim's values: those of one run with tolerances, those of several runs side by side."""
    if len(runs) > 1:
        return _side_by_side(paper, line, runs)
    parts: Sequence[Part] = line.judged.parts if line.judged else ()
    rows = tuple(
        Row(
            part.label,
            (Entry(part.published), Entry(part.ours), Entry(part.tolerance), Entry(PART_VERDICTS[part.agrees])),
        )
        for part in parts
    )
    claim = line.claim
    return Report(
        f"{paper.name}: {claim.title}, {claim.where}",
        ("data set", "published", "ours", "tolerance", "verdict"),
        (rows,),
        (f"tolerance: {line.judged.tolerance if line.judged else ''}",),
        name=f"comparison-{slug(claim.title)}",
    )


def _side_by_side(paper: Paper, line: Line, runs: Sequence[str]) -> Report:
    by_run = [{part.label: part for part in ours.parts} if ours else {} for ours in line.ours]
    published = {label: part.published for parts in by_run for label, part in parts.items()}
    rows = [
        Row(label, (Entry(value), *(_beside(parts.get(label)) for parts in by_run)))
        for label, value in published.items()
    ]
    counts = [f"{sum(part.agrees for part in parts.values())} of {len(parts)}" for parts in by_run]
    return Report(
        f"{paper.name}: {line.claim.title}, {line.claim.where}",
        ("data set", "published", *runs),
        (tuple(rows), (Row("within", (Entry(), *map(Entry, counts))),)),
        (f"{OUTSIDE}: outside the tolerance, {line.judged.tolerance if line.judged else ''}",),
        name=f"comparison-{slug(line.claim.title)}",
    )


def _beside(part: Part | None) -> Entry:
    return Entry("-") if part is None else Entry(part.ours, mark="" if part.agrees else OUTSIDE)


def _notes(paper: Paper, lines: Sequence[Line], runs: Sequence[str]) -> list[str]:
    """Notes on what is missing, the reasons of gates, what is uncertain, and a summary."""
    claims = [line.claim for line in lines]
    return [
        paper.source.strip(),
        *(["each figure is judged on the first run to which it applies"] if len(runs) > 1 else []),
        *_gaps(lines),
        *_unjudged(lines),
        *_unmet_schemes(lines),
        *_details(lines, runs),
        *(f"gate of {claim.title}: {claim.gate.because}" for claim in claims if claim.gate),
        *(f"{claim.title}: {claim.note}" for claim in claims if claim.note),
        *(
            f"{claim.title}: {claim.confidence}, not read in the paper"
            for claim in claims
            if claim.confidence != "high"
        ),
        *(f"{name}: not available, {why}" for name, why in paper.unavailable.items()),
        summary(lines),
    ]


def _gaps(lines: Sequence[Line]) -> list[str]:
    """What is missing, with the claims that need it."""
    titles: dict[str, list[str]] = {}
    for line in lines:
        for gap in line.judged.gaps if line.judged else ():
            titles.setdefault(gap.what, []).append(line.claim.title)
    return [
        f"missing for {concerned[0] if len(concerned) == 1 else f'{len(concerned)} figures'}: {what}"
        for what, concerned in titles.items()
    ]


def _unjudged(lines: Sequence[Line]) -> list[str]:
    """The gates that cannot be judged, grouped by consequence."""
    notes = []
    for short, end in ((True, "counts as failed"), (False, "does not count because the runs do not include it")):
        titles = [line.claim.title for line in lines if line.verdict == NOT_JUDGED and line.short is short]
        if titles:
            notes.append(f"not judged because something is missing, which {end}: {'; '.join(titles)}")
    return notes


def _unmet_schemes(lines: Sequence[Line]) -> list[str]:
    """The schemes that no run uses, with the number of claims that need them."""
    counts = Counter(line.claim.scheme for line in lines if line.claim.scheme and line.judged is None)
    return [f"no given run uses the scheme {scheme}; figures that need one: {n}" for scheme, n in counts.items()]


def _details(lines: Sequence[Line], runs: Sequence[str]) -> list[str]:
    """Details of the runs' values."""
    return [
        f"{line.claim.title}{f', {run}' if len(runs) > 1 else ''}: {ours.detail}"
        for line in lines
        for run, ours in zip(runs, line.ours, strict=True)
        if ours is not None and ours.detail
    ]
