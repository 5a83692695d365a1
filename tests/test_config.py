"""Configs: what DESIGN.md's keys mean, and one clear message for each thing that can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lazybayes import config, resources, vocabulary
from lazybayes.config import load_config
from lazybayes.errors import ConfigError
from lazybayes.experiment import Algorithm, Experiment, Preprocess, Scheme, TableSpec
from lazybayes.metrics.registry import METRICS

DATA = "a,class\nx,n\ny,p\n"
TOP = {"datasets": "[{path: data.csv, target: class}]", "algorithms": "{NB: naive-bayes, LBR: lbr}"}
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a config beside data.csv: a text, or keys that stand beside (or instead of) the needed ones."""

    def to_file(source: str = "", **keys: str) -> Path:
        (tmp_path / "data.csv").write_text(DATA)
        path = tmp_path / "config.yaml"
        path.write_text(source or "".join(f"{key}: {value}\n" for key, value in {**TOP, **keys}.items()))
        return path

    return to_file


def problems_of(path: Path) -> list[str]:
    """The problems of a config without the file's name."""
    with pytest.raises(ConfigError) as caught:
        load_config(str(path))
    return [problem.removeprefix(f"{path}, ").removeprefix(f"{path}: ") for problem in caught.value.problems]


# --- what a config means


def test_defaults(write: Write, tmp_path: Path) -> None:
    read = load_config(str(write()))
    assert read.name == "config"
    assert read.path == tmp_path / "config.yaml"
    assert read.cv == Scheme("stratified-k-fold", folds=10, repeats=1)
    assert read.preprocess == Preprocess("none", "mdl", 10, "training-fold")
    assert read.algorithms == (Algorithm("NB", "naive-bayes"), Algorithm("LBR", "lbr"))
    assert (read.seed, read.predictions, read.cll_floor, read.auc) == (1, True, 1e-10, "present-pairs")
    assert read.metrics == ("error", "cll", "auc")
    assert read.tables == (TableSpec("error"), TableSpec("cll"), TableSpec("auc"))


def test_the_design_s_example(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "my.arff").write_text("@relation r\n@attribute class {a}\n@data\na\n")
    path = tmp_path / "e.yaml"
    path.write_text(
        """
name: my-experiment
datasets:
  - tic-tac-toe                                   # a catalogue name
  - {path: data/my.arff, target: class, drop: [id]}   # relative to the config file
  - {openml: 61}
preprocess:
  impute: none              # none | mode-mean
  discretize: mdl           # mdl | equal-width | equal-frequency | none, or {method: equal-width, bins: 10}
  fit: training-fold        # training-fold | all-rows (leaks; for reproductions that did so)
algorithms:                 # the names are the columns of the tables
  NB:  naive-bayes
  NBL: {learner: naive-bayes, estimate: laplace}
  LBR: {learner: lbr, estimate: {kind: m-estimate, m: 2, prior: marginal}}
  RF:  {learner: sklearn.ensemble.RandomForestClassifier, n_estimators: 100}
cv: {scheme: stratified-k-fold, folds: 10, repeats: 2}    # leave-one-out | holdout | resubstitution | folds-file
seed: 1
metrics: [error, cll, auc]
tables:
  - {metric: error, baseline: LBR, tests: [sign, paired-t]}
"""
    )
    read = load_config(str(path))
    assert read.name == "my-experiment"
    assert [(entry.name, entry.source.kind, entry.source.location) for entry in read.datasets] == [
        ("tic-tac-toe", "catalogue", "tic-tac-toe"),
        ("my", "path", str(tmp_path / "data" / "my.arff")),
        ("openml-61", "openml", "61"),
    ]
    assert (read.datasets[1].selection.target, read.datasets[1].selection.drop) == ("class", ("id",))
    assert read.datasets[1].where == f"{path}, line 5: datasets[1]"
    assert [(algorithm.name, algorithm.learner, algorithm.params) for algorithm in read.algorithms] == [
        ("NB", "naive-bayes", {}),
        ("NBL", "naive-bayes", {"estimate": "laplace"}),
        ("LBR", "lbr", {"estimate": {"kind": "m-estimate", "m": 2, "prior": "marginal"}}),
        ("RF", "sklearn.ensemble.RandomForestClassifier", {"n_estimators": 100}),
    ]
    assert read.cv == Scheme("stratified-k-fold", folds=10, repeats=2)
    assert read.tables == (TableSpec("error", "LBR", ("sign", "paired-t")),)


