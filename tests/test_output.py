"""Output files: checked first, replaced whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from lazybayes.errors import UsageError
from lazybayes.output import check_output, open_output


def test_a_file_takes_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    with open_output(path) as stream:
        stream.write("new\nä\r\n")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_bytes() == "new\nä\r\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["out.csv"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    with open_output(tmp_path / "out.csv"):
        pass
    (tmp_path / "usual").touch()
    assert (tmp_path / "out.csv").stat().st_mode == (tmp_path / "usual").stat().st_mode


def write_and_fail(path: Path) -> None:
    with open_output(path) as stream:
        stream.write("half")
        raise RuntimeError("stop")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(RuntimeError, match="stop"):
        write_and_fail(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    with open_output(tmp_path / "link") as stream:
        stream.write("text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") == "text"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open_output(path) as stream:
        stream.write("text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_what_cannot_be_written_is_told_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        check_output(tmp_path)
    with pytest.raises(UsageError, match=r"the folder .*no/such does not exist"):
        check_output(tmp_path / "no/such/x.csv")
    (tmp_path / "old.csv").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    for name in ("old.csv", "new.csv"):
        with pytest.raises(UsageError, match=f"{name} cannot be written: no permission"):
            check_output(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["old.csv"]
