"""Network files by path or name: read and written in the form that their ending names."""

from __future__ import annotations

from pathlib import Path

from lazybayes.errors import ConfigError, UsageError
from lazybayes.files import expand_home, is_file
from lazybayes.messages import nearest
from lazybayes.networks.network import Network

SHIPPED = Path(__file__).resolve().parent / "examples"
ENDINGS = (".yaml", ".yml", ".bif")


def shipped_networks() -> dict[str, Path]:
    """The networks that come with the package, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.yaml"))}


def find_network(path_or_name: str) -> Path:
    """The file of a network: a path finds a file, a bare name without one finds a shipped network.

    Raises ConfigError if there is neither.
    """
    path = expand_home(path_or_name)
    if is_file(path) or path.name != path_or_name or path.suffix in ENDINGS:
        return path
    names = shipped_networks()
    if path.name not in names:
        known = f"the networks shipped are {', '.join(names)}{nearest(path.name, names)}"
        raise ConfigError([f"{path_or_name}: there is no such file, and no shipped network of this name; {known}"])
    return names[path.name]


def load_network(path_or_name: str | Path, *, tables: bool = True) -> Network:
    """The network of a YAML or BIF file, or a shipped one by its name.

    tables: whether every variable must have a table; without, one that is left out is uniform.
    Raises ConfigError with every problem of the file.
    """
    path = find_network(str(path_or_name))
    if path.suffix.lower() == ".bif":
        from lazybayes.networks.bif import read_bif

        return read_bif(path, tables=tables)
    if path.suffix.lower() not in ENDINGS:
        raise ConfigError([f"{path}: a network file ends in {', '.join(ENDINGS)}"])
    from lazybayes.networks.yaml_format import read_yaml

    return read_yaml(path, tables=tables)


def network_text(network: Network, path: Path) -> str:
    """The network in the form that the path's ending names. Raises UsageError for another ending."""
    if path.suffix.lower() == ".bif":
        from lazybayes.networks.bif import write_bif

        return write_bif(network)
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"{path}: a network is written to a file that ends in {', '.join(ENDINGS)}")
    from lazybayes.networks.yaml_format import write_yaml

    return write_yaml(network)
