"""A class beside its config: found without PYTHONPATH, in workers too; an edited one is told and computed again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lazybayes.cli.main import main

TOLD = "A: the code of always.Always, or of a module that it imports, has changed since the last run"


def call(*words: str) -> Result:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done


def error(folder: Path) -> str:
    """The error rate of the one algorithm, as exported."""
    call("export", "case", "--output", "results.csv")
    header, row = (line.split(",") for line in (folder / "results.csv").read_text(encoding="utf-8").splitlines())
    return dict(zip(header, row, strict=True))["error"]


@pytest.mark.parametrize("where", ["always.py", "helper.py"])
def test_an_edited_learner_is_told_and_computed_again(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Case 40 of ../shared; the constant stands in the learner's module or in one that it imports."""
    folder = shutil.copytree(shared / "cases" / "040-own-learner-edited", tmp_path / "case")
    monkeypatch.chdir(folder)
    learner = folder / "always.py"
    if where == "helper.py":
        (folder / "helper.py").write_text("ANSWER = 0\n", encoding="utf-8")
        text = learner.read_text(encoding="utf-8").replace("len(X), 0", "len(X), helper.ANSWER")
        learner.write_text(f"import helper\n{text}", encoding="utf-8")
    assert "1 computed" in call("run", "config.yaml").stderr
    assert error(folder) == "0.2"
    assert "1 done before" in call("run", "config.yaml").stderr
    edited = folder / where
    text = edited.read_text(encoding="utf-8")
    edited.write_text(text.replace("len(X), 0", "len(X), 1").replace("ANSWER = 0", "ANSWER = 1"), encoding="utf-8")
    for command in ("check", "tables"):
        assert TOLD in call(command, "config.yaml").stderr
    said = call("run", "config.yaml").stderr
    assert said.count(TOLD) == 1
    assert "1 trial: 1 computed" in said
    assert error(folder) == "0.8"
    assert TOLD not in call("tables", "config.yaml").stderr
    assert TOLD not in call("run", "config.yaml").stderr
