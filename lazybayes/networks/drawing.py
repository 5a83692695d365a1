"""A network as a picture (matplotlib), as a graph for Graphviz (DOT), or as text."""

from __future__ import annotations

from pathlib import Path

from lazybayes.errors import UsageError, no_matplotlib
from lazybayes.networks.network import Network

PICTURES = (".png", ".svg", ".pdf")
SWEEPS = 8
"""How often the layers are put in order anew, going down and up."""


def text(network: Network) -> str:
    """A line a variable, parents before children: its values, and what it depends on."""
    lines = []
    for i in network.order:
        variable = network.variables[i]
        arcs = f"  <- {', '.join(variable.parents)}" if variable.parents else ""
        lines.append(f"{variable.name} {{{', '.join(variable.values)}}}{arcs}")
    return "\n".join(lines)


def dot(network: Network) -> str:
    """The graph in Graphviz' language."""
    arcs = [(parent, variable.name) for variable in network.variables for parent in variable.parents]
    lines = [f"digraph {_quoted(network.name)} {{"]
    lines += [f"  {_quoted(variable.name)};" for variable in network.variables]
    lines += [f"  {_quoted(parent)} -> {_quoted(child)};" for parent, child in arcs]
    return "\n".join([*lines, "}"]) + "\n"


def layout(network: Network) -> list[tuple[float, int]]:
    """(x, layer) of each variable: its layer below all its parents', its x near its parents and children."""
    layer = [0] * len(network)
    for i in network.order:
        layer[i] = 1 + max((layer[parent] for parent in network.parents[i]), default=-1)
    near: list[list[int]] = [list(parents) for parents in network.parents]
    for child, parents in enumerate(network.parents):
        for parent in parents:
            near[parent].append(child)
    depth = max(layer, default=0) + 1
    rows = [[i for i in network.order if layer[i] == level] for level in range(depth)]
    x = [0.0] * len(network)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            if sweep:
                row.sort(key=lambda i: sum(x[j] for j in near[i]) / len(near[i]) if near[i] else x[i])
            for place, i in enumerate(row):
                x[i] = place - (len(row) - 1) / 2
    return list(zip(x, layer, strict=True))


def picture(network: Network, path: Path) -> None:
    """Draws the network into a PNG, SVG or PDF file. Raises UsageError if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import FancyArrowPatch
    except ImportError:
        raise no_matplotlib(f"{path}: a picture (unlike a .dot or .txt file)") from None
    places = layout(network)
    longest = max((len(variable.name) for variable in network.variables), default=1)
    width, height = 0.11 * longest + 0.7, 1.1  # inches from one variable to the next
    left, right = min(x for x, _ in places) - 0.5, max(x for x, _ in places) + 0.5
    depth = max(layer for _, layer in places) + 1
    figure = Figure(figsize=(max(3.0, width * (right - left)), height * depth))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(left, right)
    axes.set_ylim(-depth + 0.5, 0.5)
    axes.axis("off")
    box = {"boxstyle": "round,pad=0.4", "facecolor": "#eef3fa", "edgecolor": "#2f4b7c"}
    labels = [
        axes.text(x, -layer, variable.name, ha="center", va="center", fontsize=10, bbox=box, zorder=2)
        for variable, (x, layer) in zip(network.variables, places, strict=True)
    ]
    for child, parents in enumerate(network.parents):
        for parent in parents:
            ends = [(places[i][0], -places[i][1]) for i in (parent, child)]
            arrow = FancyArrowPatch(*ends, arrowstyle="-|>", mutation_scale=12, color="#555555", zorder=3)
            arrow.set_patchA(labels[parent].get_bbox_patch())
            arrow.set_patchB(labels[child].get_bbox_patch())
            axes.add_patch(arrow)  # drawn after the boxes, which have their places only then
    figure.savefig(path, dpi=150)


def draw(network: Network, path: Path) -> str | None:
    """What goes into a text file of that ending (.dot, .txt), or None if a picture was written there.

    Raises UsageError for another ending.
    """
    ending = path.suffix.lower()
    if ending in PICTURES:
        picture(network, path)
        return None
    if ending == ".dot":
        return dot(network)
    if ending == ".txt":
        return text(network) + "\n"
    raise UsageError(f"{path}: a picture ends in {', '.join(PICTURES)}, .dot or .txt")


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
