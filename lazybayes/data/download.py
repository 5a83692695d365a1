"""One bounded download: a limit of size and of time, one more try, its progress on a terminal."""

from __future__ import annotations

import http.client
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Any

from lazybayes import __version__
from lazybayes.errors import FetchError
from lazybayes.messages import plural
from lazybayes.progress import ProgressLine

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
            with ProgressLine(label=label) as line:
                return _once(address, line, end, deadline, most)
        except _Passing as problem:
            if not left or time.monotonic() + PAUSE >= end:
                raise FetchError(f"{address}: {problem}") from None
            time.sleep(PAUSE)
    raise AssertionError


class _Passing(Exception):
    """A failure that may be gone at the next try."""


def _once(address: str, line: ProgressLine, end: float, deadline: float, most: int) -> bytes:
    late = f"no answer within {deadline:g} s (the setting deadline)"
    request = _Request(address, end, most)
    try:
        request.start()
        while request.is_alive() and (left := end - time.monotonic()) > 0:
            request.join(min(0.1, left))
            if line.live and line.is_due():
                line.show(_amount(len(request.data), request.total))
        if request.is_alive():
            came = f"{plural(len(request.data), 'byte')} came, but not all within {deadline:g} s"
            raise FetchError(f"{address}: {came if request.data else late}")
    finally:
        request.stop()
    if request.problem:
        raise _explain(address, request, late) from None
    if request.total is not None and len(request.data) != request.total:
        raise _Passing(f"{plural(len(request.data), 'byte')} came of {request.total} announced")
    return bytes(request.data)


def _explain(address: str, request: _Request, late: str) -> Exception:
    """What went wrong with a request, for the user; `_Passing` if it may go well the next time."""
    error = request.problem
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(error, urllib.error.HTTPError):
        problem = f"HTTP {error.code} {error.reason}"
        return _Passing(problem) if error.code in _AGAIN else FetchError(f"{address}: {problem}")
    if isinstance(reason, TimeoutError):
        return FetchError(f"{address}: {late}")
    if isinstance(error, urllib.error.URLError):
        return _Passing(f"not reached: {reason}")
    if isinstance(error, http.client.HTTPException | OSError):
        return _Passing(f"the connection broke ({error!r}) after {plural(len(request.data), 'byte')}")
    return FetchError(f"{address}: {error}")


class _Request(threading.Thread):
    """One request in a thread: only so can a deadline end whatever is waited for.

    A socket's timeout is for one operation, and a server that sends a byte now and then never reaches it.
    data, total: what came so far of what was announced; problem: why it failed.
    """

    def __init__(self, address: str, end: float, most: int) -> None:
        super().__init__(daemon=True)
        self.data = bytearray()
        self.total: int | None = None
        self.problem: Exception | None = None
        self._request = urllib.request.Request(address, headers={"User-Agent": f"lazybayes/{__version__}"})
        self._end = end
        self._most = most
        self._sockets: list[socket.socket] = []
        self._stopped = False

    def run(self) -> None:
        """Takes the answer."""
        try:
            with self._open() as answer:
                announced = answer.headers.get("Content-Length", "")
                self.total = int(announced) if announced.isascii() and announced.isdigit() else None
                if (self.total or 0) > self._most:
                    raise ValueError(f"{self.total} bytes announced; at most {self._most} are taken")
                while chunk := answer.read1(_CHUNK):
                    self.data += chunk
                    if len(self.data) > self._most:
                        raise ValueError(f"more than {self._most} bytes sent; no more are taken")
        except Exception as problem:
            self.problem = problem

    def stop(self) -> None:
        """Ends the connection, so that nothing more is waited for, and the thread with it."""
        self._stopped = True
        for copy in self._sockets:
            with suppress(OSError), copy:
                copy.shutdown(socket.SHUT_RDWR)

    def _open(self) -> Any:
        """The answer, over connections whose sockets `stop` knows (as copies: TLS detaches the socket it wraps)."""
        request = self

        class Known(http.client.HTTPConnection):
            def connect(self) -> None:
                super().connect()
                request._sockets.append(self.sock.dup())
                if request._stopped:
                    raise TimeoutError

        class KnownSecure(http.client.HTTPSConnection, Known):
            pass

        class Plain(urllib.request.HTTPHandler):
            def http_open(self, req: urllib.request.Request) -> Any:
                return self.do_open(Known, req)

        class Secure(urllib.request.HTTPSHandler):
            def https_open(self, req: urllib.request.Request) -> Any:
                return self.do_open(KnownSecure, req)

        timeout = max(0.01, self._end - time.monotonic())
        return urllib.request.build_opener(Plain, Secure).open(self._request, timeout=timeout)


def looks_like_html(data: bytes) -> bool:
    """Whether it is a web page, as services send in the place of a file."""
    return bool(re.match(rb"\s*(?:<!doctype\s+html|<html|<\?xml[^>]*>\s*<!doctype\s+html)", data[:1000], re.I))


def _amount(done: int, total: int | None) -> str:
    """Bytes done, and of how many where that is known."""
    if not total:
        return _size(done)
    width = 24
    full = width * done // total
    return f"[{'#' * full}{'.' * (width - full)}] {_size(done)} of {_size(total)}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
