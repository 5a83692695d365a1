"""The plan: order, what a key depends on, what is refused before anything runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lazybayes.errors import ConfigError, DataError
from lazybayes.evaluate import plan
from lazybayes.evaluate.plan import survey, surveys, trials, with_known
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Preprocess, Scheme
from lazybayes.learners import registry
from lazybayes.preprocess.bins import VERSIONS
from lazybayes.results.records import Trial

MakeExperiment = Callable[..., Experiment]
BARE = Preprocess(discretize="none")


def planned(experiment: Experiment) -> list[Trial]:
    return list(trials(experiment, surveys(experiment, [entry.name for entry in experiment.datasets])))


def keys(experiment: Experiment) -> list[str]:
    return [trial.key for trial in planned(experiment)]


def test_plan_order_is_data_sets_repeats_folds_algorithms(experiment: MakeExperiment, entry: DatasetEntry) -> None:
    other = dataclasses.replace(entry, name="again")
    exp = experiment(datasets=(entry, other), cv=Scheme(folds=2, repeats=2))
    got = [(trial.dataset.name, trial.repeat, trial.fold, trial.algorithm.name) for trial in planned(exp)]
    want = [(name, r, f, a) for name in ("small", "again") for r in range(2) for f in range(2) for a in ("NB", "TOY")]
    assert got == want
    assert len({trial.key for trial in planned(exp)}) == len(want)


def with_nb(**fields: Any) -> tuple[Algorithm, ...]:
    return (Algorithm(**{"name": "NB", "learner": "naive-bayes", "params": {}, "preprocess": BARE, **fields}),)


def test_labels_and_defaults_written_out_are_not_in_the_key(experiment: MakeExperiment, entry: DatasetEntry) -> None:
    base = keys(experiment(algorithms=with_nb()))
    for same in (
        experiment(algorithms=with_nb(name="other label")),
        experiment(algorithms=with_nb(params={"estimate": "m-estimate"})),
        experiment(algorithms=with_nb(preprocess=Preprocess(discretize="none", bins=7, fit="all-rows"))),
        experiment(algorithms=with_nb(), name="other", metrics=("error",), cll_floor=1e-5, predictions=False),
        experiment(algorithms=with_nb(), datasets=(dataclasses.replace(entry, where="line 7"),)),
        experiment(algorithms=with_nb(), cv=Scheme(folds=3, test=0.1)),
    ):
        assert keys(same) == base
    assert keys(experiment(algorithms=with_nb(), cv=Scheme(folds=3, repeats=4)))[:3] == base


def test_all_that_a_result_depends_on_is_in_the_key(
    experiment: MakeExperiment, entry: DatasetEntry, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = keys(experiment(algorithms=with_nb()))
    others = [
        experiment(algorithms=with_nb(params={"estimate": "laplace"})),
        experiment(algorithms=with_nb(learner="lbr")),
        experiment(algorithms=with_nb(input="ordinal")),
        experiment(algorithms=with_nb(preprocess=Preprocess(impute="mode-mean", discretize="none"))),
        experiment(algorithms=with_nb(preprocess=Preprocess())),
        experiment(algorithms=with_nb(), seed=2),
        experiment(algorithms=with_nb(), cv=Scheme(folds=4)),
        experiment(algorithms=with_nb(), cv=Scheme("holdout")),
        experiment(algorithms=with_nb(), cv=Scheme("holdout", test=0.5)),
        experiment(algorithms=with_nb(), datasets=(dataclasses.replace(entry, name="other"),)),
        experiment(algorithms=with_nb(), datasets=(entry.with_keys(drop=("b",)),)),
        experiment(algorithms=with_nb(preprocess=Preprocess(discretize="equal-width", bins=3))),
        experiment(algorithms=with_nb(preprocess=Preprocess(discretize="equal-width", bins=4))),
        experiment(algorithms=with_nb(preprocess=Preprocess(discretize="equal-width", bins=4, fit="all-rows"))),
        experiment(algorithms=with_nb(preprocess=Preprocess(discretize="equal-frequency", bins=4))),
    ]
    found = [key for other in others for key in keys(other)]
    monkeypatch.setitem(VERSIONS, "equal-frequency", 99)
    found += keys(others[-1])
    folds = tmp_path / "folds.csv"
    for row in (1, 2):
        folds.write_text(f"repeat,fold,index\n0,0,{row}\n", encoding="utf-8")
        found += keys(experiment(algorithms=with_nb(), cv=Scheme("folds-file", path=str(folds))))
    data.write_text(data.read_text(encoding="utf-8") + "x,s,n\n", encoding="utf-8")
    found += keys(experiment(algorithms=with_nb()))
    monkeypatch.setattr(registry, "version", lambda learner: "next")
    found += keys(experiment(algorithms=with_nb()))
    monkeypatch.setattr(plan, "STORE_FORMAT", 99)
    found += keys(experiment(algorithms=with_nb()))
    assert len({*base, *found}) == len(base) + len(found)


def numeric(folder: Path, name: str = "measures") -> DatasetEntry:
    path = folder / f"{name}.csv"
    path.write_text("long,kind,wide,class\n" + "1.5,a,2,n\n2.5,b,3,p\n3.5,a,4,n\n4.5,b,5,p\n", encoding="utf-8")
    return DatasetEntry.of(name, "path", str(path), target="class", where="conf.yaml, line 3: datasets[0]")


def test_a_numeric_column_for_a_nominal_learner_is_refused_by_name(tmp_path: Path, experiment: MakeExperiment) -> None:
    exp = experiment(
        datasets=(numeric(tmp_path),),
        algorithms=(
            *with_nb(),
            *with_nb(name="GAUSS", params={"numeric": "gaussian"}),
            *with_nb(name="MDL", preprocess=Preprocess()),
            Algorithm("TREE", "sklearn.tree.DecisionTreeClassifier", {}, BARE),
        ),
        cv=Scheme(folds=2),
    )
    with pytest.raises(ConfigError) as problem:
        survey(exp, exp.datasets[0])
    (message,) = problem.value.problems
    assert message.startswith("conf.yaml, line 3: datasets[0]: data set measures: numeric attributes long, wide under")
    assert "algorithm NB (naive-bayes) accepts only nominal attributes" in message
    for way in ("discretize for all", "`preprocess: {discretize: mdl}`", "`numeric: gaussian`", "drop"):
        assert way in message


def test_all_that_is_wrong_with_the_data_is_told_at_once(
    tmp_path: Path, experiment: MakeExperiment, entry: DatasetEntry
) -> None:
    missing = DatasetEntry.of("gone", "path", str(tmp_path / "gone.csv"), target="class")
    exp = experiment(datasets=(missing, numeric(tmp_path), entry), algorithms=with_nb(), cv=Scheme(folds=24))
    with pytest.raises(DataError) as problem:
        surveys(exp, ["gone", "measures", "small"])
    message = str(problem.value)
    assert "gone.csv" in message
    assert "numeric attributes long, wide" in message
    assert "24 folds of 23 rows" in message


def test_a_data_set_that_is_not_selected_is_not_loaded(
    tmp_path: Path, experiment: MakeExperiment, entry: DatasetEntry
) -> None:
    other = numeric(tmp_path)
    exp = experiment(datasets=(other, entry), algorithms=with_nb(preprocess=Preprocess()))
    both = surveys(exp, ["measures", "small"])
    Path(other.source.location).unlink()
    assert with_known(exp, surveys(exp, ["small"]), both) == both  # what is known of it holds
    assert list(surveys(exp, ["small"])) == ["small"]
    changed = dataclasses.replace(exp, cv=Scheme(folds=4))
    assert list(with_known(changed, surveys(changed, ["small"]), both)) == ["small"]


@pytest.mark.parametrize(
    ("learner", "types", "words"),
    [
        ("naive-bayes", {"a": "string"}, "text attribute a, but algorithm T (naive-bayes) does not accept documents"),
        ("text-naive-bayes", {}, "attributes a, b and no text, but algorithm T (text-naive-bayes) accepts only"),
        ("text-naive-bayes", {"a": "string"}, "attribute b beside the text, but algorithm T (text-naive-bayes)"),
        (
            "text-naive-bayes",
            {"a": "string", "b": "string"},
            "text attributes a, b; a document is one attribute: drop the others",
        ),
        ("toy_learners.Frequencies", {"b": "string"}, "(toy_learners.Frequencies) does not accept documents"),
    ],
)
def test_documents_are_for_learners_of_documents(
    experiment: MakeExperiment, entry: DatasetEntry, learner: str, types: dict[str, str], words: str
) -> None:
    entry = entry.with_keys(types=types, where="c.yaml, line 2")
    with pytest.raises(ConfigError) as caught:
        survey(experiment(algorithms=(Algorithm("T", learner, {}, BARE),)), entry)
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].startswith("c.yaml, line 2: data set small: ")
    assert words in caught.value.problems[0]


def test_one_message_names_all_that_take_no_documents(experiment: MakeExperiment, tmp_path: Path) -> None:
    """Foreign estimators as well; for a folder of documents there is nothing to drop and no type to give."""
    for label in "xy":
        (tmp_path / "docs" / label).mkdir(parents=True)
        (tmp_path / "docs" / label / "1.txt").write_text("some words", encoding="utf-8")
    entry = DatasetEntry.of("docs", "path", str(tmp_path / "docs"), where="c.yaml, line 2")
    learners = {"RF": "sklearn.ensemble.RandomForestClassifier", "NB": "naive-bayes", "T": "text-naive-bayes"}
    algorithms = tuple(Algorithm(name, learner, {}, Preprocess()) for name, learner in learners.items())
    with pytest.raises(ConfigError) as caught:
        survey(experiment(algorithms=algorithms), entry)
    assert caught.value.problems == [
        "c.yaml, line 2: data set docs: text attribute text, but algorithms RF "
        "(sklearn.ensemble.RandomForestClassifier), NB (naive-bayes) do not accept documents: use text-naive-bayes"
    ]


def test_documents_alone_are_taken(experiment: MakeExperiment, entry: DatasetEntry) -> None:
    entry = entry.with_keys(types={"a": "string"}, drop=("b",))
    found = survey(experiment(algorithms=(Algorithm("T", "text-naive-bayes", {}, Preprocess()),)), entry)
    assert (found.n_rows, found.n_nominal, found.n_numeric, found.missing_cells) == (23, 0, 0, 1)
