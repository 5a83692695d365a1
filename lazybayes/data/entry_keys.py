"""Reads the keys of a data set of a YAML file, of a config or of the catalogue: the same sources, the same keys.

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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lazybayes.data.delimited import character
from lazybayes.data.documents import HEADERS
from lazybayes.data.text import is_encoding
from lazybayes.experiment import DatasetEntry, Reading, Selection, Source
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

SELECTION = tuple(Selection.__dataclass_fields__)
READING = tuple(Reading.__dataclass_fields__)
SOURCES: Mapping[str, tuple[str, ...]] = {
    "catalogue": (*SELECTION, "expect"),
    "path": (*SELECTION, *READING),
    "openml": SELECTION,
    "uci": ("archive", "files", *SELECTION, *READING),
    "generate": ("target", "drop"),
}
"""Source -> its own keys."""
TYPES = ("nominal", "numeric", "string")
CHECKSUMS = {"md5": 32, "sha256": 64}

OptionCheck = Callable[[str, Mapping[str, Any]], Sequence[tuple[str, str]]]
"""Problems of a source's name with options, as (option or "", message)."""


def read_entry(
    item: Item,
    base: DatasetEntry,
    further: Sequence[str],
    file: Reader[str],
    checks: Mapping[str, OptionCheck],
) -> tuple[DatasetEntry, Fields]:
    """A data set with its source, and all its fields; what it does not say of how it is read is as in `base`.

    further: keys beside those of the source; file: reads a path; checks: the sources that take options of a generator.
    """
    given = {"catalogue": item} if item.scalar is not None else item.entries()
    kind = _kind(item, given)
    keys = (*further, *SOURCES[kind])
    fields = Fields(item, given)
    if kind in checks:
        options = {key: fields.get(key, anything, None) for key in given if key not in (kind, *keys)}
        location = fields.get(kind, _name(checks[kind], options, given, keys), "")
        source = Source(kind, location, options=options)
    else:
        item.fields((kind, *keys), f"a data set by {kind}")
        source = _source(kind, fields, file)
    entry = with_table_keys(base, fields, source)
    if not source.location:
        raise Wrong(item.path)
    return entry, fields


def with_table_keys(base: DatasetEntry, fields: Fields, source: Source) -> DatasetEntry:
    """The base with this source and with what is given of the keys `SELECTION` and `READING`."""
    return replace(
        base,
        source=source,
        selection=_selection(fields, base.selection),
        reading=_reading(fields, base.reading),
    )


def _selection(fields: Fields, base: Selection) -> Selection:
    return Selection(
        target=fields.get("target", text, base.target),
        drop=fields.get("drop", list_of(text, unique=True), base.drop),
        types=fields.get("types", mapping_of(_type), base.types),
        missing=fields.get("missing", list_of(text, unique=True), base.missing),
        leave_out=fields.get("leave_out", mapping_of(list_of(text, at_least=1, unique=True)), base.leave_out),
        recode=fields.get("recode", mapping_of(mapping_of(_text_or_missing)), base.recode),
        headers=fields.get("headers", one_of(HEADERS), base.headers),
    )


def _reading(fields: Fields, base: Reading) -> Reading:
    return Reading(
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


def _kind(item: Item, given: Mapping[str, Item]) -> str:
    kinds = [kind for kind in SOURCES if kind in given]
    if len(kinds) == 1:
        return kinds[0]
    problem = f"{' and '.join(kinds)} stand together" if kinds else "no source of the data is given"
    hint = "" if kinds else next(filter(None, (nearest(key, SOURCES) for key in given)), "")
    raise item.wrong(f"{problem}; one of {', '.join(SOURCES)} is expected{hint}")


def _source(kind: str, fields: Fields, file: Reader[str]) -> Source:
    """A source without options; its location is "" where a problem was noted."""
    if kind == "path":
        first, *more = fields.get(kind, _one_or_more(file), ()) or ("",)
        return Source(kind, first, tuple(more))
    if kind == "openml":
        return Source(kind, "+".join(fields.get(kind, _one_or_more(_id), ())))
    if kind == "uci":
        archive = fields.need("archive", _archive, "")
        files = fields.need("files", list_of(text, at_least=1, unique=True), ())
        number = fields.get(kind, _id, "")
        return Source(kind, f"{number}/{archive}" if number and archive and files else "", files)
    return Source(kind, fields.get(kind, text, ""))


def _name(
    check: OptionCheck, options: Mapping[str, Any], given: Mapping[str, Item], keys: Sequence[str]
) -> Reader[str]:
    """A name of the catalogue or of a generator, which also says whether it takes the options."""

    def read(item: Item) -> str:
        name = text(item)
        for option, message in check(name, options):
            if not option:
                raise item.wrong(message + (f"; a file is given as {{path: {name}}}" if "." in name else ""))
            hint = "" if "did you mean" in message else nearest(option, keys)
            given[option].wrong(message + hint)
        return name

    return read


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
