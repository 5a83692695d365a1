"""What a user may pass as X: a DataFrame, or an array, and what kind of attribute each of its columns is."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types
from sklearn.utils import check_array

DATES = ("date", "datetime", "datetime64", "time", "timedelta", "timedelta64", "period", "interval")
"""What pandas calls the cells of an object column that are neither texts nor numbers."""


def as_table(X: Any, estimator: Any = None) -> pd.DataFrame:
    """X as a DataFrame: a DataFrame passes, the columns of an array of shape (n, a) are called x0, x1, ...

    A list of lists is an array of objects if any of its cells is a text. Raises ValueError or TypeError, in
    scikit-learn's words, for what is not an array of two dimensions.
    """
    if isinstance(X, pd.DataFrame):
        return X
    if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
        X = np.asarray(X, dtype=object)  # as texts, its missing cells would be values
    array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=0, estimator=estimator)
    return pd.DataFrame(array, columns=[f"x{column}" for column in range(array.shape[1])])


def as_nominal(name: Hashable, column: pd.Series) -> pd.Categorical | None:
    """The values of a nominal column, or None if it is numeric.

    A categorical keeps its categories and a boolean column has False and True; the categories of objects and texts are
    the values that stand there, sorted where they can be. Raises ValueError for dates, times and other types.
    """
    array = column.array  # the bare array: what a Series adds costs more than counting
    if isinstance(array, pd.Categorical):
        return array
    if types.is_bool_dtype(array.dtype):
        return pd.Categorical(array, categories=[False, True])
    if types.is_numeric_dtype(array.dtype) and not types.is_complex_dtype(array.dtype):
        return None
    if not (types.is_object_dtype(array.dtype) or types.is_string_dtype(array.dtype)):
        raise _unusable(name, str(column.dtype))
    if types.is_object_dtype(array.dtype) and (cells := types.infer_dtype(column, skipna=True)) in DATES:
        raise _unusable(name, cells)
    try:
        return pd.Categorical(array)
    except TypeError:
        raise ValueError(
            f"column {name!r} has cells that are neither texts nor numbers, such as a list or a dict"
        ) from None


def as_numbers(name: Hashable, column: pd.Series) -> NDArray[np.float64]:
    """(n,) the cells of a numeric column, NaN = missing. Raises ValueError for an infinite one."""
    numbers: NDArray[np.float64] = column.to_numpy(dtype=np.float64, na_value=np.nan)
    if np.isinf(numbers).any():
        raise ValueError(f"column {name!r} has an infinite number; numeric cells must be finite or missing")
    return numbers


def _unusable(name: Hashable, type_name: str) -> ValueError:
    return ValueError(
        f"column {name!r} has the type {type_name}, which is neither nominal nor numeric: replace it by numbers (for a "
        "date, its days since a first one), make it text (for a date, its month or weekday), or drop it"
    )
