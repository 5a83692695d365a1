"""YAML for a message: what a user can paste into a config."""

from __future__ import annotations

from typing import Any


def snippet(**keys: Any) -> str:
    """Each key with its value between backticks, as a line of YAML, quoted wherever YAML needs it."""
    import yaml

    def line(key: str, value: Any) -> str:
        options: dict[str, Any] = {"default_flow_style": True, "allow_unicode": True, "width": 10**9}
        return str(yaml.safe_dump({key: _plain(value)}, sort_keys=False, **options)).strip()[1:-1]

    return " and ".join(f"`{line(key, value)}`" for key, value in keys.items())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
