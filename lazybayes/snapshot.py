"""An experiment as plain data and back: a results folder keeps it, so that tables need no config file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lazybayes.errors import StoreError
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme, TableSpec

PLAN = ("datasets", "algorithms", "cv", "preprocess", "seed", "cll_floor", "auc")
"""What results depend on."""
SHOWN = ("metrics", "tables")
"""What is shown of them."""


def to_dict(experiment: Experiment) -> dict[str, Any]:
    """The experiment in lists, mappings, texts, numbers, flags and None, as JSON holds them."""
    parts = asdict(experiment) | {"datasets": [entry.keys() for entry in experiment.datasets]}
    plain: dict[str, Any] = json.loads(json.dumps(parts, default=str))
    return plain


def changes(before: Experiment, now: Experiment, keys: Sequence[str] = PLAN) -> list[str]:
    """The keys of a config, of these, with another value.

    The order of data sets and algorithms is no difference, nor is where the config stands with the files beside it, nor
    where in it a data set stands.
    """
    old, new = _placeless(before), _placeless(now)
    return [key for key in keys if old[key] != new[key]]


def _placeless(experiment: Experiment) -> dict[str, str]:
    """Each key's value as a text without its place."""
    plain = to_dict(experiment)
    for entry in plain["datasets"]:
        del entry["where"]
    for key in ("datasets", "algorithms"):
        plain[key].sort(key=lambda entry: entry["name"])
    texts = {key: json.dumps(value, sort_keys=True) for key, value in plain.items()}
    if experiment.path is None or not experiment.path.is_absolute():
        return texts
    beside = json.dumps(f"{experiment.path.parent}{os.sep}")[1:-1]
    return {key: text.replace(beside, "") for key, text in texts.items()}


def from_dict(plain: Mapping[str, Any]) -> Experiment:
    """The experiment that `to_dict` was given. Raises StoreError if the data is not of that form."""
    try:
        return Experiment(
            **{
                **plain,
                "datasets": tuple(_dataset(entry) for entry in plain["datasets"]),
                "algorithms": tuple(
                    Algorithm(**{**entry, "preprocess": Preprocess(**entry["preprocess"])})
                    for entry in plain["algorithms"]
                ),
                "cv": Scheme(**plain["cv"]),
                "preprocess": Preprocess(**plain["preprocess"]),
                "metrics": tuple(plain["metrics"]),
                "tables": tuple(TableSpec(**_tuples(entry)) for entry in plain["tables"]),
                "path": None if plain["path"] is None else Path(plain["path"]),
            }
        )
    except (KeyError, TypeError) as error:
        raise StoreError(f"the experiment kept with the results was written by another version: {error}") from None


def _dataset(plain: Mapping[str, Any]) -> DatasetEntry:
    return DatasetEntry.of(**{key: value if key == "options" else _tuples(value) for key, value in plain.items()})


def _tuples(value: Any) -> Any:
    """A value of JSON with its lists as tuples, inside mappings too."""
    if isinstance(value, dict):
        return {key: _tuples(part) for key, part in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
