"""Pictures: a layout in which arcs go down, files of each kind, and a plain word where matplotlib is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given

from lazybayes.errors import UsageError
from lazybayes.networks.drawing import draw, layout, text
from lazybayes.networks.files import load_network
from lazybayes.networks.network import Network
from tests.networks.reference import networks


@given(networks(most=10))
def test_arcs_go_down_and_no_two_variables_share_a_place(network: Network) -> None:
    places = layout(network)
    assert len(set(places)) == len(network)
    for i, parents in enumerate(network.parents):
        assert all(places[parent][1] < places[i][1] for parent in parents)


@pytest.mark.parametrize(("ending", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_a_picture_of_each_kind(tmp_path: Path, ending: str, magic: bytes) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = tmp_path / f"fire{ending}"
    assert draw(load_network("campfire"), path) is None
    assert path.read_bytes().startswith(magic)


def test_text_and_graphviz(tmp_path: Path) -> None:
    network = load_network("campfire")
    assert "ForestFire {true, false}  <- Storm, Lightning, Campfire" in text(network).splitlines()
    graph = draw(network, tmp_path / "fire.dot")
    assert graph is not None
    assert graph.count("->") == 7
    assert '"Storm" -> "Campfire";' in graph
    assert draw(network, tmp_path / "fire.txt") == text(network) + "\n"


def test_without_matplotlib_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UsageError, match=r"\.dot.*needs matplotlib.*pip install matplotlib"):
        draw(load_network("campfire"), tmp_path / "fire.png")
    assert draw(load_network("campfire"), tmp_path / "fire.dot")


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png, \.svg, \.pdf, \.dot or \.txt"):
        draw(load_network("campfire"), tmp_path / "fire.gif")
