"""Oddities of a table: each kind by a table that has it, and none where there is none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.data.quality import oddities, repeats
from lazybayes.data.table import Attribute, Column, Table

ROWS = 60


def table(*columns: tuple[str, Column], classes: tuple[str, ...] = ("no", "yes")) -> Table:
    n = len(columns[0][1])
    attributes = [
        Attribute(name, "numeric")
        if column.dtype.kind == "f"
        else Attribute(name, "nominal", tuple(map(str, range(max(0, int(column.max())) + 1))))
        for name, column in columns
    ]
    y = (np.arange(n) % 2).astype(np.int32)
    return Table(
        "t",
        tuple(attributes),
        tuple(column for _, column in columns),
        Attribute("c", "nominal", classes),
        y,
        np.arange(n),
    )


def codes(*values: int) -> Column:
    return np.array(values, dtype=np.int32)


KIND = ("kind", (np.arange(ROWS) % 7).astype(np.int32))
SIZE = ("size", np.random.default_rng(1).random(ROWS))


def test_nothing_odd() -> None:
    assert oddities(table(KIND, SIZE)) == ()


def test_identifiers() -> None:
    names = ("name", np.arange(ROWS, dtype=np.int32))
    nearly = ("nearly", np.minimum(np.arange(ROWS), ROWS - 6).astype(np.int32))
    rows = ("row", np.arange(ROWS) + 5.0)
    told = oddities(table(KIND, names, nearly, rows))
    assert told == (
        "data set t: each of the columns name, nearly, row looks like an identifier; `drop` leaves a column out",
    )
    assert oddities(table(("rank", np.arange(ROWS)[::-1] * 2.0), SIZE)) == ()
    few = table(("name", np.arange(20, dtype=np.int32)), ("kind", codes(*[0, 1] * 10)))
    assert oddities(few) == ()


def test_constant_and_empty_columns_and_classes_without_rows() -> None:
    empty, gap = np.full(ROWS, np.nan), np.where(np.arange(ROWS) < 3, np.nan, 4.0)
    told = oddities(
        table(SIZE, ("empty", empty), ("none", np.full(ROWS, -1, np.int32)), ("same", gap), classes=tuple("abcd"))
    )
    assert told == (
        "data set t: each of the columns empty, none has no value at all",
        "data set t: column same has one value only",
        "data set t: no row is of the declared classes c, d",
    )


def test_equal_rows() -> None:
    values = SIZE[1].copy()
    values[2] = values[0]  # rows 0 and 2: of one class, with one kind of their own
    kind = np.zeros(ROWS, np.int32)
    kind[5] = 1
    odd = table(("size", values), ("kind", kind))
    assert oddities(odd) == ("data set t: 1 row of 60 the same as an earlier one, class included",)
    assert oddities(odd, known=True) == ()
    assert oddities(table(KIND)) == (), "14 different rows are all there can be"


@given(st.lists(st.tuples(st.integers(-1, 2), st.sampled_from([1.5, 2.0, np.nan])), min_size=1, max_size=30))
def test_repeats_are_those_pandas_finds(rows: list[tuple[int, float]]) -> None:
    given_table = table(("a", codes(*(a for a, _ in rows))), ("b", np.array([b for _, b in rows])))
    frame = pd.DataFrame({"a": given_table.columns[0], "b": given_table.columns[1], "y": given_table.y})
    assert repeats(given_table) == frame.duplicated().sum()


def test_numbers_of_another_format_are_not_an_identifier() -> None:
    def told(*values: str) -> tuple[str, ...]:
        column = np.arange(len(values), dtype=np.int32)
        attribute = Attribute("price", "nominal", values)
        classes = Attribute("c", "nominal", ("n", "p"))
        return oddities(Table("t", (attribute,), (column,), classes, column % 2, np.arange(len(values))))

    assert told(*(f"{47 + i},544" for i in range(ROWS))) == ()
    assert "price looks like an identifier" in told(*map(str, range(ROWS)))[0]


def test_values_that_differ_in_case_alone() -> None:
    answer = Attribute("answer", "nominal", ("YES", "Yes", "no", "yes "))
    column = codes(0, 1, 2, 3, 2)
    classes = Attribute("c", "nominal", ("N", "n"))
    data = Table("t", (answer,), (column,), classes, codes(0, 1, 0, 1, 0), np.arange(5))
    first, second = oddities(data)
    assert 'column answer has values that differ only in case or blanks: YES and Yes and "yes "' in first
    assert yaml.safe_load(first.split("`")[1]) == {"recode": {"answer": {"Yes": "YES", "yes ": "YES"}}}
    assert yaml.safe_load(second.split("`")[1]) == {"recode": {"c": {"n": "N"}}}
    assert oddities(data, known=True) == ()
    some = codes(0, 0, 2)
    unused = Table("t", (answer,), (some,), Attribute("c", "nominal", ("p",)), codes(0, 0, 0), np.arange(3))
    assert not any("case" in words for words in oddities(unused))
