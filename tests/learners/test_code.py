"""What a foreign learner's results depend on: its module, what that imports beside it, the versions of packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest
import sklearn

from lazybayes.learners.code import beside, dependencies, imported
from lazybayes.learners.registry import version

CLASS = "class Most:\n    def fit(self, X, y): return self\n    def predict(self, X): return [0] * len(X)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before = list(sys.path)
    beside(tmp_path)
    yield tmp_path
    beside(tmp_path.parent / "nothing")
    sys.path[:] = before


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_every_module_that_is_imported_beside_it_and_no_other(folder: Path) -> None:
    write(
        folder,
        learner_a="import numpy as np, json\nfrom helper_b import x\n" + CLASS + "def late(): import pack_c.deep\n",
        helper_b="x = 1\n",
        unrelated="x = 1\n",
        pack_c__deep="from . import other\nfrom .sub.far import y\nfrom helper_b import x\n",
        pack_c__other="import sklearn.base\n",
    )
    (folder / "pack_c" / "__init__.py").touch()
    imported("learner_a")
    found = dependencies("learner_a")
    assert sorted(found) == ["helper_b", "learner_a", "numpy", "pack_c", "pack_c.deep", "pack_c.other", "sklearn"]
    assert (found["numpy"], found["sklearn"]) == (numpy.__version__, sklearn.__version__)


@pytest.mark.parametrize("edited", ["learner_d", "helper_e", "pack_f__deep"])
def test_the_version_changes_with_each_of_them(folder: Path, edited: str) -> None:
    files = {"learner_d": "import helper_e, pack_f.deep\n" + CLASS, "helper_e": "x = 1\n", "pack_f__deep": "y = 1\n"}
    write(folder, **files, unrelated_g="x = 1\n")
    before = version("learner_d.Most")
    write(folder, unrelated_g="x = 2\n")
    assert version("learner_d.Most") == before
    write(folder, **{edited: files[edited].replace("1", "2").replace("[0]", "[1]")})
    assert version("learner_d.Most") != before
    write(folder, **files)
    assert version("learner_d.Most") == before


def test_an_edit_within_the_second_is_seen_by_the_next_config(folder: Path) -> None:
    write(folder, learner_h="x = 1\n")
    assert imported("learner_h").x == 1
    write(folder, learner_h="x = 2\n")
    beside(folder)
    assert imported("learner_h").x == 2
    assert not (folder / "__pycache__").exists()


def test_two_configs_each_with_its_own_module(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        write(folder / name, learner_i=f"x = {name!r}\n")
    for name in ("one", "two"):
        beside(folder / name)
        assert imported("learner_i").x == name


def test_modules_of_python_and_of_packages_come_first(folder: Path) -> None:
    write(folder, statistics="x = 1\n", sklearn="x = 1\n")
    assert hasattr(imported("statistics"), "mean")
    assert imported("sklearn") is sklearn


def test_an_installed_package_counts_by_its_version() -> None:
    assert dependencies("sklearn.tree") == {"sklearn": sklearn.__version__}
    assert version("sklearn.tree.DecisionTreeClassifier") == sklearn.__version__
    assert version("lazybayes.learners.lbr.LazyBayesianRules") == version("lbr")
