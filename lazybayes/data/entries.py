"""Reads one data set entry of a YAML file, of a config or of the catalogue: the same sources, the same keys.

========== ==================================================== ===========================================
source     value                                                its own keys
========== ==================================================== ===========================================
catalogue  a name                                               a generated set's options; ``expect``
path       a file or a list of files, their rows joined; or     all that say how files are read
           a folder or tar archive of documents
openml     an id or a list of ids, their rows joined            all that say how a table is taken
uci        an id, with ``archive: NAME.zip``, ``files: [...]``  all that say how files are read
generate   a generator's name                                   its options
========== ==================================================== ===========================================
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lazybayes.data.delimited import character
from lazybayes.data.documents import HEADERS
from lazybayes.data.text import is_encoding
from lazybayes.errors import FileError
from lazybayes.experiment import DatasetEntry
from lazybayes.files import expand_home, is_folder, obstacle
from lazybayes.messages import nearest
from lazybayes.yaml.reader import (
    Fields,
    Item,
    Reader,
    Wrong,
    anything,
    flag,
    integer,
    list_of,
    mapping_of,
    one_of,
    text,
)

TAKING = ("target", "drop", "types", "missing", "leave_out", "recode", "headers")
"""Keys that say how a table is taken from what a source has."""
READING = ("header", "columns", "separator", "thousands", "decimal", "encoding", "skip_lines", "split", "blocks")
"""Keys that say how delimited files are read."""
SOURCE_KEYS: Mapping[str, tuple[str, ...]] = {
    "catalogue": (*TAKING, "expect"),
    "path": (*TAKING, *READING),
    "openml": TAKING,
    "uci": ("archive", "files", *TAKING, *READING),
    "generate": ("target", "drop"),
}
WITH_OPTIONS = ("catalogue", "generate")
TYPES = ("nominal", "numeric", "string")
CHECKSUMS = {"md5": 32, "sha256": 64}


def config_entry(item: Item, folder: Path) -> DatasetEntry:
    """An entry of a config: a catalogue name, or a mapping. Paths start from the config's folder and must be there."""
    given = {"catalogue": item} if item.scalar is not None else item.entries()
    source = _source(item, given)
    keys = ("name", *SOURCE_KEYS[source])
    base = DatasetEntry("", "", "", where=f"{item.problems.file}, line {item.line}: {item.path}")
    entry = _entry(item, given, source, base, keys, _present(folder))
    fields = Fields(item, given)
    name = Path(entry.location).stem if source == "path" else entry.location
    name = {"openml": f"openml-{name}", "uci": f"uci-{name}".replace("/", "-").removesuffix(".zip")}.get(source, name)
    return replace(entry, name=fields.get("name", text, name), expect=fields.get("expect", flag, True))


def source_entry(item: Item, folder: Path, base: DatasetEntry) -> DatasetEntry:
    """A source of a catalogue entry; what it does not say of how it is read is as in `base`."""
    given = item.entries()
    source = _source(item, given)
    keys = (*SOURCE_KEYS[source], "unverified", "checksum")
    entry = _entry(item, given, source, base, keys, lambda part: os.path.abspath(folder / text(part)))
    fields = Fields(item, given)
    return replace(entry, unverified=fields.get("unverified", text, ""), checksum=fields.get("checksum", _checksum, {}))


def taken(fields: Fields, base: DatasetEntry) -> DatasetEntry:
    """The base with what is given of the keys `TAKING` and `READING`."""
    return replace(
        base,
        target=fields.get("target", text, base.target),
        drop=fields.get("drop", list_of(text, unique=True), base.drop),
        types=fields.get("types", mapping_of(_type), base.types),
        missing=fields.get("missing", list_of(text, unique=True), base.missing),
        leave_out=fields.get("leave_out", mapping_of(list_of(text, at_least=1, unique=True)), base.leave_out),
        recode=fields.get("recode", mapping_of(mapping_of(_text_or_missing)), base.recode),
        headers=fields.get("headers", one_of(HEADERS), base.headers),
        header=fields.get("header", flag, base.header),
        columns=fields.get("columns", list_of(text, at_least=1, unique=True), base.columns),
        separator=fields.get("separator", _character, base.separator),
        thousands=fields.get("thousands", _mark, base.thousands),
        decimal=fields.get("decimal", _mark, base.decimal),
        encoding=fields.get("encoding", _encoding, base.encoding),
        skip_lines=fields.get("skip_lines", mapping_of(list_of(integer(at_least=1), unique=True)), base.skip_lines),
        split=fields.get("split", mapping_of(integer(at_least=1)), base.split),
        blocks=fields.get("blocks", mapping_of(mapping_of(integer(at_least=1))), base.blocks),
    )


def _source(item: Item, given: Mapping[str, Item]) -> str:
    sources = [source for source in SOURCE_KEYS if source in given]
    if len(sources) == 1:
        return sources[0]
    found = f"{' and '.join(sources)} stand together" if sources else "no source of the data is given"
    hint = "" if sources else next(filter(None, (nearest(key, SOURCE_KEYS) for key in given)), "")
    raise item.wrong(f"{found}; one of {', '.join(SOURCE_KEYS)} is expected{hint}")