@pytest.mark.parametrize(
    ("source", "scheme"),
    [
        ("{}", Scheme()),
        ("{folds: 3}", Scheme(folds=3)),
        ("{scheme: leave-one-out}", Scheme("leave-one-out")),
        ("{scheme: resubstitution}", Scheme("resubstitution")),
        ("{scheme: holdout}", Scheme("holdout", test=1 / 3)),
        ("{scheme: holdout, test: 0.3334, repeats: 1e1}", Scheme("holdout", test=0.3334, repeats=10)),
    ],
)
def test_schemes(write: Write, source: str, scheme: Scheme) -> None:
    assert load_config(str(write(cv=source))).cv == scheme


def test_a_folds_file_is_found_beside_the_config(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folds.csv").write_text("repeat,fold,index\n")
    path = write(cv="{scheme: folds-file, path: ./folds.csv}")
    monkeypatch.chdir(tmp_path.parent)
    relative = f"{tmp_path.name}/config.yaml"
    for called in (str(path), relative):
        read = load_config(called)
        assert read.cv == Scheme("folds-file", path=str(tmp_path / "folds.csv"))
        assert read.datasets[0].source.location == str(tmp_path / "data.csv")


def test_csv_keys(write: Write) -> None:
    entry = (
        "{path: data.csv, name: mine, target: '01', drop: [NO, 1234567890123456789], types: {a: nominal, b: numeric},"
        ' missing: ["", NA, -999], header: false, columns: [a, b, 01], separator: "\\t", encoding: latin-1}'
    )
    (read,) = load_config(str(write(datasets=f"[{entry}]"))).datasets
    assert (read.name, read.selection.target, read.selection.drop) == ("mine", "01", ("NO", "1234567890123456789"))
    assert read.selection.types == {"a": "nominal", "b": "numeric"}
    assert read.selection.missing == ("", "NA", "-999")
    form = read.reading
    assert (form.header, form.columns, form.separator, form.encoding) == (False, ("a", "b", "01"), "\t", "latin-1")


@pytest.mark.parametrize("written", [r'"\t"', r"'\t'", r"\t"])
def test_a_tab_however_it_is_quoted(write: Write, written: str) -> None:
    (read,) = load_config(str(write(datasets=f"[{{path: data.csv, separator: {written}}}]"))).datasets
    assert read.reading.separator == "\t"


def test_generated_data_sets_have_options(write: Write) -> None:
    source = "[{generate: led24, rows: 1e2, noise: 0.2, name: small}, {catalogue: led24, rows: 50, target: Class}]"
    made, named = load_config(str(write(datasets=source))).datasets
    assert (made.name, made.source.kind, made.source.location) == ("small", "generate", "led24")
    assert made.source.options == {"rows": 100, "noise": 0.2}
    assert (named.name, named.source.kind, named.selection.target) == ("led24", "catalogue", "Class")
    assert named.source.options == {"rows": 50}


def test_an_algorithm_overrides_the_keys_of_preprocess_that_it_names(write: Write) -> None:
    read = load_config(
        str(
            write(
                preprocess="{impute: mode-mean, discretize: {method: equal-frequency, bins: 5}, fit: all-rows}",
                algorithms=(
                    "{A: naive-bayes, B: {learner: naive-bayes, numeric: gaussian, preprocess: {discretize: none}},"
                    " C: {learner: lbr, preprocess: {discretize: equal-width, fit: training-fold}}}"
                ),
            )
        )
    )
    assert [algorithm.preprocess for algorithm in read.algorithms] == [
        Preprocess("mode-mean", "equal-frequency", 5, "all-rows"),
        Preprocess("mode-mean", "none", 10, "all-rows"),
        Preprocess("mode-mean", "equal-width", 10, "training-fold"),
    ]
    assert read.algorithms[1].params == {"numeric": "gaussian"}


def test_a_foreign_estimator_has_an_input_and_any_values(write: Write) -> None:
    algorithm = "{learner: sklearn.tree.DecisionTreeClassifier, input: ordinal, max_depth: null, class_weight: {0: 2}}"
    (read,) = load_config(str(write(algorithms=f"{{DT: {algorithm}}}"))).algorithms
    assert read.input == "ordinal"
    assert read.params == {"max_depth": None, "class_weight": {"0": 2}}


def test_merge_keys_share_parameters(write: Write) -> None:
    source = "{A: &a {learner: naive-bayes, estimate: laplace}, B: {<<: *a, class_prior: frequency}}"
    read = load_config(str(write(algorithms=source)))
    assert read.algorithms[1] == Algorithm("B", "naive-bayes", {"estimate": "laplace", "class_prior": "frequency"})


names = st.text("abcxyz0123456789-_. äß", min_size=1, max_size=20).filter(lambda name: name.strip(" ."))
metrics = st.lists(st.sampled_from(list(METRICS)), min_size=1, unique=True)
tests = st.lists(st.sampled_from(list(config.TESTS)), unique=True)
bins = st.tuples(st.sampled_from(vocabulary.BINNERS), st.integers(2, 99))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.data())
def test_what_is_written_is_read(write: Write, data: st.DataObject) -> None:
    draw = data.draw
    method, number = draw(bins)
    algorithms = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    said: dict[str, Any] = {
        "name": draw(names).strip(),
        "datasets": [{"path": "data.csv", "name": name} for name in draw(st.lists(names, min_size=1, unique=True))],
        "preprocess": {
            "impute": draw(st.sampled_from(vocabulary.IMPUTATIONS)),
            "discretize": {"method": method, "bins": number},
            "fit": draw(st.sampled_from(vocabulary.FIT_ROWS)),
        },
        "algorithms": {name: {"learner": "naive-bayes", "estimate": "laplace"} for name in algorithms},
        "cv": {"folds": draw(st.integers(2, 10**6)), "repeats": draw(st.integers(1, 10**4))},
        "seed": draw(st.integers(0, 2**70)),
        "metrics": draw(metrics),
        "tables": [{"metric": metric, "baseline": algorithms[0], "tests": draw(tests)} for metric in draw(metrics)],
        "predictions": True,
        "cll_floor": draw(st.floats(1e-300, 0.5)),
        "auc": draw(st.sampled_from(vocabulary.AUC_RULES)),
    }
    order = draw(st.permutations(list(said)))
    read = load_config(str(write(json.dumps({key: said[key] for key in order}, ensure_ascii=False))))
    assert read == Experiment(
        name=said["name"],
        datasets=read.datasets,
        algorithms=tuple(
            Algorithm(name, "naive-bayes", {"estimate": "laplace"}, read.preprocess) for name in algorithms
        ),
        cv=Scheme("stratified-k-fold", said["cv"]["folds"], said["cv"]["repeats"]),
        preprocess=Preprocess(said["preprocess"]["impute"], method, number, said["preprocess"]["fit"]),
        seed=said["seed"],
        metrics=tuple(said["metrics"]),
        tables=tuple(TableSpec(table["metric"], table["baseline"], tuple(table["tests"])) for table in said["tables"]),
        cll_floor=said["cll_floor"],
        auc=said["auc"],
        path=read.path,
    )
    assert [entry.name for entry in read.datasets] == [entry["name"] for entry in said["datasets"]]


