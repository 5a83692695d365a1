"""The frequency-count engine: contingency tables, estimates, leave-one-out."""

import numpy as np

# The C library (glibc: mallopt(3), M_MMAP_THRESHOLD) gives freed arrays back to the system until it has seen one as
# large as this freed; a pass over tables then costs less than the page faults of its result, by up to ten times.
np.empty((1 << 25) - (1 << 16), dtype=np.uint8)
