"""Figures of a run as files: error curves over the data sets, scatter plots of errors, confusion between classes.

Needs matplotlib.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lazybayes.errors import UsageError, no_matplotlib, unwritable
from lazybayes.messages import nearest
from lazybayes.statistics.confusion import Confusion
from lazybayes.statistics.matrix import Matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = ("png", "svg", "pdf")
KINDS = ("curves", "scatter", "confusion")
LEAST_JOINED = 2
"""Minimum number of data sets of a curve; with fewer, only the scatter plot is drawn."""
COLOURS = ("#0b5394", "#cc4125")  # distinguishable by colour-blind readers; in grey by the markers
MARKERS = ("o", "s")
MOST_NAMED = 8
PLACES = (
    ((6, 0), "left", "center"),
    ((-6, 0), "right", "center"),
    ((0, -6), "center", "top"),
    ((0, 6), "center", "bottom"),
)
"""Positions of a name beside its point: offset, horizontal and vertical alignment."""
METADATA: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}


def write_figures(
    matrix: Matrix,
    baseline: str,
    rivals: Sequence[str],
    folder: Path,
    suffixes: Iterable[str] = SUFFIXES,
    run: str = "",
) -> list[Path]:
    """Writes the curves and the scatter plot of the baseline and each rival to the folder, which is created if missing.

    matrix: of the error. rivals: if empty, every other algorithm. run: the run's name, for the titles. Curves need at
    least two data sets. The same results give the same files, byte for byte.
    Raises UsageError without matplotlib, for an unknown algorithm, and if there is nothing to draw.
    """
    _require_matplotlib()
    for name in (baseline, *rivals):
        if name not in matrix.algorithms:
            known = ", ".join(matrix.algorithms)
            raise UsageError(
                f"{name} is not an algorithm of these results{nearest(name, matrix.algorithms)}; "
                f"the algorithms are {known}"
            )
    paths = []
    for rival in rivals or [a for a in matrix.algorithms if a != baseline]:
        if rival == baseline:
            raise UsageError(f"{baseline} cannot be its own rival; choose another algorithm")
        shown = [d for d in matrix.datasets if matrix.at(d, baseline).usable and matrix.at(d, rival).usable]
        if not shown:
            raise UsageError(f"{baseline} and {rival} have no common data set on which all their trials are done")
        for kind, draw in (("curves", curves), ("scatter", scatter)):
            if draw is curves and len(shown) < LEAST_JOINED:
                continue
            path = folder / f"{kind}-{_slug(baseline)}-{_slug(rival)}"
            paths += _save(partial(draw, matrix, shown, baseline, rival, run), path, suffixes)
    return paths


def write_confusions(confusions: Iterable[Confusion], folder: Path, suffixes: Iterable[str] = SUFFIXES) -> list[Path]:
    """Writes a figure per confusion to the folder, which is created if missing.

    Raises UsageError without matplotlib.
    """
    _require_matplotlib()
    from lazybayes.report.confusion import draw

    paths = []
    for confusion in confusions:
        path = folder / f"confusion-{_slug(confusion.dataset)}-{_slug(confusion.algorithm)}"
        paths += _save(partial(draw, confusion), path, suffixes)
    return paths


def stale_figures(folder: Path, current: Iterable[Path], since: float) -> list[Path]:
    """The folder's figures that are not current and are older than a time (seconds since the epoch)."""
    pictures = {path for kind in KINDS for suffix in SUFFIXES for path in folder.glob(f"{kind}-*.{suffix}")}
    return sorted(path for path in pictures - set(current) if path.stat().st_mtime < since)


def curves(matrix: Matrix, datasets: Sequence[str], baseline: str, rival: str, run: str = "") -> Figure:
    """Error rates of two algorithms over the data sets, sorted by the baseline's error minus the rival's.

    The curves therefore cross once. Bars are plus and minus one standard error (Zheng & Webb 2000, figures 1 to 3).
    """
    from matplotlib.figure import Figure

    gap = {d: matrix.at(d, baseline).mean - matrix.at(d, rival).mean for d in datasets}
    order = sorted(datasets, key=lambda d: gap[d])
    figure = Figure(figsize=(max(4.5, 1.6 + 0.27 * len(order)), 5.2), layout="constrained")
    axes: Any = figure.subplots()
    places = range(len(order))
    style = {"markersize": 4, "linewidth": 1.2, "elinewidth": 0.9, "capsize": 2}
    for name, colour, marker, shift in zip((baseline, rival), COLOURS, MARKERS, (-0.06, 0.06), strict=True):
        trials = [matrix.at(d, name) for d in order]
        means = [100 * own.mean for own in trials]
        errors = [100 * (own.standard_error or 0) for own in trials]
        along = [place + shift for place in places]
        axes.errorbar(along, means, errors, color=colour, marker=marker, label=name, **style)
    axes.set_xticks(list(places), [_short(d) for d in order], rotation=90, fontsize=8)
    axes.set_xlim(-0.6, len(order) - 0.4)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("error rate (%)")
    axes.set_xlabel(f"data sets by the difference of error rates, {baseline} less {rival}", fontsize=9)
    axes.grid(axis="y", linewidth=0.4, alpha=0.6)
    axes.set_title(_title(run, baseline, rival), fontsize=10)
    bar = "mean \N{PLUS-MINUS SIGN} standard error"
    figure.legend(loc="outside lower center", ncols=2, title=bar, fontsize=9, title_fontsize=9, frameon=False)
    _open(axes)
    return figure


