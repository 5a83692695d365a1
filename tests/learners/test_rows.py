"""DataFrames of categoricals as rows: declared values and classes travel, what does not fit is refused in words."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import DataConversionWarning

from lazybayes.learners.rows import align, as_classes, as_frame, as_rows


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "colour": pd.Categorical(["red", None, "blue"], ["blue", "green", "red"]),
            "length": [1.5, np.nan, -2.0],
            "shape": pd.Categorical(["round", "round", None]),
            "count": pd.array([1, None, 3], dtype="Int64"),
        },
        index=[7, 3, 5],
    )


def test_categories_are_the_declared_values_and_numbers_stay_numbers() -> None:
    rows = as_rows(frame())
    assert rows.names == ("colour", "length", "shape", "count")
    assert rows.labels == (("blue", "green", "red"), None, ("round",), None)
    assert rows.nominal.tolist() == [[2, 0], [-1, 0], [0, -1]]
    assert rows.nominal.dtype == np.int32
    np.testing.assert_array_equal(rows.numeric, [[1.5, 1], [np.nan, np.nan], [-2, 3]])
    assert as_rows(rows) is rows


def test_frames_without_columns_keep_their_rows() -> None:
    rows = as_rows(pd.DataFrame(index=range(4)))
    assert (len(rows), rows.names) == (4, ())


@pytest.mark.parametrize(
    ("cells", "codes"), [([True, False, True], [1, 0, 1]), (pd.array([True, None, False], dtype="boolean"), [1, -1, 0])]
)
def test_a_boolean_column_is_nominal(cells: Any, codes: list[int]) -> None:
    rows = as_rows(pd.DataFrame({"a": cells}))
    assert rows.labels == ((False, True),)
    assert rows.nominal[:, 0].tolist() == codes


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), ["'a'", "datetime", "days since", "month or weekday", "drop"]),
        (pd.to_timedelta(["1 day", "2 days"]), ["'a'", "timedelta", "numbers"]),
        (pd.period_range("2020-01", periods=2, freq="M"), ["'a'", "period", "numbers"]),
        (pd.Series([datetime.date(2020, 1, 1), None], dtype=object), ["'a'", "date", "days since"]),
        (pd.Series([["x"], ["y"]], dtype=object), ["'a'", "list"]),
        ([1 + 2j, 3j], ["'a'", "complex"]),
        ([1.0, np.inf], ["'a'", "infinite", "finite"]),
    ],
)
def test_other_columns_are_refused_by_name(cells: Any, words: list[str]) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the words are checked below
        as_rows(pd.DataFrame({"a": cells}))
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("cells", "labels", "codes"),
    [
        (["y", "x", "y"], ("x", "y"), [1, 0, 1]),
        (pd.Series(["y", None, "x"], dtype=object), ("x", "y"), [1, -1, 0]),
        (pd.Series(["y", np.nan, "x"], dtype=object), ("x", "y"), [1, -1, 0]),
        (pd.array(["y", pd.NA, "x"], dtype="string"), ("x", "y"), [1, -1, 0]),
        (pd.Series([3, 1, None], dtype=object), (1, 3), [1, 0, -1]),
        (pd.Series(["b", 1, "b"], dtype=object), (1, "b"), [1, 0, 1]),
        (pd.Series([None, None], dtype=object), (), [-1, -1]),
    ],
)
def test_texts_and_objects_are_nominal_with_the_values_that_stand_there(
    cells: Any, labels: tuple[Any, ...], codes: list[int]
) -> None:
    rows = as_rows(pd.DataFrame({"a": cells}))
    assert rows.labels == (labels,)
    assert rows.nominal[:, 0].tolist() == codes


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_arrow_texts_are_nominal(kind: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    column = pd.array(["y", None, "x"], dtype=pd.ArrowDtype(getattr(arrow, kind)()))
    rows = as_rows(pd.DataFrame({"a": column}))
    assert rows.labels == (("x", "y"),)
    assert rows.nominal[:, 0].tolist() == [1, -1, 0]


@pytest.mark.parametrize(
    ("X", "labels"),
    [
        (np.array([[1.5, np.nan], [2.0, 4.0]]), (None, None)),
        ([[1, 2], [3, 4]], (None, None)),
        (np.array([["b", "p"], ["a", "q"]]), (("a", "b"), ("p", "q"))),
        (np.array([["b", None], ["a", "q"]], dtype=object), (("a", "b"), ("q",))),
        ([["b", 1.5], ["a", np.nan]], (("a", "b"), (1.5,))),
        (np.array([[True, False], [True, True]]), ((False, True), (False, True))),
    ],
)
def test_arrays_of_numbers_are_numeric_and_all_others_nominal(X: Any, labels: tuple[Any, ...]) -> None:
    rows = as_rows(X)
    assert rows.names == ("x0", "x1")
    assert rows.labels == labels
    assert len(rows) == 2


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ({"a": [1]}, "Expected 2D array"),
        (pd.Series([1]), "Expected a 2-dimensional container but got"),
        (None, "Expected 2D array"),
        ([1, 2], "Reshape your data"),
        (["a", "b"], "Reshape your data"),
        (np.array([[1 + 2j]]), "Complex data not supported"),
        (np.zeros((3, 0)), r"0 feature\(s\)"),
        (np.array([["2020-01-01"]], dtype="datetime64[s]"), "'x0' has the type datetime64"),
        (np.array([[np.inf]]), "'x0' has an infinite number"),
    ],
)
def test_other_inputs_are_refused(X: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        as_rows(X)


def test_align_translates_to_the_fitted_codes() -> None:
    fitted = as_rows(frame())
    other = frame()
    other["colour"] = pd.Categorical(["red", "violet", "blue"], ["violet", "red", "blue"])
    given = as_rows(other)
    aligned = align(given, fitted.names, fitted.labels)
    assert aligned.labels == fitted.labels
    assert aligned.nominal.tolist() == [[2, 0], [-1, 0], [0, -1]]  # violet was not declared: missing
    np.testing.assert_array_equal(aligned.numeric, fitted.numeric)
    assert given.nominal.tolist() == [[1, 0], [0, 0], [2, -1]]  # not changed in place


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda X: X[["length", "colour", "shape", "count"]],
            ["'length', 'colour'", "fitted on", "'colour', 'length'"],
        ),
        (lambda X: X.drop(columns="shape"), ["'colour', 'length', 'count'", "fitted on"]),
        (lambda X: X.assign(extra=1.0), ["'extra'", "fitted on"]),
        (lambda X: X.assign(length=X["shape"]), ["'length'", "nominal", "numeric"]),
        (lambda X: X.assign(shape=1.0), ["'shape'", "numeric", "nominal"]),
    ],
)
def test_other_columns_than_the_fitted_are_refused(change: Any, words: list[str]) -> None:
    fitted = as_rows(frame())
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the words are checked below
        align(as_rows(change(frame())), fitted.names, fitted.labels)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (pd.Categorical(["b", "a", "b"], ["b", "c", "a"]), ["b", "c", "a"], [0, 2, 0]),
        (pd.Series(pd.Categorical(["b", "a"], ["b", "c", "a"]), index=[9, 4]), ["b", "c", "a"], [0, 2]),
        (["y", "x", "y"], ["x", "y"], [1, 0, 1]),
        (np.array([30, 7, 30]), [7, 30], [1, 0, 1]),
        (pd.Series([True, False]), [False, True], [1, 0]),
        (["01", "1", "NO"], ["01", "1", "NO"], [0, 1, 2]),
    ],
)
def test_classes_are_declared_or_seen(y: Any, classes: list[Any], codes: list[int]) -> None:
    found, of = as_classes(y)
    assert of.tolist() == classes
    assert found.tolist() == codes
    assert found.dtype == np.int32


@pytest.mark.parametrize(
    ("y", "word"),
    [
        (pd.Categorical(["a", None]), "missing class"),
        (["a", None], "missing class"),
        ([1.0, np.nan], "missing class"),
        ([], "empty"),
        (pd.Categorical([], ["a", "b"]), "empty"),
    ],
)
def test_missing_classes_are_refused(y: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        as_classes(y)


def test_as_frame_gives_back_what_as_rows_took() -> None:
    X = frame().reset_index(drop=True)
    back = as_frame(as_rows(X))
    assert back.columns.tolist() == X.columns.tolist()
    for name in ("colour", "shape"):
        assert back[name].cat.categories.tolist() == X[name].cat.categories.tolist()
        assert back[name].cat.codes.tolist() == X[name].cat.codes.tolist()
    np.testing.assert_array_equal(back[["length", "count"]], X[["length", "count"]].astype(float))


def test_labels_that_look_like_numbers_stay_text() -> None:
    X = pd.DataFrame({"code": pd.Categorical(["01", "1"], pd.Index(["01", "1", "1e3"], dtype=object))})
    assert as_frame(as_rows(X))["code"].cat.categories.tolist() == ["01", "1", "1e3"]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([0.1, 0.25], "Unknown label type: continuous"),
        ([["p", "q"], ["q", "p"]], r"y should be a 1d array, got an array of shape \(2, 2\)"),
        ([1.0, np.inf], "Input y contains infinity"),
        (5, r"shape \(\)"),
        (np.array(["p", 1], dtype=object), "mixes types"),
        (["p", None], "missing class"),
        ([1.0, np.nan], "missing class"),
        ([], "at least one row"),
    ],
)
def test_what_is_no_column_of_classes_is_refused(y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        as_classes(y)


@pytest.mark.parametrize(
    ("y", "codes", "classes"),
    [
        ([2.0, 1.0], [1, 0], [1.0, 2.0]),
        (np.array([4, 3], dtype=object), [1, 0], [3, 4]),
        (pd.array([7, 5], dtype="Int64"), [1, 0], [5, 7]),
    ],
)
def test_a_column_of_classes_may_have_any_type(y: Any, codes: list[int], classes: list[Any]) -> None:
    found, labels = as_classes(y)
    assert found.tolist() == codes
    assert labels.tolist() == classes
    assert [type(label) for label in labels.tolist()] == [type(label) for label in classes]


@pytest.mark.parametrize(
    ("y", "codes", "classes"),
    [
        (np.array([["q"], ["p"]]), [1, 0], ["p", "q"]),
        (pd.DataFrame({"class": ["q", "p"]}), [1, 0], ["p", "q"]),
        (pd.DataFrame({"y": pd.Categorical(["p", "q"], ["z", "p", "q"])}), [1, 2], ["z", "p", "q"]),
    ],
)
def test_a_column_vector_of_classes_is_taken_with_a_warning(y: Any, codes: list[int], classes: list[str]) -> None:
    with pytest.warns(DataConversionWarning, match="column-vector y was passed when a 1d array was expected"):
        found, labels = as_classes(y)
    assert found.tolist() == codes
    assert labels.tolist() == classes
