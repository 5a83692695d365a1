"""What the commands print of a network: answers and summaries."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from tabulate import tabulate

from lazybayes.messages import plural
from lazybayes.networks.network import Network
from lazybayes.networks.queries import Posterior, QueryAnswer, evidence

DIGITS = ".8g"


def answer_text(network: Network, given: Mapping[int, int], answer: QueryAnswer) -> str:
    """A table a posterior, a line a value (or joint value), with standard errors where there are any."""
    parts = [_table(network, given, posterior) for posterior in answer.posteriors]
    about = evidence(network, given)
    if about:
        parts.append(f"P({about}) = {_exp(answer.log_evidence)}" + (" (estimated)" if answer.effective else ""))
    if answer.effective is not None:
        parts.append(f"The weighted samples are worth {answer.effective:,.0f} without weights.")
    return "\n\n".join(parts)


def summary(network: Network) -> str:
    """Variables, arcs, free parameters, and the graph as text."""
    from lazybayes.networks.drawing import text

    arcs = sum(map(len, network.parents))
    tables = [variable.table for variable in network.variables]
    parameters = sum(table.size - table.size // table.shape[-1] for table in tables)
    counts = ", ".join(map(plural, (len(network), arcs, parameters), ("variable", "arc", "free parameter")))
    return f"{network.name}: {counts}\n\n{text(network)}"


def _table(network: Network, given: Mapping[int, int], posterior: Posterior) -> str:
    variables = [network.variables[i] for i in posterior.variables]
    names = [variable.name for variable in variables]
    condition = f" | {evidence(network, given)}" if given else ""
    rows = []
    for place in np.ndindex(posterior.table.shape):
        row = [variable.values[code] for variable, code in zip(variables, place, strict=True)]
        row.append(format(posterior.table[place], DIGITS))
        if posterior.errors is not None:
            row.append(format(posterior.errors[place], ".2g"))
        rows.append(row)
    columns = ["P", *(["standard error"] if posterior.errors is not None else [])]
    align = ["left"] * (len(names) + len(columns))
    return f"P({', '.join(names)}{condition})\n" + tabulate(
        rows, [*names, *columns], disable_numparse=True, colalign=align
    )


def _exp(log: float) -> str:
    """``exp(log)``, as a power of ten where a double would be 0."""
    if log > -700:
        return format(math.exp(log), DIGITS)
    return f"10^{log / math.log(10):.4f}"
