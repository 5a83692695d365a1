"""A strict reader of CSV and its kin: cells parted by one character, quoted by ", a quote within quotes doubled.

The form is RFC 4180's, with blanks around a cell trimmed. The standard csv module is not used, for it does not tell a
quoted cell from a bare one: a quoted `?` is a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lazybayes.data.cells import Sheet, is_missing
from lazybayes.data.columns import missing_markers
from lazybayes.data.numbers import NumberFormat, number
from lazybayes.data.table import first_repeated, listed
from lazybayes.data.text import BLANKS, Text
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.messages import plural, snippet

_QUOTED = r'"(?:[^"]|"")*+"'
_BLANK = f"[{BLANKS}]"
_RUN = re.compile(f"{_BLANK}+")
MOST_SHOWN = 30
"""Columns up to which a message shows the names of all."""
_LINE_END = re.compile(r"\r\n|\r|\n")


def delimited_sheet(text: Text, entry: DatasetEntry) -> Sheet:
    """Splits a file of delimited cells; of the entry it takes the CSV keys and `missing`.

    The separator is a comma (a tab in a .tsv file) unless given; a blank as separator means any run of blanks and
    tabs. The first line that is not blank holds the names unless `header` is false; then `columns` does, or they are
    column-1, column-2, ... With a header, `columns` must say the same names: so a first row of data is never lost. A
    column that the header does not name has the name that `columns` gives it, or is column-J, which must be dropped.
    A column is numeric if every known cell is a finite number and none has a leading zero; else nominal, its declared
    values those of the whole file in text order. Missing is an empty cell or an unquoted ?, or what `missing` lists.

    Raises DataError naming file, line, column (the cell's number) and what was expected.
    """
    split = _Splitter(text, _separator(text, entry))
    rows: list[list[str]] = []
    places: list[int] = []
    for line, cells in split.records():
        rows.append(cells)
        places.append(line)
    first = places[0]
    names = _names(split, entry, rows[0], first)
    if entry.reading.header:
        del rows[0], places[0]
    model = "as in `columns`" if entry.reading.columns else f"as in line {first}"
    for cells, line in zip(rows, places, strict=True):
        if len(cells) != len(names):
            problem = plural(len(cells), "cell") + " found" + split.hint(cells)
            raise DataError(f"{text.at(line)}: {problem}; {len(names)} expected, {model}")
    if len(names) == 1 and (hint := split.hint(rows[0] if rows else list(names))):
        raise DataError(f"{text.at(first)}: one column found{hint}; an attribute and a class are expected")
    markers = frozenset(missing_markers(entry))

    def decode(raw: str) -> str | None:
        says, quoted = unquote(raw)
        return None if is_missing(says, quoted, markers) else says

    sheet = Sheet(
        file=text.file,
        names=names,
        kinds=(None,) * len(names),
        rows=rows,
        places=[(text, line) for line in places],
        decode=decode,
        notices=(*text.notices, *_repeated_header(split, names, rows, places)),
        format=_format(text, entry),
    )
    empty = [] if "" in markers else [cells.name for cells in sheet.columns() if "" in cells.known()]
    if empty:
        every = snippet(missing=["", *missing_markers(entry)])
        notice = f"{text.file}: an empty cell is a value in {listed(empty)}; {every} makes it missing"
        return replace(sheet, notices=(*sheet.notices, notice))
    return sheet


def character(written: str) -> str:
    r"""The separator that a user writes: `\t`, a backslash and a t, is a tab."""
    return "\t" if written == r"\t" else written


def unquote(raw: str) -> tuple[str, bool]:
    """What a cell says, and whether it was quoted."""
    says = raw.strip(BLANKS)
    return (says[1:-1].replace('""', '"'), True) if says.startswith('"') else (says, False)


def _separator(text: Text, entry: DatasetEntry) -> str:
    if entry.reading.separator is None:
        return "\t" if text.file.lower().endswith(".tsv") else ","
    if len(entry.reading.separator) != 1 or entry.reading.separator in '"\r\n':
        raise DataError(
            f"{text.file}: separator {entry.reading.separator!r}; one character but \" or a line's end is expected"
        )
    return entry.reading.separator


def _format(text: Text, entry: DatasetEntry) -> NumberFormat:
    if entry.reading.thousands == entry.reading.decimal:
        raise DataError(f"{text.file}: thousands and decimal are both {entry.reading.decimal!r}; they must differ")
    return NumberFormat(entry.reading.thousands, entry.reading.decimal)


def _repeated_header(split: _Splitter, names: Sequence[str], rows: Sequence[list[str]], places: list[int]) -> list[str]:
    """The notice that rows repeat the names of the columns: at least two of them, every other cell empty."""
    again = [line for cells, line in zip(rows, places, strict=True) if _repeats(names, cells)]
    if not again:
        return []
    file = split.text.file
    lines = f"line {again[0]}" + (f" and {len(again) - 1} more" if len(again) > 1 else "")
    leave = snippet(skip_lines={Path(file).name: again})
    return [f"{file}, {lines}: a header line (the names of the columns) is read as a row; {leave} leaves it out"]


def _repeats(names: Sequence[str], cells: Sequence[str]) -> bool:
    if names[-1] not in (cells[-1], unquote(cells[-1])[0]):  # nearly every row ends here
        return False
    texts = [unquote(cell)[0] for cell in cells]
    return texts.count("") <= len(texts) - 2 and all(
        not cell or cell == name for cell, name in zip(texts, names, strict=True)
    )


def _names(split: _Splitter, entry: DatasetEntry, first: list[str], line: int) -> tuple[str, ...]:
    text = split.text
    if (twice := first_repeated(entry.reading.columns or ())) is not None:
        raise DataError(f"{text.file}: columns has {twice} twice; a name of its own is expected for each column")
    if not entry.reading.header:
        return entry.reading.columns or tuple(f"column-{j}" for j in range(1, len(first) + 1))
    names = tuple(unquote(cell)[0] for cell in first)
    hint = "if the file has no header line, say `header: false` and give the names in `columns`"
    if entry.reading.columns is not None:
        same = [name or own for name, own in zip(names, entry.reading.columns, strict=False)]
        if len(names) != len(entry.reading.columns) or tuple(same) != entry.reading.columns:
            raise DataError(
                f"{text.at(line)}: the first line has {listed(names)}, but columns has "
                f"{listed(entry.reading.columns)}; the same names are expected; {hint}"
            )
        return entry.reading.columns
    nameless = [j for j, name in enumerate(names, 1) if not name]
    names = tuple(name or f"column-{j}" for j, name in enumerate(names, 1))
    if not {names[j - 1] for j in nameless} <= set(entry.selection.drop):
        leave = snippet(
            drop=[*entry.selection.drop, *(names[j - 1] for j in nameless if names[j - 1] not in entry.selection.drop)]
        )
        own = snippet(columns=names) if len(names) <= MOST_SHOWN else "`columns`"
        raise DataError(
            f"{text.at(line, nameless[0])}: the header line has no name for this column, as where row numbers were "
            f"written into the file; {leave} leaves it out, {own} gives it a name{split.hint(first)}"
        )
    seen: set[str] = set()
    for j, name in enumerate(names, 1):
        problem = f"the name {name}, a number" if number(name) is not None else ""
        problem = problem or (f"the name {name} for the second time" if name in seen else "")
        seen.add(name)
        if problem:
            raise DataError(
                f"{text.at(line, j)}: the header line has {problem}; a name of its own is expected "
                f"for each column; {hint}{split.hint(first)}"
            )
    return names


class _Splitter:
    """Splits a text into records of cells as they stand, quotes and all."""

    def __init__(self, text: Text, separator: str) -> None:
        self.text = text
        self.separator = separator
        self.in_runs = separator == " "
        self.blanks = BLANKS if self.in_runs else BLANKS.replace(separator, "")
        blank, parted = f"[{self.blanks}]", rf"{_BLANK}+" if self.in_runs else re.escape(separator)
        bare = rf'[^"{BLANKS}\r\n]*+' if self.in_runs else rf'[^"{re.escape(separator)}\r\n]*+'
        around = "" if self.in_runs else f"{blank}*+"
        self._cell = re.compile(rf"({around}{_QUOTED}{around}|{bare})(?:{blank}*(?:\r\n|\r|\n|\Z)|({parted}))")

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Each record that is not blank, with the number of its first line."""
        at, line = 0, 1
        while at < len(self.text.body):
            match = _LINE_END.search(self.text.body, at)
            stop, end = match.span() if match else (len(self.text.body),) * 2
            content = self.text.body[at:stop]
            if '"' in content:
                cells, end = self._quoted_record(at, line)
                yield line, cells
                line += len(_LINE_END.findall(self.text.body, at, end))
            else:
                bare = content.strip(self.blanks)
                if bare:
                    yield line, _RUN.split(bare) if self.in_runs else content.split(self.separator)
                line += 1
            at = end

    def hint(self, cells: list[str]) -> str:
        """Words about the separator, where a line is one cell with what looks like a separator in it."""
        if len(cells) == 1:
            for other in (";", "\t", ",", " "):
                if other in cells[0].strip(BLANKS):
                    return f" (it holds {other!r}: is {snippet(separator=other)} meant?)"
        return ""

    def _quoted_record(self, start: int, line: int) -> tuple[list[str], int]:
        """The cells of a record with quotes in it, which may span lines, and where it ends."""
        body = self.text.body
        cells: list[str] = []
        at = start
        while self.in_runs and body[at] in BLANKS:
            at += 1
        while match := self._cell.match(body, at):
            cells.append(match[1])
            at = match.end()
            if match[2] is None:
                return cells, at
        here = line + len(_LINE_END.findall(body, start, at))
        raise DataError(f"{self.text.at(here, len(cells) + 1)}: {_what_is_wrong(body[at:].lstrip(self.blanks))}")


def _what_is_wrong(cell: str) -> str:
    quoted = re.match(_QUOTED, cell)
    shown = _LINE_END.split(cell, maxsplit=1)[0][:60]
    if quoted:
        return f"text behind the closing quote ({shown}); a separator is expected, and a quote within quotes is doubled"
    if cell.startswith('"'):
        return f"the quote is opened and not closed ({shown}); a closing quote is expected"
    return f"a quote in a cell without quotes ({shown}); the whole cell is expected in quotes, those within it doubled"
