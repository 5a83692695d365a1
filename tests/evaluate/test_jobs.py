"""Results do not depend on the number of jobs or the order of the algorithms (case 37 of ../shared)."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from lazybayes.cli.main import main


def exports(folder: Path, *, jobs: int, monkeypatch: pytest.MonkeyPatch) -> list[list[list[str]]]:
    """The rows of both exports of a run, sorted, without seconds."""
    monkeypatch.chdir(folder)
    found = []
    calls = [["run", "config.yaml", "--quiet", "--offline", "--jobs", str(jobs)]]
    calls += [
        ["export", "config.yaml", "--what", what, "--output", f"{what}.csv"] for what in ("results", "predictions")
    ]
    for words in calls:
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
    for what in ("results", "predictions"):
        with Path(f"{what}.csv").open(encoding="utf-8", newline="") as opened:
            header, *rows = csv.reader(opened)
        kept = [j for j, name in enumerate(header) if not name.endswith("seconds")]
        found.append(sorted([row[j] for j in kept] for row in rows))
    return found


def test_the_same_for_any_jobs_and_order(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = shared / "cases" / "037-same-for-any-jobs"
    seen = []
    for name, jobs in (("one", 1), ("two", 2), ("turned", 1), ("seed", 1)):
        folder = shutil.copytree(case, tmp_path / name)
        config = folder / "config.yaml"
        text = config.read_text(encoding="utf-8").replace("repeats: 2", "repeats: 1")
        if name == "turned":
            before, rest = text.split("algorithms:\n")
            lines = rest.splitlines(keepends=True)
            block = [line for line in lines if line.startswith(" ")]
            text = "".join([before, "algorithms:\n", *block[::-1], *lines[len(block) :]])
        if name == "seed":
            text = text.replace("seed: 3", "seed: 4")
        config.write_text(text, encoding="utf-8")
        seen.append(exports(folder, jobs=jobs, monkeypatch=monkeypatch))
    assert seen[0] == seen[1] == seen[2]
    assert seen[0] != seen[3]
