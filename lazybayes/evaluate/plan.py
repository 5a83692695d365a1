"""The plan of an experiment: its trials (data set x repeat x fold x algorithm), each with the key of its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from lazybayes.data.load import errors_at, load_table
from lazybayes.data.quality import oddities
from lazybayes.data.table import Table
from lazybayes.errors import ConfigError, DataError, FetchError, LazyBayesError
from lazybayes.evaluate.folds_file import content_hash
from lazybayes.evaluate.seeds import canonical_json, digest
from lazybayes.evaluate.splits import folds_of, scheme_notices
from lazybayes.experiment import DatasetEntry, Experiment, Preprocess, Scheme
from lazybayes.learners import registry
from lazybayes.learners.code import beside
from lazybayes.messages import snippet
from lazybayes.preprocess.bins import VERSIONS
from lazybayes.results.records import STORE_FORMAT, TO_DO, StoredTrial, Survey, Trial
from lazybayes.vocabulary import BINNERS


def survey(experiment: Experiment, entry: DatasetEntry, *, offline: bool = False) -> Survey:
    """Loads a data set and collects the properties that the plan needs.

    Raises DataError if it cannot be loaded or split (FetchError if it cannot be downloaded), ConfigError if a learner
    does not accept its attributes.
    """
    table = load_table(entry, offline=offline)
    problems = _unacceptable(experiment, entry, table)
    if problems:
        raise ConfigError(problems)
    with errors_at(entry):
        folds = folds_of(experiment.cv, table, experiment.seed)
    return Survey(
        name=entry.name,
        asked=survey_key(experiment, entry),
        fingerprint=table.fingerprint(),
        n_rows=table.n_rows,
        n_classes=table.n_classes,
        classes_present=len(np.unique(table.y)),
        n_numeric=sum(attribute.kind == "numeric" for attribute in table.attributes),
        n_nominal=sum(attribute.kind == "nominal" for attribute in table.attributes),
        missing_cells=table.missing_cells,
        folds=folds,
        notices=(
            *table.notices,
            *oddities(table, known=entry.source.kind in ("catalogue", "generate")),
            *scheme_notices(experiment.cv, table),
        ),
        classes=table.target.values,
        largest_class=int(np.bincount(table.y).max()),
        files=table.files,
    )


def surveys(
    experiment: Experiment, selected: Iterable[str], *, offline: bool = False, at_hand: bool = False
) -> dict[str, Survey]:
    """The surveys of the selected data sets, which are loaded, in the config's order.

    at_hand: leaves out data sets that cannot be downloaded. Raises one error for all problems of the data sets;
    FetchError if all problems are failed downloads.
    """
    wanted = set(selected)
    loaded: dict[str, Survey] = {}
    problems: list[LazyBayesError] = []
    for entry in experiment.datasets:
        if entry.name not in wanted:
            continue
        try:
            loaded[entry.name] = survey(experiment, entry, offline=offline)
        except (ConfigError, DataError) as problem:
            if not (at_hand and isinstance(problem, FetchError)):
                problems.append(problem)
    if problems:
        raise _joined(problems)
    return loaded


def with_known(experiment: Experiment, loaded: Mapping[str, Survey], known: Mapping[str, Survey]) -> dict[str, Survey]:
    """The surveys of all data sets that the plan can contain, in the config's order.

    A data set that was not loaded is included if its kept survey is still valid, so that a run of one data set does not
    load any other.
    """
    all_surveys = {}
    for entry in experiment.datasets:
        earlier = known.get(entry.name)
        if entry.name in loaded:
            all_surveys[entry.name] = loaded[entry.name]
        elif earlier and earlier.asked == survey_key(experiment, entry):
            all_surveys[entry.name] = earlier
    return all_surveys


def _joined(problems: Sequence[LazyBayesError]) -> LazyBayesError:
    """One error for all problems: of their common class, otherwise a DataError."""
    kinds = {type(problem) for problem in problems}
    texts = list(map(str, problems))
    if kinds == {ConfigError}:
        return ConfigError(texts)
    return (FetchError if kinds == {FetchError} else DataError)("\n".join(texts))


def survey_key(experiment: Experiment, entry: DatasetEntry) -> str:
    """What a survey depends on, except for the content of the data file."""
    source = {name: value for name, value in entry.keys().items() if name != "where"}
    return canonical_json([source, asdict(experiment.cv), folds_hash(experiment.cv)])


def trials(experiment: Experiment, surveys: Mapping[str, Survey]) -> Iterator[Trial]:
    """The trials in plan order: data sets, then repeats, folds, and algorithms in the config's order."""
    content = folds_hash(experiment.cv)
    columns = [
        (algorithm, registry.resolve(algorithm.learner, algorithm.params), registry.version(algorithm.learner))
        for algorithm in experiment.algorithms
    ]
    for entry in experiment.datasets:
        if entry.name not in surveys:
            continue
        survey = surveys[entry.name]
        for repeat, fold in survey.folds:
            for algorithm, params, version in columns:
                key = digest(
                    {
                        "format": STORE_FORMAT,
                        "data": survey.fingerprint,
                        "dataset": entry.name,
                        "preprocess": _preprocess_key(algorithm.preprocess),
                        "scheme": _scheme_key(experiment.cv),
                        "folds": content,
                        "seed": experiment.seed,
                        "repeat": repeat,
                        "fold": fold,
                        "learner": algorithm.learner,
                        "params": params,
                        "input": algorithm.input,
                        "version": version,
                    }
                )
                yield Trial(
                    key=key,
                    dataset=entry,
                    fingerprint=survey.fingerprint,
                    scheme=experiment.cv,
                    folds_hash=content,
                    seed=experiment.seed,
                    repeat=repeat,
                    fold=fold,
                    algorithm=algorithm,
                    params=params,
                    version=version,
                )


