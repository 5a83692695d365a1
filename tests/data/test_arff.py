"""The ARFF reader: small files with right values by the format's definition, real files with known counts."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazybayes.data.arff import arff_sheet, is_arff
from lazybayes.data.columns import to_table
from lazybayes.data.load import load_table
from lazybayes.data.table import RawTable
from lazybayes.data.text import Text
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry

HEADER = "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@attribute class {n,p}\n@data\n"


def read_arff(text: Text, entry: DatasetEntry) -> RawTable:
    return to_table(arff_sheet(text, entry), entry)


def read(body: str, **options: Any) -> RawTable:
    return read_arff(Text("own.arff", body), DatasetEntry.of("own", "path", "own.arff", **options))


def cells(table: RawTable) -> dict[str, list[Any]]:
    """Every column as labels, numbers or texts, None where missing: what a person would read off the file."""
    columns: dict[str, list[Any]] = {}
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        if attribute.kind == "nominal":
            columns[attribute.name] = [None if code < 0 else attribute.values[code] for code in column]
        else:
            columns[attribute.name] = [None if isinstance(x, float) and np.isnan(x) else x for x in column.tolist()]
    return columns


def values(table: RawTable) -> dict[str, tuple[str, ...]]:
    return {attribute.name: attribute.values for attribute in table.attributes if attribute.kind == "nominal"}


def test_declared_order_and_types() -> None:
    table = read(HEADER + "y,1.5,p\nx,-2e1,n\n?,?,?\n")
    assert cells(table) == {"a": ["y", "x", None], "b": [1.5, -20.0, None], "class": ["p", "n", None]}
    assert values(table) == {"a": ("x", "y"), "class": ("n", "p")}
    assert [column.dtype for column in table.columns] == [np.int32, np.float64, np.int32]
    assert (table.n_rows, table.notices) == (3, ())


def test_sparse_rows_with_quoted_values() -> None:
    """An index left out is 0 for a number and the first declared value for a nominal attribute (case 1)."""
    head = (
        "@relation s\n@attribute w numeric\n@attribute t {'a b','c, d',e}\n@attribute class {\"k 1\",\"k 2\"}\n@data\n"
    )
    table = read(head + "{1 'c, d', 2 \"k 2\"}\n{0 3, 1 e}\n{ 0 1.5 ,2 'k 2' }\n{}\n{0 ? 1 ?}\n{1 e}, {2}\n")
    assert cells(table) == {
        "w": [0, 3, 1.5, 0, None, 0],
        "t": ["c, d", "e", "a b", "a b", None, "e"],
        "class": ["k 2", "k 1", "k 2", "k 1", "k 1", "k 1"],
    }


def test_quoted_question_mark_is_a_value() -> None:
    table = read("@relation x\n@attribute a {'?',Y}\n@attribute class {n,p}\n@data\n'?',n\n?,p\n\"?\",n\nY,p\n")
    assert cells(table)["a"] == ["?", None, "?", "Y"]


def test_cells_parted_by_blanks_and_tabs() -> None:
    table = read(HEADER + 'x 1 "n"\ny\t2\tp\n  x  ?   n \ny , 3\t,p\n')
    assert cells(table) == {"a": ["x", "y", "x", "y"], "b": [1, 2, None, 3], "class": ["n", "p", "n", "p"]}


def test_comments_anywhere_but_within_quotes() -> None:
    table = read(
        "% first\n@relation r % not the name\n@attribute a {x,'5% y'} % two\n@attribute b numeric % in mm, {0,1}\n\n"
        "  % note\n@attribute c {n}%none\n@data % rows follow\n% none yet\nx,1,n % it's the first\n\n'5% y',2,n%\n  \n"
    )
    assert cells(table) == {"a": ["x", "5% y"], "b": [1, 2], "c": ["n", "n"]}


def test_instance_weights_are_left_out_with_a_notice() -> None:
    table = read(HEADER + "x,1,n,{5}\ny,2,p\ny,3,p , { 0.5 }\nx,4,n {1}\n")
    assert cells(table) == {"a": ["x", "y", "y", "x"], "b": [1, 2, 3, 4], "class": ["n", "p", "p", "n"]}
    assert table.notices == ("own.arff: instance weights left out in 3 rows; every row counts once",)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    body = HEADER.upper().replace("{X,Y}", "{x,y}").replace("{N,P}", "{n,p}") + "x,1,n\n\ny,2,p\n"
    assert cells(read(body.replace("\n", end))) == {"A": ["x", "y"], "B": [1, 2], "CLASS": ["n", "p"]}


@pytest.mark.parametrize(
    "declaration",
    ["numeric", "REAL", "Integer", "integer [1,10]", "integer[1,10]", "real [0.0, 1.0]", "NUMERIC\t[ 1 , 2 ]"],
)
def test_numeric_types_in_any_case_with_ranges(declaration: str) -> None:
    table = read(f"@relation r\n@ATTRIBUTE\tv\t{declaration}\n@attribute c {{n,p}}\n@data\n2.5,n\n")
    assert cells(table)["v"] == [2.5]


def test_words_for_nothing_are_values() -> None:
    table = read(
        "@relation na\n@attribute v {NA,None,null,nan}\n@attribute c {n}\n@data\nNA,n\nNone,n\nnull,n\nnan,n\n?,n\n"
    )
    assert cells(table)["v"] == ["NA", "None", "null", "nan", None]


def test_blanks_are_trimmed_outside_quotes_only() -> None:
    table = read("@relation r\n@attribute 'the name' { ' a' , a ,'a ' }\n@data\n ' a' \n  a\n'a '\n")
    assert values(table) == {"the name": (" a", "a", "a ")}
    assert cells(table) == {"the name": [" a", "a", "a "]}
    no_break = "\u00a0a"
    assert cells(read(f"@relation r\n@attribute v {{{no_break},a}}\n@data\n{no_break}\na\n"))["v"] == [no_break, "a"]


def test_escapes_within_quotes() -> None:
    table = read(
        r"""@relation r
