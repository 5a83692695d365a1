"""The progress line."""

from __future__ import annotations

import io

import pytest

from lazybayes.evaluate.progress import Progress, duration


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def go(progress: Progress, clock: Clock) -> None:
    progress.begin(10, 4)
    progress.started("k1", "iris, NB, repeat 0, fold 0")
    progress.started("k2", "iris, LBR, repeat 0, fold 0")
    clock.now = 30.0
    progress.finished("k1", failed=True)


def test_a_terminal_sees_cells_time_left_and_the_cell_in_hand() -> None:
    stream, clock = Screen(), Clock()
    progress = Progress(stream, clock=clock)
    go(progress, clock)
    first, *_, last = [part.removesuffix("\x1b[K") for part in stream.getvalue().split("\r")[1:]]
    assert first == "4/10 cells | iris, NB, repeat 0, fold 0"
    assert last == "5/10 cells, 1 failed, 2 min 30 s left | iris, LBR, repeat 0, fold 0"  # 5 left at 30 s each
    progress.end()
    assert stream.getvalue().endswith("\r\x1b[K10 cells: 0 computed, 4 done before, 1 failed, 30 s\n")
    assert stream.getvalue().count("\n") == 1


def test_elsewhere_there_is_one_line_at_the_end() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(stream, clock=clock)
    go(progress, clock)
    assert stream.getvalue() == ""
    progress.end()
    assert stream.getvalue() == "10 cells: 0 computed, 4 done before, 1 failed, 30 s\n"


def test_quiet_says_nothing_but_notices() -> None:
    stream, clock = Screen(), Clock()
    progress = Progress(stream, quiet=True, clock=clock)
    go(progress, clock)
    progress.tell("a row has no class")
    progress.end()
    assert stream.getvalue() == "a row has no class\n"


def test_a_notice_takes_the_place_of_the_line() -> None:
    stream, clock = Screen(), Clock()
    progress = Progress(stream, clock=clock)
    go(progress, clock)
    progress.tell("a row has no class")
    assert stream.getvalue().endswith("\r\x1b[Ka row has no class\n")


def test_an_interrupted_run_says_what_is_kept() -> None:
    clock = Clock()
    progress = Progress(io.StringIO(), clock=clock)
    go(progress, clock)
    progress.finished("k2", failed=False)
    assert progress.interrupted().startswith("interrupted: 5 of 10 cells done and kept")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.44, "0.4 s"), (9.99, "10.0 s"), (12.4, "12 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
