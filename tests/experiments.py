"""Fixtures of the tests of runs and their results: small data, toy classifiers, experiments over them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lazybayes.data.table import Attribute, Table
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme

TOYS = Path(__file__).resolve().parent / "evaluate"
BARE = Preprocess(discretize="none")


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets configs name `toy_learners`; workers get this process's sys.path."""
    monkeypatch.syspath_prepend(str(TOYS))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """23 rows of two nominal attributes (one cell missing) and two classes."""
    path = tmp_path / "small.csv"
    rng = np.random.default_rng(5)
    cells = zip(rng.choice(list("xyz"), 23), rng.choice(list("st"), 23), ("np" * 12)[:23], strict=True)
    rows = [",".join(row) for row in cells]
    rows[3] = ",s,n"
    path.write_text("a,b,class\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def entry(data: Path) -> DatasetEntry:
    return DatasetEntry.of("small", "path", str(data), target="class")


@pytest.fixture
def experiment(entry: DatasetEntry) -> Callable[..., Experiment]:
    """An experiment over the small data: 3 folds, naive Bayes and a toy; keywords replace its fields."""

    def make(**fields: Any) -> Experiment:
        algorithms = (Algorithm("NB", "naive-bayes", {}, BARE), Algorithm("TOY", "toy_learners.Frequencies", {}, BARE))
        usual = {"name": "exp", "datasets": (entry,), "algorithms": algorithms, "cv": Scheme(folds=3)}
        return Experiment(**{**usual, **fields})

    return make


@pytest.fixture
def table() -> Callable[..., Table]:
    """A table without attributes from its class codes."""

    def make(y: list[int], n_classes: int = 2, name: str = "d", index: list[int] | None = None) -> Table:
        target = Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes)))
        rows = np.arange(len(y)) if index is None else np.array(index)
        return Table(name, (), (), target, np.array(y, dtype=np.int32), rows.astype(np.int64))

    return make