def outdated(experiment: Experiment, surveys: Mapping[str, Survey], stored: Iterable[StoredTrial]) -> list[str]:
    """Notices on foreign learners whose code has changed since the stored trials of this experiment."""
    first: dict[str, StoredTrial] = {}
    for stored_trial in stored:
        if stored_trial.status != TO_DO:
            first.setdefault(stored_trial.algorithm, stored_trial)
    if experiment.path:
        beside(experiment.path.parent)
    notices = []
    for algorithm in experiment.algorithms:
        last = first.get(algorithm.name)
        if last is None or not registry.is_foreign(algorithm.learner, algorithm.params):
            continue
        entries = tuple(entry for entry in experiment.datasets if entry.name == last.dataset)
        survey = replace(surveys[last.dataset], folds=((last.repeat, last.fold),))
        with suppress(LazyBayesError, ValueError):  # the class or the folds file may no longer exist
            if survey.folds_hash != folds_hash(experiment.cv):
                continue
            (trial,) = trials(replace(experiment, datasets=entries, algorithms=(algorithm,)), {last.dataset: survey})
            if trial.key != last.key:
                notices.append(
                    f"{algorithm.name}: the code of {algorithm.learner}, or of a module that it imports, has changed "
                    "since the last run: run `lazybayes run` to recompute its trials"
                )
    return notices


def folds_hash(scheme: Scheme) -> str:
    """The content hash of a scheme's folds file, or "" without one. Raises DataError if it cannot be read."""
    return content_hash(scheme.path) if scheme.scheme == "folds-file" and scheme.path else ""


def _scheme_key(scheme: Scheme) -> dict[str, Any]:
    """What a repeat's partition depends on; excludes the number of repeats, so that repeats can be added."""
    fields: dict[str, Any] = {"scheme": scheme.scheme}
    if scheme.scheme == "stratified-k-fold":
        fields["folds"] = scheme.folds
    if scheme.scheme == "holdout":
        fields["test"] = scheme.test
    return fields


def _preprocess_key(spec: Preprocess) -> dict[str, Any]:
    """What preprocessing depends on: bins only where they are used, the rows to fit on only where something is."""
    fields: dict[str, Any] = {"impute": spec.impute, "discretize": spec.discretize}
    if spec.discretize in BINNERS:
        fields["bins"] = spec.bins
    if (spec.impute, spec.discretize) != ("none", "none"):
        fields["fit"] = spec.fit
    if spec.discretize in VERSIONS:
        fields["version"] = VERSIONS[spec.discretize]
    return fields


def _unacceptable(experiment: Experiment, entry: DatasetEntry, table: Table) -> list[str]:
    """Messages on attributes that a learner of the experiment does not accept."""
    where = f"{entry.where}: " if entry.where else ""
    by_kind = {
        kind: [attribute.name for attribute in table.attributes if attribute.kind == kind]
        for kind in ("numeric", "nominal", "string")
    }
    numeric, texts = by_kind["numeric"], by_kind["string"]
    others = [*by_kind["nominal"], *numeric]
    problems = []
    if len(texts) > 1:
        problems.append(
            f"{where}data set {entry.name}: {_some('text attribute', texts)}; a document is one attribute: "
            "drop the others"
        )
    unfit = []
    for algorithm in experiment.algorithms:
        accepts = registry.accepts(algorithm.learner, algorithm.params)
        name = f"{algorithm.name} ({algorithm.learner})"
        who = f"algorithm {name}"
        if texts and "documents" not in accepts:
            unfit.append(name)
        elif not accepts & {"nominal", "numeric"} and (others or not texts):
            attributes = _some("attribute", others) + (" beside the text" if texts else " and no text")
            remedy = "drop" if texts else "declare the text column with `types: {COLUMN: string}`, and drop the others"
            problems.append(f"{where}data set {entry.name}: {attributes}, but {who} accepts only documents: {remedy}")
        elif numeric and algorithm.preprocess.discretize == "none" and "numeric" not in accepts:
            settings = "".join(
                f", give {algorithm.name} the parameter `{key}: {value}`"
                for key, value in registry.learner_class(algorithm.learner).numeric_settings()
            )
            problems.append(
                f"{where}data set {entry.name}: {_some('numeric attribute', numeric)} under discretize: none, "
                f"but {who} accepts only nominal attributes: discretize for all algorithms (mdl, equal-width, "
                f"equal-frequency) or for {algorithm.name} alone (`preprocess: {{discretize: mdl}}` beside its "
                f"`learner`){settings}, or drop the attributes"
            )
    if unfit:
        take = "does" if len(unfit) == 1 else "do"
        remedy = f"; or drop, or {snippet(types={texts[0]: 'nominal'})}" if others else ""
        problems.append(
            f"{where}data set {entry.name}: {_some('text attribute', texts)}, but {_some('algorithm', unfit)} {take} "
            f"not accept documents: use text-naive-bayes{remedy}"
        )
    return problems


def _some(noun: str, names: list[str]) -> str:
    return f"{noun}{'s' * (len(names) > 1)} {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"
