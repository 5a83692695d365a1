"""The worked examples of two textbooks, computed by this package's own data sets, learners and networks.

Each function is one example and returns its values by name: numbers, or a class. Tan, Steinbach & Kumar (2005),
Introduction to Data Mining, chapter 5; Mitchell (1997), Machine Learning, chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from lazybayes.counts.codes import Rows
from lazybayes.errors import UsageError
from lazybayes.messages import nearest
from lazybayes.textbooks.two_normals import Normal, bayes_error, decision_boundaries

Values = Mapping[str, float | str]

LOAN_RECORD = {"home_owner": "No", "marital_status": "Married", "annual_income_k": 120.0}
TENNIS_RECORD = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "wind": "strong"}
LOAN_M_ESTIMATE = {"kind": "m-estimate", "m": 3, "prior": {"Yes": 1 / 3, "No": 2 / 3}}


def loan() -> Values:
    """Relative frequencies and normal densities (figure 5.10 and page 236)."""
    learner, rows = _trained("loan", {"estimate": "frequency", "numeric": "gaussian"}, [LOAN_RECORD])
    values = _of_record(learner, rows)
    moments = zip(_income(learner, "means"), _income(learner, "deviations"), strict=True)
    for c, (mean, deviation) in zip(("no", "yes"), moments, strict=True):
        values |= {f"mean_income_{c}": mean, f"variance_income_{c}": deviation**2}
    return values


def loan_m_estimate() -> Values:
    """The same with m = 3 and p = 1/3 for Yes, 2/3 for No (page 237)."""
    estimate = {"estimate": LOAN_M_ESTIMATE, "numeric": "gaussian", "class_prior": "frequency"}
    return _of_record(*_trained("loan", estimate, [LOAN_RECORD]))


def loan_zero_count() -> Values:
    """Without the divorced borrower who did not default, one record has probability 0 in both classes (page 236)."""
    record = {"home_owner": "Yes", "marital_status": "Divorced", "annual_income_k": 120.0}
    parameters = {"estimate": "frequency", "numeric": "gaussian"}
    return _of_record(*_trained("loan", parameters, [record], leave_out=(6,)))


def correlated_attributes() -> Values:
    """Naive Bayes, and what is right: A and B as one attribute (page 238)."""
    record = {"A": "0", "B": "0"}
    naive, rows = _trained("correlated-attributes", {"estimate": "frequency"}, [record])
    plain = _of_record(naive, rows)
    joined = _learner({"estimate": "frequency"})
    table = _table("correlated-attributes")
    pairs = tuple(f"{a}{b}" for a in table.attributes[0].values for b in table.attributes[1].values)

    def one(a: Any, b: Any) -> Rows:
        codes = np.asarray(a * len(table.attributes[1].values) + b, dtype=np.int32)[:, None]
        return Rows(("AB",), (pairs,), codes, np.empty((len(codes), 0)))

    joined.fit(one(*table.columns), _classes(table))
    true = _of_record(joined, one(rows.nominal[:, 0], rows.nominal[:, 1]))
    shown = {f"{kind}_{key}": value for kind, own in (("naive", plain), ("true", true)) for key, value in own.items()}
    return shown


def crocodiles() -> Values:
    """The decision boundary between alligators and crocodiles of one length, and the Bayes error (example 5.3)."""
    alligator, crocodile = Normal(12, 2), Normal(15, 2)
    (boundary,) = decision_boundaries(alligator, crocodile)
    return {"boundary": boundary, "bayes_error": bayes_error(alligator, crocodile)}


def play_tennis() -> Values:
    """Mitchell's section 6.9.1."""
    return _of_record(*_trained("play-tennis", {"estimate": "frequency"}, [TENNIS_RECORD]))


def estimates() -> Values:
    """Section 6.9.1.1: of 5 examples none is the likeliest number of strong winds with P = 0.08; the m-estimate."""
    chances = [_binomial(n, 5, 0.08) for n in range(6)]
    plain = _trained("play-tennis", {"estimate": {"kind": "m-estimate", "m": 0, "prior": "uniform"}}, [TENNIS_RECORD])
    two = {"estimate": {"kind": "m-estimate", "m": 2, "prior": "uniform"}}
    return {
        "likeliest_count": float(np.argmax(chances)),
        "m_0_wind_strong_given_no": _of_record(*plain)["wind_strong_given_no"],
        "m_2_wind_strong_given_no": _of_record(*_trained("play-tennis", two, [TENNIS_RECORD]))["wind_strong_given_no"],
    }


def text() -> Values:
    """Section 6.10: how many terms must be estimated, and P(w | c) of table 6.2 on two small documents."""
    import pandas as pd

    from lazybayes.learners.text_naive_bayes import TextNaiveBayes

    texts = ["our approach our"] * 3 + ["an approach"] * 7
    learner = TextNaiveBayes(drop_frequent=0, min_count=1).fit(
        pd.DataFrame({"text": texts}), ["like"] * 3 + ["dislike"] * 7
    )
    dislike, like = np.exp(learner.class_log_prior_)
    word = learner.vocabulary_.tolist().index("our")
    classes, positions, words = 2, 111, 50_000
    return {
        "p_like": float(like),
        "p_dislike": float(dislike),
        "p_our_given_like": float(np.exp(learner.feature_log_prob_[1, word])),
        "position_terms": float(classes * positions * words),
        "independent_terms": float(classes * words),
    }


