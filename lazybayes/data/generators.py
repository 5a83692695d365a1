"""Data sets that need no download: enumerated, sampled, or shipped with scikit-learn.

The enumerated ones (tic-tac-toe, balance-scale, monks) hold UCI's rows in UCI's order. The samples (led24,
waveform-generated) come from the definitions in Breiman et al. (1984), so their rows are not those of any
published file; equal options give equal rows. The packaged ones (iris-fisher, wine) are scikit-learn's copies
under the attribute names and class labels of UCI's and Weka's files. The examples of textbooks stand in `worked`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lazybayes.data.table import Attribute, Column, RawTable
from lazybayes.data.worked import correlated_attributes, loan, play_tennis
from lazybayes.errors import DataError
from lazybayes.messages import nearest

SQUARES = tuple(f"{y}-{x}-square" for y in ("top", "middle", "bottom") for x in ("left", "middle", "right"))
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

MONKS_ARITY = (3, 3, 2, 3, 4, 2)

# Breiman et al. (1984), section 2.6.1: top, upper left, upper right, middle, lower left, lower right, bottom.
DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")
SEGMENTS = np.array([[int(lit) for lit in digit] for digit in DIGITS], dtype=np.int32)

WINE_ATTRIBUTES = (
    "Alcohol",
    "Malic_acid",
    "Ash",
    "Alcalinity_of_ash",
    "Magnesium",
    "Total_phenols",
    "Flavanoids",
    "Nonflavanoid_phenols",
    "Proanthocyanins",
    "Color_intensity",
    "Hue",
    "OD280/OD315_of_diluted_wines",
    "Proline",
)


@dataclass(frozen=True)
class Option:
    """A generator's option: a number of its default's type, one of ``choices`` or in [low, high]."""

    default: int | float
    low: int | float = 0
    high: int | float = 0
    choices: tuple[int, ...] = ()

    def allowed(self) -> str:
        """What a value may be, for messages."""
        if self.choices:
            return " or ".join(map(str, self.choices))
        return f"{'a whole number' if isinstance(self.default, int) else 'a number'} from {self.low} to {self.high}"

    def takes(self, value: object) -> bool:
        """Whether the value is possible; true and false are no numbers here, 1e3 is a whole one."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        if isinstance(self.default, int) and value % 1 != 0:
            return False
        return value in self.choices if self.choices else self.low <= value <= self.high


@dataclass(frozen=True)
class Generator:
    """A named function that makes a data set of its options; ``target`` names the class attribute."""

    make: Callable[..., RawTable]
    target: str
    options: Mapping[str, Option] = field(default_factory=dict)


