"""The pair table equals counting by hand; P(value given class and parent), left out or not, equals refitting."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.counts import pairs, tables
from lazybayes.counts.pairs import given_value, leave_one_out_given_value, pair_tables
from lazybayes.counts.training import TrainingRows
from tests import references
from tests.drawn import SPECS, data_sets, for_classes, training_rows
from tests.references import Data, Spec


def prepared(data: Data, spec: Spec) -> tuple[Data, TrainingRows]:
    """The data in class order."""
    data = data.only(sorted(range(len(data.y)), key=lambda i: data.y[i]))
    return data, training_rows(data, spec)


def probability(spec: Spec, data: Data, j: int, v: int, c: int, condition: tuple[int, int] | None) -> float:
    know = [(row, y) for row, y in zip(data.rows, data.y, strict=True) if row[j] is not None]
    match = [row[j] for row, y in know if y == c and (condition is None or row[condition[0]] == condition[1])]
    n_jv = sum(row[j] == v for row, _ in know)
    return float(references.of_value(spec, match.count(v), len(match), n_jv, len(know), data.arity[j], c))


@pytest.mark.parametrize(("one_hot", "entries"), [(12, 1 << 22), (12, 1), (0, 1 << 22)])
@given(data_sets())
def test_pair_table_equals_counting(one_hot: int, entries: int, data: Data) -> None:
    data, training = prepared(data, Spec("laplace"))
    n_values = training.value_index.n_values
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "ONE_HOT", one_hot)
        patch.setattr(pairs, "TABLES", entries)
        patch.setattr(tables, "BLOCK", 16)
        blocks = list(pair_tables(training))
    attributes = [j for block, _, _ in blocks for j in range(block.start, block.stop)]
    assert attributes == list(data.attributes)
    for _, values, table in blocks:
        expected = np.zeros((values.stop - values.start, data.n_classes, n_values))
        for row, c in zip(training.ids.tolist(), data.y, strict=True):
            for u, v in product(row, row):
                if values.start <= u < values.stop and v < n_values:
                    expected[u - values.start, c, v] += 1
        assert (table == expected).all()


@settings(max_examples=60)
@given(data_sets(), st.sampled_from(SPECS))
def test_given_value_equals_the_estimate_over_matching_rows(data: Data, spec: Spec) -> None:
    spec = for_classes(spec, data.n_classes)
    data, training = prepared(data, spec)
    logs = given_value(training)
    value_of = [(j, v) for j, k in enumerate(data.arity) for v in range(k)]
    assert (logs[:, -1] == 0).all()
    for (at_v, (j, v)), c in product(enumerate(value_of), range(data.n_classes)):
        assert np.exp(logs[-1, at_v, c]) == pytest.approx(probability(spec, data, j, v, c, None), abs=1e-12)
        for at_u, (i, u) in enumerate(value_of):
            if i != j:
                assert np.exp(logs[at_u, at_v, c]) == pytest.approx(probability(spec, data, j, v, c, (i, u)), abs=1e-12)


@settings(max_examples=60)
@given(data_sets(max_rows=8, max_attributes=3), st.sampled_from(SPECS))
def test_left_out_it_equals_the_estimate_without_the_row(data: Data, spec: Spec) -> None:
    spec = for_classes(spec, data.n_classes)
    data, training = prepared(data, spec)
    ids, n_values = training.ids, training.value_index.n_values
    own, other = leave_one_out_given_value(training)
    for i, c in product(range(len(data.y)), range(data.n_classes)):
        table, row, rest = (own if data.y[i] == c else other), data.rows[i], data.without(i)
        for j in data.attributes:
            v = row[j]
            if v is None:
                continue
            for a in (None, *data.attributes):
                u = None if a is None or a == j else row[a]
                condition = None if a is None or u is None else (a, u)
                at = int(n_values if condition is None or a is None else ids[i, a])
                found = np.exp(table.values[at * (n_values + 1) + ids[i, j], c])
                assert found == pytest.approx(probability(spec, rest, j, v, c, condition), abs=1e-12)
