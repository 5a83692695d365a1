"""Every check that scikit-learn has for its own estimators, on every estimator of this project.

Its checks fit arrays of random numbers. A learner that takes nominal attributes only refuses them with one sentence;
each check that it fails so is made again with the same numbers as texts. What cannot pass even so is in `REASONS`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import estimator_checks, get_tags

from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.learners.registry import LEARNERS, make
from lazybayes.preprocess import Discretizer
from tests.learners import contract

ESTIMATORS: dict[str, Any] = {
    **{name: make(name, contract.given(name), seed=1) for name in LEARNERS},
    "naive-bayes, gaussian": NaiveBayes(numeric="gaussian"),
    "bagging of c45": make("bagging", {"base": "c45", "bags": 3}, seed=1),
    **{f"Discretizer, {method}": Discretizer(method) for method in ("mdl", "equal-width", "equal-frequency")},
}
"""Every public estimator, and those whose parameters change what they take."""

REFUSED = "takes nominal attributes only"

REASONS = {
    "check_estimators_dtypes": "it fits arrays of each type of number, however its texts are written",
    "check_positive_only_tag_during_fit": "it divides what it fits, which texts do not bear",
}
"""The checks that no learner of nominal attributes alone can pass."""

UNBOUND = "could be the class"
"""What a learner says whose attributes and classes are those of a file, of data that have others."""

every_estimator = pytest.mark.parametrize("name", ESTIMATORS)


class Codes(Discretizer):
    """The Discretizer with its bins as numbers, so that a check can subtract them."""

    def __init__(self, method: str = "mdl", bins: int = 10) -> None:
        super().__init__(method, bins)

    def transform(self, X: Any) -> pd.DataFrame:
        """The codes of the bins."""
        return super().transform(X).apply(lambda column: column.cat.codes.astype(float))


def results(estimator: BaseEstimator) -> dict[str, str]:
    """What became of each of scikit-learn's checks: "passed", or how it failed. One of a name may fail for all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = estimator_checks.check_estimator(estimator, on_skip=None, on_fail=None)
    found: dict[str, str] = {}
    for result in done:
        outcome = result["status"]
        if outcome != "passed":
            outcome += ": " + " ".join(str(error) for error in _chain(result["exception"]))
        if found.get(result["check_name"], "passed") == "passed":
            found[result["check_name"]] = outcome
    return found


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@contextmanager
def texts() -> Iterator[None]:
    """Within it the checks fit texts, a few different ones in each column."""

    def worded(X: NDArray[Any]) -> NDArray[Any]:
        return np.round(np.asarray(X) * 2).astype(int).astype(str).astype(object)

    def enforced(estimator: Any, X: Any, X_test: Any = None, **_: Any) -> Any:
        return worded(X) if X_test is None else (worded(X), worded(X_test))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimator_checks, "_enforce_estimator_tags_X", enforced)
        yield


def fallen(outcomes: dict[str, str]) -> dict[str, str]:
    """The checks that were not passed. One of the array API is skipped unless the environment asks for it."""
    return {
        check: outcome
        for check, outcome in outcomes.items()
        if outcome != "passed" and "SCIPY_ARRAY_API is not set" not in outcome
    }


@every_estimator
def test_scikit_learns_checks(name: str) -> None:
    estimator = ESTIMATORS[name]
    outcomes = results(estimator)
    if not get_tags(estimator).input_tags.two_d_array:  # the one reason that scikit-learn itself has to make no more
        assert get_tags(estimator).input_tags.one_d_array
        assert outcomes == {"check_estimator_cloneable": "passed"}
        return
    assert len(outcomes) > 40
    failed = fallen(outcomes)
    if isinstance(estimator, Discretizer):
        subtracted = "unsupported operand type(s) for -: 'str' and 'str'"  # the names of two bins
        assert {outcome.removeprefix("failed: ") for outcome in failed.values()} == {subtracted}
        assert not fallen(results(Codes(estimator.method)))
        return
    if "numeric" in estimator.accepts_with(estimator.get_params()):
        assert not failed
        return
    assert {check for check, outcome in failed.items() if REFUSED not in outcome and UNBOUND not in outcome} == set()
    with texts():
        again = {check: outcome for check, outcome in results(estimator).items() if check in failed}
    left = {check: outcome for check, outcome in fallen(again).items() if check not in REASONS}
    if "file" in estimator.parameters:
        left = {check: outcome for check, outcome in left.items() if UNBOUND not in outcome}
    assert not left


@every_estimator
@pytest.mark.parametrize(
    "check",
    [
        "check_estimator_cloneable",
        "check_estimator_repr",
        "check_estimator_tags_renamed",
        "check_valid_tag_types",
        "check_mixin_order",
        "check_no_attributes_set_in_init",
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_parameters_default_constructible",
        "check_get_params_invariance",
        "check_set_params",
    ],
)
def test_the_checks_that_fit_nothing_hold_for_documents_too(name: str, check: str) -> None:
    getattr(estimator_checks, check)(type(ESTIMATORS[name]).__name__, ESTIMATORS[name])


@every_estimator
def test_tags_say_what_is_taken(name: str) -> None:
    estimator = ESTIMATORS[name]
    tags = get_tags(estimator).input_tags
    assert tags.allow_nan
    assert tags.string
    assert not tags.sparse
    documents = not isinstance(estimator, Discretizer) and estimator.accepts == {"documents"}
    assert (tags.categorical, tags.two_d_array, tags.one_d_array) == (not documents, not documents, documents)