def scatter(matrix: Matrix, datasets: Sequence[str], baseline: str, rival: str, run: str = "") -> Figure:
    """One point per data set, the baseline's error over the rival's; below the diagonal the baseline has less error.

    The data sets farthest from the diagonal are labelled.
    """
    from matplotlib.figure import Figure

    points = {d: (100 * matrix.at(d, rival).mean, 100 * matrix.at(d, baseline).mean) for d in datasets}
    bars = {d: tuple(100 * (matrix.at(d, a).standard_error or 0) for a in (rival, baseline)) for d in datasets}
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes: Any = figure.subplots()
    top = 1.06 * max(max(x + bars[d][0], y + bars[d][1]) for d, (x, y) in points.items()) or 1.0
    axes.plot([0, top], [0, top], color="0.6", linewidth=0.9, zorder=1)
    x, y = zip(*points.values(), strict=True)
    sizes = list(zip(*bars.values(), strict=True))
    axes.errorbar(x, y, sizes[1], sizes[0], fmt="none", ecolor="0.75", elinewidth=0.8, zorder=2)
    axes.scatter(x, y, s=18, color=COLOURS[0], zorder=3)
    axes.set_xlim(0, top)
    axes.set_ylim(0, top)
    axes.set_aspect("equal")
    axes.set_title(_title(run, baseline, rival), fontsize=10)
    axes.set_xlabel(f"error rate of {rival} (%)")
    axes.set_ylabel(f"error rate of {baseline} (%)")
    axes.text(0.97, 0.03, f"{baseline} errs less", transform=axes.transAxes, ha="right", color="0.4", fontsize=9)
    axes.text(0.03, 0.97, f"{rival} errs less", transform=axes.transAxes, va="top", color="0.4", fontsize=9)
    _open(axes)
    apart = sorted(points, key=lambda d: -abs(points[d][1] - points[d][0]))
    _name(figure, axes, points, bars, [d for d in apart if abs(points[d][1] - points[d][0]) > 0.03 * top][:MOST_NAMED])
    return figure


def _title(run: str, baseline: str, rival: str) -> str:
    return f"{run + ': ' if run else ''}error rates of {_short(baseline)} and {_short(rival)}"


def _name(
    figure: Figure,
    axes: Any,
    points: Mapping[str, tuple[float, float]],
    bars: Mapping[str, tuple[float, ...]],
    names: Sequence[str],
) -> None:
    """Writes names beside their points if there is room, without covering points, the diagonal or other names."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()  # fixes the layout, so that the extents of names are known
    frame = axes.get_window_extent()
    along = [frame.x0 + frame.width * t / 50 for t in range(51)]
    occupied = [tuple(axes.transData.transform(point)) for point in points.values()]
    occupied += [(x, frame.y0 + (x - frame.x0) * frame.height / frame.width) for x in along]
    boxes = [part.get_window_extent() for part in axes.texts]
    for name in names:
        for offset, across, up in PLACES:
            end = [at + np.sign(step) * bar for at, step, bar in zip(points[name], offset, bars[name], strict=True)]
            label = axes.annotate(
                _short(name), end, xytext=offset, textcoords="offset points", ha=across, va=up, fontsize=8
            )
            box = label.get_window_extent(canvas.get_renderer())
            inside = frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0 and box.y1 < frame.y1
            near = box.padded(5)  # less than the distance of a name from its own point
            free = not any(near.contains(*at) for at in occupied) and not any(box.overlaps(other) for other in boxes)
            if inside and free:
                boxes.append(box)
                break
            label.remove()


def _require_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise no_matplotlib("a figure") from None


def _save(draw: Callable[[], Figure], path: Path, suffixes: Iterable[str]) -> list[Path]:
    """Draws and saves a figure per format, as PATH.SUFFIX."""
    import matplotlib

    paths = []
    for suffix in suffixes:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.with_name(f"{path.name}.{suffix}")
        # Names are not formulas; a fixed salt makes the ids of an SVG reproducible.
        with matplotlib.rc_context({"text.parse_math": False, "svg.hashsalt": "lazybayes"}):
            try:
                draw().savefig(file, format=suffix, dpi=150, metadata=METADATA[suffix])
            except OSError as problem:
                raise unwritable(file, problem) from problem
        paths.append(file)
    return paths


def _open(axes: Any) -> None:
    """Hides the top and right spines."""
    axes.spines[["top", "right"]].set_visible(False)


def _short(name: str, most: int = 28) -> str:
    """A name, shortened to fit into a figure."""
    return name if len(name) <= most else name[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _slug(name: str) -> str:
    """A name as part of a file name."""
    return "".join(c if c.isalnum() or c in ".-_" else "-" for c in name)
