"""Several files as one data set, and columns that are not written as columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lazybayes.data.load import load_table
from lazybayes.data.sheets import read_files
from lazybayes.data.table import RawTable, Table
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry

DATA = "39, Private, <=50K\n50, Self, >50K\n38, Private, <=50K\n28, ?, >50K\n"
TEST = "|1x3 Cross validator\n25, Private, <=50K.\n44, Self, >50K.\n"
COLUMNS = ("age", "work", "income")
DOTS = {"income": {"<=50K.": "<=50K", ">50K.": ">50K"}}


def read(folder: Path, files: dict[str, str], **said: object) -> RawTable:
    for name, text in files.items():
        (folder / name).write_text(text)
    entry = DatasetEntry.of("t", "path", "", **said)  # type: ignore[arg-type]
    return read_files([folder / name for name in files], entry)


def cells(raw: RawTable, name: str) -> list[object]:
    at = [attribute.name for attribute in raw.attributes].index(name)
    attribute, column = raw.attributes[at], raw.columns[at]
    if attribute.kind == "numeric":
        return [None if np.isnan(value) else value for value in column.tolist()]
    return [attribute.values[code] if code >= 0 else None for code in column.tolist()]


def own_entry(folder: Path, monkeypatch: pytest.MonkeyPatch, expected: str = "instances: 6", **more: str) -> Table:
    """The table of a user's catalogue entry of the two files of case 36."""
    (folder / "own.data").write_text(DATA)
    (folder / "own.test").write_text(TEST)
    lines = {
        "name": "mine", "title": "two files", "sources": "[{path: [own.data, own.test]}]", "target": "income",
        "header": "false", "columns": "[age, work, income]", "skip_lines": "{own.test: [1]}",
        "recode": "{income: {'<=50K.': <=50K, '>50K.': '>50K'}}",
        "expected": f"{{{expected}, attributes: 2, classes: 2, missing_cells: 1}}",
        "licence": "none", "citation": "none",
    } | more  # fmt: skip
    entries = folder / "entries"
    entries.mkdir(exist_ok=True)
    text = "".join(f"{key}: {value}\n" for key, value in lines.items() if value)
    (entries / "mine.yaml").write_text(
        text.replace("own.data, ", "../own.data, ").replace(", own.test", ", ../own.test")
    )
    monkeypatch.setenv("LAZYBAYES_DATASETS", str(entries))
    return load_table(DatasetEntry.of("mine", "catalogue", "mine"))


