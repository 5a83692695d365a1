"""The line that says how far something is."""

from __future__ import annotations

import io

from lazybayes.progress import NOW_AND_THEN, REDRAW, ProgressLine


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_one_line_that_is_cleared_at_the_end() -> None:
    stream, now = Screen(), [0.0]
    with ProgressLine(stream, label="iris", clock=lambda: now[0]) as line:
        assert not line.is_due()
        now[0] = REDRAW
        assert line.is_due()
        line.show("1 kB")
        assert not line.is_due()
    assert stream.getvalue() == "\riris: 1 kB\x1b[K\r\x1b[K"


def test_elsewhere_each_text_is_a_line_now_and_then() -> None:
    stream, now = io.StringIO(), [0.0]
    with ProgressLine(stream, clock=lambda: now[0]) as line:
        now[0] = NOW_AND_THEN - 1
        assert not line.is_due()
        now[0] = NOW_AND_THEN
        assert line.is_due()
        line.show("1 kB")
    assert stream.getvalue() == "1 kB\n"
