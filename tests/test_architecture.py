"""Who may import whom (DESIGN: data flow in one direction, no way back)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "lazybayes"

LATER = ("evaluate", "results", "statistics", "published", "textbooks", "report", "cli", "config", "locate")
FORBIDDEN = {
    "counts": {"data", "preprocess", "learners", "networks", *LATER},
    "data": {"counts", "preprocess", "learners", "networks", *LATER},
    "preprocess": {"learners", "networks", *LATER},
    "learners": {*LATER},
    "networks": {"learners", *LATER},
    "evaluate": {"statistics", "published", "textbooks", "report", "cli", "config", "locate"},
    "results": {"evaluate", "statistics", "published", "textbooks", "report", "cli", "config", "locate"},
    "statistics": {"published", "textbooks", "report", "cli", "config", "locate"},
    "textbooks": {"evaluate", "results", "statistics", "published", "report", "cli", "config", "locate"},
    "published": {"report", "cli", "config", "locate"},
}
"""Folder -> parts of the package that it must not know."""


def imports(path: Path) -> set[str]:
    """What a module imports, as dotted names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_a_package_imports_nothing_that_stands_after_it(folder: str) -> None:
    for path in (PACKAGE / folder).rglob("*.py"):
        parts = {name.split(".")[1] for name in imports(path) if name.startswith("lazybayes.")}
        assert not parts & FORBIDDEN[folder], path


def test_the_engine_needs_numpy_and_scipy_alone() -> None:
    for path in (PACKAGE / "counts").glob("*.py"):
        outside = {name.split(".")[0] for name in imports(path)} - {"lazybayes", "numpy", "scipy"}
        standard = {
            "__future__",
            "collections",
            "dataclasses",
            "functools",
            "math",
            "numbers",
            "itertools",
            "typing",
            "operator",
        }
        assert outside <= standard, path