def _entry(
    item: Item,
    given: dict[str, Item],
    source: str,
    base: DatasetEntry,
    keys: tuple[str, ...],
    file: Reader[str],
) -> DatasetEntry:
    known = (source, *keys)
    fields = Fields(item, given)
    options: dict[str, Any] = {}
    if source in WITH_OPTIONS:
        options = {key: fields.get(key, anything, None) for key in given if key not in known}
    else:
        item.fields(known, f"a data set by {source}")
    location = ""
    files: tuple[str, ...] = ()
    if source in WITH_OPTIONS:
        location = fields.get(source, _known(source, options, given, keys, in_config="name" in keys), "")
    elif source == "path":
        first, *more = fields.get(source, _one_or_more(file), ()) or ("",)
        location, files = first, tuple(more)
    elif source == "openml":
        location = "+".join(fields.get(source, _one_or_more(_id), ()))
    else:
        archive = fields.need("archive", _archive, "")
        files = fields.need("files", list_of(text, at_least=1, unique=True), ())
        number = fields.get(source, _id, "")
        location = f"{number}/{archive}" if number and archive and files else ""
    entry = replace(taken(fields, base), source=source, location=location, files=files, options=options)
    if not location:
        raise Wrong(item.path)
    return entry


def _known(
    source: str, options: Mapping[str, Any], given: Mapping[str, Item], keys: tuple[str, ...], in_config: bool
) -> Reader[str]:
    """A name of the catalogue or of a generator, which also says whether it takes the options."""

    def read(item: Item) -> str:
        name = text(item)
        if source == "catalogue":
            from lazybayes.data.catalogue import check, find

            if not in_config:  # the other entries are not read while one is
                for option in options:
                    given[option].wrong(f"unknown key of a data set by catalogue; allowed: {', '.join(keys)}")
                return name
        else:
            from lazybayes.data.generators import check
        for option, message in check(name, options):
            if not option:
                raise item.wrong(message + (f"; a file is given as {{path: {name}}}" if "." in name else ""))
            hint = "" if "did you mean" in message else nearest(option, keys)
            given[option].wrong(message + hint)
        return find(name).name if source == "catalogue" else name

    return read


def _present(folder: Path) -> Reader[str]:
    """The absolute path of a file, or a folder of documents, that is there; a relative one starts from the folder."""

    def read(item: Item) -> str:
        path = _absolute(item, folder)
        return str(path) if is_folder(path) else present_file(item, folder)

    return read


def present_file(item: Item, folder: Path) -> str:
    """The absolute path of a file that is there; a relative one starts from the folder."""
    path = _absolute(item, folder)
    if problem := obstacle(path):
        raise item.wrong(f"{path}: {problem}")
    return str(path)


def _absolute(item: Item, folder: Path) -> Path:
    try:
        return Path(os.path.abspath(folder / expand_home(text(item))))
    except FileError as error:
        raise item.wrong(str(error)) from None


def _one_or_more(reader: Callable[[Item], str]) -> Reader[tuple[str, ...]]:
    def read(item: Item) -> tuple[str, ...]:
        return list_of(reader, at_least=1, unique=True)(item) if item.is_list else (reader(item),)

    return read


def _id(item: Item) -> str:
    return str(integer(at_least=1)(item))


def _archive(item: Item) -> str:
    name = text(item)
    if not name.endswith(".zip") or "/" in name:
        raise item.wrong(f"'{name}' is not allowed; the name of a zip archive, like iris.zip, is expected")
    return name


def _type(item: Item) -> str | tuple[str, ...]:
    return list_of(text, at_least=1, unique=True)(item) if item.is_list else one_of(TYPES)(item)


def _text_or_missing(item: Item) -> str | None:
    return None if item.plain in ("null", "~") else text(item)


def _checksum(item: Item) -> dict[str, str]:
    fields = item.fields(CHECKSUMS)
    sums = {kind: fields.get(kind, text, "").lower() for kind in fields}
    for kind, value in sums.items():
        if value and (len(value) != CHECKSUMS[kind] or set(value) - set("0123456789abcdef")):
            fields[kind].wrong(f"'{value}' is no {kind}; {CHECKSUMS[kind]} hexadecimal digits are expected")
    return sums


def _character(item: Item) -> str:
    written = character(text(item))
    if len(written) != 1:
        raise item.wrong(f"'{written}' is not allowed; one character is expected (a tab is written \"\\t\")")
    return written


def _mark(item: Item) -> str:
    mark = text(item)
    if len(mark) != 1 or mark.isalnum() or mark in '+-"\r\n\t':
        raise item.wrong(f"'{mark}' is not allowed; expected one character other than a digit, letter, sign or quote")
    return mark


def _encoding(item: Item) -> str:
    encoding = text(item)
    if not is_encoding(encoding):
        raise item.wrong(f"'{encoding}' is unknown; examples are utf-8, latin-1, cp1252, utf-16")
    return encoding
