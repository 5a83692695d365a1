"""The catalogue: the data sets lazybayes knows by name, one file ``datasets/NAME.yaml`` each.

::

    name: led24                      # the file's name
    title: LED display with 17 irrelevant attributes
    aliases: [LED 24]                # further names, each of one entry only
    sources:                         # in order of preference
      - {generate: led24, rows: 1000}    # a generator with its options
      - {path: led24.csv, header: false, columns: [a, b, class]}   # a file, relative to this one
    target: class
    drop: []                         # columns left out (identifiers)
    expected: {instances: 1000, attributes: 24, classes: 10, missing_cells: 0}
    papers: {lbr2000: LED 24 (noise level = 10%)}   # who lists it, under which name
    differences: [what differs between copies, and from the papers]
    licence: whose and which
    citation: whom to cite

``target, drop, types, missing, header, columns, separator, encoding`` say how a file is read, as in a config. At the
top of the entry they hold for all its sources; a ``path`` source may have its own. `expected` counts the finished
table: rows that have a class, attributes without the class and what is dropped, declared classes, missing cells of
the attributes.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lazybayes.data import generators
from lazybayes.data.table import Table
from lazybayes.errors import ConfigError, DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.resources import shipped
from lazybayes.yaml_reader import (
    Fields,
    Item,
    Reader,
    anything,
    flag,
    integer,
    list_of,
    load,
    mapping_of,
    one_of,
    text,
)

PAPERS = ("lbr2000", "semilazy_tan2003", "clltree2006")
READING = ("target", "drop", "types", "missing", "header", "columns", "separator", "encoding")
NEEDED = ("name", "title", "sources", "target", "expected", "licence", "citation")
KEYS = (*NEEDED, "aliases", "papers", "differences", *READING[1:])


@dataclass(frozen=True)
class Expected:
    """The counts a finished table must have; None is not checked."""

    instances: int | None
    attributes: int | None
    classes: int | None
    missing_cells: int | None


COUNTS = tuple(Expected.__dataclass_fields__)

# What a config may say beside a catalogue name, and the counts that then need not be the catalogue's.
OVERRIDES: Mapping[str, tuple[str, ...]] = {
    "target": COUNTS,
    "drop": ("attributes", "missing_cells"),
    "types": ("classes", "missing_cells"),
    "missing": ("instances", "classes", "missing_cells"),
    "options": ("instances", "attributes"),
}


@dataclass(frozen=True)
class CatalogueEntry:
    """One data set of the catalogue.

    sources: in order of preference, each with all that is needed to read it.
    papers: the name a paper gives it, by the paper's config.
    """

    name: str
    title: str
    sources: tuple[DatasetEntry, ...]
    expected: Expected
    licence: str
    citation: str
    aliases: tuple[str, ...]
    papers: Mapping[str, str]
    differences: tuple[str, ...]
    path: Path


def names() -> tuple[str, ...]:
    """The names of all entries, sorted (without aliases)."""
    return _names(shipped("datasets"))


def entries() -> tuple[CatalogueEntry, ...]:
    """All entries in the order of their names. Raises ConfigError if a file is wrong, or an alias stands twice."""
    return _entries(shipped("datasets"))


def find(name: str) -> CatalogueEntry:
    """The entry with this name or alias.

    Raises DataError with the nearest names if there is none, ConfigError if its file is wrong.
    """
    folder = shipped("datasets")
    if name in _names(folder):
        return read_entry(folder / f"{name}.yaml")
    known = {other: entry for entry in _entries(folder) for other in (entry.name, *entry.aliases)}
    if name in known:
        return known[name]
    folded = {other.casefold(): entry.name for other, entry in known.items()}
    close = dict.fromkeys(folded[other] for other in difflib.get_close_matches(name.casefold(), folded, n=3))
    hint = f" (did you mean {' or '.join(close)}?)" if close else f"; known: {', '.join(_names(folder))}"
    raise DataError(f"the catalogue has no data set {name!r}{hint}")


def check(name: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Problems of a name with generator options, as (option or "", message)."""
    try:
        found = find(name)
    except DataError as error:
        return [("", str(error))]
    if not options:
        return []
    generated = [source for source in found.sources if source.source == "generate"]
    if not generated:
        return [(key, f"{found.name} is not generated, so it has no option {key!r}") for key in options]
    return [problem for source in generated for problem in generators.check(source.location, options)]


