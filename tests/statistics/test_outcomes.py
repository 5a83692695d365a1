"""The statistics' right outcomes of ../shared: zeros in Wilcoxon's test (case 21), ties in Friedman's (case 22)."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from lazybayes.errors import UsageError
from lazybayes.statistics.formulas import friedman, wilcoxon


def right(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "expected.json").read_text(encoding="utf-8")))


def losses(file: Path) -> list[list[float]]:
    with file.open(encoding="utf-8", newline="") as opened:
        _, *rows = csv.reader(opened)
    return [[float(value) for value in row[1:]] for row in rows]


def test_zeros_in_signed_ranks(shared: Path) -> None:
    folder = shared / "cases" / "021-wilcoxon-zeros"
    with (folder / "differences.csv").open(encoding="utf-8", newline="") as opened:
        p = {row["case"]: wilcoxon([float(d) for d in row["differences"].split()]).p for row in csv.DictReader(opened)}
    assert p == {"all-zero": 1.0, "balanced": right(folder)["balanced"], "one": right(folder)["one"]}


def test_ties_in_friedmans_ranks(shared: Path) -> None:
    folder = shared / "cases" / "022-friedman-ties-and-cd"
    found, expected = friedman(losses(folder / "errors.csv")), right(folder)
    assert found.ranks == pytest.approx(expected["ranks"], abs=1e-12)
    assert found.corrected.chi2 == pytest.approx(expected["chi2_ties"], abs=1e-9)
    assert found.demsar.chi2 == pytest.approx(expected["chi2_demsar"], abs=1e-9)
    assert found.cd == pytest.approx(expected["cd"], abs=1e-9)
    for name, size in (("two-algorithms", "2 and 2"), ("one-dataset", "3 and 1")):
        with pytest.raises(UsageError, match=f"at least 3 algorithms and 2 data sets; here are {size}"):
            friedman(losses(folder / f"{name}.csv"))
    equal = friedman(losses(folder / "all-equal.csv"))
    assert (equal.corrected.chi2_p, equal.demsar.chi2_p, equal.outcome) == (1.0, 1.0, "all values tie")
