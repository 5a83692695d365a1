"""Reads YAML with places: what a file says is checked against what is expected, and every problem names its line.

A scalar is interpreted by the field that asks for it, not by its looks: a text field takes the node's own text
(``01``, ``NO`` and 19-digit codes stay as they are written), a number follows the core schema of YAML 1.2
(section 10.3.2: ``1e3`` is a number, ``yes`` is text).

A reader is a function of an `Item` that returns a value, or notes what is wrong and raises `Wrong`; readers of
containers catch that and go on, so that all problems of a file are reported at once::

    top = load(path, expects="a mapping with the keys datasets and algorithms")
    fields = top.fields(("name", "seed", "drop"))
    seed = fields.get("seed", integer(at_least=0), 1)
    drop = fields.get("drop", list_of(text), ())
    top.problems.finish()          # raises ConfigError if there was any
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from lazybayes.errors import ConfigError
from lazybayes.messages import nearest, plural
from lazybayes.yaml.nodes import compose

T = TypeVar("T")
D = TypeVar("D")
Reader = Callable[["Item"], T]

_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_NULLS = ("", "~", "null", "Null", "NULL")
_FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


MOST_PROBLEMS = 100
"""Problems of a file that are told; reading ends there, for one mistake may have made them all."""


class Wrong(Exception):
    """Raised after a problem was noted: the value cannot be used, the rest of the file is still read."""


class Problems:
    """Collects every problem of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._problems: dict[tuple[int, str], None] = {}

    def note(self, line: int, path: str, message: str) -> Wrong:
        """Notes a problem at a line (from 1) and a key path (may be empty); returns a `Wrong` to raise if need be.

        Raises ConfigError with all problems so far when they are `MOST_PROBLEMS`.
        """
        where = f"{self.file}, line {line}: "
        self._problems[line, where + (f"{path}: {message}" if path else message)] = None
        if len(self._problems) == MOST_PROBLEMS:
            raise ConfigError([*self._in_order(), f"{self.file}: more problems are not shown; correct these first"])
        return Wrong(message)

    def finish(self) -> None:
        """Raises ConfigError with all problems in the order of their lines; does nothing if there is none."""
        if self._problems:
            raise ConfigError(self._in_order())

    def _in_order(self) -> list[str]:
        return [message for _, message in sorted(self._problems, key=lambda problem: problem[0])]


