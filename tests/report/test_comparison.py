"""A comparison as a table: every figure, its verdict, and what is missing, said."""

from __future__ import annotations

import pandas as pd
import pytest

from lazybayes.errors import UsageError
from lazybayes.published.claims import Claim, Gate, Paper
from lazybayes.published.judge import compare
from lazybayes.published.view import View
from lazybayes.report.comparison import comparison, summary
from lazybayes.report.formats import FORMATS

PAIR = {"algorithm": "A", "rival": "B"}
FIGURES = (
    Claim("A against B", "record", PAIR, [2, 0, 0], "Table 1", "high", gate=Gate({"wins": (2, 3)}, "by hand")),
    Claim("too many", "record", PAIR, [3, 0, 0], "Table 1", "high", gate=Gate({"wins": (3, 3)}, "by hand")),
    Claim("C against B", "record", {"algorithm": "C", "rival": "B"}, [1, 1, 0], "Table 1", "high"),
    Claim("means of A", "cells", {"algorithm": "A", "metric": "error"}, {"x": 10.0, "y": 30.0}, "Table 2", "derived"),
    Claim(
        "on the training rows", "record", PAIR, None, "text", "high", "resubstitution", Gate({"wins": (1, 9)}, "text")
    ),
    Claim("folds", "setting", {"path": "cv.folds"}, 10, "text", "high"),
)
PAPER = Paper("p", "A paper", "Read from a copy.", {"x": (), "y": (), "z": ()}, FIGURES, {"z": "it is lost"})


def view() -> View:
    counts = {("x", "A"): 1, ("x", "B"): 2, ("y", "A"): 1, ("y", "B"): 2}
    rows = [
        {
            **{"dataset": d, "algorithm": a, "repeat": 0, "fold": fold, "status": "done"},
            **{"n_train": 90, "n_test": 10, "errors": count, "error": count / 10},
        }
        for (d, a), count in counts.items()
        for fold in range(2)
    ]
    cv = {"cv": {"scheme": "stratified-k-fold", "folds": 10}}
    return View("run", pd.DataFrame(rows), cv, {"x": "x", "y": "y"}, ("x", "y"), {"error": "lower"})


def test_every_figure_stands_beside_ours() -> None:
    lines = compare(PAPER, [view()])
    whole, cells = comparison(PAPER, lines, ["run"])
    rows = {row.label: [cell.value for cell in row.entries] for row in whole.rows}
    assert rows["A against B"] == ["Table 1", "2/0/0", "2/0/0", "wins 2 to 3", "passed"]
    assert rows["too many"][-2:] == ["wins 3", "FAILED"]
    assert rows["C against B"][1:] == ["1/1/0", "-", "", "reported"]
    assert rows["means of A"][1:3] == ["2 cells", "1 of 2 within"]
    assert rows["on the training rows"][2:] == ["-", "wins 1 to 9", "not judged"]
    assert rows["folds"][1:] == ["10", "10", "equal", "agrees"]
    assert [[cell.value for cell in row.entries] for row in cells.rows] == [
        ["10.00", "10.00 ± 0.00", "± 0.005", "within"],
        ["30.00", "10.00 ± 0.00", "± 0.005", "outside"],
    ]
    assert cells.name == "comparison-means-of-a"


def test_cells_of_readings_stand_side_by_side() -> None:
    views = [view(), view().reading("A", "B")]
    cells = comparison(PAPER, compare(PAPER, views), [found.label for found in views])[1]
    assert cells.header == ("data set", "published", "run", "B")
    assert [[row.label, *map(str, row.entries)] for row in cells.rows] == [
        ["x", "10.00", "10.00 ± 0.00", "20.00 ± 0.00 x"],
        ["y", "30.00", "10.00 ± 0.00 x", "20.00 ± 0.00 x"],
        ["within", "", "1 of 2", "0 of 2"],
    ]
    with pytest.raises(UsageError, match="run has no algorithm D; there are A, B"):
        view().reading("A", "D")


def test_the_notes_say_what_is_missing_and_where_gates_come_from() -> None:
    lines = compare(PAPER, [view()])
    notes = comparison(PAPER, lines, ["run"])[0].notes
    assert notes[0] == "Read from a copy."
    assert "missing for C against B: algorithm C is not in run" in notes
    assert "no given run uses the scheme resubstitution; figures that need one: 1" in notes
    assert any(note.startswith("not judged") and note.endswith(": on the training rows") for note in notes)
    assert "gate of too many: by hand" in notes
    assert "means of A: derived, not read in the paper" in notes
    assert "z: not available, it is lost" in notes
    assert notes[-1] == summary(lines)
    assert summary(lines) == (
        "gates: 1 passed, 1 FAILED, 1 not judged; figures without a gate: 1 agree, 1 differ, 1 only reported"
    )


def test_several_runs_stand_side_by_side() -> None:
    whole = comparison(PAPER, compare(PAPER, [view(), view()]), ["one", "two"])[0]
    assert whole.header == ("published figure", "place", "published", "one", "two", "gate or tolerance", "verdict")


def test_every_format_can_hold_it() -> None:
    for name, write in FORMATS.items():
        for report in comparison(PAPER, compare(PAPER, [view()]), ["run"]):
            written = write(report)
            assert "means of A" in written or (name == "csv" and "means of A" in report.title), name
            assert not [line for line in written.split("\n") if line != line.rstrip()]
