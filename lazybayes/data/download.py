"""One bounded download: a limit of size and of time, one more try, a progress bar on a terminal."""

from __future__ import annotations

import http.client
import re
import sys
import time
import urllib.error
import urllib.request
from typing import TextIO

from lazybayes import __version__
from lazybayes.errors import FetchError, plural

TRIES = 2
MOST = 512 << 20
"""Bytes that are taken of an answer."""
PAUSE = 1.0
"""Seconds between two tries."""
_AGAIN = frozenset((429, 500, 502, 503, 504))
_CHUNK = 1 << 16


def download(address: str, *, label: str, deadline: float, most: int = MOST) -> bytes:
    """What an address answers, at most `most` bytes within `deadline` seconds, all tries together.

    Raises FetchError, with the address and what was answered.
    """
    end = time.monotonic() + deadline
    for left in reversed(range(TRIES)):
        try:
            with Bar(label) as bar:
                return _once(address, bar, end, deadline, most)
        except _Passing as problem:
            if not left or time.monotonic() + PAUSE >= end:
                raise FetchError(f"{address}: {problem}") from None
            time.sleep(PAUSE)
    raise AssertionError


class _Passing(Exception):
    """A failure that may be gone at the next try."""


def _once(address: str, bar: Bar, end: float, deadline: float, most: int) -> bytes:
    late = f"no answer within {deadline:g} s (the setting deadline)"
    request = urllib.request.Request(address, headers={"User-Agent": f"lazybayes/{__version__}"})
    data = bytearray()
    try:
        with urllib.request.urlopen(request, timeout=max(0.01, end - time.monotonic())) as answer:
            announced = answer.headers.get("Content-Length", "")
            total = int(announced) if announced.isdigit() else None
            if max(total or 0, len(data)) > most:
                raise FetchError(f"{address}: {total} bytes announced; at most {most} are taken")
            while chunk := answer.read1(_CHUNK):
                data += chunk
                bar.show(len(data), total)
                if len(data) > most:
                    raise FetchError(f"{address}: more than {most} bytes sent; no more are taken")
                if time.monotonic() > end:
                    raise FetchError(f"{address}: {plural(len(data), 'byte')} came, but not all within {deadline:g} s")
    except urllib.error.HTTPError as error:
        problem = f"HTTP {error.code} {error.reason}"
        raise (_Passing(problem) if error.code in _AGAIN else FetchError(f"{address}: {problem}")) from None
    except TimeoutError:
        raise FetchError(f"{address}: {late}") from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise FetchError(f"{address}: {late}") from None
        raise _Passing(f"not reached: {error.reason}") from None
    except (http.client.HTTPException, OSError) as error:
        raise _Passing(f"the connection broke ({error!r}) after {plural(len(data), 'byte')}") from None
    except ValueError as error:
        raise FetchError(f"{address}: {error}") from None
    if total is not None and len(data) != total:
        raise _Passing(f"{plural(len(data), 'byte')} came of {total} announced")
    return bytes(data)


def looks_like_html(data: bytes) -> bool:
    """Whether it is a web page, as services send in the place of a file."""
    return bool(re.match(rb"\s*(?:<!doctype\s+html|<html|<\?xml[^>]*>\s*<!doctype\s+html)", data[:1000], re.I))


class Bar:
    """The state of a download on one line that renews itself; silent where there is no terminal."""

    def __init__(self, label: str, stream: TextIO | None = None) -> None:
        self._label = label
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._drawn = 0.0

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live:
            print("\r\x1b[K", end="", file=self._stream, flush=True)

    def show(self, done: int, total: int | None) -> None:
        """Bytes done of all."""
        if total:
            width = 24
            full = width * done // total
            self.say(f"[{'#' * full}{'.' * (width - full)}] {_size(done)} of {_size(total)}")
        else:
            self.say(_size(done))

    def say(self, text: str) -> None:
        """Any state."""
        if self._live and time.monotonic() - self._drawn > 0.1:
            self._drawn = time.monotonic()
            print(f"\r{self._label}: {text}\x1b[K", end="", file=self._stream, flush=True)


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
