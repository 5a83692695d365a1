"""BSE and BSEJ against a search that refits for every candidate and every row left out."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.learners import selective
from lazybayes.learners.selective import BackwardElimination, BackwardEliminationAndJoining
from tests.drawn import SPECS, as_classes, as_rows, entangled, for_classes, with_tests
from tests.references import Data, Spec, Value, decide, joint, leave_one_out, normalized

Column = tuple[Value, ...]
Columns = dict[int, tuple[int, Column, Column]]  # place -> declared values, training cells, test cells
Action = tuple[int, ...]


def product(left: Column, right: Column, k: int) -> Column:
    return tuple(None if u is None or v is None else u * k + v for u, v in zip(left, right, strict=True))


def joined(columns: Columns, i: int, j: int) -> Columns:
    (k_i, train_i, test_i), (k_j, train_j, test_j) = columns[i], columns[j]
    both = (k_i * k_j, product(train_i, train_j, k_j), product(test_i, test_j, k_j))
    return {place: both if place == i else column for place, column in columns.items() if place != j}


def as_data(columns: Columns, data: Data) -> Data:
    rows = tuple(tuple(cells[r] for _, cells, _ in columns.values()) for r in range(len(data.y)))
    return Data(tuple(k for k, _, _ in columns.values()), data.n_classes, rows, data.y)


def errors(spec: Spec, columns: Columns, data: Data) -> int:
    fitted = leave_one_out(spec, as_data(columns, data))
    return sum(decide(products) != c for products, c in zip(fitted, data.y, strict=True))


def search(
    spec: Spec, data: Data, tests: list[tuple[Value, ...]], joining: bool, last: bool = False
) -> tuple[list[tuple[Action, int]], list[list[float]]]:
    """The steps (places, errors after), and the class probabilities of the test rows."""
    columns: Columns = {
        j: (data.arity[j], tuple(row[j] for row in data.rows), tuple(row[j] for row in tests)) for j in data.attributes
    }
    now, steps = errors(spec, columns, data), []
    while columns:
        candidates: list[tuple[Action, Columns]] = [
            ((j,), {place: column for place, column in columns.items() if place != j}) for j in columns
        ]
        if joining:
            candidates += [((i, j), joined(columns, i, j)) for i in columns for j in columns if i < j]
        best, best_columns, fewest = None, columns, now
        for action, candidate in candidates:
            found = errors(spec, candidate, data)
            if found < fewest or (last and best is not None and found == fewest):
                best, best_columns, fewest = action, candidate, found
        if best is None:
            break
        columns, now = best_columns, fewest
        steps.append((best, now))
    fitted = as_data(columns, data)
    cells = [tuple(test[r] for _, _, test in columns.values()) for r in range(len(tests))]
    return steps, [normalized(joint(spec, fitted, row, fitted.attributes)[0]) for row in cells]


def check(spec: Spec, data: Data, tests: list[tuple[Value, ...]], joining: bool, last: bool = False) -> int:
    config, ties = spec.config(), "last" if last else "first"
    learner = BackwardEliminationAndJoining(config, ties) if joining else BackwardElimination(config)
    learner.fit(as_rows(data), as_classes(data))
    steps, proba = search(spec, data, tests, joining, last)
    # a factor's place is that of its first column
    assert [(tuple(columns[0] for columns in step.factors), step.errors) for step in learner.steps_] == steps
    np.testing.assert_allclose(learner.predict_proba(as_rows(data, tests)), proba, rtol=0, atol=1e-9)
    return len(steps)


@settings(max_examples=150)
@given(with_tests(max_rows=9), st.sampled_from(SPECS), st.sampled_from(((False, False), (True, False), (True, True))))
def test_equals_refitting_for_every_candidate(
    drawn: tuple[Data, list[tuple[Value, ...]]], spec: Spec, search: tuple[bool, bool]
) -> None:
    data, tests = drawn
    check(for_classes(spec, data.n_classes), data, tests, *search)


@pytest.mark.parametrize("seed", range(6))
def test_equals_refitting_where_steps_pay(seed: int) -> None:
    random = Random(seed)
    data = entangled(random, 24)
    tests = [tuple(random.choice([None, *range(k)]) for k in data.arity) for _ in range(10)]
    assert check(Spec("m-estimate"), data, tests, joining=True) > 0
    assert check(Spec("m-estimate"), data, tests, joining=True, last=True) > 0


def test_remembering_pairs_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    datas = [entangled(random, 60) for _ in range(5)]

    def described() -> list[str]:
        fitted = [BackwardEliminationAndJoining().fit(as_rows(data), as_classes(data)) for data in datas]
        return [learner.describe() for learner in fitted]

    remembered = described()
    assert any("join" in text for text in remembered)
    monkeypatch.setattr(selective, "REMEMBERED", 0)
    assert described() == remembered


def xor_and_copies() -> Data:
    """The class is a xor b; c copies a: 4 rows of each of the 4 combinations."""
    rows = tuple((a, b, a) for a in (0, 1) for b in (0, 1) for _ in range(4))
    return Data((2, 2, 2), 2, rows, tuple(int(row[0]) ^ int(row[1]) for row in rows))  # type: ignore[arg-type]


def test_bsej_joins_what_belongs_together_and_the_first_pair_wins() -> None:
    data = xor_and_copies()
    learner = BackwardEliminationAndJoining().fit(as_rows(data), as_classes(data))
    assert learner.steps_[0].factors == ((0,), (1,))  # (0, 1) and (1, 2) are equally good
    assert BackwardEliminationAndJoining(ties="last").fit(as_rows(data), as_classes(data)).steps_[0].factors == (
        (1,),
        (2,),
    )
    assert learner.steps_[-1].errors == 0
    assert (learner.predict(as_rows(data)) == as_classes(data)).all()


def test_deletes_down_to_none_if_that_pays() -> None:
    data = Data((2,), 2, ((0,), (1,), (1,)), (0, 0, 1))  # the last two rows, left out, look like each other
    learner = BackwardElimination(estimate="laplace").fit(as_rows(data), as_classes(data))
    assert learner.factors_ == ()
    assert learner.predict_proba(as_rows(data, [(1,), (None,)])).tolist() == [pytest.approx([3 / 5, 2 / 5])] * 2
    assert learner.describe().endswith("Attributes: none, so the class prior decides")


def test_pairs_of_values_that_no_training_row_has_share_one_code() -> None:
    factor = selective.Factor((0,), 3.0, 3)
    other = selective.Factor((1,), 3.0, 3)
    both = selective.Factor((0, 1), 9.0, 4, (factor, other), np.array([0, 4, 8]))
    assert both.codes(np.array([[0, 0], [1, 1], [2, 2], [0, 1], [-1, 1], [2, -1]])).tolist() == [0, 1, 2, 3, -1, -1]


@pytest.mark.parametrize("learner", [BackwardElimination(), BackwardEliminationAndJoining()])
def test_says_what_it_kept(learner: BackwardElimination) -> None:
    data = xor_and_copies()
    learner.fit(as_rows(data), as_classes(data))
    answer = learner.answer(as_rows(data))
    assert set(answer.diagnostics) == set(learner.diagnostics)
    assert answer.diagnostics["attributes"] == len(learner.factors_)
    assert learner.describe().startswith("Leave-one-out errors on 16 training rows with all attributes: ")
