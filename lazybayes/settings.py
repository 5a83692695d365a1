"""Settings of a machine or a user, not of an experiment: where data sets come from and where they are kept.

::

    # ~/.config/lazybayes.yaml
    cache: ~/.cache/lazybayes        # LAZYBAYES_CACHE: the folder of fetched data sets
    datasets: ~/my-datasets          # LAZYBAYES_DATASETS: a folder of your own catalogue entries
    openml: https://www.openml.org/api/v1/xml    # LAZYBAYES_OPENML: OpenML's address, or a mirror's
    uci: https://archive.ics.uci.edu # LAZYBAYES_UCI: UCI's address; /static/public/ID/ARCHIVE.zip follows
    deadline: 120                    # LAZYBAYES_DEADLINE: seconds that one fetch may take
    most_bytes: 4294967296           # LAZYBAYES_MOST_BYTES: size that a data file, or an archive unpacked, may have

The environment comes before the file. Relative folders start from the current one.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from lazybayes.errors import ConfigError, FileError
from lazybayes.files import exists, expand_home
from lazybayes.yaml.reader import Item, integer, load, number, text

OPENML = "https://www.openml.org/api/v1/xml"
UCI = "https://archive.ics.uci.edu"
_MOST_SECONDS = 86400


@dataclass(frozen=True)
class Settings:
    """Where data sets come from and are kept.

    cache: None if there is neither a setting nor a home folder;
    deadline: seconds that one fetch may take; most_bytes: the size that a data file, or an archive unpacked, may have.
    """

    cache: Path | None
    datasets: Path | None = None
    openml: str = OPENML
    uci: str = UCI
    deadline: float = 120.0
    most_bytes: int = 4 << 30


KEYS = tuple(Settings.__dataclass_fields__)


def settings() -> Settings:
    """The settings in force. Raises ConfigError if the settings file or an environment variable is wrong."""
    base = Settings(cache=_beside_home("XDG_CACHE_HOME", ".cache/lazybayes"))
    file = _beside_home("XDG_CONFIG_HOME", ".config/lazybayes.yaml")
    if file and exists(file):
        top = load(file, expects=f"a mapping with some of the keys {', '.join(KEYS)}")
        given = top.fields(KEYS)
        base = Settings(
            cache=given.get("cache", _path, base.cache),
            datasets=given.get("datasets", _path, base.datasets),
            openml=given.get("openml", _address, base.openml),
            uci=given.get("uci", _address, base.uci),
            deadline=given.get("deadline", number(above=0, at_most=_MOST_SECONDS), base.deadline),
            most_bytes=given.get("most_bytes", integer(at_least=1), base.most_bytes),
        )
        top.problems.finish()
    return _from_environment(base)


def _from_environment(base: Settings) -> Settings:
    variables = {key: os.environ.get(f"LAZYBAYES_{key.upper()}", "") for key in KEYS}
    problems = [
        f"LAZYBAYES_{key.upper()}: {problem}"
        for key, check in _CHECKS.items()
        if variables[key] and (problem := check(variables[key]))
    ]
    if problems:
        raise ConfigError(problems)
    return Settings(
        cache=_absolute(variables["cache"]) if variables["cache"] else base.cache,
        datasets=_absolute(variables["datasets"]) if variables["datasets"] else base.datasets,
        openml=variables["openml"].rstrip("/") or base.openml,
        uci=variables["uci"].rstrip("/") or base.uci,
        deadline=float(variables["deadline"] or base.deadline),
        most_bytes=int(variables["most_bytes"] or base.most_bytes),
    )


def _beside_home(variable: str, default: str) -> Path | None:
    """A path below the home folder, whose first part a variable can replace; None if there is no home folder."""
    word = os.environ.get(variable, "")
    if os.path.isabs(word):
        return Path(word) / Path(default).name
    try:
        return expand_home(f"~/{default}")
    except FileError:
        return None


def _path(item: Item) -> Path:
    try:
        return _absolute(text(item))
    except FileError as error:
        raise item.wrong(str(error)) from None


def _absolute(word: str) -> Path:
    return Path(os.path.abspath(expand_home(word)))


def _path_problem(word: str) -> str:
    try:
        expand_home(word)
    except FileError as error:
        return str(error)
    return ""


def _address(item: Item) -> str:
    word = text(item)
    if problem := _address_problem(word):
        raise item.wrong(problem)
    return word.rstrip("/")


def _address_problem(word: str) -> str:
    if re.fullmatch(r"https?://[^\s/?#]+[^\s?#]*", word):
        return ""
    return f"'{word}' is not allowed; an address like {UCI} is expected"


def _seconds_problem(word: str) -> str:
    if re.fullmatch(r"[0-9]*\.?[0-9]+", word) and 0 < float(word) <= _MOST_SECONDS:
        return ""
    return f"'{word}' is not allowed; seconds above 0 and at most {_MOST_SECONDS} are expected"


def _bytes_problem(word: str) -> str:
    if re.fullmatch(r"[0-9]{1,18}", word) and int(word) > 0:
        return ""
    return f"'{word}' is not allowed; a number of bytes above 0 is expected"


_CHECKS = {
    "cache": _path_problem,
    "datasets": _path_problem,
    "openml": _address_problem,
    "uci": _address_problem,
    "deadline": _seconds_problem,
    "most_bytes": _bytes_problem,
}
"""What is wrong with the value of an environment variable, by the setting's name."""
