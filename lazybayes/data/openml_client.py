"""OpenML's data sets, through the openml package, into our own cache.

The package takes seconds to import, waits for ever on a silent server and empties its cache on any error. So it is
asked only for what is not in our cache, in a child process with a deadline and a cache folder for that process alone.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from lazybayes.data import cache
from lazybayes.data.cache import Cached
from lazybayes.data.download import MOST, looks_like_html
from lazybayes.errors import FetchError
from lazybayes.messages import plural
from lazybayes.progress import ProgressLine
from lazybayes.resources import PACKAGE
from lazybayes.settings import OPENML, settings

TRIES = 2
_LONGEST = 10_000
"""Characters of an error that are looked at: it may hold a whole answer."""


def file(did: str, *, offline: bool, checksum: Mapping[str, str]) -> Cached:
    """The ARFF file of a data set by its id, from the cache or else from OpenML.

    checksum: of the file; it is held against what the service itself sends, not a mirror.
    Raises FetchError if it is not at hand and cannot be fetched.
    """
    cached = cache.find("openml", f"{did}-*.arff")
    if cached:
        return cached
    if offline:
        raise FetchError(f"openml {did}: it is not in the cache, and nothing is fetched (offline)")
    return _fetch(did, checksum)


def _fetch(did: str, checksum: Mapping[str, str]) -> Cached:
    server = settings().openml
    place = f"openml {did} at {server}"
    request = {"server": server, "id": int(did), "tries": TRIES, "most": MOST}
    reply = _client().ask(request, place, settings().deadline)
    if "error" in reply:
        raise FetchError(f"{place}: {_readable(reply['error'])}")
    path = Path(reply.pop("file"))
    data = path.read_bytes()
    md5 = hashlib.md5(data, usedforsecurity=False).hexdigest()
    known = checksum.get("md5") if server == OPENML else None
    for wanted, who in ((reply.get("md5"), "OpenML announces"), (known, "the catalogue knows")):
        if wanted and md5 != wanted:
            raise FetchError(f"{place}: md5 {md5} ({plural(len(data), 'byte')}: {data[:40]!r}); {who} {wanted}")
    if looks_like_html(data) or not _has_rows(data):
        raise FetchError(f"{place}: what came is no ARFF file: {data[:60]!r}")
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", str(reply.get("name") or "data")).strip("-.") or "data"
    return cache.keep("openml", f"{did}-{name}.arff", data, reply)


def _has_rows(data: bytes) -> bool:
    return bool(re.search(rb"(?im)^[ \t]*@data\b", data))


class Client:
    """A child process that answers one request after another; ended, and started anew, when one takes too long."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lazybayes-openml-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()

    def ask(self, request: Mapping[str, Any], place: str, deadline: float) -> dict[str, Any]:
        """The child's answer. Raises FetchError if there is none within `deadline` seconds."""
        started = time.monotonic()
        process = self._running()
        assert process.stdin
        with ProgressLine(label=place) as progress:
            try:
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
                while True:
                    passed = time.monotonic() - started
                    if progress.live and progress.is_due():
                        progress.show(f"{passed:.0f} s")
                    try:
                        line = self._answers.get(timeout=min(0.5, max(0.0, deadline - passed)))
                        break
                    except queue.Empty:
                        if time.monotonic() - started >= deadline:
                            text = f"no answer within {deadline:g} s (the setting deadline)"
                            raise FetchError(f"{place}: {text}") from None
            except BrokenPipeError:
                line = None
            except BaseException:
                self.close()
                raise
        if line is None:
            self.close()
            raise FetchError(f"{place}: the openml package could not be used: {self._last_words()}")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def close(self) -> None:
        """Ends the child."""
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    with suppress(OSError):
                        stream.close()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[str]:
        folder = self._folder.name
        environment = {
            **os.environ,
            "OPENML_SKIP_PARQUET": "true",
            "OPENML_CACHE_DIR": folder,
            "XDG_CONFIG_HOME": folder,
            "XDG_CACHE_HOME": folder,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH")))),
        }
        with open(self._log, "w", encoding="utf-8") as log:
            # -P: a module of the current folder (arff.py, say) must not be taken for one that openml imports.
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "lazybayes.data.openml_child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
                env=environment,
            )
        assert process.stdout
        self._answers = queue.Queue()
        threading.Thread(target=_pump, args=(process.stdout, self._answers), daemon=True).start()
        return process

    @property
    def _log(self) -> Path:
        return Path(self._folder.name) / "stderr.txt"

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "it ended without a word"


def _pump(stream: IO[str], answers: queue.Queue[str | None]) -> None:
    try:
        for line in stream:
            answers.put(line)
    except ValueError:  # closed
        pass
    answers.put(None)


_CLIENTS: dict[int, Client] = {}


def _client() -> Client:
    """The client of this process (a fork must not share its parent's)."""
    if os.getpid() not in _CLIENTS:
        _CLIENTS[os.getpid()] = client = Client()
        atexit.register(client.close)
    return _CLIENTS[os.getpid()]


def _readable(error: str) -> str:
    """An error of the openml package on one line, web pages taken out."""
    error = error[:_LONGEST]
    if error.startswith("KeyError: 'oml:error'"):
        return "a web page came in the place of an answer"
    if unreached := re.search(r"(\[Errno [^\]]*\] [^'\")]*)", error):
        return f"not reached: {unreached[1]}"
    text = re.sub(r"(?s)<[^>]*>", " ", error)
    text = " ".join(text.split())
    return text if len(text) <= 300 else f"{text[:297]}..."
