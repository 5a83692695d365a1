"""The catalogue: the data sets lazybayes knows by name, one file ``datasets/NAME.yaml`` each.

A name of a paper may mean one file in one paper and another in the next; PAPER/NAME (``lbr2000/Hypothyroid``) is
always one. The settings may name a folder of a user's own entries beside the shipped ones.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from lazybayes.data import generators
from lazybayes.data.catalogue_file import COUNTS, CatalogueEntry, Expected, read_catalogue_file
from lazybayes.data.table import Table
from lazybayes.errors import ConfigError, DataError
from lazybayes.experiment import DatasetEntry, Selection
from lazybayes.files import is_folder
from lazybayes.messages import plural
from lazybayes.resources import shipped
from lazybayes.settings import settings

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
        return read_catalogue_file(files[name])
    by_name = _by_name(entries())
    matches = by_name.get(name, ())
    same = {entry.name for other, them in by_name.items() if other.casefold() == name.casefold() for entry in them}
    if len(matches) == 1 and len(same) == 1:
        return matches[0]
    if matches:
        scoped = [
            f"{paper}/{other} is {entry.name}"
            for entry in entries()
            for paper, theirs in entry.papers.items()
            for other in theirs
            if other.casefold() == name.casefold()
        ]
        raise DataError(f"{name!r} may mean {' or '.join(sorted(same))}: say which ({', '.join(scoped)})")
    folded = {other.casefold(): them[0].name for other, them in by_name.items()}
    close = dict.fromkeys(folded[other] for other in difflib.get_close_matches(name.casefold(), folded, n=3))
    hint = f" (did you mean {' or '.join(close)}?)" if close else "; `lazybayes datasets list` shows all"
    raise DataError(f"the catalogue has no data set {name!r}{hint}")


def check(name: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Problems of a name with generator options, as (option or "", message)."""
    try:
        entry = find(name)
    except DataError as error:
        return [("", str(error))]
    if entry.unobtainable:
        return [("", f"{entry.name} cannot be had: {entry.unobtainable}")]
    if not options:
        return []
    generated = [copy.source for copy in entry.sources if copy.source.kind == "generate"]
    if not generated:
        return [(key, f"{entry.name} is not generated, so it has no option {key!r}") for key in options]
    return [problem for source in generated for problem in generators.check(source.location, options)]


def resolve(entry: DatasetEntry) -> list[DatasetEntry]:
    """The sources of a catalogue name in order of preference, under the entry's own name and place.

    What the entry says of target, types and recode (each column's), missing, leave_out and options comes before what
    the catalogue says; what it drops is dropped beside what the catalogue drops, but never the target. Options leave
    only generated sources, and what only a reader of files can follow leaves only files. Raises DataError for an
    unknown name, impossible options, or if no source is left.
    """
    name = entry.source.location
    if problems := check(name, entry.source.options):
        raise DataError("\n".join(message for _, message in problems))
    copies = [
        further
        for copy in find(name).sources
        for further in (resolve(copy) if copy.source.kind == "catalogue" else [copy])
    ]
    fitting = [copy for copy in copies if _fits(copy, entry)]
    if not fitting:
        raise DataError(f"{name} is generated, so types and missing are of no use; leave them out")
    return [_override(copy, entry) for copy in fitting]


def expected(entry: DatasetEntry) -> Expected:
    """The counts to hold the table of a catalogue name against: those that nothing the entry says can change."""
    if not entry.expect:
        return Expected()
    plain = replace(entry, selection=Selection(), source=replace(entry.source, options={}))
    base = next(copy for copy in resolve(plain) if _fits(copy, entry))
    changed = [key for key in OVERRIDES if _changes(base, entry, key)]
    counts = find(entry.source.location).expected
    return replace(counts, **{count: None for key in changed for count in OVERRIDES[key]})


