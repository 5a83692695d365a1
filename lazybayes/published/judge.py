"""A paper's claims beside runs: what each run has of each claim, and whether the gates are passed."""

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
    """A claim beside the runs.

    ours: what each run has of it, None for a run of another scheme; verdict: on the first run that it applies to;
    short: the gate is not passed, or cannot be judged because that run is unfinished.
    """

    claim: Claim
    ours: tuple[RunValue | None, ...]
    verdict: str
    short: bool = False

    @property
    def judged(self) -> RunValue | None:
        """What the verdict is on."""
        return next((ours for ours in self.ours if ours is not None), None)

    @property
    def tolerance(self) -> str:
        """The gate's bounds, or within what the claim agrees."""
        if self.claim.gate:
            return str(self.claim.gate)
        return self.judged.tolerance if self.judged else ""


def compare(paper: Paper, views: Sequence[View], *, strict: bool = False) -> list[Line]:
    """Every claim of the paper beside the runs.

    A gate that cannot be judged counts as not passed, unless the run was never asked for what is missing (it lacks the
    data set or the algorithm); strict: then too.
    """
    return [_line(claim, views, strict) for claim in paper.claims]


def exit_status(lines: Sequence[Line]) -> int:
    """1 if a gate falls short."""
    return int(any(line.short for line in lines))


def _line(claim: Claim, views: Sequence[View], strict: bool) -> Line:
    ours = tuple(
        KINDS[claim.kind].measure(claim.given, claim.published, view) if _applies(claim, view) else None
        for view in views
    )
    first = next((value for value in ours if value is not None), None)
    if claim.gate is None:
        return Line(claim, ours, _agreement(first))
    if first is None or first.gaps or not first.values:
        chosen = first is None or all(gap.chosen for gap in first.gaps)
        return Line(claim, ours, NOT_JUDGED, short=strict or not chosen)
    broken = claim.gate.broken(first.values)
    return Line(claim, ours, FAILED if broken else PASSED, short=bool(broken))


def _applies(claim: Claim, view: View) -> bool:
    if claim.kind == "worked":  # of no run at all
        return True
    return view.scheme == claim.scheme if claim.scheme else view.scheme != "resubstitution"


def _agreement(ours: RunValue | None) -> str:
    """What is said of a claim without a gate; one that lacks data sets is only reported."""
    if ours is None or ours.agrees is None or (ours.gaps and not ours.parts):
        return REPORTED
    return AGREES if ours.agrees else DIFFERS
