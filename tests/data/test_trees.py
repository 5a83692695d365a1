"""Folders and tar archives that are hostile or damaged: one message, within a bound of bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lazybayes import files
from lazybayes.data import uci
from lazybayes.data.text import decode
from lazybayes.data.trees import read_tree
from lazybayes.errors import DataError, FetchError


def member(name: str, data: bytes = b"", **changes: Any) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in changes.items():
        setattr(info, key, value)
    return info, data


def link(name: str, target: str, kind: bytes = tarfile.LNKTYPE) -> tuple[tarfile.TarInfo, bytes]:
    return member(name, type=kind, linkname=target)


def pack(path: Path, *members: tuple[tarfile.TarInfo, bytes], mode: Any = "w") -> Path:
    with tarfile.open(path, mode) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return path


def problem(read: Callable[[], object]) -> str:
    """What a reader says is wrong, if it is."""
    try:
        read()
    except DataError as error:
        return str(error)
    return ""


TEA = member("tea/1", b"leaf")


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (link("tea/2", "tea/9"), "tea/2 is a link to tea/9, which is not a file of the archive"),
        (link("tea/2", "tea/2"), "tea/2 is a link to tea/2, which is not a file of the archive"),
        (link("tea/2", "9", tarfile.SYMTYPE), "tea/2 is a link to tea/9, which is not a file of the archive"),
        (member(".", b"x"), "the archive is damaged (a member without a name)"),
        (member("tea/fifo", type=tarfile.FIFOTYPE), "tea/fifo is a device or a FIFO; only regular files are read"),
        (member("tea/zero", type=tarfile.CHRTYPE), "tea/zero is a device or a FIFO; only regular files are read"),
    ],
)
def test_a_member_that_is_not_a_file(extra: tuple[tarfile.TarInfo, bytes], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_tree(pack(tmp_path / "t.tar", TEA, extra))
    assert str(caught.value) == f"{tmp_path / 't.tar'}: {message}"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_links_are_the_files_that_they_lead_to(mode: str, tmp_path: Path) -> None:
    """Before or after the file, through another link; a link to a folder is not followed."""
    chain = [link("oil/3", "../tea/2", tarfile.SYMTYPE), link("tea/2", "tea/1"), link("all", "tea", tarfile.SYMTYPE)]
    files, empty = read_tree(pack(tmp_path / "t.tar", chain[0], TEA, *chain[1:], mode=mode))
    assert [("/".join(file.path), file.data) for file in files] == [
        ("oil/3", b"leaf"),
        ("tea/1", b"leaf"),
        ("tea/2", b"leaf"),
    ]
    assert empty == set()


def test_a_circle_of_links(tmp_path: Path) -> None:
    circle = [link(f"tea/{i}", f"tea/{(i + 1) % 3}") for i in range(3)]
    with pytest.raises(DataError, match="tea/0 is a link to tea/1, which is not a file of the archive"):
        read_tree(pack(tmp_path / "t.tar", *circle))


@pytest.mark.parametrize("pack_bytes", [gzip.compress, bz2.compress, lzma.compress])
def test_a_decompression_bomb(
    pack_bytes: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left off at the bound; that a member says how large it is does not matter."""
    monkeypatch.setattr(files, "FREE", 1 << 20)
    whole = pack(tmp_path / "t.tar", member("tea/1", b"\0" * (5 << 20))).read_bytes()
    packed = tmp_path / "t.tar.gz"
    packed.write_bytes(pack_bytes(whole))
    with pytest.raises(DataError, match="the archive unpacks to more than 100 times its size"):
        read_tree(packed)
    assert read_tree(tmp_path / "t.tar")[0][0].data == b"\0" * (5 << 20)


def test_trees_are_at_most_as_large_as_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = pack(tmp_path / "t.tar", TEA, member("tea/2", b"x" * 20_000))
    folder = tmp_path / "t"
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    monkeypatch.setenv("LAZYBAYES_MOST_BYTES", "20003")
    with pytest.raises(DataError, match=r"unpacks to more; at most 20,003 are allowed \(the setting most_bytes\)"):
        read_tree(archive)
    with pytest.raises(DataError, match=r"has .* bytes; at most .* are allowed \(the setting most_bytes\)"):
        read_tree(folder)
    monkeypatch.setenv("LAZYBAYES_MOST_BYTES", str(archive.stat().st_size))
    assert len(read_tree(archive)[0]) == 2
    monkeypatch.setenv("LAZYBAYES_MOST_BYTES", "20004")
    assert len(read_tree(folder)[0]) == 2


