"""What scikit-learn and a user may expect of every learner: held against all that the registry names."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from lazybayes.learners.base import Learner
from lazybayes.learners.registry import learner_class, make
from lazybayes.preprocess import Discretizer
from tests.learners import contract

every_learner = pytest.mark.parametrize("name", contract.NOMINAL)

N = 90


def new(name: str) -> Learner:
    estimator = make(name, contract.given(name), seed=1)
    assert isinstance(estimator, Learner)
    return estimator


def data() -> tuple[pd.DataFrame, pd.Series]:
    """Nominal attributes with missing cells and a value that no row has; three classes, one of them never seen.

    The class is an exclusive-or of the first two with some noise, so that learners that look for structure find some.
    """
    rng = np.random.default_rng(11)
    a, b, c = (rng.integers(0, k, N) for k in (2, 2, 3))
    y = np.where(rng.random(N) < 0.1, rng.integers(0, 2, N), a ^ b)
    X = pd.DataFrame(
        {
            "colour": pd.Categorical.from_codes(np.where(rng.random(N) < 0.1, -1, a), ["red", "blue", "green"]),
            "size": pd.Categorical.from_codes(b, ["small", "large"]),
            "shape": pd.Categorical.from_codes(np.where(rng.random(N) < 0.1, -1, c), ["01", "1", "round"]),
            "copy": pd.Categorical.from_codes(np.where(rng.random(N) < 0.8, b, 1 - b), ["s", "l"]),
        }
    )
    return X, pd.Series(pd.Categorical.from_codes(2 * y, ["no", "never", "yes"]))


X, Y = data()


@every_learner
def test_parameters_are_kept_as_given(name: str) -> None:
    estimator = new(name)
    params = estimator.get_params()
    again = learner_class(name)(**params)
    assert again.get_params() == params
    assert estimator.set_params(**params) is estimator
    before = {key: (id(value), repr(value)) for key, value in params.items()}
    estimator.fit(X, Y)
    assert {key: (id(value), repr(value)) for key, value in estimator.get_params().items()} == before
    with pytest.raises(ValueError, match="no_such_parameter"):
        estimator.set_params(no_such_parameter=1)


@every_learner
def test_nothing_is_checked_or_learnt_before_fit(name: str) -> None:
    cls = learner_class(name)
    strange = {key: object() for key in cls.parameters}
    estimator = cls(**strange)
    assert {key: value is strange[key] for key, value in estimator.get_params(deep=False).items()} == dict.fromkeys(
        strange, True
    )
    assert not [key for key in vars(estimator) if key.endswith("_")]
    for key in cls.parameters:
        with pytest.raises(ValueError, match=rf"{cls.__name__}: {key}: "):
            new(name).set_params(**{key: strange[key]}).fit(X, Y)


@every_learner
def test_an_unfitted_learner_says_so(name: str) -> None:
    for method in ("predict", "predict_proba", "predict_log_proba", "answer"):
        with pytest.raises(NotFittedError):
            getattr(new(name), method)(X)


@every_learner
def test_a_failed_fit_leaves_it_unfitted(name: str) -> None:
    estimator = new(name)
    for wrong in (X.assign(colour=pd.Timestamp("2020-01-01")), X.iloc[:-1]):
        with pytest.raises(ValueError, match=r"colour|rows"):
            estimator.fit(wrong, Y)
        with pytest.raises(NotFittedError):
            estimator.predict(X)


@every_learner
def test_a_fitted_learner_tells_what_it_was_fitted_on(name: str) -> None:
    estimator = new(name)
    assert estimator.fit(X, Y) is estimator
    assert estimator.classes_.tolist() == ["no", "never", "yes"]
    assert estimator.feature_names_in_.tolist() == list(X)
    assert estimator.n_features_in_ == 4


@every_learner
def test_probabilities_and_classes_agree(name: str) -> None:
    estimator = new(name).fit(X, Y)
    proba, logs = estimator.predict_proba(X), estimator.predict_log_proba(X)
    assert proba.shape == (N, 3)
    assert np.isfinite(proba).all()
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(np.exp(logs), proba, rtol=0, atol=1e-12)
    best = logs.max(axis=1)
    lowest = [next(c for c in range(3) if row[c] >= top - 1e-9) for row, top in zip(logs, best, strict=True)]
    assert estimator.predict(X).tolist() == estimator.classes_[lowest].tolist()
    answer = estimator.answer(X)
    np.testing.assert_array_equal(answer.proba, proba)
    assert answer.predicted.tolist() == lowest
    assert answer.predicted.dtype == np.int32
    assert estimator.score(X, Y) == (estimator.predict(X) == Y.to_numpy()).mean()


@every_learner
def test_copies_and_pickles_answer_alike(name: str) -> None:
    estimator = new(name)
    proba = estimator.fit(X, Y).predict_proba(X)
    cloned = clone(estimator)
    assert cloned.get_params() == estimator.get_params()
    with pytest.raises(NotFittedError):
        cloned.predict(X)
    np.testing.assert_array_equal(cloned.fit(X, Y).predict_proba(X), proba)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(estimator)).predict_proba(X), proba)


@every_learner
def test_fitting_again_forgets_what_was_before(name: str) -> None:
    other = pd.DataFrame({"only": pd.Categorical(list("xyxyxx"))})
    estimator = new(name).fit(other, list("ababab")).fit(X, Y)
    np.testing.assert_array_equal(estimator.predict_proba(X), new(name).fit(X, Y).predict_proba(X))
    estimator.fit(other, list("ababab"))
    np.testing.assert_array_equal(
        estimator.predict_proba(other), new(name).fit(other, list("ababab")).predict_proba(other)
    )


@every_learner
def test_a_row_is_answered_alone_as_among_others(name: str) -> None:
    estimator = new(name).fit(X, Y)
    together = estimator.predict_proba(X)
    np.testing.assert_array_equal(np.vstack([estimator.predict_proba(X.iloc[[i]]) for i in range(N)]), together)
    np.testing.assert_array_equal(estimator.predict_proba(X.iloc[::-1]), together[::-1])
    assert estimator.predict_proba(X.iloc[:0]).shape == (0, 3)
    assert estimator.predict(X.iloc[:0]).shape == (0,)


@every_learner
def test_the_data_are_not_changed(name: str) -> None:
    own, y = X.copy(deep=True), Y.copy(deep=True)
    new(name).fit(own, y).predict_proba(own)
    pd.testing.assert_frame_equal(own, X)
    pd.testing.assert_series_equal(y, Y)


@every_learner
def test_the_index_of_the_rows_does_not_matter(name: str) -> None:
    shuffled = np.random.default_rng(3).permutation(N)
    moved = new(name).fit(X.set_axis(shuffled), Y.set_axis(shuffled[::-1])).predict_proba(X)
    np.testing.assert_array_equal(moved, new(name).fit(X, Y).predict_proba(X))


@every_learner
@pytest.mark.parametrize("order", [lambda labels: labels[::-1], lambda labels: ["new", *sorted(labels)]])
def test_categories_in_another_order_are_the_same_values(name: str, order: Callable[[list[str]], list[str]]) -> None:
    estimator = new(name).fit(X, Y)
    other = X.apply(lambda column: column.cat.set_categories(order(list(column.cat.categories))))
    np.testing.assert_array_equal(estimator.predict_proba(other), estimator.predict_proba(X))


@every_learner
def test_a_value_that_was_not_declared_is_a_missing_one(name: str) -> None:
    estimator = new(name).fit(X, Y)
    strange, missing = X.iloc[:9].copy(), X.iloc[:9].copy()
    strange["size"] = pd.Categorical(["enormous"] * 9)
    missing["size"] = pd.Categorical([None] * 9, X["size"].cat.categories)
    np.testing.assert_array_equal(estimator.predict_proba(strange), estimator.predict_proba(missing))


@every_learner
def test_labels_of_any_kind(name: str) -> None:
    proba = new(name).fit(X, Y).predict_proba(X)[:, [0, 2]]
    as_text, as_numbers = Y.astype(str), (Y == "yes").astype(int) * 7
    for labels in (as_text, as_text.tolist(), as_numbers.to_numpy(), Y == "yes"):
        estimator = new(name).fit(X, labels)
        assert len(estimator.classes_) == 2
        assert set(estimator.predict(X)) <= set(np.unique(labels))
        declared = new(name).fit(X, Y.cat.remove_unused_categories()).predict_proba(X)
        np.testing.assert_array_equal(estimator.predict_proba(X), declared)
    assert proba.shape == (N, 2)


@every_learner
def test_one_row_and_one_class(name: str) -> None:
    estimator = new(name).fit(X.iloc[:1], ["only"])
    assert estimator.predict_proba(X).tolist() == [[1.0]] * N
    assert new(name).fit(X, ["only"] * N).predict(X).tolist() == ["only"] * N
    assert new(name).fit(X.iloc[:1], Y.iloc[:1]).predict_proba(X).shape == (N, 3)


@every_learner
def test_no_cell_is_known(name: str) -> None:
    empty = X.apply(lambda column: pd.Series(pd.Categorical([None] * N, column.cat.categories)))
    proba = new(name).fit(empty, Y).predict_proba(empty)
    assert np.isfinite(proba).all()
    assert (proba == proba[0]).all()
    assert np.isfinite(new(name).fit(empty, Y).predict_proba(X)).all()
    assert np.isfinite(new(name).fit(X, Y).predict_proba(empty)).all()


# --- wrong input


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@every_learner
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda X: X[["size", "colour", "shape", "copy"]],
            "Feature names must be in the same order as they were in fit",
        ),
        (lambda X: X.drop(columns="shape"), "Feature names seen at fit time, yet now missing:\n- shape"),
        (lambda X: X.assign(extra=X["size"]), "Feature names unseen at fit time:\n- extra"),
        (lambda X: X.rename(columns={"size": "Size"}), "Feature names unseen at fit time:\n- Size"),
        (lambda X: X.to_numpy()[:, :3], "X has 3 features, but .* is expecting 4 features as input"),
        (lambda X: X.assign(size=1.0), "'size' is numeric"),
        (lambda X: X.assign(size=pd.Timestamp("2020-01-01")), "'size' has the type datetime"),
    ],
)
def test_other_columns_than_the_fitted_are_refused(name: str, change: Any, words: str) -> None:
    estimator = new(name).fit(X, Y)
    for method in ("predict", "predict_proba", "answer"):
        with pytest.raises(ValueError, match=words):
            getattr(estimator, method)(change(X))


@every_learner
def test_numbers_are_refused_in_one_sentence_unless_they_are_taken(name: str) -> None:
    codes = X.apply(lambda column: column.cat.codes)
    learner = new(name)
    if "numeric" in learner.accepts_with(learner.get_params()):
        assert learner.fit(codes.to_numpy(), Y).labels_ == (None,) * 4
        return
    with pytest.raises(
        ValueError, match=r"nominal attributes only and 'colour' is numeric: put lazybayes.Discretizer"
    ) as of:
        learner.fit(codes, Y)
    assert "set_output" not in str(of.value)  # nothing was lost
    with pytest.raises(
        ValueError, match=r"'x0' is numeric: put lazybayes.Discretizer .* set_output\(transform=\"pandas\"\)"
    ):
        learner.fit(codes.to_numpy(), Y)
    assert "\n" not in str(of.value)
    assert ". " not in str(of.value)


def as_text(frame: pd.DataFrame) -> pd.DataFrame:
    """The same cells as texts."""
    return frame.astype(object).where(frame.notna(), None)


@every_learner
@pytest.mark.parametrize("type_name", ["object", "str", "string", "array", "arrow"])
def test_texts_are_the_categoricals_of_their_values(name: str, type_name: str) -> None:
    if type_name == "arrow":
        arrow = pytest.importorskip("pyarrow")
    known = X.apply(
        lambda column: column.cat.remove_unused_categories().cat.reorder_categories(
            sorted(column.cat.remove_unused_categories().cat.categories)
        )
    )
    of_type = {
        "object": lambda frame: frame,
        "str": lambda frame: frame.astype("str"),
        "string": lambda frame: frame.astype("string"),
        "array": lambda frame: frame.to_numpy(),
        "arrow": lambda frame: frame.astype(pd.ArrowDtype(arrow.string())),
    }[type_name]
    texts = of_type(as_text(X))
    estimator = new(name).fit(texts, Y)
    proba = new(name).fit(known, Y).predict_proba(known)
    np.testing.assert_array_equal(estimator.predict_proba(texts), proba)
    strange = as_text(X)
    strange["size"] = "enormous"
    missing = as_text(X)
    missing["size"] = None
    np.testing.assert_array_equal(
        estimator.predict_proba(of_type(strange)),
        estimator.predict_proba(of_type(missing) if type_name != "str" else missing),
    )


@every_learner
def test_what_is_not_a_table_is_refused_in_scikit_learns_words(name: str) -> None:
    with pytest.raises(ValueError, match="Expected a 2-dimensional container"):
        new(name).fit(X["size"], Y)
    with pytest.raises(ValueError, match="Reshape your data"):
        new(name).fit(X, Y).predict(np.array(["red", "small"]))
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        new(name).fit(X, None)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        new(name).fit(X, np.linspace(0, 1, N))


@every_learner
def test_the_error_of_a_date_is_readable_in_a_cross_validation(name: str) -> None:
    dated = X.assign(when=pd.Timestamp("2020-01-01"))
    with pytest.raises(ValueError, match="ValueError: column 'when' has the type datetime") as caught:
        cross_val_score(new(name), dated, Y.astype(str), cv=3)
    assert "replace it by numbers (for a date, its days since a first one)" in str(caught.value)


@every_learner
def test_the_order_alone_names_the_attributes_of_an_array(name: str) -> None:
    frame, array = as_text(X), as_text(X).to_numpy()
    by_name, by_place = new(name).fit(frame, Y), new(name).fit(array, Y)
    assert by_place.names_ == ("x0", "x1", "x2", "x3")
    assert not hasattr(by_place, "feature_names_in_")
    with pytest.warns(UserWarning, match="X does not have valid feature names, but"):
        np.testing.assert_array_equal(by_name.predict_proba(array), by_name.predict_proba(frame))
    with pytest.warns(UserWarning, match="X has feature names, but .* was fitted without feature names"):
        np.testing.assert_array_equal(by_place.predict_proba(frame), by_name.predict_proba(frame))
    numbered = new(name).fit(frame.set_axis(range(4), axis=1), Y)
    with pytest.raises(ValueError, match="fitted on"):
        numbered.predict(frame.set_axis([1, 0, 2, 3], axis=1))


@every_learner
def test_classes_that_do_not_fit_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{N} rows and y 3"):
        new(name).fit(X, Y.iloc[:3])
    with pytest.raises(ValueError, match="missing class"):
        new(name).fit(X, Y.where(np.arange(N) != 5))
    with pytest.raises(ValueError, match="empty"):
        new(name).fit(X.iloc[:0], Y.iloc[:0])


# --- among scikit-learn's own


def numbers() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, N)
    frame = pd.DataFrame(
        {"length": rng.normal(size=N) + 2 * y, "width": rng.normal(size=N), "noise": rng.normal(size=N)}
    )
    frame.loc[3, "width"] = np.nan
    return frame.assign(colour=X["colour"]), np.array(["low", "high"])[y]


@every_learner
def test_it_runs_in_a_pipeline_after_the_discretizer(name: str) -> None:
    frame, y = numbers()
    pipeline = make_pipeline(Discretizer(), new(name)).fit(frame, y)
    assert pipeline.classes_.tolist() == ["high", "low"]
    discretized = Discretizer().fit(frame, y).transform(frame)
    alone = new(name).fit(discretized, y)
    np.testing.assert_array_equal(pipeline.predict_proba(frame), alone.predict_proba(discretized))
    baseline = get_tags(pipeline[-1]).classifier_tags.poor_score
    assert pipeline.score(frame, y) > (0.4 if baseline else 0.6)
    np.testing.assert_array_equal(clone(pipeline).fit(frame, y).predict(frame), pipeline.predict(frame))


@every_learner
def test_it_is_cross_validated(name: str) -> None:
    frame, y = numbers()
    pipeline = make_pipeline(Discretizer("equal-width", 4), new(name))
    for labels in (y, pd.Series(pd.Categorical(y, ["none", "low", "high"]))):
        scores = cross_val_score(pipeline, frame, labels, cv=3, error_score="raise")
        assert scores.shape == (3,)
        assert scores.mean() > 0.5
    seen = Y.cat.remove_unused_categories()  # a scorer of probabilities refuses classes that the test part lacks
    scores = cross_val_score(new(name), X, seen, cv=3, scoring="roc_auc", error_score="raise")
    assert ((scores >= 0) & (scores <= 1)).all()


@every_learner
def test_its_text_can_be_evaluated_back(name: str) -> None:
    estimator = new(name)
    assert re.match(rf"{type(estimator).__name__}\(", repr(estimator))
