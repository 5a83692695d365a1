"""Reads an experiment from YAML: `load_config` fills in every default and reports every problem at once.

What each key means stands in the README; what it may be stands here, once. Nothing heavy is imported and no data is
read: learners, generators and metrics are asked by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lazybayes.data.entries import config_entry, present_file
from lazybayes.errors import ConfigError
from lazybayes.experiment import SCHEME_KEYS, Algorithm, DatasetEntry, Experiment, Preprocess, Scheme, TableSpec
from lazybayes.files import MOST_NAME, expand_home, is_file
from lazybayes.learners.code import beside
from lazybayes.messages import nearest, printable
from lazybayes.statistics.tests import OVER_TRIALS, TESTS
from lazybayes.vocabulary import AUC_RULES, BINNERS, CONTENTS, DISCRETIZERS, FIT_ROWS, IMPUTATIONS, INPUTS
from lazybayes.yaml.reader import (
    Fields,
    Item,
    Reader,
    anything,
    flag,
    integer,
    list_of,
    load,
    number,
    one_of,
    text,
)

EXPECTS = "a mapping with the keys datasets and algorithms"
KEYS = (
    *("name", "datasets", "preprocess", "algorithms", "cv", "seed"),
    *("metrics", "tables", "predictions", "cll_floor", "auc"),
)
ALGORITHM_KEYS = ("learner", "preprocess", "input")
DISCRETIZE = (*DISCRETIZERS, "none")
MOST_BINS = 10_000
"""More are a slip of the keyboard, and each has a name and a place in every table of counts."""
MOST_REPEATS = 10_000
"""More are a slip of the keyboard, too: the plan holds a cell for each of their folds."""


def load_config(path_or_name: str) -> Experiment:
    """The experiment of a config file, or of a config shipped with the package that is called by its name.

    Raises ConfigError with every problem of the file.
    """
    return read_config(find_config(path_or_name))


def find_config(path_or_name: str) -> Path:
    """The file of a config: a path finds a file, a bare name without one finds a shipped config.

    Raises ConfigError if there is neither.
    """
    path = expand_home(path_or_name)
    if is_file(path) or path.name != path_or_name or path.suffix not in ("", ".yaml"):
        return path
    from lazybayes.resources import shipped

    names = {file.stem: file for file in sorted(shipped("configs").glob("*.yaml"))}
    if path.stem not in names:
        known = f"the configs shipped are {', '.join(names)}{nearest(path.stem, names)}"
        raise ConfigError([f"{path_or_name}: there is no such file, and no shipped config of this name; {known}"])
    return names[path.stem]


def read_config(path: Path) -> Experiment:
    """The experiment of a config file. Raises ConfigError with every problem of the file."""
    top = load(path, EXPECTS)
    fields = top.fields(KEYS)
    preprocess = fields.get("preprocess", _preprocess(Preprocess()), Preprocess())
    beside(path.absolute().parent)
    given = preprocess if "preprocess" in fields else None
    algorithms = fields.need("algorithms", _algorithms(given, path.absolute().parent), ())
    metrics = fields.get("metrics", list_of(_metric, at_least=1, unique=True), Experiment.metrics)
    predictions = fields.get("predictions", flag, Experiment.predictions)
    table = _table([algorithm.name for algorithm in algorithms], None if predictions else metrics)
    plain = tuple(TableSpec(metric) for metric in metrics)
    experiment = Experiment(
        name=fields.get("name", _folder_name, path.stem),
        datasets=fields.need("datasets", _datasets(path.absolute().parent), ()),
        algorithms=algorithms,
        cv=fields.get("cv", _scheme(path.absolute().parent), Scheme()),
        preprocess=preprocess,
        seed=fields.get("seed", integer(at_least=0), Experiment.seed),
        metrics=metrics,
        tables=fields.get("tables", list_of(table, at_least=1), plain),
        predictions=predictions,
        cll_floor=fields.get("cll_floor", number(above=0, at_most=0.5), Experiment.cll_floor),
        auc=fields.get("auc", one_of(AUC_RULES), Experiment.auc),
        path=path.absolute(),
    )
    top.problems.finish()
    return experiment


def _folder_name(item: Item) -> str:
    name = text(item)
    unusable = not name.isprintable() or set(name) & set('/\\:*?"<>|') or name != name.strip(" ") or not name.strip(".")
    if unusable or len(name) > 100:
        raise item.wrong(f"'{name}' cannot name a folder; up to 100 letters, digits, blanks, - _ and . are expected")
    if (size := len(name.encode())) > MOST_NAME:
        raise item.wrong(f"'{name}' is too long for a folder's name: {size} bytes in UTF-8; at most {MOST_NAME}")
    return name


def _file_name(item: Item) -> str:
    name = text(item)
    if name and (not name.isprintable() or not any(map(str.isalnum, name))):
        raise item.wrong(
            f"'{printable(name)}' cannot name a table and its file; give it letters or digits, and no control character"
        )
    return name


def _datasets(folder: Path) -> Reader[tuple[DatasetEntry, ...]]:
    """A list of data sets, each with a name of its own."""

    def read(item: Item) -> tuple[DatasetEntry, ...]:
        first: dict[str, tuple[DatasetEntry, int]] = {}

        def unique(part: Item) -> DatasetEntry:
            entry = config_entry(part, folder)
            other, line = first.setdefault(entry.name, (entry, part.line))
            if other is not entry:
                first_source, source = other.source, entry.source
                same = (first_source.kind, first_source.location) == (source.kind, source.location)
                what = Path(source.location).name if same and source.kind == "path" else f"the name {entry.name}"
                raise part.wrong(f"{what} is already listed in line {line}; leave one out, or give it another `name`")
            return entry

        return list_of(unique, at_least=1)(item)

    return read


def _preprocess(base: Preprocess) -> Reader[Preprocess]:
    """Preprocessing; what it does not say is as in the base."""

    def read(item: Item) -> Preprocess:
        fields = item.fields(("impute", "discretize", "fit"))
        discretize, bins = fields.get("discretize", _discretize, (base.discretize, base.bins))
        return Preprocess(
            impute=fields.get("impute", one_of(IMPUTATIONS), base.impute),
            discretize=discretize,
            bins=bins,
            fit=fields.get("fit", one_of(FIT_ROWS), base.fit),
        )

    return read


def _discretize(item: Item) -> tuple[str, int]:
    if not item.is_mapping:
        return one_of(DISCRETIZE)(item), Preprocess.bins
    fields = item.fields(("method", "bins"))
    method = fields.need("method", one_of(DISCRETIZE), "")
    if method in DISCRETIZE and method not in BINNERS and "bins" in fields:
        fields["bins"].wrong(f"{method} has no number of bins; {' and '.join(BINNERS)} have")
    return method, fields.get("bins", integer(at_least=2, at_most=MOST_BINS), Preprocess.bins)


def _algorithms(base: Preprocess | None, folder: Path) -> Reader[tuple[Algorithm, ...]]:
    """A mapping of names to learners; one with a (noted) problem keeps its name, so that tables can be checked."""

    def read(item: Item) -> tuple[Algorithm, ...]:
        entries = Fields(item, item.entries())
        if not entries.given:
            raise item.wrong("no algorithm is given; at least one is expected, like NB: naive-bayes")
        return tuple(entries.get(name, _algorithm(name, base, folder), Algorithm(name, "")) for name in entries)

    return read


def _algorithm(name: str, base: Preprocess | None, folder: Path) -> Reader[Algorithm]:
    """An algorithm. base: the preprocessing that the config asks for all of them; None: each learner has its own."""

    def read(item: Item) -> Algorithm:
        given = {"learner": item} if item.scalar is not None else item.entries()
        if not name:
            item.wrong("an algorithm has no name; the name is its column in the tables")
        if "learner" not in given:
            hint = next(filter(None, (nearest(key, ("learner",)) for key in given)), "")
            raise item.wrong(f"no learner is named; `learner: NAME` is expected{hint}")
        fields = Fields(item, given)
        learner = text(given["learner"])
        from lazybayes.learners import registry

        params = {key: fields.get(key, anything, None) for key in given if key not in ALGORITHM_KEYS}
        if "input" in given and not registry.definition(learner).foreign:
            given["input"].wrong(f"{learner} has no input; only an estimator by its dotted path has")
        params = registry.locate(learner, params, folder)
        problems = registry.check(learner, params)
        for parameter, message in problems:
            given.get(parameter, given["learner"]).wrong(message)
        if not problems:
            for parameter in registry.missing(learner, params):
                given["learner"].wrong(f"{learner} needs the parameter {parameter}")
        usual = base or (Preprocess() if problems else registry.default_preprocess(learner, params))
        return Algorithm(
            name=name,
            learner=learner,
            params=params,
            preprocess=fields.get("preprocess", _preprocess(usual), usual),
            input=fields.get("input", one_of(INPUTS), None if problems else registry.default_input(learner, params)),
        )

    return read


def _scheme(folder: Path) -> Reader[Scheme]:
    def read(item: Item) -> Scheme:
        scheme = Fields(item, item.entries()).get("scheme", one_of(SCHEME_KEYS), Scheme.scheme)
        fields = item.fields(("scheme", *SCHEME_KEYS[scheme]), scheme)
        in_file = scheme == "folds-file"
        return Scheme(
            scheme=scheme,
            folds=fields.get("folds", integer(at_least=2), Scheme.folds),
            repeats=fields.get("repeats", integer(at_least=1, at_most=MOST_REPEATS), Scheme.repeats),
            test=fields.get("test", number(above=0, below=1), Scheme.test),
            path=fields.need("path", lambda part: present_file(part, folder), "") if in_file else None,
        )

    return read


def _metric(item: Item) -> str:
    from lazybayes.learners import registry
    from lazybayes.metrics.registry import METRICS

    return one_of((*METRICS, *registry.diagnostics()))(item)


def _table(algorithms: Sequence[str], computed: Sequence[str] | None) -> Reader[TableSpec]:
    """A table. algorithms: what may be its baseline; computed: metrics of the predictions it may have, None for any."""
    from lazybayes.metrics.registry import METRICS

    def read(item: Item) -> TableSpec:
        fields = item.fields(("metric", "baseline", "tests", "show", "name", "algorithms"))
        show = fields.get("show", one_of(CONTENTS), "all")
        name = fields.get("name", _file_name, "")
        if show == "description":
            for key in ("metric", "baseline", "tests", "algorithms"):
                if key in fields:
                    fields[key].wrong("a description of the data has no such key; leave it out")
            return TableSpec(show=show, name=name)
        metric = fields.need("metric", _metric, "")
        from_predictions = metric in METRICS and METRICS[metric].compute
        if from_predictions and computed is not None and metric not in computed:
            fields["metric"].wrong(f"{metric} is not among the metrics, and no predictions are kept to compute it from")
        tests = fields.get("tests", list_of(one_of(tuple(TESTS)), unique=True), ())
        name_one = one_of(algorithms) if algorithms else text
        columns = fields.get("algorithms", list_of(name_one, at_least=2, unique=True), ())
        baseline = fields.get("baseline", one_of(columns) if columns else name_one, None)
        if show == "records":
            if "baseline" in fields:
                fields["baseline"].wrong("records of every pair have no baseline; leave it out")
            if tests and (len(tests) > 1 or tests[0] not in OVER_TRIALS):
                fields["tests"].wrong(f"records of every pair take one test of {', '.join(OVER_TRIALS)}, or none")
            return TableSpec(metric, None, tests, show, name, columns)
        against = [test for test in tests if not TESTS[test].all]
        if against and "baseline" not in fields:
            fields["tests"].wrong(f"no baseline for {', '.join(against)}; `baseline: ALGORITHM` is expected")
        if show == "ratio" and metric and (metric != "error" or "baseline" not in fields):
            fields["show"].wrong("a table of ratios needs `metric: error` and `baseline: ALGORITHM`")
        return TableSpec(metric, baseline, tests, show, name, columns)

    return read
