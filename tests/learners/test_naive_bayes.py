"""Naive Bayes against products of fractions, the textbooks, Weka, and every outcome that a formula leaves open."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.counts.codes import Rows
from lazybayes.learners.naive_bayes import NaiveBayes
from tests import references, weka
from tests import textbook as book
from tests.drawn import SPECS, as_classes, as_rows, for_classes, with_tests
from tests.references import Data, Spec, Value, joint, normalized


def fitted(data: Data, spec: Spec) -> NaiveBayes:
    return NaiveBayes(spec.config(), spec.class_prior).fit(as_rows(data), as_classes(data))


@settings(max_examples=200)
@given(with_tests(), st.sampled_from(SPECS), st.sampled_from([None, "laplace", "frequency"]))
def test_answers_are_products_of_fractions(
    drawn: tuple[Data, list[tuple[Value, ...]]], spec: Spec, class_prior: str | None
) -> None:
    data, tests = drawn
    spec = replace(for_classes(spec, data.n_classes), class_prior=class_prior)
    answer = fitted(data, spec).answer(as_rows(data, tests))
    products, lost = zip(*(joint(spec, data, test, data.attributes) for test in tests), strict=True)
    np.testing.assert_allclose(answer.proba, [normalized(p) for p in products], rtol=0, atol=1e-9)
    assert answer.predicted.tolist() == [references.decide(p) for p in products]
    assert answer.diagnostics["prior_answered"] == sum(lost)


def test_an_explanation_is_printed_with_the_names_of_classes_and_without_row_numbers() -> None:
    X = pd.DataFrame({"wind": ["weak", "strong"] * 50, "sky": ["grey", None] * 50})
    found = NaiveBayes("laplace").fit(X, ["yes", "no"] * 50).explain(X, 1)
    assert found.classes == ("no", "yes")
    assert repr(found).splitlines() == [
        "Naive Bayes of 100 training rows (no 50, yes 50)",
        "",
        "ln of each factor              value         no      yes",
        "-----------------------------  -------  -------  -------",
        "(class prior)                           -0.6931  -0.6931",
        "wind                           strong   -0.0194  -3.9512",  # ln 51/52, ln 1/52
        "(posterior, as a probability)            0.9808   0.0192",
    ]


@pytest.mark.parametrize("row", [-1, 2])
def test_a_row_that_is_not_there_cannot_be_explained(row: int) -> None:
    X = pd.DataFrame({"wind": ["weak", "strong"]})
    with pytest.raises(ValueError, match=f"row {row} is not in X, which has 2 rows, numbered from 0"):
        NaiveBayes().fit(X, ["yes", "no"]).explain(X, row)


# --- the textbooks


def contributions(learner: NaiveBayes, X: pd.DataFrame, row: int = 0) -> tuple[dict[str, float], dict[str, Any]]:
    """Of one row, by class label: the joint probability, and the factor of each attribute."""
    told = learner.explain(X, row)
    joint = np.exp(told.prior + sum(factor for *_, factor in told.factors))
    factors = {name: dict(zip(learner.classes_, np.exp(factor), strict=True)) for name, _, factor in told.factors}
    return dict(zip(learner.classes_, joint, strict=True)), factors


def test_the_loan_by_relative_frequencies() -> None:
    X, y = book.loan()
    learner = NaiveBayes("frequency", numeric="gaussian").fit(X, y)
    record = book.record(book.LOAN_RECORD, X)
    joint, factors = contributions(learner, record)
    assert joint == pytest.approx(book.LOAN_FREQUENCY["joint"], rel=1e-12)
    assert factors["annual_income_k"] == pytest.approx(book.LOAN_DENSITY, rel=1e-12)
    for c in ("No", "Yes"):
        assert math.prod(factor[c] for factor in factors.values()) == pytest.approx(
            book.LOAN_FREQUENCY["p_x"][c], rel=1e-12
        )
    assert learner.predict(record).tolist() == ["No"]
    assert learner.predict_proba(record).tolist() == [[1.0, 0.0]]
    assert dict(zip(learner.classes_, np.exp(learner.explain(record, 0).prior), strict=True)) == pytest.approx(
        book.LOAN_PRIORS
    )
    for i in range(len(X)):
        _, factors = contributions(learner, X, i)
        for name, shares in book.LOAN_CONDITIONALS.items():
            right = {c: float(shares[f"{X[name][i]}|{c}"]) for c in ("No", "Yes")}
            assert factors[name] == pytest.approx(right, rel=1e-12)
    for c, (mean, variance) in book.LOAN_INCOME.items():
        place = learner.classes_.tolist().index(c)
        at_mean = book.record({**book.LOAN_RECORD, "annual_income_k": mean}, X)
        density = contributions(learner, at_mean)[1]["annual_income_k"][learner.classes_[place]]
        assert density == pytest.approx(1 / math.sqrt(2 * math.pi * variance), rel=1e-12)


def test_the_loan_by_the_m_estimate() -> None:
    X, y = book.loan()
    estimate = {"kind": "m-estimate", "m": book.LOAN_M, "prior": book.LOAN_M_PRIOR}
    learner = NaiveBayes(estimate, "frequency", "gaussian").fit(X, y)
    record = book.record(book.LOAN_RECORD, X)
    joint, factors = contributions(learner, record)
    assert joint == pytest.approx(book.LOAN_M_ESTIMATE["joint"], rel=1e-12)
    for c in ("No", "Yes"):
        product = math.prod(factor[c] for factor in factors.values())
        assert product == pytest.approx(book.LOAN_M_ESTIMATE["p_x"][c], rel=1e-12)
        assert factors["home_owner"][c] == pytest.approx(float(book.LOAN_M_CONDITIONALS[f"No|{c}"]), rel=1e-12)
        assert factors["marital_status"][c] == pytest.approx(float(book.LOAN_M_CONDITIONALS[f"Married|{c}"]), rel=1e-12)
    assert learner.predict(record).tolist() == ["No"]
    in_order = NaiveBayes({**estimate, "prior": [2 / 3, 1 / 3]}, "frequency", "gaussian").fit(X, y)
    np.testing.assert_array_equal(in_order.predict_proba(X), learner.predict_proba(X))


def test_a_record_that_frequencies_cannot_classify_is_answered_by_the_class_prior_and_counted() -> None:
    """Tan, Steinbach & Kumar p. 236: row 7 is no longer divorced, so both classes come to 0."""
    X, y = book.loan()
    X.loc[6, "marital_status"] = "Single"
    learner = NaiveBayes("frequency", numeric="gaussian").fit(X, y)
    lost = book.record({"home_owner": "Yes", "marital_status": "Divorced", "annual_income_k": 120}, X)
    answer = learner.answer(pd.concat([lost, book.record(book.LOAN_RECORD, X), lost], ignore_index=True))
    np.testing.assert_allclose(answer.proba, [[0.7, 0.3], [1.0, 0.0], [0.7, 0.3]], rtol=1e-12)
    assert answer.diagnostics["prior_answered"] == 2
    assert NaiveBayes("laplace", numeric="gaussian").fit(X, y).answer(lost).diagnostics["prior_answered"] == 0


def test_play_tennis() -> None:
    X, y = book.tennis()
    learner = NaiveBayes("frequency").fit(X, y)
    record = book.record(book.TENNIS_RECORD, X)
    joint, factors = contributions(learner, record)
    assert joint == pytest.approx(book.TENNIS_JOINT, rel=1e-12)
    assert factors["wind"] == pytest.approx({c: float(p) for c, p in book.TENNIS_STRONG.items()}, rel=1e-12)
    np.testing.assert_allclose(
        learner.predict_proba(record), [[book.TENNIS_POSTERIOR_NO, 1 - book.TENNIS_POSTERIOR_NO]], rtol=1e-12
    )
    assert learner.predict(record).tolist() == ["no"]


def test_the_m_estimate_of_play_tennis() -> None:
    """Mitchell eq. 6.22: p is 1/k, and m = 0 is the relative frequency n_c / n."""
    X, y = book.tennis()
    record = book.record(book.TENNIS_RECORD, X)

    def wind(m: float) -> Any:
        learner = NaiveBayes({"kind": "m-estimate", "m": m, "prior": "uniform"}).fit(X, y)
        return contributions(learner, record)[1]["wind"]

    assert wind(0) == pytest.approx({c: float(p) for c, p in book.TENNIS_STRONG.items()}, rel=1e-12)
    assert wind(4) == pytest.approx({"yes": (3 + 4 / 2) / (9 + 4), "no": (3 + 4 / 2) / (5 + 4)}, rel=1e-12)


def test_correlated_attributes_mislead_naive_bayes() -> None:
    X, y = book.correlated()
    learner = NaiveBayes("frequency").fit(X, y)
    record = book.record({"A": 0, "B": 0}, X)
    joint, factors = contributions(learner, record)
    assert [joint[c] / 0.5 for c in (0, 1)] == pytest.approx(book.CORRELATED_NAIVE, rel=1e-12)
    assert factors["A"] == factors["B"] == pytest.approx({c: book.CORRELATED[f"0|{c}"] for c in (0, 1)}, rel=1e-12)
    assert learner.predict_proba(record)[0, 0] == pytest.approx(book.CORRELATED_NAIVE_Y0, rel=1e-12)
    assert learner.predict(record).tolist() == [1]


def test_crocodiles_and_alligators() -> None:
    """Two rows a class have the mean and the standard deviation of the book; the boundary lies midway."""
    lengths, y = [], []
    for name, (mean, deviation) in book.CROCODILES.items():
        lengths += [mean - deviation / math.sqrt(2), mean + deviation / math.sqrt(2)]
        y += [name, name]
    learner = NaiveBayes(numeric="gaussian").fit(pd.DataFrame({"feet": lengths}), y)
    edge = book.CROCODILE_BOUNDARY
    tests = pd.DataFrame({"feet": [edge - 1e-6, edge, edge + 1e-6]})
    assert learner.predict(tests).tolist() == ["alligator", "alligator", "crocodile"]
    np.testing.assert_allclose(learner.predict_proba(tests)[1], [0.5, 0.5], rtol=1e-9)


# --- Weka


@pytest.mark.parametrize("name", [*weka.LBR_SETS, "vehicle", "kr-vs-kp", "soybean"])
def test_laplace_equals_weka(shared: Path, name: str) -> None:
    for fold in weka.folds(shared, name, "NB"):
        answer = NaiveBayes("laplace").fit(*fold.of(fold.train)).answer(fold.of(fold.test)[0])
        weka.assert_same(answer.proba, answer.predicted, fold)


@pytest.mark.parametrize("name", ["iris", "diabetes", "hepatitis", "credit-g"])
def test_gaussian_equals_weka(shared: Path, name: str) -> None:
    """Numbers as they are, nominal attributes by Laplace, missing cells of both kinds skipped (hepatitis)."""
    for fold in weka.folds(shared, f"raw-{name}", "NB-gaussian"):
        answer = NaiveBayes("laplace", numeric="gaussian").fit(*fold.of(fold.train)).answer(fold.of(fold.test)[0])
        weka.assert_same(answer.proba, answer.predicted, fold)


# --- ties, absent classes, values and cells


def test_a_hundred_and_twenty_equal_classes() -> None:
    classes = [f"c{i:03}" for i in range(120)]
    X = pd.DataFrame({"a": pd.Categorical(["x"] * 120), "b": pd.Categorical([None] * 120, ["u", "v"])})
    learner = NaiveBayes("laplace").fit(X, pd.Categorical(classes[::-1], classes))
    answer = learner.answer(X)
    np.testing.assert_allclose(answer.proba, 1 / 120, rtol=1e-12)
    assert answer.predicted.tolist() == [0] * 120
    assert set(learner.predict(X)) == {"c000"}


def test_a_difference_in_the_last_bits_is_a_tie() -> None:
    """Two classes with the same factors in another order: equal products, sums of logs that differ by rounding."""
    random = Random(1)
    higher = 0
    for _ in range(40):
        with_x = [random.randrange(1, 10) for _ in range(6)]  # of a class's ten rows, in each attribute
        orders = [random.sample(with_x, 6) for _ in range(2)]
        columns = {
            f"a{j}": pd.Categorical([v for order in orders for v in "x" * order[j] + "y" * (10 - order[j])])
            for j in range(6)
        }
        X = pd.DataFrame(columns)
        learner = NaiveBayes("laplace").fit(X, pd.Categorical(["b"] * 10 + ["a"] * 10, ["b", "a"]))
        test = pd.DataFrame({name: pd.Categorical(["x"], ["x", "y"]) for name in columns})
        logs = learner.predict_log_proba(test)[0]
        higher += logs[1] > logs[0]
        assert learner.predict(test).tolist() == ["b"]
    assert higher > 0, "no case in which rounding favours the higher class"


def test_a_value_outside_the_declared_ones_is_missing() -> None:
    X, y = book.tennis()
    learner = NaiveBayes().fit(X, y)
    strange = book.record(book.TENNIS_RECORD, X).astype(str)
    strange["outlook"], strange["wind"] = "foggy", "weak"
    missing = book.record({**book.TENNIS_RECORD, "wind": "weak"}, X)
    missing["outlook"] = pd.Categorical([None], X["outlook"].cat.categories)
    np.testing.assert_array_equal(learner.predict_proba(strange.astype("category")), learner.predict_proba(missing))


def test_a_declared_value_without_rows_is_smoothed_like_any_count_of_zero() -> None:
    X = pd.DataFrame({"a": pd.Categorical(["x", "y", "x"], ["x", "y", "z"])})
    learner = NaiveBayes("laplace").fit(X, ["p", "p", "q"])
    unseen = pd.DataFrame({"a": pd.Categorical(["z"], ["x", "y", "z"])})
    p, q = 3 / 5 * 1 / 5, 2 / 5 * 1 / 4
    np.testing.assert_allclose(learner.predict_proba(unseen), [[p / (p + q), q / (p + q)]], rtol=1e-12)


def test_a_class_without_training_rows_has_its_column() -> None:
    """Eight rows' fold without class c: prior (0 + 1)/(5 + 3), every factor 1/k."""
    X = pd.DataFrame({"a": pd.Categorical(["x", "x", "y", "y", "y"])})
    learner = NaiveBayes("laplace").fit(X, pd.Categorical(list("aaabb"), ["a", "b", "c"]))
    assert learner.classes_.tolist() == ["a", "b", "c"]
    p = np.array([4 / 8 * 3 / 5, 3 / 8 * 1 / 4, 1 / 8 * 1 / 2])
    np.testing.assert_allclose(learner.predict_proba(X)[0], p / p.sum(), rtol=1e-12)
    by_frequency = NaiveBayes("frequency").fit(X, pd.Categorical(list("aaabb"), ["a", "b", "c"]))
    assert (by_frequency.predict_proba(X)[:, 2] == 0).all()


