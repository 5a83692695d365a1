"""The most frequent class: what every classifier must beat."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.utils import Tags

from lazybayes.counts.codes import Rows
from lazybayes.learners.base import Floats, Ints, Learner


class Majority(Learner):
    """The most frequent class, whatever the attributes; a baseline.

    P(c) = (n_c + 1) / (n + C), with n_c of the n training rows in class c of the C declared ones. A tie goes to the
    first declared class.

    Attributes
    ----------
    class_count_ : ndarray of shape (C,)
        Training rows per class.
    class_log_prior_ : ndarray of shape (C,)
        ln P(c).

    References
    ----------
    Holte, R. C. (1993). Very simple classification rules perform well on most commonly used datasets. Machine Learning
    11, 63-91 (there as 0R).

    Examples
    --------
    >>> Majority().fit([["weak"], ["strong"], ["weak"]], ["yes", "no", "yes"]).predict_proba([["strong"]])
    array([[0.4, 0.6]])
    """

    accepts = frozenset({"nominal", "numeric", "documents"})
    missing = "a missing cell does not matter: no attribute is used"
    paper = "Holte 1993 (0R)"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        assert tags.classifier_tags is not None
        tags.classifier_tags.poor_score = True
        return tags

    def _fit(self, rows: Rows, y: Ints) -> None:
        n_classes = len(self.classes_)
        self.class_count_ = np.bincount(y, minlength=n_classes).astype(np.float64)
        self.class_log_prior_: Floats = np.log((self.class_count_ + 1) / (len(y) + n_classes))

    def _scores(self, rows: Rows) -> tuple[Floats, Mapping[str, float | Floats]]:
        return np.tile(self.class_log_prior_, (len(rows), 1)), {}