# --- what can be wrong


def test_an_exponent_needs_no_point(write: Write) -> None:
    read = load_config(
        str(write(algorithms="{NB: {learner: naive-bayes, estimate: {kind: m-estimate, m: 2e0}}}", seed="1e3"))
    )
    assert read.seed == 1000
    assert read.algorithms[0].params["estimate"]["m"] == 2


def test_a_tab_is_named_with_its_line(write: Write) -> None:
    source = "name: t\ndatasets:\n\t- {path: data.csv, target: class}\nalgorithms: {NB: naive-bayes}\n"
    assert problems_of(write(source)) == ["line 3: a tab indents this line; YAML allows only spaces there"]


def test_trailing_tabs_are_legal(write: Write) -> None:
    source = "name: t\t# a tab\ndatasets:\n  - {path: data.csv}\nalgorithms:\n  NB: {learner: naive-bayes}\t\n"
    assert load_config(str(write(source))).name == "t"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("cv", "{scheme: stratified-k-fold, fold: 3}", "cv.fold: unknown key of stratified-k-fold"),
        ("algorithms", "{NB: naive_bayes}", "algorithms.NB: 'naive_bayes'"),
        ("algorithms", "{NB: {learner: naive-bayes, estimat: laplace}}", "algorithms.NB.estimat: 'estimat'"),
        ("algorithms", "{NB: {lerner: naive-bayes}}", "algorithms.NB: no learner is named"),
        ("metrics", "[eror]", "metrics[0]: 'eror' is unknown"),
        ("preprocess", "{imput: none}", "preprocess.imput: unknown key"),
        ("preprocess", "{discretize: mld}", "preprocess.discretize: 'mld' is unknown"),
        ("preprocess", "{discretize: {methd: mdl}}", "preprocess.discretize.methd: unknown key"),
        ("tables", "[{metric: error, baselin: NB}]", "tables[0].baselin: unknown key"),
        ("tables", "[{metric: error, baseline: LBRR, tests: [sign]}]", "tables[0].baseline: 'LBRR' is unknown"),
        ("tables", "[{metric: error, baseline: NB, tests: [sing]}]", "tables[0].tests[0]: 'sing' is unknown"),
        ("datasets", "[tictactoe]", "datasets[0]: the catalogue has no data set 'tictactoe'"),
        ("datasets", "[{path: dat.csv}]", "datasets[0].path: "),
        ("datasets", "[{pth: data.csv}]", "datasets[0]: no source of the data is given"),
        ("datasets", "[{path: data.csv, traget: class}]", "datasets[0].traget: unknown key of a data set by path"),
        ("datasets", "[{generate: led42}]", "datasets[0].generate: "),
        ("datasets", "[{generate: led24, rws: 5}]", "datasets[0].rws: "),
        ("datasets", "[{generate: led24, traget: Class}]", "datasets[0].traget: "),
        ("auc", "present-pair", "auc: 'present-pair' is unknown"),
        ("predictions", "ture", "predictions: 'ture' is not allowed; true or false is expected"),
    ],
)
def test_every_misspelling_has_its_place_and_a_hint(write: Write, key: str, value: str, message: str) -> None:
    (problem,) = problems_of(write(**{key: value}))
    line = list(TOP).index(key) + 1 if key in TOP else len(TOP) + 1
    assert problem.startswith(f"line {line}: {message}")
    assert "(did you mean " in problem


