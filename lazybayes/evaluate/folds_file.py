"""Folds from a file with the columns `repeat,fold,index`: the test rows of each fold, numbered from 0 in the data file.

If a data set has several files, `index` counts through them in order; alternatively, the columns
`repeat,fold,file,row` give the file and the row number in it.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lazybayes.data.table import Table, number_of
from lazybayes.errors import DataError
from lazybayes.files import read_file
from lazybayes.messages import plural

HEADER = ("repeat", "fold", "index")
WITH_FILE = ("repeat", "fold", "file", "row")

Positions = NDArray[np.int64]
Line = tuple[int, int, int, str, int]
"""Line number, repeat, fold, file ("" without a file column), row number in the data file."""


@dataclass(frozen=True)
class Folds:
    """tests: positions in the table by repeat and fold, ascending; notices: for the user."""

    tests: Mapping[int, Mapping[int, Positions]]
    notices: tuple[str, ...]


def content_hash(path: str) -> str:
    """SHA-256 (hex) of the file's bytes. Raises DataError if it cannot be read."""
    return hashlib.sha256(_read(path)).hexdigest()


def read_folds(path: str, table: Table) -> Folds:
    """Reads a folds file for a table.

    A listed row that has no class, and is therefore not in the table, is skipped with a notice. Raises DataError, with
    file and line, for a wrong header, a value that is not a whole number, a row that is not in the data, a duplicate
    row in a fold, and a fold that leaves no training rows.
    """
    place = {int(row): position for position, row in enumerate(table.index)}
    last = max(place, default=-1)
    found: dict[tuple[int, int], dict[int, int]] = {}
    skipped: dict[int, None] = {}
    for line, repeat, fold, file, number in _lines(path, _read(path)):
        row = _numbered(f"{path}, line {line}", file, number, table)
        rows = found.setdefault((repeat, fold), {})
        if row > last:
            raise DataError(
                f"{path}, line {line}: row {row} is not in {table.name}, whose last row with a class is {last} (from 0)"
            )
        if row in rows:
            raise DataError(
                f"{path}, line {line}: row {row} is already in repeat {repeat}, fold {fold} (line {rows[row]})"
            )
        rows[row] = line
        if row not in place:
            skipped[row] = None
    tests: dict[int, dict[int, Positions]] = {}
    for (repeat, fold), rows in sorted(found.items()):
        positions = sorted(place[row] for row in rows if row in place)
        if len(positions) == table.n_rows:
            raise DataError(
                f"{path}, line {min(rows.values())}: repeat {repeat}, fold {fold} tests every row of {table.name}; "
                "leave at least one row for training"
            )
        if positions:
            tests.setdefault(repeat, {})[fold] = np.array(positions, dtype=np.int64)
    if not tests:
        raise DataError(f"{path}: lists no row of {table.name}; list at least one test row")
    return Folds(tests, (*_skipped(path, table, list(skipped)), *_uneven(path, table, tests)))


def _numbered(place: str, file: str, row: int, table: Table) -> int:
    """The number of a row counted through all files of a table."""
    if not file:
        return row
    try:
        return number_of(file, row, table.files)
    except DataError as problem:
        raise DataError(f"{place}: {table.name}: {problem}") from None


def _skipped(path: str, table: Table, skipped: list[int]) -> list[str]:
    if not skipped:
        return []
    some = ", ".join(str(row) for row in skipped[:5]) + (", ..." if len(skipped) > 5 else "")
    what = "lists rows that have no class or are excluded; they are not tested"
    return [f"{table.name}: {path} {what}: {some} ({len(skipped)} in all)"]


def _uneven(path: str, table: Table, tests: Mapping[int, Mapping[int, Positions]]) -> list[str]:
    """A notice per repeat that tests some rows never or more than once: this can be intended or a mistake."""
    notices = []
    for repeat, folds in tests.items():
        times = np.bincount(np.concatenate(list(folds.values())), minlength=table.n_rows)
        never, often = int((times == 0).sum()), int((times > 1).sum())
        found = [f"{never} never"] * bool(never) + [f"{often} in more than one fold"] * bool(often)
        if found:
            rows = plural(table.n_rows, "row")
            notices.append(f"{table.name}: of {rows}, {path} tests {' and '.join(found)} in repeat {repeat}")
    return notices


def _read(path: str) -> bytes:
    return read_file(Path(path))


@lru_cache(maxsize=4)
def _lines(path: str, content: bytes) -> tuple[Line, ...]:
    """Parses the lines of the file; blank lines are skipped."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise DataError(f"{path}, line {line}: not valid UTF-8; save the file as UTF-8") from problem
    reader = csv.reader(text.splitlines())
    lines: list[Line] = []
    header: tuple[str, ...] | None = None
    try:
        for cells in reader:
            words = tuple(cell.strip() for cell in cells)
            if not any(words):
                continue
            if header is None:
                header = words
                if header not in (HEADER, WITH_FILE):
                    expected = f"{','.join(HEADER)} (or {','.join(WITH_FILE)} for several data files)"
                    raise DataError(f"{path}, line {reader.line_num}: the first line must be {expected}")
                continue
            file, numbers = (words[2:3], words[:2] + words[3:]) if header == WITH_FILE else ((), words)
            if len(words) != len(header) or not all(map(_is_whole, numbers)):
                expected = "three whole numbers" if header == HEADER else "a file name and three whole numbers"
                raise DataError(
                    f"{path}, line {reader.line_num}: {','.join(words)}: expected {expected} >= 0 ({','.join(header)})"
                )
            repeat, fold, row = map(int, numbers)
            lines.append((reader.line_num, repeat, fold, "".join(file), row))
    except csv.Error as problem:  # such as a cell beyond the module's limit
        raise DataError(f"{path}, line {reader.line_num}: {problem}; expected {','.join(HEADER)}") from problem
    if header is None:
        raise DataError(f"{path}, line 1: the file is empty; the first line must be {','.join(HEADER)}")
    return tuple(lines)


def _is_whole(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 19
