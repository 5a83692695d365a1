"""From a user's DataFrame or array to the rows and classes a learner counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from lazybayes.counts.codes import Rows
from lazybayes.preprocess.columns import as_nominal, as_numbers, as_table

Labels = tuple[tuple[str, ...] | None, ...]


def as_rows(X: Any, estimator: Any = None) -> Rows:
    """Rows of a DataFrame or an array of shape (n, a); `Rows` pass through.

    A categorical column is nominal, its categories the declared values; a boolean one too, with False and True, and
    a column of texts or objects, with the values that occur there. A column of numbers is numeric. The attributes of
    an array are called x0, x1, ...

    Raises ValueError for a column of another type, an infinite number, or what is not an array of two dimensions;
    estimator: named in the messages.
    """
    if isinstance(X, Rows):
        return X
    table = as_table(X, estimator)
    labels: list[tuple[str, ...] | None] = []
    nominal: list[NDArray[Any]] = []
    numeric: list[NDArray[np.float64]] = []
    for position, name in enumerate(table.columns):
        column = table.iloc[:, position]
        values = as_nominal(name, column)
        if values is None:
            labels.append(None)
            numeric.append(as_numbers(name, column))
        else:
            labels.append(tuple(values.categories))
            nominal.append(values.codes)
    n = len(table)
    return Rows(tuple(table.columns), tuple(labels), _stack(nominal, n, np.int32), _stack(numeric, n, np.float64))


def align(rows: Rows, names: tuple[str, ...], labels: Labels) -> Rows:
    """The rows in the codes of the fitted labels; a value that was not declared there becomes missing.

    Raises ValueError if the attributes or their types are others.
    """
    if rows.names != names:
        raise ValueError(f"X has the attributes {list(rows.names)}; the learner was fitted on {list(names)}")
    if rows.labels == labels:
        return rows
    nominal = rows.nominal.copy()
    column = 0
    for name, given, fitted in zip(names, rows.labels, labels, strict=True):
        if (given is None) != (fitted is None):
            kinds = ("numeric", "nominal") if given is None else ("nominal", "numeric")
            raise ValueError(f"column {name!r} is {kinds[0]}; the learner was fitted on a {kinds[1]} one")
        if given is not None and fitted is not None:
            if given != fitted:
                code = {label: i for i, label in enumerate(fitted)}
                translate = np.array([*(code.get(label, -1) for label in given), -1], dtype=np.int32)
                nominal[:, column] = translate[rows.nominal[:, column]]
            column += 1
    return Rows(names, labels, nominal, rows.numeric)


def as_classes(y: Any) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """(n,) class codes and (C,) the declared classes: a categorical's categories, or the labels seen, sorted.

    y: (n,), or (n, 1) with scikit-learn's warning. Raises ValueError for another shape, a missing class, numbers that
    are not whole (scikit-learn's "continuous" targets), or labels that cannot be sorted.
    """
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        column_or_1d(y.to_numpy(), warn=True)
        y = y.iloc[:, 0]  # its column may be a categorical, which an array would lose
    values = getattr(y, "array", y)
    if isinstance(values, pd.Categorical):
        codes = np.asarray(values.codes, dtype=np.int32)
        classes = np.asarray(values.categories)
    else:
        labels = np.asarray(y)
        if labels.ndim != 1:
            labels = column_or_1d(labels, warn=True)
        if pd.isna(labels).any():
            raise ValueError("y has a missing class")
        try:
            if type_of_target(labels, input_name="y") == "continuous":
                check_classification_targets(labels)
            classes, inverse = np.unique(labels, return_inverse=True)
        except TypeError:
            raise ValueError("y mixes types of labels that cannot be sorted: make them all text") from None
        codes = inverse.astype(np.int32)
    if (codes < 0).any():
        raise ValueError("y has a missing class")
    if not len(codes):
        raise ValueError("y is empty: a learner needs at least one row")
    return codes, classes


def as_frame(rows: Rows) -> pd.DataFrame:
    """The rows as a DataFrame of categoricals and numbers, for estimators that are not this project's."""
    nominal, numeric = iter(rows.nominal.T), iter(rows.numeric.T)
    columns: list[Any] = [
        next(numeric) if labels is None else pd.Categorical.from_codes(next(nominal), _categories(labels))
        for labels in rows.labels
    ]
    frame = pd.DataFrame(dict(enumerate(columns)), index=range(len(rows)))
    frame.columns = pd.Index(rows.names)
    return frame


def _categories(labels: Sequence[str]) -> pd.Index:
    return pd.Index(labels, dtype=object)  # object: labels that look like numbers stay text


def _stack(columns: list[NDArray[Any]], n: int, dtype: Any) -> NDArray[Any]:
    return np.column_stack(columns).astype(dtype) if columns else np.empty((n, 0), dtype=dtype)
