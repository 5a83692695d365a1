"""The CSV reader: small files with right values by the stated rules, UCI's raw files with known counts."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.data.columns import to_table
from lazybayes.data.delimited import delimited_sheet
from lazybayes.data.load import load_table
from lazybayes.data.table import RawTable
from lazybayes.data.text import Text
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry


def read_delimited(text: Text, entry: DatasetEntry) -> RawTable:
    return to_table(delimited_sheet(text, entry), entry)


def read(body: str, file: str = "own.csv", **options: Any) -> RawTable:
    return read_delimited(Text(file, body), DatasetEntry.of("own", "path", file, **options))


def cells(table: RawTable) -> dict[str, list[Any]]:
    """Every column as labels, numbers or texts, None where missing: what a person would read off the file."""
    columns: dict[str, list[Any]] = {}
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        if attribute.kind == "nominal":
            columns[attribute.name] = [None if code < 0 else attribute.values[code] for code in column]
        else:
            columns[attribute.name] = [None if isinstance(x, float) and math.isnan(x) else x for x in column.tolist()]
    return columns


def kinds(table: RawTable) -> dict[str, str]:
    return {attribute.name: attribute.kind for attribute in table.attributes}


def values(table: RawTable) -> dict[str, tuple[str, ...]]:
    return {attribute.name: attribute.values for attribute in table.attributes if attribute.kind == "nominal"}


def test_types_missing_cells_and_order() -> None:
    table = read("a, b ,class\nx,1.5,p\n,-2e1,n\n?,,p\nb, 3 ,?\n")
    assert cells(table) == {"a": ["x", None, None, "b"], "b": [1.5, -20, None, 3], "class": ["p", "n", "p", None]}
    assert values(table) == {"a": ("b", "x"), "class": ("n", "p")}
    assert [column.dtype for column in table.columns] == [np.int32, np.float64, np.int32]
    assert (table.n_rows, table.notices) == (4, ())


@pytest.mark.parametrize("text", ["0", "0.5", "-0.5", "+1", ".5", "5.", "1e3", "1E-3", "0e5", "-12.50", "10"])
def test_numbers(text: str) -> None:
    assert kinds(read(f"v,c\n{text},n\n1,p\n"))["v"] == "numeric"


@pytest.mark.parametrize(
    "text",
    [
        "007",
        "00",
        "-01",
        "+00.5",
        "nan",
        "inf",
        "-Infinity",
        "1e999",
        "1_000",
        "0x1f",
        "1,5",
        "1d",
        "e5",
        ".",
        "-",
        "٣",
        "1 2",
    ],
)
def test_texts_that_are_no_numbers(text: str) -> None:
    table = read(f"v;c\n{text};n\n1;p\n", separator=";")
    assert cells(table)["v"] == [text, "1"]


def test_a_quoted_number_is_a_number_and_a_column_without_a_known_cell_is_numeric() -> None:
    table = read('v,w,c\n"1.5",?,n\n2,,p\n')
    assert cells(table) == {"v": [1.5, 2], "w": [None, None], "c": ["n", "p"]}
    assert kinds(table)["w"] == "numeric"


def test_a_quoted_question_mark_is_a_value() -> None:
    table = read('a,c\n"?",n\n?,p\n" ? ",n\n')
    assert cells(table)["a"] == ["?", None, " ? "]


def test_quotes() -> None:
    table = read('a,"b, c",class\n "x, ""y""" ,p,n\nx , "p\nq" ,"n"\n"",\' q\' ,n')
    assert cells(table) == {
        "a": ['x, "y"', "x", None],
        "b, c": ["p", "p\nq", "' q'"],
        "class": ["n", "n", "n"],
    }


def test_missing_says_what_is_missing() -> None:
    body = 'a,v,c\nNA,-9,n\n?,3,p\n,4,"NA"\n"?",-9.0,n\n'
    table = read(body, missing=("NA", "-9"))
    assert cells(table) == {"a": [None, "?", "", "?"], "v": [None, 3, 4, -9], "c": ["n", "p", None, "n"]}
    assert table.notices == ("own.csv: an empty cell is a value in a; `missing: ['', NA, '-9']` makes it missing",)
    assert cells(read(body, missing=("?", "")))["a"] == ["NA", None, None, "?"]
    assert cells(read(body, missing=()))["a"] == ["NA", "?", "", "?"]


def test_words_for_nothing_are_values() -> None:
    words = ["NA", "None", "null", "nan", "N/A", "-"]
    assert cells(read("v,c\n" + "".join(f"{word},n\n" for word in words)))["v"] == words


