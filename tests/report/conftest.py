"""The tables of `Stored`: a store that has no trials, only the frame that they would make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest

from lazybayes.report import tables
from lazybayes.results.frame import load_frame


@pytest.fixture(autouse=True)
def _frames(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(store: Any, metrics: Sequence[str]) -> pd.DataFrame:
        return store.frame(metrics) if hasattr(store, "frame") else load_frame(store, metrics)

    monkeypatch.setattr(tables, "load_frame", load)
