"""Networks in Python: loaded, asked and fitted by the names of variables and values."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lazybayes import networks
from lazybayes.errors import DataError, UsageError
from lazybayes.networks import fit, interface, load_network, network_text, query
from lazybayes.networks.fitting import Likelihood
from lazybayes.networks.network import Network

FIRE = """
name: fire
variables:
  Storm: {values: [true, false], table: [0.2, 0.8]}
  Lightning:
    values: [true, false]
    parents: [Storm]
    table: [[true, 0.7, 0.3], [false, 0.01, 0.99]]
"""


@pytest.fixture
def fire(tmp_path: Path) -> Network:
    (tmp_path / "fire.yaml").write_text(FIRE, encoding="utf-8")
    return load_network(tmp_path / "fire.yaml")


@pytest.mark.parametrize("given", [{"Lightning": "true"}, {"lightning": True}, {"Light": "TRUE"}])
def test_a_question_is_answered_by_names(fire: Network, given: dict[str, Any]) -> None:
    answer = query(fire, "Storm", given)
    assert list(answer) == ["Storm"]
    assert answer["Storm"] == pytest.approx({"true": 0.14 / 0.148, "false": 0.008 / 0.148})


def test_several_variables_and_no_evidence(fire: Network) -> None:
    answer = query(fire, ["Lightning", "Storm"])
    assert answer["Storm"] == pytest.approx({"true": 0.2, "false": 0.8})
    assert answer["Lightning"] == pytest.approx({"true": 0.148, "false": 0.852})


@pytest.mark.parametrize(
    ("ask", "given", "words"),
    [
        ("Strom", {}, "no variable Strom.*did you mean Storm"),
        ("Storm", {"Lightning": "maybe"}, "Lightning has no value maybe"),
        ("Storm", {"Storm": True}, "both given and asked"),
        ([], {}, "no variable is asked for"),
    ],
)
def test_what_cannot_be_answered_is_told(fire: Network, ask: Any, given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        query(fire, ask, given)


@pytest.mark.parametrize("kind", [bool, str, "category"])
def test_tables_are_counted_from_a_frame(fire: Network, kind: Any) -> None:
    days = pd.DataFrame(
        {"Storm": [True, True, False, False], "Lightning": [True, False, False, False], "day": range(4)}
    )
    fitted = fit(fire, days.astype({"Storm": kind, "Lightning": kind}), estimate="laplace")
    np.testing.assert_allclose(fitted["Storm"].table, [3 / 6, 3 / 6])
    np.testing.assert_allclose(fitted["Lightning"].table, [[2 / 4, 2 / 4], [1 / 4, 3 / 4]])
    assert query(fitted, "Storm", {"Lightning": "true"})["Storm"]["true"] == pytest.approx(2 / 3)


def test_hidden_cells_are_learned_by_likelihood_unless_an_estimate_counts(fire: Network) -> None:
    days = pd.DataFrame({"Storm": ["true", None, "false", None], "Lightning": ["true", None, "false", "false"]})
    codes = np.array([[0, 0], [-1, -1], [1, 1], [-1, 1]], dtype=np.int32)

    def likelihood(network: Network) -> float:
        return Likelihood(network, codes).of([variable.table for variable in network.variables])[0]

    fitted = fit(fire, days)
    assert likelihood(fitted) > likelihood(fire)
    # the two rows that say something of both, and one of Lightning alone: at best P(true, true) = 1/3
    assert likelihood(fitted) == pytest.approx(np.log(1 / 3) + 2 * np.log(2 / 3), abs=1e-3)
    counted = fit(fire, days, estimate="laplace")
    np.testing.assert_allclose(counted["Storm"].table, [1 / 2, 1 / 2])
    np.testing.assert_allclose(counted["Lightning"].table, [[2 / 3, 1 / 3], [1 / 3, 2 / 3]])


@pytest.mark.parametrize(
    ("X", "estimate", "error", "words"),
    [
        (
            pd.DataFrame({"other": ["true"]}),
            None,
            DataError,
            "no column is a variable; the variables of fire are Storm",
        ),
        (pd.DataFrame({"Storm": []}), None, DataError, "there are no rows"),
        (pd.DataFrame({"Storm": ["maybe"]}), None, UsageError, "Storm has no value maybe.*true, false"),
        (pd.DataFrame({"Storm": ["true"]}), "laplace", DataError, "Lightning: every row is missing"),
        ([["true", "false"]], None, DataError, "X is a list; a DataFrame is expected"),
    ],
)
def test_rows_that_do_not_fit_are_refused(
    fire: Network, X: Any, estimate: str | None, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        fit(fire, X, estimate)


def test_a_fitted_network_is_written_and_read_again(fire: Network, tmp_path: Path) -> None:
    fitted = fit(fire, pd.DataFrame({"Storm": ["true", "false"], "Lightning": ["true", "false"]}), "laplace")
    path = tmp_path / "fitted.bif"
    path.write_text(network_text(fitted, path), encoding="utf-8")
    assert query(load_network(path), "Storm") == query(fitted, "Storm")


def test_the_package_names_what_is_for_users() -> None:
    assert networks.__all__ == ["fit", "load_network", "network_text", "query"]
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = networks.nonsense
    assert doctest.testmod(interface).failed == 0
