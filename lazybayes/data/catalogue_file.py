"""One file of the catalogue, ``datasets/NAME.yaml``: a data set that lazybayes knows by name.

::

    name: zoo                        # the file's name
    title: Zoo animals
    aliases: [animals]               # further names, each of one entry only
    sources:                         # in order of preference; the first that can be had is taken
      - {openml: 62}
      - {uci: 111, archive: zoo.zip, files: [zoo.data], header: false, columns: [animal, hair, type]}
      - {path: zoo.csv}              # a file, relative to this one
      - {generate: led24, rows: 1000}    # a generator with its options
      - {catalogue: other, drop: [legs]}     # another entry, read another way
    target: type
    drop: [animal]                   # columns left out (identifiers)
    expected: {instances: 101, attributes: 16, classes: 7, missing_cells: 0}
    papers: {lbr2000: [Zoology]}     # who lists it, under which names
    differences: [what differs between copies, and from the papers]
    licence: whose and which
    citation: whom to cite

The keys that say how a table is taken and how files are read (`lazybayes.data.entry_keys`) are those of a config. At
the top of the entry they hold for all its sources; a source may have its own. A source may also be ``unverified: WHY``,
and have the ``checksum: {md5: ..., sha256: ...}`` of what the service sends. `expected` counts the finished table: rows
that have a class, attributes without the class and what is dropped, declared classes, missing cells of the attributes.

An entry with ``unobtainable: WHY`` in place of sources, target and counts says that a data set cannot be had; one with
``documents: true`` holds texts, not a table, and needs no target.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lazybayes.data import generators
from lazybayes.data.entry_keys import CHECKSUMS, READING, SELECTION, read_entry, with_table_keys
from lazybayes.experiment import DatasetEntry, Source
from lazybayes.yaml.reader import Item, Reader, flag, integer, list_of, load, text

PAPERS = ("lbr2000", "semilazy_tan2003", "clltree2006")
NEEDED = ("name", "title", "sources", "target", "expected", "licence", "citation")
KEYS = (*NEEDED, "aliases", "papers", "differences", *SELECTION[1:], *READING, "unobtainable", "documents")


@dataclass(frozen=True)
class Expected:
    """The counts a finished table must have; None is not checked."""

    instances: int | None = None
    attributes: int | None = None
    classes: int | None = None
    missing_cells: int | None = None


COUNTS = tuple(Expected.__dataclass_fields__)


@dataclass(frozen=True)
class CatalogueEntry:
    """One data set of the catalogue.

    sources: in order of preference, each with all that is needed to read it.
    papers: the names a paper gives it, the published one first, by the paper's config.
    unobtainable: why there is no source; documents: it holds texts, not a table.
    """

    name: str
    title: str
    sources: tuple[DatasetEntry, ...]
    expected: Expected
    licence: str
    citation: str
    aliases: tuple[str, ...]
    papers: Mapping[str, tuple[str, ...]]
    differences: tuple[str, ...]
    path: Path
    unobtainable: str = ""
    documents: bool = False


def read_catalogue_file(path: Path, reserved: Mapping[str, str] | None = None) -> CatalogueEntry:
    """Reads one catalogue file. reserved: what cannot be an alias here, with the entries they belong to.

    Raises ConfigError with every problem of the file.
    """
    top = load(path, expects=f"a mapping with the keys {', '.join(NEEDED)}")
    given = top.fields(KEYS)
    unobtainable = given.get("unobtainable", text, "")
    documents = given.get("documents", flag, False)
    need = given.get if unobtainable else given.need
    target = (given.get if documents else need)("target", text, "")
    base = with_table_keys(DatasetEntry.of(path.stem, "", "", target=target), given, Source("", ""))
    entry = CatalogueEntry(
        name=given.need("name", _file_name(path), path.stem),
        title=given.need("title", text, ""),
        sources=need("sources", list_of(_source_entry(path.parent, base), at_least=1), ()),
        expected=need("expected", _expected(documents), Expected()),
        licence=given.need("licence", text, ""),
        citation=given.need("citation", text, ""),
        aliases=given.get("aliases", list_of(_alias(reserved or {}), unique=True), ()),
        papers=given.get("papers", _papers, {}),
        differences=given.get("differences", list_of(text), ()),
        path=path,
        unobtainable=unobtainable,
        documents=documents,
    )
    if unobtainable and entry.sources:
        given["unobtainable"].wrong("this entry has sources; give one or the other")
    top.problems.finish()
    return entry


def _source_entry(folder: Path, base: DatasetEntry) -> Reader[DatasetEntry]:
    """A source of an entry; what it does not say of how it is read is as in `base`."""

    def file(item: Item) -> str:
        return os.path.abspath(folder / text(item))

    def read(item: Item) -> DatasetEntry:
        item.entries()
        entry, fields = read_entry(item, base, ("unverified", "checksum"), file, {"generate": generators.check})
        unverified, checksum = fields.get("unverified", text, ""), fields.get("checksum", _checksum, {})
        return replace(entry, source=replace(entry.source, unverified=unverified, checksum=checksum))

    return read


def _checksum(item: Item) -> dict[str, str]:
    fields = item.fields(CHECKSUMS)
    sums = {kind: fields.get(kind, text, "").lower() for kind in fields}
    for kind, value in sums.items():
        if value and (len(value) != CHECKSUMS[kind] or set(value) - set("0123456789abcdef")):
            fields[kind].wrong(f"'{value}' is no {kind}; {CHECKSUMS[kind]} hexadecimal digits are expected")
    return sums


def _file_name(path: Path) -> Reader[str]:
    def read(item: Item) -> str:
        if text(item) != path.stem:
            raise item.wrong(f"'{item.scalar}' is not the name of the file; {path.stem} is expected")
        return path.stem

    return read


def _alias(owners: Mapping[str, str]) -> Reader[str]:
    def read(item: Item) -> str:
        alias = text(item)
        if alias in owners:
            raise item.wrong(f"'{alias}' is already a name of the entry {owners[alias]}")
        return alias

    return read


def _expected(documents: bool) -> Reader[Expected]:
    """The counts; of documents the attributes and missing cells may be left out."""

    def read(item: Item) -> Expected:
        given = item.fields(COUNTS)
        optional = ("attributes", "missing_cells") if documents else ()
        return Expected(
            **{
                count: (given.get if count in optional else given.need)(count, integer(at_least=0), None)
                for count in COUNTS
            }
        )

    return read


def _papers(item: Item) -> dict[str, tuple[str, ...]]:
    given = item.fields(PAPERS)

    def theirs(part: Item) -> tuple[str, ...]:
        return list_of(text, at_least=1, unique=True)(part) if part.is_list else (text(part),)

    return {paper: given.get(paper, theirs, ()) for paper in given}