@given(st.data())
def test_every_misspelt_top_level_key_is_reported_with_the_nearest(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from([key for key in config.KEYS if len(key) > 2]))
    place = data.draw(st.integers(0, len(key) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    wrong = data.draw(
        st.sampled_from(
            [
                key[:place] + key[place + 1 :],
                key[:place] + letter + key[place:],
                key[:place] + letter + key[place + 1 :],
            ]
        ).filter(lambda word: word not in config.KEYS)
    )
    path = tmp_path_factory.getbasetemp() / "misspelt.yaml"
    (path.parent / "data.csv").write_text(DATA)
    lines = [f"{name}: {value}" for name, value in TOP.items() if name != key]
    path.write_text("\n".join([*lines, f"{wrong}: 1"]))
    (problem,) = problems_of(path)
    assert problem.startswith(f"line {len(lines) + 1}: {wrong}: unknown key; allowed: ")
    assert problem.endswith(f" (did you mean {key}?)")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("name", "a/b", "name: 'a/b' cannot name a folder"),
        ("name", "..", "name: '..' cannot name a folder"),
        ("name", '" a"', "name: ' a' cannot name a folder"),
        ("name", '"a\\tb"', "name: 'a\tb' cannot name a folder"),
        ("name", "a" * 101, f"name: '{'a' * 101}' cannot name a folder"),
        ("name", "", "name: no value is given; text is expected"),
        ("datasets", "[]", "datasets: the list has 0 entries; at least 1 expected"),
        ("datasets", "data.csv", "datasets: 'data.csv' is not allowed; a list, like [data.csv], is expected"),
        ("cv", "{scheme: folds-file, path: .}", "this is a folder; a file is expected"),
        ("datasets", "[{path: data.csv, openml: 61}]", "datasets[0]: path and openml stand together; one of"),
        ("datasets", "[{openml: iris}]", "datasets[0].openml: 'iris' is not allowed; a whole number at least 1"),
        ("datasets", "[{openml: 61, header: true}]", "datasets[0].header: unknown key of a data set by openml"),
        ("datasets", "[data.csv]", "; a file is given as {path: data.csv}"),
        ("datasets", "[{path: data.csv, drop: id}]", "drop: 'id' is not allowed; a list, like [id], is expected"),
        ("datasets", "[{path: data.csv, drop: [a, a]}]", "drop[1]: 'a' stands twice in the list"),
        ("datasets", "[{path: data.csv, types: {a: date}}]", "types.a: 'date' is unknown; allowed: nominal, numeric"),
        (
            "datasets",
            "[{path: data.csv, separator: tab}]",
            "separator: 'tab' is not allowed; one character is expected",
        ),
        ("datasets", "[{path: data.csv, encoding: latin-0}]", "encoding: 'latin-0' is unknown; examples are utf-8"),
        ("datasets", "[{path: data.csv, header: no}]", "header: 'no' is not allowed; true or false is expected"),
        ("datasets", "[{generate: led24, rows: -1}]", "datasets[0].rows: "),
        ("datasets", "[{generate: led24, types: {a: nominal}}]", "datasets[0].types: "),
        ("datasets", "[{catalogue: wine, rows: 5}]", "datasets[0].rows: "),
        ("preprocess", "mdl", "preprocess: 'mdl' is not allowed; a mapping (key: value) is expected"),
        ("preprocess", "{discretize: {method: mdl, bins: 5}}", "preprocess.discretize.bins: mdl has no number of bins"),
        ("preprocess", "{discretize: {method: equal-width, bins: 1}}", "bins: 1 is out of range; a whole number at"),
        ("preprocess", "{discretize: {method: equal-width, bins: 1e9}}", "at least 2 and at most 10000 is expected"),
        ("preprocess", "{discretize: {bins: 5}}", "preprocess.discretize: the key method is missing"),
        ("algorithms", "{}", "algorithms: no algorithm is given"),
        ("algorithms", "[naive-bayes]", "algorithms: a list stands here; a mapping"),
        ("algorithms", "{NB: naive-bayes, NB: lbr}", "algorithms.NB: this key stands already in line 2; give it once"),
        ("algorithms", "{NB: }", "algorithms.NB: no value is given; text is expected"),
        ("algorithms", "{NB: {estimate: laplace}}", "algorithms.NB: no learner is named; `learner: NAME` is expected"),
        ("algorithms", "{NB: {learner: naive-bayes, input: one-hot}}", "algorithms.NB.input: naive-bayes has no input"),
        ("algorithms", "{NB: {learner: naive-bayes, estimate: {kind: m-estimate, m: -1}}}", "algorithms.NB.estimate: "),
        ("algorithms", "{L: {learner: lbr, alpha: 2}}", "algorithms.L.alpha: "),
        ("algorithms", "{L: {learner: nowhere.Learner}}", "algorithms.L.learner: 'nowhere.Learner': cannot import"),
        ("algorithms", '{"": lbr}', "an algorithm has no name"),
        ("cv", "{scheme: leave-one-out, folds: 10}", "cv.folds: unknown key of leave-one-out; allowed: scheme"),
        ("cv", "{scheme: holdout, folds: 10}", "cv.folds: unknown key of holdout; allowed: scheme, test, repeats"),
        ("cv", "{scheme: holdout, test: 1}", "cv.test: 1 is out of range; a number above 0 and below 1 is expected"),
        (
            "cv",
            "{scheme: 10-fold}",
            "cv.scheme: '10-fold' is unknown; allowed: stratified-k-fold, leave-one-out, holdout",
        ),
        ("cv", "{folds: 1}", "cv.folds: 1 is out of range; a whole number at least 2 is expected"),
        ("cv", "{repeats: 0}", "cv.repeats: 0 is out of range; a whole number at least 1 and at most 10000 is"),
        ("cv", "{scheme: holdout, repeats: 1000000}", "cv.repeats: 1000000 is out of range; a whole number at least 1"),
        ("cv", "{scheme: folds-file}", "cv: the key path is missing"),
        ("cv", "{scheme: folds-file, path: f.csv}", "f.csv: there is no such file"),
        ("seed", "-1", "seed: -1 is out of range; a whole number at least 0 is expected"),
        ("seed", "1.5", "seed: 1.5 has a fraction; a whole number is expected"),
        ("seed", "'1'", "seed: '1' is text (it is quoted); a whole number at least 0 is expected (write 1 without"),
        ("seed", "true", "seed: 'true' is not allowed; a whole number at least 0 is expected"),
        ("metrics", "[]", "metrics: the list has 0 entries; at least 1 expected"),
        ("metrics", "error", "metrics: 'error' is not allowed; a list, like [error], is expected"),
        ("metrics", "[error, cll, error]", "metrics[2]: 'error' stands twice in the list; give it once"),
        ("tables", "[{baseline: NB}]", "tables[0]: the key metric is missing"),
        ("tables", "[{metric: error, tests: [sign]}]", "tables[0].tests: no baseline for sign; `baseline"),
        ("tables", "[{metric: error, show: records, baseline: NB}]", "baseline: records of every pair have no"),
        ("tables", "[{metric: error, show: records, tests: [sign]}]", "tests: records of every pair take one"),
        ("tables", "[{metric: error, algorithms: [NB]}]", "tables[0].algorithms: the list has 1 entry; at least 2"),
        ("predictions", "yes", "predictions: 'yes' is not allowed; true or false is expected (did you mean true?)"),
        ("cll_floor", "0", "cll_floor: 0 is out of range; a number above 0 and at most 0.5 is expected"),
        ("cll_floor", "1", "cll_floor: 1 is out of range"),
    ],
)
def test_every_impossible_value_has_one_message(write: Write, key: str, value: str, message: str) -> None:
    (problem,) = problems_of(write(**{key: value}))
    assert message in problem


