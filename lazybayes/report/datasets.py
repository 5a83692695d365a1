"""The output of `lazybayes datasets`: the catalogue, downloads, and files as the reader parses them."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tabulate import tabulate

from lazybayes.data import cache, catalogue, quality, uci
from lazybayes.data.catalogue_file import PAPERS, CatalogueEntry
from lazybayes.data.delimited import character
from lazybayes.data.load import load_table, read
from lazybayes.data.table import RawTable, missing, quoted
from lazybayes.errors import DataError, FetchError, LazyBayesError, UsageError
from lazybayes.experiment import DatasetEntry, Reading, Selection, Source
from lazybayes.files import is_file
from lazybayes.messages import nearest, plural

COUNTS = ("rows", "attributes", "classes", "missing")


def listing(paper: str | None = None) -> str:
    """The catalogue, one line per entry, or per name in a paper. Raises UsageError for an unknown paper."""
    if paper is None:
        rows = [[entry.name, *_counts(entry), ", ".join(entry.papers), at_hand(entry)] for entry in catalogue.entries()]
        return _table(rows, ["data set", *COUNTS, "papers", "at hand"])
    if paper not in PAPERS:
        known = ", ".join(PAPERS)
        raise UsageError(f"unknown paper {paper}{nearest(paper, PAPERS)}; the papers are {known}")
    rows = [
        [entry.papers[paper][0], entry.name, *_counts(entry), at_hand(entry)]
        for entry in catalogue.entries()
        if paper in entry.papers
    ]
    return _table(sorted(rows), [f"name in {paper}", "data set", *COUNTS, "at hand"])


def description(name: str) -> str:
    """Everything that the catalogue says about a data set."""
    entry = catalogue.find(name)
    lines = [f"{entry.name}: {entry.title}", ""]
    facts = [["aliases", ", ".join(entry.aliases)]]
    facts += [[f"in {paper}", ", ".join(names)] for paper, names in entry.papers.items()]
    counts = zip(COUNTS, _counts(entry), strict=True)
    facts.append(["expected", ", ".join(f"{count} {what}" for what, count in counts if count != "")])
    if entry.sources:
        facts.append(["class", entry.sources[0].selection.target or ""])
        facts.append(["dropped", ", ".join(entry.sources[0].selection.drop)])
    facts += [["source" if not i else "", _source(copy.source)] for i, copy in enumerate(entry.sources)]
    facts += [["not available", entry.unobtainable], ["at hand", at_hand(entry)]]
    facts += [["licence", entry.licence], ["citation", entry.citation], ["file", str(entry.path)]]
    width = max(len(key) for key, _ in facts) + 2
    for key, value in facts:
        if value:
            lines.append(textwrap.fill(value, 100, initial_indent=f"{key:{width}}", subsequent_indent=" " * width))
    if entry.differences:
        lines += ["", "Differences between copies, and from the papers:"]
        lines += [textwrap.fill(each, 100, initial_indent="- ", subsequent_indent="  ") for each in entry.differences]
    return "\n".join(lines)


def fetch(entries: Iterable[DatasetEntry]) -> Iterator[tuple[int, str]]:
    """Downloads missing data sets and checks each against its counts; yields an exit status and a line per data set."""
    for entry in entries:
        yield _attempt(entry, offline=False)


def take(name: str, copies: Sequence[Path]) -> str:
    """Copies a user's own files of a data set into the cache instead of a download from UCI; returns a line.

    Files are matched by name; a single file can have any name. Raises DataError if they are not what the catalogue
    expects, UsageError if files are missing or the data set has no source at UCI.
    """
    entry = catalogue.find(name)
    copy = next((copy for copy in entry.sources if copy.source.kind == "uci"), None)
    if copy is None:
        raise UsageError(f"{entry.name} has no source at UCI, so --from cannot be used")
    by_name = {path.name: path for path in copies}
    source = copy.source
    members = [Path(member).name for member in source.files]
    paths = list(copies) if len(members) == len(copies) == 1 else [by_name[m] for m in members if m in by_name]
    if len(paths) < len(members) or len(copies) > len(members):
        raise UsageError(f"{entry.name} consists of {', '.join(members)}: give each file once (--from FILE)")
    here = Source("path", str(paths[0]), files=tuple(map(str, paths[1:])))
    table = load_table(replace(copy, name=entry.name, source=here))
    catalogue.check_expected(table, entry.expected)
    uci.take(source.location, source.files, paths)
    return f"{entry.name}: {plural(table.n_rows, 'row')}, from {', '.join(map(str, paths))}"


def verify(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Checks downloads (if no name is given, all) against their checksums and counts; yields like `fetch`."""
    requested = list(names)
    files = [] if requested else list(cache.files())
    if not requested and not files:
        yield 0, f"{cache.root()} contains no data sets yet"
    for name, cached in files:
        if cached is None:
            yield (
                1,
                f"{cache.root() / name}: missing or modified; it will be downloaded again when needed",
            )
    for entry in map(catalogue.find, requested) if requested else catalogue.entries():
        if requested or at_hand(entry) == "yes":
            yield _attempt(entry_of(entry.name), offline=True)


def entry_of(name: str) -> DatasetEntry:
    """The entry of a config that consists of a catalogue name."""
    own = catalogue.find(name).name
    return DatasetEntry.of(own, "catalogue", own)


def obtainable() -> list[DatasetEntry]:
    """All available entries of the catalogue."""
    return [entry_of(entry.name) for entry in catalogue.entries() if not entry.unobtainable]