def test_words_that_keep_a_column_from_being_numeric_are_told_with_what_makes_it_numeric() -> None:
    def told(word: str, numbers: int = 10, **options: Any) -> tuple[str, ...]:
        return read("v,c\n" + "".join(f"{cell},n\n" for cell in (word, *range(1, numbers + 1))), **options).notices

    assert told("N/A") == (
        "own.csv: v is nominal, not numeric, because of 1 value that is not a number: N/A; to make it numeric, set "
        "`missing: ['', '?', N/A]` (if it means that the number is missing); `types: {v: nominal}` keeps it nominal "
        "and turns this notice off",
    )
    assert told("1e999")
    assert told("NA", numbers=2)
    assert told("NA", missing=("NA",)) == told("NA", types={"v": "nominal"}) == told("NA", drop=("v",)) == ()
    assert told("NA", numbers=1) == told("007") == told("a,n\nb,n\nd,n\ne", numbers=3) == ()
    assert "4 values that are not numbers" in told("NA,n\nN/A,n\n-,n\nnone", numbers=5)[0]
    assert "4 values" in told("1,n\n" * 20 + "NA,n\nN/A,n\n-,n\nnone", numbers=2)[0], "most rows are numbers"


FORMATS: dict[str, tuple[list[str], dict[str, str], list[float]]] = {
    "thousands": (["1,045", "980", "-12,045.5"], {"thousands": ","}, [1045, 980, -12045.5]),
    "decimal": (["3,5", "4", "12,25"], {"decimal": ","}, [3.5, 4, 12.25]),
    "both": (["1.045,5", "2.000.310", "9,5"], {"thousands": ".", "decimal": ","}, [1045.5, 2000310, 9.5]),
    "blanks": (["1 045", "2 310,5", "12"], {"thousands": " ", "decimal": ","}, [1045, 2310.5, 12]),
    "apostrophes": (["1'045", "2'310.5", "12"], {"thousands": "'"}, [1045, 2310.5, 12]),
}


@pytest.mark.parametrize(("texts", "keys", "numbers"), FORMATS.values(), ids=list(FORMATS))
def test_numbers_of_another_format_are_told_and_read(
    texts: list[str], keys: dict[str, str], numbers: list[float]
) -> None:
    body = "v;c\n" + "".join(f"{text};n\n" for text in texts)
    plain = read(body, separator=";")
    assert kinds(plain)["v"] == "nominal"
    told = read(body.replace(";", "\t"), "own.tsv").notices[0]
    snippets = [yaml.safe_load(part) for part in told.split("`")[1:-2:2]]
    assert {key: value for found in snippets for key, value in found.items()} == keys
    table = read(body, separator=";", **keys)
    assert (cells(table)["v"], table.notices) == (numbers, ())


def test_a_comma_is_decimal_in_a_file_of_semicolons() -> None:
    body = "v;c\n1,045;n\n3,250;n\n"
    assert "`decimal: ','`" in read(body, separator=";").notices[0]
    assert "`thousands: ','`" in read(body.replace(";", "\t"), "own.tsv").notices[0]


@pytest.mark.parametrize("text", ["12,34", "1,0456", "0,123", ",123", "1,045,12", "1,,045", "1,045.5.5"])
def test_what_is_not_in_groups_of_three_is_not_a_number(text: str) -> None:
    with pytest.raises(DataError, match="line 3, column 1"):
        read(f"v;c\n1,045;n\n{text};p\n", separator=";", thousands=",", types={"v": "numeric"})


def test_a_sign_beside_numbers_is_told() -> None:
    told = read("v,c\n12%,n\n1.5 %,n\n3%,p\nnone,p\n").notices[0]
    assert "remove % from the file" in told
    assert "`missing: ['', '?', none]`" in told
    assert "remove $ from the file" in read('v,c\n"$1,200",n\n$5,n\n').notices[0]


def test_a_column_without_a_name_is_left_out_or_named() -> None:
    body = ",a,class\n0,x,n\n1,y,p\n"
    with pytest.raises(DataError, match=r"line 1, column 1.*no name.*`drop: \[column-1\]`"):
        read(body)
    assert list(cells(read(body, drop=("column-1",)))) == ["column-1", "a", "class"]
    assert cells(read(body, columns=("row", "a", "class")))["row"] == [0, 1]
    with pytest.raises(DataError, match="the same names are expected"):
        read(body, columns=("row", "b", "class"))