def test_without_predictions_a_table_needs_one_of_the_metrics(write: Write) -> None:
    keys = {"predictions": "false", "metrics": "[error]"}
    kept = "[{metric: error}, {metric: train-seconds}, {metric: conditions}]"
    assert load_config(str(write(**keys, tables=kept))).predictions is False
    (problem,) = problems_of(write(**keys, tables="[{metric: brier}]"))
    assert problem.endswith(
        "tables[0].metric: brier is not among the metrics, and no predictions are kept to compute it from"
    )


def test_friedman_needs_no_baseline_and_a_table_any_metric(write: Write) -> None:
    read = load_config(str(write(tables="[{metric: brier, tests: [friedman]}, {metric: conditions, baseline: NB}]")))
    assert read.tables == (TableSpec("brier", None, ("friedman",)), TableSpec("conditions", "NB"))


@pytest.mark.parametrize("source", ["- just\n- a list\n", "# nothing\n"])
def test_what_is_no_mapping_is_told_what_is_expected(write: Write, source: str) -> None:
    (problem,) = problems_of(write(source))
    assert "a mapping with the keys datasets and algorithms is expected" in problem


def test_all_problems_come_at_once_in_order(write: Write) -> None:
    source = """name: a/b
datasets:
  - {path: data.csv}
  - {path: gone.csv, drop: id}
  - {path: gone.csv, drop: id}
algoritms: {NB: naive-bayes}
cv: {folds: 1, x: 2}
seed: -1
metrics: [error, zzz]
tables: [{metric: error, baseline: NB, tests: [t]}]
"""
    places = [problem.split(" ")[1] + " " + problem.split(": ")[1] for problem in problems_of(write(source))]
    assert places == [
        "1: name",
        "4: datasets[1].path",
        "4: datasets[1].drop",
        "5: datasets[2].path",
        "5: datasets[2].drop",
        "6: algoritms",
        "7: cv.x",
        "7: cv.folds",
        "8: seed",
        "9: metrics[1]",
        "10: tables[0].tests[0]",
    ]


