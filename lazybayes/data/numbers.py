"""Numbers as files write them: plain, with separators of thousands, with a decimal comma, or with a sign of a unit."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]+)?")
_UNITS = "%$€£¥"
_SPACES = " \u00a0\u202f"


def number(text: str) -> float | None:
    """The finite number a text says, in decimal notation; None if it says none (`nan`, `inf`, `1_000`, `0x1`)."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class NumberFormat:
    """How a file writes numbers.

    thousands: the character between groups of three digits, None if there are none; decimal: the one before fractions.
    """

    thousands: str | None = None
    decimal: str = "."

    def plain(self, text: str) -> str | None:
        """The text in plain decimal notation; None if it is not a number of this format (`12,34` by thousands)."""
        if self.thousands and self.thousands in text:
            if not self._groups.match(text):
                return None
            text = text.replace(self.thousands, "")
        if self.decimal != ".":
            if "." in text:
                return None
            text = text.replace(self.decimal, ".", 1)
        return None if number(text) is None else text

    def number(self, text: str) -> float | None:
        """The number a text says; None if it says none."""
        plain = self.plain(text)
        return None if plain is None else float(plain)

    @cached_property
    def _groups(self) -> re.Pattern[str]:
        group = re.escape(self.thousands or "")
        return re.compile(rf"[+-]?[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}})+(?![0-9{group}])")


PLAIN = NumberFormat()
_COMMA = (NumberFormat(",", "."), NumberFormat(None, ","))
_OTHERS = (
    NumberFormat(".", ","),
    *(NumberFormat(thousands, decimal) for thousands in (*_SPACES, "'", "_") for decimal in ".,"),
)


_SHAPED = re.compile(rf"[+-]?[0-9][0-9.,'_{_SPACES}]*(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Misread:
    """What keeps the texts of a column from being numbers.

    texts: those that are not numbers as they are read; format: the one by which the most are; units: the signs that
    stand beside numbers; left: the texts that are not numbers by this format, and without these signs, either.
    """

    texts: tuple[str, ...]
    format: NumberFormat
    units: tuple[str, ...]
    left: tuple[str, ...]


def misread(texts: Iterable[str], used: NumberFormat = PLAIN, *, comma_is_decimal: bool = False) -> Misread | None:
    """Why the known texts of a column are not all numbers, if most of them look like numbers; else None.

    Most do if it is most of the distinct texts, or of the rows, and two numbers differ. texts: of all rows;
    comma_is_decimal: whether `1,045` is rather read as a fraction.
    """
    rows = Counter(texts)
    odd = tuple(text for text in rows if used.plain(text) is None)
    signs = {text: _unit(text) for text in odd}
    bare = {text: text.strip(signs[text]).strip(_SPACES) if signs.get(text) else text for text in rows}
    best, left = used, [text for text in odd if used.plain(bare[text]) is None]
    if any(_SHAPED.fullmatch(bare[text]) for text in left):
        for other in (*(reversed(_COMMA) if comma_is_decimal else _COMMA), *_OTHERS):
            still = [text for text in rows if other.plain(bare[text]) is None]
            if len(still) < len(left):
                best, left = other, still
    numbers = len(rows) - len(left)
    most = numbers > len(left) or 2 * sum(rows[text] for text in left) < rows.total()
    if not odd or numbers < 2 or not most:
        return None
    units = dict.fromkeys(sign for text, sign in signs.items() if sign and text not in left)
    return Misread(odd, best, tuple(units), tuple(left))


def _unit(text: str) -> str:
    """The sign of a unit at an end of a text: % of `12 %`, $ of `$5`; empty if there is none."""
    return next((sign for sign in _UNITS if text.startswith(sign) or text.endswith(sign)), "")
