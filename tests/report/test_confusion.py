"""Confusion as a table and as a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lazybayes.errors import UsageError
from lazybayes.report.confusion import chosen, table
from lazybayes.statistics.confusion import Confusion

COUNTS = np.array([[7, 2, 1, 0], [0, 5, 0, 0], [0, 0, 0, 0], [3, 1, 1, 5]])
FOUND = Confusion("pets $x$", "NB", ("cat", "dog", "no one's", "owl"), COUNTS, 2)


def test_the_table_names_what_a_class_is_taken_for() -> None:
    report = table(FOUND, "mine")
    assert {row.label: [str(cell) for cell in row.entries] for row in report.rows} == {
        "cat": ["10", "70.0 %", "dog 20.0 %, no one's 10.0 %"],
        "dog": ["5", "100.0 %", ""],
        "no one's": ["0", "-", ""],
        "owl": ["10", "50.0 %", "cat 30.0 %, dog 10.0 %, no one's 10.0 %"],
        "all": ["25", "68.0 %", ""],
    }
    assert "2 trials" in report.notes[0]


def test_what_is_chosen_is_there() -> None:
    other = Confusion("d", "LBR", ("a",), np.array([[1]]), 1)
    assert chosen([FOUND, other], ["d"], []) == [other]
    assert chosen([FOUND, other], [], ["NB", "LBR"]) == [FOUND, other]
    with pytest.raises(UsageError, match=r"no results of the algorithm NBB \(did you mean NB\?\)"):
        chosen([FOUND, other], [], ["NBB"])


def test_the_picture_has_a_square_for_each_pair_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra plot)")
    from lazybayes.report.confusion import draw
    from lazybayes.report.figures import write_confusions

    (axes,) = draw(FOUND).axes
    errors, right = (image.get_array() for image in axes.images)
    assert np.ma.filled(errors, -1).tolist() == [[-1, 20, 10, 0], [0, -1, 0, 0], [0, 0, -1, 0], [30, 10, 10, -1]]
    assert np.ma.filled(right, -1).diagonal().tolist() == [70, 100, 0, 50]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(FOUND.labels)
    assert sorted(text.get_text() for text in axes.texts) == sorted(["70", "20", "10", "100", "30", "10", "10", "50"])
    files = [write_confusions([FOUND], tmp_path / name, ("png", "svg")) for name in ("one", "two")]
    assert [path.name for path in files[0]] == ["confusion-pets--x--NB.png", "confusion-pets--x--NB.svg"]
    assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]


def test_one_class_and_no_error_can_be_drawn() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra plot)")
    from lazybayes.report.confusion import draw

    (axes,) = draw(Confusion("d", "NB", ("only",), np.array([[3]]), 1)).axes
    assert [text.get_text() for text in axes.texts] == ["100"]
