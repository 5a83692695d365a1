"""What every learner of this project shares: a scikit-learn estimator over nominal and numeric attributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from lazybayes.counts.codes import Rows
from lazybayes.counts.scores import decide, normalized
from lazybayes.learners.parameters import Parameters
from lazybayes.learners.rows import align, as_classes, as_rows
from lazybayes.messages import plural

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """A learner's answers for some rows.

    proba: (n, C), one column per declared class; predicted: (n,) class codes; diagnostics: further facts, by
    name; row_diagnostics: (n,) the same for each row (``leaf_rows``: training rows at the leaf it reached), by name.
    log_proba: (n, C) ln of the probabilities, which is finite where they are too small for a double; None for a learner
    that has no more than the probabilities. scores: (n, C) what ranks the rows for each class if the probabilities
    do not, as for a learner that only predicts classes; None otherwise. only_decides: the probabilities are
    0 and 1 because the learner does not give any.
    """

    proba: Floats
    predicted: NDArray[np.int32]
    diagnostics: Mapping[str, float] = field(default_factory=dict)
    row_diagnostics: Mapping[str, Floats] = field(default_factory=dict)
    log_proba: Floats | None = None
    scores: Floats | None = None
    only_decides: bool = False

    @property
    def logs(self) -> Floats:
        """(n, C) ln of the probabilities, as well as they are known."""
        if self.log_proba is not None:
            return self.log_proba
        with np.errstate(divide="ignore"):
            return np.log(self.proba)


@dataclass(frozen=True, repr=False)
class Explanation:
    """How one row was classified by a local naive Bayesian classifier. Printed, it is a table.

    classes: (C,) their names; antecedent: the rule's conditions (attribute, value), in the order they were added, none
    for naive Bayes itself;
    local_rows: positions of the local training rows among the training rows, ascending; class_rows: (C,) how many of
    them each class has; prior: (C,) ln P(c); factors: (attribute, value, (C,) ln P(value
    given c)) of each attribute known in the row and not in the antecedent; posterior: (C,).
    """

    classes: tuple[str, ...]
    antecedent: tuple[tuple[str, str], ...]
    local_rows: Ints
    class_rows: Floats
    prior: Floats
    factors: tuple[tuple[str, str, Floats], ...]
    posterior: Floats

    def __repr__(self) -> str:
        from tabulate import tabulate

        conditions = " and ".join(f"{attribute} = {value}" for attribute, value in self.antecedent)
        counts = ", ".join(f"{label} {int(n)}" for label, n in zip(self.classes, self.class_rows, strict=True))
        rows = [
            ("(class prior)", "", self.prior),
            *self.factors,
            ("(posterior, as a probability)", "", self.posterior),
        ]
        body = [[name, value, *(f"{number:.4f}" for number in numbers)] for name, value, numbers in rows]
        header = ["ln of each factor", "value", *self.classes]
        alignment = ("left", "left", *["right"] * len(self.classes))
        rule = f"If {conditions}, then naive Bayes" if conditions else "Naive Bayes"
        table = tabulate(body, header, disable_numparse=True, colalign=alignment)
        return f"{rule} of {plural(len(self.local_rows), 'training row')} ({counts})\n\n{table}"


class Learner(ClassifierMixin, BaseEstimator):
    """A classifier over nominal attributes (and numeric ones, or documents instead, where `accepts` says so).

    A subclass sets the class constants and writes two hooks, `_fit` and `_scores`.

    version: raised when the learner's answers change, so that stored results are computed again.
    accepts: the kinds of attributes it takes. parameters: a rule for each parameter of `__init__`. diagnostics: the
    names and meanings of what `answer` reports besides the answers; they can be requested like a metric. explains:
    whether it has ``explain(X, row) -> Explanation``. has_telling_words: whether it has ``telling_words(most)``.
    """

    version: ClassVar[int] = 1
    accepts: ClassVar[frozenset[str]] = frozenset({"nominal"})
    parameters: ClassVar[Parameters] = {}
    diagnostics: ClassVar[Mapping[str, str]] = {}
    missing: ClassVar[str] = "a missing cell is not counted in training and skipped in classifying"
    paper: ClassVar[str] = ""
    explains: ClassVar[bool] = False
    has_telling_words: ClassVar[bool] = False

    @classmethod
    def accepts_with(cls, params: Mapping[str, Any]) -> frozenset[str]:
        """The kinds of attributes taken when the parameters are these."""
        return cls.accepts

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        kinds = self.accepts_with(self.get_params(deep=False))
        tags.input_tags.two_d_array = bool(kinds & {"nominal", "numeric"})
        tags.input_tags.one_d_array = not tags.input_tags.two_d_array
        tags.input_tags.categorical = "nominal" in kinds
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Learns from rows X, (n, a), a DataFrame or an array, and their classes y, (n,).

        A column of categories, texts, booleans or objects is a nominal attribute, a column of numbers a numeric one; a
        missing cell stays missing. A categorical's categories are the declared values (or classes), counted even where
        no row has them; of other nominal columns the values of these rows are. A value that occurs only in later rows
        is treated as missing there.

        Raises ValueError for an impossible parameter, a missing class, or a column the learner cannot take.
        """
        params = self.get_params(deep=False)
        for name, rule in self.parameters.items():
            if problem := rule.problem(params[name]):
                raise ValueError(f"{type(self).__name__}: {name}: {problem}")
        if y is None:
            name = type(self).__name__
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
        rows = self._read(X)
        codes, classes = as_classes(y)
        if len(rows) != len(codes):
            raise ValueError(f"X has {plural(len(rows), 'row')} and y {len(codes)}")
        self._refuse(rows, typed=isinstance(X, pd.DataFrame | Rows))
        self._check_names(X, rows, reset=True)
        self.classes_ = classes
        self.names_ = rows.names
        self.labels_ = rows.labels
        self._fit(rows, codes)
        return self

    def answer(self, X: Any) -> Answer:
        """Probabilities, predicted classes and diagnostics of rows X, (n, a)."""
        scores, diagnostics = self._scores(self._rows(X))
        by_row = {name: np.asarray(value) for name, value in diagnostics.items() if np.ndim(value)}
        overall = {name: float(value) for name, value in diagnostics.items() if name not in by_row}
        logs = normalized(scores)
        return Answer(np.exp(logs), decide(scores), overall, by_row, log_proba=logs)

    def predict_log_proba(self, X: Any) -> Floats:
        """(n, C) ln of the class probabilities."""
        return normalized(self._scores(self._rows(X))[0])

    def predict_proba(self, X: Any) -> Floats:
        """(n, C) class probabilities, a column for each of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """(n,) the classes; a tie goes to the lowest class within 1e-9 of the best log score."""
        scores, _ = self._scores(self._rows(X))
        return np.asarray(self.classes_[decide(scores)])

    @classmethod
    def numeric_settings(cls) -> list[tuple[str, str]]:
        """The parameters, with the value of each, by which it takes numeric attributes too, beyond its defaults."""
        return [
            (key, value)
            for key, rule in cls.parameters.items()
            for value in rule.choices()
            if "numeric" in cls.accepts_with({key: value}) - cls.accepts
        ]

    def _read(self, X: Any) -> Rows:
        return as_rows(X, self)

    def _rows(self, X: Any) -> Rows:
        """The rows of X in the codes of those of `fit`. Raises ValueError if its attributes differ."""
        check_is_fitted(self)
        rows = self._read(X)
        self._check_names(X, rows, reset=False)
        if not (isinstance(X, pd.DataFrame | Rows) and self._named):
            rows = replace(rows, names=self.names_)  # of an array the order alone says which attribute is which
        return align(rows, self.names_, self.labels_)

    def _row(self, X: Any, row: int) -> Rows:
        """One of the rows of X, by its position from 0. Raises ValueError if it does not exist."""
        rows = self._rows(X)
        if not 0 <= row < len(rows):
            raise ValueError(f"row {row} is not in X, which has {plural(len(rows), 'row')}, numbered from 0")
        return rows.take(np.array([row]))

    def _class_names(self) -> tuple[str, ...]:
        return tuple(str(label) for label in self.classes_)

    def _check_names(self, X: Any, rows: Rows, *, reset: bool) -> None:
        """The names and number of attributes, kept or compared by scikit-learn's own rules and words."""
        if isinstance(X, Rows):
            if reset:
                self.feature_names_in_ = np.array(rows.names, dtype=object)
                self.n_features_in_ = len(rows.names)
        else:
            validate_data(self, X, reset=reset, skip_check_array=True)
        if reset:
            self._named = isinstance(X, pd.DataFrame | Rows)

    def _refuse(self, rows: Rows, *, typed: bool) -> None:
        """Raises ValueError for attributes of a kind it does not take. typed: whether each column had a type."""
        kinds, name = self.accepts_with(self.get_params(deep=False)), type(self).__name__
        if rows.documents is not None and "documents" not in kinds:
            raise ValueError(f"{name} takes attributes; {rows.documents.name!r} is free text")
        if rows.names and not kinds & {"nominal", "numeric"}:
            raise ValueError(f"{name} takes documents only; {rows.names[0]!r} is not a text attribute")
        if rows.numeric_names and "numeric" not in kinds:
            settings = "".join(f", set {key}={value!r}" for key, value in self.numeric_settings())
            lost = "" if typed else ' (a transformer keeps the types of columns after set_output(transform="pandas"))'
            raise ValueError(
                f"{name} takes nominal attributes only and {rows.numeric_names[0]!r} is numeric: put lazybayes."
                f"Discretizer before it{settings}, or, if its numbers are names of values, make them categorical{lost}"
            )

    def _fit(self, rows: Rows, y: Ints) -> None:
        raise NotImplementedError

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        """(n, C) log scores (up to a constant per row) and diagnostics, each a number or (n,) one per row."""
        raise NotImplementedError
