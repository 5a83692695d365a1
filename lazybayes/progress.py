"""A progress line that is redrawn on a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Self, TextIO

REDRAW = 0.1
"""Minimum seconds between two drawings of the line on a terminal."""
NOW_AND_THEN = 60
"""Minimum seconds between two lines of other output."""


class ProgressLine:
    """One line that is redrawn on a terminal; other output gets a new line at intervals. A context manager clears it.

    Nothing more is written to a stream that fails (a closed pipe, a full disk): no work depends on it.
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
        """Restarts the interval until the next drawing."""
        self._drawn = self._clock()

    def is_due(self) -> bool:
        """Whether the interval has passed."""
        return self._clock() - self._drawn >= (REDRAW if self.live else NOW_AND_THEN)

    def show(self, text: str) -> None:
        """Draws a text, whether or not the interval has passed."""
        self.restart()
        text = self._label + text
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.write(f"\r{text[:width]}\x1b[K")
        else:
            self.write(f"{text}\n")

    def clear(self) -> None:
        """Clears the line on a terminal."""
        if self.live:
            self.write("\r\x1b[K")

    def write(self, text: str) -> None:
        """Writes a text unchanged."""
        if self._broken:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._broken = True
