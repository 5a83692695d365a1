"""A discrete Bayesian belief network: variables, their parents, conditional probability tables (Mitchell 6.11.2).

It stands for the joint distribution P(y1, ..., yn) = product over i of P(yi | parents(Yi)).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lazybayes.data.table import listed
from lazybayes.errors import UsageError
from lazybayes.messages import nearest

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Variable:
    """A variable with its conditional probability table.

    values: its k declared values; parents: names of its parents; table: (k of the first parent, ..., k of the last, k)
    P(value | the parents' values).
    """

    name: str
    values: tuple[str, ...]
    parents: tuple[str, ...]
    table: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """A belief network; variables stand in file order, and everywhere else go by their number in that order.

    notices: what the user should be told about the file it came from.
    Raises ValueError for a cycle, a parent that is no variable, or a table whose shape does not fit.
    """

    name: str
    variables: tuple[Variable, ...]
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.index) != len(self.variables):
            raise ValueError("two variables have the same name")
        for variable in self.variables:
            unknown = [name for name in variable.parents if name not in self.index]
            if unknown:
                raise ValueError(f"{variable.name}: the parent {unknown[0]} is no variable")
            shape = (*(len(self[name].values) for name in variable.parents), len(variable.values))
            if variable.table.shape != shape:
                raise ValueError(f"{variable.name}: a table of shape {variable.table.shape}; {shape} is expected")
        for cycle in find_cycles({variable.name: variable.parents for variable in self.variables}):
            raise ValueError(f"the arcs form a cycle: {' -> '.join(cycle)}")

    def __len__(self) -> int:
        return len(self.variables)

    def __getitem__(self, name: str) -> Variable:
        return self.variables[self.index[name]]

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each variable by its name."""
        return {variable.name: number for number, variable in enumerate(self.variables)}

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each variable's parents, in the order of its table's axes."""
        return tuple(tuple(self.index[name] for name in variable.parents) for variable in self.variables)

    @cached_property
    def arity(self) -> tuple[int, ...]:
        """How many values each variable has."""
        return tuple(len(variable.values) for variable in self.variables)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The variables' numbers, parents before children."""
        placed: dict[int, None] = {}
        for start in range(len(self)):
            stack = [start]
            while stack:
                wanting = [parent for parent in self.parents[stack[-1]] if parent not in placed]
                if wanting:
                    stack.append(wanting[0])
                else:
                    placed.setdefault(stack.pop())
        return tuple(placed)

    def ancestors(self, variables: Iterable[int]) -> frozenset[int]:
        """These variables and all their ancestors."""
        found: set[int] = set()
        stack = list(variables)
        while stack:
            number = stack.pop()
            if number not in found:
                found.add(number)
                stack.extend(self.parents[number])
        return frozenset(found)

    def with_tables(self, tables: Sequence[Floats]) -> Network:
        """The same variables and arcs with other tables, one a variable."""
        pairs = zip(self.variables, tables, strict=True)
        return replace(self, variables=tuple(replace(variable, table=table) for variable, table in pairs))

    def find(self, word: str) -> int:
        """The variable a user names: its exact name, else whatever the case, else the only one that begins so.

        Raises UsageError if there is none, or more than one.
        """
        return _find(word, tuple(self.index), f"{self.name} has no variable")

    def find_value(self, number: int, word: str) -> int:
        """The value of a variable that a user names, whatever the case. Raises UsageError if there is none."""
        variable = self.variables[number]
        return _find(word, variable.values, f"{variable.name} has no value", prefix=False)


def _find(word: str, names: Sequence[str], problem: str, prefix: bool = True) -> int:
    folded = [name.casefold() for name in names]
    found = [i for i, name in enumerate(names) if name == word]
    found = found or [i for i, name in enumerate(folded) if name == word.casefold()]
    if prefix and word:
        found = found or [i for i, name in enumerate(folded) if name.startswith(word.casefold())]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{word} could be {', '.join(names[i] for i in found)}; write the whole name")
    raise UsageError(f"{problem} {word}{nearest(word, names)}; it has {listed(names)}")


def find_cycles(parents: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Cycles of arcs without a common variable, each from a variable along the arcs back to it; none in a DAG.

    parents: of each variable; names that are no key are passed over.
    """
    done: set[str] = set()
    cycles: list[list[str]] = []
    for start in parents:
        path: dict[str, int] = {start: 0}  # each variable on the way up with the number of parents tried
        while path:
            name, tried = next(reversed(path.items()))
            above = [parent for parent in parents[name] if parent in parents]
            if name in done or tried == len(above):
                done.add(name)
                del path[name]
                continue
            path[name] += 1
            parent = above[tried]
            if parent in path:
                names = list(path)
                way = names[names.index(parent) :]
                cycles.append([parent, *reversed(way)])
                done.update(way)
            elif parent not in done:
                path[parent] = 0
    return cycles


def conditions(network_names: Sequence[str], values: Sequence[str]) -> str:
    """``Storm = true, BusTourGroup = false``."""
    return ", ".join(f"{name} = {value}" for name, value in zip(network_names, values, strict=True))


def term(name: str, parents: Sequence[str] = (), values: Sequence[str] = ()) -> str:
    """``P(Campfire | Storm = true, BusTourGroup = false)``."""
    return f"P({name} | {conditions(parents, values)})" if parents else f"P({name})"
