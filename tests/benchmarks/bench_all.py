"""`make bench`: every benchmark in turn, and one table of figures, targets and whether they are met.

python tests/benchmarks/bench_all.py [--fast] [SUBJECT ...]
"""

from __future__ import annotations

import argparse

import bench_lbr
import bench_mdl
import bench_memory
import bench_naive_bayes
import bench_runner
import bench_tan
import bench_trees
from harness import machine, table
from threadpoolctl import threadpool_limits

from lazybayes.memory import keep_freed_memory

SUBJECTS = {
    "memory": bench_memory,
    "mdl": bench_mdl,
    "runner": bench_runner,
    "naive-bayes": bench_naive_bayes,
    "lbr": bench_lbr,
    "trees": bench_trees,
    "tan": bench_tan,
}


def main() -> None:
    """Prints a line as each figure comes, and the table at the end."""
    keep_freed_memory()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fast", action="store_true", help="smaller and rougher: some two minutes")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"{', '.join(SUBJECTS)} (all)")
    arguments = parser.parse_args()
    for name in arguments.subjects:
        if name not in SUBJECTS:
            parser.error(f"{name} is no subject; subjects are {', '.join(SUBJECTS)}")
    print(machine(), flush=True)
    found = []
    with threadpool_limits(1):
        for name in arguments.subjects or SUBJECTS:
            for figure in SUBJECTS[name].figures(arguments.fast):
                print(" | ".join(cell for cell in figure.row() if cell), flush=True)
                found.append(figure)
    print(f"\n{table(found)}")


if __name__ == "__main__":
    main()