def test_a_wrong_algorithm_is_still_a_baseline(write: Write) -> None:
    path = write(algorithms="{NB: naive_bayes}", tables="[{metric: error, baseline: NB, tests: [sign]}]")
    assert len(problems_of(path)) == 1


# --- the same data set twice


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("{path: data.csv}", "{path: ./data.csv}", "data.csv is already listed in line 2"),
        ("{path: data.csv}", "{generate: led24, name: data}", "the name data is already listed in line 2"),
        ("wine", "{catalogue: wine, drop: [Ash]}", "the name wine is already listed in line 2"),
        ("{openml: 61}", "{openml: 61}", "the name openml-61 is already listed in line 2"),
    ],
)
def test_a_data_set_twice(write: Write, first: str, second: str, message: str) -> None:
    (problem,) = problems_of(write(f"datasets:\n  - {first}\n  - {second}\nalgorithms: {{NB: naive-bayes}}\n"))
    assert problem == f"line 3: datasets[1]: {message}; leave one out, or give it another `name`"


def test_a_name_of_its_own_makes_two_of_one(write: Write) -> None:
    read = load_config(str(write(datasets="[{path: data.csv}, {path: data.csv, name: again}]")))
    assert [entry.name for entry in read.datasets] == ["data", "again"]


# --- configs by name


