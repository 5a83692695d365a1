"""Freed arrays are used again in the processes of a command, and an import leaves a user's process alone."""

import os
import subprocess
import sys

import pytest

PAGES = """
import os, resource
import numpy as np
{first}
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
np.ones(3 << 20)
before = faults()
for _ in range(20):
    np.ones(3 << 20)  # 24 MB: at least a page fault for each 2 MB that is new
print(faults() - before)
"""


def page_faults(first: str) -> int:
    """Page faults of twenty arrays of 24 MB, one after the other, in a process that did something first."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MALLOC_")}
    run = subprocess.run(
        [sys.executable, "-c", PAGES.format(first=first)], capture_output=True, text=True, check=True, env=environment
    )
    return int(run.stdout.splitlines()[-1])


@pytest.mark.skipif(
    sys.platform != "linux" or "CS_GNU_LIBC_VERSION" not in os.confstr_names, reason="glibc's allocator is meant"
)
@pytest.mark.parametrize(
    ("first", "steered"),
    [
        ("import lazybayes.counts.tables, lazybayes.learners.lbr", False),
        ("from lazybayes.memory import keep_freed_memory; assert keep_freed_memory()", True),
        ("from lazybayes.evaluate.pool import _prepare_worker; _prepare_worker(os.getppid())", True),
        ("from lazybayes.cli.main import main; main(['learners', 'list'], standalone_mode=False)", True),
    ],
)
def test_only_commands_and_workers_keep_freed_memory(first: str, steered: bool) -> None:
    if first.startswith("from lazybayes.cli"):
        first = f"try:\n    {first}\nexcept SystemExit:\n    pass"
    pages = page_faults(first)
    assert pages < 100 if steered else pages > 200, pages