def test_two_files_of_uci_without_a_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 36: 6 rows, 2 classes of 3 rows, one missing cell, no row lost and no label doubled."""
    table = own_entry(tmp_path, monkeypatch)
    assert (table.n_rows, table.target.values, table.missing_cells) == (6, ("<=50K", ">50K"), 1)
    assert np.bincount(table.y).tolist() == [3, 3]
    assert table.columns[0].tolist() == [39, 50, 38, 28, 25, 44]
    assert table.notices == ()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"recode": ""}, r"4 classes \(expected 2\)"),
        ({"sources": "[{path: ../own.data}]", "skip_lines": ""}, r"4 instances \(expected 6\)"),
        ({"skip_lines": "{own.test: [2]}"}, r"own.test, line 1: 1 cell found .*; 3 expected"),
        (
            {"skip_lines": "{own.tst: [1]}"},
            r"skip_lines names own.tst, which is no file .* \(did you mean own.test\?\)",
        ),
        ({"skip_lines": "{own.test: [9]}"}, r"own.test: skip_lines has line 9; the file has 4 lines"),
    ],
)
def test_what_goes_wrong_with_two_files_is_told(
    wrong: dict[str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DataError, match=told):
        own_entry(tmp_path, monkeypatch, **wrong)


def test_types_are_those_of_all_files(tmp_path: Path) -> None:
    raw = read(tmp_path, {"a.csv": "1,x\n2,y\n", "b.csv": "three,x\n"}, header=False)
    assert cells(raw, "column-1") == ["1", "2", "three"]
    raw = read(tmp_path, {"a.csv": "n,c\n1,x\n", "b.csv": "n,c\n2,y\n"})
    assert cells(raw, "n") == [1, 2]
    assert raw.n_rows == 2


def test_arff_files_join_their_declared_values(tmp_path: Path) -> None:
    head = "@relation r\n@attribute a {{{}}}\n@attribute c {{y, n}}\n@data\n"
    raw = read(tmp_path, {"a.arff": head.format("p, q") + "p,y\n", "b.arff": head.format("r, p") + "r,n\np,n\n"})
    assert raw.attributes[0].values == ("p", "q", "r")
    assert cells(raw, "a") == ["p", "r", "p"]
    with pytest.raises(DataError, match=r"b.arff: it has the columns a, d, but .*a.arff has a, c"):
        read(
            tmp_path, {"a.arff": head.format("p") + "p,y\n", "b.arff": head.format("p").replace("c {", "d {") + "p,y\n"}
        )
    numeric = head.format("p").replace("{p}", "numeric")
    with pytest.raises(DataError, match=r"b.arff: a is numeric, but nominal in .*a.arff"):
        read(tmp_path, {"a.arff": head.format("p") + "p,y\n", "b.arff": numeric + "1,y\n"})
    with pytest.raises(DataError, match=r"files of one form are joined"):
        read(tmp_path, {"a.arff": head.format("p") + "p,y\n", "b.csv": "a,c\np,y\n"})


def test_an_error_names_the_file_it_is_in(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"b.csv, line 3, column 1: n has 'x'; a number is expected"):
        read(tmp_path, {"a.csv": "n,c\n1,x\n", "b.csv": "n,c\n2,y\nx,y\n"}, types={"n": "numeric"})


def test_a_word_becomes_a_column_a_letter(tmp_path: Path) -> None:
    raw = read(
        tmp_path, {"p.data": "+,S10,\t\tacg\n-,B, aat\n"}, header=False, columns=("c", "id", "p"), split={"p": 3}
    )
    assert [attribute.name for attribute in raw.attributes] == ["c", "id", "p-1", "p-2", "p-3"]
    assert [cells(raw, f"p-{i}") for i in (1, 2, 3)] == [["a", "a"], ["c", "a"], ["g", "t"]]
    with pytest.raises(DataError, match=r"p.data, line 2, column 3: p has 2 letters; 3 expected"):
        read(tmp_path, {"p.data": "+,S10,acg\n-,B,aa\n"}, header=False, columns=("c", "id", "p"), split={"p": 3})
    with pytest.raises(DataError, match=r"split names q, which is no column"):
        read(tmp_path, {"p.data": "+,S10,acg\n"}, header=False, split={"q": 3})


def test_blocks_of_rows_become_a_class(tmp_path: Path) -> None:
    said = {"header": False, "separator": " ", "blocks": {"class": {"up": 2, "down": 1}}}
    raw = read(tmp_path, {"s.data": "1.5  2\n2 3\n3 4\n"}, **said)
    assert cells(raw, "class") == ["up", "up", "down"]
    assert raw.attributes[-1].values == ("up", "down")
    with pytest.raises(DataError, match=r"s.data: blocks names 3 rows of class, but there are 2"):
        read(tmp_path, {"s.data": "1.5 2\n2 3\n"}, **said)
    with pytest.raises(DataError, match="blocks makes a column class, but the file has one already"):
        read(tmp_path, {"s.data": "1.5 2\n2 3\n"}, columns=("a", "class"), **said)


def test_labels_are_recoded_before_types_and_order(tmp_path: Path) -> None:
    data = {"h.csv": "a,num\n1,0\n2,3\n?,1\n9,2\n"}
    raw = read(tmp_path, data, recode={"num": dict.fromkeys("123", "1-3"), "a": {"9": None}}, target="num")
    assert cells(raw, "num") == ["0", "1-3", "1-3", "1-3"]
    assert raw.attributes[1].values == ("0", "1-3")
    assert cells(raw, "a") == [1, 2, None, None]
    every = read(tmp_path, {"h.csv": "a,b,num\nN,x,N\ny,N,y\n"}, recode={"*": {"N": None}}, target="num")
    assert [cells(every, name) for name in ("a", "b", "num")] == [[None, "y"], ["x", None], ["N", "y"]]
    useless = read(tmp_path, data, recode={"a": {"7": "8"}})
    assert any("recode changes nothing in a, which has 1, 2, 9" in notice for notice in useless.notices)
    with pytest.raises(DataError, match="recode names b, which is no column"):
        read(tmp_path, data, recode={"b": {"7": "8"}})


def test_declared_values_of_arff_are_recoded_in_order(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a {z, y, x}\n@attribute c {0, 2, 1}\n@data\nz,2\nx,1\ny,0\n"
    raw = read(tmp_path, {"t.arff": text}, recode={"c": {"1": "some", "2": "some"}, "a": {"z": None}})
    assert [attribute.values for attribute in raw.attributes] == [("y", "x"), ("0", "some")]
    assert (cells(raw, "a"), cells(raw, "c")) == ([None, "x", "y"], ["some", "some", "0"])


def test_rows_left_out(tmp_path: Path) -> None:
    raw = read(tmp_path, {"t.csv": "a,b,c\nN,x,N\ny,D,y\ny,x,N\n"}, leave_out={"*": ("N", "D")}, target="c")
    assert cells(raw, "c") == ["N"]
    assert raw.notices == (f"{tmp_path / 't.csv'}: 2 rows left out of 3 (leave_out)",)
    named = read(tmp_path, {"t.csv": "a,b,c\nN,x,N\ny,D,y\ny,x,N\n"}, leave_out={"a": ("N",)})
    assert cells(named, "b") == ["D", "x"]
    with pytest.raises(DataError, match="leave_out names d, which is no column"):
        read(tmp_path, {"t.csv": "a,b,c\nN,x,N\n"}, leave_out={"d": ("N",)})


def test_types_may_declare_values_and_all_columns(tmp_path: Path) -> None:
    data = {"t.csv": "a,b,c\n1,2,0\n3,4,1\n"}
    raw = read(tmp_path, data, types={"*": "nominal", "b": ("4", "3", "2")}, target="c")
    assert raw.attributes[0].values == ("1", "3")
    assert raw.attributes[1].values == ("4", "3", "2")
    assert raw.columns[1].tolist() == [2, 0]
    with pytest.raises(DataError, match=r"t.csv, line 2, column 2: b has the value 2, which is not declared"):
        read(tmp_path, data, types={"b": ("4",)})
