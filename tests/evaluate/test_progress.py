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
    assert first == "4/10 trials | iris, NB, repeat 0, fold 0"
    assert last == "5/10 trials, 1 failed | iris, LBR, repeat 0, fold 0"
    progress.end()
    assert stream.getvalue().endswith("\r\x1b[K10 trials: 0 computed, 4 done before, 1 failed, 30 s\n")
    assert stream.getvalue().count("\n") == 1


def test_elsewhere_there_is_one_line_at_the_end() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(stream, clock=clock)
    go(progress, clock)
    assert stream.getvalue() == ""
    progress.end()
    assert stream.getvalue() == "10 trials: 0 computed, 4 done before, 1 failed, 30 s\n"


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
    assert progress.interrupted().startswith("interrupted: 5 of 10 trials done and kept")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.44, "0.4 s"), (9.99, "10.0 s"), (12.4, "12 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_time_left_is_told_only_when_enough_cells_are_done() -> None:
    stream, clock = Screen(), Clock()
    progress = Progress(stream, clock=clock)
    progress.begin(20, 0)
    for number in range(10):
        clock.now += 2
        progress.finished(str(number), failed=False)
    lines = [part.removesuffix("\x1b[K") for part in stream.getvalue().split("\r")[1:]]
    assert [line.partition(" trials")[2] for line in lines[:4]] == [""] * 4
    assert lines[4] == "5/20 trials, 30 s left"
    assert lines[-1] == "10/20 trials, 20 s left"


def test_outside_a_terminal_a_line_now_and_then() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(stream, clock=clock)
    progress.begin(100, 0)
    for number in range(12):
        clock.now += 20
        progress.finished(str(number), failed=False)
    cells = [line.partition(" trials")[0] for line in stream.getvalue().splitlines()]
    assert cells == ["3/100", "6/100", "9/100", "12/100"]


class Gone(Screen):
    """A terminal whose other end has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_stream_that_fails_does_not_stop_the_run() -> None:
    clock = Clock()
    progress = Progress(Gone(), clock=clock)
    go(progress, clock)
    progress.tell("a notice")
    progress.end()


def test_no_name_acts_on_the_terminal() -> None:
    stream, clock = Screen(), Clock()
    progress = Progress(stream, clock=clock)
    progress.begin(1, 0)
    progress.started("k", "a\x1b[2Jb")
    progress.tell("c\x07d")
    text = stream.getvalue()
    assert "\\x1b[2J" in text
    assert "\x1b[2J" not in text
    assert "c\\x07d\n" in text
