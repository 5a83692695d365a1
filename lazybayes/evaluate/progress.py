"""Progress of a run: a line that is redrawn on a terminal; otherwise lines at intervals; and a final line."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from lazybayes.messages import plural, printable
from lazybayes.progress import ProgressLine

SETTLED = 5
"""Seconds and trials before the time left is estimated: the first trials include the start of the workers."""


class Progress:
    """Shows the number of finished trials, the time left, and the trial that has been running longest.

    quiet: prints only what is passed to `tell`.
    """

    def __init__(
        self, stream: TextIO | None = None, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._line = ProgressLine(stream, clock=clock)
        self._quiet = quiet
        self._clock = clock
        self._in_hand: dict[str, str] = {}
        self._total = self._before = self._done = self._failed = 0
        self._started = clock()

    def begin(self, total: int, before: int) -> None:
        """Starts a run of `total` trials, of which earlier runs finished `before`."""
        self._total, self._before = total, before
        self._started = self._clock()
        self._line.restart()

    def started(self, key: str, label: str) -> None:
        """Records that a trial was submitted."""
        self._in_hand[key] = label
        self._draw()

    def finished(self, key: str, *, failed: bool) -> None:
        """Records that a trial is done or failed."""
        self._in_hand.pop(key, None)
        self._done += 1
        self._failed += failed
        self._draw()

    def tell(self, text: str) -> None:
        """Prints a notice above the line."""
        self._clear()
        self._line.write(f"{printable(text)}\n")

    def end(self) -> None:
        """Prints the final line."""
        self._clear()
        if not self._quiet:
            parts = [f"{plural(self._total, 'trial')}: {self._done - self._failed} computed"]
            if self._before:
                parts.append(f"{self._before} done before")
            if self._failed:
                parts.append(f"{self._failed} failed")
            self._line.write(f"{', '.join(parts)}, {duration(self._clock() - self._started)}\n")

    def interrupted(self) -> str:
        """Clears the line; returns the message on an interrupted run."""
        self._clear()
        there = self._before + self._done - self._failed
        return f"interrupted: {there} of {plural(self._total, 'trial')} done and kept; run the same command to continue"

    def _text(self) -> str:
        there = self._before + self._done
        parts = [f"{there}/{plural(self._total, 'trial')}"]
        if self._failed:
            parts.append(f"{self._failed} failed")
        spent = self._clock() - self._started
        if spent >= SETTLED and self._done >= max(SETTLED, 2 * len(self._in_hand)):
            parts.append(f"{duration(spent / self._done * (self._total - there))} left")
        in_hand = next(iter(tuple(self._in_hand.values())), "")
        return printable(", ".join(parts) + (f" | {in_hand}" if in_hand else ""))

    def _draw(self) -> None:
        first = self._line.live and not self._done
        if not self._quiet and (first or self._line.is_due()):
            self._line.show(self._text())

    def _clear(self) -> None:
        if not self._quiet:
            self._line.clear()


def duration(seconds: float) -> str:
    """Formats seconds: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
