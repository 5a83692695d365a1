"""Naive Bayes over the words of documents (Mitchell 1997, section 6.10, table 6.2)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from lazybayes.counts.codes import Documents, Floats, Ints, Rows
from lazybayes.learners.base import Explanation, Learner
from lazybayes.learners.parameters import Parameters, Whole
from lazybayes.messages import plural


class TextNaiveBayes(Learner):
    """Naive Bayes over the words of documents.

    P(c | document) is proportional to P(c) times the product over the document's words of P(w | c), one factor for each
    occurrence of a word. P(w | c) = (n_wc + 1) / (n_c + |V|): w occurs n_wc times in the training documents of
    class c, which have n_c words of the vocabulary V in all. P(c) is the share of the training documents. The
    vocabulary is that of the training documents; every other word is ignored. A document without a word of it is
    answered by P(c), and a class without training documents has probability 0.

    Parameters
    ----------
    drop_frequent : int, default 100
        Number of most frequent words to exclude from the vocabulary; ties by word order.
    min_count : int, default 3
        Words that occur fewer times in the training documents are excluded as well.

    Examples
    --------
    >>> texts = ["green tea and black tea", "a barrel of crude oil", "crude oil"]
    >>> learner = TextNaiveBayes(drop_frequent=0, min_count=1).fit(texts, ["tea", "oil", "oil"])
    >>> learner.predict(["more black tea", "oil"]).tolist()
    ['tea', 'oil']

    References
    ----------
    Mitchell, T. M. (1997). Machine Learning. McGraw-Hill, section 6.10.
    """

    accepts: ClassVar[frozenset[str]] = frozenset({"documents"})
    parameters: ClassVar[Parameters] = {"drop_frequent": Whole(0), "min_count": Whole(1)}
    diagnostics: ClassVar[Mapping[str, str]] = {
        "vocabulary": "words of the training documents that are counted",
        "wordless": "documents without a word of the vocabulary, answered by the class prior",
    }
    missing: ClassVar[str] = "a missing document is an empty one, answered by the class prior"
    explains = True
    has_telling_words = True
    paper = "Mitchell 1997, table 6.2"

    def __init__(self, drop_frequent: int = 100, min_count: int = 3) -> None:
        self.drop_frequent = drop_frequent
        self.min_count = min_count

    def _fit(self, rows: Rows, y: Ints) -> None:
        documents = _documents(rows)
        self.feature_names_in_ = np.array([documents.name], dtype=object)
        self.n_features_in_ = 1
        totals = np.asarray(documents.counts.sum(axis=0)).ravel()
        keep = totals >= self.min_count
        keep[np.argsort(-totals, kind="stable")[: self.drop_frequent]] = False  # stable: equals in the order of words
        if not keep.any():
            warnings.warn(
                f"no word is left in the vocabulary: the training documents have {plural(len(totals), 'word')}, the "
                f"{self.drop_frequent} most frequent are excluded (drop_frequent), and those that occur fewer than "
                f"{plural(self.min_count, 'time')} (min_count); every document is answered by the class prior",
                UserWarning,
                stacklevel=2,
            )
        n_classes = len(self.classes_)
        member = csr_matrix((np.ones(len(y), dtype=np.int64), (y, np.arange(len(y)))), shape=(n_classes, len(y)))
        self.vocabulary_: NDArray[Any] = documents.words[keep]
        self.feature_count_ = np.asarray((member @ documents.counts[:, keep]).todense(), dtype=np.float64)  # (C, V)
        self.class_count_ = np.bincount(y, minlength=n_classes).astype(np.float64)
        self._words, self._keep = documents.words, np.flatnonzero(keep)
        with np.errstate(divide="ignore"):
            self.class_log_prior_ = np.log(self.class_count_ / len(y))
        self.feature_log_prob_ = _log_estimate(self.feature_count_)

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        counts = self._known(rows)
        scores = np.asarray(counts @ self.feature_log_prob_.T) + self.class_log_prior_
        wordless = int((counts.getnnz(axis=1) == 0).sum())
        return scores, {"vocabulary": float(len(self.vocabulary_)), "wordless": float(wordless)}

    def telling_words(self, most: int = 10) -> list[list[tuple[str, float]]]:
        """For each class the words that speak most for it, with ln P(w | c) - ln P(w | another class).

        P(w | another class) is estimated from the documents of all other classes together. A class without documents,
        or without another class, has none.
        """
        check_is_fitted(self)
        others = _log_estimate(self.feature_count_.sum(axis=0) - self.feature_count_)
        words = []
        for c, odds in enumerate(self.feature_log_prob_ - others):
            best = np.argsort(-odds, kind="stable")[:most]
            comparable = 0 < self.class_count_[c] < self.class_count_.sum()
            words.append([(str(self.vocabulary_[w]), float(odds[w])) for w in best] if comparable else [])
        return words

    def explain(self, X: Any, row: int) -> Explanation:
        """How document number `row` of X, (n,), from 0, is classified: the factor of each of its words."""
        rows = self._row(X, row)
        counts = self._known(rows)
        factors = tuple(
            (str(self.vocabulary_[w]), f"{n} times" if n > 1 else "once", n * self.feature_log_prob_[:, w])
            for w, n in sorted(zip(counts.indices.tolist(), counts.data.tolist(), strict=True))
        )
        everything = np.arange(int(self.class_count_.sum()))
        names, posterior = self._class_names(), self.predict_proba(rows)[0]
        return Explanation(names, (), everything, self.class_count_, self.class_log_prior_, factors, posterior)

    def _read(self, X: Any) -> Rows:
        """Rows of documents: texts in a list, a Series, an array, or the one column of a DataFrame; Rows pass."""
        if isinstance(X, Rows):
            return X
        if isinstance(X, pd.DataFrame):
            if X.shape[1] != 1:
                raise ValueError(f"X has the columns {list(X.columns)}; expected one column of texts")
            X = X.iloc[:, 0]
        if getattr(X, "ndim", 1) != 1:
            raise ValueError(
                f"Expected 1D array of texts, got an array of shape {X.shape} instead: pass one of its columns, "
                "such as X[:, 0]"
            )
        if isinstance(X, str) or not np.iterable(X):
            raise TypeError(f"X must contain one text per document, not {type(X).__name__}")
        from lazybayes.preprocess.vocabulary import count_words

        texts = [None if text is None or text is pd.NA or text != text else text for text in X]
        for text in texts:
            if not isinstance(text, str | None):
                raise TypeError(f"X contains {text!r}, a {type(text).__name__}; a document must be a text")
        words = count_words(texts, str(getattr(X, "name", None) or "text"))
        n = len(texts)
        return Rows((), (), np.empty((n, 0), dtype=np.int32), np.empty((n, 0)), words)

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        rows = self._read(X)
        _documents(rows)
        return rows

    def _known(self, rows: Rows) -> csr_matrix:
        """(n, V) counts of the vocabulary's words."""
        documents = _documents(rows)
        if documents.words is self._words:  # of the same data set as the training documents
            counts = csr_matrix(documents.counts[:, self._keep])
        else:
            place = {word: w for w, word in enumerate(self.vocabulary_)}
            known = [(j, place[word]) for j, word in enumerate(documents.words) if word in place]
            into = np.array(known, dtype=np.int64).reshape(-1, 2).T
            columns = csr_matrix((np.ones(len(known), dtype=np.int32), into), (len(documents.words), len(place)))
            counts = csr_matrix(documents.counts @ columns)
        counts.sort_indices()  # one order of the terms of a sum
        return counts


def _documents(rows: Rows) -> Documents:
    if rows.documents is None:
        raise ValueError(f"TextNaiveBayes takes documents; these rows have the attributes {list(rows.names)}")
    return rows.documents


def _log_estimate(counts: Floats) -> Floats:
    """(C, V) ln of (n_wc + 1) / (n_c + |V|)."""
    total = np.maximum(counts.sum(axis=1, keepdims=True) + counts.shape[1], 1)  # 0 if no word is left
    return np.asarray(np.log(counts + 1) - np.log(total))