@attribute 'it\'s' {'a\'b',"a\"b",'c\\d','e\tf','g\nh','\%','\101','\u00e9',C:\dir}
@data
"a'b"
'a"b'
"c\\d"
'e\tf'
'g\nh'
'%'
A
é
'C:\\dir'
C:\dir
"""
    )
    labels = ("a'b", 'a"b', "c\\d", "e\tf", "g\nh", "%", "A", "é", "C:\\dir")
    assert values(table) == {"it's": labels}
    assert cells(table)["it's"] == [*labels, "C:\\dir"]


def test_string_attribute() -> None:
    table = read("@relation r\n@attribute s string\n@attribute c {n,p}\n@data\n'one, two',n\n?,p\nNone,n\n{1 p}\n")
    assert table.attributes[0].kind == "string"
    assert cells(table)["s"] == ["one, two", None, "None", ""]


def test_dates_are_seconds_since_the_epoch() -> None:
    table = read(
        "@relation r\n@attribute iso date\n@attribute own DATE 'dd.MM.yy HH:mm:ss.SSS'\n"
        "@attribute zone date \"yyyy-MM-dd'T'HHZ\"\n@attribute clock date HH:mm\n@data\n"
        "1970-01-02T00:00:01,'01.01.70 00:00:00.250',1970-01-01T01+0100,01:30\n?,?,?,?\n{}\n"
    )
    assert cells(table) == {
        "iso": [86401, None, 0],
        "own": [0.25, None, 0],
        "zone": [0, None, 0],
        "clock": [5400, None, 0],
    }


def test_a_year_of_two_digits_is_one_of_the_hundred_up_to_2045() -> None:
    body = "@relation r\n@attribute d date dd/MM/yy\n@attribute c {n}\n@data\n"
    years = {"45": 2045, "46": 1946, "55": 1955, "68": 1968, "69": 1969, "99": 1999, "00": 2000}
    table = read(body + "".join(f"29/02/{y},n\n" if y == "00" else f"28/02/{y},n\n" for y in years))
    days = [datetime(year, 2, 29 if year == 2000 else 28, tzinfo=UTC).timestamp() for year in years.values()]
    assert cells(table)["d"] == days
    (notice,) = table.notices
    assert "line 2" in notice
    assert "1946 to 2045" in notice
    assert read(body.replace("yy", "yyyy") + "28/02/1945,n\n").notices == ()


def test_types_override_the_declared_ones() -> None:
    body = "@relation r\n@attribute n {10,9,x}\n@attribute v numeric\n@attribute s string\n@attribute c {p,n}\n@data\n"
    body += "10,2,hot,p\n9,10,cold,n\n10,02,hot,p\n{1 10,3 n}\n"
    forced = {"n": "numeric", "v": "nominal", "s": "nominal", "c": "nominal"}
    table = read(body, types=forced, target="c")
    assert cells(table)["n"] == [10, 9, 10, 10]
    assert values(table) == {"v": ("02", "10", "2"), "s": ("", "cold", "hot"), "c": ("p", "n")}
    assert cells(table)["v"] == ["2", "10", "02", "10"]
    assert cells(read(body, types={"n": "string"}))["n"] == ["10", "9", "10", "10"]
    assert cells(read(body.replace("{1 10,3 n}", "{3 n}"), types={"v": "nominal"}))["v"] == ["2", "10", "02", "0"]


def test_missing_markers_beside_the_question_mark() -> None:
    body = HEADER + "x,-9,n\n?,3,p\ny,-9.0,?\n"
    table = read(body, missing=("-9", "y"))
    assert cells(table) == {"a": ["x", None, None], "b": [None, 3, -9], "class": ["n", "p", None]}
    empty = read(HEADER + ",1,n\nx,,\n", missing=("",))
    assert cells(empty) == {"a": [None, "x"], "b": [1, None], "class": ["n", None]}


def test_class_of_whole_numbers_is_read_as_labels() -> None:
    body = "@relation r\n@attribute v numeric\n@attribute c integer\n@data\n1,2\n2,10\n3,02\n"
    table = read(body)
    assert values(table) == {"c": ("02", "10", "2")}
    assert any("whole numbers of c" in notice for notice in table.notices)
    assert values(read(body, target="v")) == {"v": ("1", "2", "3")}
    assert values(read(body, drop=("c",))) == {"v": ("1", "2", "3")}
    assert values(read(body, types={"c": "numeric"})) == {}


def test_whole_numbers_that_a_float_merges_are_told() -> None:
    body = "@relation r\n@attribute id numeric\n@attribute c {n}\n@data\n9007199254740992,n\n9007199254740993,n\n"
    assert any("id holds whole numbers too long" in notice for notice in read(body).notices)
    assert read(body.replace("993", "994")).notices == ()
    assert read(body.replace("9007199254740993", "-0,n\n+0,n\n0,n\n" + "0" * 5000 + "9007199254740992")).notices == ()


ERRORS = {
    "undeclared": (
        HEADER + "x,1,n\n\n\nX,1,p\n",
        "line 9, column 1",
        "a has the value X",
        "declared are x, y",
        "mean x?",
    ),
    "undeclared-quoted": (HEADER + "x,1,'n '\n", "line 6, column 3", "class has the value n "),
    "bad-number": (HEADER + "x,1.2.3,n\n", "line 6, column 2", "b has '1.2.3'", "a number is expected"),
    "nan": (HEADER + "x,nan,n\n", "line 6, column 2", "'nan'"),
    "infinite": (HEADER + "x,1,n\nx,1e999,n\n", "line 7, column 2", "'1e999'"),
    "python-number": (HEADER + "x,1_0,n\n", "line 6, column 2"),
    "quoted-nothing": (HEADER + "x,'',n\n", "line 6, column 2", "''"),
    "few-cells": (HEADER + "x,1\n", "line 6", "2 cells found", "3 expected"),
    "many-cells": (HEADER + "x,1,n,p\n", "line 6", "4 cells found", "3 expected"),
    "value-with-blank": (HEADER + "x,1,n p\n", "line 6", "4 cells found", "stands in quotes"),
    "one-glued-cell": (HEADER + "x;1;n\n", "line 6", "1 cell found (x;1;n)"),
    "empty-cell": (HEADER + "x,,n\n", "line 6, column 2", "an empty cell", "? for a missing one"),
    "first-cell-empty": (HEADER + ",1,n\n", "line 6, column 1", "an empty cell"),
    "last-comma": (HEADER + "x,1,n,\n", "line 6, column 4", "ends in a comma"),
    "open-quote": (HEADER + "x,1,'n\n", "line 6", "quote ' is opened and not closed"),
    "quote-inside": (HEADER + "x'y',1,n\n", "line 6, column 1", "'y',1,n right behind x"),
    "behind-quote": (HEADER + "'x'y,1,n\n", "line 6, column 1", "right behind 'x'"),
    "brace": (HEADER + "x,{1},n\n", "line 6, column 2", "{1},n; a cell is expected"),
    "bad-weight": (HEADER + "x,1,n,{five}\n", "line 6", "instance weight {five}", "a number is expected"),
    "sparse-index": (HEADER + "{3 x}\n", "line 6, column 1", "the index 3", "from 0 to 2"),
    "sparse-negative": (HEADER + "{-1 x}\n", "line 6, column 1", "the index -1"),
    "sparse-twice": (HEADER + "{1 2, 1 2}\n", "line 6, column 2", "the index 1 twice"),
    "sparse-falling": (HEADER + "{1 2, 0 x}\n", "line 6, column 2", "the index 0 behind 1"),
    "sparse-no-value": (HEADER + "{1}\n", "line 6, column 1", "1}; a sparse row is {INDEX VALUE, INDEX VALUE}"),
    "sparse-open": (HEADER + "{1 2, 2 n\n", "line 6, column 2", "a sparse row is"),
    "sparse-undeclared": (HEADER + "{0 z}\n", "line 6, column 1", "a has the value z"),
    "no-relation": ("\n@attribute a numeric\n@data\n", "line 2", "@relation is expected first"),
    "no-data": ("@relation r\n@attribute a numeric\n", "line 3", "ends without @data"),
    "no-attribute": ("@relation r\n@data\n", "line 2", "@data without an attribute"),
    "row-before-data": ("@relation r\n@attribute a {x}\nx\n@data\n", "line 3", "x; @attribute NAME TYPE or @data"),
    "keel": ("@relation k\n@attribute a real [0,1]\n@inputs a\n@data\n", "line 3", "@inputs a (KEEL's line"),
    "misspelt": ("@relation k\n@atribute a real\n@data\n", "line 2", "did you mean @attribute?"),
    "unknown-type": (
        "@relation s\n\n@attribute mood unknown\n@data\n",
        "line 3",
        "mood has the type unknown",
        "numeric",
    ),
    "misspelt-type": ("@relation s\n@attribute m numerical\n@data\n", "line 2", "did you mean numeric?"),
    "bare-list": ("@relation s\n@attribute c n,p\n@data\n", "line 2", "c has the type n,p", "braces: {n,p}"),
    "no-type": ("@relation s\n@attribute mood\n@data\n", "line 2", "attribute mood has no type"),
    "no-name": ("@relation s\n@attribute {a,b}\n@data\n", "line 2", "@attribute NAME TYPE is expected"),
    "relational": ("@relation s\n@attribute bag relational\n@data\n", "line 2", "bag is relational"),
    "twice-declared": ("@relation s\n@attribute c {n,p,'n'}\n@data\n", "line 2", "c declares the value n twice"),
    "empty-list": ("@relation s\n@attribute c { }\n@data\n", "line 2", "declares no value"),
    "open-list": ("@relation s\n@attribute c {a,\n b}\n@data\n", "line 2", "ends in } on the same line"),
    "list-with-hole": ("@relation s\n@attribute c {a,,b}\n@data\n", "line 2", "parted by commas"),
    "list-mixed": ("@relation s\n@attribute c {plain tea,milk}\n@data\n", "line 2", "plain tea,milk", "within quotes"),
    "same-name": (
        "@relation s\n@attribute c {a}\n\n@attribute 'c' real\n@data\n",
        "line 4",
        "second attribute c",
        "line 2",
    ),
    "words-behind-data": ("@relation s\n@attribute c {a}\n@data a\n", "line 3", "a behind @data"),
    "bad-date": (
        "@relation s\n@attribute d date yyyy-MM-dd\n@data\n2001-02-30\n",
        "line 4, column 1",
        "'2001-02-30'",
        "yyyy",
    ),
    "date-repeated": (
        "@relation s\n@attribute d date 'dd.d'\n@data\n",
        "line 2",
        "dd.d",
        "d repeats what stands before",
    ),
    "date-format": ("@relation s\n@attribute d date 'yyyy-ww'\n@data\n", "line 2", "yyyy-ww", "ww in it is none of"),
}


@pytest.mark.parametrize(("body", "words"), [(body, words) for body, *words in ERRORS.values()], ids=list(ERRORS))
def test_errors_name_the_place_and_what_is_expected(body: str, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        read(body)
    message = str(caught.value)
    assert message.startswith("own.arff, line ")
    assert [word for word in words if word not in message] == [], message
    assert "\n" not in message


def test_types_that_do_not_fit() -> None:
    with pytest.raises(DataError, match=r"line 6, column 1: a has 'x'; a number is expected"):
        read(HEADER + "x,1,n\n", types={"a": "numeric"})
    with pytest.raises(
        DataError, match=r"types names A, which is no column \(did you mean a\?\); the columns are a, b"
    ):
        read(HEADER + "x,1,n\n", types={"A": "numeric"})
    with pytest.raises(DataError, match="types gives a the type real; nominal, numeric, string are allowed"):
        read(HEADER + "x,1,n\n", types={"a": "real"})


def test_a_long_list_is_cut_short_in_a_message() -> None:
    many = ",".join(f"v{j}" for j in range(3000))
    with pytest.raises(DataError, match="3000 in all") as caught:
        read(f"@relation r\n@attribute a {{{many}}}\n@data\nw\n")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("file", "body", "expected"),
    [
        ("a.arff", "x", True),
        ("A.ARFF", "x", True),
        ("keel.dat", "@relation k\n", True),
        ("a.data", "% note\n\n  % more\n@RELATION k\n", True),
        ("a.csv", "@relations,b\n", False),
        ("a.csv", "a,@relation\n", False),
        ("a.csv", "%a\nb\n@relation\n", False),
    ],
)
def test_is_arff(file: str, body: str, expected: bool) -> None:
    assert is_arff(Text(file, body)) is expected


# --- properties

LABELS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


def quoted(label: str, quote: str) -> str:
    """Weka's way of writing a value, with either quote."""
    special = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", quote: "\\" + quote}
    return quote + "".join(special.get(letter, letter) for letter in label) + quote


