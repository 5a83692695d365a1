"""Seeds derived from what is computed, never from a label, the order of execution or the number of jobs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def canonical_json(value: Any) -> str:
    """The same text for equal values: sorted keys, no spaces; values that JSON does not support as their repr."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=repr)


def digest(value: Any) -> str:
    """SHA-256 (hex) of `canonical_json`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def partition_seed(seed: int, dataset: str, repeat: int) -> int:
    """The seed (128 bits) of one repeat's partition, shared by all algorithms."""
    return int(digest(["partition", seed, dataset, repeat])[:32], 16)


def learner_seed(seed: int, dataset: str, repeat: int, fold: int, learner: str, params: Mapping[str, Any]) -> int:
    """The seed (0 to 2^32 - 1, the range of scikit-learn) of a randomized learner with all its parameters."""
    return int(digest(["learner", seed, dataset, repeat, fold, learner, params])[:8], 16)
