"""An experiment survives being kept as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazybayes.config import load_config
from lazybayes.errors import StoreError
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme, TableSpec
from lazybayes.snapshot import PLAN, SHOWN, changes, from_dict, to_dict

words = st.text(max_size=8)
lists = st.lists(words, max_size=3).map(tuple)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)
mappings = st.dictionaries(words, values, max_size=3)
preprocesses = st.builds(Preprocess, words, words, st.integers(), words)
experiments = st.builds(
    Experiment,
    name=words,
    datasets=st.lists(
        st.builds(
            DatasetEntry.of,
            name=words,
            source=words,
            location=words,
            target=st.none() | words,
            drop=lists,
            types=st.dictionaries(words, words, max_size=3),
            missing=st.none() | lists,
            header=st.booleans(),
            columns=st.none() | lists,
            separator=st.none() | words,
            encoding=st.none() | words,
            options=mappings,
            where=words,
        ),
        max_size=2,
    ).map(tuple),
    algorithms=st.lists(
        st.builds(
            Algorithm, name=words, learner=words, params=mappings, preprocess=preprocesses, input=st.none() | words
        ),
        max_size=2,
    ).map(tuple),
    cv=st.builds(Scheme, words, st.integers(), st.integers(), st.floats(0, 1), st.none() | words),
    preprocess=preprocesses,
    seed=st.integers(),
    metrics=lists,
    tables=st.lists(st.builds(TableSpec, words, st.none() | words, lists, words, words, lists), max_size=2).map(tuple),
    predictions=st.booleans(),
    cll_floor=st.floats(0, 1),
    auc=words,
    path=st.none() | st.just(Path("/somewhere/config.yaml")),
)


@given(experiments)
def test_an_experiment_comes_back_from_json(experiment: Experiment) -> None:
    assert from_dict(json.loads(json.dumps(to_dict(experiment)))) == experiment
    assert from_dict(to_dict(experiment)) == experiment


def test_a_shipped_config_comes_back() -> None:
    experiment = load_config("quickstart")
    assert from_dict(json.loads(json.dumps(to_dict(experiment)))) == experiment


@pytest.mark.parametrize("change", [{"metrics": None}, {"cv": {"schema": 1}}, {"unknown": 1}, {"datasets": [{}]}])
def test_data_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(StoreError, match="another version"):
        from_dict({**to_dict(Experiment("e", (), ())), **change})
    with pytest.raises(StoreError):
        from_dict({})


@given(experiments)
def test_a_kept_experiment_has_not_changed(experiment: Experiment) -> None:
    assert changes(from_dict(json.loads(json.dumps(to_dict(experiment)))), experiment, (*PLAN, *SHOWN)) == []


def test_what_changed_is_named_by_its_key() -> None:
    entry, nb = DatasetEntry.of("d", "path", "d.csv", where="a.yaml:3"), Algorithm("NB", "naive-bayes")
    before = Experiment("e", (entry,), (nb,), path=Path("a.yaml"))
    moved = replace(before, datasets=(replace(entry, where="b.yaml:9"),), path=Path("b.yaml"), predictions=False)
    assert changes(before, moved, (*PLAN, *SHOWN)) == []
    now = replace(moved, datasets=(entry.with_keys(drop=("id",)),), seed=2, auc="declared-pairs", metrics=("error",))
    assert changes(before, now) == ["datasets", "seed", "auc"]
    assert changes(before, now, SHOWN) == ["metrics"]
    assert changes(before, replace(before, algorithms=(replace(nb, params={"estimate": "laplace"}),))) == ["algorithms"]


def test_order_and_place_are_no_change() -> None:
    def at(folder: str) -> Experiment:
        datasets = (DatasetEntry.of("d", "path", f"{folder}/d.csv"), DatasetEntry.of("iris", "catalogue", "iris"))
        columns = Algorithm("NB", "naive-bayes"), Algorithm("LBR", "lbr")
        return Experiment("e", datasets, columns, path=Path(folder) / "a.yaml")

    before, moved = at("/home/one"), at('/home/o"ther é')
    assert changes(before, moved) == []
    assert changes(before, replace(before, datasets=before.datasets[::-1], algorithms=before.algorithms[::-1])) == []
    elsewhere = before.datasets[0].with_keys(location="/home/two/d.csv")
    assert changes(before, replace(before, datasets=(elsewhere, before.datasets[1]))) == ["datasets"]
