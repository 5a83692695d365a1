"""Formatting shared by messages."""

from __future__ import annotations

import difflib
import traceback
import unicodedata
from collections.abc import Iterable
from typing import Any

from lazybayes.errors import LazyBayesError

_LONGEST = 200
"""Maximum length of a word for which a hint is computed: the time is quadratic in the length."""
_DIRECTIONS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
MOST_OF_MESSAGE = 500
MOST_OF_TRACEBACK = 20_000
"""Maximum numbers of characters kept of the message and the traceback of foreign code that fails."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """A hint ` (did you mean NAME?)` for a misspelt or abbreviated word, ignoring case, or an empty string."""
    by_folded: dict[str, str] = {}
    if len(word) > _LONGEST:
        return ""
    for name in allowed:
        if len(name) <= _LONGEST:
            by_folded.setdefault(name.casefold(), name)
    folded = word.casefold()
    longer = sorted((name for name in by_folded if len(folded) > 1 and folded in name), key=len)
    close = [
        *([folded] if folded in by_folded else []),
        *(name for name in longer if name.startswith(folded)),
        *difflib.get_close_matches(folded, list(by_folded), n=1, cutoff=0.6),
        *longer,
    ]
    return f" (did you mean {by_folded[close[0]]}?)" if close else ""


def p_value(p: float) -> str:
    """A p value with four decimals, or <0.0001."""
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 row`, `2 rows`; nouns: the plural if it is not the noun with an s (`entries`)."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def bounded(text: str, most: int = MOST_OF_MESSAGE) -> str:
    """Untrusted text for a terminal, a table or a store, shortened to about `most` characters by omitting the middle.

    Terminal control characters, and characters that cannot be encoded as UTF-8, are escaped.
    """
    if len(text) > most:
        text = f"{text[: most // 2]} ... ({len(text)} characters) ... {text[-most // 2 :]}"
    return printable(text)


def printable(text: str) -> str:
    """The text with escaped terminal control characters and characters that UTF-8 cannot encode.

    Escaped are control characters except line ends and tabs, lone surrogates, the Unicode line and paragraph
    separators, and marks that override the writing direction.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char.encode("unicode_escape").decode() if _acts(char) else char for char in text)


def _acts(char: str) -> bool:
    kind = unicodedata.category(char)
    return (kind in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t") or char in _DIRECTIONS


def one_line(problem: BaseException) -> str:
    """The first line of an exception, bounded, with its type unless it is a LazyBayesError. Never raises."""
    try:
        text = str(problem)
    except BaseException as other:  # a foreign `__str__` can raise anything
        text = f"(its text cannot be read: {type(other).__name__})"
    kind = "" if isinstance(problem, LazyBayesError) else f"{type(problem).__name__}: "
    return bounded(f"{kind}{text.strip()}".split("\n", 1)[0]).rstrip(": ")


def trace(problem: BaseException) -> str:
    """The traceback of an exception, bounded. Never raises."""
    try:
        return bounded("".join(traceback.format_exception(problem)), MOST_OF_TRACEBACK)
    except BaseException as other:  # `format_exception` calls methods of the exception
        return f"(the traceback cannot be read: {type(other).__name__})"


def snippet(**keys: Any) -> str:
    """Each key with its value between backticks: YAML to paste into a config, quoted where YAML needs it."""
    import yaml

    def line(key: str, value: Any) -> str:
        options: dict[str, Any] = {"default_flow_style": True, "allow_unicode": True, "width": 10**9}
        return str(yaml.safe_dump({key: _plain(value)}, sort_keys=False, **options)).strip()[1:-1]

    return " and ".join(f"`{line(key, value)}`" for key, value in keys.items())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
