"""Settings of the C library that let a process reuse the memory of freed arrays.

Learners allocate and free arrays of several megabytes all the time. By default glibc returns each one to the system,
and the page faults of the next allocation can cost more than the computation itself.
"""

from __future__ import annotations

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Parameters of mallopt(3)."""

LARGEST = 1 << 25
"""Largest array, in bytes, whose memory is reused: the maximum that glibc allows for M_MMAP_THRESHOLD."""


def keep_freed_memory() -> bool:
    """Lets this process reuse the memory of freed arrays of up to 32 MB.

    Returns whether the C library supports this (glibc does). The command line and its workers call this function. In
    your own process, call it before large fits.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    return mallopt is not None and bool(mallopt(M_MMAP_THRESHOLD, LARGEST) and mallopt(M_TRIM_THRESHOLD, 2 * LARGEST))
