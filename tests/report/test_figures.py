"""Figures: what is drawn where, and files that come out the same."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lazybayes.errors import UsageError
from lazybayes.statistics.matrix import Matrix, Trials

LONG = "a very long name of a data set, $longer$ than any axis has room for"
ERRORS = {"p": (0.10, 0.30), "q": (0.25, 0.20), LONG: (0.40, 0.41), "none": (0.0, 0.0)}


def matrix(unusable: str = "") -> Matrix:
    entries = {}
    for dataset, means in ERRORS.items():
        for algorithm, mean in zip(("LBR", "C4.5|x $y$"), means, strict=True):
            values = np.array([mean - 0.02, mean + 0.02]) if mean else np.zeros(2)
            entries[dataset, algorithm] = Trials(values, failed=int(dataset == unusable))
    return Matrix("error", "lower", tuple(ERRORS), ("LBR", "C4.5|x $y$"), entries)


@pytest.fixture
def figures() -> Any:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra plot)")
    import lazybayes.report.figures as module

    return module


def test_curves_are_sorted_by_their_difference_with_a_standard_error_on_each_side(figures: Any) -> None:
    drawn = figures.curves(matrix(), list(ERRORS), "LBR", "C4.5|x $y$")
    (axes,) = drawn.axes
    shown = [label.get_text() for label in axes.get_xticklabels()]
    assert [name[:6] for name in shown] == ["p", "a very", "none", "q"]
    assert max(map(len, shown)) <= 28
    lines = [container[0].get_ydata().tolist() for container in axes.containers]
    assert lines == [pytest.approx([10, 40, 0, 25]), pytest.approx([30, 41, 0, 20])]
    bars = axes.containers[0][2][0].get_segments()
    # two trials 4 apart: sd 2.828, over sqrt 2
    assert [float(bar[1][1] - bar[0][1]) for bar in bars] == pytest.approx([4, 4, 0, 4])


def test_scatter_has_a_point_a_data_set_and_the_diagonal(figures: Any) -> None:
    drawn = figures.scatter(matrix(), list(ERRORS), "LBR", "C4.5|x $y$")
    (axes,) = drawn.axes
    points = axes.collections[-1].get_offsets().tolist()
    assert points == [pytest.approx(point) for point in ([30, 10], [20, 25], [41, 40], [0, 0])]
    diagonal = axes.lines[0].get_xydata().tolist()
    assert all(x == y for x, y in diagonal)
    assert axes.get_xlim() == axes.get_ylim()
    assert "p" in [text.get_text() for text in axes.texts]


def test_files_are_the_same_each_time_and_nothing_is_clipped(figures: Any, tmp_path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    first = figures.write_figures(matrix(), "LBR", [], tmp_path / "a")
    again = figures.write_figures(matrix(), "LBR", ["C4.5|x $y$"], tmp_path / "b")
    assert [path.name for path in first] == [
        *(f"curves-LBR-C4.5-x--y-.{suffix}" for suffix in ("png", "svg", "pdf")),
        *(f"scatter-LBR-C4.5-x--y-.{suffix}" for suffix in ("png", "svg", "pdf")),
    ]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert all(path.read_bytes().startswith(starts[path.suffix[1:]]) for path in first)
    for draw in (figures.curves, figures.scatter):
        drawn = draw(matrix(), list(ERRORS), "LBR", "C4.5|x $y$")
        FigureCanvasAgg(drawn).draw()
        box = drawn.get_tightbbox()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= drawn.get_figwidth()
        assert box.y1 <= drawn.get_figheight()


def test_a_data_set_that_is_not_done_is_left_out(figures: Any, tmp_path: Path) -> None:
    (path,) = [p for p in figures.write_figures(matrix("q"), "LBR", [], tmp_path, ["svg"]) if "curves" in p.name]
    assert "<!-- p -->" in path.read_text()
    assert "<!-- q -->" not in path.read_text()


def test_one_data_set_has_no_curve(figures: Any, tmp_path: Path) -> None:
    whole = matrix()
    one = replace(whole, datasets=("p",), entries={key: own for key, own in whole.entries.items() if key[0] == "p"})
    paths = figures.write_figures(one, "LBR", [], tmp_path, ["svg"], "small")
    assert [path.name for path in paths] == ["scatter-LBR-C4.5-x--y-.svg"]
    assert [path.name for path in tmp_path.iterdir()] == ["scatter-LBR-C4.5-x--y-.svg"]


def test_pictures_have_titles(figures: Any) -> None:
    for draw in (figures.curves, figures.scatter):
        (axes,) = draw(matrix(), list(ERRORS), "LBR", "C4.5|x $y$", "small").axes
        assert axes.get_title() == "small: error rates of LBR and C4.5|x $y$"


def test_a_picture_older_than_the_results_is_stale(figures: Any, tmp_path: Path) -> None:
    paths = {name: tmp_path / name for name in ("curves-A-B.png", "scatter-A-C.svg", "confusion-d-A.pdf", "own.png")}
    for path in paths.values():
        path.touch()
        os.utime(path, (100, 100))
    os.utime(paths["scatter-A-C.svg"], (300, 300))
    assert figures.stale_figures(tmp_path, [], 200) == [paths["confusion-d-A.pdf"], paths["curves-A-B.png"]]
    assert figures.stale_figures(tmp_path, [paths["curves-A-B.png"]], 200) == [paths["confusion-d-A.pdf"]]


@pytest.mark.parametrize(
    ("baseline", "rivals", "message"),
    [
        ("LRB", [], r"LRB is not an algorithm of these results \(did you mean LBR\?\)"),
        ("LBR", ["NB"], "NB is not an algorithm of these results"),
        ("LBR", ["LBR"], "cannot be its own rival"),
    ],
)
def test_what_cannot_be_drawn_is_told(
    figures: Any, tmp_path: Path, baseline: str, rivals: list[str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        figures.write_figures(matrix(), baseline, rivals, tmp_path)


def test_without_matplotlib_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lazybayes.report.figures import write_figures

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"a figure needs matplotlib.*pip install"):
        write_figures(matrix(), "LBR", [], tmp_path)
