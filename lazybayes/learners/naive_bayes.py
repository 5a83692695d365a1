"""Naive Bayes (Zheng & Webb 2000, eq. 1-2; Mitchell 6.9; Tan, Steinbach & Kumar 5.3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lazybayes.counts.codes import Rows
from lazybayes.counts.estimates import parse_estimate
from lazybayes.counts.gaussian import fit_gaussian
from lazybayes.counts.scores import fall_back_to_prior, log_scores, log_tables
from lazybayes.counts.tables import ValueIndex, count
from lazybayes.learners.base import Explanation, Learner
from lazybayes.learners.parameters import EstimateOf, OneOf, Optional, Parameters

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


class NaiveBayes(Learner):
    """Naive Bayes over nominal attributes, and numeric ones by normal densities.

    P(c | row) is proportional to P(c) times the product over the known attributes of P(v | c).

    Parameters
    ----------
    estimate : str or mapping, default "m-estimate"
        How counts become P(v | c): see `lazybayes.counts.estimates`.
    class_prior : str, optional
        ``laplace`` or ``frequency`` (n_c / n); by default the estimate's own: Laplace for all but the estimates
        ``frequency`` (n_c / n) and ``dirichlet`` ((n_c + alpha) / (n + alpha C)).
    numeric : str, default "none"
        ``gaussian`` takes numeric attributes by class-conditional normal densities.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"wind": pd.Categorical(["weak", "strong", "weak"])})
    >>> NaiveBayes(estimate="laplace").fit(X, ["yes", "no", "yes"]).predict(X).tolist()
    ['yes', 'no', 'yes']
    """

    parameters: ClassVar[Parameters] = {
        "estimate": EstimateOf(),
        "class_prior": Optional(
            OneOf(("laplace", "frequency")), "laplace, but the estimates frequency and dirichlet bring their own"
        ),
        "numeric": OneOf(("none", "gaussian")),
    }
    diagnostics: ClassVar[Mapping[str, str]] = {
        "prior_answered": "rows for which every class had probability 0, answered by the class prior"
    }
    explains = True
    paper = "Zheng & Webb 2000, eq. 1-2; Tan, Steinbach & Kumar section 5.3.3 (gaussian: eq. 5.16)"

    def __init__(self, estimate: Any = "m-estimate", class_prior: str | None = None, numeric: str = "none") -> None:
        self.estimate = estimate
        self.class_prior = class_prior
        self.numeric = numeric

    @classmethod
    def accepts_with(cls, params: Mapping[str, Any]) -> frozenset[str]:
        """Numeric attributes too with ``numeric: gaussian``."""
        return cls.accepts | {"numeric"} if params.get("numeric") == "gaussian" else cls.accepts

    def _fit(self, rows: Rows, y: Ints) -> None:
        estimate = parse_estimate(self.estimate).bind(self._class_names(), self.class_prior)
        self.value_index_ = ValueIndex(rows.arity)
        self.counts_ = count(self.value_index_, self.value_index_.ids(rows.nominal), y, len(self.classes_))
        self.log_tables_ = log_tables(self.counts_, estimate)
        self.gaussian_ = fit_gaussian(rows.numeric, y, len(self.classes_))

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float]]:
        scores = log_scores(self.value_index_.ids(rows.nominal), self.log_tables_)
        if rows.numeric.shape[1]:
            scores += self.gaussian_.log_density(rows.numeric).sum(axis=2)
        return scores, {"prior_answered": float(fall_back_to_prior(scores, self.log_tables_.prior))}

    def explain(self, X: Any, row: int) -> Explanation:
        """How row number `row` of X, (n, a), from 0, is classified: the factor of each of its known attributes."""
        rows = self._row(X, row)
        tables = self.log_tables_
        nominal, numeric = iter(self.value_index_.ids(rows.nominal)[0]), iter(rows.numeric[0])
        density = iter(self.gaussian_.log_density(rows.numeric)[0].T)
        codes = iter(rows.nominal[0])
        factors = []
        for name, labels in zip(rows.names, rows.labels, strict=True):
            if labels is None:
                value, factor = next(numeric), next(density)
                if not np.isnan(value):
                    factors.append((name, repr(float(value)), factor))
            else:
                code, value_id = next(codes), next(nominal)
                if code >= 0:
                    factors.append((name, str(labels[code]), tables.values[value_id]))
        posterior = self.predict_proba(rows)[0]
        everything = np.arange(int(self.counts_.classes.sum()))
        return Explanation(
            self._class_names(), (), everything, self.counts_.classes, tables.prior, tuple(factors), posterior
        )
