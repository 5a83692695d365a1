"""The tables of a lazy learner's rules and of small disjuncts."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from lazybayes.errors import UsageError
from lazybayes.report.analysis import disjuncts, rules
from lazybayes.statistics.disjuncts import Disjuncts

RULES = {
    "x": ([1.0, 2.0], [0.0, 0.5], [4, 6]),
    "y": ([0.0, 0.0], [1.0, 1.0], [1, 1]),
    "z": ([1.0, None], [0, 0], [9, 9]),
}


def frame() -> pd.DataFrame:
    rows = []
    for dataset, told in RULES.items():
        for fold, (conditions, plain, distinct) in enumerate(zip(*told, strict=True)):
            for algorithm in ("NB", "LBR"):
                lbr, done = algorithm == "LBR", algorithm == "NB" or conditions is not None
                row = {"dataset": dataset, "algorithm": algorithm, "repeat": 0, "fold": fold}
                row |= {"n_train": 9, "n_test": 1, "errors": 0, "status": "done" if done else "failed"}
                given = {"conditions": conditions, "plain_nb_share": plain, "distinct_rules": distinct}
                rows.append(row | {key: value if lbr and done else math.nan for key, value in given.items()})
    return pd.DataFrame(rows)


def test_the_rules_of_a_lazy_learner() -> None:
    (report,) = rules(frame(), "exp")
    assert report.title == "exp: the rules of LBR"
    assert [(row.label, *(cell.value for cell in row.entries)) for row in report.rows] == [
        ("x", "1.500", "25.0 %", "5.0"),
        ("y", "0.000", "100.0 %", "1.0"),
        ("average", "0.750", "62.5 %", "3.0"),
    ]
    assert report.notes == (
        "no rule has a condition (plain naive Bayes throughout) on 1 of 2 data sets: y",
        "excluded because not all trials are done: z",
    )


def test_a_run_without_rules_is_told() -> None:
    with pytest.raises(UsageError, match="no algorithm of this run grows rules"):
        rules(frame().drop(columns="conditions"), "exp")


def test_errors_by_the_size_of_the_leaf() -> None:
    errors = {"C4.5": np.array([3, 1]), "LBR": np.array([1, 0])}
    found = Disjuncts("C4.5", (5.0,), np.array([10, 30]), np.array([1, 2]), errors, 2)
    report = disjuncts(found, "exp")
    assert report.header[1:] == ("data sets", "test rows", "share", "C4.5", "LBR")
    assert [(row.label, *(cell.value for cell in row.entries)) for row in report.rows] == [
        ("at most 5", "1", "10", "25.0 %", "30.00", "10.00"),
        ("over 5", "2", "30", "75.0 %", "3.33", "0.00"),
        ("all", "", "40", "100.0 %", "10.00", "2.50"),
    ]
    assert report.notes[-1] == "excluded because the leaf size is unknown: 2 test rows"
    assert report.name == "small-disjuncts-c4-5"


def test_a_group_without_rows_has_no_error() -> None:
    none = Disjuncts("T", (5.0,), np.zeros(2, int), np.zeros(2, int), {"T": np.zeros(2, int)}, 0)
    assert {cell.value for row in disjuncts(none, "exp").rows for cell in row.entries} <= {"-", "0", "0.0 %", ""}
