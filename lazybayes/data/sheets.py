"""From a data set's files to one sheet: skipped lines, joined files, and columns that are not written as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lazybayes.data.arff import arff_sheet, is_arff
from lazybayes.data.cells import EVERY, ColumnKind, Sheet
from lazybayes.data.columns import to_table
from lazybayes.data.delimited import delimited_sheet
from lazybayes.data.table import RawTable, absent, first_repeated, last_column, listed
from lazybayes.data.text import read_text, without_lines
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.messages import nearest, plural

OF_DELIMITED = ("header", "columns", "separator", "thousands", "decimal")
"""What an entry can say of a file of delimited cells but not of ARFF."""


def read_files(paths: Sequence[Path], entry: DatasetEntry) -> RawTable:
    """The rows of all files (ARFF or delimited), in order, as one table. Raises DataError for whatever is wrong."""
    names = [path.name for path in paths]
    for name in entry.reading.skip_lines:
        if name not in names:
            raise DataError(
                f"{paths[0]}: skip_lines names {name}, which is no file of this data set"
                f"{nearest(name, names)}; its files are {', '.join(names)}"
            )
    sheet = _join([read_sheet(path, entry) for path in paths], entry)
    for reshape in (_split, _blocks, _leave_out):
        sheet = reshape(sheet, entry)
    return to_table(sheet, entry)


def read_sheet(path: Path, entry: DatasetEntry) -> Sheet:
    """The cells of one file, ARFF or delimited. Raises DataError for whatever is wrong with it."""
    text = without_lines(read_text(path, entry.reading.encoding), entry.reading.skip_lines.get(path.name, ()))
    if not is_arff(text):
        return delimited_sheet(text, entry)
    given = [key for key in entry.changed() if key in OF_DELIMITED]
    if given:
        raise DataError(f"{text.file}: this is an ARFF file; {', '.join(given)} is for CSV files only")
    return arff_sheet(text, entry)


def _join(sheets: Sequence[Sheet], entry: DatasetEntry) -> Sheet:
    """One sheet of all rows; a nominal column's declared values are those of the first file, then of the next."""
    first = sheets[0]
    kinds = list(first.kinds)
    for other in sheets[1:]:
        if other.names != first.names:
            raise DataError(
                f"{other.file}: it has the columns {listed(other.names)}, but {first.file} has "
                f"{listed(first.names)}; files are joined that have the same columns"
            )
        for j, (name, kind, more) in enumerate(zip(first.names, kinds, other.kinds, strict=True)):
            if (kind and kind.name) != (more and more.name):
                raise DataError(
                    f"{other.file}: {name} is {more.name if more else 'not declared'}, but "
                    f"{kind.name if kind else 'not declared'} in {first.file}; files of one form are joined"
                )
            if kind and more and kind.values is not None and more.values is not None:
                kinds[j] = ColumnKind(kind.name, tuple(dict.fromkeys((*kind.values, *more.values))))
    return replace(
        first,
        kinds=tuple(kinds),
        rows=[row for sheet in sheets for row in sheet.rows],
        places=[place for sheet in sheets for place in sheet.places],
        notices=tuple(notice for sheet in sheets for notice in sheet.notices),
        index=range(sum(len(sheet.rows) for sheet in sheets)),
        files=tuple(zip(_own_names(sheets), (len(sheet.rows) for sheet in sheets), strict=True)) if sheets[1:] else (),
    )


def _own_names(sheets: Sequence[Sheet]) -> list[str]:
    """The names of the files; their paths where two have one name."""
    names = [Path(sheet.file).name for sheet in sheets]
    return names if first_repeated(names) is None else [sheet.file for sheet in sheets]


def _split(sheet: Sheet, entry: DatasetEntry) -> Sheet:
    """Each column of `split` as columns of one letter: NAME-1, NAME-2, ..."""
    for name, letters in entry.reading.split.items():
        at = _position(sheet, "split", name)
        rows = []
        for row, (text, line) in zip(sheet.rows, sheet.places, strict=True):
            word = sheet.decode(row[at]) or ""
            if len(word) != letters:
                raise DataError(
                    f"{text.at(line, at + 1)}: {name} has {plural(len(word), 'letter')}; {letters} expected"
                )
            rows.append([*row[:at], *word, *row[at + 1 :]])
        more = tuple(f"{name}-{number}" for number in range(1, letters + 1))
        kinds = (ColumnKind("nominal"),) * letters
        sheet = replace(
            sheet,
            names=(*sheet.names[:at], *more, *sheet.names[at + 1 :]),
            kinds=(*sheet.kinds[:at], *kinds, *sheet.kinds[at + 1 :]),
            rows=rows,
        )
    return sheet


def _blocks(sheet: Sheet, entry: DatasetEntry) -> Sheet:
    """The columns of `blocks` behind the others."""
    for name, blocks in entry.reading.blocks.items():
        if name in sheet.names:
            raise DataError(f"{sheet.file}: blocks makes a column {name}, but the file has one already")
        labels = [label for label, count in blocks.items() for _ in range(count)]
        if len(labels) != len(sheet.rows):
            raise DataError(
                f"{sheet.file}: blocks names {plural(len(labels), 'row')} of {name}, but there are {len(sheet.rows)}"
            )
        sheet = replace(
            sheet,
            names=(*sheet.names, name),
            kinds=(*sheet.kinds, ColumnKind("nominal", tuple(blocks))),
            rows=[[*row, label] for row, label in zip(sheet.rows, labels, strict=True)],
        )
    return sheet


def _leave_out(sheet: Sheet, entry: DatasetEntry) -> Sheet:
    """The rows without a value of `leave_out`, with a notice."""
    target = entry.selection.target or last_column(sheet.names, entry.selection.drop)
    excluded: list[tuple[int, set[str]]] = []
    for name, values in entry.selection.leave_out.items():
        if name == EVERY:
            columns = [
                j for j, other in enumerate(sheet.names) if other != target and other not in entry.selection.drop
            ]
        else:
            columns = [_position(sheet, "leave_out", name)]
        excluded += [
            (j, {raw for raw in {row[j] for row in sheet.rows} if sheet.decode(raw) in values}) for j in columns
        ]
    excluded = [(j, raws) for j, raws in excluded if raws]
    kept = [i for i, row in enumerate(sheet.rows) if not any(row[j] in raws for j, raws in excluded)]
    if len(kept) == len(sheet.rows):
        return sheet
    notice = f"{sheet.file}: {plural(len(sheet.rows) - len(kept), 'row')} left out of {len(sheet.rows)} (leave_out)"
    return replace(
        sheet,
        rows=[sheet.rows[i] for i in kept],
        places=[sheet.places[i] for i in kept],
        index=kept,
        notices=(*sheet.notices, notice),
    )


def _position(sheet: Sheet, key: str, name: str) -> int:
    if name not in sheet.names:
        raise DataError(f"{sheet.file}: {key} names {absent(name, sheet.names)}")
    return sheet.names.index(name)
