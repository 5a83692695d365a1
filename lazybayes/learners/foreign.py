"""Any scikit-learn classifier as an algorithm, by the dotted path of its class.

`input` says how it sees the attributes. Numeric ones are always float columns (NaN where missing).
- ``categorical``: a DataFrame with categorical columns, for estimators that know them (this project's, your own);
- ``one-hot``: a column of 0/1 per declared value, all 0 where missing (the default for `sklearn.*`);
- ``ordinal``: the codes 0, 1, ... in declared order, NaN where missing (the default for CategoricalNB).
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections.abc import Mapping
from inspect import Parameter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, ClusterMixin, RegressorMixin
from sklearn.utils import get_tags

from lazybayes.counts.codes import Rows
from lazybayes.counts.scores import decide
from lazybayes.experiment import Preprocess
from lazybayes.learners.base import Answer, Learner
from lazybayes.learners.code import dependencies, imported
from lazybayes.learners.definition import Definition
from lazybayes.learners.parameters import plain
from lazybayes.learners.rows import as_frame
from lazybayes.messages import bounded, nearest, one_line


def default_input(path: str, params: Mapping[str, Any]) -> str:
    """How an estimator gets nominal attributes unless `input` says so.

    Codes for scikit-learn's own estimators of categories (CategoricalNB), one-hot for its others, categorical columns
    for any other class.
    """
    if path.split(".")[0] != "sklearn":
        return "categorical"
    tags = _input_tags(path, params)
    return "ordinal" if tags is not None and tags.categorical else "one-hot"


def default_preprocess(path: str, params: Mapping[str, Any]) -> Preprocess:
    """Numbers as they are, imputed where scikit-learn's tags say that NaN is not taken.

    MDL bins for this project's learners, and for estimators that take codes of categories alone.
    """
    tags = _input_tags(path, params)
    impute = "mode-mean" if tags is not None and not tags.allow_nan else "none"
    if default_input(path, params) == "ordinal":
        return Preprocess(impute=impute)
    try:
        own = issubclass(foreign_class(path), Learner)
    except ValueError:  # the config's reader reports it
        own = False
    return Preprocess() if own else Preprocess(impute=impute, discretize="none")


def _input_tags(path: str, params: Mapping[str, Any]) -> Any:
    """What scikit-learn's tags say of the X that an estimator takes; None without tags."""
    try:
        return get_tags(_made(path, params)).input_tags
    except Exception:  # not an estimator of scikit-learn's, or one that cannot be made
        return None


def foreign_class(path: str) -> type[Any]:
    """The class at a dotted path. Raises ValueError with what was not found."""
    module_name, _, name = path.rpartition(".")
    if not all(part.isidentifier() for part in path.split(".")):
        raise ValueError(f"{path!r} is not a dotted path such as sklearn.ensemble.RandomForestClassifier")
    try:
        module = imported(module_name)
    except ImportError as error:
        raise ValueError(
            f"{path!r}: cannot import {module_name} ({error}); is it installed, or beside the config?"
        ) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a user's module does when it is run
        raise ValueError(f"{path!r}: {module_name} fails when it is imported: {one_line(error)}") from error
    cls = getattr(module, name, None)
    if not inspect.isclass(cls):
        others = (RegressorMixin, ClusterMixin)
        members = {n: member for n, member in vars(module).items() if inspect.isclass(member)}
        classes = [n for n, member in members.items() if hasattr(member, "predict") and not issubclass(member, others)]
        raise ValueError(f"{path!r}: {module_name} has no class {name}{nearest(name, classes)}")
    if not (hasattr(cls, "fit") and hasattr(cls, "predict")):
        raise ValueError(f"{path!r} is not a classifier: it does not have fit and predict")
    for other, kind in ((RegressorMixin, "regressor"), (ClusterMixin, "clusterer")):
        if issubclass(cls, other) and not issubclass(cls, ClassifierMixin):
            raise ValueError(f"{path!r} is a {kind}, not a classifier")
    return cls


