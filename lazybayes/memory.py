"""What the C library does with memory that arrays no longer need, set for the processes of this package's commands.

Learners make and drop arrays of some megabytes all the time. By default glibc gives each back to the system, and the
page faults of the next one can cost more than what is computed in it.
"""

from __future__ import annotations

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Parameters of mallopt(3)."""

LARGEST = 1 << 25
"""Bytes of an array, up to which its memory is used again: the most that glibc allows for M_MMAP_THRESHOLD."""


def keep_freed_memory() -> bool:
    """Lets this process use the memory of arrays up to 32 MB again; whether the C library can be asked to (glibc can).

    The command line and its workers call it. In a process of your own, call it before large fits.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    return mallopt is not None and bool(mallopt(M_MMAP_THRESHOLD, LARGEST) and mallopt(M_TRIM_THRESHOLD, 2 * LARGEST))
