"""The catalogue: the data sets lazybayes knows by name, one file ``datasets/NAME.yaml`` each.

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

The keys that say how a table is taken and how files are read (`lazybayes.data.entries`) are those of a config. At the
top of the entry they hold for all its sources; a source may have its own. A source may also be ``unverified: WHY``, and
have the ``checksum: {md5: ..., sha256: ...}`` of what the service sends. `expected` counts the finished table: rows
that have a class, attributes without the class and what is dropped, declared classes, missing cells of the attributes.

An entry with ``unobtainable: WHY`` in place of sources, target and counts says that a data set cannot be had; one with
``documents: true`` holds texts, not a table, and needs no target.

A name of a paper may mean one file in one paper and another in the next; PAPER/NAME (``lbr2000/Hypothyroid``) is
always one. The settings may name a folder of a user's own entries beside the shipped ones.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from lazybayes.data import generators
from lazybayes.data.entries import READING, TAKING, source_entry, taken
from lazybayes.data.table import Table
from lazybayes.errors import ConfigError, DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.files import is_folder
from lazybayes.messages import plural
from lazybayes.resources import shipped
from lazybayes.settings import settings
from lazybayes.yaml.reader import Item, Reader, flag, integer, list_of, load, text

PAPERS = ("lbr2000", "semilazy_tan2003", "clltree2006")
NEEDED = ("name", "title", "sources", "target", "expected", "licence", "citation")
KEYS = (*NEEDED, "aliases", "papers", "differences", *TAKING[1:], *READING, "unobtainable", "documents")


@dataclass(frozen=True)
class Expected:
    """The counts a finished table must have; None is not checked."""

    instances: int | None = None
    attributes: int | None = None
    classes: int | None = None
    missing_cells: int | None = None


COUNTS = tuple(Expected.__dataclass_fields__)

# What a config may say beside a catalogue name, and the counts that then need not be the catalogue's.
OVERRIDES: Mapping[str, tuple[str, ...]] = {
    "target": COUNTS,
    "drop": ("attributes", "missing_cells"),
    "types": ("classes", "missing_cells"),
    "missing": ("instances", "classes", "missing_cells"),
    "leave_out": ("instances", "missing_cells"),
    "recode": ("instances", "classes", "missing_cells"),
    "headers": (),
    "options": ("instances", "attributes"),
}


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


def names() -> tuple[str, ...]:
    """The names of all entries, sorted (without aliases). Raises ConfigError as `entries` for the user's folder."""
    return tuple(sorted(_files(_folders())))


def entries() -> tuple[CatalogueEntry, ...]:
    """All entries in the order of their names.

    Raises ConfigError if a file is wrong, a name or alias stands twice, or the user's folder of entries is not there.
    """
    return _entries(_folders())


def find(name: str) -> CatalogueEntry:
    """The entry with this name, alias or PAPER/NAME, or the one that papers call so.

    Raises DataError with the nearest names if there is none, or with all it could mean if there are several;
    ConfigError if its file is wrong.
    """
    files = _files(_folders())
    if name in files:
        return read_entry(files[name])
    called = _called(entries())
    found = called.get(name, ())
    same = {entry.name for other, them in called.items() if other.casefold() == name.casefold() for entry in them}
    if len(found) == 1 and len(same) == 1:
        return found[0]
    if found:
        scoped = [
            f"{paper}/{other} is {entry.name}"
            for entry in entries()
            for paper, theirs in entry.papers.items()
            for other in theirs
            if other.casefold() == name.casefold()
        ]
        raise DataError(f"{name!r} may mean {' or '.join(sorted(same))}: say which ({', '.join(scoped)})")
    folded = {other.casefold(): them[0].name for other, them in called.items()}
    close = dict.fromkeys(folded[other] for other in difflib.get_close_matches(name.casefold(), folded, n=3))
    hint = f" (did you mean {' or '.join(close)}?)" if close else "; `lazybayes datasets list` shows all"
    raise DataError(f"the catalogue has no data set {name!r}{hint}")


