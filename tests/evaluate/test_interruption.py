"""Real processes, really killed: what was finished is kept, and the next run ends where an undisturbed one would."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lazybayes.evaluate.runner import run
from lazybayes.results.export import export_predictions, export_results
from lazybayes.results.store import FILE, Store
from tests.processes import hear_ctrl_c

HERE = Path(__file__).resolve().parent
CELLS = 30
PATIENCE = 60.0
"""Seconds after which a test gives up; nothing is asserted about the time itself."""


@pytest.fixture
def start(data: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts `toy_run.py` in a process group of its own, as a terminal does."""

    def call(folder: Path, jobs: int, pause: float = 0.0) -> subprocess.Popen[str]:
        env = {**os.environ, "TOY_PAUSE": str(pause), "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
        command = [sys.executable, str(HERE / "toy_run.py"), str(folder), str(jobs), str(data)]
        return subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=hear_ctrl_c,
        )  # fmt: skip

    return call


def done(folder: Path) -> int:
    """The trials finished so far."""
    if not (folder / FILE).exists():
        return 0
    with closing(sqlite3.connect(f"file:{folder / FILE}?mode=rw", uri=True, timeout=10)) as db:
        try:
            return int(db.execute("SELECT count(*) FROM cells").fetchone()[0])
        except sqlite3.OperationalError:  # the tables are not there yet
            return 0


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def alive(group: int) -> list[str]:
    """The processes of a group that run (a zombie does not)."""
    found = subprocess.run(["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in found.splitlines()]
    return [row[2] for row in rows if row[0] == str(group) and not row[1].startswith("Z")]


def exported(folder: Path) -> str:
    """Both exports, the columns of seconds left out."""
    with Store(folder) as store:
        export_results(store, folder / "results.csv")
        export_predictions(store, folder / "predictions.csv")
    lines = [line.split(",") for line in (folder / "results.csv").read_text(encoding="utf-8").splitlines()]
    keep = [i for i, name in enumerate(lines[0]) if not name.endswith("_seconds")]
    results = "\n".join(",".join(line[i] for i in keep) for line in lines)
    return results + "\n" + (folder / "predictions.csv").read_text(encoding="utf-8")


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_kill_9_loses_only_the_trials_in_hand(
    tmp_path: Path, data: Path, start: Callable[..., subprocess.Popen[str]], jobs: int
) -> None:
    from toy_run import experiment

    run(experiment(str(data)), store_dir=tmp_path / "whole")
    folder = tmp_path / "killed"
    process = start(folder, jobs, pause=0.1)
    wait_for(lambda: done(folder) >= 5)
    process.kill()
    process.wait(PATIENCE)
    kept = done(folder)
    assert 5 <= kept < CELLS
    wait_for(lambda: not alive(process.pid))  # workers see that their parent has gone
    status, errors = finish(start(folder, jobs))
    assert status == 0
    assert f"{CELLS} trials: {CELLS - kept} computed, {kept} done before" in errors
    assert exported(folder) == exported(tmp_path / "whole")


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_the_workers_with_one_line(
    tmp_path: Path, start: Callable[..., subprocess.Popen[str]], jobs: int
) -> None:
    folder = tmp_path / "stopped"
    process = start(folder, jobs, pause=0.1)
    wait_for(lambda: done(folder) >= 3)
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to every process of the command
    status, errors = finish(process)
    kept = done(folder)
    assert status == 130
    said = [line for line in errors.splitlines() if not line.startswith("data set small: ")]  # notices on the data
    assert said == [f"interrupted: {kept} of {CELLS} trials done and kept; run the same command to continue"]
    assert 3 <= kept < CELLS
    wait_for(lambda: not alive(process.pid))  # one that ends just now may still be listed
    status, errors = finish(start(folder, jobs))
    assert status == 0
    assert f"{kept} done before" in errors
    assert sorted(file.name for file in folder.iterdir()) == [FILE, "run.lock"]


def test_two_runs_at_once_one_stops_with_a_message(tmp_path: Path, start: Callable[..., subprocess.Popen[str]]) -> None:
    folder = tmp_path / "both"
    ends = [finish(process) for process in [start(folder, 1, pause=0.1) for _ in range(2)]]
    statuses = sorted(status for status, _ in ends)
    assert statuses in ([0, 2], [0, 0])
    for status, errors in ends:
        assert "Traceback" not in errors
        assert status == 0 or "a run of this experiment is going on" in errors
    assert done(folder) == CELLS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the writers are forks")
def test_a_store_outlives_its_writers(tmp_path: Path) -> None:
    command = [sys.executable, str(HERE / "kills.py"), str(tmp_path / "r"), "60", "1"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("60 kills, ")
