"""Progress of a run: one line that renews itself on a terminal; elsewhere a line now and then, and one at the end."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

from lazybayes.messages import plural, printable

REDRAW = 0.1
"""Least seconds between two drawings of the line on a terminal."""
NOW_AND_THEN = 60
"""Least seconds between two lines elsewhere."""
SETTLED = 5
"""Seconds, and trials, before the time left is estimated: the first trials include the start of the workers."""


class Progress:
    """Trials done of all, time left, the trial that has been in hand for longest.

    quiet: says nothing at all but what `tell` is given. A stream that fails (its reader is gone, the disk is full) gets
    nothing more: a run does not depend on it.
    """

    def __init__(
        self, stream: TextIO | None = None, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._quiet = quiet
        self._live = self._stream.isatty()
        self._broken = False
        self._clock = clock
        self._in_hand: dict[str, str] = {}
        self._total = self._before = self._done = self._failed = 0
        self._started = self._drawn = clock()

    def begin(self, total: int, before: int) -> None:
        """A run of `total` trials of which `before` were done by earlier runs."""
        self._total, self._before = total, before
        self._started = self._drawn = self._clock()

    def started(self, key: str, label: str) -> None:
        """A trial was handed out."""
        self._in_hand[key] = label
        self._draw()

    def finished(self, key: str, *, failed: bool) -> None:
        """A trial is done, or failed."""
        self._in_hand.pop(key, None)
        self._done += 1
        self._failed += failed
        self._draw()

    def tell(self, text: str) -> None:
        """Prints a notice, above the line."""
        self._clear()
        self._write(f"{printable(text)}\n")

    def end(self) -> None:
        """Prints the line at the end."""
        self._clear()
        if not self._quiet:
            parts = [f"{plural(self._total, 'cell')}: {self._done - self._failed} computed"]
            if self._before:
                parts.append(f"{self._before} done before")
            if self._failed:
                parts.append(f"{self._failed} failed")
            self._write(f"{', '.join(parts)}, {duration(self._clock() - self._started)}\n")

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
        spent = self._clock() - self._started
        if spent >= SETTLED and self._done >= max(SETTLED, 2 * len(self._in_hand)):
            parts.append(f"{duration(spent / self._done * (self._total - there))} left")
        in_hand = next(iter(tuple(self._in_hand.values())), "")
        return printable(", ".join(parts) + (f" | {in_hand}" if in_hand else ""))

    def _draw(self) -> None:
        if self._quiet:
            return
        since = self._clock() - self._drawn
        if self._live and (not self._done or since >= REDRAW):
            self._drawn += since
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r{self._line[:width]}\x1b[K")
        elif not self._live and since >= NOW_AND_THEN:
            self._drawn += since
            self._write(f"{self._line}\n")

    def _clear(self) -> None:
        if self._live and not self._quiet:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if self._broken:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._broken = True


def duration(seconds: float) -> str:
    """Seconds for a reader: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
