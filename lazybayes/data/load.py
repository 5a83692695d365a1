"""Any data set entry of an experiment as a table: one function a source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lazybayes.data.arff import is_arff, read_arff
from lazybayes.data.delimited import read_delimited
from lazybayes.data.table import Table, choose_class
from lazybayes.data.text import read_text
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry


def load_table(entry: DatasetEntry, *, offline: bool = False) -> Table:
    """Reads, makes or fetches a data set; the same entry gives the same table.

    offline: nothing is fetched that is not at hand already.

    Raises DataError, with one message, for whatever is wrong with the entry or the data.
    """
    if entry.source not in SOURCES:
        raise DataError(f"data set {entry.name}: no source {entry.source}; sources are {', '.join(SOURCES)}")
    return SOURCES[entry.source](entry, offline)


def _from_path(entry: DatasetEntry, offline: bool) -> Table:
    """A local file, ARFF or delimited."""
    text = read_text(Path(entry.location), entry.encoding)
    if is_arff(text):
        if entry.columns or entry.separator or not entry.header:
            raise DataError(f"{text.file}: an ARFF file; header, columns and separator are for CSV files")
        raw = read_arff(text, entry)
    else:
        raw = read_delimited(text, entry)
    return choose_class(raw, entry.name, entry.target, entry.drop, entry.where or text.file)


def _from_generator(entry: DatasetEntry, offline: bool) -> Table:
    """A data set made by its definition."""
    from lazybayes.data.generators import generate

    raw, target = generate(entry.location, entry.options)
    return choose_class(raw, entry.name, entry.target or target, entry.drop, entry.where)


def _from_catalogue(entry: DatasetEntry, offline: bool) -> Table:
    """A catalogue name: its source of first choice, held against the counts expected of it."""
    from lazybayes.data.catalogue import check_expected, expected, resolve

    table = load_table(resolve(entry)[0], offline=offline)
    check_expected(table, expected(entry), entry.where)
    return table


SOURCES: dict[str, Callable[[DatasetEntry, bool], Table]] = {
    "path": _from_path,
    "generate": _from_generator,
    "catalogue": _from_catalogue,
}
"""Source -> function of the entry and whether nothing may be fetched."""
