"""Discretization as a scikit-learn transformer over DataFrames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from pandas.api import types
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from lazybayes.errors import nearest
from lazybayes.preprocess.bins import METHODS, assign, bin_labels, find_cuts
from lazybayes.preprocess.mdl import Floats, Ints


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Turns numeric columns into unordered categoricals of bins, such as `(-inf, 2.45]`; others pass untouched.

    The categories are the declared bins, seen or not, so a learner knows their number. A missing cell stays
    missing, a value beyond those fitted on falls in the end bin, and a column without a cut is one constant bin.
    Columns of booleans are nominal already and pass.

    Parameters
    ----------
    method : {"mdl", "equal-width", "equal-frequency"}
        Fayyad & Irani's entropy and minimum description length (needs y), edges of equal distance, quantiles.
    bins : int
        How many bins to make; mdl finds their number itself.

    Attributes
    ----------
    cuts_ : dict of str to ndarray of shape (n_cuts,)
        The rising cut points of each numeric column; a value equal to a cut belongs to the bin on its left.
    feature_names_in_ : ndarray of shape (n_features_in_,)
    n_features_in_ : int

    References
    ----------
    U. M. Fayyad, K. B. Irani: Multi-interval discretization of continuous-valued attributes for classification
    learning. IJCAI 1993.

    Examples
    --------
    >>> import pandas as pd
    >>> from lazybayes.preprocess import Discretizer
    >>> X = pd.DataFrame({"petal": [1.4, 1.3, 1.5, 1.4, 4.7, 4.5, 4.9, 4.0]})
    >>> y = ["setosa"] * 4 + ["versicolor"] * 4
    >>> Discretizer().fit_transform(X, y)["petal"].cat.categories.tolist()
    ['(-inf, 2.75]', '(2.75, inf)']
    """

    def __init__(self, method: str = "mdl", bins: int = 10) -> None:
        self.method = method
        self.bins = bins

    def fit(self, X: pd.DataFrame, y: ArrayLike | None = None) -> Discretizer:
        """Learns the cut points of the numeric columns of X (n rows); y: (n,) classes, needed by mdl alone.

        Raises TypeError if X is no DataFrame with text for column names, ValueError for what cannot be fitted.
        """
        if self.method not in METHODS:
            hint = nearest(str(self.method), METHODS)
            raise ValueError(f"method is one of {', '.join(METHODS)}, not {self.method!r}{hint}")
        if isinstance(self.bins, bool) or not isinstance(self.bins, int | np.integer) or self.bins < 1:
            raise ValueError(f"bins is a whole number of at least 1, not {self.bins!r}")
        _check_frame(X)
        if not len(X):
            raise ValueError("X has no rows: there is nothing to fit")
        codes = _class_codes(y, len(X)) if self.method == "mdl" else np.zeros(len(X), dtype=np.int64)
        self.cuts_ = {
            name: find_cuts(self.method, _numbers(X[name]), codes, int(self.bins))
            for name in X.columns
            if _is_numeric(X[name])
        }
        self.feature_names_in_ = np.array(X.columns, dtype=object)
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """X with its numeric columns as categoricals of bins, columns in the order of `fit`; X itself is not changed.

        Raises NotFittedError before `fit`, TypeError if X is no DataFrame, ValueError if its columns are not those
        of `fit`.
        """
        check_is_fitted(self)
        _check_frame(X)
        self._check_columns(X)
        result = X[list(self.feature_names_in_)].copy()
        for name, cuts in self.cuts_.items():
            codes = assign(_numbers(X[name]), cuts)
            result[name] = pd.Categorical.from_codes(codes, categories=pd.Index(bin_labels(cuts)))
        return result

    def _check_columns(self, X: pd.DataFrame) -> None:
        fitted = pd.Index(self.feature_names_in_)
        missing = [name for name in fitted if name not in X.columns]
        unknown = [name for name in X.columns if name not in fitted]
        if missing:
            raise ValueError(f"X lacks columns the discretizer was fitted on: {', '.join(missing)}")
        if unknown:
            raise ValueError(f"X has columns the discretizer was not fitted on: {', '.join(unknown)}")
        other = [name for name in self.cuts_ if not _is_numeric(X[name])]
        if other:
            raise ValueError(f"columns that were numeric in fit are not numeric: {', '.join(other)}")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.method == "mdl"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags


def _check_frame(X: Any) -> None:
    if not isinstance(X, pd.DataFrame):
        raise TypeError(f"X is a pandas DataFrame, not {type(X).__name__}: column types say what is numeric")
    if not all(isinstance(name, str) for name in X.columns):
        raise TypeError("the column names of X are text; others were found")
    repeated = X.columns[X.columns.duplicated()].tolist()
    if repeated:
        raise ValueError(f"column names of X stand more than once: {', '.join(repeated)}")


def _is_numeric(column: pd.Series) -> bool:
    return bool(types.is_numeric_dtype(column)) and not types.is_bool_dtype(column)


def _numbers(column: pd.Series) -> Floats:
    """(n,) float64, NaN = missing."""
    numbers: Floats = column.to_numpy(dtype=np.float64, na_value=np.nan)
    if np.isinf(numbers).any():
        raise ValueError(f"column {column.name} has infinite values: a bin needs finite ones")
    return numbers


def _class_codes(y: ArrayLike | None, n: int) -> Ints:
    """(n,) int64 codes of the classes."""
    if y is None:
        raise ValueError("method mdl needs the classes: y is missing")
    if np.shape(y) == (n, 1):
        y = y.iloc[:, 0] if isinstance(y, pd.DataFrame) else np.ravel(y)
    if np.shape(y) != (n,):
        raise ValueError(f"y must hold one class for each of the {n} rows of X, but its shape is {np.shape(y)}")
    codes: NDArray[np.int64] = pd.factorize(pd.Series(y))[0]
    if (codes < 0).any():
        raise ValueError(f"y has missing classes, the first in row {int(np.argmax(codes < 0))} (from 0)")
    return codes
