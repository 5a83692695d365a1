"""Naive Bayes over documents against Mitchell's table 6.2 word by word, and against scikit-learn's MultinomialNB."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from lazybayes import NaiveBayes, TextNaiveBayes
from lazybayes.data.table import Attribute, Table
from lazybayes.experiment import Preprocess
from lazybayes.preprocess.pipeline import fit_preprocess

WORDS = st.lists(st.sampled_from(["aa", "bb", "cc", "dd", "ee", "ff", "gg"]), max_size=12).map(" ".join)


def table_6_2(texts: list[str], y: list[int], classes: int, document: str, drop: int, least: int) -> list[Fraction]:
    """P(c) times the product of (n_k + 1) / (n + |V|) over the document's words, exactly."""
    total = Counter(word for text in texts for word in re.findall(r"\w\w+", text.lower()))
    frequent = sorted(total, key=lambda word: (-total[word], word))[:drop]
    vocabulary = {word for word, n in total.items() if n >= least and word not in frequent}
    out = []
    for c in range(classes):
        own = Counter(
            word
            for text, label in zip(texts, y, strict=True)
            if label == c
            for word in re.findall(r"\w\w+", text.lower())
            if word in vocabulary
        )
        score = Fraction(y.count(c), len(y))
        for word in re.findall(r"\w\w+", document.lower()):
            if word in vocabulary:
                score *= Fraction(own[word] + 1, sum(own.values()) + len(vocabulary))
        out.append(score)
    return out


def categorical(y: list[int], classes: int) -> pd.Categorical:
    return pd.Categorical.from_codes(y, [f"c{c}" for c in range(classes)])


@settings(max_examples=40)
@given(
    data=st.lists(st.tuples(WORDS, st.integers(0, 2)), min_size=1, max_size=8),
    new=st.lists(WORDS, min_size=1, max_size=3),
    drop=st.integers(0, 3),
    least=st.integers(1, 3),
)
def test_it_is_table_6_2(data: list[tuple[str, int]], new: list[str], drop: int, least: int) -> None:
    texts, y = [text for text, _ in data], [label for _, label in data]
    found = TextNaiveBayes(drop_frequent=drop, min_count=least).fit(texts, categorical(y, 4)).predict_proba(new)
    for document, row in zip(new, found, strict=True):
        joint = table_6_2(texts, y, 4, document, drop, least)
        np.testing.assert_allclose(row, [float(part / sum(joint)) for part in joint], atol=1e-12)


def corpus(n: int = 60) -> tuple[list[str], np.ndarray]:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, n)
    words = np.array([f"w{i:02d}" for i in range(40)])
    shares = rng.dirichlet(np.full(40, 0.3), 3)
    return [" ".join(rng.choice(words, rng.integers(0, 30), p=shares[c])) for c in y], y


def test_it_is_scikit_learns_multinomial_naive_bayes_on_the_kept_words() -> None:
    texts, y = corpus()
    train, test = texts[:40], texts[40:]
    ours = TextNaiveBayes(drop_frequent=5, min_count=3).fit(train, y[:40])
    vectorizer = CountVectorizer(vocabulary=ours.vocabulary_)
    peer = MultinomialNB(alpha=1).fit(vectorizer.transform(train), y[:40])
    np.testing.assert_allclose(ours.predict_proba(test), peer.predict_proba(vectorizer.transform(test)), atol=1e-12)
    total = Counter(word for text in train for word in text.split())
    gone = sorted(total, key=lambda word: (-total[word], word))[:5]
    assert ours.vocabulary_.tolist() == sorted(word for word in total if total[word] >= 3 and word not in gone)
    assert ours.answer(test).diagnostics["vocabulary"] == len(ours.vocabulary_)


def test_words_counted_once_for_a_data_set_give_what_texts_give() -> None:
    """In a run the words of training and test documents are counted together; those of the test ones stay unknown."""
    texts, y = corpus()
    column = np.empty(60, dtype=object)
    column[:] = texts
    target = Attribute("class", "nominal", ("c0", "c1", "c2"))
    table = Table("t", (Attribute("text", "string"),), (column,), target, y.astype(np.int32), np.arange(60))
    train, test = np.arange(40), np.arange(40, 60)
    fit = fit_preprocess(Preprocess(), table, train)
    learner = TextNaiveBayes(drop_frequent=5).fit(fit.transform(table, train), categorical(y[:40].tolist(), 3))
    plain = TextNaiveBayes(drop_frequent=5).fit(texts[:40], categorical(y[:40].tolist(), 3))
    assert learner.vocabulary_.tolist() == plain.vocabulary_.tolist()
    rows = fit.transform(table, test)
    np.testing.assert_array_equal(learner.predict_proba(rows), plain.predict_proba(texts[40:]))
    np.testing.assert_array_equal(learner.predict_proba(rows), pickle.loads(pickle.dumps(learner)).predict_proba(rows))
    assert fit.transform(table, train).documents.words is rows.documents.words  # type: ignore[union-attr]


TEA = (["Green tea, black TEA", "tea leaf", "crude oil", "oil barrel oil"], ["tea", "tea", "oil", "oil"])