def describe(
    path: Path, selection: Selection, *, header: bool, separator: str | None, encoding: str | None = None
) -> tuple[int, str]:
    """The user's data as the reader parses it: type, values and missing cells per column, and warnings.

    path: a table file, or a folder or tar archive of documents; selection: as in a config. Returns the exit status as
    well: 2 if the data cannot be used as they are (no such target, say), else 0.
    """
    separator = separator and character(separator)
    name = Path(os.path.abspath(path)).stem
    reading = Reading(header=header, separator=separator, encoding=encoding)
    entry = DatasetEntry(name, Source("path", str(path)), selection, reading)
    raw = read([path], entry)
    rows = []
    for number, (attribute, column) in enumerate(zip(raw.attributes, raw.columns, strict=True), 1):
        unusual = " ".join(_remarks(quality.distinct(column), quality.is_identifier(attribute, column), raw.n_rows))
        rows.append([number, attribute.name, attribute.kind, missing(column), _values(raw, number - 1), unusual])
    lines = [
        f"{path}: {plural(raw.n_rows, 'row')}, {plural(len(raw.attributes), 'column')}",
        "",
        _table(rows, ["", "column", "type", "missing", "values", ""], maxcolwidths=[None, 40, None, None, 60, None]),
        *(["", *raw.notices] if raw.notices else []),
    ]
    try:
        table = load_table(entry)
    except DataError as problem:
        return 2, "\n".join([*lines, "", f"It cannot be used as a data set: {problem}"])
    counts = np.bincount(table.y, minlength=table.n_classes)
    classes = ", ".join(
        f"{quoted(label)} {count}" for label, count in zip(table.target.values, counts.tolist(), strict=True)
    )
    lines += ["", textwrap.shorten(f"Class {table.target.name}: {classes}", 400, placeholder=" ...")]
    lines += [notice for notice in (*table.notices, *quality.oddities(table)) if notice not in raw.notices]
    return 0, "\n".join(lines)


def at_hand(entry: CatalogueEntry) -> str:
    """``yes`` if a source was downloaded, ``made`` if it is generated, otherwise ``no``; empty without a source."""
    kinds = [_at_hand(copy.source) for copy in entry.sources]
    return next((kind for kind in ("made", "yes") if kind in kinds), "no" if kinds else "")


def _at_hand(source: Source) -> str:
    if source.kind == "generate":
        return "made"
    if source.kind == "catalogue":
        return at_hand(catalogue.find(source.location))
    if source.kind == "path":
        return "yes" if all(is_file(file) for file in (source.location, *source.files)) else "no"
    if source.kind == "openml":
        there = [cache.find("openml", f"{did}-*.arff") for did in source.location.split("+")]
        return "yes" if all(there) else "no"
    try:
        uci.files(source.location, source.files, offline=True, checksum={})
    except FetchError:
        return "no"
    return "yes"


def _attempt(entry: DatasetEntry, *, offline: bool) -> tuple[int, str]:
    try:
        return 0, f"{entry.name}: {_summary(entry, offline)}"
    except LazyBayesError as problem:
        text = str(problem)
        located = entry.where or entry.name in text.split(":")[0]
        return problem.exit_status, text if located else f"{entry.name}: {text}"


def _summary(entry: DatasetEntry, offline: bool) -> str:
    table = load_table(entry, offline=offline)
    counts = ", ".join(
        (
            plural(table.n_rows, "row"),
            plural(len(table.attributes), "attribute"),
            plural(table.n_classes, "class", "classes"),
            plural(table.missing_cells, "missing cell"),
        )
    )
    notices = [notice for notice in table.notices if "taken from" in notice or "unverified" in notice]
    return "\n  ".join([counts, *notices])


def _counts(entry: CatalogueEntry) -> list[str]:
    e = entry.expected
    return ["" if n is None else str(n) for n in (e.instances, e.attributes, e.classes, e.missing_cells)]


def _source(source: Source) -> str:
    files = f" ({', '.join(Path(file).name for file in source.files)})" if source.files else ""
    options = f" ({', '.join(f'{key} {value}' for key, value in source.options.items())})" if source.options else ""
    unverified = f"; unverified: {source.unverified}" if source.unverified else ""
    return f"{source.kind} {source.location}{files}{options}{unverified}"


def _values(raw: RawTable, at: int) -> str:
    attribute, column = raw.attributes[at], raw.columns[at]
    if attribute.kind == "nominal":
        return textwrap.shorten(
            f"{len(attribute.values)}: {', '.join(map(quoted, attribute.values))}", 60, placeholder=" ..."
        )
    if attribute.kind == "numeric" and not np.all(np.isnan(column)):
        return f"{np.nanmin(column):g} to {np.nanmax(column):g}"
    return f"{quality.distinct(column)} distinct" if attribute.kind == "string" else ""


def _remarks(distinct: int, identifies: bool, n_rows: int) -> Iterator[str]:
    if n_rows and distinct == 0:
        yield "no value"
    if n_rows > 1 and distinct == 1:
        yield "constant"
    if identifies:
        yield "like an identifier"


def _table(rows: list[list[str]] | list[list[object]], headers: list[str], **options: object) -> str:
    right = ("rows", "attributes", "classes", "missing", "")
    align = ["right" if header in right and not (header == "" and i) else "left" for i, header in enumerate(headers)]
    return tabulate(rows, headers, disable_numparse=True, colalign=align if rows else None, **options)  # type: ignore[arg-type]
