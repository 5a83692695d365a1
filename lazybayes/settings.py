"""Settings of a machine or a user, not of an experiment: where data sets come from and where they are kept.

::

    # ~/.config/lazybayes.yaml
    cache: ~/.cache/lazybayes        # LAZYBAYES_CACHE: the folder of fetched data sets
    datasets: ~/my-datasets          # LAZYBAYES_DATASETS: a folder of your own catalogue entries
    openml: https://www.openml.org/api/v1/xml    # LAZYBAYES_OPENML: OpenML's address, or a mirror's
    uci: https://archive.ics.uci.edu # LAZYBAYES_UCI: UCI's address; /static/public/ID/ARCHIVE.zip follows
    deadline: 120                    # LAZYBAYES_DEADLINE: seconds that one fetch may take

The environment comes before the file. Relative folders start from the current one.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from lazybayes.errors import ConfigError
from lazybayes.yaml_reader import Item, load, number, text

OPENML = "https://www.openml.org/api/v1/xml"
UCI = "https://archive.ics.uci.edu"
_MOST_SECONDS = 86400


@dataclass(frozen=True)
class Settings:
    """Where data sets come from and are kept. deadline: seconds that one fetch may take."""

    cache: Path
    datasets: Path | None = None
    openml: str = OPENML
    uci: str = UCI
    deadline: float = 120.0


KEYS = tuple(Settings.__dataclass_fields__)


def settings() -> Settings:
    """The settings in force. Raises ConfigError if the settings file or an environment variable is wrong."""
    found = Settings(cache=_folder("XDG_CACHE_HOME", ".cache") / "lazybayes")
    file = _folder("XDG_CONFIG_HOME", ".config") / "lazybayes.yaml"
    if os.path.exists(file):  # unlike Path.exists, False where the folder may not be looked into
        top = load(file, expects=f"a mapping with some of the keys {', '.join(KEYS)}")
        given = top.fields(KEYS)
        found = Settings(
            cache=given.get("cache", _path, found.cache),
            datasets=given.get("datasets", _path, found.datasets),
            openml=given.get("openml", _address, found.openml),
            uci=given.get("uci", _address, found.uci),
            deadline=given.get("deadline", number(above=0, at_most=_MOST_SECONDS), found.deadline),
        )
        top.problems.finish()
    return _from_environment(found)


def _from_environment(found: Settings) -> Settings:
    said = {key: os.environ.get(f"LAZYBAYES_{key.upper()}", "") for key in KEYS}
    problems = [
        f"LAZYBAYES_{key.upper()}: {problem}"
        for key, check in (("openml", _address_problem), ("uci", _address_problem), ("deadline", _seconds_problem))
        if said[key] and (problem := check(said[key]))
    ]
    if problems:
        raise ConfigError(problems)
    return Settings(
        cache=_absolute(said["cache"]) if said["cache"] else found.cache,
        datasets=_absolute(said["datasets"]) if said["datasets"] else found.datasets,
        openml=said["openml"].rstrip("/") or found.openml,
        uci=said["uci"].rstrip("/") or found.uci,
        deadline=float(said["deadline"] or found.deadline),
    )


def _folder(variable: str, default: str) -> Path:
    word = os.environ.get(variable, "")
    return Path(word) if os.path.isabs(word) else Path.home() / default


def _path(item: Item) -> Path:
    return _absolute(text(item))


def _absolute(word: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(word)))


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
