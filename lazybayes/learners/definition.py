"""The interface by which the runner uses every kind of learner, given its name in a config."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from lazybayes.experiment import Preprocess

if TYPE_CHECKING:
    import pandas as pd

    from lazybayes.counts.codes import Rows
    from lazybayes.learners.base import Answer


class Classifier(Protocol):
    """The interface of a learner instance that the runner uses."""

    explains: bool
    has_telling_words: bool

    def fit(self, X: Rows, y: pd.Categorical) -> Any:
        """Learns from rows and their classes."""
        ...

    def answer(self, X: Rows) -> Answer:
        """Probabilities, predicted classes and diagnostics of rows."""
        ...


class Definition(ABC):
    """A learner by its name in a config.

    foreign: whether the name is the dotted path of a class that is not this project's, which may have an `input`.
    """

    foreign: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def check(self, params: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Everything that is wrong with the name ("" as the parameter) and the parameters: (parameter, message)."""

    @abstractmethod
    def make(self, params: Mapping[str, Any], input: str | None, seed: int | None) -> Classifier:
        """A new classifier, of parameters without a problem; seed: its `random_state` if it has one without a value."""

    @abstractmethod
    def accepts(self, params: Mapping[str, Any]) -> frozenset[str]:
        """The kinds of attributes it takes: nominal, numeric, or documents."""

    @abstractmethod
    def resolve(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter with defaults filled in, as JSON can hold it: what a result depends on."""

    @abstractmethod
    def version(self) -> str:
        """A text that changes when the learner's answers may change."""

    def missing(self, params: Mapping[str, Any]) -> list[str]:
        """Parameters without a default that are not given, and that `check` does not report."""
        return []

    def locate(self, params: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        """The parameters as a config in this folder means them: file paths are relative to it."""
        return dict(params)

    def inner_learners(self, params: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        """The learners that its parameters name, with their own parameters."""
        return []

    def default_input(self, params: Mapping[str, Any]) -> str | None:
        """How a foreign learner gets nominal attributes unless `input` says so; None for a built-in learner."""
        return None

    def default_preprocess(self, params: Mapping[str, Any]) -> Preprocess:
        """The preprocessing of its rows unless the config defines one."""
        return Preprocess()
