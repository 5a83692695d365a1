"""Scores over arcs equal the product of each value's probability given class and parent, found by counting."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.counts.arcs import Arcs
from lazybayes.counts.scores import log_scores, log_tables
from tests import references
from tests.drawn import SPECS, codes, for_classes, training_rows, with_tests
from tests.references import Data, Spec, Value

Drawn = tuple[Data, list[tuple[Value, ...]]]


def probability(spec: Spec, data: Data, j: int, v: int, c: int, parent: int, u: Value) -> float:
    know = [(row, y) for row, y in zip(data.rows, data.y, strict=True) if row[j] is not None]
    match = [row[j] for row, y in know if y == c and (u is None or row[parent] == u)]
    n_jv = sum(row[j] == v for row, _ in know)
    return float(references.of_value(spec, match.count(v), len(match), n_jv, len(know), data.arity[j], c))


@settings(max_examples=100)
@given(with_tests(), st.sampled_from(SPECS), st.data())
def test_equals_counting(drawn: Drawn, spec: Spec, draw: st.DataObject) -> None:
    data, tests = drawn
    spec = for_classes(spec, data.n_classes)
    a = len(data.arity)
    others = [[-1, *(i for i in data.attributes if i != j)] for j in data.attributes]
    parents = np.array([draw.draw(st.sampled_from(choice)) for choice in others], dtype=np.int64)
    training = training_rows(data, spec)
    arcs = Arcs(training.value_index, parents)
    found = log_scores(arcs.places(training.value_index.ids(codes(tests, a))), arcs.log_tables(training))
    prior = np.exp(log_tables(training.counts, training.estimate).prior)
    for scores, row in zip(found, tests, strict=True):
        for c, score in enumerate(scores):
            expected = prior[c]
            for j, v in enumerate(row):
                if v is not None:
                    parent = int(parents[j])
                    expected *= probability(spec, data, j, v, c, parent, None if parent < 0 else row[parent])
            np.testing.assert_allclose(np.exp(score), expected, rtol=1e-9, atol=1e-300)
