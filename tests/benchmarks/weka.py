"""Weka 3.6.14 as the peer, by the harness ../shared/weka/Oracle.java, compiled once into .build (ignored by git)."""

from __future__ import annotations

import csv
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from harness import DROP, SHARED, data_file
from numpy.typing import NDArray

from lazybayes.data.table import Table
from lazybayes.evaluate.splits import Split

ORACLE = SHARED / "weka" / "Oracle.java"
JARS = (Path("/usr/share/java/weka.jar"), Path("/usr/share/java/cup.jar"))
BUILD = Path(__file__).resolve().parent / ".build"


@dataclass(frozen=True)
class Run:
    """What Weka did. seconds: CPU of training and testing, without garbage collection and JIT, scaled to every test
    row if it was capped; capped: whether it was; proba: (n, C) by row number in the file, NaN where not tested."""

    seconds: float
    capped: bool
    proba: NDArray[np.float64]


def absent() -> str:
    """Why Weka cannot be run here, or nothing."""
    if not ORACLE.is_file():
        return "../shared/weka/Oracle.java is not there"
    for program in ("java", "javac"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    lacking = [jar.name for jar in JARS if not jar.is_file()]
    return f"{' and '.join(lacking)} not found in {JARS[0].parent} (Debian's package weka)" if lacking else ""


def run(name: str, classifier: str, table: Table, splits: Sequence[Split], *, cap: float | None, reps: int) -> Run:
    """Runs a classifier on these splits of a data set: MDL bins and modes from each training part, outside the timing.

    cap: CPU seconds after which Weka is stopped.
    """
    _compile()
    with tempfile.TemporaryDirectory() as temporary:
        folds, summary, predictions = (Path(temporary) / f"{what}.csv" for what in ("folds", "summary", "predictions"))
        lines = [f"{split.repeat},{split.fold},{row}" for split in splits for row in table.index[split.test]]
        folds.write_text("\n".join(["repeat,fold,index", *lines, ""]), encoding="utf-8")
        options = {
            "--data": str(data_file(name)),
            "--folds": str(folds),
            "--classifier": classifier,
            "--discretize": "",
            "--missing": "replace-after",
            "--summary": str(summary),
            "--out": str(predictions),
            "--warmup": "1",
            "--warmup-s": "5",
            "--reps": str(reps),
            "--reps-s": "15",
        }
        if name in DROP:
            options["--remove"] = "1"  # splice's identifier is its first column
        if cap is not None:
            options["--cap-cpu"] = str(cap)
        words = [word for option, value in options.items() for word in ((option, value) if value else (option,))]
        path = ":".join(map(str, (BUILD, *JARS)))
        java = ["java", "-Xmx2g", "-XX:+UseSerialGC", "-cp", path, "Oracle", "run", *words]
        done = subprocess.run(java, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):  # 3: stopped at the cap
            raise RuntimeError(f"Weka failed on {name}:\n{done.stderr}")
        with summary.open(encoding="utf-8") as file:
            (line,) = csv.DictReader(file)
        proba = np.full((int(table.index.max()) + 1, table.n_classes), np.nan)
        with predictions.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                proba[int(row["index"])] = [float(row[f"p{c}"]) for c in range(table.n_classes)]
    share = int(line["tested"]) / sum(len(split.test) for split in splits)
    return Run(float(line["seconds"]) / share, line["capped"] == "1", proba)


def _compile() -> None:
    made = BUILD / "Oracle.class"
    if made.is_file() and made.stat().st_mtime >= ORACLE.stat().st_mtime:
        return
    BUILD.mkdir(exist_ok=True)
    subprocess.run(["javac", "-nowarn", "-cp", str(JARS[0]), "-d", str(BUILD), str(ORACLE)], check=True)
