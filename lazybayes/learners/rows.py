"""From a user's DataFrame of categoricals to the rows and classes a learner counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from lazybayes.counts.codes import Rows

Labels = tuple[tuple[str, ...] | None, ...]


def as_rows(X: Any) -> Rows:
    """Rows of a DataFrame: a categorical column is nominal, its categories the declared values, a boolean one too, with
    False and True; a number column is numeric. `Rows` pass through.

    Raises TypeError for anything else, ValueError for a column of another type or an infinite number.
    """
    if isinstance(X, Rows):
        return X
    if not isinstance(X, pd.DataFrame):
        raise TypeError(f"X must be a pandas DataFrame whose nominal columns are categorical, not {type(X).__name__}")
    labels: list[tuple[str, ...] | None] = []
    nominal: list[NDArray[Any]] = []
    numeric: list[NDArray[np.float64]] = []
    for position, name in enumerate(X.columns):
        column = X.iloc[:, position]
        array = column.array  # the bare array: what a Series adds costs more than counting
        if pd.api.types.is_bool_dtype(array.dtype):
            array = pd.Categorical(array, categories=[False, True])
        if isinstance(array, pd.Categorical):
            labels.append(tuple(array.categories))
            nominal.append(array.codes)
        elif pd.api.types.is_numeric_dtype(column.dtype):
            labels.append(None)
            cells = column.to_numpy(dtype=np.float64, na_value=np.nan)
            if np.isinf(cells).any():
                raise ValueError(f"column {name!r} has an infinite number; numeric cells must be finite or missing")
            numeric.append(cells)
        else:
            raise ValueError(
                f"column {name!r} has the type {column.dtype}: make it categorical (nominal) or a number (numeric)"
            )
    return Rows(tuple(X.columns), tuple(labels), _stack(nominal, len(X), np.int32), _stack(numeric, len(X), np.float64))


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

    y: (n,) or (n, 1). Raises ValueError for another shape, a missing class, numbers that are not whole (scikit-learn's
    "continuous" targets), or labels that cannot be sorted.
    """
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]  # its column may be a categorical, which an array would lose
    values = getattr(y, "array", y)
    if isinstance(values, pd.Categorical):
        codes = np.asarray(values.codes, dtype=np.int32)
        classes = np.asarray(values.categories)
    else:
        labels = np.asarray(y)
        if labels.ndim != 1 and labels.shape[1:] != (1,):
            raise ValueError(f"y must be one column of classes, not an array of shape {labels.shape}")
        labels = labels.ravel()
        if pd.isna(labels).any():
            raise ValueError("y has a missing class")
        try:
            if type_of_target(labels) == "continuous":
                raise ValueError("y has numbers that are not whole: those are no classes")
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