@st.composite
def written_files(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[str | None]], str]:
    """Names, declared values (of every attribute), rows, and a file that says so in one of many styles."""
    names = draw(st.lists(LABELS, min_size=1, max_size=4, unique=True))
    declared = draw(st.lists(LABELS, min_size=1, max_size=5, unique=True))
    value = st.none() | st.sampled_from(declared)
    rows = draw(st.lists(st.lists(value, min_size=len(names), max_size=len(names)), max_size=5))
    style = st.sampled_from
    write: Callable[[str], str] = lambda label: quoted(label, draw(style("'\"")))  # noqa: E731
    comma, end = (
        draw(style([",", ", ", " ,\t", " ", "\t"])),
        draw(style(["\n", "\r\n", "\n\n", " % it's {a\n", "\t\r\n"])),
    )
    lines = ["@relation r"]
    for name in names:
        lines.append(f"@Attribute {write(name)}{draw(style([' ', chr(9)]))}{{{comma.join(map(write, declared))}}}")
    lines.append("@data")
    for row in rows:
        if draw(st.booleans()):
            pairs = [f"{j} {'?' if cell is None else write(cell)}" for j, cell in enumerate(row) if cell != declared[0]]
            lines.append("{" + comma.join(pairs) + "}")
        else:
            lines.append(comma.join("?" if cell is None else write(cell) for cell in row))
    return names, declared, rows, end.join(lines) + end


