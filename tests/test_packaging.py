"""What an installation needs: the wheel carries the shipped folders, every import is declared, start-up stays light."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import lazybayes

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGE = CHECKOUT / "lazybayes"
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
DISTRIBUTION = {"yaml": "pyyaml", "sklearn": "scikit-learn"}  # where it differs from the module's name
HEAVY = {"joblib", "matplotlib", "openml", "pandas", "scipy", "sklearn"}


def run(*arguments: str, folder: Path, path: Path = CHECKOUT) -> str:
    """What a Python that finds lazybayes in `path` prints, started in another folder."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel unpacks, as pip would do it."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not there to build the wheel")
    folder = tmp_path_factory.mktemp("wheel")
    build = f"import hatchling.build; hatchling.build.build_wheel({str(folder)!r})"
    run("-c", build, folder=CHECKOUT)
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_holds_every_file_config_and_catalogue_entry(wheel: Path) -> None:
    own = (path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    expected = {path.relative_to(CHECKOUT) for path in own}
    shipped = [CHECKOUT / folder for folder in ("configs", "datasets")]
    expected |= {"lazybayes" / path.relative_to(CHECKOUT) for folder in shipped for path in folder.rglob("*.yaml")}
    assert Path("lazybayes/py.typed") in expected
    found = {path.relative_to(wheel) for path in (wheel / "lazybayes").rglob("*") if path.is_file()}
    assert found == expected


def test_the_wheel_alone_works_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    plan = run("-m", "lazybayes", "check", "quickstart", folder=tmp_path, path=wheel)
    assert "tic-tac-toe" in plan
    where = run("-c", "import lazybayes.resources as r; print(r.shipped('configs'))", folder=tmp_path, path=wheel)
    assert Path(where.strip()) == wheel / "lazybayes" / "configs"


def test_the_version_stands_once() -> None:
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "lazybayes/__init__.py"
    assert "version" not in PROJECT["project"]
    assert lazybayes.__version__ in (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_module_and_the_command_tell_the_version(tmp_path: Path) -> None:
    assert lazybayes.__version__ in run("-m", "lazybayes", "--version", folder=tmp_path)
    module, _, function = PROJECT["project"]["scripts"]["lazybayes"].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_every_import_is_a_declared_dependency() -> None:
    needed = PROJECT["project"]["dependencies"]
    extras = PROJECT["project"]["optional-dependencies"]
    declared = {re.split(r"[<>=]", line)[0].lower() for line in [*needed, *extras["plot"], *extras["dask"]]}
    imported = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in names:
                imported[name.partition(".")[0]] = path.relative_to(CHECKOUT)
    foreign = {name: path for name, path in imported.items() if name not in {*sys.stdlib_module_names, "lazybayes"}}
    assert "numpy" in foreign
    assert {name: path for name, path in foreign.items() if DISTRIBUTION.get(name, name) not in declared} == {}


SUBMODULES = {path.stem for path in Path(lazybayes.__file__).parent.iterdir()}


@pytest.mark.parametrize("statement", ["import lazybayes", "from lazybayes.cli.main import main; main(['--help'])"])
def test_nothing_heavy_is_imported_before_it_is_needed(statement: str, tmp_path: Path) -> None:
    code = f"import atexit, sys; atexit.register(lambda: print('loaded:', *sys.modules)); {statement}"
    loaded = run("-c", code, folder=tmp_path).rpartition("loaded:")[2].split()
    assert "lazybayes" in loaded
    assert HEAVY.intersection(loaded) == set()


def test_the_estimators_are_found_at_the_top() -> None:
    assert {"Discretizer", "NaiveBayes", "CLLTree"} <= set(lazybayes.__all__)
    for name in ("Discretizer", "LazyBayesianRules", "NaiveBayes"):
        assert name in dir(lazybayes)
        assert getattr(lazybayes, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Naive'"):
        _ = lazybayes.Naive


def test_only_what_is_meant_for_users_is_listed_at_the_top() -> None:
    assert not {"Any", "importlib", "annotations"} & set(dir(lazybayes))
    assert all(name[0].isupper() or name.startswith("__") or name in SUBMODULES for name in dir(lazybayes))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("TAN", "TreeAugmentedNaiveBayes"),
        ("BSEJ", "BackwardEliminationAndJoining"),
        ("LBR", "LazyBayesianRules"),
        ("CLLtree", "CLLTree"),
        ("LazyDT", "LazyTree"),
        ("NaiveBays", "NaiveBayes"),
        ("Discretiser", "Discretizer"),
    ],
)
def test_names_that_people_try_are_answered_with_the_right_one(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=rf"no attribute '{name}' \(did you mean {meant}\?\)"):
        getattr(lazybayes, name)
    assert hasattr(lazybayes, meant)
