"""A belief network as a YAML file that reads like the tables of a textbook.

Like this::

    name: fire
    variables:
      Storm:
        values: [true, false]
        table: [0.2, 0.8]
      Lightning:
        values: [true, false]
        parents: [Storm]
        table:
          # Storm   true  false
          - [true,  0.7,  0.3]
          - [false, 0.01, 0.99]

A row of a table holds a value of each parent, in the order of `parents`, then a probability for each value. Text is
taken as it is written: `true`, `no` and `01` are values like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

from lazybayes.networks.declared import Declared, TableRow, assemble
from lazybayes.networks.network import Network, Variable
from lazybayes.yaml.reader import Item, Wrong, list_of, load, number, text

EXPECTS = "a mapping with the keys name and variables"
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


def read_yaml(path: Path, *, tables: bool = True) -> Network:
    """The network of a YAML file; tables: as for `assemble`. Raises ConfigError with every problem of the file."""
    top = load(path, EXPECTS)
    fields = top.fields(("name", "variables"))
    name = fields.get("name", text, path.stem)
    declared = fields.need("variables", _variables, ())
    return assemble(name, declared, top.problems, tables=tables)


def write_yaml(network: Network) -> str:
    """The network as a YAML file; a number is written with all its digits, so that reading gives the same network."""
    lines = [f"name: {_quoted(network.name)}", "variables:"]
    for variable in network.variables:
        lines += [f"  {_quoted(variable.name)}:", f"    values: [{', '.join(map(_quoted, variable.values))}]"]
        if variable.parents:
            lines.append(f"    parents: [{', '.join(map(_quoted, variable.parents))}]")
        lines += _table_lines(network, variable)
    return "\n".join(lines) + "\n"


def _variables(item: Item) -> tuple[Declared, ...]:
    entries = item.entries()
    if not entries:
        raise item.wrong("no variable is given; at least one is expected")
    declared = []
    for name, entry in entries.items():
        with suppress(Wrong):
            declared.append(_variable(name, entry))
    return tuple(declared)


def _variable(name: str, item: Item) -> Declared:
    fields = item.fields(("values", "parents", "table"))
    values = fields.need("values", list_of(text, at_least=1), ())
    parents = fields.get("parents", list_of(text), ())
    rows = tuple(_rows(fields["table"], len(parents))) if "table" in fields else None
    lines = [fields[key].line if key in fields else item.line for key in ("parents", "table")]
    return Declared(name, item.line, values, parents, lines[0], rows, lines[1])


def _rows(table: Item, n_parents: int) -> Iterator[TableRow]:
    with suppress(Wrong):
        parts = table.items()
        if not n_parents and not any(part.is_list for part in parts):
            parts = [table]
        for part in parts:
            with suppress(Wrong):
                cells = part.items()
                given = tuple(text(cell) for cell in cells[:n_parents])
                yield TableRow(
                    given, tuple(number(kind="a probability")(cell) for cell in cells[n_parents:]), part.line
                )


def _table_lines(network: Network, variable: Variable) -> list[str]:
    if not variable.parents:
        return [f"    table: [{', '.join(map(_number, variable.table.tolist()))}]"]
    k = len(variable.values)
    given = product(*(map(_quoted, network[parent].values) for parent in variable.parents))
    numbers = variable.table.reshape(-1, k).tolist()
    header = [*map(_quoted, variable.parents), *map(_quoted, variable.values)]
    rows = [[*values, *map(_number, row)] for values, row in zip(given, numbers, strict=True)]
    width = [max(len(row[j]) for row in (header, *rows)) + 1 for j in range(len(header))]
    lines = ["    table:", f"      #  {' '.join(map(str.ljust, header, width)).rstrip()}"]
    for row in rows:
        cells = [f"{cell}," for cell in row[:-1]]
        lines.append(f"      - [{' '.join(map(str.ljust, cells, width))} {row[-1]}]")
    return lines


def _number(value: float) -> str:
    return f"{value:.0f}" if value in (0.0, 1.0) else repr(value)


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else json.dumps(word, ensure_ascii=not word.isprintable())
