"""What the commands share: the formats of tables, and the example that ends a command's help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FORMATS = ("text", "markdown", "latex", "csv", "html")


def example(text: str) -> Callable[[Any], Any]:
    """Ends a command's help with an example."""

    def add(command: Any) -> Any:
        command.__doc__ = f"{command.__doc__}\n\n    \b\n    Example:\n      {text}\n"
        return command

    return add
