"""Fixtures shared by all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("lazybayes", deadline=None)  # ordinary tests assert no time
settings.load_profile("lazybayes")

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data and peers' answers beside the checkout; skips where it is absent."""
    folder = CHECKOUT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is not there")
    return folder
