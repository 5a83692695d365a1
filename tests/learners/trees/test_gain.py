"""C4.5's criterion on the golf data of Quinlan's book, with the numbers he works out, and what may be averaged."""

from __future__ import annotations

import numpy as np
import pytest

from lazybayes.counts.codes import Rows
from lazybayes.learners.trees.gain import Candidates, GainRatio
from lazybayes.learners.trees.growth import Level
from lazybayes.learners.trees.tree import all_rows

OUTLOOK = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2]
WINDY = [0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1]
HUMIDITY = [70.0, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96]
PLAY = [0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0]


def candidates(outlook: list[int], humidity: list[float], play: list[int]) -> Candidates:
    n = len(play)
    rows = Rows(
        ("outlook", "humidity", "windy"),
        (("sunny", "overcast", "rain"), None, ("true", "false")),
        np.array([outlook, (WINDY * 2)[:n]], dtype=np.int32).T,
        np.array([humidity], dtype=np.float64).T,
    )
    y = np.array(play)
    at, classes = all_rows(n), np.bincount(y, minlength=2).astype(np.float64)[None]
    level = Level(classes, np.zeros((1, 3), dtype=bool), at.row, at.node, at.weight)
    return GainRatio(rows, y, 2, 2)._candidates(level)


def test_gains_and_split_information_of_the_book() -> None:
    """Section 2.2: outlook gains 0.246 bits with 1.577 bits of split information, windy gains 0.048."""
    found = candidates(OUTLOOK, HUMIDITY, PLAY)
    assert found.gain[0, 0] == pytest.approx(0.246, abs=0.001)
    assert found.information[0, 0] == pytest.approx(1.577, abs=0.001)
    assert found.gain[0, 0] / found.information[0, 0] == pytest.approx(0.156, abs=0.001)
    assert found.gain[2, 0] == pytest.approx(0.048, abs=0.001)


def test_an_unknown_outlook() -> None:
    """Section 3.2: case 6's outlook unknown: gain 13/14 (0.961 - 0.747) = 0.199, split information 1.809."""
    outlook = [*OUTLOOK[:5], -1, *OUTLOOK[6:]]
    found = candidates(outlook, HUMIDITY, PLAY)
    assert found.gain[0, 0] == pytest.approx(0.199, abs=0.001)
    assert found.information[0, 0] == pytest.approx(1.809, abs=0.001)


def test_a_cut_pays_for_being_chosen() -> None:
    """Humidity: of its 6 possible cuts (2 rows on each side at least) the best lies between 80 and 85."""
    found = candidates(OUTLOOK, HUMIDITY, PLAY)
    rows = sorted(zip(HUMIDITY, PLAY, strict=True))

    def bits(part: list[tuple[float, int]]) -> float:
        shares = [sum(1 for _, y in part if y == c) / len(part) for c in (0, 1)]
        return -len(part) * sum(p * np.log2(p) for p in shares if p)

    cuts = [i for i in range(2, 13) if rows[i - 1][0] < rows[i][0]]
    gains = [(bits(rows) - bits(rows[:i]) - bits(rows[i:])) / 14 for i in cuts]
    best = int(np.argmax(gains))
    assert found.gain[1, 0] == pytest.approx(gains[best] - np.log2(len(cuts)) / 14)
    assert found.cut[1, 0] == (rows[cuts[best] - 1][0] + rows[cuts[best]][0]) / 2
    assert found.valid[:, 0].tolist() == [True, bool(found.gain[1, 0] > 1e-6), True]


def test_an_attribute_of_many_values_is_not_averaged_but_may_be_chosen() -> None:
    """Ten values among 20 rows: its gain, the highest, must not raise the average above that of the other."""
    many, y = np.arange(20) % 10, np.arange(20) % 2
    other = np.where(np.arange(20) < 2, 1 - y, y)
    rows = Rows(
        ("many", "other"),
        (tuple("abcdefghij"), ("p", "q")),
        np.array([many, other], dtype=np.int32).T,
        np.empty((20, 0)),
    )
    splitter = GainRatio(rows, y, 2, 2)
    assert splitter.averaged.tolist() == [False, True]
    at = all_rows(20)
    level = Level(np.array([[10.0, 10.0]]), np.zeros((1, 2), dtype=bool), at.row, at.node, at.weight)
    assert splitter(level).attribute.tolist() == [1]
    alone = Rows(("many",), (tuple("abcdefghij"),), rows.nominal[:, :1], rows.numeric)
    assert GainRatio(alone, y, 2, 2).averaged.tolist() == [True]
