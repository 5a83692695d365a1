"""MDL cut points against a slow definition in exact arithmetic, and against Weka's."""

from __future__ import annotations

import csv
import gzip
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.data.load import load_table
from lazybayes.experiment import DatasetEntry
from lazybayes.preprocess.mdl import mdl_cuts, midpoint

Row = tuple[float, int]


def disorder(classes: Sequence[int]) -> Fraction:
    """exp(n times the class entropy in nats): n^n over the product of n_c^n_c, a whole-number comparison."""
    product = math.prod(n**n for n in Counter(classes).values())
    return Fraction(len(classes) ** len(classes), product)


def entropy(classes: Sequence[int]) -> float:
    n = len(classes)
    return -sum(m / n * math.log2(m / n) for m in Counter(classes).values())


def slow_cuts(rows: Sequence[Row], prefer: Collection[float] = ()) -> list[float]:
    """Fayyad & Irani by the letter. Exact ties go to the lowest cut, or to the lowest of those preferred."""
    rows = sorted(rows)
    candidates = []
    for low, high in pairwise(sorted({x for x, _ in rows})):
        left, right = [y for x, y in rows if x <= low], [y for x, y in rows if x > low]
        candidates.append((disorder(left) * disorder(right), (low + high) / 2, left, right))
    if not candidates:
        return []
    lowest = min(score for score, *_ in candidates)
    tied = [candidate for candidate in candidates if candidate[0] == lowest]
    _, cut, left, right = next((c for c in tied if c[1] in prefer), tied[0])
    whole = [y for _, y in rows]
    n, k, k_left, k_right = len(rows), len(set(whole)), len(set(left)), len(set(right))
    gain = entropy(whole) - len(left) / n * entropy(left) - len(right) / n * entropy(right)
    delta = math.log2(3**k - 2) - (k * entropy(whole) - k_left * entropy(left) - k_right * entropy(right))
    if gain <= math.log2(n - 1) / n + delta / n:
        return []
    halves = rows[: len(left)], rows[len(left) :]
    return [*slow_cuts(halves[0], prefer), cut, *slow_cuts(halves[1], prefer)]


def cuts_of(rows: Sequence[tuple[float, int]]) -> list[float]:
    return mdl_cuts(np.array([x for x, _ in rows], dtype=float), np.array([y for _, y in rows], dtype=int)).tolist()


# few values and classes that follow them: cuts are accepted, nested, and tied
noisy = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from([0, 0, 0, 1, 2])).map(
        lambda pair: (pair[0] / 4, (pair[0] // 3 + pair[1]) % 4)
    ),
    max_size=70,
)


@given(noisy)
def test_equals_the_slow_definition(rows: list[Row]) -> None:
    assert cuts_of(rows) == slow_cuts(rows)


@given(st.data(), noisy)
def test_order_of_rows_and_numbering_of_classes_change_nothing(data: st.DataObject, rows: list[Row]) -> None:
    numbers = data.draw(st.permutations(range(4)))
    shuffled = [(x, 10 * numbers[y]) for x, y in data.draw(st.permutations(rows))]
    assert cuts_of(shuffled) == cuts_of(rows)


@given(noisy, st.integers(1, 5))
def test_missing_cells_are_left_out(rows: list[Row], missing: int) -> None:
    assert cuts_of([*rows, *[(math.nan, 3)] * missing]) == cuts_of(rows)


def test_tie_goes_to_the_lowest_cut_not_to_rounding() -> None:
    # 1.5 and 2.5 leave the same entropy, 7^7 / 5^5; in doubles 2.5 comes out lower in the last bit
    rows = list(zip([0, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4, 4, 4], [0, 0, 0, 0, 0, 0, 2, 1, 1, 1, 1, 0, 1], strict=True))
    assert slow_cuts(rows) == [1.5]
    assert slow_cuts(rows, prefer=[2.5]) == [2.5]
    assert cuts_of(rows) == [1.5]


def test_cuts_lie_midway_and_rise() -> None:
    values = [4.75, 5.0, 5.25, 5.5] * 4 + [5.75, 6.0, 6.0, 6.25] * 4 + [6.5, 6.75, 7.0, 7.25] * 4
    assert cuts_of(list(zip(values, [0] * 16 + [1] * 16 + [2] * 16, strict=True))) == [5.625, 6.375]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([], id="no rows"),
        pytest.param([(1.0, 0)], id="one row"),
        pytest.param([(2.0, 0)] * 9 + [(2.0, 1)] * 9, id="one value"),
        pytest.param([(float(i), 5) for i in range(20)], id="one class"),
        pytest.param([(math.nan, 0), (math.nan, 1)], id="nothing known"),
        pytest.param([(0.0, 0), (-0.0, 1)] * 10, id="zero and minus zero are one value"),
    ],
)
def test_no_cut(rows: list[Row]) -> None:
    assert cuts_of(rows) == []