@dataclass(frozen=True)
class Item:
    """A node of the file: its line (from 1; of its key, in a mapping) and its path of keys, like ``cv.folds``."""

    node: yaml.Node
    line: int
    path: str
    problems: Problems

    def wrong(self, message: str) -> Wrong:
        """Notes a problem of this item; to be raised where no value can be returned."""
        return self.problems.note(self.line, self.path, message)

    @property
    def is_mapping(self) -> bool:
        """Whether this is a mapping, like ``{key: value}``."""
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether this is a list, like ``[one, two]``."""
        return isinstance(self.node, yaml.SequenceNode)

    @property
    def scalar(self) -> str | None:
        """The text of a scalar as it is written, None for a list or mapping."""
        return self.node.value if isinstance(self.node, yaml.ScalarNode) else None

    @property
    def plain(self) -> str | None:
        """The text of a scalar without quotes, None for anything else: what may be a number, a flag or null."""
        return self.scalar if isinstance(self.node, yaml.ScalarNode) and not self.node.style else None

    @property
    def content(self) -> str:
        """What stands here, in words for a message."""
        if self.is_list:
            return "a list stands here"
        if self.is_mapping:
            return "a mapping stands here"
        if self.plain == "":
            return "no value is given"
        word = _short(self.scalar or "")
        return f"'{word}' is text (it is quoted)" if self.plain is None else f"'{word}' is not allowed"

    def entries(self) -> dict[str, Item]:
        """The entries of a mapping in file order, merge keys (``<<``) followed; notes keys that stand twice.

        Raises Wrong if this is no mapping.
        """
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wrong(f"{self.content}; a mapping (key: value) is expected")
        own: dict[str, Item] = {}
        merged: dict[str, Item] = {}
        for key, value in self.node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                self.problems.note(line, self.path, "a key is a list or a mapping; a key must be text")
                continue
            item = Item(value, line, f"{self.path}.{key.value}" if self.path else key.value, self.problems)
            if key.value == "<<" and not key.style:
                for part in item.items() if item.is_list else [item]:
                    with suppress(Wrong):
                        merged = replace(part, path=self.path).entries() | merged
            elif key.value in own:
                item.wrong(f"this key stands already in line {own[key.value].line}; give it once")
            else:
                own[key.value] = item
        return own | {name: item for name, item in merged.items() if name not in own}

    def fields(self, known: Iterable[str], owner: str = "") -> Fields:
        """The entries of a mapping whose keys are known; notes each unknown key with the nearest known one.

        owner: what the keys belong to, for messages ("leave-one-out"). Raises Wrong if this is no mapping.
        """
        names, entries = tuple(known), self.entries()
        unknown = tuple(name for name in entries if name not in names)
        for name in unknown:
            what = f"unknown key of {owner}" if owner else "unknown key"
            entries[name].wrong(f"{what}; allowed: {', '.join(names)}{nearest(name, names)}")
        return Fields(self, {name: item for name, item in entries.items() if name in names}, unknown)

    def items(self) -> list[Item]:
        """The parts of a list. Raises Wrong if this is none."""
        if not isinstance(self.node, yaml.SequenceNode):
            example = f", like [{self.scalar}]," if self.scalar else ""
            raise self.wrong(f"{self.content}; a list{example} is expected")
        return [
            Item(part, part.start_mark.line + 1, f"{self.path}[{place}]", self.problems)
            for place, part in enumerate(self.node.value)
        ]


@dataclass(frozen=True)
class Fields:
    """The known keys that a mapping has. unknown: the names of its other keys (already noted as problems)."""

    item: Item
    given: Mapping[str, Item] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def __contains__(self, key: str) -> bool:
        return key in self.given

    def __getitem__(self, key: str) -> Item:
        return self.given[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def get(self, key: str, reader: Reader[T], default: D) -> T | D:
        """Reads a key that may be left out; the default also stands in for a value with a (noted) problem."""
        if key not in self.given:
            return default
        try:
            return reader(self.given[key])
        except Wrong:
            return default

    def need(self, key: str, reader: Reader[T], stand_in: D) -> T | D:
        """Reads a key that must be there; notes a problem and returns the stand-in if it is not."""
        if key not in self.given and not any(nearest(name, (key,)) for name in self.unknown):
            self.item.wrong(f"the key {key} is missing")
        return self.get(key, reader, stand_in)


def text(item: Item) -> str:
    """A scalar's own text: never empty, and whatever it would mean elsewhere."""
    if item.scalar is None or item.plain == "":
        raise item.wrong(f"{item.content}; text is expected")
    return item.scalar


def flag(item: Item) -> bool:
    """``true`` or ``false`` without quotes."""
    if item.plain not in _FLAGS:
        word = item.scalar or ""
        meant = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(word.lower())
        hint = f" (did you mean {meant}?)" if meant else nearest(word, ("true", "false"))
        raise item.wrong(f"{item.content}; true or false is expected{hint}")
    return _FLAGS[item.plain]


def one_of(allowed: Iterable[str]) -> Reader[str]:
    """A text that is one of those allowed."""
    names = tuple(allowed)

    def read(item: Item) -> str:
        if item.scalar is None or item.plain == "":
            raise item.wrong(f"{item.content}; allowed: {', '.join(names)}")
        if item.scalar not in names:
            word = _short(item.scalar)
            raise item.wrong(f"'{word}' is unknown; allowed: {', '.join(names)}{nearest(item.scalar, names)}")
        return item.scalar

    return read


