"""Any classifier by the dotted path of its class: one column a declared class, nominal cells in the form asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lazybayes.counts.codes import Rows
from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.learners.registry import accepts, check, make, resolve, version
from lazybayes.learners.rows import as_rows

RNG = np.random.default_rng(8)
N = 60
FULL = Rows(
    names=("colour", "length", "shape"),
    labels=(("red", "green", "blue"), None, ("01", "1")),
    nominal=np.column_stack([RNG.integers(0, 3, N), RNG.integers(0, 2, N)]).astype(np.int32),
    numeric=RNG.normal(size=(N, 1)),
)
NOMINAL = Rows(("colour", "shape"), (FULL.labels[0], FULL.labels[2]), FULL.nominal, np.empty((N, 0)))
NOISE = RNG.integers(0, 3, N)
Y = pd.Categorical.from_codes(np.where(RNG.random(N) < 0.8, FULL.nominal[:, 0], NOISE), ["n", "p", "q", "absent"])

FOREST = "sklearn.ensemble.RandomForestClassifier"
CATEGORICAL_NB = "sklearn.naive_bayes.CategoricalNB"


def test_categorical_nb_on_codes_is_naive_bayes_by_laplace() -> None:
    """Two programs, one formula: (n + 1)/(N + k), with the classes' frequencies as their prior."""
    y = Y.remove_categories(["absent"])
    theirs = make(CATEGORICAL_NB, {}, input="ordinal").fit(NOMINAL, y).answer(NOMINAL)
    ours = NaiveBayes("laplace", "frequency").fit(NOMINAL, y).answer(NOMINAL)
    np.testing.assert_allclose(theirs.proba, ours.proba, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(theirs.predicted, ours.predicted)


@pytest.mark.parametrize("input", ["one-hot", "ordinal"])
@pytest.mark.parametrize(
    ("path", "params"),
    [
        (CATEGORICAL_NB, {}),
        (FOREST, {"n_estimators": 5}),
        ("sklearn.linear_model.LogisticRegression", {}),
        ("sklearn.tree.DecisionTreeClassifier", {}),
        ("sklearn.svm.LinearSVC", {}),  # no predict_proba
        ("sklearn.linear_model.RidgeClassifier", {}),
    ],
)
def test_a_column_a_declared_class(path: str, params: dict[str, Any], input: str) -> None:
    answer = make(path, params, input=input, seed=1).fit(NOMINAL, Y).answer(NOMINAL)
    assert answer.proba.shape == (N, 4)
    assert (answer.proba[:, 3] == 0).all()  # never seen
    np.testing.assert_allclose(answer.proba.sum(axis=1), 1.0)
    assert answer.predicted.dtype == np.int32
    assert (answer.predicted == Y.codes).mean() > 0.5  # the codes are right: chance is a third
    assert answer.proba[np.arange(N), answer.predicted] == pytest.approx(answer.proba.max(axis=1))


def test_a_class_absent_from_training_in_the_middle_of_the_declared_ones() -> None:
    y = Y.set_categories(["n", "absent", "p", "q"])
    moved = make(CATEGORICAL_NB, {}, input="ordinal").fit(NOMINAL, y).answer(NOMINAL)
    plain = make(CATEGORICAL_NB, {}, input="ordinal").fit(NOMINAL, Y).answer(NOMINAL)
    np.testing.assert_array_equal(moved.proba[:, [0, 2, 3, 1]], plain.proba)
    np.testing.assert_array_equal(moved.predicted, np.array([0, 2, 3])[plain.predicted])


def test_without_probabilities_the_predicted_class_has_one() -> None:
    answer = make("sklearn.svm.LinearSVC", {}, seed=0).fit(NOMINAL, Y).answer(NOMINAL)
    assert set(np.unique(answer.proba)) == {0.0, 1.0}
    np.testing.assert_array_equal(answer.proba.argmax(axis=1), answer.predicted)


@pytest.mark.parametrize("path", ["sklearn.svm.LinearSVC", "sklearn.linear_model.RidgeClassifier"])
@pytest.mark.parametrize("classes", [2, 3])
def test_without_probabilities_the_decision_function_ranks(path: str, classes: int) -> None:
    y = pd.Categorical.from_codes(Y.codes % classes, [*"npq"[:classes], "other"])
    model = make(path, {}, seed=0).fit(NOMINAL, y)
    answer = model.answer(NOMINAL)
    assert answer.only_decides
    assert answer.scores is not None
    assert np.isneginf(answer.scores[:, classes]).all()
    np.testing.assert_array_equal(answer.scores.argmax(axis=1), answer.predicted)
    theirs = model.estimator.decision_function(_one_hot(NOMINAL))
    np.testing.assert_array_equal(answer.scores[:, 1], theirs if classes == 2 else theirs[:, 1])


def _one_hot(rows: Rows) -> Any:
    return np.hstack([np.eye(len(rows.labels[j] or ()))[rows.nominal[:, j]] for j in range(rows.nominal.shape[1])])


@pytest.mark.parametrize(
    ("path", "params"), [("sklearn.svm.SVC", {"decision_function_shape": "ovo"}), (f"{__name__}.Spy", {})]
)
def test_no_scores_where_there_are_none_per_class(path: str, params: dict[str, Any]) -> None:
    answer = make(path, params).fit(NOMINAL, Y).answer(NOMINAL)
    assert (answer.scores, answer.only_decides) == (None, True)


def test_a_tie_goes_to_the_lowest_class() -> None:
    y = pd.Categorical.from_codes([2, 1] * 30, ["n", "p", "q"])
    answer = make("sklearn.dummy.DummyClassifier", {"strategy": "prior"}).fit(NOMINAL, y).answer(NOMINAL)
    np.testing.assert_allclose(answer.proba[0], [0, 0.5, 0.5])
    assert set(answer.predicted.tolist()) == {1}


def test_a_seed_makes_a_random_learner_repeatable() -> None:
    def proba(seed: int | None, **params: Any) -> Any:
        forest = make(FOREST, {"n_estimators": 3, **params}, seed=seed)
        return forest.fit(FULL, Y).answer(FULL).proba

    np.testing.assert_array_equal(proba(7), proba(7))
    assert (proba(7) != proba(8)).any()
    np.testing.assert_array_equal(proba(7, random_state=3), proba(8, random_state=3))  # given: left alone
    assert proba(2**40 + 5).shape == (N, 4)  # a seed wider than scikit-learn takes


# --- what the estimator sees

SEEN: list[Any] = []


class Spy:
    """The least that is a classifier: fit and predict, no parameters, no classes_."""

    def fit(self, X: Any, y: Any) -> Spy:
        SEEN.append((X, y))
        self.most = int(np.bincount(y).argmax())
        return self

    def predict(self, X: Any) -> Any:
        SEEN.append(X)
        return np.full(len(X), self.most)


class Confident(Spy):
    """Probabilities, and still no classes_."""

    def predict_proba(self, X: Any) -> Any:
        return np.full((len(X), 2), 0.5)


SPY, CONFIDENT = f"{__name__}.Spy", f"{__name__}.Confident"
GAPS = Rows(
    FULL.names,
    FULL.labels,
    np.array([[1, 0], [-1, 1], [2, -1]], dtype=np.int32),
    np.array([[0.5], [np.nan], [2.0]]),
)
GAPS_Y = pd.Categorical(["p", "p", "q"], ["n", "p", "q"])


def seen_by_fit(input: str | None) -> Any:
    SEEN.clear()
    answer = make(SPY, {}, input=input).fit(GAPS, GAPS_Y).answer(GAPS)
    assert answer.proba.tolist() == [[0, 1, 0]] * 3
    (X, y), tested = SEEN
    assert np.asarray(y).tolist() == [1, 1, 2]
    pd.testing.assert_frame_equal(pd.DataFrame(X), pd.DataFrame(tested))
    return X


def test_one_hot_has_a_column_a_declared_value_and_zeros_where_missing() -> None:
    expected = [[0, 1, 0, 0.5, 1, 0], [0, 0, 0, np.nan, 0, 1], [0, 0, 1, 2.0, 0, 0]]
    np.testing.assert_array_equal(seen_by_fit("one-hot"), expected)


def test_ordinal_is_the_codes_and_nan_where_missing() -> None:
    np.testing.assert_array_equal(seen_by_fit("ordinal"), [[1, 0.5, 0], [np.nan, np.nan, 1], [2, 2.0, np.nan]])


@pytest.mark.parametrize("input", ["categorical", None])
def test_categorical_is_a_frame_and_the_default_for_a_class_of_ones_own(input: str | None) -> None:
    X = seen_by_fit(input)
    assert list(X.columns) == ["colour", "length", "shape"]
    assert X["colour"].cat.categories.tolist() == ["red", "green", "blue"]
    assert X["shape"].cat.categories.tolist() == ["01", "1"]
    assert X["shape"].isna().tolist() == [False, False, True]
    np.testing.assert_array_equal(X["length"], [0.5, np.nan, 2.0])


def test_one_hot_is_the_default_for_scikit_learn() -> None:
    tree = make("sklearn.tree.DecisionTreeClassifier", {}).fit(NOMINAL, Y)
    assert tree.estimator.n_features_in_ == 5  # type: ignore[attr-defined]


def test_probabilities_of_a_class_without_classes_belong_to_those_seen() -> None:
    answer = make(CONFIDENT, {}).fit(GAPS, GAPS_Y).answer(GAPS)
    assert answer.proba.tolist() == [[0, 0.5, 0.5]] * 3
    assert answer.predicted.tolist() == [1, 1, 1]


def test_this_projects_classes_can_be_named_by_path_too() -> None:
    path = "lazybayes.learners.naive_bayes.NaiveBayes"
    y = Y.remove_categories(["absent"])
    by_path = make(path, {"estimate": "laplace"}).fit(NOMINAL, y).answer(NOMINAL)
    by_name = make("naive-bayes", {"estimate": "laplace"}).fit(NOMINAL, y).answer(NOMINAL)
    np.testing.assert_allclose(by_path.proba, by_name.proba, rtol=1e-12)


def test_a_users_own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "from sklearn.base import BaseEstimator, ClassifierMixin\n"
        "import numpy as np\n"
        "class Most(ClassifierMixin, BaseEstimator):\n"
        "    version = 4\n"
        "    def __init__(self, least=1):\n"
        "        self.least = least\n"
        "    def fit(self, X, y):\n"
        "        self.classes_ = np.unique(y)\n"
        "        self.most_ = np.bincount(y).argmax()\n"
        "        return self\n"
        "    def predict(self, X):\n"
        "        return np.full(len(X), self.most_)\n"
    )
    (tmp_path / "of_my_own.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert check("of_my_own.Most", {"least": 2}) == []
    assert resolve("of_my_own.Most", {}) == {"least": 1}
    assert len(version("of_my_own.Most")) == 64  # of its code: see test_code.py
    answer = make("of_my_own.Most", {}).fit(GAPS, GAPS_Y).answer(GAPS)
    assert answer.predicted.tolist() == [1, 1, 1]
    ((parameter, message),) = check("of_my_own.Most", {"lest": 2})
    assert (parameter, "did you mean least" in message) == ("lest", True)


# --- names and parameters


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (
            "sklearn.ensemble.RandomForestClasifier",
            ["no class RandomForestClasifier", "did you mean RandomForestClassifier"],
        ),
        ("sklearn.ensembel.RandomForestClassifier", ["cannot import sklearn.ensembel", "installed"]),
        ("no_such_package.Learner", ["cannot import no_such_package", "installed"]),
        (".ensemble.RandomForestClassifier", ["not a dotted path", "sklearn.ensemble.RandomForestClassifier"]),
        ("sklearn..RandomForestClassifier", ["not a dotted path"]),
        ("sklearn.ensemble.", ["not a dotted path"]),
        (".", ["not a dotted path"]),
        ("1.5", ["not a dotted path"]),
        ("math.sin", ["math has no class sin"]),
        ("pathlib.Path", ["not a classifier", "fit and predict"]),
        ("sklearn.preprocessing.OneHotEncoder", ["not a classifier", "fit and predict"]),
        ("sklearn.ensemble.RandomForestRegressor", ["not a classifier", "regressor"]),
        ("sklearn.cluster.KMeans", ["not a classifier", "clusterer"]),
        ("sklearn.multiclass.OneVsRestClassifier", ["cannot be made without", "estimator"]),
    ],
)
def test_what_is_no_classifier_is_said_in_words(path: str, words: list[str]) -> None:
    ((parameter, message),) = check(path, {})
    assert parameter == ""
    assert all(word in message for word in words), message
    with pytest.raises(ValueError):  # noqa: PT011  the words are checked above
        make(path, {})


