"""What a network file declares, held to the rules of a belief network: every problem at once, with its line.

A row of a table must sum to 1. One that misses it by no more than `ROUNDING` is taken as rounded: it is divided by its
sum, and a notice tells so. Anything farther off is a problem.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from lazybayes.data.table import listed
from lazybayes.messages import nearest, plural
from lazybayes.networks.network import Floats, Network, Variable, find_cycles, term
from lazybayes.yaml.reader import Problems

ROUNDING = 0.01
"""How far a row's sum may be from 1: twenty numbers rounded to three decimals stay below."""

EXACT = 1e-12
"""A sum this near to 1 is 1: what is left is the rounding of doubles."""

LARGEST = 1 << 24
"""Entries a table may have (128 MB)."""


@dataclass(frozen=True)
class TableRow:
    """A line of a table: the parents' values, and a probability a value. given None: for all rows not listed."""

    given: tuple[str, ...] | None
    numbers: tuple[float, ...]
    line: int


@dataclass(frozen=True)
class Declared:
    """A variable as a file declares it, with the lines of itself, its parents and its table.

    rows None: it has no table.
    """

    name: str
    line: int
    values: tuple[str, ...]
    parents: tuple[str, ...]
    parents_line: int
    rows: tuple[TableRow, ...] | None
    table_line: int


def assemble(name: str, declared: Sequence[Declared], problems: Problems, *, tables: bool = True) -> Network:
    """The network that a file declares.

    tables: whether every variable must have a table; without, one that is left out is uniform (the structure is all
    that is asked for). Raises ConfigError with every problem of the file.
    """
    known = {variable.name: variable for variable in declared}
    rounded: list[str] = []
    variables = []
    for variable in declared:
        _check_names(variable, known, problems)
        if all(parent in known and known[parent].values for parent in variable.parents) and variable.values:
            values = [known[parent].values for parent in variable.parents]
            table = _table(variable, values, problems, rounded, tables)
            variables.append(Variable(variable.name, variable.values, variable.parents, table))
    for cycle in find_cycles({variable.name: variable.parents for variable in declared}):
        if len(cycle) > 2:  # a variable that is its own parent is told already
            problems.note(known[cycle[0]].parents_line, "", f"the arcs form a cycle: {' -> '.join(cycle)}")
    problems.finish()
    notices: tuple[str, ...] = ()
    if rounded:
        rows = "a row misses" if len(rounded) == 1 else f"{len(rounded)} rows miss"
        first = rounded[0] if len(rounded) == 1 else f"the first: {rounded[0]}"
        notices = (f"{problems.file}: {rows} a sum of 1 by rounding, divided by the sum ({first})",)
    return Network(name, tuple(variables), notices)


def _check_names(variable: Declared, known: dict[str, Declared], problems: Problems) -> None:
    repeated = [value for value, count in Counter(variable.values).items() if count > 1]
    for value in repeated:
        problems.note(variable.line, "", f"{variable.name} has the value {value} twice; give it once")
    seen: set[str] = set()
    for parent in variable.parents:
        if parent == variable.name:
            problems.note(variable.parents_line, "", f"{parent} is its own parent")
        elif parent not in known:
            others = [name for name in known if name != variable.name]
            hint = f"{nearest(parent, others)}; the variables are {listed(others)}"
            problems.note(variable.parents_line, "", f"{variable.name} has the parent {parent}, no variable{hint}")
        elif parent in seen:
            problems.note(variable.parents_line, "", f"{variable.name} has the parent {parent} twice; give it once")
        seen.add(parent)


