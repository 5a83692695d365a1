"""Fitted on training rows, applied to any: what a learner sees of a table."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from lazybayes.data.table import Attribute, Column, Table
from lazybayes.errors import DataError
from lazybayes.experiment import Preprocess
from lazybayes.preprocess.bins import equal_frequency_cuts, equal_width_cuts
from lazybayes.preprocess.mdl import mdl_cuts
from lazybayes.preprocess.pipeline import fit_preprocess

NAN = math.nan
COLOUR = Attribute("colour", "nominal", ("red", "green", "blue"))
V, W = Attribute("v", "numeric"), Attribute("w", "numeric")
BOTH = ("mdl", "equal-width", "equal-frequency")


def table(y: list[int], **columns: tuple[Attribute, list]) -> Table:  # type: ignore[type-arg]
    def cells(attribute: Attribute, values: list) -> Column:  # type: ignore[type-arg]
        return np.array(values, dtype={"nominal": np.int32, "numeric": np.float64}.get(attribute.kind, object))

    return Table(
        name="toy",
        attributes=tuple(attribute for attribute, _ in columns.values()),
        columns=tuple(cells(*pair) for pair in columns.values()),
        target=Attribute("class", "nominal", ("n", "p")),
        y=np.array(y, dtype=np.int32),
        index=np.arange(len(y)),
    )


# rows 0-7 train, rows 8-11 test: beyond the ends, missing, on the cut
OUTSIDE = table(
    [0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1],
    v=(V, [1.0, 2.0, 1.5, 2.5, 8.0, 9.0, 8.5, 9.5, 1000.0, -1000.0, NAN, 5.25]),
    colour=(COLOUR, [0, 0, 1, 0, 1, 1, 0, 1, 0, 1, -1, 1]),
)
TRAIN, TEST = np.arange(8), np.arange(8, 12)


def test_cuts_come_from_training_rows_and_code_test_rows() -> None:
    fitted = fit_preprocess(Preprocess(), OUTSIDE, TRAIN)
    rows = fitted.transform(OUTSIDE, TEST)
    assert rows.names == ("v", "colour")
    assert rows.labels == (("(-inf, 5.25]", "(5.25, inf)"), ("red", "green", "blue"))
    assert rows.nominal.tolist() == [[1, 0], [0, 1], [-1, -1], [0, 1]]
    assert rows.nominal.dtype == np.int32
    assert rows.numeric.shape == (4, 0)
    assert fitted.notices == ()


@pytest.mark.parametrize("impute", ["none", "mode-mean"])
@pytest.mark.parametrize("discretize", [*BOTH, "none"])
def test_test_rows_never_move_what_was_learnt(impute: str, discretize: str) -> None:
    spec = Preprocess(impute, discretize, bins=3)
    v, b = OUTSIDE.columns[0].copy(), OUTSIDE.columns[1].copy()
    v[8:], b[8:] = [3.0, NAN, 77.0, -4.0], [2, 2, 2, 2]
    other = replace(OUTSIDE, columns=(v, b), y=np.where(np.arange(12) < 8, OUTSIDE.y, 1 - OUTSIDE.y))
    one, two = fit_preprocess(spec, OUTSIDE, TRAIN), fit_preprocess(spec, other, TRAIN)
    for positions in (TRAIN, TEST):
        rows, again = one.transform(OUTSIDE, positions), two.transform(OUTSIDE, positions)
        assert rows.labels == again.labels
        np.testing.assert_array_equal(rows.nominal, again.nominal)
        np.testing.assert_array_equal(rows.numeric, again.numeric)


def test_training_rows_may_come_in_any_order_and_with_gaps() -> None:
    for rows in ([0, 1, 2, 4, 5, 7], [5, 0, 2, 7, 4, 1]):
        cuts = fit_preprocess(Preprocess(), OUTSIDE, np.array(rows)).steps[0].cuts
        assert cuts is not None
        assert cuts.tolist() == [5.0]  # midway between 2.0 and 8.0


@pytest.mark.parametrize(
    ("discretize", "find"),
    [
        ("mdl", lambda v: mdl_cuts(v, OUTSIDE.y)),
        ("equal-width", lambda v: equal_width_cuts(v, 7)),
        ("equal-frequency", lambda v: equal_frequency_cuts(v, 7)),
    ],
)
def test_all_rows_fits_on_all_and_says_that_it_leaks(discretize: str, find) -> None:  # type: ignore[no-untyped-def]
    fitted = fit_preprocess(Preprocess(discretize=discretize, bins=7, fit="all-rows"), OUTSIDE, TRAIN)
    assert fitted.steps[0].cuts is not None
    assert fitted.steps[0].cuts.tolist() == find(OUTSIDE.columns[0]).tolist()
    (notice,) = fitted.notices
    assert "leak" in notice
    assert discretize in notice
    assert "imputation" not in notice


def test_all_rows_names_what_leaks() -> None:
    numbers = table([0, 1, 0], v=(V, [1.0, 2.0, NAN]))
    names = table([0, 1, 0], colour=(COLOUR, [1, -1, 1]))
    full = table([0, 1, 0], colour=(COLOUR, [1, 0, 1]))

    def notices(data: Table, impute: str, discretize: str) -> tuple[str, ...]:
        return fit_preprocess(Preprocess(impute, discretize, fit="all-rows"), data, np.array([0])).notices

    (both,) = notices(numbers, "mode-mean", "equal-width")
    assert "imputation and equal-width" in both
    (imputation,) = notices(names, "mode-mean", "equal-width")
    assert "imputation" in imputation
    assert "equal-width" not in imputation
    assert notices(numbers, "none", "none") == ()
    assert notices(names, "none", "mdl") == ()
    assert notices(full, "mode-mean", "mdl") == ()


def test_none_leaves_numbers_and_missing_cells_alone() -> None:
    data = table([0, 1], v=(V, [1.5, NAN]), colour=(COLOUR, [-1, 2]), w=(W, [NAN, 3.0]))
    rows = fit_preprocess(Preprocess(discretize="none"), data, np.arange(2)).transform(data, np.array([1, 0]))
    assert rows.names == ("v", "colour", "w")
    assert rows.labels == (None, ("red", "green", "blue"), None)
    assert rows.nominal.tolist() == [[2], [-1]]
    np.testing.assert_array_equal(rows.numeric, [[NAN, 3.0], [1.5, NAN]])


def test_imputation_uses_training_modes_and_means() -> None:
    data = table([0, 1, 0, 1, 0], v=(V, [1.0, 2.0, NAN, 90.0, NAN]), colour=(COLOUR, [2, 1, -1, 0, 0]))
    rows = fit_preprocess(Preprocess("mode-mean", "none"), data, np.array([0, 1, 2])).transform(data, np.arange(5))
    assert rows.numeric[:, 0].tolist() == [1.0, 2.0, 1.5, 90.0, 1.5]
    assert rows.nominal[:, 0].tolist() == [2, 1, 1, 0, 0]  # 1 and 2 stand once each: the lowest


def test_imputation_comes_before_discretization() -> None:
    # the mean, 4, is a value of its own: without it the cut would be 5.5
    data = table([0, 1, 0, 0], v=(V, [1.0, 10.0, 1.0, NAN]))
    fitted = fit_preprocess(Preprocess("mode-mean", "mdl"), data, np.arange(4))
    assert fitted.steps[0].cuts is not None
    assert fitted.steps[0].cuts.tolist() == [7.0]
    assert fitted.transform(data, np.array([3])).nominal.tolist() == [[0]]


@pytest.mark.parametrize("discretize", BOTH)
@pytest.mark.parametrize("impute", ["none", "mode-mean"])
def test_numeric_attribute_without_a_known_training_cell(discretize: str, impute: str) -> None:
    data = table([0, 1, 0], v=(V, [NAN, NAN, 7.0]))
    fitted = fit_preprocess(Preprocess(impute, discretize), data, np.array([0, 1]))
    rows = fitted.transform(data, np.arange(3))
    assert rows.labels == (("(-inf, inf)",),)
    assert rows.nominal[:, 0].tolist() == [-1, -1, 0]
    (notice,) = fitted.notices
    assert "attribute v " in notice
    assert "constant" in notice


def test_attribute_without_a_known_training_cell_stays_missing() -> None:
    data = table([0, 1, 0], v=(V, [NAN, NAN, 7.0]), colour=(COLOUR, [-1, -1, 2]))
    fitted = fit_preprocess(Preprocess("mode-mean", "none"), data, np.array([0, 1]))
    rows = fitted.transform(data, np.arange(3))
    np.testing.assert_array_equal(rows.numeric[:, 0], [NAN, NAN, 7.0])
    assert rows.nominal[:, 0].tolist() == [-1, -1, 2]
    assert ["attribute v " in notice for notice in fitted.notices] == [True, False]
    assert ["attribute colour " in notice for notice in fitted.notices] == [False, True]
    assert all("stay missing" in notice for notice in fitted.notices)
    assert fit_preprocess(Preprocess("none", "none"), data, np.array([0, 1])).notices == ()


def test_table_is_not_changed() -> None:
    before = [column.copy() for column in OUTSIDE.columns]
    fit_preprocess(Preprocess("mode-mean", "mdl", fit="all-rows"), OUTSIDE, TRAIN).transform(OUTSIDE, TEST)
    for column, old in zip(OUTSIDE.columns, before, strict=True):
        np.testing.assert_array_equal(column, old)


def test_no_attributes_and_no_rows() -> None:
    bare = table([0, 1])
    rows = fit_preprocess(Preprocess(), bare, np.arange(2)).transform(bare, np.arange(2))
    assert len(rows) == 2
    assert rows.nominal.shape == (2, 0)
    none = np.array([], dtype=np.int64)
    assert len(fit_preprocess(Preprocess(), OUTSIDE, TRAIN).transform(OUTSIDE, none)) == 0


def test_free_text_goes_along_as_counts_of_words() -> None:
    texts = ["Some text, some MORE", None, "caf\u00e9"]
    data = table([0, 1, 0], v=(V, [1.0, 2.0, 3.0]), note=(Attribute("note", "string"), texts))
    fit = fit_preprocess(Preprocess(impute="mode-mean"), data, np.arange(2))
    rows = fit.transform(data, np.array([2, 0]))
    assert rows.names == ("v",)
    assert rows.documents is not None
    assert rows.documents.name == "note"
    assert rows.documents.words.tolist() == ["caf\u00e9", "more", "some", "text"]
    assert rows.documents.counts.toarray().tolist() == [[1, 0, 0, 0], [0, 1, 2, 1]]
    assert rows.take(np.array([1])).documents.counts.toarray().tolist() == [[0, 1, 2, 1]]  # type: ignore[union-attr]
    assert fit.transform(data, np.array([1])).documents.counts.nnz == 0  # type: ignore[union-attr]


def test_a_document_is_one_text() -> None:
    note = (Attribute("note", "string"), ["a", "b"])
    data = table([0, 1], note=note, title=(Attribute("title", "string"), ["c", "d"]))
    with pytest.raises(DataError, match="toy: the columns note, title are text"):
        fit_preprocess(Preprocess(), data, np.arange(2)).transform(data, np.arange(2))
