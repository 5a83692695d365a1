"""What the commands share: how tables are given out, and the example that ends a command's help."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

FORMATS = ("text", "markdown", "latex", "csv", "html")

format_option = click.option("--format", "fmt", type=click.Choice(FORMATS), default="text", show_default=True)
output_option = click.option(
    "--output", type=click.Path(path_type=Path), help="A folder for files in all formats, instead of printing."
)


def example(text: str) -> Callable[[Any], Any]:
    """Ends a command's help with an example."""

    def add(command: Any) -> Any:
        command.__doc__ = f"{command.__doc__}\n\n    \b\n    Example:\n      {text}\n"
        return command

    return add