@pytest.mark.parametrize("value", [2.0, 7.0, 1e6])
def test_gaussian_with_a_class_without_a_row_answers_in_numbers(value: float) -> None:
    X = pd.DataFrame({"x": [1.0, 3.0, 10.0, 14.0]})
    learner = NaiveBayes(numeric="gaussian").fit(X, pd.Categorical(list("aabb"), ["a", "b", "c"]))
    proba = learner.predict_proba(pd.DataFrame({"x": [value]}))
    assert proba.shape == (1, 3)
    assert np.isfinite(proba).all()


def test_no_row_is_known_at_all() -> None:
    """Only the class prior is left."""
    X = pd.DataFrame({"a": pd.Categorical([None, None, None], ["x", "y"]), "x": [np.nan] * 3})
    learner = NaiveBayes(numeric="gaussian").fit(X, ["p", "q", "q"])
    tests = pd.DataFrame({"a": pd.Categorical([None], ["x", "y"]), "x": [np.nan]})
    np.testing.assert_allclose(learner.predict_proba(tests), [[2 / 5, 3 / 5]], rtol=1e-12)


def test_no_attributes_at_all() -> None:
    X = pd.DataFrame(index=range(3))
    learner = NaiveBayes().fit(X, ["p", "q", "q"])
    np.testing.assert_allclose(learner.predict_proba(X), [[2 / 5, 3 / 5]] * 3, rtol=1e-12)


