"""Reads one data set of a config: a catalogue name, or a mapping with the keys of `lazybayes.data.entry_keys`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lazybayes.data.entry_keys import read_entry
from lazybayes.errors import FileError
from lazybayes.experiment import DatasetEntry, Source
from lazybayes.files import expand_home, is_folder, obstacle
from lazybayes.yaml.reader import Item, Reader, flag, text


def config_entry(item: Item, folder: Path) -> DatasetEntry:
    """An entry of a config: a catalogue name, or a mapping. Paths start from the config's folder and must be there."""
    base = DatasetEntry("", Source("", ""), where=f"{item.problems.file}, line {item.line}: {item.path}")
    checks = {"catalogue": _check_catalogue, "generate": _check_generator}
    entry, fields = read_entry(item, base, ("name",), _present(folder), checks)
    source = entry.source
    if source.kind == "catalogue":
        from lazybayes.data.catalogue import find

        source = replace(source, location=find(source.location).name)
    name = fields.get("name", text, _usual_name(source))
    return replace(entry, name=name, source=source, expect=fields.get("expect", flag, True))


def present_file(item: Item, folder: Path) -> str:
    """The absolute path of a file that is there; a relative one starts from the folder."""
    path = _absolute(item, folder)
    if problem := obstacle(path):
        raise item.wrong(f"{path}: {problem}")
    return str(path)


def _usual_name(source: Source) -> str:
    if source.kind == "path":
        return Path(source.location).stem
    if source.kind == "openml":
        return f"openml-{source.location}"
    if source.kind == "uci":
        return f"uci-{source.location}".replace("/", "-").removesuffix(".zip")
    return source.location


def _check_catalogue(name: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    from lazybayes.data.catalogue import check

    return check(name, options)


def _check_generator(name: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    from lazybayes.data.generators import check

    return check(name, options)


def _present(folder: Path) -> Reader[str]:
    """The absolute path of a file, or a folder of documents, that is there; a relative one starts from the folder."""

    def read(item: Item) -> str:
        path = _absolute(item, folder)
        return str(path) if is_folder(path) else present_file(item, folder)

    return read


def _absolute(item: Item, folder: Path) -> Path:
    try:
        return Path(os.path.abspath(folder / expand_home(text(item))))
    except FileError as error:
        raise item.wrong(str(error)) from None
