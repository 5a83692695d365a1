"""An experiment as plain data and back: a results folder keeps it, so that tables need no config file."""

from __future__ import annotations

import json
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
    plain: dict[str, Any] = json.loads(json.dumps(asdict(experiment), default=str))
    return plain


def config_text(experiment: Experiment) -> str:
    """`to_dict` as JSON with sorted keys: equal texts for equal experiments."""
    return json.dumps(to_dict(experiment), sort_keys=True, ensure_ascii=False)


def changes(before: Experiment, now: Experiment, keys: Sequence[str] = PLAN) -> list[str]:
    """The keys of a config, of these, with another value; where in its file a data set stands is none of it."""
    old, new = to_dict(before), to_dict(now)
    for plain in (old, new):
        for entry in plain["datasets"]:
            del entry["where"]
    return [key for key in keys if json.dumps(old[key], sort_keys=True) != json.dumps(new[key], sort_keys=True)]


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
    return DatasetEntry(**{key: value if key == "options" else _tuples(value) for key, value in plain.items()})


def _tuples(value: Any) -> Any:
    """A value of JSON with its lists as tuples, inside mappings too."""
    if isinstance(value, dict):
        return {key: _tuples(part) for key, part in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