def test_documents_without_a_known_word_are_answered_by_the_prior() -> None:
    y = pd.Categorical(["tea", "tea", "oil", "tea"], ["ale", "oil", "tea"])
    learner = TextNaiveBayes(drop_frequent=0, min_count=1).fit(TEA[0], y)
    new = ["", "unheard of", None, "a b c", "\u00e9\u00e8"]
    np.testing.assert_allclose(learner.predict_proba(new), [[0, 0.25, 0.75]] * 5)
    assert learner.predict(new).tolist() == ["tea"] * 5
    assert learner.answer([*new, "tea"]).diagnostics == {"vocabulary": 7, "wordless": 5}
    assert learner.telling_words()[0] == []  # a class without documents has no words


@pytest.mark.parametrize("parameters", [{"drop_frequent": 100}, {"min_count": 9}])
@pytest.mark.filterwarnings("ignore:no word is left")
def test_nothing_left_of_the_vocabulary(parameters: dict[str, int]) -> None:
    with pytest.warns(UserWarning, match="no word is left in the vocabulary"):
        learner = TextNaiveBayes(**parameters).fit(*TEA)
    assert len(learner.vocabulary_) == 0
    np.testing.assert_allclose(learner.predict_proba(["green tea"]), [[0.5, 0.5]])
    assert learner.predict(["oil"]).tolist() == ["oil"]  # a tie goes to the lowest class
    assert TextNaiveBayes().fit(["", "!"], ["a", "b"]).predict_proba(["x y z", ""]).tolist() == [[0.5, 0.5]] * 2


def test_equally_frequent_words_go_in_the_order_of_words() -> None:
    learner = TextNaiveBayes(drop_frequent=2, min_count=1).fit(["dd cc bb aa dd"], ["only"])
    assert learner.vocabulary_.tolist() == ["bb", "cc"]
    assert learner.telling_words() == [[]]  # no other class to tell it from


def test_the_most_telling_words() -> None:
    learner = TextNaiveBayes(drop_frequent=0, min_count=1).fit(*TEA)
    oil, tea = learner.telling_words(2)
    assert oil == [("oil", pytest.approx(log(4 / 12) - log(1 / 13))), ("barrel", pytest.approx(log(2 / 12 * 13)))]
    assert [word for word, _ in tea] == ["tea", "black"]


def test_explain_has_a_factor_a_word() -> None:
    learner = TextNaiveBayes(drop_frequent=0, min_count=1).fit(*TEA)
    rows = learner._rows(["", "oil, oil and tea"])
    found = learner.explain(rows, 1)
    assert [(word, times) for word, times, _ in found.factors] == [("oil", "2 times"), ("tea", "once")]
    scores = found.prior + sum(factor for _, _, factor in found.factors)
    np.testing.assert_allclose(np.exp(scores) / np.exp(scores).sum(), found.posterior)
    assert found.class_rows.tolist() == [2, 2]
    assert learner.explain(["", "oil, oil and tea"], 1).factors[0][:2] == ("oil", "2 times")


def test_texts_in_any_form() -> None:
    texts, y = TEA
    learner = clone(TextNaiveBayes(drop_frequent=0, min_count=1)).fit(texts, y)
    assert learner.feature_names_in_.tolist() == ["text"]
    for X in (tuple(texts), np.array(texts), pd.Series(texts, name="note"), pd.DataFrame({"note": texts})):
        np.testing.assert_array_equal(learner.predict_proba(X), learner.predict_proba(texts))
    assert learner.fit(pd.Series(texts, name="note"), y).feature_names_in_.tolist() == ["note"]
    assert learner.predict(pd.Series(["tea", None], dtype="string")).tolist() == ["tea", "oil"]


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ("one text", "one text per document, not str"),
        (3, "not int"),
        ([1, 2, 3, 4], "X contains 1, a int"),
        (
            np.array([[text] for text in TEA[0]]),
            r"Expected 1D array of texts, got an array of shape \(4, 1\).*X\[:, 0\]",
        ),
        (np.array([[text, text] for text in TEA[0]], dtype=object), r"array of shape \(4, 2\)"),
        (pd.Series([[text] for text in TEA[0]]), "a list; a document must be a text"),
        (pd.DataFrame({"a": TEA[0], "b": TEA[0]}), r"columns \['a', 'b'\]; expected one column of texts"),
        (TEA[0][:2], "X has 2 rows and y 4"),
    ],
)
def test_what_are_no_documents(X: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        TextNaiveBayes().fit(X, TEA[1])


def test_documents_and_attributes_do_not_mix() -> None:
    documents = TextNaiveBayes().fit(*TEA)._rows(TEA[0])
    with pytest.raises(ValueError, match="NaiveBayes takes attributes; 'text' is free text"):
        NaiveBayes().fit(documents, TEA[1])
    frame = pd.DataFrame({"wind": pd.Categorical(["weak"] * 4)})
    nominal = NaiveBayes().fit(frame, TEA[1])._rows(frame)
    with pytest.raises(ValueError, match="TextNaiveBayes takes documents only; 'wind' is not a text attribute"):
        TextNaiveBayes().fit(nominal, TEA[1])
    with pytest.raises(ValueError, match=r"TextNaiveBayes takes documents; these rows have the attributes \['wind'\]"):
        TextNaiveBayes().fit(*TEA).predict(nominal)