def number(
    *,
    at_least: float = -math.inf,
    at_most: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
    kind: str = "a number",
) -> Reader[float]:
    """A finite number within bounds."""
    bounds = {"at least": at_least, "above": above, "at most": at_most, "below": below}
    limits = " and ".join(f"{name} {bound:g}" for name, bound in bounds.items() if math.isfinite(bound))
    expected = f"{kind} {limits} is expected" if limits else f"{kind} is expected"

    def read(item: Item) -> float:
        value = _number(item, expected)
        if not (at_least <= value <= at_most and above < value < below):
            raise item.wrong(f"{item.plain} is out of range; {expected}")
        return value

    return read


def integer(*, at_least: float = -math.inf, at_most: float = math.inf) -> Reader[int]:
    """A whole number within bounds; ``1e3`` and ``2.0`` are whole."""
    within = number(at_least=at_least, at_most=at_most, kind="a whole number")

    def read(item: Item) -> int:
        value = within(item)
        if value != int(value):
            raise item.wrong(f"{item.plain} has a fraction; a whole number is expected")
        return int(value)

    return read


def list_of(reader: Reader[T], *, at_least: int = 0, unique: bool = False) -> Reader[tuple[T, ...]]:
    """A list whose parts are read by one reader; parts with a (noted) problem are left out.

    unique: whether a value may stand there once only; the reader then gives hashable values.
    """

    def read(item: Item) -> tuple[T, ...]:
        parts = item.items()
        if len(parts) < at_least:
            raise item.wrong(f"the list has {plural(len(parts), 'entry', 'entries')}; at least {at_least} expected")
        values: list[T] = []
        seen: set[T] = set()
        for part in parts:
            with suppress(Wrong):
                value = reader(part)
                if unique:
                    if value in seen:
                        raise part.wrong(f"'{value}' stands twice in the list; give it once")
                    seen.add(value)
                values.append(value)
        return tuple(values)

    return read


def mapping_of(reader: Reader[T]) -> Reader[dict[str, T]]:
    """A mapping with keys of any name and values read by one reader; entries with a (noted) problem are left out."""

    def read(item: Item) -> dict[str, T]:
        values: dict[str, T] = {}
        for name, entry in item.entries().items():
            with suppress(Wrong):
                values[name] = reader(entry)
        return values

    return read


def anything(item: Item) -> Any:
    """Any value by the core schema of YAML 1.2: None, bool, int, float or str; lists and dicts of those.

    A number without a point that is whole, like ``1e3``, is an int, so that it may be a count.
    """
    if item.is_list:
        return [anything(part) for part in item.items()]
    if item.is_mapping:
        return {name: anything(entry) for name, entry in item.entries().items()}
    word = item.plain
    if word is None:
        return item.scalar
    if word in _NULLS:
        return None
    if word in _FLAGS:
        return _FLAGS[word]
    if _INFINITE.fullmatch(word):
        return float(word.replace(".", "").lower())
    if _INTEGER.fullmatch(word) or _FLOAT.fullmatch(word):
        value = _number(item, "a smaller number is expected")
        return int(value) if "." not in word and value == int(value) else value
    return word


def load(path: Path, expects: str) -> Item:
    """The mapping a YAML file holds. expects: what the file should be, for messages ("a mapping with the key ...").

    Raises ConfigError if the file cannot be read or is no single, plain YAML mapping.
    """
    root = compose(path, expects)
    return Item(root, root.start_mark.line + 1, "", Problems(str(path)))


def _short(text: str) -> str:
    return textwrap.shorten(text[:200], 60)


def _number(item: Item, expected: str) -> int | float:
    word = item.plain
    if word is None or not (_INTEGER.fullmatch(word) or _FLOAT.fullmatch(word)):
        quoted = item.scalar is not None and word is None and _FLOAT.fullmatch(item.scalar)
        raise item.wrong(f"{item.content}; {expected}" + (f" (write {item.scalar} without quotes)" if quoted else ""))
    try:
        base = 0 if word.startswith(("0o", "0x")) else 10
        value = int(word, base) if _INTEGER.fullmatch(word) else float(word)
        finite = math.isfinite(value)
    except (OverflowError, ValueError):
        finite = False
    if not finite:
        raise item.wrong(f"{word[:40]} is too large; {expected}")
    return value
