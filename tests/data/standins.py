"""Stand-ins for OpenML and UCI on the loopback, for the tests: one of our own, and the shared one.

Both take a fault by its name; the own one serves a small ARFF file and a small archive.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import socket
import struct
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FAULTS = ("500", "503", "429", "db", "unknown", "html", "truncate", "short", "badmd5", "slow", "stall", "reset")
ARFF = "@relation zoo\n@attribute name {ape, bee}\n@attribute legs numeric\n@attribute type {m, i}\n@data\n" + (
    "ape,2,m\nbee,6,i\n" * 20
)


PAGE = b"<html>\n<head><title>Sorry</title></head>\n<body>\n<h1>Sorry</h1>\n<hr>\n</body>\n</html>\n"
"""A page as a web server sends it when what is behind it is down: no well-formed XML."""


@dataclass
class Standin:
    """A running stand-in. requests: what was asked for (of our own only); page: what an error answers."""

    base: str
    requests: list[str] = field(default_factory=list)
    page: bytes = PAGE

    def settings(self) -> dict[str, str]:
        return {"LAZYBAYES_OPENML": f"{self.base}/api/v1/xml", "LAZYBAYES_UCI": f"{self.base}/uci"}


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        rows = "\n".join(f"{i},{i % 3},{'yn'[i % 2]}" for i in range(200))
        packed.writestr(zipfile.ZipInfo("small/own.data"), rows + "\n")
        packed.writestr(zipfile.ZipInfo("small/own.test"), "|a remark\n1,2,y.\n")
    return buffer.getvalue()


@contextlib.contextmanager
def endless(announced: int | None) -> Iterator[Standin]:
    """A service whose every answer goes on until the client hangs up; announced: the length that it tells before."""
    site = Standin("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(self.path)
            self.send_response(200)
            if announced is not None:
                self.send_header("Content-Length", str(announced))
            self.end_headers()
            with contextlib.suppress(OSError):
                while True:
                    self.wfile.write(b" " * 65536)

        def log_message(self, *args: Any) -> None:
            pass

    with _served(site, Handler):
        yield site


DRIPS = {
    "status": (b"", b"H"),
    "headers": (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
    "continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x"),
}
"""What a service sends at once, and what it then sends again and again, so that no wait for a byte is long."""


@contextlib.contextmanager
def dripping(drip: str) -> Iterator[tuple[Standin, threading.Event]]:
    """A service that sends one of `DRIPS` until the client hangs up; the event says that it has."""
    site, gone = Standin(""), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(self.path)
            first, again = DRIPS[drip]
            with contextlib.suppress(OSError):
                self.wfile.write(first)
                while True:
                    self.wfile.write(again)
                    time.sleep(0.02)
            gone.set()

        def log_message(self, *args: Any) -> None:
            pass

    with _served(site, Handler):
        yield site, gone


@contextlib.contextmanager
def own(fault: str = "none", *, where: str = "", count: int = -1, slow: float = 5.0) -> Iterator[Standin]:
    """The project's own stand-in: OpenML's data set 61 and UCI's archive 7/small.zip."""
    site = Standin("")
    left = [count]
    arff, zipped = ARFF.encode(), archive()
    pages: dict[str, tuple[bytes, str]] = {
        "/data/v1/download/1061/zoo.arff": (arff, "text/plain;charset=UTF-8"),
        "/uci/static/public/7/small.zip": (zipped, "application/zip"),
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            site.requests.append(path)
            mode = fault if where in path and left[0] else "none"
            left[0] -= mode != "none"
            status, (body, kind) = 200, pages.get(path, (b"<html>Not Found</html>", "text/html"))
            if path == "/api/v1/xml/data/61":
                body, kind = description(site.base, hashlib.md5(arff).hexdigest()).encode(), "text/xml; charset=utf-8"
            elif path not in pages:
                status = 412 if path.startswith("/api/") else 404
                body = error(111) if status == 412 else body
            if mode == "reset":
                self.close_connection = True
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                os.close(self.connection.detach())
                return
            if mode == "slow":
                time.sleep(slow)
            elif mode in ("500", "503", "429", "html"):
                status, body, kind = int(mode) if mode != "html" else 200, site.page, "text/html"
            elif mode in ("db", "unknown"):
                api = path.startswith("/api/")
                status, body, kind = (
                    412 if api or mode == "db" else 404,
                    error(107 if mode == "db" else 111),
                    "text/xml",
                )
            elif mode == "short":
                body = body[: len(body) // 2]
            elif mode == "badmd5":
                body += b"% altered\n"
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if mode in ("truncate", "stall"):
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                time.sleep(slow if mode == "stall" else 0)
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    with _served(site, Handler):
        yield site


@contextlib.contextmanager
def _served(site: Standin, handler: type[BaseHTTPRequestHandler]) -> Iterator[None]:
    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    server = Server(("127.0.0.1", 0), handler)
    site.base = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def shared(
    folder: Path, fault: str = "none", *, where: str = "", count: int = -1, slow: float = 5.0
) -> Iterator[Standin]:
    """The stand-in that serves the real data sets, from the shared folder."""
    options = ["--fail", fault, "--fail-path", where, "--fail-count", str(count), "--slow", str(slow)]
    process = subprocess.Popen(
        [sys.executable, str(folder / "openml-standin" / "serve.py"), "--quiet", "--lifetime", "900", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        ready = process.stdout.readline().split()
        assert ready[:1] == ["ready"], ready
        yield Standin(ready[1])
    finally:
        process.terminate()
        process.wait()


def description(base: str, md5: str) -> str:
    fields = {
        "id": "61", "name": "small zoo", "version": "1", "description": "A few animals", "format": "ARFF",
        "upload_date": "2014-04-06T23:23:39", "licence": "Public", "url": f"{base}/data/v1/download/1061/zoo.arff",
        "parquet_url": f"{base}/datasets/0000/0061/dataset_61.pq", "file_id": "1061",
        "default_target_attribute": "type", "ignore_attribute": "name", "visibility": "public", "status": "active",
        "processing_date": "2014-04-06T23:23:39", "md5_checksum": md5,
    }  # fmt: skip
    inside = "".join(f"<oml:{key}>{value}</oml:{key}>" for key, value in fields.items())
    return f'<oml:data_set_description xmlns:oml="http://openml.org/openml">{inside}</oml:data_set_description>'


def error(code: int) -> bytes:
    return (
        f'<oml:error xmlns:oml="http://openml.org/openml"><oml:code>{code}</oml:code>'
        "<oml:message>Sorry</oml:message></oml:error>"
    ).encode()
