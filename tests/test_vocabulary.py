"""Each name of the vocabulary is carried out somewhere, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from lazybayes import vocabulary
from lazybayes.config import load_config
from lazybayes.counts.estimates import KINDS
from lazybayes.metrics.auc import RULES
from lazybayes.preprocess.bins import find_cuts
from lazybayes.report.files import SUFFIXES
from lazybayes.report.formats import FORMATS


def test_estimates_auc_rules_and_formats_are_those_that_have_a_function() -> None:
    assert tuple(KINDS) == vocabulary.ESTIMATES
    assert tuple(RULES) == vocabulary.AUC_RULES
    assert tuple(FORMATS) == tuple(SUFFIXES) == vocabulary.FORMATS


@pytest.mark.parametrize("method", vocabulary.DISCRETIZERS)
def test_a_discretizer_cuts_two_classes_that_a_number_parts(method: str) -> None:
    x, y = np.arange(40.0), np.repeat(np.array([0, 1], dtype=np.int32), 20)
    assert find_cuts(method, x, y, 2).tolist() == [19.5]


def test_a_config_accepts_every_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    names = [
        f"  {impute} {discretize} {fit}: {{learner: naive-bayes, "
        f"preprocess: {{impute: {impute}, discretize: {discretize}, fit: {fit}}}}}"
        for impute in vocabulary.IMPUTATIONS
        for discretize in (*vocabulary.DISCRETIZERS, "none")
        for fit in vocabulary.FIT_ROWS
    ]
    path = tmp_path / "c.yaml"
    path.write_text("\n".join(["datasets: [wine]", "algorithms:", *names]))
    assert len(load_config(str(path)).algorithms) == 2 * 4 * 2
