"""The scikit-learn transformer."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from lazybayes.data.table import Attribute, Table
from lazybayes.experiment import Preprocess
from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.preprocess import Discretizer
from lazybayes.preprocess.pipeline import fit_preprocess

Y = np.array(["a"] * 6 + ["b"] * 6)


def frame() -> pd.DataFrame:
    v = [1.0, 1.5, 2.0, 1.0, np.nan, 2.0, 5.0, 6.0, 5.5, 7.0, 5.0, 6.5]
    return pd.DataFrame(
        {
            "v": v,
            "colour": pd.Categorical(["red", "green"] * 6, categories=["red", "green", "blue"]),
            "flag": [True, False] * 6,
            "n": pd.array([3, None, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], dtype="Int64"),
            "text": list("abcabcabcabc"),
        },
        index=range(100, 112),
    )


def test_numeric_columns_become_bins_and_others_pass() -> None:
    X = frame()
    before = X.copy()
    result = Discretizer().fit(X, Y).transform(X)
    pd.testing.assert_frame_equal(X, before)
    assert result["v"].cat.categories.tolist() == ["(-inf, 3.5]", "(3.5, inf)"]
    assert not result["v"].cat.ordered
    assert result["v"].cat.codes.tolist() == [0, 0, 0, 0, -1, 0, 1, 1, 1, 1, 1, 1]
    assert result["n"].cat.categories.tolist() == ["(-inf, inf)"]
    assert result["n"].cat.codes.tolist() == [0, -1] + [0] * 10
    pd.testing.assert_frame_equal(result[["colour", "flag"]], X[["colour", "flag"]])
    assert result["text"].cat.categories.tolist() == ["a", "b", "c"]
    assert result["text"].tolist() == X["text"].tolist()
    assert result.index.equals(X.index)


@pytest.mark.parametrize(
    ("method", "bins", "cuts"),
    [("mdl", 10, [3.5]), ("equal-width", 3, [3.0, 5.0]), ("equal-frequency", 2, [5.0])],
)
def test_methods(method: str, bins: int, cuts: list[float]) -> None:
    fitted = Discretizer(method, bins).fit(frame(), Y)
    assert list(fitted.cuts_) == ["v", "n"]
    assert fitted.cuts_["v"] == pytest.approx(cuts)


def test_all_bins_are_declared_even_unseen_ones() -> None:
    X = pd.DataFrame({"v": [0.0, 1.0, 10.0]})
    result = Discretizer("equal-width").fit_transform(X)
    assert len(result["v"].cat.categories) == 10
    assert result["v"].cat.codes.tolist() == [0, 0, 9]


def test_new_rows_are_coded_by_the_fitted_cuts() -> None:
    fitted = Discretizer().fit(frame(), Y)
    new = frame().iloc[:3].assign(v=[-1e9, 3.5, 1e9])
    assert fitted.transform(new)["v"].cat.codes.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "y",
    [
        Y,
        Y.tolist(),
        pd.Series(Y, index=range(12, 0, -1)),
        pd.Categorical(Y, categories=["b", "unseen", "a"]),
        (Y == "b").astype(int),
        pd.Series(Y, dtype="string"),
    ],
)
def test_any_kind_of_classes(y: object) -> None:
    assert Discretizer().fit(frame(), y).cuts_["v"].tolist() == [3.5]  # type: ignore[arg-type]


def test_estimator_contract() -> None:
    model = Discretizer("equal-width", 4)
    assert model.get_params() == {"method": "equal-width", "bins": 4}
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        model.transform(frame())
    fitted = model.fit(frame())
    assert fitted is model
    assert fitted.n_features_in_ == 5
    assert fitted.feature_names_in_.tolist() == list(frame().columns)
    assert fitted.get_feature_names_out().tolist() == list(frame().columns)
    assert not hasattr(clone(fitted), "cuts_")
    again = pickle.loads(pickle.dumps(fitted))
    pd.testing.assert_frame_equal(again.transform(frame()), fitted.transform(frame()))


def test_set_output_keeps_the_frame() -> None:
    plain = Discretizer().fit(frame(), Y).transform(frame())
    for kind in ("pandas", "default"):
        chosen = Discretizer().set_output(transform=kind).fit(frame(), Y).transform(frame())
        pd.testing.assert_frame_equal(chosen, plain)


def test_works_in_a_pipeline() -> None:
    X = frame()[["v", "colour"]].dropna()
    y = Y[frame()["v"].notna()]
    model = make_pipeline(Discretizer(), OrdinalEncoder(), CategoricalNB())
    assert (model.fit(X, y).predict(X) == y).all()
    columns = ColumnTransformer([("bins", Discretizer(), ["v"])], remainder="passthrough")
    result = columns.set_output(transform="pandas").fit_transform(X, y)
    assert result["bins__v"].cat.categories.tolist() == ["(-inf, 3.5]", "(3.5, inf)"]


def test_feeds_a_learner_what_the_runner_feeds_it() -> None:
    X = frame()[["v", "colour"]]
    codes = (Y == "b").astype(np.int32)
    table = Table(
        name="toy",
        attributes=(Attribute("v", "numeric"), Attribute("colour", "nominal", tuple(X["colour"].cat.categories))),
        columns=(X["v"].to_numpy(), X["colour"].cat.codes.to_numpy(dtype=np.int32)),
        target=Attribute("class", "nominal", ("a", "b")),
        y=codes,
        index=np.arange(12),
    )
    rows = fit_preprocess(Preprocess(), table, np.arange(12)).transform(table, np.arange(12))
    expected = NaiveBayes().fit(rows, pd.Categorical(Y)).predict_proba(rows)
    result = make_pipeline(Discretizer(), NaiveBayes()).fit(X, Y).predict_proba(X)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("model", "X", "y", "error", "message"),
    [
        (Discretizer(), frame()["v"].to_numpy(), Y, ValueError, "Reshape your data"),
        (Discretizer(), frame().set_axis(["v", 1, 2, 3, 4], axis=1), Y, TypeError, "string names"),
        (Discretizer(), frame().assign(when=pd.Timestamp("2020-01-01")), Y, ValueError, "'when' has the type datetime"),
        (Discretizer(), frame().set_axis(list("abcda"), axis=1), Y, ValueError, "more than once: a"),
        (Discretizer(), frame().iloc[:0], Y[:0], ValueError, "no rows"),
        (Discretizer(), frame().assign(v=np.inf), Y, ValueError, "column 'v' has an infinite"),
        (Discretizer(), frame(), None, ValueError, "requires y to be passed, but the target y is None"),
        (Discretizer(), frame(), Y[:5], ValueError, "12 rows"),
        (Discretizer(), frame(), np.column_stack([Y, Y]), ValueError, "12 rows"),
        (Discretizer(), frame(), [*Y[:11], None], ValueError, "row 11"),
        (Discretizer(), frame(), [0.0, np.nan, *[1.0] * 10], ValueError, "row 1 "),
        (Discretizer("equal-widht"), frame(), Y, ValueError, r"did you mean equal-width\?"),
        (Discretizer("equal-width", 0), frame(), Y, ValueError, "bins"),
        (Discretizer("equal-width", 2.5), frame(), Y, ValueError, "bins"),  # type: ignore[arg-type]
        (Discretizer("equal-width", True), frame(), Y, ValueError, "bins"),
    ],
)
def test_fit_errors(model: Discretizer, X: pd.DataFrame, y: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        model.fit(X, y)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (frame()["v"].to_numpy(), ValueError, "Reshape your data"),
        (frame().to_numpy()[:, :3], ValueError, "X has 3 features, but Discretizer is expecting 5 features as input"),
        (frame().drop(columns=["v", "flag"]), ValueError, "now missing:\n- flag\n- v"),
        (frame().assign(extra=1), ValueError, "unseen at fit time:\n- extra"),
        (frame()[["colour", "v", "flag", "n", "text"]], ValueError, "must be in the same order"),
        (frame().rename(columns={"v": "w"}), ValueError, "feature names should match"),
        (frame().assign(v="x"), ValueError, "'v' was numeric in fit and is nominal"),
        (frame().assign(text=1.5), ValueError, "'text' was nominal in fit and is numeric"),
        (frame().assign(v=-np.inf), ValueError, "column 'v' has an infinite"),
    ],
)
def test_transform_errors(X: pd.DataFrame, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Discretizer().fit(frame(), Y).transform(X)


def test_preprocessing_alone_does_not_load_scikit_learn() -> None:
    script = "import sys, lazybayes.preprocess.pipeline; sys.exit('sklearn' in sys.modules or 'pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_the_classes_may_be_a_column() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 10.0, 11.0, 12.0] * 5})
    y = pd.Series(["p", "p", "p", "q", "q", "q"] * 5)
    flat = Discretizer(method="mdl").fit_transform(X, y)
    assert len(flat["a"].cat.categories) == 2
    for column in (y.to_frame(), y.to_frame().to_numpy(), y.astype("category").to_frame()):
        pd.testing.assert_frame_equal(Discretizer(method="mdl").fit_transform(X, column), flat)
    with pytest.raises(ValueError, match="y must hold one class for each of the 30 rows of X, but its shape is"):
        Discretizer(method="mdl").fit(X, y[:7])


@pytest.mark.parametrize(
    "cells",
    [
        np.array(["x", "y", None, "y"], dtype=object),
        pd.array(["x", "y", None, "y"], dtype="string"),
        pd.array(["x", "y", None, "y"], dtype="str"),
    ],
)
def test_texts_become_categoricals_of_the_training_rows_values(cells: Any) -> None:
    X = pd.DataFrame({"v": [1.0, 2.0, 3.0, 4.0], "text": cells})
    fitted = Discretizer("equal-width", 2).fit(X)
    assert fitted.categories_["text"].tolist() == ["x", "y"]
    result = fitted.transform(X.assign(text=["y", "z", "x", None]))
    assert result["text"].cat.categories.tolist() == ["x", "y"]
    assert result["text"].cat.codes.tolist() == [1, -1, 0, -1]


def test_arrays_become_frames_of_categoricals() -> None:
    numbers = np.array([[0.0, 5.0], [10.0, np.nan], [4.0, 7.0]])
    fitted = Discretizer("equal-width", 2).fit(numbers)
    result = fitted.transform(numbers)
    assert result.columns.tolist() == fitted.get_feature_names_out().tolist() == ["x0", "x1"]
    assert result["x0"].cat.codes.tolist() == [0, 1, 0]
    assert result["x1"].cat.codes.tolist() == [0, -1, 1]
    words = fitted.fit(np.array([["a", "p"], ["b", "q"]], dtype=object)).transform(np.array([["b", "z"]], dtype=object))
    assert words["x0"].tolist() == ["b"]
    assert words["x1"].isna().all()


def test_a_scaler_before_it_may_lose_the_types() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 10.0, 11.0, 12.0] * 5, "b": [0.0, 1.0] * 15})
    y = ["p", "p", "p", "q", "q", "q"] * 5
    model = make_pipeline(StandardScaler(), Discretizer(), NaiveBayes()).fit(X, y)
    assert model.score(X, y) == 1.0