def all_parameters(path: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter with defaults filled in. Raises ValueError if the class cannot be made with these."""
    estimator = _made(path, params)
    return dict(estimator.get_params(deep=False)) if hasattr(estimator, "get_params") else dict(params)


def _made(path: str, params: Mapping[str, Any]) -> Any:
    """An estimator. Raises ValueError for whatever its constructor raises."""
    try:
        return foreign_class(path)(**_by_code(params))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ValueError(f"{path} cannot be made with these parameters: {one_line(error)}") from error


def _by_code(params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters with the weights of classes by code: a config's keys are texts, an estimator's classes numbers."""
    weights = params.get("class_weight")
    if not isinstance(weights, Mapping):
        return dict(params)
    return {**params, "class_weight": {int(key) if str(key).isdigit() else key: w for key, w in weights.items()}}


def check_foreign(path: str, params: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with a dotted path ("" as the parameter) or its parameters: (parameter, message)."""
    try:
        signature = inspect.signature(foreign_class(path))
    except ValueError as error:
        return [("", str(error))]
    variadic = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    allowed = {name: known for name, known in signature.parameters.items() if known.kind not in variadic}
    takes_any = any(known.kind is Parameter.VAR_KEYWORD for known in signature.parameters.values())
    lacking = [name for name, known in allowed.items() if known.default is Parameter.empty and name not in params]
    unknown = [name for name in params if name not in allowed and not takes_any]
    listed = ", ".join(allowed) or "none"
    problems = [
        *(("", f"{path} cannot be made without the parameter {name}") for name in lacking),
        *((n, f"{n!r} is not a parameter of {path}{nearest(str(n), allowed)}; allowed: {listed}") for n in unknown),
    ]
    if not problems:
        try:
            _made(path, params)
        except ValueError as error:
            return [("", str(error))]
        problems = _refused(path, params, signature)
    return problems


def _refused(path: str, params: Mapping[str, Any], signature: inspect.Signature) -> list[tuple[str, str]]:
    """What scikit-learn's own check, which its `fit` begins with, says of the parameters; nothing without that check.

    A class with a `fit` of its own beneath the one that declares what is allowed may allow more: it is not asked.
    """
    cls = foreign_class(path)
    declared, trains = _owner(cls, "_parameter_constraints"), _owner(cls, "fit")
    if declared is None or trains is None or not issubclass(declared, trains):
        return []
    if (whole := _complaint(cls, params)) is None:
        return []
    lacks_default = {name for name, known in signature.parameters.items() if known.default is Parameter.empty}
    needed = {name: value for name, value in params.items() if name in lacks_default}
    alone = {name: _complaint(cls, {**needed, name: value}) for name, value in params.items()}
    return [(name, said) for name, said in alone.items() if said and f"'{name}'" in said] or [("", whole)]


def _complaint(cls: type[Any], params: Mapping[str, Any]) -> str | None:
    """The first of these parameters that scikit-learn's check refuses, in its words."""
    try:
        cls(**params)._validate_params()
    except (ValueError, TypeError) as error:  # its InvalidParameterError is both
        return re.sub(r"(?<=\{)[^{}]+(?=\})", lambda names: ", ".join(sorted(names[0].split(", "))), str(error))
    except Exception:  # the check is not a public interface: `fit` reports what it cannot check
        pass
    return None


def _owner(cls: type[Any], name: str) -> type[Any] | None:
    """The class that gives a class its attribute of this name."""
    return next((base for base in cls.__mro__ if name in vars(base)), None)


def foreign_version(path: str) -> str:
    """Changes when the class's answers may: its own `version` if it has one, its code, its packages' versions.

    A learner of this project has a `version` that says all; of an installed package its version does.
    """
    cls = foreign_class(path)
    own = getattr(cls, "version", "")
    said = str(own) if isinstance(own, int | str) else ""
    if issubclass(cls, Learner):
        return said
    module = path.rpartition(".")[0]
    code = dependencies(module)
    if list(code) == [module.split(".")[0]] and not said:
        return code[module.split(".")[0]]
    return hashlib.sha256(json.dumps([said, code], sort_keys=True).encode()).hexdigest()


class ForeignDefinition(Definition):
    """A class by its dotted path."""

    foreign = True

    def check(self, params: Mapping[str, Any]) -> list[tuple[str, str]]:
        return check_foreign(self.name, params)

    def make(self, params: Mapping[str, Any], input: str | None, seed: int | None) -> ForeignClassifier:
        return ForeignClassifier(self.name, params, input, seed)

    def accepts(self, params: Mapping[str, Any]) -> frozenset[str]:
        return frozenset({"nominal", "numeric"})

    def resolve(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return {name: plain(value) for name, value in sorted(all_parameters(self.name, params).items())}

    def version(self) -> str:
        return foreign_version(self.name)

    def default_input(self, params: Mapping[str, Any]) -> str:
        return default_input(self.name, params)

    def default_preprocess(self, params: Mapping[str, Any]) -> Preprocess:
        return default_preprocess(self.name, params)


class ForeignClassifier:
    """A scikit-learn classifier that answers with one probability a declared class."""

    explains = False
    has_telling_words = False

    def __init__(self, path: str, params: Mapping[str, Any], input: str | None, seed: int | None) -> None:
        self.estimator = _made(path, params)
        self.input = input or default_input(path, params)
        known = self.estimator.get_params() if hasattr(self.estimator, "get_params") else {}
        if seed is not None and "random_state" in known and known["random_state"] is None:
            self.estimator.set_params(random_state=seed % 2**32)

    def fit(self, X: Rows, y: pd.Categorical) -> ForeignClassifier:
        """Learns from rows and their classes; it sees the classes as codes, and so may lack those without a row."""
        self.n_classes = len(y.categories)
        codes = np.asarray(y.codes, dtype=np.int64)
        self.estimator.fit(_encode(X, self.input), codes)
        self.seen = _seen(getattr(self.estimator, "classes_", None), np.unique(codes))
        return self

    def answer(self, X: Rows) -> Answer:
        """Probabilities (0 for a class it never saw; 0 and 1 if it has no predict_proba) and predicted classes.

        Raises ValueError if the estimator answers in another form than scikit-learn's classifiers do.
        """
        encoded = _encode(X, self.input)
        if not hasattr(self.estimator, "predict_proba"):
            return self._decided(encoded, len(X))
        proba = np.zeros((len(X), self.n_classes))
        answered = np.asarray(self.estimator.predict_proba(encoded))
        self._expect("predict_proba", answered.shape, (len(X), len(self.seen)))
        proba[:, self.seen] = answered
        with np.errstate(divide="ignore"):
            return Answer(proba, decide(np.log(proba)), log_proba=self._logs(encoded, answered))

    def _decided(self, encoded: Any, n: int) -> Answer:
        proba = np.zeros((n, self.n_classes))
        predicted = np.asarray(self.estimator.predict(encoded))
        self._expect("predict", predicted.shape, (n,))
        if others := set(predicted.tolist()) - set(self.seen.tolist()):
            raise ValueError(f"predict gave {others.pop()!r}, which is not a class code that fit was given")
        predicted = predicted.astype(np.int32)
        proba[np.arange(n), predicted] = 1.0
        return Answer(proba, predicted, scores=self._distances(encoded, n), only_decides=True)

    def _distances(self, encoded: Any, n: int) -> NDArray[np.float64] | None:
        """(n, C) scikit-learn's decision_function: of two classes the second's and its negative, of more one against
        the rest; -inf for a class it never saw. None where there is none, or one per pair of classes.
        """
        one_per_pair = getattr(self.estimator, "decision_function_shape", None) == "ovo" and len(self.seen) > 2
        if one_per_pair or not hasattr(self.estimator, "decision_function"):
            return None
        distances = np.asarray(self.estimator.decision_function(encoded), dtype=np.float64)
        if len(self.seen) == 2 and distances.shape in ((n,), (n, 1)):
            distances = np.column_stack([-distances.ravel(), distances.ravel()])
        self._expect("decision_function", distances.shape, (n, len(self.seen)))
        scores = np.full((n, self.n_classes), -np.inf)
        scores[:, self.seen] = distances
        return scores

    def _logs(self, encoded: Any, answered: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """(n, C) the estimator's own log probabilities, which are asked for where a double cannot hold a probability.

        None where there is no need, or the estimator has none.
        """
        if not (answered < np.finfo(np.float64).tiny).any() or not hasattr(self.estimator, "predict_log_proba"):
            return None
        logs = np.full((len(answered), self.n_classes), -np.inf)
        answer_logs = np.asarray(self.estimator.predict_log_proba(encoded))
        self._expect("predict_log_proba", answer_logs.shape, answered.shape)
        logs[:, self.seen] = answer_logs
        return logs

    @staticmethod
    def _expect(method: str, shape: tuple[int, ...], expected: tuple[int, ...]) -> None:
        if shape != expected:
            raise ValueError(f"{method} returned an array of shape {shape}; expected {expected}")


def _seen(classes: Any, given: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class codes of an estimator's columns. Raises ValueError if `fit` was not given one of them."""
    if classes is None:
        return given
    columns = np.asarray(classes)
    codes = columns.tolist()
    if (
        columns.ndim != 1
        or len(set(map(repr, codes))) < len(codes)
        or any(code not in given.tolist() for code in codes)
    ):
        raise ValueError(
            f"the estimator's classes_ is {bounded(repr(codes), 100)}; fit was given the classes {given.tolist()}"
        )
    return columns.astype(np.int64)


def _encode(rows: Rows, input: str) -> Any:
    if input == "categorical":
        return as_frame(rows)
    nominal, numeric = iter(rows.nominal.T), iter(rows.numeric.T)
    columns: list[NDArray[np.float64]] = []
    for labels in rows.labels:
        if labels is None:
            columns.append(next(numeric)[:, None])
        elif input == "one-hot":
            columns.append((next(nominal)[:, None] == np.arange(len(labels))).astype(np.float64))
        else:
            codes = next(nominal).astype(np.float64)
            columns.append(np.where(codes < 0, np.nan, codes)[:, None])
    return np.concatenate(columns, axis=1) if columns else np.empty((len(rows), 0))
