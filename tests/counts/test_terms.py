"""Sums of terms equal leave-one-out scores, and what is taken out of a sum can be put back."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.counts.estimates import parse_estimate
from lazybayes.counts.scores import leave_one_out_tables
from lazybayes.counts.tables import ValueIndex, count
from lazybayes.counts.terms import Terms, leave_one_out_terms, leave_one_out_wrong, prior_terms, stack
from tests.drawn import SPECS, codes, data_sets, for_classes
from tests.references import Data, Spec, decide, leave_one_out


def all_terms(data: Data, spec: Spec) -> tuple[Data, np.ndarray, Terms, Terms]:  # type: ignore[type-arg]
    """The data in class order, where each class starts, the prior's terms and the attributes'."""
    data = data.only(sorted(range(len(data.y)), key=lambda i: data.y[i]))
    value_index = ValueIndex(np.array(data.arity, dtype=np.int64))
    ids, y = value_index.ids(codes(data.rows, len(data.arity))), np.array(data.y)
    starts = np.searchsorted(y, np.arange(data.n_classes + 1))
    estimate = parse_estimate(spec.config()).bind(tuple("abcd"[: data.n_classes]))
    tables = leave_one_out_tables(count(value_index, ids, y, data.n_classes), estimate)
    return data, starts, prior_terms(starts, tables), leave_one_out_terms(ids.T, starts, tables)


@settings(max_examples=150)
@given(data_sets(), st.sampled_from(SPECS), st.data())
def test_the_errors_of_any_set_of_attributes_are_those_of_refitting(
    data: Data, spec: Spec, draw: st.DataObject
) -> None:
    spec = for_classes(spec, data.n_classes)
    data, starts, prior, terms = all_terms(data, spec)
    chosen = [j for j in data.attributes if draw.draw(st.booleans())]
    sums = prior + terms.sum(axis=1)
    for j in data.attributes:
        if j not in chosen:
            sums = sums - terms[:, j]
    products = leave_one_out(spec, data, chosen)
    expected = [decide(p) != c for p, c in zip(products, data.y, strict=True)]
    assert leave_one_out_wrong(sums, prior, starts).tolist() == expected
    both = leave_one_out_wrong(stack([sums, sums]), prior, starts)
    assert both.tolist() == [expected, expected]


def test_a_probability_of_zero_can_be_taken_out_again() -> None:
    data = Data((2, 2), 2, ((0, 0), (1, 0), (0, 1), (1, 1)), (0, 0, 1, 1))
    _, _, prior, terms = all_terms(data, Spec("frequency"))
    assert np.isneginf((prior + terms.sum(axis=1)).scores()).any()
    back = prior + terms.sum(axis=1) - terms[:, 0] - terms[:, 1]
    np.testing.assert_allclose(back.scores(), prior.scores(), rtol=0, atol=1e-12)


def test_the_lowest_class_within_the_tie_is_decided_for() -> None:
    logs = np.array([[-1.0, -1.0, -1.0, -1.0], [-1.0 + 9e-10, -1.0 + 2e-9, -1.0 + 9e-10, -1.0 + 2e-9]])
    starts = np.array([0, 2, 4])  # two rows of each class
    assert leave_one_out_wrong(Terms(logs), Terms(logs), starts).tolist() == [False, True, True, False]