def resolve(entry: DatasetEntry) -> list[DatasetEntry]:
    """The sources of a catalogue name in order of preference, under the entry's own name and place.

    What the entry says of target, drop, types (each column's), missing and options comes before what the catalogue
    says. Options leave only generated sources, types and missing only files. Raises DataError for an unknown name,
    impossible options, or if no source is left.
    """
    where = f"{entry.where}: " if entry.where else ""
    if problems := check(entry.location, entry.options):
        raise DataError("\n".join(where + message for _, message in problems))
    sources = _fitting(entry)
    if not sources:
        raise DataError(f"{where}{entry.location} is generated, so types and missing are of no use; leave them out")
    return [
        replace(
            source,
            name=entry.name,
            target=entry.target or source.target,
            drop=entry.drop or source.drop,
            types={**source.types, **entry.types},
            missing=source.missing if entry.missing is None else entry.missing,
            options={**source.options, **entry.options},
            where=entry.where,
        )
        for source in sources
    ]


def expected(entry: DatasetEntry) -> Expected:
    """The counts to hold the table of a catalogue name against: those that nothing the entry says can change."""
    changed = [key for key in OVERRIDES if _differs(_fitting(entry)[0], entry, key)]
    return replace(find(entry.location).expected, **{count: None for key in changed for count in OVERRIDES[key]})


def check_expected(table: Table, expected: Expected, where: str = "") -> None:
    """Raises DataError with both counts if the table has not the counts that the catalogue expects."""
    found = {
        "instances": table.n_rows,
        "attributes": len(table.attributes),
        "classes": table.n_classes,
        "missing_cells": sum(_missing(column) for column in table.columns),
    }
    wrong = [
        f"{count} {key.replace('_', ' ')} (expected {wanted})"
        for key, count in found.items()
        if (wanted := getattr(expected, key)) is not None and count != wanted
    ]
    if wrong:
        raise DataError(
            (f"{where}: " if where else "")
            + f"{table.name} is not the data set of the catalogue: it has {', '.join(wrong)}; "
            "to use other data, save them as a file and name it with {path: FILE, target: CLASS}"
        )


def read_entry(path: Path, taken: Mapping[str, str] | None = None) -> CatalogueEntry:
    """Reads one catalogue file. taken: names that cannot be aliases here, with the entries they belong to.

    Raises ConfigError with every problem of the file.
    """
    top = load(path, expects=f"a mapping with the keys {', '.join(NEEDED)}")
    given = top.fields(KEYS)
    base = _reading(given, DatasetEntry(path.stem, "", "", target=given.need("target", text, "")))
    entry = CatalogueEntry(
        name=given.need("name", _file_name(path), path.stem),
        title=given.need("title", text, ""),
        sources=given.need("sources", list_of(_source(base, path), at_least=1), ()),
        expected=given.need("expected", _expected, Expected(None, None, None, None)),
        licence=given.need("licence", text, ""),
        citation=given.need("citation", text, ""),
        aliases=given.get("aliases", list_of(_alias(taken or {}), unique=True), ()),
        papers=given.get("papers", _papers, {}),
        differences=given.get("differences", list_of(text), ()),
        path=path,
    )
    top.problems.finish()
    return entry


def _names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


@lru_cache
def _entries(folder: Path) -> tuple[CatalogueEntry, ...]:
    taken = {name: name for name in _names(folder)}
    found: list[CatalogueEntry] = []
    problems: list[str] = []
    for name in _names(folder):
        try:
            found.append(read_entry(folder / f"{name}.yaml", taken))
        except ConfigError as error:
            problems += error.problems
        else:
            taken |= dict.fromkeys(found[-1].aliases, name)
    if problems:
        raise ConfigError(problems)
    return tuple(found)


