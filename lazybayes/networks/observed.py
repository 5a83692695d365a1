"""Data for a network: columns matched by name, cells by value; what is not seen is hidden."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lazybayes.data.columns import to_table
from lazybayes.data.sheets import read_sheet
from lazybayes.data.table import Attribute, Column, RawTable, listed
from lazybayes.errors import DataError
from lazybayes.experiment import DatasetEntry
from lazybayes.files import expand_home, is_file
from lazybayes.messages import nearest
from lazybayes.networks.network import Network

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Observed:
    """codes: (n, variables) values of the network's variables, -1 = hidden; notices: what the user should be told."""

    codes: Ints
    notices: tuple[str, ...] = ()


def observe(network: Network, data: str, missing: Sequence[str] = ()) -> Observed:
    """The rows of a data file (ARFF, CSV) or of a data set of the catalogue, by its name.

    missing: texts that mean a missing cell, besides an empty cell and `?`; a missing cell is hidden. A variable without
    a column is hidden in every row, with a notice; a column that is not a variable is not used.
    Raises DataError if the file cannot be read, no column is a variable, or a value is none of its variable's.
    """
    raw = _read(data, network, missing)
    names = [attribute.name for attribute in raw.attributes]
    seen = [name for name in network.index if name in names]
    if not seen:
        raise DataError(
            f"{data}: no column is a variable of {network.name}; its variables are {listed([*network.index])}"
        )
    codes = np.full((raw.n_rows, len(network)), -1, dtype=np.int32)
    problems: list[str] = []
    for name in seen:
        place = names.index(name)
        values = network[name].values
        codes[:, network.index[name]] = _translate(raw.attributes[place], raw.columns[place], values, problems)
    if problems:
        raise DataError("\n".join(f"{data}: {problem}" for problem in problems))
    unused = [name for name in names if name not in network.index]
    notices = [*raw.notices]
    for name in network.index:
        if name not in seen:
            notices.append(f"{data}: no column {name}{nearest(name, unused)}; it is hidden in every row")
    if unused:
        notices.append(f"{data}: not used, for {network.name} has no such variables: {listed(unused)}")
    return Observed(codes, tuple(notices))


def translate(labels: Sequence[str], values: Sequence[str]) -> Ints:
    """(labels + 1,) each label's place among a variable's values, -1 for one that is none, and for a missing cell."""
    place = {value: code for code, value in enumerate(values)}
    return np.array([*(place.get(label, -1) for label in labels), -1], dtype=np.int32)


def _translate(attribute: Attribute, column: Column, values: Sequence[str], problems: list[str]) -> Ints:
    if attribute.kind != "nominal":
        problems.append(f"the column {attribute.name} is {attribute.kind}; the values {listed(values)} are expected")
        return np.full(len(column), -1, dtype=np.int32)
    codes = np.asarray(translate(attribute.values, values)[column], dtype=np.int32)
    strange = sorted({int(code) for code in column[(codes < 0) & (column >= 0)]})
    for code in strange[:5]:
        label = attribute.values[code]
        expected = f"the network knows {listed(values)}{nearest(label, values)}"
        hidden = f"; `--missing {shlex.quote(label)}` reads it as a missing cell"
        problems.append(f"the column {attribute.name} has the value {label}; {expected}{hidden}")
    return codes


def _read(data: str, network: Network, missing: Sequence[str]) -> RawTable:
    """A network's values are text, whatever they look like; in a file, no column is the class."""
    path = expand_home(data)
    markers = ("", "?", *missing) if missing else None
    if is_file(path) or path.name != data or path.suffix:
        entry = DatasetEntry.of(path.stem, "path", str(path), missing=markers)
        sheet = read_sheet(path, entry)
        own = {name: kind.name if kind else "string" for name, kind in zip(sheet.names, sheet.kinds, strict=True)}
        types = {name: "nominal" if name in network.index else kind for name, kind in own.items()}
        return to_table(sheet, entry.with_keys(types=types))
    from lazybayes.data.load import load_table

    entry = DatasetEntry.of(data, "catalogue", data, missing=markers)
    table = load_table(entry)
    numbers = [a.name for a in table.attributes if a.kind == "numeric" and a.name in network.index]
    if numbers:
        table = load_table(entry.with_keys(types=dict.fromkeys(numbers, "nominal")))
    return RawTable((*table.attributes, table.target), (*table.columns, table.y), table.n_rows, table.notices)
