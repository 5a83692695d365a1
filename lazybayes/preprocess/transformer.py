"""Discretization as a scikit-learn transformer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from pandas.api import types
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from lazybayes.messages import nearest
from lazybayes.preprocess.bins import assign, bin_labels, find_cuts
from lazybayes.preprocess.columns import as_nominal, as_numbers, as_table
from lazybayes.preprocess.mdl import Ints
from lazybayes.vocabulary import DISCRETIZERS


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Turns numeric columns into unordered categoricals of bins, such as `(-inf, 2.45]`, and texts into categoricals.

    The categories are the declared bins, seen or not, so a learner knows their number. A missing cell stays
    missing, a value beyond those fitted on falls in the end bin, and a column without a cut is one constant bin.
    The categories of a column of texts or objects are the values of the rows fitted on; another value becomes missing.
    Columns of categories or booleans are nominal already and pass untouched. An array gives a DataFrame, too.

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
    categories_ : dict of str to Index
        The values of each column of texts or objects.
    names_ : tuple of str
        The columns' names; those of an array are x0, x1, ...
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Of a DataFrame only.
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

    def fit(self, X: Any, y: ArrayLike | None = None) -> Discretizer:
        """Learns the cut points of the numeric columns of X, a DataFrame or an array of shape (n, a).

        y: (n,) classes, needed by mdl alone. Raises ValueError for what cannot be fitted.
        """
        if self.method not in DISCRETIZERS:
            hint = nearest(str(self.method), DISCRETIZERS)
            raise ValueError(f"method is one of {', '.join(DISCRETIZERS)}, not {self.method!r}{hint}")
        if isinstance(self.bins, bool) or not isinstance(self.bins, int | np.integer) or self.bins < 1:
            raise ValueError(f"bins is a whole number of at least 1, not {self.bins!r}")
        table = self._table(X)
        if not len(table):
            raise ValueError("X has no rows: there is nothing to fit")
        codes = _class_codes(y, len(table)) if self.method == "mdl" else np.zeros(len(table), dtype=np.int64)
        cuts, categories = {}, {}
        for name, column in table.items():
            values = as_nominal(name, column)
            if values is None:
                cuts[name] = find_cuts(self.method, as_numbers(name, column), codes, int(self.bins))
            elif not _declares_values(column):
                categories[name] = values.categories
        validate_data(self, X, y, reset=True, skip_check_array=True)
        self.cuts_, self.categories_ = cuts, categories
        self.names_ = tuple(table.columns)
        return self

    def transform(self, X: Any) -> pd.DataFrame:
        """X as a DataFrame, its numeric columns as categoricals of bins, its texts as categoricals; X is not changed.

        Raises NotFittedError before `fit`, ValueError if the columns are not those of `fit`.
        """
        check_is_fitted(self)
        table = self._table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        result = table.set_axis(list(self.names_), axis=1)
        for name, cuts in self.cuts_.items():
            if as_nominal(name, result[name]) is not None:
                raise ValueError(f"column {name!r} was numeric in fit and is nominal here")
            bins = assign(as_numbers(name, result[name]), cuts)
            result[name] = pd.Categorical.from_codes(bins, categories=pd.Index(bin_labels(cuts)))
        for name, categories in self.categories_.items():
            values = as_nominal(name, result[name])
            if values is None:
                raise ValueError(f"column {name!r} was nominal in fit and is numeric here")
            result[name] = values.set_categories(categories)
        return result

    def _table(self, X: Any) -> pd.DataFrame:
        table = as_table(X, self)
        repeated = table.columns[table.columns.duplicated()].tolist()
        if repeated:
            raise ValueError(f"column names of X stand more than once: {', '.join(map(str, repeated))}")
        return table

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.method == "mdl"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        assert tags.transformer_tags is not None
        tags.transformer_tags.preserves_dtype = []
        return tags


def _declares_values(column: pd.Series) -> bool:
    """Whether a nominal column's type says which values there are."""
    return isinstance(column.dtype, pd.CategoricalDtype) or types.is_bool_dtype(column.dtype)


def _class_codes(y: ArrayLike | None, n: int) -> Ints:
    """(n,) int64 codes of the classes."""
    if y is None:
        raise ValueError(
            "This Discretizer estimator requires y to be passed, but the target y is None: method mdl needs the classes"
        )
    labels = np.asarray(y)
    if labels.shape == (n, 1):
        labels = labels.ravel()
    if labels.shape != (n,):
        raise ValueError(f"y must hold one class for each of the {n} rows of X, but its shape is {labels.shape}")
    codes: NDArray[np.int64] = pd.factorize(labels)[0]
    if (codes < 0).any():
        raise ValueError(f"y has missing classes, the first in row {int(np.argmax(codes < 0))} (from 0)")
    return codes
