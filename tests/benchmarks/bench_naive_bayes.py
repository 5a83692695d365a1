"""Naive Bayes against scikit-learn's CategoricalNB: CPU seconds of fit and predict_proba over all rows.

Both count the same codes (numeric attributes in MDL bins, missing cells as modes) with Laplace's estimate. Ours takes
them as the runner hands them over, and, as a second line, as a DataFrame of categoricals, its public form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from harness import Figure, cpu_seconds, load, missing_data
from sklearn.naive_bayes import CategoricalNB

from lazybayes import NaiveBayes
from lazybayes.experiment import Preprocess
from lazybayes.learners.rows import as_frame
from lazybayes.preprocess.pipeline import fit_preprocess

NAMES = ("letter", "mushroom", "splice")


def figures(fast: bool) -> Iterator[Figure]:
    """Two figures for each data set."""
    for name in NAMES:
        lacking = missing_data(name)
        if lacking:
            print(f"naive Bayes {lacking}")
        else:
            yield from _figures(name, 5 if fast else 21)


def _figures(name: str, reps: int) -> Iterator[Figure]:
    table = load(name)
    everything = np.arange(table.n_rows)
    rows = fit_preprocess(Preprocess(impute="mode-mean"), table, everything).transform(table, everything)
    y = pd.Categorical.from_codes(table.y, list(table.target.values))
    codes = rows.nominal.astype(np.int64)  # what CategoricalNB would make of it itself
    frame = as_frame(rows)

    def peer() -> np.ndarray:
        return CategoricalNB(min_categories=rows.arity).fit(codes, table.y).predict_proba(codes)

    def ours(X: object) -> Callable[[], np.ndarray]:
        return lambda: NaiveBayes(estimate="laplace").fit(X, y).predict_proba(X)

    seconds = cpu_seconds(peer, reps=reps)
    for form, X in (("codes", rows), ("DataFrame", frame)):
        own = cpu_seconds(ours(X), reps=reps)
        yield Figure(
            f"naive Bayes {name}, fit + predict_proba, {form}",
            f"{1000 * own:.1f} ms",
            f"CategoricalNB {1000 * seconds:.1f} ms",
            own / seconds,
            "of its time",
            1.0,
        )
