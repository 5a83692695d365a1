"""Files that a user names: whatever the path is, one message says what is wrong with it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from lazybayes import files
from lazybayes.config import load_config
from lazybayes.data.load import load_table
from lazybayes.data.text import read_text
from lazybayes.errors import ConfigError, DataError, FileError, LazyBayesError, UsageError
from lazybayes.evaluate.folds_file import content_hash
from lazybayes.experiment import DatasetEntry, Selection
from lazybayes.locate import find_run
from lazybayes.networks.files import load_network
from lazybayes.networks.network import Network
from lazybayes.networks.observed import observe
from lazybayes.output import check_output
from lazybayes.published.claims import load_published
from lazybayes.report import datasets
from lazybayes.settings import settings


def describe(path: str) -> str:
    return datasets.describe(Path(path), Selection(), header=True, separator=None)[1]


def data(path: str) -> object:
    return load_table(DatasetEntry.of("d", "path", path))


READERS: dict[str, Callable[[str], object]] = {
    "config": load_config,
    "network": load_network,
    "published": load_published,
    "folds": content_hash,
    "data": data,
    "describe": describe,
    "observed": lambda path: observe(Network("n", ()), path),
    "run": find_run,
}
"""Each way in by which a user's path is read."""


@pytest.fixture(params=["FIFO", "socket", "device"])
def special(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """What is there and not a regular file, and its kind; a FIFO nobody writes to would block its reader."""
    path = tmp_path / "x.yaml"
    if request.param == "FIFO":
        os.mkfifo(path)
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    return path, request.param


@pytest.mark.parametrize("reader", READERS)
def test_only_regular_files_are_read(reader: str, special: tuple[Path, str]) -> None:
    path, kind = special
    with pytest.raises(LazyBayesError, match=rf"x\.yaml: this is a {kind}; only regular files are read"):
        READERS[reader](str(path))


@pytest.mark.parametrize("reader", READERS)
def test_dev_zero_is_a_device_and_no_misspelt_name(reader: str) -> None:
    with pytest.raises(LazyBayesError) as caught:
        READERS[reader]("/dev/zero")
    message = str(caught.value)
    assert "did you mean" not in message
    assert "/dev/zero: this is a device; only regular files are read" in message or reader in ("network", "run")


def test_dev_zero_in_a_config(tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    config.write_text("datasets: [{path: /dev/zero}]\nalgorithms: {A: {learner: naive-bayes}}\n")
    with pytest.raises(ConfigError, match=r"/dev/zero: this is a device; only regular files are read$"):
        load_config(str(config))


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + ".yaml", "文" * 100 + ".yaml", "~nosuch/x.yaml", "a\0b.yaml"])
@pytest.mark.parametrize("reader", READERS)
def test_a_name_that_no_file_can_have(reader: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare name without an ending may also be that of something shipped, of which there is none."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LazyBayesError) as caught:
        READERS[reader](name)
    too_long, absent = "the name is too long for the file system", "there is no such file"
    shipped = ("there are no published numbers", "the catalogue has no data set", "there are no results")
    expected = (too_long, absent, "cannot have", "there is no home folder ~nosuch", "a network file ends in", *shipped)
    assert any(words in str(caught.value) for words in expected), str(caught.value)[:400]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("n" * 300 + ".csv", "the name is too long for the file system (304 bytes; most allow 255)"),
        ("文" * 100 + ".csv", "the name is too long for the file system (304 bytes; most allow 255)"),
        ("~nosuch/x.csv", "~nosuch/x.csv: there is no home folder ~nosuch; write the path without ~nosuch"),
        ("nosuch.csv", "there is no such file"),
        ('"a\\0b"', "the name contains a character that file names cannot have"),
    ],
)
@pytest.mark.parametrize("form", ["{}", "[{}]"])
def test_a_path_of_a_config(path: str, message: str, form: str, tmp_path: Path) -> None:
    """Alone or in a list: one message with the line, for data and for folds."""
    value = form.format(path)
    config = tmp_path / "c.yaml"
    config.write_text(
        f"datasets:\n  - path: {value}\nalgorithms: {{A: {{learner: naive-bayes}}}}\n"
        f"cv:\n  scheme: folds-file\n  path: {path}\n"
    )
    with pytest.raises(ConfigError) as caught:
        load_config(str(config))
    first, second = caught.value.problems
    assert first.startswith(f"{config}, line 2: datasets[0].path")
    assert second.startswith(f"{config}, line 6: cv.path")
    assert message in first
    assert message in second


