"""The registry against the design's table of learners; what is wrong with a learner is said with what is near."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

import lazybayes
from lazybayes.counts.estimates import parse_estimate
from lazybayes.learners import registry
from lazybayes.learners.base import Learner
from lazybayes.learners.parameters import EstimateOf, OneOf, Optional, Parameters, Whole
from lazybayes.learners.registry import accepts, check, defaults, learner_class, make, names, resolve, version
from tests.drawn import as_classes, as_rows
from tests.learners import contract
from tests.references import Data

ROWS = Data((2, 3), 2, ((0, 0), (1, 2), (1, None), (0, 1), (0, 0)), (0, 1, 1, 0, 1))


# --- the contract


def test_the_copy_of_the_contract_is_the_design(shared: Path) -> None:
    design = (shared / "DESIGN.md").read_text(encoding="utf-8")
    changed = design
    for words, now in contract.CHANGES.items():
        assert words in design
        changed = changed.replace(words, now)
    assert contract.TABLE.strip() in changed
    assert f"Later: {', '.join(contract.LATER)}." in design
    assert "`estimate` defaults to `{kind: m-estimate, m: 2, prior: marginal}` with `class_prior: laplace`" in design


def test_the_contract_is_read_as_it_is_meant() -> None:
    entries = contract.ENTRIES
    assert len(entries) == 18
    assert entries["naive-bayes"].parameters == {
        "estimate": contract.DEFAULT_ESTIMATE,
        "class_prior": "laplace",
        "numeric": "none",
    }
    assert entries["naive-bayes"].options["numeric"] == ("none", "gaussian")
    assert entries["lbr"].parameters == {"estimate": contract.DEFAULT_ESTIMATE, "alpha": 0.05}
    assert entries["lazy-tree"].parameters == {}
    assert entries["bsej"].parameters == {**entries["bse"].parameters, "ties": "first"}
    assert entries["c45"].parameters["prune"] is True
    assert entries["semi-lazy-tan"].parameters == {
        "edge_score": "cmi",
        "estimate": {"kind": "friedman", "N0": 5.0},
        "direction": "paper",
        "weight": "joint",
        "value_weight": "printed",
        "chain": "directed",
    }
    assert entries["bagging"].parameters == {"base": contract.REQUIRED, "bags": 10}


def test_every_learner_is_in_the_contract() -> None:
    assert {"naive-bayes", "lbr"} <= set(names())
    assert set(names()) <= {*contract.ENTRIES, *contract.LATER}


@pytest.mark.parametrize("name", [name for name in names() if name in contract.ENTRIES])
def test_parameters_and_defaults_are_those_of_the_contract(name: str) -> None:
    entry, found = contract.ENTRIES[name], defaults(name)
    assert list(found) == list(learner_class(name).parameters)  # a rule for each parameter, in order
    assert set(found) - {"random_state"} == set(entry.parameters)
    assert check(name, {key: value for key, value in found.items() if value is not inspect.Parameter.empty}) == []
    for key, default in entry.parameters.items():
        rule = learner_class(name).parameters[key]
        if default is contract.REQUIRED:
            assert found[key] in (inspect.Parameter.empty, None)
            continue
        inner = rule.rule if isinstance(rule, Optional) else rule
        if key in entry.options:
            assert isinstance(inner, OneOf)
            assert inner.names == entry.options[key]
        if found[key] is None:  # as the contract says, unless another parameter decides
            assert isinstance(rule, Optional)
            np.testing.assert_array_equal(answers(name, {}), answers(name, {key: default}))
        elif isinstance(inner, EstimateOf):
            assert parse_estimate(found[key]) == parse_estimate(default)
        else:
            assert found[key] == default
            assert type(found[key]) is type(default)


def answers(name: str, params: dict[str, Any]) -> Any:
    return make(name, contract.given(name) | params).fit(as_rows(ROWS), as_classes(ROWS)).answer(as_rows(ROWS)).proba


@pytest.mark.parametrize("name", [name for name in names() if name in contract.ENTRIES])
def test_what_a_learner_accepts_is_that_of_the_contract(name: str) -> None:
    found = accepts(name, contract.given(name))
    assert found <= {"nominal", "numeric", "documents"}
    if contract.ENTRIES[name].accepts == "nominal; numeric with gaussian":
        assert found == {"nominal"}
        assert accepts(name, {"numeric": "none"}) == {"nominal"}
        assert accepts(name, {"numeric": "gaussian"}) == {"nominal", "numeric"}
    elif contract.ENTRIES[name].accepts != "as base":
        assert found == set(contract.ENTRIES[name].accepts.split(", "))


def test_every_learner_module_is_registered() -> None:
    """A learner that is written but cannot be named would be a dead one."""

    def below(cls: type) -> list[type]:
        return [cls, *(sub for child in cls.__subclasses__() for sub in below(child))]

    for name in names():
        assert issubclass(learner_class(name), Learner)
    concrete = {
        cls for cls in below(Learner) if cls.__module__.startswith("lazybayes.") and not inspect.isabstract(cls)
    }
    reachable = {parent for name in names() for parent in learner_class(name).__mro__}
    assert concrete <= reachable


@pytest.mark.parametrize("name", names())
def test_every_learner_is_imported_from_the_package(name: str) -> None:
    """As `lazybayes learners show` says."""
    assert getattr(lazybayes, learner_class(name).__name__) is learner_class(name)


# --- names and parameters


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        ("naive_bayes", ["'naive_bayes'", "did you mean naive-bayes", "lbr", "scikit-learn"]),
        ("LBR", ["'LBR'", "did you mean lbr"]),
        ("naivebayes", ["did you mean naive-bayes"]),
        ("random-forest", ["'random-forest'", "naive-bayes", "dotted path"]),
        ("", ["''", "naive-bayes"]),
    ],
)
def test_an_unknown_learner(learner: str, words: list[str]) -> None:
    ((parameter, message),) = check(learner, {"anything": 1})
    assert parameter == ""
    assert all(word in message for word in words), message
    with pytest.raises(ValueError, match="allowed: naive-bayes, lbr"):
        make(learner, {})


def test_all_problems_at_once() -> None:
    problems = dict(check("lbr", {"estimat": "laplace", "alpha": 2, "estimate": {"kind": "m-estimate", "M": 1}, 3: 4}))
    assert list(problems) == ["estimat", "alpha", "estimate", 3]
    assert "did you mean estimate" in problems["estimat"]
    assert "allowed: estimate, alpha" in problems["estimat"]
    assert "2 is not allowed; allowed: a number, 0 <= x < 1" in problems["alpha"]
    assert "did you mean m" in problems["estimate"]
    with pytest.raises(ValueError, match=r"estimat.*alpha|2 is not allowed"):
        make("lbr", {"estimat": "laplace", "alpha": 2})


@pytest.mark.parametrize("name", names())
def test_a_misspelt_parameter_of_any_learner(name: str) -> None:
    for key in defaults(name):
        ((parameter, message),) = check(name, {f"{key}s": 1})
        assert parameter == f"{key}s"
        assert f"did you mean {key}" in message
    ((_, message),) = check(name, {"no_such_thing": 1})
    assert name in message
    assert "allowed:" in message


def test_an_unknown_learner_has_no_class() -> None:
    with pytest.raises(KeyError):
        learner_class("no-learner")


@pytest.mark.parametrize(
    ("word", "name"),
    [("clltree", "cll-tree"), ("nbtree", "nb-tree"), ("lazydt", "lazy-tree"), ("NaiveBayes", "naive-bayes")],
)
def test_names_that_people_try_are_suggested_and_not_accepted(word: str, name: str) -> None:
    ((_, message),) = registry.check(word, {})
    assert f"'{word}' is not a learner (did you mean {name}?)" in message
    assert "did you mean" not in registry.check("nonsense", {})[0][1]


def test_the_former_name_of_the_edge_score_is_answered_with_the_new_one() -> None:
    for name in ("tan", "hocp-tan", "semi-lazy-tan"):
        ((parameter, message),) = registry.check(name, {"score": "bayes"})
        assert parameter == "score"
        assert "did you mean edge_score?" in message


# --- what a result depends on


@pytest.mark.parametrize("name", names())
def test_resolved_is_the_same_however_it_is_written(name: str) -> None:
    full = resolve(name, contract.given(name))
    assert json.loads(json.dumps(full)) == full
    assert list(full) == list(defaults(name))
    assert resolve(name, {key: value for key, value in full.items() if value is not None}) == full


def test_resolved_tells_different_parameters_apart() -> None:
    assert resolve("lbr", {"estimate": "m-estimate"}) == resolve("lbr", {"estimate": {"kind": "m-estimate", "m": 2}})
    assert resolve("lbr", {}) == {"estimate": {"kind": "m-estimate", "m": 2.0, "prior": "marginal"}, "alpha": 0.05}
    assert resolve("lbr", {"estimate": {"kind": "m-estimate", "m": 1}}) != resolve("lbr", {})
    assert resolve("lbr", {"alpha": 0.01})["alpha"] == 0.01
    prior = {"kind": "m-estimate", "prior": {"yes": 0.25, "no": 0.75}}
    assert resolve("naive-bayes", {"estimate": prior})["estimate"]["prior"] == {"yes": 0.25, "no": 0.75}


@pytest.mark.parametrize("name", names())
def test_versions_are_texts_of_whole_numbers(name: str) -> None:
    assert int(version(name)) >= 1


@pytest.mark.parametrize("name", names())
def test_what_can_be_shown_of_a_learner_is_there(name: str) -> None:
    cls = learner_class(name)
    assert cls.__doc__
    assert cls.paper
    assert cls.missing
    assert all(rule.describe() for rule in cls.parameters.values())
    explained = "".join(base.__doc__ or "" for base in cls.__mro__)
    for key in defaults(name):
        assert f"{key} :" in explained, f"the docstring of {cls.__name__} does not explain {key}"


@pytest.mark.parametrize("name", contract.NOMINAL)
def test_diagnostics_told_are_those_promised(name: str) -> None:
    answer = make(name, contract.given(name)).fit(as_rows(ROWS), as_classes(ROWS)).answer(as_rows(ROWS))
    promised = set(learner_class(name).diagnostics)
    told = set(answer.diagnostics)
    assert promised <= told
    assert {key for key in told - promised if not key.startswith("rules_of_")} == set()
    assert promised <= set(registry.diagnostics())
    assert all(isinstance(value, float) and np.isfinite(value) for value in answer.diagnostics.values())
    assert all(len(value) == len(as_rows(ROWS)) for value in answer.row_diagnostics.values())


@pytest.mark.parametrize("name", names())
def test_the_examples_of_the_docstrings_run(name: str) -> None:
    cls = learner_class(name)
    module = importlib.import_module(cls.__module__)
    examples = doctest.DocTestFinder(recurse=False).find(cls, module=module, globs=vars(module).copy())
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert sum(doctest.DocTestRunner(optionflags=flags).run(example).failed for example in examples) == 0


# --- seeds


class Coin(Learner):
    """A learner with a random state of its own."""

    parameters: ClassVar[Parameters] = {"random_state": Optional(Whole(0), "drawn anew")}

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state


def test_a_seed_goes_to_a_random_state_that_was_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.LEARNERS, "coin", f"{__name__}:Coin")  # type: ignore[arg-type]
    assert make("coin", {}, seed=5).random_state == 5  # type: ignore[attr-defined]
    assert make("coin", {"random_state": 3}, seed=5).random_state == 3  # type: ignore[attr-defined]
    assert make("coin", {}).random_state is None  # type: ignore[attr-defined]
    assert not hasattr(make("naive-bayes", {}, seed=5), "random_state")


def test_numbers_a_class_reach_the_learner_by_name() -> None:
    X = pd.DataFrame({"a": pd.Categorical(["x", "y"])})
    estimate = {"kind": "m-estimate", "prior": {"no": 0.1, "yes": 0.9}}
    y = pd.Categorical(["yes", "no"], ["yes", "no"])
    learner = make("naive-bayes", {"estimate": estimate})
    assert learner.fit(X, y).answer(X).proba[0, 0] == pytest.approx((1 + 1.8) / (1 + 1.8 + 0.2))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"maybe.*yes"):
        make("naive-bayes", {"estimate": {"kind": "m-estimate", "prior": {"maybe": 1.0}}}).fit(X, y)  # type: ignore[arg-type]


# --- what a learner declares


@pytest.mark.parametrize("name", names())
def test_a_learner_declares_what_it_can_tell(name: str) -> None:
    cls = learner_class(name)
    assert cls.explains == hasattr(cls, "explain")
    assert cls.has_telling_words == hasattr(cls, "telling_words")


def test_the_code_of_a_learner_inside_another_counts() -> None:
    assert registry.is_foreign("sklearn.naive_bayes.CategoricalNB", {})
    for base in ("sklearn.naive_bayes.CategoricalNB", {"learner": "sklearn.naive_bayes.CategoricalNB"}):
        assert registry.is_foreign("bagging", {"base": base})
        assert registry.is_foreign("bagging", {"base": {"learner": "bagging", "base": base}})
    assert not registry.is_foreign("bagging", {"base": {"learner": "c45", "prune": False}})
    assert not registry.is_foreign("naive-bayes", {})