def campfire() -> Values:
    """The network of figure 6.3: P(Campfire | Storm, BusTourGroup), whatever Lightning and Thunder are."""
    from lazybayes.networks.files import load_network
    from lazybayes.networks.queries import exact, parse_ask, parse_given

    network = load_network("campfire")

    def ask(given: str) -> float:
        answer = exact(network, parse_given(network, [given]), parse_ask(network, ["Campfire"]))
        return float(answer.posteriors[0].table[0])

    short = {"T": "true", "F": "false"}
    cases = {s + b: f"Storm={short[s]},BusTourGroup={short[b]}" for s in short for b in short}
    further = [f"Lightning={a},Thunder={b}" for a in short.values() for b in short.values()]
    plain = {case: ask(given) for case, given in cases.items()}
    apart = max(abs(ask(f"{given},{more}") - plain[case]) for case, given in cases.items() for more in further)
    return {**{f"p_{case}": plain[case] for case in ("TT", "TF", "FT")}, "difference_by_lightning_and_thunder": apart}


EXAMPLES: Mapping[str, Callable[[], Values]] = {
    "loan": loan,
    "loan-m-estimate": loan_m_estimate,
    "loan-zero-count": loan_zero_count,
    "correlated-attributes": correlated_attributes,
    "crocodiles": crocodiles,
    "play-tennis": play_tennis,
    "estimates": estimates,
    "text": text,
    "campfire": campfire,
}


def example_value(example: str, value: str) -> float | str:
    """A value of an example. Raises UsageError with the nearest name if there is no such example or value."""
    if example not in EXAMPLES:
        raise UsageError(f"there is no worked example {example}{nearest(example, EXAMPLES)}")
    values = _computed(example)
    if value not in values:
        raise UsageError(f"the worked example {example} has no value {value}{nearest(value, values)}")
    return values[value]


@lru_cache
def _computed(example: str) -> Values:
    return EXAMPLES[example]()


def _table(name: str) -> Any:
    from lazybayes.data.load import load_table
    from lazybayes.experiment import DatasetEntry

    return load_table(DatasetEntry.of(name, "catalogue", name))


def _learner(parameters: Mapping[str, Any]) -> Any:
    from lazybayes.learners.naive_bayes import NaiveBayes

    return NaiveBayes(**parameters)


def _classes(table: Any, rows: Any = slice(None)) -> Any:
    import pandas as pd

    return pd.Categorical.from_codes(table.y[rows], pd.Index(table.target.values, dtype=object))


def _trained(
    name: str, parameters: Mapping[str, Any], records: list[dict[str, Any]], leave_out: tuple[int, ...] = ()
) -> tuple[Any, Rows]:
    """Naive Bayes trained on all rows of a data set but some, and records as it sees them."""
    from lazybayes.experiment import Preprocess
    from lazybayes.preprocess.pipeline import fit_preprocess

    table = _table(name)
    kept = np.array([row for row in range(table.n_rows) if row not in leave_out])
    rows = fit_preprocess(Preprocess(discretize="none"), table, kept).transform(table, kept)
    learner = _learner(parameters).fit(rows, _classes(table, kept))
    own = [[labels.index(r[n]) for n, labels in zip(rows.names, rows.labels, strict=True) if labels] for r in records]
    numbers = [[r[n] for n in rows.numeric_names] for r in records]
    shape = (len(records), -1)
    return learner, Rows(
        rows.names,
        rows.labels,
        np.array(own, dtype=np.int32).reshape(shape),
        np.array(numbers, dtype=np.float64).reshape(shape if rows.numeric_names else (len(records), 0)),
    )


def _of_record(learner: Any, rows: Rows) -> dict[str, float | str]:
    """The record's factors, products and posteriors, and its class, of a trained naive Bayes."""
    explanation = learner.explain(rows, 0)
    values: dict[str, float | str] = {"predicted": str(learner.predict(rows)[0])}
    for code, label in enumerate(learner.classes_):
        c = str(label).lower()
        factors = {f"{name}_{value}".lower(): float(np.exp(logs[code])) for name, value, logs in explanation.factors}
        given = reduce(lambda product, factor: product * factor, factors.values(), 1.0)
        values |= {f"{name}_given_{c}": factor for name, factor in factors.items()}
        values |= {f"prior_{c}": float(np.exp(explanation.prior[code])), f"p_x_given_{c}": given}
        values |= {f"joint_{c}": float(np.exp(explanation.prior[code])) * given}
        values |= {f"posterior_{c}": float(explanation.posterior[code])}
    return values


def _income(learner: Any, what: str) -> list[float]:
    """By class, in the attribute's own unit."""
    gaussian = learner.gaussian_
    return [float(value) for value in getattr(gaussian, what)[:, 0] * gaussian.scale[0]]


def _binomial(k: int, n: int, p: float) -> float:
    from math import comb

    return comb(n, k) * p**k * (1 - p) ** (n - k)
