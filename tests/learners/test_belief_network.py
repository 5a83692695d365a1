"""A belief network as a classifier: naive Bayes where its arcs are naive Bayes', the joint's posterior elsewhere."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from lazybayes.config import load_config
from lazybayes.errors import ConfigError
from lazybayes.learners import registry
from lazybayes.learners.belief_network import BeliefNetwork
from lazybayes.learners.naive_bayes import NaiveBayes
from lazybayes.networks.network import Network, Variable
from lazybayes.networks.yaml_format import write_yaml
from tests.drawn import as_classes, as_rows, with_tests
from tests.networks.reference import likely_evidence, posterior, random_network
from tests.references import Data, Value

ESTIMATES = (
    "laplace",
    "m-estimate",
    "friedman",
    {"kind": "m-estimate", "m": 3.5, "prior": "uniform"},
    {"kind": "dirichlet", "alpha": 2.0},
)


def naive(data: Data, folder: Path) -> str:
    """A file whose network is naive Bayes' on the data, without tables; values in another order than the data's."""
    lines = ["variables:", f"  class: {{values: [{', '.join(f'c{c}' for c in reversed(range(data.n_classes)))}]}}"]
    for j, k in enumerate(data.arity):
        lines.append(f"  a{j}: {{values: [{', '.join(f'v{v}' for v in reversed(range(k)))}], parents: [class]}}")
    path = folder / "naive.yaml"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(with_tests(), st.sampled_from(ESTIMATES))
def test_naive_bayes_arcs_give_naive_bayes(
    tmp_path: Path, drawn: tuple[Data, list[tuple[Value, ...]]], estimate: object
) -> None:
    """The class prior included: a variable without parents is estimated as the classes are."""
    data, tests = drawn
    X, y = as_rows(data), as_classes(data)
    network = BeliefNetwork(naive(data, tmp_path), estimate).fit(X, y)
    bayes = NaiveBayes(estimate).fit(X, y)
    for rows in (X, as_rows(data, tests)):
        np.testing.assert_allclose(network.predict_proba(rows), bayes.predict_proba(rows), atol=1e-12)
        np.testing.assert_array_equal(network.answer(rows).predicted, bayes.answer(rows).predicted)


def test_frequencies_of_play_tennis_are_the_shipped_tables() -> None:
    frame = pd.DataFrame(
        [line.split() for line in TENNIS], columns=["Outlook", "Temperature", "Humidity", "Wind", "PlayTennis"]
    ).astype("category")
    y = frame.pop("PlayTennis")
    fitted = BeliefNetwork("play-tennis", "frequency").fit(frame, y)
    own = BeliefNetwork("play-tennis", "none").fit(frame, y)
    np.testing.assert_allclose(fitted.predict_proba(frame), own.predict_proba(frame), atol=1e-12)
    day = pd.DataFrame([["sunny", "cool", "high", "strong"]], columns=frame.columns).astype("category")
    assert list(own.classes_) == ["no", "yes"]
    np.testing.assert_allclose(own.predict_proba(day), [[0.795417348608838, 1 - 0.795417348608838]], atol=1e-12)
    unknown = pd.DataFrame([["fog", "cool", "high", "strong"]], columns=frame.columns).astype("category")
    missing = unknown.assign(Outlook=pd.Categorical([None], categories=["sunny"]))
    np.testing.assert_array_equal(own.predict_proba(unknown), own.predict_proba(missing))


TENNIS = """\
sunny hot high weak no
sunny hot high strong no
overcast hot high weak yes
rain mild high weak yes
rain cool normal weak yes
rain cool normal strong no
overcast cool normal strong yes
sunny mild high weak no
sunny cool normal weak yes
rain mild normal weak yes
sunny mild normal strong yes
overcast mild high strong yes
overcast hot normal weak yes
rain mild high strong no""".splitlines()


@pytest.mark.parametrize("seed", range(6))
def test_the_file_s_tables_give_the_joint_s_posterior(tmp_path: Path, seed: int) -> None:
    """Any variable as the class, attributes missing here and there, one variable hidden altogether."""
    rng = np.random.default_rng(seed)
    network = random_network(rng, 6)
    target, hidden, *attributes = rng.permutation(6).tolist()
    path = tmp_path / "net.yaml"
    path.write_text(write_yaml(network))
    rows = [likely_evidence(network, rng, attributes) for _ in range(12)]
    for row in rows:
        for i in attributes:
            if rng.random() < 0.3:
                del row[i]
    X = pd.DataFrame(
        {
            f"x{i}": pd.Categorical.from_codes(
                [row.get(i, -1) for row in rows], [f"v{v}" for v in range(network.arity[i])]
            )
            for i in attributes
        }
    )
    classes = pd.Index([f"v{v}" for v in range(network.arity[target])])
    y = pd.Series(pd.Categorical.from_codes([0] * 12, classes), name=f"x{target}")
    with pytest.warns(UserWarning, match=f"summed out: x{hidden}"):
        learner = BeliefNetwork(str(path), "none").fit(X, y)
    proba = learner.predict_proba(X)
    for row, mine in zip(rows, proba, strict=True):
        table, p = posterior(network, row, [target])
        np.testing.assert_allclose(mine, table / p, atol=1e-12)


def xor(folder: Path) -> tuple[str, pd.DataFrame, pd.Series]:
    """The class is the exclusive-or of a and b."""
    coin = np.array([0.5, 0.5])
    table = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    values = ("0", "1")
    network = Network(
        "xor",
        (Variable("a", values, (), coin), Variable("b", values, (), coin), Variable("y", values, ("a", "b"), table)),
    )
    path = folder / "xor.yaml"
    path.write_text(write_yaml(network))
    X = pd.DataFrame({"a": list("0011") * 5, "b": list("0101") * 5}).astype("category")
    return str(path), X, pd.Series(list("0110") * 5, dtype="category", name="y")


def test_a_class_with_parents_learns_what_naive_bayes_cannot(tmp_path: Path) -> None:
    file, X, y = xor(tmp_path)
    assert BeliefNetwork(file, "laplace").fit(X, y).score(X, y) == 1.0
    assert NaiveBayes("laplace").fit(X, y).score(X, y) == 0.5


def test_impossible_rows_are_answered_by_the_class_s_own_distribution(tmp_path: Path) -> None:
    network = Network(
        "n",
        (
            Variable("c", ("p", "q"), (), np.array([0.3, 0.7])),
            Variable("a", ("x", "y"), ("c",), np.array([[1.0, 0.0], [1.0, 0.0]])),
        ),
    )
    (tmp_path / "n.yaml").write_text(write_yaml(network))
    X = pd.DataFrame({"a": pd.Categorical(["x", "y"])})
    answer = BeliefNetwork(str(tmp_path / "n.yaml"), "none").fit(X, ["p", "q"]).answer(X)
    np.testing.assert_allclose(answer.proba, [[0.3, 0.7], [0.3, 0.7]])
    assert answer.diagnostics["prior_answered"] == 1


def test_what_does_not_fit_the_network_is_said(tmp_path: Path) -> None:
    file, X, y = xor(tmp_path)
    with pytest.raises(ValueError, match=r"variables b, which are not attributes.*estimate: none"):
        BeliefNetwork(file).fit(X[["a"]], y)
    with pytest.raises(ValueError, match=r"no variable that could be the class.*yes"):
        BeliefNetwork(file).fit(X, pd.Series(["yes"] * 20, name="y"))
    with pytest.raises(ValueError, match=r"several variables that could be the class.*b, y"):
        BeliefNetwork(file, "none").fit(X[["a"]], y.rename(None))
    with pytest.raises(ValueError, match="a has the value 2; xor knows 0, 1"):
        BeliefNetwork(file).fit(X.assign(a=pd.Categorical(["2"] * 20)), y)
    with pytest.warns(UserWarning, match="not used: further"):
        BeliefNetwork(file).fit(X.assign(further=pd.Categorical(["2"] * 20)), y)


def test_it_clones_and_checks_its_parameters(tmp_path: Path) -> None:
    file, X, y = xor(tmp_path)
    learner = clone(BeliefNetwork(file, "laplace"))
    assert learner.fit(X, y).get_params() == {"file": file, "estimate": "laplace"}
    problems = dict(
        registry.check("belief-network", {"file": "campfir", "estimate": {"kind": "m-estimate", "prior": 0.5}})
    )
    assert "did you mean campfire?" in problems["file"]
    assert "marginal or uniform" in problems["estimate"]
    assert registry.check("belief-network", {"file": file, "estimate": "none"}) == []


def test_a_changed_file_is_another_experiment(tmp_path: Path) -> None:
    file, _, _ = xor(tmp_path)
    before = registry.resolve("belief-network", {"file": file})
    assert registry.check("belief-network", before) == []
    Path(file).write_text(Path(file).read_text().replace("[0.5, 0.5]", "[0.25, 0.75]"))
    assert registry.resolve("belief-network", {"file": file}) != before
    assert "has changed" in dict(registry.check("belief-network", before))["file"]


def test_a_config_names_a_file_beside_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, X, y = xor(tmp_path)
    X.assign(y=y).to_csv(tmp_path / "xor.csv", index=False)
    config = tmp_path / "config.yaml"
    data = "{path: xor.csv, target: y, types: {a: nominal, b: nominal, y: nominal}}"
    text = f"datasets: [{data}]\nalgorithms: {{BN: {{learner: belief-network%s}}}}\n"
    config.write_text(text % ", file: xor.yaml")
    monkeypatch.chdir("/")
    (algorithm,) = load_config(str(config)).algorithms
    assert algorithm.params == {"file": file}
    config.write_text(text % ", file: campfire")
    assert load_config(str(config)).algorithms[0].params == {"file": "campfire"}
    for end, message in [("", "needs the parameter file"), (", file: xro.yaml", "there is no such file")]:
        config.write_text(text % end)
        with pytest.raises(ConfigError, match=message):
            load_config(str(config))


# --- what is asked of every learner, of one whose file names its attributes


def drawn(tmp_path: Path) -> tuple[BeliefNetwork, pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(8)
    network = random_network(rng, 7)
    path = tmp_path / "net.yaml"
    path.write_text(write_yaml(network))
    rows = [likely_evidence(network, rng, range(7)) for _ in range(60)]
    columns = {
        variable.name: pd.Categorical.from_codes(
            [-1 if i and rng.random() < 0.2 else row[i] for row in rows], list(variable.values)
        )
        for i, variable in enumerate(network.variables)
    }
    frame = pd.DataFrame(columns)
    return BeliefNetwork(str(path), "laplace"), frame.drop(columns="x0"), frame["x0"]


def test_copies_pickles_and_single_rows_answer_alike(tmp_path: Path) -> None:
    learner, X, y = drawn(tmp_path)
    with pytest.raises(NotFittedError):
        learner.predict(X)
    proba = learner.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(clone(learner).fit(X, y).predict_proba(X), proba)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(learner)).predict_proba(X), proba)
    alone = np.vstack([learner.predict_proba(X.iloc[[i]]) for i in range(len(X))])
    np.testing.assert_allclose(alone, proba, rtol=0, atol=1e-14)
    assert learner.predict_proba(X.iloc[:0]).shape == (0, len(learner.classes_))


def test_the_order_of_columns_and_categories_does_not_matter(tmp_path: Path) -> None:
    learner, X, y = drawn(tmp_path)
    proba = learner.fit(X, y).predict_proba(X)
    other = X[X.columns[::-1]].apply(lambda column: column.cat.set_categories(column.cat.categories[::-1]))
    np.testing.assert_array_equal(clone(learner).fit(other, y).predict_proba(other), proba)


def test_no_cell_is_known(tmp_path: Path) -> None:
    learner, X, y = drawn(tmp_path)
    empty = X.apply(lambda column: pd.Series(pd.Categorical([None] * len(X), column.cat.categories)))
    proba = learner.fit(X, y).predict_proba(empty)
    assert np.isfinite(proba).all()
    assert (proba == proba[0]).all()
    assert np.isfinite(learner.fit(empty, y).predict_proba(X)).all()
