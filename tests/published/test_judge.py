"""Gates pass, fail, and cannot be judged; figures without one only say what they are."""

from __future__ import annotations

from typing import Any

import pytest

from lazybayes.published.claims import Claim, Gate, Paper
from lazybayes.published.judge import compare, exit_status
from tests.runs import frame, view

WON = {("x", "A"): [1, 1], ("x", "B"): [2, 2], ("y", "A"): [1, 1], ("y", "B"): [2, 2]}


def paper(*figures: Claim) -> Paper:
    return Paper("p", "P", "s", {"x": (), "y": ()}, figures)


def record(gate: dict[str, tuple[float, float]] | None = None, **fields: Any) -> Claim:
    usual = {"published": [2, 0, 0], "where": "Table 1", "confidence": "high"}
    return Claim(
        "A against B",
        "record",
        {"algorithm": "A", "rival": "B"},
        **{**usual, **fields},
        gate=gate and Gate(gate, "why"),
    )


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        ({"wins": (2, 3)}, "passed"),
        ({"wins": (2, 2), "losses": (0, 0)}, "passed"),
        ({"wins": (3, 9)}, "FAILED"),
        ({"wins": (0, 1)}, "FAILED"),
        ({"wins": (2, 2), "losses": (1, 2)}, "FAILED"),
    ],
)
def test_a_gate_holds_its_bounds(bounds: dict[str, tuple[float, float]], verdict: str) -> None:
    lines = compare(paper(record(bounds)), [view(frame(WON))])
    assert lines[0].verdict == verdict
    assert exit_status(lines) == (verdict == "FAILED")


def test_what_the_run_was_never_asked_for_is_not_judged_and_counts_only_when_strict() -> None:
    part = frame({key: trials for key, trials in WON.items() if key[0] == "x"})
    lines = compare(paper(record({"wins": (0, 9)})), [view(part, "xy")])
    assert (lines[0].verdict, exit_status(lines)) == ("not judged", 0)
    assert lines[0].judged is not None
    assert lines[0].judged.text == "1/0/0"
    assert exit_status(compare(paper(record({"wins": (0, 9)})), [view(part, "xy")], strict=True)) == 1
    none = compare(paper(record({"wins": (0, 9)})), [view(frame({("x", "A"): [1], ("y", "A"): [1]}))])
    assert (none[0].verdict, exit_status(none)) == ("not judged", 0)


def test_cells_that_failed_are_not_judged_and_count() -> None:
    lines = compare(paper(record({"wins": (0, 9)})), [view(frame({**WON, ("y", "B"): [2, None]}))])
    assert (lines[0].verdict, exit_status(lines)) == ("not judged", 1)


def test_a_figure_waits_for_a_run_of_its_scheme() -> None:
    figure = record({"wins": (2, 2)}, scheme="resubstitution")
    folds, training = view(frame(WON)), view(frame(WON), scheme="resubstitution")
    assert compare(paper(figure), [folds])[0].verdict == "not judged"
    both = compare(paper(figure, record({"wins": (2, 2)})), [folds, training])
    assert [line.verdict for line in both] == ["passed", "passed"]
    assert [[ours is None for ours in line.ours] for line in both] == [[True, False], [False, True]]


def test_the_first_run_is_judged_and_the_others_stand_beside_it() -> None:
    lost = frame({(d, {"A": "B", "B": "A"}[a]): trials for (d, a), trials in WON.items()})
    (line,) = compare(paper(record({"wins": (2, 2)})), [view(frame(WON)), view(lost)])
    assert line.verdict == "passed"
    assert [ours.text for ours in line.ours if ours] == ["2/0/0", "0/0/2"]


def test_without_a_gate_nothing_fails() -> None:
    side = Claim("s", "sign-test", {"algorithm": "A", "rival": "B"}, "below", "text", "high")
    lines = compare(paper(record(), side), [view(frame(WON))])
    assert [line.verdict for line in lines] == ["reported", "differs"]  # 2-0: p = 1/4
    assert exit_status(lines) == 0
    same = Claim("s", "sign-test", {"algorithm": "A", "rival": "B"}, "not below", "text", "high")
    assert compare(paper(same), [view(frame(WON))])[0].verdict == "agrees"
    short = compare(paper(same), [view(frame(WON), "xyz")])
    assert short[0].verdict == "reported"  # not on all data sets that it is about