def check(name: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Problems of a name with generator options, as (option or "", message)."""
    try:
        found = find(name)
    except DataError as error:
        return [("", str(error))]
    if found.unobtainable:
        return [("", f"{found.name} cannot be had: {found.unobtainable}")]
    if not options:
        return []
    generated = [source for source in found.sources if source.source == "generate"]
    if not generated:
        return [(key, f"{found.name} is not generated, so it has no option {key!r}") for key in options]
    return [problem for source in generated for problem in generators.check(source.location, options)]


def resolve(entry: DatasetEntry) -> list[DatasetEntry]:
    """The sources of a catalogue name in order of preference, under the entry's own name and place.

    What the entry says of target, types and recode (each column's), missing, leave_out and options comes before what
    the catalogue says; what it drops is dropped beside what the catalogue drops, but never the target. Options leave
    only generated sources, and what only a reader of files can follow leaves only files. Raises DataError for an
    unknown name, impossible options, or if no source is left.
    """
    if problems := check(entry.location, entry.options):
        raise DataError("\n".join(message for _, message in problems))
    found = find(entry.location)
    sources = [
        further
        for source in found.sources
        for further in (resolve(source) if source.source == "catalogue" else [source])
    ]
    fitting = [source for source in sources if _fits(source, entry)]
    if not fitting:
        raise DataError(f"{entry.location} is generated, so types and missing are of no use; leave them out")
    return [_beside(source, entry) for source in fitting]


def expected(entry: DatasetEntry) -> Expected:
    """The counts to hold the table of a catalogue name against: those that nothing the entry says can change."""
    if not entry.expect:
        return Expected()
    own = resolve(replace(entry, **_NOTHING_SAID))
    base = next(source for source in own if _fits(source, entry))
    changed = [key for key in OVERRIDES if _changes(base, entry, key)]
    return replace(find(entry.location).expected, **{count: None for key in changed for count in OVERRIDES[key]})


def check_expected(table: Table, expected: Expected, error: type[DataError] = DataError) -> None:
    """Raises DataError, or this kind of it, with both counts if the table has not those that the catalogue expects."""
    found = {
        "instances": (table.n_rows, "instance", "instances"),
        "attributes": (len(table.attributes), "attribute", "attributes"),
        "classes": (table.n_classes, "class", "classes"),
        "missing_cells": (table.missing_cells, "missing cell", "missing cells"),
    }
    wrong = [
        f"{plural(count, *nouns)} (expected {wanted})"
        for key, (count, *nouns) in found.items()
        if (wanted := getattr(expected, key)) is not None and count != wanted
    ]
    if wrong:
        raise error(
            f"{table.name} is not the data set of the catalogue: it has {', '.join(wrong)}; "
            "`expect: false` in the data set's entry of a config takes it as it is ({catalogue: NAME, expect: false})"
        )


def read_entry(path: Path, taken_names: Mapping[str, str] | None = None) -> CatalogueEntry:
    """Reads one catalogue file. taken_names: what cannot be an alias here, with the entries they belong to.

    Raises ConfigError with every problem of the file.
    """
    top = load(path, expects=f"a mapping with the keys {', '.join(NEEDED)}")
    given = top.fields(KEYS)
    unobtainable = given.get("unobtainable", text, "")
    documents = given.get("documents", flag, False)
    need = given.get if unobtainable else given.need
    target = (given.get if documents else need)("target", text, "")
    base = taken(given, DatasetEntry(path.stem, "", "", target=target))
    entry = CatalogueEntry(
        name=given.need("name", _file_name(path), path.stem),
        title=given.need("title", text, ""),
        sources=need("sources", list_of(lambda item: source_entry(item, path.parent, base), at_least=1), ()),
        expected=need("expected", _expected(documents), Expected()),
        licence=given.need("licence", text, ""),
        citation=given.need("citation", text, ""),
        aliases=given.get("aliases", list_of(_alias(taken_names or {}), unique=True), ()),
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


def _folders() -> tuple[Path, ...]:
    own = settings().datasets
    if own is None:
        return (shipped("datasets"),)
    if not is_folder(own):
        raise ConfigError([f"{own}: there is no such folder; the setting datasets names a folder of catalogue entries"])
    return (shipped("datasets"), own)


def _files(folders: tuple[Path, ...]) -> dict[str, Path]:
    """The file of each name; the first folder that has it counts."""
    return {path.stem: path for folder in reversed(folders) for path in folder.glob("*.yaml")}


@lru_cache
def _entries(folders: tuple[Path, ...]) -> tuple[CatalogueEntry, ...]:
    files = _files(folders)
    owners = {name: name for name in files}
    found: list[CatalogueEntry] = []
    problems: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            if files[path.stem] != path:
                problems.append(f"{path}: {path.stem} is the name of an entry in {files[path.stem].parent} already")
                continue
            try:
                found.append(read_entry(path, owners))
            except ConfigError as error:
                problems += error.problems
            else:
                owners |= dict.fromkeys(found[-1].aliases, path.stem)
    for entry in found:
        problems += [
            f"{entry.path}: a source is the entry {source.location}, which is not in the catalogue"
            for source in entry.sources
            if source.source == "catalogue" and (source.location not in files or source.location == entry.name)
        ]
    if problems:
        raise ConfigError(problems)
    return tuple(sorted(found, key=lambda entry: entry.name))


def _called(entries: tuple[CatalogueEntry, ...]) -> dict[str, tuple[CatalogueEntry, ...]]:
    """The entries by all they are called: their names, aliases, papers' names, and PAPER/NAME."""
    called: dict[str, tuple[CatalogueEntry, ...]] = {}
    for entry in entries:
        scoped = [f"{paper}/{name}" for paper, theirs in entry.papers.items() for name in theirs]
        plain = [name for theirs in entry.papers.values() for name in theirs]
        for name in dict.fromkeys((entry.name, *entry.aliases, *plain, *scoped)):
            called[name] = (*called.get(name, ()), entry)
    return called


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


_NOTHING_SAID: Mapping[str, Any] = {key: getattr(DatasetEntry("", "", ""), key) for key in OVERRIDES}


def _fits(source: DatasetEntry, entry: DatasetEntry) -> bool:
    """Whether a source can follow what the entry says: a generator reads no file, a file has no options."""
    if source.source == "generate":
        return not (entry.types or entry.missing is not None or entry.leave_out or entry.recode or entry.headers)
    return not entry.options


def _beside(source: DatasetEntry, entry: DatasetEntry) -> DatasetEntry:
    """A source of the catalogue with what an entry says beside its name."""
    target = entry.target or source.target
    return replace(
        source,
        name=entry.name,
        target=target,
        # A target that the catalogue drops is kept; one that the entry drops itself is told as its mistake.
        drop=tuple(dict.fromkeys((*(column for column in source.drop if column != target), *entry.drop))),
        types={**source.types, **entry.types},
        missing=source.missing if entry.missing is None else entry.missing,
        leave_out={**source.leave_out, **entry.leave_out},
        recode={**source.recode, **entry.recode},
        headers=entry.headers or source.headers,
        options={**source.options, **entry.options},
        expect=entry.expect,
        where=entry.where,
    )


def _changes(source: DatasetEntry, entry: DatasetEntry, key: str) -> bool:
    """Whether the entry says something of this key that is not the catalogue's own."""
    own, with_it = getattr(source, key), getattr(_beside(source, entry), key)
    if key == "options" and with_it:
        return generators.resolved(source.location, with_it) != generators.resolved(source.location, own)
    return bool(own != with_it)
