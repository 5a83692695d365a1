"""Which room of the package may import which: data flows one way (docs/design.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "lazybayes"

BASE = {"errors", "messages", "files"}
HOUSE: dict[str, set[str]] = {
    # words and values that everything shares
    "errors": set(),
    "vocabulary": set(),
    "memory": set(),
    "progress": set(),
    "experiment": set(),
    "messages": {"errors"},
    "resources": {"errors"},
    "files": {"errors", "messages"},
    "output": {"errors", "files"},
    "snapshot": {"errors", "experiment"},
    "yaml": BASE,
    "settings": {*BASE, "yaml"},
    # data, counts, and what learns from them
    "data": {*BASE, "experiment", "progress", "resources", "settings", "yaml"},
    "counts": {"messages"},
    "preprocess": {*BASE, "counts", "data", "experiment", "vocabulary"},
    "networks": {*BASE, "counts", "data", "experiment", "preprocess", "yaml"},
    "learners": {*BASE, "counts", "data", "experiment", "networks", "preprocess", "vocabulary"},
    "__init__": {"learners", "messages"},
    # a run and its results
    "metrics": BASE,
    "results": {*BASE, "data", "experiment", "metrics", "output", "snapshot"},
    "evaluate": {
        *BASE,
        *{"counts", "data", "experiment", "learners", "memory", "metrics", "preprocess", "progress", "results"},
        *{"snapshot", "vocabulary", "yaml"},
    },
    # what is made of results
    "statistics": {*BASE, "experiment", "metrics", "results"},
    "config": {*BASE, "data", "experiment", "learners", "metrics", "resources", "statistics", "vocabulary", "yaml"},
    "locate": {*BASE, "config", "experiment", "results", "snapshot"},
    "textbooks": {*BASE, "counts", "data", "experiment", "learners", "networks", "preprocess"},
    "published": {
        *BASE,
        *{"data", "experiment", "learners", "metrics", "results", "snapshot", "statistics", "textbooks", "yaml"},
    },
    "report": {
        *BASE,
        *{"counts", "data", "evaluate", "experiment", "learners", "metrics", "output", "published", "results"},
        "statistics",
    },
    # the commands
    "cli": {
        *BASE,
        *{"config", "data", "evaluate", "experiment", "learners", "locate", "memory", "metrics", "networks", "output"},
        *{"progress", "published", "report", "resources", "results", "settings", "statistics", "textbooks"},
        "vocabulary",
    },
    "__main__": {"cli"},
}
"""Each room (a folder or a module of its own) -> the rooms it may import, all of which stand above it."""


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    return {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """What a module imports at its top, inside functions and for types alone, as dotted names."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)


@cache
def import_graph() -> dict[str, set[str]]:
    """Module -> modules of the package that it imports.

    The package itself is left out as an import: Python loads it before any of its modules, so `from lazybayes import
    __version__` leads nowhere new.
    """
    known = modules()
    graph: dict[str, set[str]] = {}
    for module, path in known.items():
        names = {name if name in known else name.rpartition(".")[0] for name in imports(path)}
        graph[module] = (names & known.keys()) - {module, "lazybayes"}
    return graph


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of one circle, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_room_of_the_package_is_in_the_table() -> None:
    assert {room(module) for module in modules()} == set(HOUSE)


def test_a_room_may_only_import_rooms_above_it() -> None:
    order = list(HOUSE)
    for name, below in HOUSE.items():
        assert below <= set(order[: order.index(name)]), name


@pytest.mark.parametrize("name", HOUSE)
def test_a_room_imports_only_what_the_table_allows(name: str) -> None:
    arrows = {
        f"{module} -> {target}"
        for module, targets in import_graph().items()
        for target in targets
        if room(module) == name and room(target) not in {name, *HOUSE[name]}
    }
    assert not arrows


def test_no_file_imports_itself_by_way_of_others() -> None:
    assert circle(import_graph()) == []


def test_a_circle_is_reported() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def test_the_engine_needs_numpy_and_scipy_alone() -> None:
    standard = {
        "__future__",
        "collections",
        "dataclasses",
        "functools",
        "itertools",
        "math",
        "numbers",
        "operator",
        "typing",
    }
    for path in (PACKAGE / "counts").glob("*.py"):
        outside = {name.split(".")[0] for name in imports(path)} - {"lazybayes", "numpy", "scipy"}
        assert outside <= standard, path
