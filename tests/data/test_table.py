"""Choosing the class of a table that was read."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from lazybayes.data.table import Attribute, RawTable, choose_class, listed
from lazybayes.errors import DataError


def raw(**changes: object) -> RawTable:
    table = RawTable(
        attributes=(
            Attribute("id", "string"),
            Attribute("a", "nominal", ("x", "y")),
            Attribute("len", "numeric"),
            Attribute("Klasse", "nominal", ("n", "p", "q")),
        ),
        columns=(
            np.array(["i", "j", "k", "l"], dtype=object),
            np.array([0, 1, -1, 0], dtype=np.int32),
            np.array([1.5, 2, np.nan, 4]),
            np.array([1, 0, -1, 1], dtype=np.int32),
        ),
        n_rows=4,
        notices=("read as Latin-1",),
    )
    return dataclasses.replace(table, **changes)  # type: ignore[arg-type]


def test_rows_without_a_class_are_left_out_and_counted() -> None:
    table = choose_class(raw(), "own", "Klasse", ("id",))
    assert (table.name, table.n_rows, table.n_classes) == ("own", 3, 3)
    assert [attribute.name for attribute in table.attributes] == ["a", "len"]
    assert table.target == Attribute("Klasse", "nominal", ("n", "p", "q"))
    assert table.y.tolist() == [1, 0, 1]
    assert table.y.dtype == np.int32
    assert table.index.tolist() == [0, 1, 3]
    assert table.index.dtype == np.int64
    assert table.columns[0].tolist() == [0, 1, 0]
    assert table.columns[1].tolist() == [1.5, 2, 4]
    assert table.notices == ("read as Latin-1", "data set own: 1 row without a class (Klasse) left out of 4")


def test_a_class_anywhere_in_the_table() -> None:
    table = choose_class(raw(), "own", "a", ("id",))
    assert [attribute.name for attribute in table.attributes] == ["len", "Klasse"]
    assert table.y.tolist() == [0, 1, 0]
    assert table.columns[1].tolist() == [1, 0, 1]


@pytest.mark.parametrize(("drop", "expected"), [(("id",), "Klasse"), (("Klasse", "id", "len"), "a")])
def test_without_a_target_the_last_column_not_dropped(drop: tuple[str, ...], expected: str) -> None:
    more = raw(attributes=(Attribute("first", "numeric"), *raw().attributes), columns=(np.arange(4.0), *raw().columns))
    table = choose_class(more, "own", None, drop)
    assert table.target.name == expected
    assert f"data set own: no target is given, so the last column, {expected}, is taken as the class" in table.notices


@pytest.mark.parametrize(
    ("target", "drop", "words"),
    [
        ("klasse", (), ["target names klasse", "did you mean Klasse?", "the columns are id, a, len, Klasse"]),
        ("KLASSE", (), ["did you mean Klasse?"]),
        ("Klass", (), ["did you mean Klasse?"]),
        ("Klasse", ("ID",), ["drop names ID", "did you mean id?"]),
        ("Klasse", ("Klasse",), ["both the target and dropped"]),
        (None, ("id", "a", "len", "Klasse"), ["every column is dropped"]),
        ("len", ("id",), ["len is numeric", "a class is nominal", "`types: {len: nominal}`"]),
        ("id", (), ["id is free text"]),
        ("Klasse", ("id", "a", "len"), ["no attribute is left beside the class Klasse"]),
    ],
)
def test_what_a_user_can_get_wrong(target: str | None, drop: tuple[str, ...], words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        choose_class(raw(), "own", target, drop)
    message = str(caught.value)
    assert message.startswith("data set own: ")
    assert [word for word in words if word not in message] == [], message


def test_no_rows_and_no_classes() -> None:
    columns = raw().columns
    with pytest.raises(DataError, match=r"^data set own: of 4 rows none has a class \(Klasse\)"):
        choose_class(raw(columns=(*columns[:3], np.full(4, -1, dtype=np.int32))), "own", "Klasse", ("id",))
    with pytest.raises(DataError, match=r"^data set own: there are no rows"):
        choose_class(raw(columns=tuple(column[:0] for column in columns), n_rows=0), "own", "Klasse", ("id",))
    attributes = (raw().attributes[0], Attribute("a", "nominal"), *raw().attributes[2:])
    with pytest.raises(DataError, match="the column a has no known cell"):
        choose_class(raw(attributes=attributes), "own", "Klasse", ("id",))


def test_one_declared_class_is_allowed_with_a_notice() -> None:
    attributes = (*raw().attributes[:3], Attribute("Klasse", "nominal", ("n",)))
    columns = (*raw().columns[:3], np.zeros(4, dtype=np.int32))
    table = choose_class(raw(attributes=attributes, columns=columns), "own", "Klasse", ("id",))
    assert table.n_classes == 1
    assert "data set own: the class Klasse has one value only, n" in table.notices


def test_the_fingerprint_is_of_all_that_a_result_depends_on() -> None:
    attributes, columns = raw().attributes, raw().columns
    others = [
        raw(attributes=(*attributes[:1], Attribute("b", "nominal", ("x", "y")), *attributes[2:])),
        raw(attributes=(*attributes[:1], Attribute("a", "nominal", ("y", "x")), *attributes[2:])),
        raw(attributes=(*attributes[:1], Attribute("a", "nominal", ("x", "y", "z")), *attributes[2:])),
        raw(columns=(*columns[:1], np.array([0, 0, -1, 0], dtype=np.int32), *columns[2:])),
        raw(columns=(*columns[:3], np.array([1, 0, -1, 0], dtype=np.int32))),
        raw(columns=(*columns[:3], np.array([1, -1, 0, 1], dtype=np.int32))),
    ]
    prints = [choose_class(table, "own", "Klasse", ("id",)).fingerprint() for table in (raw(), *others)]
    assert len(set(prints)) == len(prints)
    same = choose_class(raw(notices=()), "another name", "Klasse", ("id",))
    assert same.fingerprint() == prints[0]


def test_a_long_list_is_cut_short() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([str(j) for j in range(30)], most=3) == "0, 1, 2, ... (30 in all)"