@pytest.mark.parametrize("fault", ["def broken(:\n", "raise RuntimeError('not today')\n", "1 / 0\n"])
def test_a_module_that_fails_as_it_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    (tmp_path / "faulty_module.py").write_text(fault, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    ((_, message),) = check("faulty_module.Learner", {})
    assert "faulty_module fails when it is imported" in message
    assert any(word in message for word in ("SyntaxError", "not today", "division by zero"))


def test_unknown_parameters_of_a_foreign_class() -> None:
    problems = dict(check(FOREST, {"n_estimator": 3, "max_depth": 2, 5: 6}))
    assert list(problems) == ["n_estimator", 5]
    assert "did you mean n_estimators" in problems["n_estimator"]
    assert "max_depth" in problems["n_estimator"]
    with pytest.raises(ValueError, match="n_estimators"):
        make(FOREST, {"n_estimator": 3})


@pytest.mark.parametrize(
    ("path", "params", "words"),
    [
        (FOREST, {"n_estimators": -1, "max_depth": 3}, {"n_estimators": "an int in the range [1, inf). Got -1"}),
        (
            FOREST,
            {"criterion": "ginni", "max_features": 2.5},
            {"criterion": "among {'entropy', 'gini', 'log_loss'}. Got 'ginni'", "max_features": "Got 2.5 instead"},
        ),
        ("sklearn.naive_bayes.MultinomialNB", {"alpha": -1}, {"alpha": "range [0.0, inf)"}),  # its fit is inherited
        ("sklearn.semi_supervised.SelfTrainingClassifier", {"k_best": 3}, {"": "The 'estimator' parameter"}),
        ("sklearn.ensemble.VotingClassifier", {"estimators": "all"}, {"estimators": "must be an instance of 'list'"}),
        (FOREST, {"n_estimators": 5, "max_depth": None, "random_state": 3, "class_weight": {"0": 2}}, {}),
        ("sklearn.neural_network.MLPClassifier", {"hidden_layer_sizes": [10, 5]}, {}),
    ],
)
def test_what_scikit_learn_would_refuse_as_it_fits_is_told_at_once(
    path: str, params: dict[str, Any], words: dict[str, str]
) -> None:
    found = dict(check(path, params))
    assert list(found) == list(words)
    assert all(word in found[name] for name, word in words.items()), found


def test_a_class_that_may_allow_more_than_the_one_it_extends_is_left_to_its_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wider.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "class Wider(DecisionTreeClassifier):\n"
        "    def fit(self, X, y):\n"
        "        self.max_depth = None if self.max_depth == 'any' else self.max_depth\n"
        "        return super().fit(X, y)\n"
        "class Same(DecisionTreeClassifier): pass\n"
        "class Odd(Same):\n"
        "    def _validate_params(self): raise NotImplementedError\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert check("wider.Wider", {"max_depth": "any"}) == []
    assert check("wider.Odd", {"max_depth": "any"}) == []
    assert [name for name, _ in check("wider.Same", {"max_depth": "any"})] == ["max_depth"]


class TakesAnything(Spy):
    def __init__(self, depth: int = 1, **others: Any) -> None:
        self.depth, self.others = depth, others


def test_a_class_of_any_keywords_takes_any() -> None:
    path = f"{__name__}.TakesAnything"
    assert check(path, {"depth": 2, "colour": "red"}) == []
    assert make(path, {"colour": "red"}).estimator.others == {"colour": "red"}  # type: ignore[attr-defined]
    assert resolve(path, {"colour": "red"}) == {"colour": "red"}


def test_what_a_foreign_result_depends_on() -> None:
    full = resolve(FOREST, {"n_estimators": 7})
    assert full["n_estimators"] == 7
    assert full["criterion"] == "gini"
    assert list(full) == sorted(full)
    import sklearn

    assert version(FOREST) == sklearn.__version__
    assert accepts(FOREST, {}) == {"nominal", "numeric"}


@pytest.mark.parametrize(
    ("methods", "why"),
    [
        ("def predict(self, X): return [0] * 3", r"predict returned an array of shape \(3,\); expected \(60,\)"),
        ("def predict(self, X): return [[0]] * len(X)", r"of shape \(60, 1\); expected \(60,\)"),
        ("def predict(self, X): return ['n'] * len(X)", "predict gave 'n', which is not a class code"),
        ("def predict(self, X): return [77] * len(X)", "predict gave 77, which is not a class code"),
        (
            "predict = None\n    def predict_proba(self, X): return [[.2] * 5] * len(X)",
            r"predict_proba returned an array of shape \(60, 5\); expected \(60, 3\)",
        ),
    ],
)
def test_answers_in_another_form_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, methods: str, why: str
) -> None:
    name = f"odd_{abs(hash(methods))}"
    (tmp_path / f"{name}.py").write_text(f"class Odd:\n    def fit(self, X, y): return self\n    {methods}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=why):
        make(f"{name}.Odd", {}).fit(NOMINAL, Y).answer(NOMINAL)


def test_a_constructor_that_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "picky.py").write_text(
        "class Picky:\n    def __init__(self, k=1):\n        if k != 1: raise OverflowError('k is 1')\n"
        "    def fit(self, X, y): return self\n    def predict(self, X): return [0] * len(X)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert check("picky.Picky", {}) == []
    ((parameter, message),) = check("picky.Picky", {"k": 2})
    assert (parameter, message) == ("", "picky.Picky cannot be made with these parameters: OverflowError: k is 1")


def test_weights_of_classes_are_given_by_code() -> None:
    """A config's keys are texts; the classes that a foreign estimator gets are numbers."""
    params = {"class_weight": {"0": 1, "1": 50}, "max_iter": 50}
    path = "sklearn.linear_model.LogisticRegression"
    assert check(path, params) == []
    rows = as_rows(pd.DataFrame({"a": pd.Categorical(["x", "y"] * 10)}))
    y = pd.Categorical(["p", "q", "p", "p"] * 5)
    heavy = make(path, params).fit(rows, y).answer(rows).proba
    plain = make(path, {"max_iter": 50}).fit(rows, y).answer(rows).proba
    assert (heavy[:, 1] > plain[:, 1]).all()
