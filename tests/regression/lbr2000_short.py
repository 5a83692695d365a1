"""Runs lbr2000-short off the stand-in in ../shared, and holds its error rates against results/lbr2000/table-3.csv.

    python tests/regression/lbr2000_short.py

A data set of the short version has the partitions it has in lbr2000, so its error rates are the same. Then the
published figures are printed beside the run. Exit status 1 if an error rate differs or a gate is not passed.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
STANDIN = CHECKOUT.parent / "shared" / "openml-standin" / "serve.py"
REFERENCE = CHECKOUT / "results" / "lbr2000" / "table-3.csv"


def main() -> int:
    if not STANDIN.is_file():
        print("lbr2000-short: skipped, since ../shared is not there")
        return 0
    serve = [sys.executable, str(STANDIN), "--quiet", "--lifetime", "3600"]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        try:
            base = server.stdout.readline().split()[1]
            env = {"LAZYBAYES_CACHE": f"{folder}/cache", "LAZYBAYES_OPENML": f"{base}/api/v1/xml"}
            env |= {"LAZYBAYES_UCI": f"{base}/uci", "PYTHONPATH": str(CHECKOUT)}
            run = f"{folder}/run"
            status = lazybayes(env, "run", "lbr2000-short", "--output", run, "--quiet")
            status |= lazybayes(env, "tables", run, "--output", f"{folder}/tables", quiet=True)
            status |= lazybayes(env, "compare", run, "--published", "lbr2000")
            return status | differences(Path(folder) / "tables" / "table-3.csv")
        finally:
            server.terminate()


def lazybayes(env: Mapping[str, str], *words: str, quiet: bool = False) -> int:
    command = [sys.executable, "-m", "lazybayes", *words]
    return subprocess.run(command, env={**os.environ, **env}, stdout=subprocess.DEVNULL if quiet else None).returncode


def differences(path: Path) -> int:
    """1 if an error rate is not that of the reference table; both tables need not have the same rows and columns."""
    if not REFERENCE.is_file():
        print(f"{REFERENCE} is not there: make reproduce-tables writes it")
        return 1
    ours, reference = table(path), table(REFERENCE)
    common = [key for key in ours if key in reference]
    wrong = [key for key in common if ours[key] != reference[key]]
    for dataset, algorithm in wrong:
        key = dataset, algorithm
        print(f"{dataset}, {algorithm}: error {ours[key]} %, in {REFERENCE.name} {reference[key]} %")
    print(f"lbr2000-short: {len(common) - len(wrong)} of {len(common)} error rates are those of {REFERENCE.name}")
    return int(bool(wrong) or not common)


def table(path: Path) -> dict[tuple[str, str], str]:
    """The cells of a table written as CSV, by data set and algorithm; without its averages and notes."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    cells = {}
    for label, *values in rows:
        if label == "average":
            break
        cells |= {(label, name): value for name, value in zip(header[1:], values, strict=True)}
    return cells


if __name__ == "__main__":
    sys.exit(main())
