"""Finds the folders that are shipped with the package."""

from __future__ import annotations

from pathlib import Path

from lazybayes.errors import LazyBayesError

PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The folder ``configs`` or ``datasets``: inside the installed package, or beside it in a checkout.

    Raises LazyBayesError if it is at neither place.
    """
    for parent in (PACKAGE, PACKAGE.parent):
        # Folders of other projects may stand beside an installed package, so only one with YAML files will do.
        if any((parent / folder).glob("*.yaml")):
            return parent / folder
    raise LazyBayesError(
        f"the folder {folder} that belongs to lazybayes is neither in {PACKAGE} nor in {PACKAGE.parent}: "
        "the installation is incomplete; install lazybayes again"
    )