def test_two_thousand_attributes_do_not_underflow() -> None:
    random = Random(3)
    a = 2000
    rows = tuple(tuple(random.randrange(4) for _ in range(a)) for _ in range(10))
    data = Data((4,) * a, 2, rows, (0, 1) * 5)
    learner = fitted(data, Spec("laplace"))
    proba = learner.predict_proba(as_rows(data))
    logs = learner.predict_log_proba(as_rows(data))
    for row, p, log_p in zip(rows, proba, logs, strict=True):
        slow = []
        for c in (0, 1):
            of_c = [r for r, yc in zip(data.rows, data.y, strict=True) if yc == c]
            slow.append(math.fsum(math.log((sum(r[j] == v for r in of_c) + 1) / 9) for j, v in enumerate(row)))
        ratio = slow[0] - slow[1]
        assert log_p[0] - log_p[1] == pytest.approx(ratio, rel=1e-9)
        assert p[0] == pytest.approx(1 / (1 + math.exp(-ratio)) if ratio > -700 else 0.0, abs=1e-9)
    assert np.isfinite(logs).all()


def test_huge_cells_of_one_attribute_leave_the_others_their_say() -> None:
    """Cells of 1e300: their squares are beyond doubles, the answer is not."""
    X = pd.DataFrame({"size": [1e300, 1.5e300, 2e300, 1e300, 1.5e300, 2e300], "a": pd.Categorical(list("xxxyyy"))})
    learner = NaiveBayes(numeric="gaussian").fit(X, list("pppqqq"))
    without = NaiveBayes().fit(X[["a"]], list("pppqqq"))
    np.testing.assert_allclose(learner.predict_proba(X), without.predict_proba(X[["a"]]), rtol=1e-12)