def test_a_row_that_repeats_the_header_is_told() -> None:
    body = ",a,class\n0,x,n\n1,y,p\n"
    told = read(body, header=False, columns=("id", "a", "class")).notices
    assert told == (
        "own.csv, line 1: a header line (the names of the columns) is read as a row; "
        "`skip_lines: {own.csv: [1]}` leaves it out",
    )
    (joined,) = read('a,class\nx,n\n a ,"class"\ny,p\na,class\n').notices
    assert "own.csv, line 3 and 1 more" in joined
    assert "`skip_lines: {own.csv: [3, 5]}`" in joined
    assert read("a,class\nx,class\n,class\na,n\n").notices == ()


def test_every_snippet_of_a_message_can_be_pasted() -> None:
    """Names and values that YAML would read otherwise: what is between backticks says them again."""
    for name, word in [("a: b", "no"), ("{x}", "#1"), ("on", "null"), ("é'\"", "- x"), ("[1", "1:30")]:
        quoted_name, quoted_word = (text.replace('"', '""') for text in (name, word))
        body = f'"{quoted_name}",c\n' + "".join(f'"{cell}",n\n' for cell in (quoted_word, *range(5)))
        snippets = [yaml.safe_load(part) for part in read(body).notices[0].split("`")[1::2]]
        assert snippets == [{"missing": ["", "?", word]}, {"types": {name: "nominal"}}]
        for keys in snippets:
            options = {key: tuple(value) if key == "missing" else value for key, value in keys.items()}
            assert read(body, **options).notices == ()


def test_labels_of_the_class_stay_as_they_stand() -> None:
    table = read("a,class\nx,01\ny,1\nx,01\n")
    assert values(table)["class"] == ("01", "1")
    long = read("a,class\nx,1000000000000000001\ny,1000000000000000002\n")
    assert values(long)["class"] == ("1000000000000000001", "1000000000000000002")
    assert any("whole numbers of class" in notice for notice in long.notices)


def test_a_class_of_whole_numbers_in_text_order_wherever_it_stands() -> None:
    body = "k,v\n10,1.5\n9,2\n1,3\n"
    assert values(read(body, target="k")) == {"k": ("1", "10", "9")}
    assert values(read(body, drop=("v",))) == {"k": ("1", "10", "9")}
    assert values(read(body)) == {}  # v, the last column, has a fraction: `choose_class` refuses it
    assert values(read(body, target="v", types={"v": "nominal"})) == {"v": ("1.5", "2", "3")}


def test_types_override_what_the_cells_look_like() -> None:
    table = read("a,b,s,c\n01,1,1,n\n2,01.0,x y,p\n,1,?,n\n", types={"a": "numeric", "b": "nominal", "s": "string"})
    assert cells(table) == {
        "a": [1, 2, None],
        "b": ["1", "01.0", "1"],
        "s": ["1", "x y", None],
        "c": ["n", "p", "n"],
    }
    assert kinds(table)["s"] == "string"


def test_whole_numbers_that_a_float_merges_are_told() -> None:
    body = "id,c\n1000000000000000001,n\n1000000000000000002,p\n"
    assert any("id holds whole numbers too long" in notice for notice in read(body).notices)
    assert read(body, types={"id": "nominal"}).notices == ()
    assert read(body, drop=("id",)).notices == ()


def test_no_header() -> None:
    body = "39, Private, <=50K\n50, ?, >50K\n"
    named = read(body, header=False, columns=("age", "work", "income"))
    assert cells(named) == {"age": [39, 50], "work": ["Private", None], "income": ["<=50K", ">50K"]}
    assert list(cells(read(body, header=False))) == ["column-1", "column-2", "column-3"]


def test_columns_that_repeat_the_header_are_its_confirmation() -> None:
    assert cells(read("1,2\nx,n\n", columns=("1", "2"))) == {"1": ["x"], "2": ["n"]}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_blank_lines(end: str) -> None:
    body = 'a,c\n\nx,n\n  \n"y",p\n\n'.replace("\n", end)
    assert cells(read(body)) == {"a": ["x", "y"], "c": ["n", "p"]}
    with pytest.raises(DataError, match=r"own.csv, line 7: 1 cell found; 2 expected, as in line 1"):
        read(body + "z")


def test_separators() -> None:
    assert cells(read("a\tc\nx y\t\n\t n\n", file="own.TSV")) == {"a": ["x y", None], "c": [None, "n"]}
    assert cells(read("a;c\n1,5;n\n", separator=";"))["a"] == ["1,5"]
    assert cells(read("a|c\nx|n\n", separator="|")) == {"a": ["x"], "c": ["n"]}
    runs = ' 1.5   2\t n \n"x y" 3 p\n\n   \n\t 4 5 n'
    assert cells(read(runs, header=False, separator=" ")) == {
        "column-1": ["1.5", "x y", "4"],
        "column-2": [2, 3, 5],
        "column-3": ["n", "p", "n"],
    }


