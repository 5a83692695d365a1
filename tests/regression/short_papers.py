"""Runs the papers' short versions off the stand-in in ../shared, and holds their figures against those in results.

    python tests/regression/short_papers.py [PAPER ...]

A short version has the partitions of the paper's config, so a cell of its table is that of the reference table. Then
the published figures are printed beside the run. Exit status 1 if a figure differs, or a gate that the comparison in
results passes is failed.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
RESULTS = CHECKOUT / "results"
STANDIN = CHECKOUT.parent / "shared" / "openml-standin" / "serve.py"


@dataclass(frozen=True)
class Short:
    """A short run: its config, the table it is held by, and the reference in results."""

    config: str
    table: str
    reference: str


SHORT = {
    "lbr2000": Short("lbr2000-short", "table-3", "lbr2000/table-3"),
    "semilazy_tan2003": Short("semilazy_tan2003", "table-4", "semilazy_tan2003/table-4"),
    "clltree2006": Short("clltree2006-short", "table-6", "clltree2006/short/table-6"),
}


def main() -> int:
    chosen = sys.argv[1:] or list(SHORT)
    unknown = [paper for paper in chosen if paper not in SHORT]
    if unknown:
        print(f"{', '.join(unknown)}: no short version; there are {', '.join(SHORT)}")
        return 2
    if not STANDIN.is_file():
        print("short versions: skipped, since ../shared is not there")
        return 0
    serve = [sys.executable, str(STANDIN), "--quiet", "--lifetime", "3600"]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        try:
            base = server.stdout.readline().split()[1]
            env = {"LAZYBAYES_CACHE": f"{folder}/cache", "LAZYBAYES_OPENML": f"{base}/api/v1/xml"}
            env |= {"LAZYBAYES_UCI": f"{base}/uci", "PYTHONPATH": str(CHECKOUT)}
            return max([short(paper, env, Path(folder) / paper) for paper in chosen])
        finally:
            server.terminate()


def short(paper: str, env: Mapping[str, str], folder: Path) -> int:
    """1 if the run, its comparison or its table falls short."""
    own = SHORT[paper]
    run, tables = str(folder / "run"), folder / "tables"
    status = lazybayes(env, "run", own.config, "--output", run, "--quiet")
    status |= lazybayes(env, "tables", run, "--output", str(tables), quiet=True)
    lazybayes(env, "compare", run, "--published", paper)
    lazybayes(env, "compare", run, "--published", paper, "--output", str(tables), quiet=True)
    return (
        status
        | failures(paper, tables / "comparison.csv", RESULTS / paper / "comparison.csv")
        | differences(paper, tables / f"{own.table}.csv", RESULTS / f"{own.reference}.csv")
    )


def lazybayes(env: Mapping[str, str], *words: str, quiet: bool = False) -> int:
    command = [sys.executable, "-m", "lazybayes", *words]
    return subprocess.run(command, env={**os.environ, **env}, stdout=subprocess.DEVNULL if quiet else None).returncode


def differences(paper: str, path: Path, reference: Path) -> int:
    """1 if a figure is not that of the reference table; both tables need not have the same rows and columns."""
    if not reference.is_file():
        print(f"{reference} is not there: make reproduce-tables writes it")
        return 1
    ours, known = table(path), table(reference)
    common = [key for key in ours if key in known]
    wrong = [key for key in common if ours[key] != known[key]]
    for dataset, algorithm in wrong:
        key = dataset, algorithm
        print(f"{dataset}, {algorithm}: {ours[key]}, in {reference.name} {known[key]}")
    print(f"{paper}, short: {len(common) - len(wrong)} of {len(common)} figures are those of {reference.name}")
    return int(bool(wrong) or not common)


def failures(paper: str, path: Path, reference: Path) -> int:
    """1 if a gate is failed that the reference comparison passes."""
    ours, known = verdicts(path), verdicts(reference)
    failed = [figure for figure, verdict in ours.items() if verdict == "FAILED"]
    new = [figure for figure in failed if known.get(figure) != "FAILED"]
    passed = sum(verdict == "passed" for verdict in ours.values())
    print(f"{paper}, short: {passed} gates passed, {len(failed)} failed, {len(new)} of these not in {reference.parent}")
    return int(bool(new))


def verdicts(path: Path) -> dict[str, str]:
    """The verdict on each figure of a comparison written as CSV."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["published figure"]: row["verdict"] for row in csv.DictReader(file)}


def table(path: Path) -> dict[tuple[str, str], str]:
    """The cells of a table written as CSV, by data set and algorithm; without its averages and notes."""
    cells = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            label = row.pop("data set")
            if row.pop("kind", "data") != "data" or label == "average":
                break
            cells |= {(label, name): value for name, value in row.items()}
    return cells


if __name__ == "__main__":
    sys.exit(main())
