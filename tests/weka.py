"""Weka 3.6.14's answers beside the checkout: each fold's rows as Weka saw them, and the probabilities it gave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.data.load import load_table
from lazybayes.data.table import Table
from lazybayes.experiment import DatasetEntry

LBR_SETS = ("iris", "glass", "tic-tac-toe", "balance-scale", "vote", "lymph", "zoo", "breast-cancer", "credit-g")
"""Data sets for which Weka's LBR has answered."""

MODES = ("vote", "breast-cancer", "soybean")
"""Data sets whose missing cells were replaced by the training part's modes."""

DROPPED = {"zoo": ("animal",)}


@dataclass(frozen=True)
class Fold:
    """train, test: positions of rows. proba: (n_test, C), what Weka said of the test rows."""

    rows: Rows
    y: NDArray[np.int32]
    classes: tuple[str, ...]
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    proba: NDArray[np.float64]

    def of(self, positions: NDArray[np.int64]) -> tuple[Rows, pd.Categorical]:
        return self.rows.take(positions), pd.Categorical.from_codes(self.y[positions], list(self.classes))


def folds(shared: Path, name: str, learner: str, only: tuple[int, ...] | None = None) -> Iterator[Fold]:
    """The folds of a data set (`raw-NAME`: nothing discretized or replaced), as nominal codes and numbers."""
    data = name.removeprefix("raw-")
    answers = shared / "weka" / "answers" / name
    table = load_table(
        DatasetEntry.of(data, "path", str(shared / "data/arff" / f"{data}.arff"), drop=DROPPED.get(data, ()))
    )
    said = pd.read_csv(answers / f"{learner}.csv.gz")
    cuts = pd.read_csv(answers / "cuts.csv.gz") if (answers / "cuts.csv.gz").exists() else None
    for fold, part in said.groupby("fold"):
        if only is not None and fold not in only:
            continue
        test = part["index"].to_numpy()
        train = np.setdiff1d(np.arange(table.n_rows), test)
        assert (table.y[test] == part["actual"]).all()
        of_fold = {} if cuts is None else dict(cuts[cuts["fold"] == fold][["name", "cuts"]].values.tolist())
        rows = _rows(table, train, of_fold, data in MODES and name == data)
        proba = part[[f"p{c}" for c in range(table.n_classes)]].to_numpy()
        yield Fold(rows, table.y, table.target.values, train, test, proba)


def assert_same(found: NDArray[Any], predicted: NDArray[Any], fold: Fold) -> None:
    """Probabilities to 1e-9; the predicted class is one of those Weka holds most probable."""
    np.testing.assert_allclose(found, fold.proba, rtol=0, atol=1e-9)
    chosen = fold.proba[np.arange(len(predicted)), predicted]
    np.testing.assert_allclose(chosen, fold.proba.max(axis=1), rtol=0, atol=1e-9)


def _rows(table: Table, train: NDArray[np.int64], cuts: dict[str, Any], replace_missing: bool) -> Rows:
    labels: list[tuple[str, ...] | None] = []
    nominal, numeric = [], []
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        if attribute.kind == "nominal":
            codes = column
            if replace_missing:
                known = codes[train][codes[train] >= 0]
                codes = np.where(codes < 0, np.bincount(known).argmax(), codes)
            labels.append(attribute.values)
            nominal.append(codes)
        elif attribute.name in cuts:
            points = [] if pd.isna(cuts[attribute.name]) else [float(x) for x in str(cuts[attribute.name]).split()]
            codes = np.array([-1 if x != x else sum(cut < x for cut in points) for x in column.tolist()])
            labels.append(tuple(f"bin {i}" for i in range(len(points) + 1)))
            nominal.append(codes)
        else:
            labels.append(None)
            numeric.append(column)
    n = table.n_rows
    return Rows(
        tuple(attribute.name for attribute in table.attributes),
        tuple(labels),
        np.column_stack([np.empty((n, 0)), *nominal]).astype(np.int32),
        np.column_stack([np.empty((n, 0)), *numeric]).astype(np.float64),
    )
