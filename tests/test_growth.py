"""Every reader is linear: 2 MB of any character repeated are read, or refused, within a bound of processor time.

The system counts the processor time of a child, not the clock, and the bound is far from what is needed: a linear
reader takes seconds for all of its inputs, a quadratic one hours for a single one.
"""

from __future__ import annotations

import os
import resource
import string
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from lazybayes.config import read_config
from lazybayes.data.documents import body
from lazybayes.data.load import read
from lazybayes.data.openml_client import _has_rows, _readable
from lazybayes.errors import LazyBayesError
from lazybayes.evaluate.folds_file import _lines
from lazybayes.experiment import DatasetEntry
from lazybayes.networks.files import load_network

SIZE = 2_000_000
BOUND = 120
"""Seconds of processor time for all inputs of one reader."""
ARFF = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
CHARACTERS = string.punctuation + string.whitespace + "0a"


def data(path: Path) -> object:
    return read([path], DatasetEntry.of("d", "path", str(path)))


def text_of(use: Callable[[str], object]) -> Callable[[Path], object]:
    return lambda path: use(path.read_bytes().decode())


READERS: dict[str, tuple[Callable[[Path], object], str, tuple[str, ...]]] = {
    "arff": (data, "x.arff", (ARFF + "1,x~z}\n", "@relation r\n@attribute a numeric~z\n")),
    "sparse": (data, "x.arff", (ARFF + "{0 1,~}\n",)),
    "csv": (data, "x.csv", ("~", 'a,b\n"x"~z,1\n', "a,b\n1~z,x\n")),
    "config": (read_config, "c.yaml", ("name: ~\n", "a:\n~\nb: 1\n")),
    "bif": (load_network, "n.bif", ("/*~", "//~", '"~')),
    "folds": (text_of(lambda text: _lines("f", text.encode())), "f.csv", ("repeat,fold,index\n0,0,~\n",)),
    "body": (text_of(body), "t", ("~", "A: ~")),
    "openml": (text_of(lambda text: (_has_rows(text.encode()), _readable(text))), "t", ("~",)),
}
"""Each reader, its file's name, and the files around what is repeated in the place of ~."""


def within_bound(work: Callable[[], None]) -> bool:
    """Whether a child does some work without an exception and within `BOUND`."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (BOUND, BOUND))
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("reader", READERS)
def test_two_megabytes_of_one_character(reader: str, tmp_path: Path) -> None:
    use, name, templates = READERS[reader]

    def work() -> None:
        for template in templates:
            for character in CHARACTERS:
                (tmp_path / name).write_text(template.replace("~", character * SIZE), newline="")
                with suppress(LazyBayesError):
                    use(tmp_path / name)

    assert within_bound(work)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("banner.csv", "%" * 40 + "\n" + "%\n" * 500_000),
        ("columns.csv", ",".join(f"c{j}" for j in range(100_000)) + "\n"),
        ("sparse.arff", ARFF + "{" + "0 1," * 500_000 + "}\n"),
        ("wide.arff", "@relation r\n" + "@attribute a numeric\n" * 50_000 + "@data\n" + "{}\n" * 300_000),
    ],
)
def test_two_megabytes_of_other_kinds(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)

    def work() -> None:
        with suppress(LazyBayesError):
            data(tmp_path / name)

    assert within_bound(work)


def test_sparse_rows_are_bounded(tmp_path: Path) -> None:
    """50,000 attributes and 300,000 rows of three bytes would be 15 thousand million cells."""
    names = "".join(f"@attribute a{j} numeric\n" for j in range(50_000))
    (tmp_path / "x.arff").write_text(f"@relation r\n{names}@data\n" + "{}\n" * 300_000)
    with pytest.raises(LazyBayesError, match=r"the sparse rows so far stand for more cells, 50,000 in each"):
        data(tmp_path / "x.arff")


def test_a_file_with_very_many_problems_shows_the_first_hundred(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("".join(f"k{i}: 1\n" for i in range(5000)))
    with pytest.raises(LazyBayesError) as caught:
        read_config(tmp_path / "c.yaml")
    lines = str(caught.value).splitlines()
    assert len(lines) == 101
    assert lines[-1].endswith("more problems are not shown; correct these first")
