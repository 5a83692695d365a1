"""Small random data sets for properties, and the form in which a learner sees them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from lazybayes.counts.codes import Rows
from lazybayes.counts.estimates import parse_estimate
from lazybayes.counts.tables import ValueIndex
from lazybayes.counts.training import TrainingRows
from tests.references import Data, Spec, Value

SPECS = (
    Spec("m-estimate"),
    Spec("m-estimate", m=0.0),
    Spec("m-estimate", m=3.5, prior="uniform"),
    Spec("m-estimate", m=1.0, prior=0.25),
    Spec("m-estimate", prior=(1 / 3, 0.0, 0.9, 0.125)),
    Spec("laplace"),
    Spec("friedman"),
    Spec("friedman", n0=0.25),
    Spec("dirichlet"),
    Spec("dirichlet", alpha=2.0),
    Spec("frequency"),
)

MAX_CLASSES = 4


def for_classes(spec: Spec, n_classes: int) -> Spec:
    """The same estimate with as many prior numbers as there are classes."""
    prior = spec.prior[:n_classes] if isinstance(spec.prior, tuple) else spec.prior
    return Spec(spec.kind, spec.m, prior, spec.n0, spec.alpha, spec.class_prior)


@st.composite
def data_sets(draw: st.DrawFn, max_rows: int = 12, max_attributes: int = 4) -> Data:
    """From one row on, with missing cells, values and classes without a row, one class, attributes that are copies."""
    n_classes = draw(st.integers(1, MAX_CLASSES))
    arity = tuple(draw(st.lists(st.integers(1, 4), max_size=max_attributes)))
    cell = [st.none() | st.integers(0, k - 1) for k in arity]
    row = st.tuples(st.tuples(*cell), st.integers(0, n_classes - 1))
    drawn = draw(st.lists(row, min_size=1, max_size=max_rows))
    data = Data(arity, n_classes, tuple(cells for cells, _ in drawn), tuple(c for _, c in drawn))
    return copied(data, draw(st.integers(0, len(arity) - 1))) if arity and draw(st.booleans()) else data


def copied(data: Data, j: int) -> Data:
    """The same data with attribute j once more, at the end."""
    rows = tuple((*cells, cells[j]) for cells in data.rows)
    return Data((*data.arity, data.arity[j]), data.n_classes, rows, data.y)


@st.composite
def with_tests(draw: st.DrawFn, max_rows: int = 12) -> tuple[Data, list[tuple[Value, ...]]]:
    """A data set and rows to be classified."""
    data = draw(data_sets(max_rows))
    cell = [st.none() | st.integers(0, k - 1) for k in data.arity]
    return data, draw(st.lists(st.tuples(*cell), min_size=1, max_size=5))


def entangled(random: Random, n_rows: int) -> Data:
    """Data on which LBR grows rules: the class is the exclusive-or of two attributes where a third says so, and else a
    fourth; further attributes are noisy copies; some cells and classes are noise, some cells missing."""
    n_classes = random.choice((2, 2, 3))
    arity = [2, 2, 2, n_classes, *(random.choice((2, 3)) for _ in range(random.randint(0, 2)))]
    noise, missing = random.choice((0.0, 0.05, 0.15)), random.choice((0.0, 0.0, 0.1))
    rows: list[list[Value]] = []
    y = []
    for _ in range(n_rows):
        cells: list[Value] = [random.randrange(k) for k in arity]
        a, b, switch, other = (int(cell or 0) for cell in cells[:4])
        for j in range(4, len(arity)):
            if random.random() < 0.9:
                cells[j] = cells[j - 4]
        c = a ^ b if switch else other
        y.append(random.randrange(n_classes) if random.random() < noise else c)
        rows.append([None if random.random() < missing else cell for cell in cells])
    order = list(range(len(arity)))
    random.shuffle(order)
    shuffled = tuple(tuple(cells[j] for j in order) for cells in rows)
    # one declared value more than there are, now and then
    declared = tuple(arity[j] + (random.random() < 0.2) for j in order)
    data = Data(declared, n_classes + (random.random() < 0.2), shuffled, tuple(y))
    return copied(data, random.randrange(len(arity))) if random.random() < 0.3 else data


# --- as a learner sees them


def codes(rows: Sequence[Sequence[Value]], width: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    table = [[-1 if cell is None else cell for cell in cells] for cells in rows]
    return np.array(table, dtype=np.int32).reshape(len(rows), width)


def as_rows(data: Data, rows: Sequence[Sequence[Value]] | None = None) -> Rows:
    """The data's rows, or others with its attributes."""
    chosen = data.rows if rows is None else rows
    labels = tuple(tuple(f"v{v}" for v in range(k)) for k in data.arity)
    names = tuple(f"a{j}" for j in data.attributes)
    return Rows(names, labels, codes(chosen, len(data.arity)), np.empty((len(chosen), 0)))


def as_classes(data: Data) -> pd.Categorical:
    return pd.Categorical.from_codes(list(data.y), [f"c{c}" for c in range(data.n_classes)])


def training_rows(data: Data, spec: Spec) -> TrainingRows:
    """The data as they stand, with the estimate for their classes."""
    value_index = ValueIndex(np.array(data.arity, dtype=np.int64))
    ids = value_index.ids(codes(data.rows, len(data.arity)))
    estimate = parse_estimate(spec.config()).bind(tuple("abcd"[: data.n_classes]))
    return TrainingRows(value_index, ids, np.array(data.y, dtype=np.int32), data.n_classes, estimate)
