"""What each algorithm was given, in one line of what the data have."""

from __future__ import annotations

import pandas as pd

from lazybayes.experiment import Algorithm, Experiment, Preprocess, TableSpec
from lazybayes.report.notes import on_data
from lazybayes.report.preparation import preparation
from lazybayes.results.records import Survey

WIDTH = Preprocess("mode-mean", "equal-width", 5, "all-rows")
RAW = Preprocess("mode-mean", "none")
NB, LBR = Algorithm("NB", "naive-bayes"), Algorithm("LBR", "lbr")
SVC = Algorithm("SVC", "sklearn.svm.SVC", {}, RAW, "one-hot")
FULL = Survey("d", "", "", 10, 2, 2, n_numeric=1, n_nominal=1, missing_cells=3, folds=(), largest_class=7)
NOMINAL = Survey("e", "", "", 10, 2, 2, n_numeric=0, n_nominal=2, missing_cells=0, folds=(), largest_class=5)


def test_algorithms_that_are_given_the_same_stand_together() -> None:
    assert preparation([NB, SVC, LBR], [FULL, NOMINAL]) == [
        "preprocessing: NB, LBR: numbers in MDL bins, missing cells kept; SVC: numbers as they are, "
        "nominal attributes one-hot, missing cells replaced by mode or mean"
    ]
    assert preparation([NB, LBR], [FULL]) == ["preprocessing: numbers in MDL bins, missing cells kept"]
    assert preparation([Algorithm("NB", "naive-bayes", {}, WIDTH)], [FULL]) == [
        "preprocessing: numbers in 5 equal-width bins, missing cells replaced by mode or mean, fitted on all rows"
    ]


def test_what_the_data_do_not_have_is_left_out() -> None:
    assert preparation([NB, LBR], [NOMINAL]) == []
    assert preparation([NB, SVC], [NOMINAL]) == ["preprocessing: SVC: nominal attributes one-hot"]


def test_an_algorithm_worse_than_the_most_frequent_class_is_named() -> None:
    rows = [
        ("d", "NB", 3, 5), ("d", "NB", 1, 5), ("d", "LBR", 1, 5), ("d", "LBR", 2, 5),
        ("e", "NB", 2, 5), ("e", "NB", 3, 5), ("e", "LBR", 3, 5), ("e", "LBR", 3, 5),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "errors", "n_test"])
    experiment = Experiment("x", (), (NB, LBR))
    spec, surveys = TableSpec("error"), {"d": FULL, "e": NOMINAL}
    assert on_data(frame, spec, experiment, surveys)[1:] == [
        "errs more often than always predicting the most frequent class (both errors in brackets): "
        "NB on d (40.00, 30.00 %); LBR on e (60.00, 50.00 %)"
    ]
    assert len(on_data(frame, TableSpec("auc"), experiment, surveys)) == 1