# --- what must not matter


@settings(max_examples=60)
@given(with_tests(), st.sampled_from(SPECS), st.randoms(use_true_random=False))
def test_order_does_not_matter(drawn: tuple[Data, list[tuple[Value, ...]]], spec: Spec, random: Random) -> None:
    """Neither of rows, nor attributes, nor declared values, nor declared classes."""
    data, tests = drawn
    spec = for_classes(spec, data.n_classes)
    before = fitted(data, spec).predict_proba(as_rows(data, tests))

    def shuffled(n: int) -> list[int]:
        return random.sample(range(n), n)

    order, attributes, classes = shuffled(len(data.y)), shuffled(len(data.arity)), shuffled(data.n_classes)
    values = [shuffled(k) for k in data.arity]

    def moved(cells: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(None if cells[j] is None else values[j][cells[j]] for j in attributes)

    other = Data(
        tuple(data.arity[j] for j in attributes),
        data.n_classes,
        tuple(moved(data.rows[i]) for i in order),
        tuple(classes[data.y[i]] for i in order),
    )
    if isinstance(spec.prior, tuple):
        prior = [0.0] * data.n_classes
        for c, place in enumerate(classes):
            prior[place] = spec.prior[c]
        spec = replace(spec, prior=tuple(prior))
    after = fitted(other, spec).predict_proba(as_rows(other, [moved(test) for test in tests]))
    np.testing.assert_allclose(after[:, classes], before, rtol=0, atol=1e-12)


def test_missing_cells_are_skipped_and_not_counted() -> None:
    """A row that knows no attribute moves the class prior alone."""
    known = pd.DataFrame({"a": pd.Categorical(["x", "y", "y"]), "x": [1.0, 2.0, 4.0]})
    gap = pd.DataFrame({"a": pd.Categorical([None], ["x", "y"]), "x": [np.nan]})
    learner = NaiveBayes(numeric="gaussian").fit(pd.concat([known, gap], ignore_index=True), list("ppqq"))
    told, full = learner.explain(known, 0), NaiveBayes(numeric="gaussian").fit(known, list("ppq")).explain(known, 0)
    for (*_, factor), (*_, expected) in zip(told.factors, full.factors, strict=True):
        np.testing.assert_allclose(factor[0], expected[0], rtol=1e-12)  # class p lost no cell
    assert learner.explain(gap, 0).factors == ()


def test_explain_tells_how_a_row_is_classified() -> None:
    X, y = book.loan()
    learner = NaiveBayes("laplace", numeric="gaussian").fit(X, y)
    told = learner.explain(X, 3)
    assert told.antecedent == ()
    assert told.class_rows.tolist() == [7, 3]
    assert [(name, value) for name, value, _ in told.factors] == [
        ("home_owner", "Yes"),
        ("marital_status", "Married"),
        ("annual_income_k", "120.0"),
    ]
    scores = told.prior + sum(factor for *_, factor in told.factors)
    np.testing.assert_allclose(np.exp(scores) / np.exp(scores).sum(), told.posterior, rtol=1e-12)
    np.testing.assert_allclose(told.posterior, learner.predict_proba(X)[3], rtol=1e-12)
    assert told.local_rows.tolist() == list(range(10))


def test_numbers_without_gaussian_are_refused_by_name() -> None:
    X, y = book.loan()
    with pytest.raises(ValueError, match=r"annual_income_k.*Discretizer before it, set numeric='gaussian'"):
        NaiveBayes().fit(X, y)


def test_rows_and_frames_are_answered_alike() -> None:
    X, y = book.tennis()
    codes = np.column_stack([X[name].cat.codes for name in X]).astype(np.int32)
    labels = tuple(tuple(X[name].cat.categories) for name in X)
    rows = Rows(tuple(X), labels, codes, np.empty((len(X), 0)))
    np.testing.assert_array_equal(NaiveBayes().fit(rows, y).answer(rows).proba, NaiveBayes().fit(X, y).predict_proba(X))
