"""Generated data sets against UCI's files, and against the definitions of the games, rules and samples."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lazybayes.data.generators import GENERATORS, check, generate, with_defaults
from lazybayes.data.table import RawTable
from lazybayes.errors import DataError


def rows_of(raw: RawTable) -> list[tuple[str | float, ...]]:
    """The rows of a table, labels as text and numbers as floats."""
    cells = [
        [attribute.values[code] for code in column] if attribute.kind == "nominal" else column.tolist()
        for attribute, column in zip(raw.attributes, raw.columns, strict=True)
    ]
    return list(zip(*cells, strict=True))


def arff(path: Path) -> list[tuple[str | float, ...]]:
    """The rows of one of Weka's plain files (no quotes, no missing cells), read without the code under test."""
    lines = [line.strip() for line in path.read_text().splitlines() if line.strip() and not line.startswith("%")]
    start = next(i for i, line in enumerate(lines) if line.lower() == "@data") + 1
    declarations = [line for line in lines[:start] if line.lower().startswith("@attribute")]
    numeric = [line.split()[-1].lower() in ("real", "integer") for line in declarations]
    return [
        tuple(float(cell) if number else cell for cell, number in zip(line.split(","), numeric, strict=True))
        for line in lines[start:]
    ]


def names_of(raw: RawTable) -> list[str]:
    return [attribute.name for attribute in raw.attributes]


def classes(name: str, **options: object) -> Counter[str | float]:
    raw, target = generate(name, options)
    place = names_of(raw).index(target)
    return Counter(row[place] for row in rows_of(raw))


# --- equal to UCI's files


@pytest.mark.parametrize("name", ["tic-tac-toe", "balance-scale", "wine"])
def test_rows_and_their_order_are_those_of_the_file(shared: Path, name: str) -> None:
    expected = arff(shared / "data" / "arff" / f"{name}.arff")
    got = rows_of(generate(name)[0])
    assert Counter(got) == Counter(expected)
    assert got == expected


@pytest.mark.parametrize("name", ["tic-tac-toe", "balance-scale", "wine"])
def test_names_and_declared_labels_are_those_of_the_file(shared: Path, name: str) -> None:
    text = (shared / "data" / "arff" / f"{name}.arff").read_text().splitlines()
    declared = [line.split(None, 2)[1:] for line in text if line.lower().startswith("@attribute")]
    raw, _ = generate(name)
    assert names_of(raw) == [attribute for attribute, _ in declared]
    for attribute, (_, kind) in zip(raw.attributes, declared, strict=True):
        labels = tuple(label.strip() for label in kind.strip("{} ").split(",")) if kind.startswith("{") else ()
        assert attribute.values == labels


def test_iris_differs_from_ucis_in_exactly_two_rows(shared: Path) -> None:
    uci = arff(shared / "data" / "arff" / "iris.arff")
    fisher = rows_of(generate("iris-fisher")[0])
    assert [i for i, (a, b) in enumerate(zip(fisher, uci, strict=True)) if a != b] == [34, 37]


# --- the definitions


def test_tic_tac_toe_is_what_every_game_can_end_on() -> None:
    """Plays every game instead of filtering boards."""
    lines = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
    ends: dict[tuple[str, ...], str] = {}
    seen = set()

    def play(board: str, player: str) -> None:
        if board in seen:
            return
        seen.add(board)
        winner = next((p for p in "xo" if any(all(board[i] == p for i in line) for line in lines)), None)
        if winner or "b" not in board:
            ends[tuple(board)] = "positive" if winner == "x" else "negative"
            return
        for i in range(9):
            if board[i] == "b":
                play(board[:i] + player + board[i + 1 :], "o" if player == "x" else "x")

    play("b" * 9, "x")
    raw, target = generate("tic-tac-toe")
    got = rows_of(raw)
    assert {row[:9]: row[9] for row in got} == ends
    assert len(got) == 958
    assert target == "Class"
    assert classes("tic-tac-toe") == {"positive": 626, "negative": 332}


