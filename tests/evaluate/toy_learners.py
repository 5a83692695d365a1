"""Classifiers for the tests of the runner, called by dotted path from configs; workers import this module too."""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Frequencies:
    """Answers the class frequencies of the training rows whose first attribute has the row's value, plus one."""

    version = 1

    def __init__(self, shade: float = 0.0) -> None:
        self.shade = shade

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.endswith("_")}

    def set_params(self, **params: Any) -> Frequencies:
        vars(self).update(params)
        return self

    def fit(self, X: Any, y: NDArray[np.int64]) -> Frequencies:
        self.classes_ = np.unique(y)
        first = X.iloc[:, 0].astype(object)
        self.table_ = {
            value: np.array([np.sum((first == value) & (y == c)) for c in self.classes_]) for value in first.unique()
        }
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        none = np.zeros(len(self.classes_))
        counts = np.array([self.table_.get(value, none) for value in X.iloc[:, 0].astype(object)]) + 1 + self.shade
        return counts / counts.sum(axis=1, keepdims=True)


class Trivial(Frequencies):
    """Costs next to nothing: every class is as likely."""

    def fit(self, X: Any, y: NDArray[np.int64]) -> Trivial:
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


class Slow(Frequencies):
    """Sleeps TOY_PAUSE seconds before it fits (no parameter, so that keys do not depend on it)."""

    def fit(self, X: Any, y: NDArray[np.int64]) -> Frequencies:
        time.sleep(float(os.environ.get("TOY_PAUSE", "0")))
        return super().fit(X, y)


class Random(Frequencies):
    """Draws its probabilities, seeded by random_state."""

    def __init__(self, random_state: int | None = None, size: int = 1) -> None:
        self.random_state, self.size = random_state, size

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return np.random.default_rng(self.random_state).dirichlet(np.ones(len(self.classes_)), size=len(X))


class Failing(Frequencies):
    """Raises, warns or kills its process where it is trained on so many rows and the file `mended` is not there."""

    def __init__(self, how: str = "raise", rows: int = 0, mended: str = "") -> None:
        self.how, self.rows, self.mended = how, rows, mended

    shade = 0.0

    def fit(self, X: Any, y: NDArray[np.int64]) -> Frequencies:
        if len(X) == self.rows and not (self.mended and os.path.exists(self.mended)):
            if self.how == "raise":
                raise ValueError("too few moons\nsecond line")
            if self.how == "memory":
                raise MemoryError
            if self.how == "exit":
                raise SystemExit(3)
            if self.how == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.how == "warn":
                warnings.warn("the moon is waning", UserWarning, stacklevel=1)
        return super().fit(X, y)


class Wrong(Frequencies):
    """Gives answers that are none."""

    def __init__(self, what: str = "nan") -> None:
        self.what = what

    shade = 0.0

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        proba = super().predict_proba(X)
        if self.what == "nan":
            proba[-1, 0] = np.nan
        if self.what == "sum":
            proba[0] *= 1 + 1e-5
        if self.what == "negative":
            proba[0] = [-0.5, 1.5]
        if self.what == "nearly":
            proba[0] *= 1 + 1e-7
        return proba


class _NoText(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class _Odd(BaseException):
    pass


class Hostile(Frequencies):
    """Does to its process what no learner should."""

    def __init__(self, how: str = "") -> None:
        self.how = how

    shade = 0.0

    def fit(self, X: Any, y: NDArray[np.int64]) -> Frequencies:
        super().fit(X, y)
        if self.how == "exit at once":
            os._exit(0)
        if self.how == "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.how == "surrogate":
            raise ValueError("a half \ud800 and a bell \x07")
        if self.how == "no text":
            raise _NoText
        if self.how == "base exception":
            raise _Odd("not an Exception")
        if self.how == "interrupt":
            raise KeyboardInterrupt
        if self.how == "long":
            raise ValueError("x" * 5_000_000)
        if self.how == "closed":
            sys.stdout.close()
            sys.stderr.close()
        if self.how == "prints":
            print("", end="")
            print("", end="", file=sys.stderr, flush=True)
        if self.how == "warns":
            for number in range(1000):
                warnings.warn(f"{number}: \ud800 " + "y" * 1_000_000 * (number == 0), UserWarning, stacklevel=1)
        if self.how == "classes":
            self.classes_ = np.array([-1, 0])
        return self


class Decides:
    """Has `predict` alone: the most frequent class."""

    def fit(self, X: Any, y: NDArray[np.int64]) -> Decides:
        self.most_ = int(np.bincount(y).argmax())
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        return np.full(len(X), self.most_)
