"""Published figures beside runs: what each run has of each figure, and whether the gates are passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lazybayes.published.claims import Claim, Paper
from lazybayes.published.kinds import KINDS, RunValue
from lazybayes.published.view import View

PASSED, FAILED, NOT_JUDGED = "passed", "FAILED", "not judged"
AGREES, DIFFERS, REPORTED = "agrees", "differs", "reported"


@dataclass(frozen=True)
class Line:
    """A figure beside the runs.

    ours: what each run has of it, None for a run of another scheme; verdict: on the first run that it applies to;
    short: the gate is not passed, or cannot be judged because that run is unfinished.
    """

    figure: Claim
    ours: tuple[RunValue | None, ...]
    verdict: str
    short: bool = False

    @property
    def judged(self) -> RunValue | None:
        """What the verdict is on."""
        return next((ours for ours in self.ours if ours is not None), None)

    @property
    def tolerance(self) -> str:
        """The gate's bounds, or within what the figure agrees."""
        if self.figure.gate:
            return str(self.figure.gate)
        return self.judged.tolerance if self.judged else ""


def compare(paper: Paper, views: Sequence[View], *, strict: bool = False) -> list[Line]:
    """Every figure of the paper beside the runs.

    A gate that cannot be judged counts as not passed, unless the run was never asked for what is missing (it lacks the
    data set or the algorithm); strict: then too.
    """
    return [_line(figure, views, strict) for figure in paper.figures]


def exit_status(lines: Sequence[Line]) -> int:
    """1 if a gate falls short."""
    return int(any(line.short for line in lines))


def _line(figure: Claim, views: Sequence[View], strict: bool) -> Line:
    ours = tuple(
        KINDS[figure.kind].measure(figure.given, figure.published, view) if _applies(figure, view) else None
        for view in views
    )
    first = next((found for found in ours if found is not None), None)
    if figure.gate is None:
        return Line(figure, ours, _agreement(first))
    if first is None or first.gaps or not first.values:
        chosen = first is None or all(gap.chosen for gap in first.gaps)
        return Line(figure, ours, NOT_JUDGED, short=strict or not chosen)
    broken = figure.gate.broken(first.values)
    return Line(figure, ours, FAILED if broken else PASSED, short=bool(broken))


def _applies(figure: Claim, view: View) -> bool:
    if figure.kind == "worked":  # of no run at all
        return True
    return view.scheme == figure.scheme if figure.scheme else view.scheme != "resubstitution"


def _agreement(ours: RunValue | None) -> str:
    """What is said of a figure without a gate; one that lacks data sets is only reported."""
    if ours is None or ours.agrees is None or (ours.gaps and not ours.parts):
        return REPORTED
    return AGREES if ours.agrees else DIFFERS
