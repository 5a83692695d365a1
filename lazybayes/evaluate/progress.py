"""Progress of a run: one line that renews itself on a terminal; elsewhere quiet until the line at the end."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

from lazybayes.errors import plural

REDRAW = 0.1
"""Least seconds between two drawings of the line."""


class Progress:
    """Cells done of all, time left, the cell that has been in hand for longest.

    quiet: says nothing at all but what `tell` is given.
    """

    def __init__(
        self, stream: TextIO | None = None, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._quiet = quiet
        self._live = not quiet and self._stream.isatty()
        self._clock = clock
        self._in_hand: dict[str, str] = {}
        self._total = self._before = self._done = self._failed = 0
        self._started = self._drawn = clock()

    def begin(self, total: int, before: int) -> None:
        """A run of `total` cells of which `before` were done by earlier runs."""
        self._total, self._before, self._started = total, before, self._clock()

    def started(self, key: str, label: str) -> None:
        """A cell was handed out."""
        self._in_hand[key] = label
        self._draw()

    def finished(self, key: str, *, failed: bool) -> None:
        """A cell is done, or failed."""
        self._in_hand.pop(key, None)
        self._done += 1
        self._failed += failed
        self._draw()

    def tell(self, text: str) -> None:
        """Prints a notice, above the line."""
        self._clear()
        print(text, file=self._stream, flush=True)

    def end(self) -> None:
        """Prints the line at the end."""
        self._clear()
        if not self._quiet:
            parts = [f"{plural(self._total, 'cell')}: {self._done - self._failed} computed"]
            if self._before:
                parts.append(f"{self._before} done before")
            if self._failed:
                parts.append(f"{self._failed} failed")
            print(f"{', '.join(parts)}, {duration(self._clock() - self._started)}", file=self._stream, flush=True)

    def interrupted(self) -> str:
        """Takes the line away; what to say of a run that was broken off."""
        self._clear()
        there = self._before + self._done - self._failed
        return (
            f"interrupted: {there} of {plural(self._total, 'cell')} done and kept; the same command goes on from there"
        )

    @property
    def _line(self) -> str:
        there = self._before + self._done
        parts = [f"{there}/{plural(self._total, 'cell')}"]
        if self._failed:
            parts.append(f"{self._failed} failed")
        if self._done:
            spent = self._clock() - self._started
            parts.append(f"{duration(spent / self._done * (self._total - there))} left")
        in_hand = next(iter(tuple(self._in_hand.values())), "")
        return ", ".join(parts) + (f" | {in_hand}" if in_hand else "")

    def _draw(self) -> None:
        if self._live and (not self._done or self._clock() - self._drawn >= REDRAW):
            self._drawn = self._clock()
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{self._line[:width]}\x1b[K", end="", file=self._stream, flush=True)

    def _clear(self) -> None:
        if self._live:
            print("\r\x1b[K", end="", file=self._stream, flush=True)


def duration(seconds: float) -> str:
    """Seconds for a reader: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
