"""How far something is, on one line that renews itself on a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Self, TextIO

REDRAW = 0.1
"""Least seconds between two drawings of the line on a terminal."""
NOW_AND_THEN = 60
"""Least seconds between two lines elsewhere."""


class ProgressLine:
    """One line on a terminal, drawn over and over; elsewhere a line now and then. A context manager clears it.

    A stream that fails (its reader is gone, the disk is full) gets nothing more: no work depends on it.
    """

    def __init__(
        self, stream: TextIO | None = None, *, label: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._label = f"{label}: " if label else ""
        self._clock = clock
        self._broken = False
        self.live = self._stream.isatty()
        self.restart()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.clear()

    def restart(self) -> None:
        """Counts the time to the next drawing from now."""
        self._drawn = self._clock()

    def is_due(self) -> bool:
        """Whether it is time to draw again."""
        return self._clock() - self._drawn >= (REDRAW if self.live else NOW_AND_THEN)

    def show(self, text: str) -> None:
        """Draws a text, due or not."""
        self.restart()
        text = self._label + text
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.write(f"\r{text[:width]}\x1b[K")
        else:
            self.write(f"{text}\n")

    def clear(self) -> None:
        """Takes the line away from a terminal."""
        if self.live:
            self.write("\r\x1b[K")

    def write(self, text: str) -> None:
        """Writes a text as it is."""
        if self._broken:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._broken = True
