"""The older Weka's estimate of leaves by which the CLLTree paper's records of C4.4 and C4.5-L come about."""

from __future__ import annotations

import numpy as np

from tests.regression.old_laplace import old_estimate


def test_classes_that_do_not_occur_at_a_leaf_are_not_counted_below_the_line() -> None:
    """So the values sum to more than 1 where a class is absent; a leaf without rows has 1/C."""
    found = old_estimate(np.array([[3.0, 1.0, 0.0], [2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(found, [[4 / 6, 2 / 6, 1 / 6], [1 / 3] * 3, [1 / 3] * 3], rtol=1e-15)