ERRORS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "few-cells": ("a,c\nx,n\ny\n", {}, ["line 3: 1 cell found; 2 expected, as in line 1"]),
    "many-cells": ("\na,c\n\nx,n,\n", {}, ["line 4: 3 cells found; 2 expected, as in line 2"]),
    "many-for-columns": (
        "x,n,1\n",
        {"header": False, "columns": ("a", "c")},
        ["line 1: 3 cells", "2 expected", "`col"],
    ),
    "behind-a-long-cell": ('a,c\n"x\n\ny",n\nz\n', {}, ["line 5: 1 cell found"]),
    "open-quote": ('a,c\nx,"n\ny,p\n', {}, ["line 2, column 2", 'opened and not closed ("n)']),
    "open-quote-later": ('a,b,c\n"x\ny","p\n', {}, ["line 3, column 2", "opened and not closed"]),
    "behind-quote": ('a,c\n"x"y,n\n', {}, ["line 2, column 1", 'behind the closing quote ("x"y,n)', "doubled"]),
    "quote-inside": ('a,c\nx,5" n\n', {}, ["line 2, column 2", "a quote in a cell without quotes"]),
    "number-as-name": ("39, Private\n50, Self\n", {}, ["line 1, column 1", "the name 39, a number", "`header: false`"]),
    "empty-name": (
        "a,,c\n1,2,n\n",
        {},
        ["line 1, column 2", "no name", "`drop: [column-2]`", "[a, column-2, c]"],
    ),
    "same-name": ("x,n,x\ny,p,x\n", {}, ["line 1, column 3", "the name x for the second time", "`header: false`"]),
    "columns-without-header-false": (
        "x,n\ny,p\n",
        {"columns": ("a", "c")},
        ["line 1", "x, n", "a, c", "header: false"],
    ),
    "columns-twice": ("x,n\n", {"header": False, "columns": ("a", "a")}, ["columns has a twice"]),
    "semicolons": ("a;c\nx;n\n", {}, ["line 1: one column", "`separator: ;` meant?"]),
    "tabs": ("a\tc\nx\tn\n", {}, ["line 1: one column", '`separator: "\\t"` meant?']),
    "blanks": ("1 2 n\n3 4 p\n", {"header": False}, ["line 1: one column", "`separator: ' '` meant?"]),
    "commas": ("a,c\nx,n\n", {"separator": ";"}, ["line 1: one column", "`separator: ','` meant?"]),
    "decimal-commas": ("a;c\n1,5;n\n", {}, ["line 2: 2 cells found; 1 expected, as in line 1"]),
    "separator": ("a;c\n", {"separator": ";;"}, ["separator ';;'", "one character"]),
    "types": ("a,c\nx,n\n", {"types": {"A": "nominal"}}, ["types names A", "did you mean a?", "columns are a, c"]),
    "types-do-not-fit": ("a,c\n1,n\nx,n\n", {"types": {"a": "numeric"}}, ["line 3, column 1: a has 'x'; a number"]),
}


@pytest.mark.parametrize(("body", "options", "words"), ERRORS.values(), ids=list(ERRORS))
def test_errors_name_the_place_and_what_is_expected(body: str, options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        read(body, **options)
    message = str(caught.value)
    assert message.startswith("own.csv")
    assert [word for word in words if word not in message] == [], message
    assert "\n" not in message


# --- properties

LABELS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(LABELS, min_size=width, max_size=width), min_size=1, max_size=5)
)


