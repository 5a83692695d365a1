"""Any data set entry of an experiment as a table: one function a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from lazybayes.data.documents import CLASS, read_documents, without_headers
from lazybayes.data.sheets import read_files
from lazybayes.data.table import RawTable, Table, choose_class
from lazybayes.data.trees import is_tree
from lazybayes.errors import DataError, FetchError
from lazybayes.experiment import DatasetEntry


def load_table(entry: DatasetEntry, *, offline: bool = False) -> Table:
    """Reads, makes or fetches a data set; the same entry gives the same table.

    offline: nothing is fetched that is not at hand already.

    Raises DataError, with one message, for whatever is wrong with the entry or the data; FetchError, one of its kinds,
    if the data could not be fetched. The message begins with the place of the entry in a config.
    """
    with errors_at(entry):
        return _load(entry, offline)


@contextmanager
def errors_at(entry: DatasetEntry) -> Iterator[None]:
    """Puts the place of an entry in a config before what a DataError says of its data, once."""
    try:
        yield
    except DataError as error:
        if not entry.where or str(error).startswith(entry.where):
            raise
        raise type(error)(f"{entry.where}: {error}") from error


def _load(entry: DatasetEntry, offline: bool) -> Table:
    if entry.source.kind not in SOURCES:
        raise DataError(f"data set {entry.name}: no source {entry.source.kind}; sources are {', '.join(SOURCES)}")
    return SOURCES[entry.source.kind](entry, offline)


def _from_path(entry: DatasetEntry, offline: bool) -> Table:
    """Local files, ARFF or delimited, or documents."""
    return _from_files([Path(entry.source.location), *map(Path, entry.source.files)], entry)


def _from_openml(entry: DatasetEntry, offline: bool) -> Table:
    """ARFF files of OpenML. Without a target the class and the columns to drop are those OpenML names."""
    from lazybayes.data import openml_client

    files = [
        openml_client.file(did, offline=offline, checksum=entry.source.checksum if entry.expect else {})
        for did in entry.source.location.split("+")
    ]
    notice = ""
    if entry.selection.target is None:
        about = files[0].about
        target = about.get("target")
        if not target or "," in target:
            says = f"several targets ({target})" if target else "no target"
            raise DataError(f"data set {entry.name}: OpenML names {says}; `target: CLASS` says which")
        drop = tuple(dict.fromkeys((*entry.selection.drop, *about.get("ignore", ()))))
        entry = entry.with_keys(target=target, drop=tuple(name for name in drop if name != target))
        left_out = f", and leaves out {', '.join(about['ignore'])}" if about.get("ignore") else ""
        notice = f"data set {entry.name}: OpenML takes {target} as the class{left_out}"
    table = _from_files([cached.path for cached in files], entry)
    return replace(table, notices=(*((notice,) if notice else ()), *table.notices))


def _from_uci(entry: DatasetEntry, offline: bool) -> Table:
    """Members of one of UCI's archives."""
    from lazybayes.data import uci

    checksum = entry.source.checksum if entry.expect else {}
    return _from_files(uci.files(entry.source.location, entry.source.files, offline=offline, checksum=checksum), entry)


def read(paths: Sequence[Path], entry: DatasetEntry) -> RawTable:
    """All columns of files of tables, or of documents, no class chosen yet. Raises DataError as their readers do."""
    trees = [path for path in paths if is_tree(path)]
    if trees and len(trees) < len(paths):
        raise DataError(f"{trees[0]} holds documents, and other paths do not; they cannot be joined")
    raw = (read_documents if trees else read_files)(paths, entry)
    if entry.selection.headers == "remove":
        raw = without_headers(raw, str(paths[0]))
    return raw


def _from_files(paths: Sequence[Path], entry: DatasetEntry) -> Table:
    target = entry.selection.target or (CLASS if is_tree(paths[0]) else None)
    return choose_class(read(paths, entry), entry.name, target, entry.selection.drop)


def _from_generator(entry: DatasetEntry, offline: bool) -> Table:
    """A data set made by its definition."""
    from lazybayes.data.generators import generate

    raw, target = generate(entry.source.location, entry.source.options)
    return choose_class(raw, entry.name, entry.selection.target or target, entry.selection.drop)


def _from_catalogue(entry: DatasetEntry, offline: bool) -> Table:
    """A catalogue name: the first of its sources that can be had, held against the counts expected of it.

    What is at hand comes before what must be fetched, so that a service that is down costs its time once.
    """
    from lazybayes.data.catalogue import check_expected, expected, resolve

    copies = resolve(entry)
    answers: list[str] = []
    for fetches in (False, True) if not offline else (False,):
        answers = []
        for copy in copies:
            try:
                table = _load(copy, offline=not fetches)
            except FetchError as error:
                answers.append(str(error))
                continue
            sent = copy.source.kind in ("openml", "uci")
            check_expected(table, expected(entry), FetchError if sent else DataError)
            return replace(table, notices=(*_notices(copy, answers if fetches else []), *table.notices))
    listed = "".join(f"\n  {answer}" for answer in answers)
    own = any(copy.source.kind == "uci" for copy in copies)
    hint = f"\nA copy of your own will do: lazybayes datasets fetch {entry.source.location} --from FILE" if own else ""
    if offline:
        hint += "\nWithout it: lazybayes run CONFIG --offline --at-hand"
    raise FetchError(f"data set {entry.name} could not be had from any of its sources:{listed}{hint}")


def _notices(copy: DatasetEntry, answers: list[str]) -> list[str]:
    """What to say of the copy that was read: the sources that failed before it, and whether it is unsure."""
    name, source = copy.name, copy.source
    place = f"{source.kind} {source.location}"
    notices = [f"data set {name}: taken from {place}, for {answer}" for answer in answers]
    if source.unverified:
        notices.append(f"data set {name}: its source {place} is unverified: {source.unverified}")
    if not copy.expect:
        notices.append(f"data set {name}: not held against the counts of the catalogue (expect: false)")
    return notices


SOURCES: dict[str, Callable[[DatasetEntry, bool], Table]] = {
    "path": _from_path,
    "openml": _from_openml,
    "uci": _from_uci,
    "generate": _from_generator,
    "catalogue": _from_catalogue,
}
"""Source -> function of the entry and whether nothing may be fetched."""
