"""Any data set entry as a table: files on disk with all that can be wrong with them, and the other sources."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lazybayes.data.load import load_table
from lazybayes.data.table import Table
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry

ARFF = "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@attribute class {n,p}\n@data\nx,1,n\ny,2,p\n"


def load(path: Path, **options: Any) -> Table:
    return load_table(DatasetEntry.of(path.stem, "path", str(path), **options))


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def labels(table: Table, name: str) -> list[str | None]:
    j = [attribute.name for attribute in table.attributes].index(name)
    declared = table.attributes[j].values
    return [None if code < 0 else declared[code] for code in table.columns[j]]


def test_one_table_as_arff_and_csv(tmp_path: Path) -> None:
    """A byte order mark and CRLF change nothing, and both forms say the same (case 8)."""
    bom = b"\xef\xbb\xbf"
    arff = load(write(tmp_path / "t.arff", bom + ARFF.replace("\n", "\r\n").encode()), target="class")
    table = load(write(tmp_path / "t.csv", bom + b"class,a,b\r\nn,x,1\r\np,y,2\r\n"), target="class")
    assert arff.fingerprint() == table.fingerprint()
    assert [attribute.name for attribute in table.attributes] == ["a", "b"]
    assert table.target.values == ("n", "p")
    assert table.notices == arff.notices == ()


def test_an_arff_file_under_another_name(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.dat", "% a note\n" + ARFF), target="class")
    assert [attribute.name for attribute in table.attributes] == ["a", "b"]


def test_latin_1_unless_an_encoding_is_given(tmp_path: Path) -> None:
    """Both accented letters stay what they are (case 10)."""
    body = "ville,class\nOrl\u00e9,n\nOrl\u00e8,p\nOrle,p\n"
    path = write(tmp_path / "t.csv", body.encode("latin-1"))
    table = load(path, target="class")
    assert table.attributes[0].values == ("Orle", "Orl\u00e8", "Orl\u00e9")
    assert len(table.notices) == 1
    assert "t.csv: read as Latin-1, for line 2 is no UTF-8" in table.notices[0]
    assert load(path, target="class", encoding="latin-1").notices == ()
    assert load(write(tmp_path / "u.csv", body), target="class").fingerprint() == table.fingerprint()
    wide = load(write(tmp_path / "w.csv", body.encode("utf-16")), target="class", encoding="utf-16")
    assert wide.fingerprint() == table.fingerprint()
    with pytest.raises(DataError, match=r"t.csv, line 2: bytes that are no utf-8"):
        load(path, target="class", encoding="utf-8")
    with pytest.raises(DataError, match="unknown encoding latin-11"):
        load(path, target="class", encoding="latin-11")


def test_an_arff_file_in_latin_1(tmp_path: Path) -> None:
    body = ARFF.replace("{x,y}", "{\u00e9,y}").replace("x,1", "\u00e9,1")
    table = load(write(tmp_path / "t.arff", body.encode("latin-1")), target="class")
    assert labels(table, "a") == ["\u00e9", "y"]
    assert "read as Latin-1" in table.notices[0]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", b"", "the file is empty"),
        ("blank.arff", b"\xef\xbb\xbf \r\n\n", "the file is empty"),
        ("zeros.csv", b"a,c\nx,\0\n", "the file is binary"),
        ("bytes.csv", bytes(range(1, 256)), "the file is binary"),
        ("packed.csv", gzip.compress(ARFF.encode(), mtime=0), "packed by gzip"),
        ("packed.arff", b"PK\x03\x04rest", "packed by zip"),
        ("wide.csv", "a,c\nx,n\n".encode("utf-16"), "`encoding: utf-16`"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(DataError, match=words) as caught:
        load(path)
    assert str(caught.value).startswith(str(path))


def test_paths_that_are_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "iris.arff", ARFF)
    with pytest.raises(DataError, match=r"irsi.arff: there is no such file \(did you mean iris.arff\?\)"):
        load(tmp_path / "irsi.arff")
    with pytest.raises(DataError, match="no such file"):
        load(tmp_path / "nowhere" / "iris.arff")
    with pytest.raises(DataError, match="no documents; a folder a class is expected"):
        load(tmp_path)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(DataError, match=r"iris.arff: cannot be read: Permission denied"):
        load(path)


def test_csv_keys_are_not_for_arff_files(tmp_path: Path) -> None:
    path = write(tmp_path / "t.arff", ARFF)
    with pytest.raises(DataError, match="this is an ARFF file; header is for CSV files only"):
        load(path, header=False)


def test_the_class_of_a_file(tmp_path: Path) -> None:
    """A target that is not there, a numeric one, none, and a row without a class (case 13)."""
    path = write(tmp_path / "t.csv", "a,Klasse,len\nx,n,1.5\ny,p,2.25\nx,,3\ny,p,0.5\n")
    where = "c.yaml, line 3: datasets[0]"
    with pytest.raises(DataError, match=r"c.yaml, line 3.*klasse.*did you mean Klasse\?.*a, Klasse, len"):
        load(path, target="klasse", where=where)
    with pytest.raises(DataError, match=r"c.yaml, line 3.*len is numeric.*types: {len: nominal}"):
        load(path, target="len", where=where)
    with pytest.raises(DataError, match=r"^data set t: the target len is numeric"):
        load(path)
    four = load(path, target="len", types={"len": "nominal"})
    assert four.target.values == ("0.5", "1.5", "2.25", "3")
    hole = load(path, target="Klasse")
    assert (hole.y.tolist(), hole.index.tolist()) == ([0, 1, 1], [0, 1, 3])
    assert hole.notices == ("data set t: 1 row without a class (Klasse) left out of 4",)
    last = load(write(tmp_path / "u.arff", ARFF))
    assert last.target.name == "class"
    assert last.notices == ("data set u: no target is given, so the last column, class, is taken as the class",)


def test_labels_with_leading_zeros(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", "a,class\nx,01\ny,1\nx,01\ny,1\n"), target="class")
    assert table.target.values == ("01", "1")
    assert table.y.tolist() == [0, 1, 0, 1]


def test_a_plain_file_without_a_header_line(tmp_path: Path) -> None:
    """The first row is not taken for names in silence (case 36)."""
    path = write(tmp_path / "own.data", "39, Private, <=50K\n50, Self, >50K\n28, ?, >50K\n")
    with pytest.raises(DataError, match=r"own.data, line 1, column 1: .*39, a number.*`header: false`"):
        load(path)
    table = load(path, header=False, columns=("age", "work", "income"), target="income")
    assert (table.n_rows, table.n_classes) == (3, 2)
    assert table.columns[0].tolist() == [39, 50, 28]
    assert labels(table, "work") == ["Private", "Self", None]


def test_the_same_entry_gives_the_same_table(tmp_path: Path) -> None:
    path = write(tmp_path / "t.arff", ARFF)
    assert load(path).fingerprint() == load(path).fingerprint()


def test_generated_data_sets() -> None:
    entry = DatasetEntry.of("led", "generate", "led24", options={"rows": 50}, drop=("att99",))
    with pytest.raises(DataError, match="data set led: drop names att99"):
        load_table(entry)
    table = load_table(DatasetEntry.of("led", "generate", "led24", options={"rows": 50}))
    assert (table.n_rows, len(table.attributes), table.n_classes) == (50, 24, 10)
    first = table.attributes[0].name
    assert len(load_table(DatasetEntry.of("led", "generate", "led24", drop=(first,))).attributes) == 23


def test_catalogue_data_sets_are_held_against_their_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load_table(DatasetEntry.of("ttt", "catalogue", "tic-tac-toe"))
    assert (table.name, table.n_rows, len(table.attributes), table.n_classes) == ("ttt", 958, 9, 2)
    from lazybayes.data import catalogue

    wrong = catalogue.Expected(instances=957, attributes=9, classes=2, missing_cells=0)
    monkeypatch.setattr(catalogue, "expected", lambda entry: wrong)
    with pytest.raises(DataError, match=r"958 instances \(expected 957\)"):
        load_table(DatasetEntry.of("ttt", "catalogue", "tic-tac-toe"))


def test_an_unknown_source_is_an_error() -> None:
    with pytest.raises(DataError, match="no source nowhere; sources are path, openml, uci, generate, catalogue"):
        load_table(DatasetEntry.of("d", "nowhere", "x"))


def test_columns_are_of_the_stated_types(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.arff", ARFF))
    assert [column.dtype for column in table.columns] == [np.int32, np.float64]
    assert table.y.dtype == np.int32
    assert table.index.dtype == np.int64