def test_balance_scale_tips_to_the_greater_torque() -> None:
    rows = rows_of(generate("balance-scale")[0])
    assert [row[:4] for row in rows] == list(itertools.product([1.0, 2.0, 3.0, 4.0, 5.0], repeat=4))
    for left, left_distance, right, right_distance, side in rows:
        torque = left * left_distance - right * right_distance
        assert side == ("L" if torque > 0 else "R" if torque < 0 else "B")
    assert classes("balance-scale") == {"L": 288, "B": 49, "R": 288}


def test_monks_are_all_robots_under_the_published_rules() -> None:
    """UCI's .test files: 432 rows each in lexicographic order, with 216, 142 and 228 positive."""
    rules = {
        "monks-1": lambda a1, a2, a3, a4, a5, a6: a1 == a2 or a5 == "1",
        "monks-2": lambda *values: values.count("1") == 2,
        "monks-3": lambda a1, a2, a3, a4, a5, a6: (a5 == "3" and a4 == "1") or (a5 != "4" and a2 != "3"),
    }
    robots = list(itertools.product("123", "123", "12", "123", "1234", "12"))
    for name, rule in rules.items():
        raw, target = generate(name)
        assert target == "class"
        assert names_of(raw) == ["class", "a1", "a2", "a3", "a4", "a5", "a6"]
        assert [attribute.values for attribute in raw.attributes[1:]] == [
            ("1", "2", "3"),
            ("1", "2", "3"),
            ("1", "2"),
            ("1", "2", "3"),
            ("1", "2", "3", "4"),
            ("1", "2"),
        ]
        assert rows_of(raw) == [("1" if rule(*robot) else "0", *robot) for robot in robots]
    assert classes("monks-1") == {"0": 216, "1": 216}
    assert classes("monks-2") == {"0": 290, "1": 142}
    assert classes("monks-3") == {"0": 204, "1": 228}


