"""What the commands share: output options of tables, and the example at the end of a command's help."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from lazybayes.files import is_file
from lazybayes.messages import printable
from lazybayes.vocabulary import FORMATS

format_option = click.option(
    "--format",
    "formats",
    type=click.Choice(FORMATS),
    multiple=True,
    help="Format of the tables; with --output, may be repeated.  [default: text; with --output: all]",
)
output_option = click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Write the tables to files in this folder instead of printing them.",
)


def echo(text: object = "", *, err: bool = False) -> None:
    """Prints a line, with terminal control characters escaped."""
    click.echo(printable(str(text)), err=err)


def line_width() -> int | None:
    """The width of the output in columns: COLUMNS, or the width of the terminal; None for a file or a pipe."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal():
        return shutil.get_terminal_size().columns
    return None


def echo_file(path: Path) -> None:
    """Prints the name of a written file; prints nothing if the output was a pipe or a terminal."""
    if is_file(path):
        echo(path)


def open_streams() -> None:
    """Makes the standard streams usable: a closed stream is redirected to os.devnull, and no character fails to encode.

    A closed stream is reopened at its own descriptor. Otherwise the next opened file, such as the results, would get
    that number, and whatever a library or a worker writes to stderr would end up in it.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        stream = getattr(sys, name)
        if stream is None:
            if not _is_open(number):
                _to_nowhere(number)
            anew = os.fdopen(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False)
            setattr(sys, name, anew)
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Redirects the remaining output to os.devnull, so that the interpreter's last flush cannot fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _to_nowhere(stream.fileno())


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _to_nowhere(number: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)
    os.set_inheritable(number, True)


def example(text: str) -> Callable[[Any], Any]:
    """Ends a command's help with an example."""

    def add(command: Any) -> Any:
        command.__doc__ = f"{command.__doc__}\n\n    \b\n    Example:\n      {text}\n"
        return command

    return add
