"""Settings: from the environment before the file, each fault told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from lazybayes.errors import ConfigError
from lazybayes.settings import KEYS, OPENML, UCI, Settings, settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without settings."""
    for key in KEYS:
        monkeypatch.delenv(f"LAZYBAYES_{key.upper()}", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_the_defaults(home: Path) -> None:
    assert settings() == Settings(home / "cache" / "lazybayes", None, OPENML, UCI, 120)


def test_the_environment_comes_before_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "lazybayes.yaml").write_text(
        "cache: /file/cache\ndatasets: ~/mine\nopenml: http://file:80/api/\nuci: http://file\ndeadline: 7.5\n"
    )
    assert settings() == Settings(Path("/file/cache"), Path.home() / "mine", "http://file:80/api", "http://file", 7.5)
    monkeypatch.setenv("LAZYBAYES_CACHE", "here")
    monkeypatch.setenv("LAZYBAYES_UCI", "https://mirror/uci/")
    monkeypatch.setenv("LAZYBAYES_DEADLINE", ".5")
    monkeypatch.chdir(home)
    assert settings() == Settings(home / "here", Path.home() / "mine", "http://file:80/api", "https://mirror/uci", 0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cahce: x\n", "lazybayes.yaml, line 1: cahce: unknown key; allowed: cache, datasets, openml, uci, deadline"),
        ("cache: x\nuci: ftp://x\n", "lazybayes.yaml, line 2: uci: 'ftp://x' is not allowed; an address like https://"),
        ("deadline: 0\n", "lazybayes.yaml, line 1: deadline: 0 is out of range"),
    ],
)
def test_a_wrong_file(home: Path, text: str, message: str) -> None:
    (home / "lazybayes.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        settings()
    assert message in str(caught.value)


def test_a_wrong_environment_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAZYBAYES_OPENML", "openml.org")
    monkeypatch.setenv("LAZYBAYES_DEADLINE", "soon")
    with pytest.raises(ConfigError) as caught:
        settings()
    first, second = caught.value.problems
    assert first.startswith("LAZYBAYES_OPENML: 'openml.org' is not allowed; an address like https://")
    assert second.startswith("LAZYBAYES_DEADLINE: 'soon' is not allowed; seconds")


def test_a_settings_folder_that_may_not_be_looked_into_is_as_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr("os.stat", refuse)
        found = settings()
    assert found.cache == home / "cache" / "lazybayes"