@given(TABLES, st.sampled_from([",", ";", "\t", "|", " "]), st.sampled_from(["\n", "\r\n"]))
def test_reads_what_the_csv_module_writes(rows: list[list[str]], separator: str, end: str) -> None:
    """Quoted as a whole, every text comes back (an empty one is missing, a ? is not)."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    names = [f"column-{j}" for j in range(1, len(rows[0]) + 1)]
    table = read(out.getvalue(), header=False, separator=separator, types=dict.fromkeys(names, "nominal"))
    assert list(cells(table).values()) == [[row[j] or None for row in rows] for j in range(len(names))]
    assert all(attribute.values == tuple(sorted(attribute.values)) for attribute in table.attributes)


@given(TABLES)
def test_reads_what_the_csv_module_writes_with_few_quotes(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    bare = [[text if any(mark in text for mark in ',"\r\n') else text.strip(" \t\f\v") for text in row] for row in rows]
    names = [f"column-{j}" for j in range(1, len(rows[0]) + 1)]
    table = read(out.getvalue(), header=False, types=dict.fromkeys(names, "string"))
    assert list(cells(table).values()) == [
        [None if row[j] in ("", "?") else row[j] for row in bare] for j in range(len(names))
    ]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.none(), min_size=1, max_size=8))
def test_numbers_are_read_to_the_last_bit(numbers: list[float | None]) -> None:
    rows = "".join(f"{'?' if x is None else repr(x)},n\n" for x in numbers)
    assert cells(read("v,c\n" + rows))["v"] == numbers


@given(
    st.lists(st.sampled_from(["x", "1", ",", " ", "\t", '"', '""', "\n", "\r\n", "?", ";", "é", "a,c\n"]), max_size=14),
    st.sampled_from([",", " ", "\t"]),
    st.booleans(),
)
def test_no_input_fails_but_with_a_message(fragments: list[str], separator: str, header: bool) -> None:
    body = "".join(fragments)
    if not body.strip():
        return  # an empty file is refused when its text is read
    try:
        table = read(body, separator=separator, header=header)
    except DataError as error:
        assert str(error).startswith("own.csv, line ")  # noqa: PT017
    else:
        assert all(len(column) == table.n_rows for column in table.columns)


# --- UCI's raw files

HEART = (
    "age",
    "sex",
    "cp",
    "trestbps",
    "chol",
    "fbs",
    "restecg",
    "thalach",
    "exang",
    "oldpeak",
    "slope",
    "ca",
    "thal",
    "num",
)
HEART_NOMINAL = dict.fromkeys(["sex", "cp", "fbs", "restecg", "exang", "slope", "thal"], "nominal")
UCI: dict[str, dict[str, Any]] = {
    "credit-screening/crx.data": {"types": {"column-11": "numeric", "column-14": "numeric"}},
    "liver-disorders/bupa.data": {},
    "thyroid-disease/new-thyroid.data": {"target": "column-1"},
    "thyroid-disease/hypothyroid.data": {"target": "column-1"},
    "lung-cancer/lung-cancer.data": {
        "target": "column-1",
        "types": {f"column-{j}": "nominal" for j in range(2, 58)},
    },
    "postoperative-patient-data/post-operative.data": {},
    "heart-disease/processed.cleveland.data": {"columns": HEART, "types": HEART_NOMINAL, "target": "num"},
    "letter-recognition/letter-recognition.data": {"target": "column-1"},
    "pendigits/pendigits.tra": {},
    "pendigits/pendigits.tes": {},
    "adult/adult.data": {},
}


@pytest.mark.parametrize("file", UCI)
def test_raw_uci_files_have_the_counts_of_the_manifest(file: str, shared: Path) -> None:
    with (shared / "data/MANIFEST.csv").open(encoding="utf-8", newline="") as lines:
        row = next(row for row in csv.DictReader(lines) if row["path"] == f"uci/{file}")
    table = load_table(DatasetEntry.of(file, "path", str(shared / "data/uci" / file), header=False, **UCI[file]))
    found = [attribute.kind for attribute in table.attributes]
    missing = sum(
        int((np.isnan(column) if kind == "numeric" else column < 0).sum())
        for kind, column in zip(found, table.columns, strict=True)
    )
    assert {
        "instances": table.n_rows,
        "attributes": len(found),
        "classes": table.n_classes,
        "n_numeric": found.count("numeric"),
        "n_nominal": found.count("nominal"),
        "missing_cells": missing,
    } == {
        key: int(row[key]) for key in ("instances", "attributes", "classes", "n_numeric", "n_nominal", "missing_cells")
    }


def test_raw_and_weka_copies_of_letter_hold_the_same_rows(shared: Path) -> None:
    """Two readers, two files of other form and order: the same rows as a multiset (as the manifest says)."""
    weka = load_table(DatasetEntry.of("letter", "path", str(shared / "data/arff/letter.arff")))
    raw_file = shared / "data/uci/letter-recognition/letter-recognition.data"
    raw = load_table(DatasetEntry.of("letter", "path", str(raw_file), header=False, target="column-1"))
    assert weka.target.values == raw.target.values
    first, second = (np.column_stack([*table.columns, table.y]) for table in (weka, raw))
    np.testing.assert_array_equal(first[np.lexsort(first.T)], second[np.lexsort(second.T)])


def test_blank_separated_file(shared: Path) -> None:
    file = shared / "data/uci/synthetic_control/synthetic_control.data"
    text = Text(str(file), file.read_text(encoding="utf-8"))
    table = read_delimited(text, DatasetEntry.of("syncon", "path", str(file), header=False, separator=" "))
    assert (table.n_rows, [attribute.kind for attribute in table.attributes]) == (600, ["numeric"] * 60)