def check_expected(table: Table, expected: Expected, error: type[DataError] = DataError) -> None:
    """Raises DataError, or this kind of it, with both counts if the table has not those that the catalogue expects."""
    counts = {
        "instances": (table.n_rows, "instance", "instances"),
        "attributes": (len(table.attributes), "attribute", "attributes"),
        "classes": (table.n_classes, "class", "classes"),
        "missing_cells": (table.missing_cells, "missing cell", "missing cells"),
    }
    wrong = [
        f"{plural(count, *nouns)} (expected {wanted})"
        for key, (count, *nouns) in counts.items()
        if (wanted := getattr(expected, key)) is not None and count != wanted
    ]
    if wrong:
        raise error(
            f"{table.name} is not the data set of the catalogue: it has {', '.join(wrong)}; "
            "`expect: false` in the data set's entry of a config takes it as it is ({catalogue: NAME, expect: false})"
        )


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
    entries: list[CatalogueEntry] = []
    problems: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            if files[path.stem] != path:
                problems.append(f"{path}: {path.stem} is the name of an entry in {files[path.stem].parent} already")
                continue
            try:
                entries.append(read_catalogue_file(path, owners))
            except ConfigError as error:
                problems += error.problems
            else:
                owners |= dict.fromkeys(entries[-1].aliases, path.stem)
    for entry in entries:
        named = [copy.source.location for copy in entry.sources if copy.source.kind == "catalogue"]
        problems += [
            f"{entry.path}: a source is the entry {name}, which is not in the catalogue"
            for name in named
            if name not in files or name == entry.name
        ]
    if problems:
        raise ConfigError(problems)
    return tuple(sorted(entries, key=lambda entry: entry.name))


def _by_name(entries: tuple[CatalogueEntry, ...]) -> dict[str, tuple[CatalogueEntry, ...]]:
    """The entries by all they are called: their names, aliases, papers' names, and PAPER/NAME."""
    by_name: dict[str, tuple[CatalogueEntry, ...]] = {}
    for entry in entries:
        scoped = [f"{paper}/{name}" for paper, theirs in entry.papers.items() for name in theirs]
        plain = [name for theirs in entry.papers.values() for name in theirs]
        for name in dict.fromkeys((entry.name, *entry.aliases, *plain, *scoped)):
            by_name[name] = (*by_name.get(name, ()), entry)
    return by_name


def _fits(copy: DatasetEntry, entry: DatasetEntry) -> bool:
    """Whether a source can follow what the entry says: a generator reads no file, a file has no options."""
    if copy.source.kind == "generate":
        chosen = entry.selection
        return not (chosen.types or chosen.missing is not None or chosen.leave_out or chosen.recode or chosen.headers)
    return not entry.source.options


def _override(copy: DatasetEntry, entry: DatasetEntry) -> DatasetEntry:
    """A source of the catalogue with what an entry says beside its name."""
    own, chosen = copy.selection, entry.selection
    target = chosen.target or own.target
    selection = Selection(
        target=target,
        # A target that the catalogue drops is kept; one that the entry drops itself is told as its mistake.
        drop=tuple(dict.fromkeys((*(column for column in own.drop if column != target), *chosen.drop))),
        types={**own.types, **chosen.types},
        missing=own.missing if chosen.missing is None else chosen.missing,
        leave_out={**own.leave_out, **chosen.leave_out},
        recode={**own.recode, **chosen.recode},
        headers=chosen.headers or own.headers,
    )
    source = replace(copy.source, options={**copy.source.options, **entry.source.options})
    return replace(copy, name=entry.name, source=source, selection=selection, expect=entry.expect, where=entry.where)


def _changes(copy: DatasetEntry, entry: DatasetEntry, key: str) -> bool:
    """Whether the entry says something of this key that is not the catalogue's own."""
    own, with_it = copy.keys()[key], _override(copy, entry).keys()[key]
    if key == "options" and with_it:
        name = copy.source.location
        return generators.with_defaults(name, with_it) != generators.with_defaults(name, own)
    return bool(own != with_it)