@given(written_files())
def test_what_is_written_is_read(written: tuple[list[str], list[str], list[list[str | None]], str]) -> None:
    names, declared, rows, body = written
    table = read(body)
    assert [attribute.name for attribute in table.attributes] == names
    assert all(attribute.values == tuple(declared) for attribute in table.attributes)
    assert cells(table) == {name: [row[j] for row in rows] for j, name in enumerate(names)}


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.none(), max_size=8))
def test_numbers_are_read_to_the_last_bit(numbers: list[float | None]) -> None:
    rows = "".join(f"{'?' if x is None else repr(x)},n\n" for x in numbers)
    table = read("@relation r\n@attribute v real\n@attribute c {n}\n@data\n" + rows)
    assert cells(table)["v"] == numbers


FRAGMENTS = st.lists(
    st.sampled_from(
        ["x", "1", "n", ",", " ", "\t", "'", '"', "\\", "{", "}", "%", "?", "\n", "0 x", "2 p", "@data", "é"]
    ),
    max_size=14,
)


@given(FRAGMENTS, st.sampled_from(["", "@relation r\n", "@relation r\n@attribute ", HEADER]))
def test_no_input_fails_but_with_a_message(fragments: list[str], head: str) -> None:
    try:
        table = read(head + "".join(fragments))
    except DataError as error:
        assert str(error).startswith("own.arff, line ")  # noqa: PT017
    else:
        assert all(len(column) == table.n_rows for column in table.columns)