def _table(
    variable: Declared, values: list[tuple[str, ...]], problems: Problems, rounded: list[str], needed: bool
) -> Floats:
    """(k of each parent, ..., k) probabilities; rows with a (noted) problem stay uniform."""
    k = len(variable.values)
    shape = (*(len(of_parent) for of_parent in values), k)
    entries = math.prod(shape)
    if entries > LARGEST:
        problems.note(
            variable.table_line, "", f"the table of {variable.name} has {entries:,} entries; at most {LARGEST:,}"
        )
        return np.full((1,), 1.0)
    table = np.full(shape, 1.0 / k)
    if variable.rows is None:
        if needed:
            problems.note(variable.line, "", f"{variable.name} has no table of probabilities")
        return table
    places = [{value: code for code, value in enumerate(of_parent)} for of_parent in values]
    seen: dict[tuple[str, ...], int] = {}
    default = next((row for row in variable.rows if row.given is None), None)
    if default is not None and (numbers := _numbers(variable, default, problems, rounded)) is not None:
        table[...] = numbers
    for row in variable.rows:
        if row.given is None or not _check_given(variable, row.given, places, row.line, problems):
            continue
        if row.given in seen:
            what = (
                f"the row {term(variable.name, variable.parents, row.given)} stands already in line {seen[row.given]}"
            )
            problems.note(row.line, "", f"{what}; give it once")
            continue
        seen[row.given] = row.line
        numbers = _numbers(variable, row, problems, rounded)
        if numbers is not None:
            table[tuple(own[value] for own, value in zip(places, row.given, strict=True))] = numbers
    missing = entries // k - len(seen)
    if missing and default is None:
        found = ", ".join(islice(_missing(variable, values, seen), 3)) + (", ..." if missing > 3 else "")
        rows = "the row is" if missing == 1 else f"{missing} rows are"
        problems.note(variable.table_line, "", f"the table of {variable.name} is not complete: {rows} missing: {found}")
    return table


def _check_given(
    variable: Declared, given: tuple[str, ...], places: list[dict[str, int]], line: int, problems: Problems
) -> bool:
    if len(given) != len(places):
        parents = f"{plural(len(places), 'parent')} ({', '.join(variable.parents)})" if places else "no parents"
        problems.note(
            line, "", f"a row of {variable.name} gives {plural(len(given), 'value')} of parents; it has {parents}"
        )
        return False
    unknown = [
        (parent, value, own)
        for parent, value, own in zip(variable.parents, given, places, strict=True)
        if value not in own
    ]
    for parent, value, own in unknown:
        hint = f"{nearest(value, own)}; it has {listed(list(own))}"
        problems.note(line, "", f"a row of {variable.name}: {parent} has no value {value}{hint}")
    return not unknown


def _numbers(variable: Declared, row: TableRow, problems: Problems, rounded: list[str]) -> Floats | None:
    name = f"the default row of {variable.name}" if row.given is None else _named(variable, row.given)
    numbers = row.numbers
    if len(numbers) != len(variable.values):
        expected = f"{plural(len(variable.values), 'value')} ({listed(variable.values)})"
        problems.note(row.line, "", f"{name}: {plural(len(numbers), 'number')} for {expected}")
        return None
    wrong = [number for number in numbers if not 0 <= number < math.inf]
    if wrong:
        problems.note(row.line, "", f"{name}: {wrong[0]:g} is no probability; 0 to 1 is expected")
        return None
    total = math.fsum(numbers)
    if abs(total - 1) > ROUNDING + EXACT:
        problems.note(row.line, "", f"{name} sums to {total:.10g}; 1 is expected")
        return None
    exact = abs(total - 1) <= EXACT
    if not exact:
        rounded.append(f"line {row.line}: {name} sums to {total:.10g}")
    return np.array(numbers) / (1.0 if exact else total)


def _named(variable: Declared, given: tuple[str, ...]) -> str:
    return term(variable.name, variable.parents, given) if len(given) == len(variable.parents) else variable.name


def _missing(variable: Declared, values: list[tuple[str, ...]], seen: dict[tuple[str, ...], int]) -> Iterator[str]:
    return (term(variable.name, variable.parents, given) for given in product(*values) if given not in seen)