def test_a_folder_that_may_not_be_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused by a stand-in for the file system: a superuser may look anywhere."""

    def refuse(path: object, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    path = tmp_path / "locked" / "c.yaml"
    with monkeypatch.context() as patched:
        patched.setattr("os.stat", refuse)
        assert not files.is_file(path)
        assert files.obstacle(path) == "cannot be read: Permission denied"
        with pytest.raises(FileError, match=r"c.yaml: cannot be read: Permission denied"):
            files.read_file(path)
    with monkeypatch.context() as patched:
        patched.setattr("os.listdir", refuse)
        assert files.obstacle(path) == "there is no such file"


def test_a_name_of_an_experiment_is_bounded_in_bytes(tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    rest = "datasets: [iris]\nalgorithms: {A: {learner: naive-bayes}}\n"
    config.write_text(f"name: {'文' * 66}\n{rest}", encoding="utf-8")
    assert load_config(str(config)).name == "文" * 66
    config.write_text(f"name: {'文' * 67}\n{rest}", encoding="utf-8")
    with pytest.raises(ConfigError, match="is too long for a folder's name: 201 bytes in UTF-8; at most 200"):
        load_config(str(config))


def test_outputs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be written: the name is too long for the file system \(304 bytes"):
        check_output(tmp_path / ("文" * 100 + ".csv"))
    with pytest.raises(UsageError, match="cannot be written: the folder"):
        check_output(tmp_path / ("n" * 300) / "x.csv")
    assert check_output("/dev/null") == Path("/dev/null")


@pytest.mark.parametrize("reader", ["config", "network", "published", "folds"])
def test_a_file_is_at_most_64_megabytes(reader: str, tmp_path: Path) -> None:
    """The file has no blocks on the disk, and none of its bytes is read."""
    path = tmp_path / "x.yaml"
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(LazyBayesError, match=r"x.yaml: the file has 67,108,865 bytes; at most 67,108,864 are allowed"):
        READERS[reader](str(path))


def test_a_bif_file_is_at_most_64_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "x.bif"
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(ConfigError, match=r"at most 67,108,864 are allowed$"):
        load_network(path)


def test_a_data_file_is_at_most_as_large_as_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings().most_bytes == 4 << 30
    path = tmp_path / "x.csv"
    path.write_text("a,class\n1,x\n2,y\n")
    monkeypatch.setenv("LAZYBAYES_MOST_BYTES", "16")
    assert read_text(path).body.startswith("a,")
    monkeypatch.setenv("LAZYBAYES_MOST_BYTES", "15")
    with pytest.raises(DataError, match=r"the file has 16 bytes; at most 15 are allowed \(the setting most_bytes\)"):
        data(str(path))


def test_no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a home folder there are no settings and no cache; data of one's own can be read."""

    def none(self: Path) -> Path:
        if self.parts[0] == "~":
            raise RuntimeError("Could not determine home directory.")
        return self

    for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LAZYBAYES_CACHE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "expanduser", none)
    path = tmp_path / "x.csv"
    path.write_text("a,class\n1,x\n2,y\n")
    assert settings().cache is None
    assert read_text(path).body.startswith("a,")
    with pytest.raises(DataError, match="there is no home folder for the cache of data sets; set LAZYBAYES_CACHE"):
        load_table(DatasetEntry.of("o", "openml", "61"), offline=True)
    monkeypatch.setenv("LAZYBAYES_CACHE", str(tmp_path))
    with pytest.raises(DataError, match="it is not in the cache"):
        load_table(DatasetEntry.of("o", "openml", "61"), offline=True)