def test_quickstart_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quickstart").mkdir()  # a folder is no config
    for name in ("quickstart", "quickstart.yaml"):
        read = load_config(name)
        assert [entry.name for entry in read.datasets] == [
            "tic-tac-toe", "balance-scale", "led24", "waveform-generated", "iris-fisher", "wine",
        ]  # fmt: skip
        assert [algorithm.learner for algorithm in read.algorithms] == ["naive-bayes", "lbr"]
        assert read.cv == Scheme("stratified-k-fold", folds=10, repeats=2)


def test_a_file_comes_before_a_shipped_config(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(name="mine").rename(tmp_path / "quickstart")
    monkeypatch.chdir(tmp_path)
    assert load_config("quickstart").name == "mine"


def test_an_unknown_name_is_told_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.yaml").write_text("")
    (tmp_path / "two.yaml").write_text("")
    monkeypatch.setattr(resources, "shipped", lambda folder: tmp_path)
    monkeypatch.chdir(tmp_path.parent)
    with pytest.raises(ConfigError, match=r"^ones: there is no .* are one, two \(did you mean one\?\)$"):
        load_config("ones")
    for path in ("nowhere/one.yaml", "one.json"):
        with pytest.raises(ConfigError, match=f"^{path}: there is no such file$"):
            load_config(path)


def test_the_cases_of_others_are_read_or_refused_as_they_should_be(shared: Path) -> None:
    """Every config of the shared cases that is right is read; learners of later issues are the only excuse."""
    wrong = {"030-tabs/config", "032-data-set-twice/config"}
    for path in sorted(shared.glob("cases/*/*.yaml")):
        case = f"{path.parent.name}/{path.stem}"
        if case in wrong or (case.startswith("031-")):
            with pytest.raises(ConfigError):
                load_config(str(path))
            continue
        problems: list[str] = []
        try:
            load_config(str(path))
        except ConfigError as error:
            problems = error.problems
        assert all("is not a learner" in problem for problem in problems), case


@pytest.mark.parametrize(
    ("top", "entry", "expected", "form"),
    [
        ("", "naive-bayes", ("none", "mdl"), None),
        ("", "{learner: sklearn.ensemble.RandomForestClassifier}", ("none", "none"), "one-hot"),
        ("", "{learner: sklearn.svm.SVC}", ("mode-mean", "none"), "one-hot"),
        ("", "{learner: sklearn.svm.SVC, preprocess: {discretize: mdl}}", ("mode-mean", "mdl"), "one-hot"),
        ("", "{learner: sklearn.naive_bayes.CategoricalNB}", ("mode-mean", "mdl"), "ordinal"),
        ("", "{learner: lazybayes.learners.lbr.LazyBayesianRules}", ("none", "mdl"), "categorical"),
        ("", "{learner: bagging, base: sklearn.svm.SVC}", ("mode-mean", "none"), None),
        ("", "{learner: bagging, base: {learner: lbr, alpha: 0.1}}", ("none", "mdl"), None),
        ("preprocess: {impute: none}", "{learner: sklearn.svm.SVC}", ("none", "mdl"), "one-hot"),
        ("preprocess: {discretize: none}", "naive-bayes", ("none", "none"), None),
        ("preprocess: {discretize: none}", "{learner: lbr, preprocess: {discretize: mdl}}", ("none", "mdl"), None),
    ],
)
def test_preprocessing_is_the_configs_or_the_learners_own_default(
    tmp_path: Path, top: str, entry: str, expected: tuple[str, str], form: str | None
) -> None:
    (tmp_path / "c.yaml").write_text(f"datasets: [iris-fisher]\n{top}\nalgorithms:\n  A: {entry}\n", encoding="utf-8")
    (algorithm,) = load_config(str(tmp_path / "c.yaml")).algorithms
    assert (algorithm.preprocess.impute, algorithm.preprocess.discretize, algorithm.input) == (*expected, form)
