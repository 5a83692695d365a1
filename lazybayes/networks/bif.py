"""Reads and writes BIF, the exchange format of belief networks (Interchange Format for Bayesian Networks 0.15).

Comments (``//`` and ``/* */``) and properties are passed over; names may be quoted, and then hold anything; numbers are
parted by commas or blanks. A probability block lists rows ``(values of the parents) numbers;``, or all numbers after
``table``: the block's first variable changes slowest, the last fastest, as the format's text says; ``default`` stands
for all rows that are not listed. Unlike that text, words between blocks are refused: they would hide a misspelt block.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from lazybayes.data.text import read_text
from lazybayes.errors import ConfigError, DataError
from lazybayes.files import MOST
from lazybayes.messages import nearest, plural
from lazybayes.networks.declared import Declared, TableRow, assemble
from lazybayes.networks.network import Network, Variable
from lazybayes.yaml.reader import Problems

BLOCKS = ("network", "variable", "probability")
_TOKEN = re.compile(
    r"""(?P<space>\s+ | //[^\n]* | /\*.*?\*/)
      | (?P<quoted>"[^"]*")
      | (?P<mark>[{}()\[\]|,;])
      | (?P<word>(?:(?!(?<!:)//|/\*)[^\s{}()\[\]|,;"])+)""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class _Token:
    """A word, a quoted text (without its quotes) or a mark, and its line from 1."""

    text: str
    kind: str
    line: int

    def is_mark(self, marks: str) -> bool:
        return self.kind == "mark" and self.text in marks


@dataclass
class _Block:
    """A probability block: its variable, parents and rows; flat: (line, all numbers) of a ``table``."""

    name: str
    line: int
    parents: tuple[str, ...]
    rows: list[TableRow] = field(default_factory=list)
    flat: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)


def read_bif(path: Path, *, tables: bool = True) -> Network:
    """The network of a BIF file; tables: as for `assemble`.

    Raises ConfigError for what cannot be read, at once, else with every problem of the file.
    """
    try:
        text = read_text(path, most=MOST)
    except DataError as error:
        raise ConfigError([str(error)]) from None
    parser = _Parser(str(path), text.body)
    parser.parse()
    return assemble(parser.name or path.stem, parser.declared(), parser.problems, tables=tables)


def write_bif(network: Network) -> str:
    """The network as a BIF file; a number is written with all its digits, so that reading gives the same network.

    Raises ConfigError for a name with a quotation mark in it, which BIF cannot hold.
    """
    lines = [f"network {_quoted(network.name)} {{", "}"]
    for variable in network.variables:
        values = ", ".join(map(_quoted, variable.values))
        lines += [
            f"variable {_quoted(variable.name)} {{",
            f"  type discrete [ {len(variable.values)} ] {{ {values} }};",
            "}",
        ]
    for variable in network.variables:
        lines += _probability(network, variable)
    return "\n".join(lines) + "\n"


def _probability(network: Network, variable: Variable) -> list[str]:
    numbers = variable.table.reshape(-1, len(variable.values)).tolist()
    if not variable.parents:
        return [f"probability ( {_quoted(variable.name)} ) {{", f"  table {_numbers(numbers[0])};", "}"]
    parents = ", ".join(map(_quoted, variable.parents))
    given = product(*(map(_quoted, network[parent].values) for parent in variable.parents))
    rows = [f"  ({', '.join(values)}) {_numbers(row)};" for values, row in zip(given, numbers, strict=True)]
    return [f"probability ( {_quoted(variable.name)} | {parents} ) {{", *rows, "}"]


def _numbers(row: Sequence[float]) -> str:
    return ", ".join(repr(float(number)) for number in row)


def _quoted(word: str) -> str:
    if '"' in word:
        raise ConfigError([f"{word}: BIF has no way to write a name with a quotation mark; write YAML instead"])
    return word if _PLAIN.fullmatch(word) and word.lower() not in ("table", "default", "property") else f'"{word}"'


class _Parser:
    """Goes through the tokens once; what cannot be read ends it, what is merely wrong is noted."""

    def __init__(self, file: str, body: str) -> None:
        self.problems = Problems(file)
        self.name = ""
        self._tokens = list(self._split(body))
        self._next = 0
        self._variables: dict[str, tuple[int, tuple[str, ...]]] = {}
        self._blocks: dict[str, _Block] = {}

    def parse(self) -> None:
        """Reads all blocks."""
        while self._next < len(self._tokens):
            token = self._take("a block")
            keyword = token.text.lower()
            if token.kind != "word" or keyword not in BLOCKS:
                expected = f"one of {', '.join(BLOCKS)}"
                raise self._stop(
                    f"{token.text} begins no block{nearest(keyword, BLOCKS)}; {expected} is expected", token
                )
            {"network": self._network, "variable": self._variable, "probability": self._probability}[keyword](token)

    def declared(self) -> list[Declared]:
        """The variables in file order, each with its probability block."""
        for name, block in self._blocks.items():
            if name not in self._variables:
                hint = nearest(name, self._variables)
                self.problems.note(block.line, "", f"{name} has probabilities but is no variable{hint}")
        if not self._variables:
            self.problems.note(1, "", "no variable is given; at least one is expected")
        declared = []
        for name, (line, values) in self._variables.items():
            found = self._blocks.get(name)
            if found is None:
                declared.append(Declared(name, line, values, (), line, None, line))
            else:
                rows = (*found.rows, *self._flat_rows(found, values))
                declared.append(Declared(name, line, values, found.parents, found.line, rows or None, found.line))
        return declared

    def _network(self, start: _Token) -> None:
        words = []
        while not (token := self._take("{")).is_mark("{"):
            words.append(token.text)
        self.name = " ".join(words)
        while not (token := self._take("}")).is_mark("}"):
            self._property(token, "the network block")

    def _variable(self, start: _Token) -> None:
        name = self._name("a variable")
        if name in self._variables:
            line = self._variables[name][0]
            self.problems.note(start.line, "", f"the variable {name} stands already in line {line}; give it once")
        self._expect("{")
        values: tuple[str, ...] | None = None
        while not (token := self._take("}")).is_mark("}"):
            if token.kind == "word" and token.text.lower() == "type":
                values = self._type(name)
            else:
                self._property(token, f"the block of {name}")
        if values is None:
            self.problems.note(start.line, "", f"the variable {name} has no type; `type discrete [ k ] {{ ... }};`")
        self._variables.setdefault(name, (start.line, values or ()))

    def _type(self, name: str) -> tuple[str, ...]:
        kind = self._take("discrete")
        if kind.text.lower() != "discrete":
            raise self._stop(f"{name} has the type {kind.text}; only discrete is known", kind)
        size = None
        token = self._take("{")
        if token.is_mark("["):
            size = self._take("the number of values")
            self._expect("]")
            token = self._take("{")
        if not token.is_mark("{"):
            raise self._stop(f"{token.text} stands where {{ and the values of {name} are expected", token)
        values = tuple(value.text for value in self._until("}"))
        self._expect(";", optional=True)
        if not values:
            self.problems.note(kind.line, "", f"{name} has no values; at least one is expected")
        elif size is not None and size.text != str(len(values)):
            self.problems.note(
                size.line, "", f"{name} lists {plural(len(values), 'value')}, but says it has {size.text}"
            )
        return values

    def _probability(self, start: _Token) -> None:
        self._expect("(")
        names = [token.text for token in self._until(")")]
        if not names:
            raise self._stop("no variable stands in the brackets", start)
        block = _Block(names[0], start.line, tuple(names[1:]))
        if block.name in self._blocks:
            line = self._blocks[block.name].line
            what = f"the probabilities of {block.name} stand already in line {line}"
            self.problems.note(start.line, "", f"{what}; give them once")
        self._blocks.setdefault(block.name, block)
        token = self._take("{")
        if token.is_mark(";"):
            return
        if not token.is_mark("{"):
            raise self._stop(f"{token.text} stands where {{ is expected", token)
        while not (token := self._take("}")).is_mark("}"):
            keyword = token.text.lower() if token.kind == "word" else ""
            if token.is_mark("("):
                given = tuple(value.text for value in self._until(")"))
                block.rows.append(TableRow(given, self._probabilities(), token.line))
            elif keyword == "table":
                block.flat.append((token.line, self._probabilities()))
            elif keyword == "default":
                block.rows.append(TableRow(None, self._probabilities(), token.line))
            else:
                self._property(token, f"the probabilities of {block.name}")

    def _flat_rows(self, block: _Block, values: tuple[str, ...]) -> Iterator[TableRow]:
        """The rows of a ``table``: its numbers count through (variable, parents...), the last one fastest."""
        for line, numbers in block.flat:
            if not block.parents:
                yield TableRow((), numbers, line)
                continue
            of_parents = [self._variables.get(parent, (0, ()))[1] for parent in block.parents]
            n_rows = math.prod(map(len, of_parents))
            if len(numbers) != n_rows * len(values):
                expected = f"{plural(len(values), 'value')} times {plural(n_rows, 'row')} of its parents"
                self.problems.note(
                    line, "", f"the table of {block.name}: {plural(len(numbers), 'number')} for {expected}"
                )
                yield TableRow(None, (1 / len(values),) * len(values), line)  # one message is enough
                continue
            for i, given in enumerate(product(*of_parents)):
                yield TableRow(given, numbers[i::n_rows], line)

    def _probabilities(self) -> tuple[float, ...]:
        numbers = []
        for token in self._until(";"):
            if not _NUMBER.fullmatch(token.text):
                raise self._stop(f"{token.text} is no number", token)
            numbers.append(float(token.text))
        return tuple(numbers)

    def _property(self, token: _Token, where: str) -> None:
        """Passes over a property, to its semicolon."""
        if token.is_mark(";"):
            return
        if token.kind != "word" or token.text.lower() != "property":
            raise self._stop(
                f"{token.text} is not understood in {where}{nearest(token.text, ('property', 'type'))}", token
            )
        while not self._take(";").is_mark(";"):
            pass

    def _name(self, what: str) -> str:
        token = self._take(f"the name of {what}")
        if token.kind == "mark":
            raise self._stop(f"{token.text} stands where the name of {what} is expected", token)
        return token.text

    def _until(self, mark: str) -> Iterator[_Token]:
        """The words up to a mark, an interval like (5.4,6.3] as one; commas and bars between them are passed over."""
        while not (token := self._take(mark)).is_mark(mark):
            if token.is_mark("(["):
                token = self._interval(token)
            if token.is_mark("{}()[];"):
                raise self._stop(f"{token.text} stands where {mark} is expected", token)
            if token.kind != "mark":
                yield token

    def _interval(self, start: _Token) -> _Token:
        """A value that programs which bin numbers write without quotes: two words between brackets of either kind."""
        part = [start, *(self._take("an interval like (5.4,6.3]") for _ in range(4))]
        low, comma, high, end = part[1:]
        if low.kind != "word" or not comma.is_mark(",") or high.kind != "word" or not end.is_mark(")]"):
            raise self._stop(f"{start.text} begins no interval like (5.4,6.3]; put other values into quotes", start)
        return _Token("".join(token.text for token in part), "word", start.line)

    def _expect(self, mark: str, optional: bool = False) -> None:
        if optional and not (self._next < len(self._tokens) and self._tokens[self._next].is_mark(mark)):
            return
        token = self._take(mark)
        if not token.is_mark(mark):
            raise self._stop(f"{token.text} stands where {mark} is expected", token)

    def _take(self, expected: str) -> _Token:
        if self._next == len(self._tokens):
            last = self._tokens[-1] if self._tokens else None
            raise self._stop(f"the file ends where {expected} is expected", last)
        self._next += 1
        return self._tokens[self._next - 1]

    def _split(self, body: str) -> Iterator[_Token]:
        place, line = 0, 1
        while place < len(body):
            match = _TOKEN.match(body, place)
            if match is None:
                what = "a comment" if body.startswith("/*", place) else "a quotation mark"
                raise self._stop(f"{what} that is never closed", _Token("", "mark", line))
            kind = str(match.lastgroup)
            if kind != "space":
                yield _Token(match[0].strip('"') if kind == "quoted" else match[0], kind, line)
            line += match[0].count("\n")
            place = match.end()

    def _stop(self, message: str, token: _Token | None) -> ConfigError:
        """Ends the reading: the problems so far and this one."""
        self.problems.note(token.line if token else 1, "", message)
        try:
            self.problems.finish()
        except ConfigError as error:
            return error
        raise AssertionError("a problem was noted")