def test_a_sparse_member_is_as_large_as_it_says(tmp_path: Path) -> None:
    """GNU's sparse format: a file of 8 GiB of which no byte is stored."""
    info = member("tea/1", type=tarfile.GNUTYPE_SPARSE)[0]
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"%011o\0" % (8 << 30)
    header[148:156] = b"%06o\0 " % sum(header[:148], 256 + sum(header[156:]))
    path = tmp_path / "t.tar"
    path.write_bytes(bytes(header) + b"\0" * 10240)
    with pytest.raises(DataError, match="the archive unpacks to more; at most 4,294,967,296 are allowed"):
        read_tree(path)


def test_a_fifo_in_a_folder(tmp_path: Path) -> None:
    """Among the documents it is told; what is no document is not opened."""
    (tmp_path / "tea").mkdir()
    (tmp_path / "tea" / "1").write_text("leaf")
    os.mkfifo(tmp_path / "tea" / ".hidden")
    assert [file.path for file in read_tree(tmp_path)[0]] == [("tea", ".hidden"), ("tea", "1")]
    os.mkfifo(tmp_path / "tea" / "2")
    with pytest.raises(DataError, match=r"tea/2: this is a FIFO; only regular files are read"):
        read_tree(tmp_path)


def test_a_deep_path_is_no_work(tmp_path: Path) -> None:
    """The prefixes of a path of 100,000 folders are not made."""
    files, empty = read_tree(pack(tmp_path / "t.tar", member("a/" * 100_000 + "1", b"leaf"), member("a/b", type=b"5")))
    assert len(files) == 1
    assert empty == {"b"}


def test_damaged_archives_are_told(tmp_path: Path) -> None:
    """Whatever byte is wrong: files, or a DataError."""
    chain = (TEA, link("tea/2", "tea/1"), member("oil/1", b"crude" * 300), member("n" * 150, b"x"))
    whole = {mode: pack(tmp_path / "t.tar", *chain, mode=mode).read_bytes() for mode in ("w", "w:gz", "w:bz2", "w:xz")}
    draw = random.Random(7)
    for _ in range(300):
        data = bytearray(whole[draw.choice(sorted(whole))])
        for _ in range(draw.choice((1, 3, 20))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        (tmp_path / "t.tar").write_bytes(data[: draw.choice((None, draw.randrange(len(data))))])
        told = problem(lambda: read_tree(tmp_path / "t.tar"))
        assert not told or told.startswith(str(tmp_path / "t.tar"))


def zipped(name: str = "own.data", data: bytes = b"a,b\n" * 100) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return stream.getvalue()


def test_a_zip_with_a_wrong_directory_offset() -> None:
    whole = zipped()
    end = whole.rfind(b"PK\x05\x06")
    for offset in (0, 1, end - 1, end + 1, 2**31, 2**32 - 2):
        wrong = whole[: end + 16] + offset.to_bytes(4, "little") + whole[end + 20 :]
        with pytest.raises(FetchError, match="the zip archive is damaged"):
            uci._member("http://uci", wrong, "own.data")


def test_damaged_zips_are_told() -> None:
    whole, draw = zipped(), random.Random(7)
    for _ in range(1000):
        data = bytearray(whole)
        for _ in range(draw.choice((1, 2, 5))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        told = problem(lambda data=data: uci._member("http://uci", bytes(data), "own.data"))
        assert not told or told.startswith("http://uci: ")


def test_a_member_of_a_zip_is_at_most_as_large_as_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert uci._member("http://uci", zipped(), "own.data") == b"a,b\n" * 100
    monkeypatch.setenv("LAZYBAYES_MOST_BYTES", "399")
    with pytest.raises(FetchError, match=r"own.data has 400 bytes; at most 399 are allowed \(the setting most_bytes\)"):
        uci._member("http://uci", zipped(), "own.data")


@pytest.mark.parametrize("encoding", ["\0", "no-such", "rot13", "ut\ud800f-8"])
def test_an_encoding_that_is_none(encoding: str) -> None:
    with pytest.raises(DataError, match=r"t.csv: unknown encoding"):
        decode("t.csv", b"a,b\n", encoding)
