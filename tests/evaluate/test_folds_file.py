"""Folds files: what is read, what is refused, and where the message points."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from lazybayes.data.table import Table
from lazybayes.errors import DataError
from lazybayes.evaluate.folds_file import content_hash, read_folds

MakeTable = Callable[..., Table]


def write(folder: Path, text: str | bytes) -> str:
    path = folder / "folds.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_byte_order_mark_carriage_returns_and_blanks_are_no_matter(tmp_path: Path, table: MakeTable) -> None:
    path = write(tmp_path, b"\xef\xbb\xbfrepeat, fold ,index\r\n\r\n0,0,1\r\n0,1, 0\r\n")
    folds = read_folds(path, table([0, 1]))
    assert {fold: rows.tolist() for fold, rows in folds.tests[0].items()} == {0: [1], 1: [0]}
    assert folds.notices == ()


def test_rows_tested_never_or_twice_in_a_repeat_are_told(tmp_path: Path, table: MakeTable) -> None:
    path = write(tmp_path, "repeat,fold,index\n0,0,1\n0,1,1\n0,1,2\n1,0,0\n1,1,1\n1,2,2\n1,3,3\n")
    folds = read_folds(path, table([0, 1, 1, 0], name="d"))
    assert folds.notices == (f"d: of 4 rows, {path} tests 2 never and 1 in more than one fold in repeat 0",)


def test_a_row_without_a_class_is_skipped_with_a_notice(tmp_path: Path, table: MakeTable) -> None:
    path = write(tmp_path, "repeat,fold,index\n0,0,1\n0,0,2\n0,1,1\n0,2,3\n")
    folds = read_folds(path, table([0, 1, 1], index=[0, 2, 3], name="holey"))
    assert {fold: rows.tolist() for fold, rows in folds.tests[0].items()} == {0: [1], 2: [2]}  # fold 1 has nothing left
    notice = folds.notices[0]
    assert notice == f"holey: {path} lists rows that have no class or are excluded; they are not tested: 1 (1 in all)"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "empty"),
        ("fold,index\n0,1\n", 1, "repeat,fold,index"),
        ("repeat,fold,index\n0,0,1\n0,0,x\n", 3, "0,0,x: expected three whole numbers"),
        ("repeat,fold,index\n0,0\n", 2, "0,0: expected three whole numbers"),
        ("repeat,fold,file,row\n0\n", 2, "0: expected a file name and three whole numbers"),
        ("repeat,fold,index\n0,0,1.0\n", 2, "whole numbers"),
        ("repeat,fold,index\n-1,0,1\n", 2, "whole numbers"),
        ("repeat,fold,index\n0,0,٣\n", 2, "whole numbers"),
        ("repeat,fold,index\n0,0,3\n", 2, "row 3 is not in d, whose last row with a class is 2"),
        ("repeat,fold,index\n0,0,1\n\n0,0,1\n", 4, "row 1 is already in repeat 0, fold 0 (line 2)"),
        ("repeat,fold,index\n1,4,0\n1,4,1\n1,4,2\n", 2, "repeat 1, fold 4 tests every row of d; leave at least"),
        (b"repeat,fold,index\n0,0,1\n0,\xff,1\n", 3, "UTF-8"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(
    tmp_path: Path, table: MakeTable, text: str | bytes, line: int, why: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(DataError) as problem:
        read_folds(path, table([0, 1, 1]))
    assert str(problem.value).startswith(f"{path}, line {line}: ")
    assert why in str(problem.value)


def test_a_row_may_be_tested_in_two_folds_and_in_two_repeats(tmp_path: Path, table: MakeTable) -> None:
    path = write(tmp_path, "repeat,fold,index\n0,0,1\n0,1,1\n1,0,1\n")
    tests = read_folds(path, table([0, 1, 1])).tests
    assert {(r, f): rows.tolist() for r, parts in tests.items() for f, rows in parts.items()} == {
        (0, 0): [1],
        (0, 1): [1],
        (1, 0): [1],
    }


def test_a_file_that_lists_nothing_is_an_error(tmp_path: Path, table: MakeTable) -> None:
    with pytest.raises(DataError, match="list at least one test row"):
        read_folds(write(tmp_path, "repeat,fold,index\n"), table([0, 1]))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path, table: MakeTable) -> None:
    with pytest.raises(DataError, match=r"no.csv: there is no such file"):
        read_folds(str(tmp_path / "no.csv"), table([0, 1]))
    with pytest.raises(DataError, match="this is a folder; a file is expected"):
        content_hash(str(tmp_path))


def test_the_content_is_what_counts(tmp_path: Path) -> None:
    path = write(tmp_path, "repeat,fold,index\n0,0,1\n")
    assert content_hash(path) == hashlib.sha256(b"repeat,fold,index\n0,0,1\n").hexdigest()
