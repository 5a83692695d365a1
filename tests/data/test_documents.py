"""Documents from folders and archives: their classes, their bytes, their headers."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

from lazybayes.data.documents import body
from lazybayes.data.load import load_table
from lazybayes.data.quality import oddities
from lazybayes.data.table import Table
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry

HEADED = b"Newsgroups: rec.tea\nSubject: first\n flush\n\nNewsgroups: is only a word here\n"
TREE = {
    "rec.tea/1": HEADED + b"caf\xe9 leaf\n",
    "rec.tea/2": b"no blank line so all of this is body\nSubject: odd\n",
    "rec.tea/10": "caf\u00e9 in UTF-8".encode(),
    "rec.oil/1": b"Newsgroups: rec.oil\r\nLines: 1\r\n\r\ncrude na\xefve\r\n",
    "rec.oil/2": b"",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in TREE.items():
        path = tmp_path / "news" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "news"


def pack(path: Path, prefix: str, mode: Any = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:
        for name, data in sorted(TREE.items(), reverse=True):
            member = tarfile.TarInfo(prefix + name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def load(*paths: Path, **changes: Any) -> Table:
    first, *more = map(str, paths)
    return load_table(DatasetEntry.of("news", "path", first, files=tuple(more), **changes))


def texts(table: Table) -> list[tuple[str, str]]:
    return [(table.target.values[y], text) for y, text in zip(table.y, table.columns[0], strict=True)]


def test_a_folder_is_a_class_and_no_byte_is_lost(folder: Path) -> None:
    table = load(folder)
    assert [(a.name, a.kind) for a in table.attributes] == [("text", "string")]
    assert (table.target.name, table.target.values) == ("class", ("rec.oil", "rec.tea"))
    assert texts(table) == [
        ("rec.oil", "Newsgroups: rec.oil\r\nLines: 1\r\n\r\ncrude na\u00efve\r\n"),
        ("rec.oil", ""),
        ("rec.tea", HEADED.decode() + "caf\u00e9 leaf\n"),
        ("rec.tea", "caf\u00e9 in UTF-8"),
        ("rec.tea", "no blank line so all of this is body\nSubject: odd\n"),
    ]
    assert table.notices == (f"{folder}: 2 documents of 5 read as Latin-1, being no UTF-8 (rec.oil/1, rec.tea/1)",)


def test_headers_removed(folder: Path) -> None:
    assert [text for _, text in texts(load(folder, headers="remove"))] == [
        "crude na\u00efve\r\n",
        "",
        "Newsgroups: is only a word here\ncaf\u00e9 leaf\n",
        "caf\u00e9 in UTF-8",
        "no blank line so all of this is body\nSubject: odd\n",
    ]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("", ""),
        ("Subject: tea\n\n", ""),
        ("X-a:b\r\rrest\r\r", "rest\r\r"),
        ("Subject: tea\r\nFrom: me\n\r\nbody\n\nmore", "body\n\nmore"),
        ("Subject: tea\r\nFrom: me\r\n", "Subject: tea\r\nFrom: me\r\n"),  # a line's end of two characters is one
        ("dear all:\n\nbody", "dear all:\n\nbody"),  # a blank in the name: no header line
        ("\nSubject: tea\n\nbody", "\nSubject: tea\n\nbody"),
        (": odd\n\nbody", ": odd\n\nbody"),
    ],
)
def test_what_a_header_is(text: str, rest: str) -> None:
    assert body(text) == rest


@pytest.mark.parametrize("prefix", ["news/", "./news/", "./", ""])
def test_an_archive_is_the_folder_it_was_made_of(folder: Path, tmp_path: Path, prefix: str) -> None:
    packed = load(pack(tmp_path / "news.tgz", prefix))
    assert packed.fingerprint() == load(folder).fingerprint()
    assert load(pack(tmp_path / "news.TAR", prefix, "w")).fingerprint() == packed.fingerprint()


def test_several_trees_are_joined(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "later" / "sub" / "rec.ale" / "1"
    other.parent.mkdir(parents=True)
    other.write_text("hops")
    table = load(folder, tmp_path / "later")
    assert table.target.values == ("rec.ale", "rec.oil", "rec.tea")
    assert texts(table)[-1] == ("rec.ale", "hops")
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="news holds documents, and other paths do not"):
        load(folder, tmp_path / "t.csv")


def test_what_is_no_document_is_told(folder: Path) -> None:
    (folder / "README").write_text("all about it")
    (folder / "rec.tea" / ".index").write_text("")
    (folder / "rec.ale").mkdir()
    table = load(folder)
    assert table.n_rows == 5
    assert f"{folder}: 2 files left out, hidden or in no folder of a class" in table.notices
    assert table.target.values == ("rec.ale", "rec.oil", "rec.tea")  # a class without documents
    assert "data set news: no row is of the declared class rec.ale" in oddities(table)


def test_an_encoding_is_taken_at_its_word(folder: Path) -> None:
    assert load(folder, encoding="latin-1").notices == ()
    assert dict(texts(load(folder, encoding="latin-1")))["rec.tea"] == TREE["rec.tea/2"].decode()
    with pytest.raises(DataError, match=r"rec.oil/1, line 4: bytes that are no utf-8"):
        load(folder, encoding="utf-8")


def test_what_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="empty: no documents; a folder a class is expected"):
        load(tmp_path / "empty")
    with pytest.raises(DataError, match=r"none.tar: there is no such file"):
        load(tmp_path / "none.tar")
    whole = pack(tmp_path / "news.tar.gz", "news/").read_bytes()
    for damage in (whole[:-100], b"\x1f\x8b" + whole[20:], b"no archive at all"):
        (tmp_path / "bad.tar.gz").write_bytes(damage)
        with pytest.raises(DataError, match=r"bad.tar.gz: (the archive is damaged|cannot be read)") as caught:
            load(tmp_path / "bad.tar.gz")
        assert "\n" not in str(caught.value)
    with pytest.raises(DataError, match="separator is for files of tables"):
        load(folder, separator=";")
    (folder / "rec.oil" / "3").write_bytes(b"\xff\xfet\0")
    with pytest.raises(DataError, match="UTF-16"):
        load(folder)


def test_a_column_of_texts(tmp_path: Path) -> None:
    path = tmp_path / "mail.csv"
    path.write_text('text,box\n"Subject: tea\n\nbuy ""green"" tea",in\n,in\n"no header",out\n')
    entry = {"types": {"text": "string"}, "target": "box"}
    assert load(path, **entry).columns[0].tolist() == ['Subject: tea\n\nbuy "green" tea', None, "no header"]
    assert load(path, headers="remove", **entry).columns[0].tolist() == ['buy "green" tea', None, "no header"]
    with pytest.raises(DataError, match="headers: remove is for texts, and no column is text"):
        load(path, headers="remove", target="box")


def test_case_025(shared: Path) -> None:
    import json

    case = shared / "cases" / "025-newsgroup-headers-latin-1"
    kept = json.loads((case / "expected.json").read_text(encoding="utf-8"))["kept"]
    found = [" ".join(text.split()) for text in load(case / "docs", headers="remove").columns[0]]
    assert [found[0], found[1]] == [kept["rec.oil/1"], kept["rec.tea/1"]]
    assert found[2] == "no blank line so all of this is body Subject: odd"