# liac-arff leaves an empty label, a ? and a brace without quotes.
PLAIN = st.text("ab01 \t,;'\"%\\éß漢-", min_size=1, max_size=5)


@settings(max_examples=50)
@given(st.lists(st.lists(PLAIN, min_size=2, max_size=2), min_size=1, max_size=5))
def test_reads_what_liac_arff_writes(rows: list[list[str]]) -> None:
    arff = pytest.importorskip("arff", reason="liac-arff is not there")
    declared = sorted({label for row in rows for label in row})
    body = arff.dumps({"relation": "r", "attributes": [("a b", declared), ("s", "STRING")], "data": rows})
    table = read(body)
    assert values(table) == {"a b": tuple(declared)}
    assert cells(table) == {"a b": [row[0] for row in rows], "s": [row[1] for row in rows]}


# --- real files

MANIFEST = Path(__file__).resolve().parents[3] / "shared" / "data" / "MANIFEST.csv"


def manifest() -> list[dict[str, str]]:
    if not MANIFEST.is_file():
        return []
    with MANIFEST.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["format"] == "Weka ARFF"]


@pytest.mark.parametrize("row", manifest(), ids=lambda row: Path(row["path"]).stem)
def test_real_files_have_the_counts_of_the_manifest(row: dict[str, str], shared: Path) -> None:
    target = row["class_attribute"].split(" (")[0]
    table = load_table(DatasetEntry.of(row["dataset"], "path", str(shared / "data" / row["path"]), target=target))
    kinds = [attribute.kind for attribute in table.attributes]
    missing = sum(
        int((np.isnan(column) if kind == "numeric" else column < 0).sum())
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    assert {
        "instances": table.n_rows,
        "attributes": len(kinds),
        "classes": table.n_classes,
        "n_numeric": kinds.count("numeric"),
        "n_nominal": kinds.count("nominal"),
        "missing_cells": missing,
    } == {
        key: int(row[key]) for key in ("instances", "attributes", "classes", "n_numeric", "n_nominal", "missing_cells")
    }
    assert table.notices == ()


def test_the_manifest_lists_every_real_file(shared: Path) -> None:
    assert {Path(row["path"]).name for row in manifest()} == {
        file.name for file in (shared / "data/arff").glob("*.arff")
    }


def test_real_labels_keep_their_case_and_quotes(shared: Path) -> None:
    vowel = read_real(shared, "vowel.arff")
    assert {"hid", "hId", "had", "hAd"} <= set(values(vowel)["Class"])
    anneal = read_real(shared, "anneal.arff")
    assert values(anneal)["family"][0] == "?"
    assert None not in cells(anneal)["family"]


def read_real(shared: Path, name: str) -> RawTable:
    body = (shared / "data/arff" / name).read_text(encoding="utf-8")
    return read_arff(Text(name, body), DatasetEntry.of(name, "path", name))
