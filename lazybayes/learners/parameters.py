"""The allowed values of a learner's parameters, as checked by `fit`, by a config and by `lazybayes learners show`."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from lazybayes.counts.estimates import KINDS, parse_estimate


class Parameter(ABC):
    """A rule for one parameter."""

    @abstractmethod
    def problem(self, value: Any) -> str | None:
        """What is wrong with the value and what is allowed, or None."""

    @abstractmethod
    def describe(self) -> str:
        """What is allowed, in a few words."""

    def choices(self) -> tuple[str, ...]:
        """The allowed values, if they are a few names."""
        return ()

    def when_omitted(self) -> str:
        """What holds when the parameter is None, in a few words."""
        return "-"

    def locate(self, value: Any, folder: Path) -> Any:
        """The value as a config in this folder means it: file paths are relative to it."""
        return value

    def resolve(self, value: Any) -> Any:
        """The value with everything that a result depends on, as JSON can hold it."""
        return plain(value)

    def is_learner(self) -> bool:
        """Whether its values are learners."""
        return False

    def inner_learner(self, value: Any) -> tuple[str, Mapping[str, Any]] | None:
        """The learner that the value names, with its parameters; None for any other parameter."""
        return None


def plain(value: Any) -> Any:
    """The value as JSON holds it, or its text."""
    try:
        return json.loads(json.dumps(value))
    except TypeError:
        return repr(value)


def _is(kind: type, value: Any) -> bool:
    """Whether a value is a number of this kind, including numpy's; true and false do not count as numbers."""
    return isinstance(value, kind) and not isinstance(value, bool)


@dataclass(frozen=True)
class OneOf(Parameter):
    """One of a few names."""

    names: tuple[str, ...]

    def choices(self) -> tuple[str, ...]:
        return self.names

    def problem(self, value: Any) -> str | None:
        return (
            None
            if isinstance(value, str) and value in self.names
            else f"{value!r} is not allowed; allowed: {', '.join(self.names)}"
        )

    def describe(self) -> str:
        return ", ".join(self.names)


@dataclass(frozen=True)
class Number(Parameter):
    """A number from low (included) to high (excluded)."""

    low: float
    high: float = float("inf")

    def problem(self, value: Any) -> str | None:
        if _is(Real, value) and self.low <= value < self.high:
            return None
        return f"{value!r} is not allowed; allowed: {self.describe()}"

    def describe(self) -> str:
        return (
            f"a number, {self.low:g} <= x < {self.high:g}" if self.high < float("inf") else f"a number >= {self.low:g}"
        )


@dataclass(frozen=True)
class UpTo(Parameter):
    """A number from low (excluded) to high (included)."""

    low: float
    high: float

    def problem(self, value: Any) -> str | None:
        if _is(Real, value) and self.low < value <= self.high:
            return None
        return f"{value!r} is not allowed; allowed: {self.describe()}"

    def describe(self) -> str:
        return f"a number, {self.low:g} < x <= {self.high:g}"


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number >= low."""

    low: int

    def problem(self, value: Any) -> str | None:
        if _is(Integral, value) and value >= self.low:
            return None
        return f"{value!r} is not allowed; allowed: {self.describe()}"

    def describe(self) -> str:
        return f"a whole number >= {self.low}"


@dataclass(frozen=True)
class Flag(Parameter):
    """true or false."""

    def problem(self, value: Any) -> str | None:
        return None if isinstance(value, bool) else f"{value!r} is not allowed; allowed: true, false"

    def describe(self) -> str:
        return "true, false"


@dataclass(frozen=True)
class EstimateOf(Parameter):
    """An estimate: a kind's name or a mapping."""

    def problem(self, value: Any) -> str | None:
        try:
            parse_estimate(value)
        except ValueError as error:
            return str(error)
        return None

    def resolve(self, value: Any) -> Any:
        """The estimate with every parameter filled in: what a result depends on."""
        return parse_estimate(value).spec()

    def describe(self) -> str:
        kinds = (f"{{kind: {kind}, {', '.join(own)}}}" if own else kind for kind, own in KINDS.items())
        return ", ".join(kinds)


@dataclass(frozen=True)
class Optional(Parameter):
    """Another rule, or None."""

    rule: Parameter
    meaning: str  # of None

    def problem(self, value: Any) -> str | None:
        return None if value is None else self.rule.problem(value)

    def locate(self, value: Any, folder: Path) -> Any:
        return None if value is None else self.rule.locate(value, folder)

    def when_omitted(self) -> str:
        return self.meaning

    def choices(self) -> tuple[str, ...]:
        return self.rule.choices()

    def resolve(self, value: Any) -> Any:
        """The value as its own rule resolves it, None where it stays to be chosen."""
        return None if value is None else self.rule.resolve(value)

    def describe(self) -> str:
        return self.rule.describe()


Parameters = Mapping[str, Parameter]