def test_two_rows_of_two_classes_are_cut() -> None:
    # gain 1 bit; the price is (log2 1 + log2 7 - 2) / 2 = 0.40
    assert cuts_of([(1.0, 0), (2.0, 1)]) == [1.5]


def test_hundreds_of_classes() -> None:
    rows = [(float(c), c) for c in range(900) for _ in range(3)]
    assert cuts_of(rows) == [c + 0.5 for c in range(899)]


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (2.0, math.nextafter(2.0, 3)),
        (math.nextafter(2.0, 3), math.nextafter(math.nextafter(2.0, 3), 3)),  # (low + high) / 2 rounds to high
        (-1.7e308, 1.7e308),
        (1.6e308, 1.7e308),
        (-1.7e308, -1.6e308),
        (0.0, 5e-324),
        (-5e-324, 0.0),
    ],
)
def test_neighbouring_and_huge_values_are_separated(low: float, high: float) -> None:
    cuts = cuts_of([(low, 0), (high, 1)] * 20)
    assert len(cuts) == 1
    assert low <= cuts[0] < high


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2, unique=True))
def test_midpoint_separates_any_two_doubles(pair: list[float]) -> None:
    low, high = sorted(pair)
    assert low <= midpoint(low, high) < high


def weka_fits(shared: Path, name: str) -> Iterator[tuple[list[Row], list[float]]]:
    """Each training column of a set, as (value, class) rows, with Weka's cuts."""
    answers = shared / "weka" / "answers" / name
    arff = shared / "data" / "arff" / f"{name}.arff"
    drop = ("animal",) if name == "zoo" else ()
    table = load_table(DatasetEntry.of(name, source="path", location=str(arff), drop=drop))
    columns = {attribute.name: column for attribute, column in zip(table.attributes, table.columns, strict=True)}
    tested: dict[tuple[str, str], list[int]] = {}
    with gzip.open(answers / "folds.csv.gz", "rt") as lines:
        for line in csv.DictReader(lines):
            tested.setdefault((line["repeat"], line["fold"]), []).append(int(line["index"]))
    with gzip.open(answers / "cuts.csv.gz", "rt") as lines:
        for line in csv.DictReader(lines):
            train = np.delete(np.arange(table.n_rows), tested[line["repeat"], line["fold"]])
            rows = zip(columns[line["name"]][train].tolist(), table.y[train].tolist(), strict=True)
            yield list(rows), [float(cut) for cut in line["cuts"].split()]


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("balance-scale", 40),
        ("credit-g", 70),
        ("glass", 90),
        ("iris", 40),
        ("lymph", 30),
        ("vehicle", 180),
        ("zoo", 10),
    ],
)
def test_equals_weka(shared: Path, name: str, fits: int) -> None:
    compared = 0
    for rows, weka in weka_fits(shared, name):
        assert cuts_of(rows) == weka  # no exact tie that Weka leaves to rounding occurs in these sets
        compared += 1
    assert compared == fits