def _file_name(path: Path) -> Reader[str]:
    def read(item: Item) -> str:
        if text(item) != path.stem:
            raise item.wrong(f"'{item.scalar}' is not the name of the file; {path.stem} is expected")
        return path.stem

    return read


def _alias(taken: Mapping[str, str]) -> Reader[str]:
    def read(item: Item) -> str:
        alias = text(item)
        if alias in taken:
            raise item.wrong(f"'{alias}' is already a name of the entry {taken[alias]}")
        return alias

    return read


def _reading(given: Fields, base: DatasetEntry) -> DatasetEntry:
    """The base with what is given of the keys `READING`."""
    return replace(
        base,
        target=given.get("target", text, base.target),
        drop=given.get("drop", list_of(text, unique=True), base.drop),
        types=given.get("types", mapping_of(one_of(("nominal", "numeric", "string"))), base.types),
        missing=given.get("missing", list_of(text, unique=True), base.missing),
        header=given.get("header", flag, base.header),
        columns=given.get("columns", list_of(text, at_least=1, unique=True), base.columns),
        separator=given.get("separator", text, base.separator),
        encoding=given.get("encoding", text, base.encoding),
    )


def _generated(item: Item, base: DatasetEntry, path: Path) -> DatasetEntry:
    given = item.entries()
    name = text(given["generate"])
    options = {key: anything(option) for key, option in given.items() if key != "generate"}
    problems = generators.check(name, options)
    for key, message in problems:
        given[key or "generate"].wrong(message)
    return replace(base, source="generate", location=name, options=options)


def _file(item: Item, base: DatasetEntry, path: Path) -> DatasetEntry:
    given = item.fields(("path", *READING))
    file = path.parent / given.need("path", text, "")
    return replace(_reading(given, base), source="path", location=str(file.resolve()))


SOURCES: Mapping[str, Callable[[Item, DatasetEntry, Path], DatasetEntry]] = {"generate": _generated, "path": _file}


def _source(base: DatasetEntry, path: Path) -> Reader[DatasetEntry]:
    def read(item: Item) -> DatasetEntry:
        given = [kind for kind in SOURCES if kind in item.entries()]
        if len(given) != 1:
            raise item.wrong(f"a source has one of the keys {', '.join(SOURCES)}; this one has {len(given)} of them")
        return SOURCES[given[0]](item, base, path)

    return read


def _expected(item: Item) -> Expected:
    given = item.fields(COUNTS)
    return Expected(**{count: given.need(count, integer(at_least=0), 0) for count in COUNTS})


def _papers(item: Item) -> dict[str, str]:
    given = item.fields(PAPERS)
    return {paper: given.get(paper, text, "") for paper in given}


def _fitting(entry: DatasetEntry) -> list[DatasetEntry]:
    """The catalogue's sources that can follow what the entry says: a generator reads no file, a file has no options."""
    reads_a_file = bool(entry.types) or entry.missing is not None
    return [
        source
        for source in find(entry.location).sources
        if not (reads_a_file if source.source == "generate" else entry.options)
    ]


def _differs(source: DatasetEntry, entry: DatasetEntry, key: str) -> bool:
    """Whether the entry says something of this key that is not the catalogue's own."""
    said, own = getattr(entry, key), getattr(source, key)
    if key == "options" and said:
        return generators.resolved(source.location, {**own, **said}) != generators.resolved(source.location, own)
    return bool(said is not None and said != own) if key == "missing" else bool(said and said != own)


def _missing(column: np.ndarray[Any, Any]) -> int:
    if column.dtype == object:
        return sum(cell is None for cell in column)
    return int((np.isnan(column) if column.dtype.kind == "f" else column < 0).sum())
