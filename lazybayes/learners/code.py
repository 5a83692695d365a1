"""The code of foreign learners: modules beside a config are importable; a key holds what a result depends on."""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from importlib.machinery import all_suffixes
from pathlib import Path
from types import ModuleType

PACKAGE = __name__.split(".")[0]


class _Beside:
    """The folder whose modules can be imported, and those that were."""

    folder = ""
    modules: set[str] = set()  # noqa: RUF012  (one per process, as `sys.modules` is)


def beside(folder: Path | str) -> None:
    """Makes the modules of a config's folder importable, behind all others.

    Modules of an earlier folder, or of this one before an edit, are imported again when they are next named.
    """
    for name in _Beside.modules:
        sys.modules.pop(name, None)
    _Beside.modules.clear()
    if _Beside.folder in sys.path:
        sys.path.remove(_Beside.folder)
    _Beside.folder = "" if str(folder) in sys.path else str(folder)
    if _Beside.folder:
        sys.path.append(_Beside.folder)
    importlib.invalidate_caches()


def imported(name: str) -> ModuleType:
    """A module. Raises what importing it raises."""
    before = set(sys.modules)
    with _no_bytecode():
        module = importlib.import_module(name)
    if _Beside.folder:
        new = {name: sys.modules[name] for name in sys.modules.keys() - before if name.split(".")[0] != PACKAGE}
        _Beside.modules |= {name for name, each in new.items() if _is_below(each, Path(_Beside.folder))}
    return module


def dependencies(module: str) -> dict[str, str]:
    """What a module's behaviour depends on, by name: the SHA-256 of its code and of the modules beside it that it
    imports, and the versions of the packages that it or they import.

    Of a module of an installed package: the package's version alone. What is imported under a computed name, and the
    data that the code reads, are not seen.
    """
    top = module.split(".")[0]
    root = _root(sys.modules.get(top))
    if root is None or _is_installed(root):
        return {top: package_version(top)}
    own: dict[str, str] = {}
    packages: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in own:
            continue
        files = [] if name.split(".")[0] == PACKAGE else _files(root, name)
        if not files:
            packages.add(name.split(".")[0])
            continue
        content = b"".join(file.read_bytes() for file in files)
        own[name] = hashlib.sha256(content).hexdigest()
        is_package = any(file.stem == "__init__" for file in files)
        waiting += [*_parents(name), *(each for file in files for each in _imports(file, name, is_package))]
    outside = packages - own.keys() - set(sys.stdlib_module_names)
    return {**own, **{name: version for name in outside if (version := package_version(name))}}


def package_version(package: str) -> str:
    """The version of an installed package, by the name under which it is imported; "" if it has none."""
    names = _distributions().get(package)
    return metadata.version(names[0]) if names else str(getattr(sys.modules.get(package), "__version__", ""))


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


def _root(module: ModuleType | None) -> Path | None:
    """The folder that holds a top-level module or package; None for a built-in one."""
    if module is None:
        return None
    if getattr(module, "__file__", None):
        file = Path(str(module.__file__))
        return file.parent.parent if file.stem == "__init__" else file.parent
    places = list(getattr(module, "__path__", ()))
    return Path(places[0]).parent if places else None


def _is_installed(root: Path) -> bool:
    standard = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    return root in standard or bool({"site-packages", "dist-packages", "lib-dynload"} & set(root.parts))


def _is_below(module: ModuleType, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(folder) and not _is_installed(Path(file))


def _files(root: Path, name: str) -> list[Path]:
    """The files of a module below a folder, extension modules included."""
    place = root.joinpath(*name.split("."))
    candidates = [Path(f"{start}{suffix}") for start in (place, place / "__init__") for suffix in all_suffixes()]
    return [file for file in candidates if file.is_file()]


def _parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts)))


def _imports(file: Path, name: str, is_package: bool) -> Iterator[str]:
    """The modules that a source file may import, wherever the import is."""
    if file.suffix != ".py":
        return
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):  # the import itself reports it
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            here = name.split(".")
            up = here[: len(here) - node.level + is_package] if node.level else []
            base = ".".join([*up, *filter(None, [node.module])])
            yield from filter(None, [base])
            yield from (f"{base}.{each.name}".lstrip(".") for each in node.names if each.name != "*")


@contextmanager
def _no_bytecode() -> Iterator[None]:
    """Bytecode is known by its source's size and second: one edited within that second would be run as it was."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before
