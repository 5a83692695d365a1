"""A run under a paper's names, and what it lacks."""

from __future__ import annotations

import pytest

from lazybayes.errors import UsageError
from lazybayes.published.view import Gap, names_of
from tests.runs import frame, view

PAPER = {"Annealing processes": ("Annealing",), "Zoology": (), "Wine recognition": ("Wine",)}


def test_names_come_from_the_catalogue_or_are_the_papers_own_in_its_order() -> None:
    listed = {"anneal.orig": {"lbr2000": ("Annealing processes",)}, "wine": {"other": ("Wine recognition",)}}
    found = names_of(["zoology", "mine", "WINE", "anneal.orig"], PAPER, listed, "lbr2000")
    assert list(found.items()) == [
        ("anneal.orig", "Annealing processes"),
        ("zoology", "Zoology"),
        ("WINE", "Wine recognition"),
    ]
    assert "anneal.orig" not in names_of(["anneal.orig"], PAPER, listed, "clltree2006")


def test_two_data_sets_for_one_name_are_told() -> None:
    with pytest.raises(UsageError, match="wine and Wine recognition of the run are both the paper's Wine recognition"):
        names_of(["wine", "Wine recognition"], PAPER, {}, "lbr2000")


def test_a_part_keeps_what_is_usable_and_names_the_gaps() -> None:
    held = frame({(d, a): [1, 2] for d in "xyz" for a in "AB"} | {("y", "B"): [1, None]})
    matrix, gaps = view(held, "wxyz").part("error", ["A", "B"])
    assert matrix is not None
    assert matrix.datasets == ("x", "z")
    assert gaps == (
        Gap("data sets without results in run: w", True),
        Gap("B on y: 1 of 2 trials failed", False),
    )
    matrix, gaps = view(held, "xz").part("error", ["A", "C"])
    assert matrix is None
    assert gaps == (Gap("algorithm C is not in run", True),)
    assert view(held, "xz").part("error", ["A", "B"])[1] == ()


def test_a_metric_that_no_cell_has_is_a_gap() -> None:
    matrix, gaps = view(frame({("x", "A"): [1, 2]})).part("cll", ["A"])
    assert matrix is None
    assert gaps == (Gap("A on x: cll has no value", False),)


def test_an_algorithm_that_stands_for_the_papers_is_still_itself() -> None:
    held = frame({("x", "LBR"): [1, 1], ("x", "C45"): [2, 3], ("x", "NB"): [4, 4]})
    reading = view(held).reading("LBR", "C45")
    matrix, gaps = reading.part("error", ["LBR", "C45", "NB"])
    assert matrix is not None
    assert gaps == ()
    assert [matrix.at("x", name).errors for name in matrix.algorithms] == [5, 5, 8]
    assert view(held).reading("LBR", "LBR").matrix("error").at("x", "LBR").errors == 2


def test_what_a_reading_lacks_the_run_lacks() -> None:
    reading = view(frame({("x", "A"): [1, 1]}), "xy").reading("B", "A")
    assert (reading.label, reading.source) == ("A", "run")
    assert {gap.what for gap in reading.part("error", ["B", "C"])[1]} == {
        "algorithm C is not in run",
        "data sets without results in run: y",
    }
    with pytest.raises(UsageError, match="run has no algorithm C; there are A, B"):
        reading.reading("B", "C")
