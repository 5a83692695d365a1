"""The shipped folders are found in a checkout and in an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from lazybayes import resources
from lazybayes.errors import LazyBayesError


def folder(path: Path, *files: str) -> Path:
    path.mkdir(parents=True)
    for name in files:
        (path / name).write_text("name: x\n")
    return path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = folder(tmp_path / "site" / "lazybayes", "__init__.py")
    monkeypatch.setattr(resources, "PACKAGE", path)
    return path


def test_the_checkouts_catalogue_is_found() -> None:
    assert (resources.shipped("datasets") / "tic-tac-toe.yaml").is_file()


def test_the_installed_folder_wins(package: Path) -> None:
    inside = folder(package / "configs", "quickstart.yaml")
    folder(package.parent / "configs", "quickstart.yaml")
    assert resources.shipped("configs") == inside


def test_beside_the_package_in_a_checkout(package: Path) -> None:
    beside = folder(package.parent / "configs", "a.yaml")
    assert resources.shipped("configs") == beside


def test_another_projects_folder_is_not_taken(package: Path) -> None:
    folder(package.parent / "datasets", "__init__.py")
    with pytest.raises(LazyBayesError, match=r"folder datasets .* installation is incomplete"):
        resources.shipped("datasets")