def test_packaged_sets_without_their_files() -> None:
    assert classes("iris-fisher") == {"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}
    assert classes("wine") == {"1": 59, "2": 71, "3": 48}
    iris = rows_of(generate("iris-fisher")[0])
    assert iris[34] == (4.9, 3.1, 1.5, 0.2, "Iris-setosa")  # Fisher (1936), table I
    assert iris[37] == (4.9, 3.6, 1.4, 0.1, "Iris-setosa")
    assert rows_of(generate("wine")[0])[0][:3] == ("1", 14.23, 1.71)


# --- the samples


def led_display(digit: str) -> str:
    """The segments lit, drawn by hand: top, upper left, upper right, middle, lower left, lower right, bottom."""
    dark = {
        "0": "middle",
        "1": "top upperleft middle lowerleft bottom",
        "2": "upperleft lowerright",
        "3": "upperleft lowerleft",
        "4": "top lowerleft bottom",
        "5": "upperright lowerleft",
        "6": "upperright",
        "7": "upperleft middle lowerleft bottom",
        "8": "",
        "9": "lowerleft",
    }[digit].split()
    order = ["top", "upperleft", "upperright", "middle", "lowerleft", "lowerright", "bottom"]
    return "".join("0" if segment in dark else "1" for segment in order)


def within(count: int, n: int, p: float, sigmas: float = 5) -> bool:
    return abs(count - n * p) <= sigmas * math.sqrt(n * p * (1 - p))


def test_led24_without_noise_shows_the_digits() -> None:
    raw, target = generate("led24", {"rows": 500, "noise": 0})
    assert target == "class"
    assert names_of(raw) == [*(f"att{j}" for j in range(1, 25)), "class"]
    assert all(attribute.values == ("0", "1") for attribute in raw.attributes[:-1])
    assert {"".join(map(str, row[:7])) for row in rows_of(raw)} == {led_display(str(d)) for d in range(10)}
    assert all("".join(map(str, row[:7])) == led_display(str(row[-1])) for row in rows_of(raw))


def test_led24_with_full_noise_shows_their_inverse() -> None:
    inverse = str.maketrans("01", "10")
    for row in rows_of(generate("led24", {"rows": 100, "noise": 1})[0]):
        assert "".join(map(str, row[:7])) == led_display(str(row[-1])).translate(inverse)


def test_led24_frequencies() -> None:
    """Each (digit, segment) pair and each irrelevant bit within five standard deviations of its probability."""
    raw, _ = generate("led24", {"rows": 20_000, "noise": 0.1, "seed": 3})
    bits, digit = np.array(raw.columns[:-1]).T, raw.columns[-1]
    assert all(within(count, 20_000, 0.1) for count in np.bincount(digit, minlength=10))
    for d in range(10):
        of_digit = bits[digit == d]
        for j, lit in enumerate(led_display(str(d))):
            assert within(of_digit[:, j].sum(), len(of_digit), 0.9 if lit == "1" else 0.1), (d, j)
        assert all(within(of_digit[:, j].sum(), len(of_digit), 0.5) for j in range(7, 24))
    inverted = bits[:, :7] != np.array([[int(b) for b in led_display(str(d))] for d in digit])
    assert within(int((inverted[:, 0] & inverted[:, 6]).sum()), 20_000, 0.01)  # segments fail independently


def test_led24_best_possible_accuracy_is_the_published_74_percent() -> None:
    """Breiman et al.: the Bayes rate is 0.26 at 10 % noise; here of the noise-free displays this generator draws."""
    displays = {row[-1]: row[:7] for row in rows_of(generate("led24", {"rows": 500, "noise": 0})[0])}
    assert len(displays) == 10
    right = 0.0
    for seen in itertools.product("01", repeat=7):
        wrong_segments = [sum(a != b for a, b in zip(seen, display, strict=True)) for display in displays.values()]
        right += max(0.1**k * 0.9 ** (7 - k) for k in wrong_segments) / 10
    assert right == pytest.approx(0.74, abs=0.005)


def test_waveform_moments() -> None:
    """Mean and variance of every attribute in every class: u has mean 1/2 and variance 1/12, noise variance 1."""
    n = 30_000
    raw, target = generate("waveform-generated", {"rows": n, "seed": 5})
    assert target == "class"
    assert names_of(raw) == [*(f"x{j}" for j in range(1, 41)), "class"]
    values, label = np.array(raw.columns[:-1]).T, raw.columns[-1]
    at_7, at_11, at_15 = ([max(6 - abs(i - peak), 0) for i in range(1, 22)] + [0] * 19 for peak in (7, 11, 15))
    for c, (a, b) in enumerate([(at_7, at_15), (at_7, at_11), (at_15, at_11)]):
        of_class = values[label == c]
        assert within(len(of_class), n, 1 / 3)
        for j in range(40):
            variance = 1 + (a[j] - b[j]) ** 2 / 12
            deviation = math.sqrt(variance / len(of_class))
            assert abs(of_class[:, j].mean() - (a[j] + b[j]) / 2) <= 5 * deviation, (c, j)
            assert of_class[:, j].var() == pytest.approx(variance, rel=0.08), (c, j)
    noise = np.corrcoef(values[:, 21:].T)
    assert np.abs(noise - np.eye(19)).max() < 5 / math.sqrt(n)


def test_waveform_class_means_are_those_of_ucis_file(shared: Path) -> None:
    uci = arff(shared / "data" / "arff" / "waveform-5000.arff")
    raw, _ = generate("waveform-generated")
    assert raw.n_rows == len(uci)
    assert len(raw.attributes) == len(uci[0])
    theirs, ours = np.array([row[:-1] for row in uci]), np.array(raw.columns[:-1]).T
    labels = np.array([row[-1] for row in uci])
    for c, label in enumerate("012"):
        difference = theirs[labels == label].mean(axis=0) - ours[raw.columns[-1] == c].mean(axis=0)
        assert np.abs(difference).max() < 5 * math.sqrt(2 * (1 + 36 / 12) / 1600)


def test_waveform_without_noise_attributes_has_two_decimals_and_no_negative_zero() -> None:
    raw, _ = generate("waveform-generated", {"rows": 1000, "noise_attributes": 0})
    values = np.array(raw.columns[:-1])
    assert values.shape == (21, 1000)
    assert np.array_equal(np.round(values, 2), values)
    assert not np.signbit(values[values == 0]).any()


@pytest.mark.parametrize("name", ["led24", "waveform-generated"])
def test_a_sample_depends_on_its_seed_alone(name: str) -> None:
    def cells(**options: int) -> bytes:
        return b"".join(column.tobytes() for column in generate(name, {"rows": 50, **options})[0].columns)

    assert cells() == cells() == cells(seed=1)
    assert cells(seed=2) != cells()


@pytest.mark.parametrize("name", GENERATORS)
def test_the_table_fits_its_attributes(name: str) -> None:
    raw, target = generate(name)
    assert target in names_of(raw)
    assert len(set(names_of(raw))) == len(raw.attributes) == len(raw.columns)
    for attribute, column in zip(raw.attributes, raw.columns, strict=True):
        assert column.shape == (raw.n_rows,)
        if attribute.kind == "nominal":
            assert column.dtype == np.int32
            assert set(np.unique(column)) == set(range(len(attribute.values)))  # every declared value occurs
        else:
            assert column.dtype == np.float64
            assert np.isfinite(column).all()


# --- options


def test_defaults_are_the_papers() -> None:
    assert with_defaults("led24", {}) == {"rows": 1000, "noise": 0.1, "seed": 1}
    assert with_defaults("waveform-generated", {"rows": 10}) == {"rows": 10, "noise_attributes": 19, "seed": 1}
    assert with_defaults("tic-tac-toe", {}) == {}
    assert isinstance(with_defaults("led24", {"noise": 1})["noise"], float)
    assert repr(with_defaults("led24", {"rows": 1e3})["rows"]) == "1000"


@pytest.mark.parametrize(
    ("name", "options", "key", "words"),
    [
        ("led-24", {}, "", ["unknown generator 'led-24'", "did you mean led24?", "tic-tac-toe"]),
        ("led24", {"noize": 0.2}, "noize", ["no option 'noize'", "did you mean noise?", "rows, noise, seed"]),
        ("led24", {"rows": 0}, "rows", ["whole number from 1", "not 0"]),
        ("led24", {"rows": 2.5}, "rows", ["whole number", "2.5"]),
        ("led24", {"rows": math.inf}, "rows", ["whole number", "inf"]),
        ("led24", {"rows": True}, "rows", ["whole number", "True"]),
        ("led24", {"rows": "many"}, "rows", ["whole number", "'many'"]),
        ("led24", {"noise": 1.5}, "noise", ["a number from 0 to 1", "1.5"]),
        ("led24", {"noise": math.nan}, "noise", ["nan"]),
        ("led24", {"seed": -1}, "seed", ["whole number from 0"]),
        ("waveform-generated", {"noise_attributes": 5}, "noise_attributes", ["0 or 19", "not 5"]),
        ("monks-1", {"rows": 5}, "rows", ["no option 'rows'", "takes no options"]),
    ],
)
def test_what_cannot_be_done_is_said(name: str, options: dict[str, object], key: str, words: list[str]) -> None:
    [(place, message)] = check(name, options)
    assert place == key
    with pytest.raises(DataError) as caught:
        generate(name, options)
    assert str(caught.value) == message
    assert all(word in message for word in words)


def test_all_problems_at_once() -> None:
    assert [key for key, _ in check("led24", {"rows": 0, "noise": 2, "sead": 1})] == ["rows", "noise", "sead"]