def check(name: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Problems of a call, as (option or "", message); an empty list if `generate` would do it."""
    generator = GENERATORS.get(name)
    if generator is None:
        return [("", f"unknown generator {name!r}{nearest(name, GENERATORS)}; known: {', '.join(GENERATORS)}")]
    known = ", ".join(generator.options)
    problems = []
    for key, value in options.items():
        option = generator.options.get(key)
        if option is None:
            allowed = f"it takes {known}" if known else "it takes no options"
            problems.append((key, f"{name} has no option {key!r}{nearest(key, generator.options)}; {allowed}"))
        elif not option.takes(value):
            problems.append((key, f"{name}: {key} must be {option.allowed()}, not {value!r}"))
    return problems


def with_defaults(name: str, options: Mapping[str, Any]) -> dict[str, int | float]:
    """All options of a generator, those not given at their defaults.

    Raises DataError for an unknown generator, an unknown option or an impossible value.
    """
    if problems := check(name, options):
        raise DataError("\n".join(message for _, message in problems))
    return {
        key: type(option.default)(options.get(key, option.default)) for key, option in GENERATORS[name].options.items()
    }


def generate(name: str, options: Mapping[str, Any] | None = None) -> tuple[RawTable, str]:
    """The data set of a generator and the name of its class attribute. Raises as `resolved`."""
    settings = with_defaults(name, options or {})
    generator = GENERATORS[name]
    return generator.make(**settings), generator.target


def tic_tac_toe() -> RawTable:
    """All 958 boards on which a game can end when x moves first; positive = x has three in a row.

    Boards x won come first, then those o won, then the draws, each in the order x, o, b: the order of UCI's file.
    """
    boards: list[list[str]] = [[], [], []]
    for cells in itertools.product("xob", repeat=9):
        board = "".join(cells)
        lead = board.count("x") - board.count("o")
        x_wins, o_wins = (any(all(board[i] == player for i in line) for line in LINES) for player in "xo")
        if x_wins and not o_wins and lead == 1:
            boards[0].append(board)
        elif o_wins and not x_wins and lead == 0:
            boards[1].append(board)
        elif not x_wins and not o_wins and "b" not in board and lead == 1:
            boards[2].append(board)
    labels = ("b", "o", "x")
    codes = np.array([[labels.index(cell) for cell in board] for board in itertools.chain(*boards)], dtype=np.int32)
    positive = np.arange(len(codes)) < len(boards[0])
    return _raw(
        [
            *((Attribute(square, "nominal", labels), codes[:, j]) for j, square in enumerate(SQUARES)),
            (Attribute("Class", "nominal", ("negative", "positive")), positive),
        ]
    )


def balance_scale() -> RawTable:
    """All 625 pairs of weights and distances from 1 to 5; the side with the greater product tips (Siegler 1976)."""
    names = ("left-weight", "left-distance", "right-weight", "right-distance")
    grid = np.array(list(itertools.product(range(1, 6), repeat=4)))
    tip = np.sign(grid[:, 2] * grid[:, 3] - grid[:, 0] * grid[:, 1]) + 1
    return _raw(
        [
            *((Attribute(name, "numeric"), grid[:, j]) for j, name in enumerate(names)),
            (Attribute("class", "nominal", ("L", "B", "R")), tip),
        ]
    )


def _monks_1(a: NDArray[np.int32]) -> NDArray[np.bool_]:
    """a1 = a2 or a5 = 1."""
    return np.asarray((a[:, 0] == a[:, 1]) | (a[:, 4] == 1))


def _monks_2(a: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Exactly two of the six attributes have their first value."""
    return np.asarray((a == 1).sum(axis=1) == 2)


def _monks_3(a: NDArray[np.int32]) -> NDArray[np.bool_]:
    """(a5 = 3 and a4 = 1) or (a5 is not 4 and a2 is not 3)."""
    return np.asarray(((a[:, 4] == 3) & (a[:, 3] == 1)) | ((a[:, 4] != 4) & (a[:, 1] != 3)))


def _monks(concept: Callable[[NDArray[np.int32]], NDArray[np.bool_]]) -> Callable[[], RawTable]:
    """All 432 robots labelled by a concept of Thrun et al. (1991), without noise, as in UCI's ``monks-?.test``."""

    def make() -> RawTable:
        robots = np.array(list(itertools.product(*(range(1, k + 1) for k in MONKS_ARITY))), dtype=np.int32)
        attributes = [
            (Attribute(f"a{j + 1}", "nominal", tuple(map(str, range(1, k + 1)))), robots[:, j] - 1)
            for j, k in enumerate(MONKS_ARITY)
        ]
        return _raw([(Attribute("class", "nominal", ("0", "1")), concept(robots)), *attributes])

    return make


def led24(rows: int, noise: float, seed: int) -> RawTable:
    """Digits on a seven-segment display, each segment inverted with probability ``noise``, and 17 random bits.

    Digits and bits are uniform. Breiman, Friedman, Olshen & Stone (1984), section 2.6.1.
    """
    rng = np.random.default_rng(seed)
    digit = rng.integers(10, size=rows)
    inverted = rng.random((rows, SEGMENTS.shape[1])) < noise
    bits = np.hstack([SEGMENTS[digit] ^ inverted, rng.integers(2, size=(rows, 17))])
    return _raw(
        [
            *((Attribute(f"att{j + 1}", "nominal", ("0", "1")), column) for j, column in enumerate(bits.T)),
            (Attribute("class", "nominal", tuple(map(str, range(10)))), digit),
        ]
    )


def waveform(rows: int, noise_attributes: int, seed: int) -> RawTable:
    """Random mixtures of two of three triangular waves at 21 points, plus attributes that are noise alone.

    x_i = u h_a(i) + (1 - u) h_b(i) + e_i, u uniform, e_i standard normal, i = 1..21, rounded to two decimals as in
    UCI's files. The waves have height 6 and peak at 7, 15 and 11; classes 0, 1, 2 mix (1, 2), (1, 3), (2, 3).
    Breiman, Friedman, Olshen & Stone (1984), section 2.6.2.
    """
    rng = np.random.default_rng(seed)
    waves = np.maximum(6.0 - np.abs(np.arange(1, 22) - np.array([[7], [15], [11]])), 0.0)
    label = rng.integers(3, size=rows)
    u = rng.random((rows, 1))
    values = rng.standard_normal((rows, 21 + noise_attributes))
    values[:, :21] += u * waves[[0, 0, 1]][label] + (1 - u) * waves[[1, 2, 2]][label]
    values = np.round(values, 2) + 0.0  # no negative zeros
    return _raw(
        [
            *((Attribute(f"x{j + 1}", "numeric"), column) for j, column in enumerate(values.T)),
            (Attribute("class", "nominal", ("0", "1", "2")), label),
        ]
    )


def iris_fisher() -> RawTable:
    """Fisher's 150 irises as scikit-learn ships them; UCI's (and Weka's) copy differs in rows 34 and 37, from 0."""
    from sklearn.datasets import load_iris

    values, label = load_iris(return_X_y=True)
    names = ("sepallength", "sepalwidth", "petallength", "petalwidth")
    return _raw(
        [
            *((Attribute(name, "numeric"), values[:, j]) for j, name in enumerate(names)),
            (Attribute("class", "nominal", ("Iris-setosa", "Iris-versicolor", "Iris-virginica")), label),
        ]
    )


def wine() -> RawTable:
    """UCI's 178 wines as scikit-learn ships them; the cultivars are 1, 2, 3 and stand first, as in UCI's file."""
    from sklearn.datasets import load_wine

    values, label = load_wine(return_X_y=True)
    return _raw(
        [
            (Attribute("class", "nominal", ("1", "2", "3")), label),
            *((Attribute(name, "numeric"), values[:, j]) for j, name in enumerate(WINE_ATTRIBUTES)),
        ]
    )


def _raw(columns: Sequence[tuple[Attribute, NDArray[Any]]]) -> RawTable:
    """A table of these columns, each brought to the type its kind asks for."""
    cells: list[Column] = [
        np.ascontiguousarray(column, dtype=np.int32 if attribute.kind == "nominal" else np.float64)
        for attribute, column in columns
    ]
    return RawTable(tuple(attribute for attribute, _ in columns), tuple(cells), len(cells[0]))


_MOST_ROWS = 10_000_000
_SEED = Option(1, 0, 2**63 - 1)

GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {
        "tic-tac-toe": Generator(tic_tac_toe, "Class"),
        "balance-scale": Generator(balance_scale, "class"),
        "monks-1": Generator(_monks(_monks_1), "class"),
        "monks-2": Generator(_monks(_monks_2), "class"),
        "monks-3": Generator(_monks(_monks_3), "class"),
        "led24": Generator(
            led24, "class", {"rows": Option(1000, 1, _MOST_ROWS), "noise": Option(0.1, 0, 1), "seed": _SEED}
        ),
        "waveform-generated": Generator(
            waveform,
            "class",
            {"rows": Option(5000, 1, _MOST_ROWS), "noise_attributes": Option(19, choices=(0, 19)), "seed": _SEED},
        ),
        "iris-fisher": Generator(iris_fisher, "class"),
        "wine": Generator(wine, "class"),
        "loan": Generator(loan, "defaulted"),
        "play-tennis": Generator(play_tennis, "play"),
        "correlated-attributes": Generator(correlated_attributes, "Y"),
    }
)
