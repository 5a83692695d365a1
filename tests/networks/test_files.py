"""Network files: what YAML and BIF mean, round trips to the last bit, every mistake with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lazybayes.errors import ConfigError, UsageError
from lazybayes.networks.bif import write_bif
from lazybayes.networks.files import load_network, network_text, shipped_networks
from lazybayes.networks.network import Network, Variable
from lazybayes.networks.queries import exact
from lazybayes.networks.report import summary
from lazybayes.networks.yaml_format import write_yaml
from tests.networks.reference import networks, same

Write = Callable[..., Path]

YAML = """
name: fire
variables:
  Storm:
    values: [true, false]
    table: [0.2, 0.8]
  Lightning:
    values: [on, 01]
    parents: [Storm]
    table:
      - [false, 1e-2, .99]
      - [true, 0.7, 0.3]
"""

BIF = """
network fire { property author "A; B { C }" ; }
// a comment { ;
variable Storm { type discrete [ 2 ] { true, false }; property position = (73, 165) ; }
/* several
   lines } */
variable Lightning { // behind
  type discrete[2]{ on "01" };
}
probability ( Storm ) { table 2E-1 0.8; }
probability ( Lightning | Storm ) { (false) 1e-2, .99; // out of order
  (true) 0.7 0.3; }
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(text: str, ending: str = ".yaml") -> Path:
        path = tmp_path / f"net{ending}"
        path.write_text(text, encoding="utf-8")
        return path

    return to_file


def problems_of(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_network(path)
    return [problem.removeprefix(f"{path}, ").removeprefix(f"{path}: ") for problem in caught.value.problems]


# --- what a file means


@pytest.mark.parametrize(("text", "ending"), [(YAML, ".yaml"), (BIF, ".bif")])
def test_rows_go_by_the_parents_values_and_text_stays_text(write: Write, text: str, ending: str) -> None:
    network = load_network(write(text, ending))
    assert network.name == "fire"
    assert network.notices == ()
    storm, lightning = network.variables
    assert (storm.name, storm.values, storm.parents, storm.table.tolist()) == (
        "Storm",
        ("true", "false"),
        (),
        [0.2, 0.8],
    )
    assert (lightning.values, lightning.parents) == (("on", "01"), ("Storm",))
    assert lightning.table.tolist() == [[0.7, 0.3], [0.01, 0.99]]


def test_a_table_of_bif_counts_through_the_last_parent_fastest(write: Write) -> None:
    """The format's own text: the block's first variable is the most significant digit."""
    text = """
    variable A { type discrete [ 2 ] { a0, a1 }; }
    variable B { type discrete [ 3 ] { b0, b1, b2 }; }
    variable C { type discrete [ 2 ] { c0, c1 }; }
    probability ( A ) { table 0.5 0.5; }
    probability ( B A ) { default 0.2 0.3 0.5; (a1) 1 0 0; }
    probability ( C | A, B ) { table 0.1 0.2 0.3 0.4 0.5 0.6 0.9 0.8 0.7 0.6 0.5 0.4; }
    """
    network = load_network(write(text, ".bif"))
    assert network["B"].table.tolist() == [[0.2, 0.3, 0.5], [1, 0, 0]]
    assert network["C"].table[:, :, 0].tolist() == [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]
    assert network["C"].table[:, :, 1].tolist() == [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4]]


@pytest.mark.parametrize(
    "table",
    [
        "table 0.1 0.2 0.3 0.4 0.55 0.65  0.9 0.8 0.7 0.6 0.45 0.35;",
        "(a0, b0) 0.1 0.9; (a0, b1) 0.2 0.8; (a0, b2) 0.3 0.7;"
        "(a1, b0) 0.4 0.6; (a1, b1) 0.55 0.45; (a1, b2) 0.65 0.35;",
    ],
)
def test_parents_of_bif_are_in_the_order_of_their_block_as_in_pyagrum(write: Write, table: str) -> None:
    """The variables stand in the opposite order, and the parents' numbers of values differ."""
    path = write(
        f"""network n {{ }}
        variable C {{ type discrete [ 2 ] {{ c0, c1 }}; }}
        variable B {{ type discrete [ 3 ] {{ b0, b1, b2 }}; }}
        variable A {{ type discrete [ 2 ] {{ a0, a1 }}; }}
        probability ( C | A, B ) {{ {table} }}
        probability ( B ) {{ table 0.2, 0.3, 0.5; }}
        probability ( A ) {{ table 0.3, 0.7; }}
        """,
        ".bif",
    )
    network = load_network(path)
    assert network["C"].parents == ("A", "B")
    assert network["C"].table[:, :, 0].tolist() == [[0.1, 0.2, 0.3], [0.4, 0.55, 0.65]]
    assert "C {c0, c1}  <- A, B" in summary(network)
    gum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    for text in (path.read_text(), write_bif(network)):
        engine = gum.LazyPropagation(gum.loadBN(str(write(text, ".bif"))))
        for evidence in ({}, {"A": 1, "B": 0}, {"C": 1}):
            engine.setEvidence(evidence)
            engine.makeInference()
            numbers = {network.index[name]: value for name, value in evidence.items()}
            asked = [i for i in range(3) if i not in numbers]
            for one in exact(network, numbers, asked).posteriors:
                theirs = engine.posterior(network.variables[one.variables[0]].name).toarray()
                np.testing.assert_allclose(one.table, theirs, atol=1e-6)  # its reader keeps single precision


def test_rows_that_miss_one_by_rounding_are_divided_and_told(write: Write) -> None:
    path = write("variables:\n  A:\n    values: [a, b, c]\n    table: [0.33, 0.33, 0.33]\n")
    network = load_network(path)
    np.testing.assert_allclose(network["A"].table, 1 / 3)
    assert network.notices == (
        f"{path}: a row misses a sum of 1 by rounding, divided by the sum (line 4: P(A) sums to 0.99)",
    )
    doubles = load_network(write("variables: {A: {values: [a, b, c, d], table: [0.3, 0.3, 0.3, 0.1]}}\n"))
    assert doubles.notices == ()  # 0.9999999999999999 in doubles is no miss
    assert doubles["A"].table.tolist() == [0.3, 0.3, 0.3, 0.1]


def test_tables_may_be_left_out_where_only_the_arcs_count(write: Write) -> None:
    path = write("variables:\n  A: {values: [x, y]}\n  B: {values: [x, y], parents: [A]}\n")
    assert problems_of(path) == ["line 2: A has no table of probabilities", "line 3: B has no table of probabilities"]
    assert load_network(path, tables=False)["B"].table.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    bif = write("variable A { type discrete [ 2 ] { x, y }; }", ".bif")
    assert problems_of(bif) == ["line 1: A has no table of probabilities"]
    assert load_network(bif, tables=False)["A"].table.tolist() == [0.5, 0.5]


def test_shipped_networks_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(shipped_networks()) == ["campfire", "play-tennis"]
    for name in shipped_networks():
        assert load_network(name).name == name
        assert load_network(name).notices == ()
    with pytest.raises(ConfigError, match=r"did you mean campfire\?"):
        load_network("campfir")
    with pytest.raises(ConfigError, match="there is no such file"):
        load_network("campfire.yaml")


def test_the_book_s_values_are_in_the_shipped_network(shared: Path) -> None:
    yaml = pytest.importorskip("yaml")
    book = yaml.safe_load((shared / "published" / "textbook.yaml").read_text(encoding="utf-8"))["mitchell_ch6"]
    book = book["campfire_network"]
    network = load_network("campfire")
    assert sorted(network.index) == sorted(book["nodes"])
    campfire = network["Campfire"]
    assert list(campfire.parents) == book["campfire_parents"]
    for key, entry in book["p_campfire_true"].items():
        if entry["value"] is not None:
            row = tuple("TF".index(letter) for letter in key.split(","))
            assert campfire.table[row][campfire.values.index("true")] == entry["value"]


# --- round trips

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8).map(
    lambda name: f"x {name}"
) | st.sampled_from(
    ["true", "01", "-", "~", "null", "a: b", "#x", "[0,5; 1,5)", "(-inf, 2.45]", "été", "table", "a//b", "'"]
)


@st.composite
def named_networks(draw: st.DrawFn) -> Network:
    """Names that trip readers."""
    plain = draw(networks(most=4))
    names = draw(st.lists(NAMES, min_size=len(plain), max_size=len(plain), unique=True))
    rename = dict(zip(plain.index, names, strict=True))
    variables = []
    for variable in plain.variables:
        values = draw(st.lists(NAMES, min_size=len(variable.values), max_size=len(variable.values), unique=True))
        parents = tuple(rename[parent] for parent in variable.parents)
        variables.append(Variable(rename[variable.name], tuple(values), parents, variable.table))
    return Network(draw(NAMES), tuple(variables))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(named_networks())
def test_yaml_and_back_is_the_same_to_the_last_bit(write: Write, network: Network) -> None:
    assert same(load_network(write(write_yaml(network))), network)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(named_networks())
def test_bif_and_back_is_the_same_to_the_last_bit(write: Write, network: Network) -> None:
    if '"' in "".join([network.name, *(name for v in network.variables for name in (v.name, *v.values))]):
        with pytest.raises(ConfigError, match="no way to write"):
            write_bif(network)
    else:
        assert same(load_network(write(write_bif(network), ".bif")), network)


def test_the_ending_decides_the_form() -> None:
    network = load_network("campfire")
    assert network_text(network, Path("a.bif")).startswith("network campfire {")
    assert network_text(network, Path("a.yml")).startswith("name: campfire")
    with pytest.raises(UsageError, match=r"\.yaml, \.yml, \.bif"):
        network_text(network, Path("a.txt"))


def test_a_written_table_has_its_header_above_its_columns() -> None:
    lines = network_text(load_network("campfire"), Path("a.yaml")).splitlines()
    header = next(i for i, line in enumerate(lines) if "# " in line and "BusTourGroup" in line)
    assert [lines[header + 1].index("true"), lines[header + 1].index("0.4")] == [
        lines[header].index("Storm"),
        lines[header].index("true"),
    ]


# --- mistakes

ROWS = """\
variables:
  B:
    values: [t, f]
    table: [0.5, 0.5]
  A:
    values: [t, f]
    parents: [B]
    table:
"""


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("- [t, 0.5, 0.4]\n- [f, 1, 0]", ["line 9: P(A | B = t) sums to 0.9; 1 is expected"]),
        ("- [t, 0.5, 0.5]", ["line 8: the table of A is not complete: the row is missing: P(A | B = f)"]),
        (
            "- [t, 1, 0]\n- [f, 1, 0]\n- [t, 0, 1]",
            ["line 11: the row P(A | B = t) stands already in line 9; give it once"],
        ),
        (
            "- [t, 1, 0]\n- [f, 1, 0]\n- [g, 0, 1]",
            ["line 11: a row of A: B has no value g; it has t, f"],
        ),
        ("- [t, -0.5, 1.5]\n- [f, 1, 0]", ["line 9: P(A | B = t): -0.5 is no probability; 0 to 1 is expected"]),
        ("- [t, 1]\n- [f, 1, 0]", ["line 9: P(A | B = t): 1 number for 2 values (t, f)"]),
        ("- [t, 1, 0, 0]\n- [f, 1, 0]", ["line 9: P(A | B = t): 3 numbers for 2 values (t, f)"]),
        (
            "- [t, a, 0]\n- [f, .nan, 0]\n- []",
            [
                "line 8: the table of A is not complete: 2 rows are missing: P(A | B = t), P(A | B = f)",
                "line 9: variables.A.table[0][1]: 'a' is not allowed; a probability is expected",
                "line 10: variables.A.table[1][1]: '.nan' is not allowed; a probability is expected",
                "line 11: a row of A gives 0 values of parents; it has 1 parent (B)",
            ],
        ),
    ],
)
def test_mistakes_in_the_rows_of_a_table(write: Write, rows: str, expected: list[str]) -> None:
    indented = "\n".join(f"      {line}" for line in rows.splitlines())
    assert problems_of(write(ROWS + indented + "\n")) == expected


def test_every_mistake_of_a_file_at_once(write: Write) -> None:
    text = """\
name: x
variables:
  Storm: {values: [t, f, t], parents: [Campfyre, Storm], table: [1]}
  Campfire: {values: [t, f], parents: [Thunder, Thunder], table: [[t, t, 0.5, 0.5]]}
  Thunder: {values: [t, f], parents: [Fire], tabel: []}
  Fire: {values: [t, f], parents: [Campfire]}
"""
    found = "\n".join(problems_of(write(text)))
    for message in (
        "line 3: Storm has the value t twice; give it once",
        "line 3: Storm has the parent Campfyre, no variable (did you mean Campfire?)",
        "line 3: Storm is its own parent",
        "line 4: Campfire has the parent Thunder twice",
        "line 4: the arcs form a cycle: Campfire -> Fire -> Thunder -> Campfire",
        "line 5: variables.Thunder.tabel: unknown key; allowed: values, parents, table (did you mean table?)",
        "line 6: Fire has no table of probabilities",
    ):
        assert message in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        ("name: x\n", "the key variables is missing"),
        ("variables: {}\n", "no variable is given"),
        ("variables: [A]\n", "a mapping (key: value) is expected"),
        ("variables: {A: {values: []}}\n", "at least 1 expected"),
    ],
)
def test_a_yaml_file_without_a_network(write: Write, text: str, expected: str) -> None:
    assert any(expected in problem for problem in problems_of(write(text)))


VARIABLE = "variable A { type discrete [ 2 ] { a, b }; }\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (VARIABLE + "probability ( A ) { table 0.5, 0.4; }", "line 2: P(A) sums to 0.9; 1 is expected"),
        (
            VARIABLE + "probability ( A ) { table -0.5, 1.5; }",
            "line 2: P(A): -0.5 is no probability; 0 to 1 is expected",
        ),
        (VARIABLE + "probability ( A ) { table 0.5; }", "line 2: P(A): 1 number for 2 values (a, b)"),
        (VARIABLE + "probability ( A ) { table 0.5, half; }", "line 2: half is no number"),
        (
            VARIABLE + "probability ( A ) { tabel 0.5, 0.5; }",
            "line 2: tabel is not understood in the probabilities of A",
        ),
        (VARIABLE + "probability ( A | Q ) { (x) 0.5, 0.5; }", "line 2: A has the parent Q, no variable"),
        (VARIABLE + "probability ( B ) { table 0.5, 0.5; }", "line 2: B has probabilities but is no variable"),
        (
            VARIABLE + "probability ( A ) { table 0.5, 0.5; }\n" * 2,
            "line 3: the probabilities of A stand already in line 2",
        ),
        (VARIABLE * 2, "line 2: the variable A stands already in line 1"),
        (VARIABLE + "probability ( A ) { table 0.5, 0.5;", "line 2: the file ends where } is expected"),
        (VARIABLE + "probability ( A ) { table 0.5, 0.5 }", "line 2: } stands where ; is expected"),
        ("varable A { }", "line 1: varable begins no block (did you mean variable?)"),
        ("variable A { type discrete [ 3 ] { a, b }; }", "line 1: A lists 2 values, but says it has 3"),
        ("variable A { type real; }", "line 1: A has the type real; only discrete is known"),
        ("variable A { }", "line 1: the variable A has no type"),
        ('variable "A { }', "line 1: a quotation mark that is never closed"),
        (VARIABLE + "/* never\nclosed", "line 2: a comment that is never closed"),
        ("  \n", "the file is empty"),
    ],
)
def test_mistakes_in_bif(write: Write, text: str, expected: str) -> None:
    assert any(expected in problem for problem in problems_of(write(text, ".bif")))


# --- the project's cases


def case(shared: Path, name: str) -> Path:
    return shared / "cases" / name


def test_case_26_and_27(shared: Path) -> None:
    from lazybayes.networks.queries import exact

    network = load_network(case(shared, "026-bif-comments-names-properties") / "n.bif")
    assert list(network.index) == ["lamp-a, été", "door-open", "alone"]
    answer = exact(network, {1: 0}, [0, 2])
    assert answer.posteriors[0].table[0] == pytest.approx(4.499842505512307e-05, abs=1e-15)
    assert answer.posteriors[1].table.tolist() == pytest.approx([0.2, 0.3, 0.5])
    folder = case(shared, "027-bif-sums-and-signs")
    rounding = load_network(folder / "rounding.bif")
    assert exact(rounding, {}, [1]).posteriors[0].table[0] == pytest.approx(0.34575 / 0.9998, abs=1e-12)
    assert "P(A) sums to 0.9998" in rounding.notices[0]
    for name, words in {"short": "P(A) sums to 0.9;", "negative": "-0.5", "few": "2 numbers for 3 values"}.items():
        (problem,) = problems_of(folder / f"{name}.bif")
        assert problem.startswith("line 3: P(A)")
        assert words in problem


INTERVALS = """network iv {}
variable Len { type discrete [ 3 ] { [4.3,5.4], (5.4, 6.3], (6.3,7.9] }; }
variable Cls { type discrete [ 2 ] { a, b }; }
probability ( Len ) { table 0.2, 0.3, 0.5; }
probability ( Cls | Len ) { ([4.3,5.4]) 0.5, 0.5; ((5.4,6.3]) 0.1, 0.9; ((6.3,7.9]) 0.3, 0.7; }
"""


def test_intervals_without_quotes_are_values(write: Write) -> None:
    network = load_network(str(write(INTERVALS, ".bif")))
    assert network["Len"].values == ("[4.3,5.4]", "(5.4,6.3]", "(6.3,7.9]")
    answer = exact(network, {}, [network.index["Cls"]])
    assert answer.posteriors[0].table[0] == pytest.approx(0.2 * 0.5 + 0.3 * 0.1 + 0.5 * 0.3, rel=1e-12)
    with pytest.raises(ConfigError, match=r"line 2: \[ begins no interval like \(5.4,6.3\]"):
        load_network(str(write(INTERVALS.replace("[4.3,5.4],", "[4.3, ],"), ".bif")))


def test_a_variable_of_bif_without_values_is_refused(write: Write) -> None:
    with pytest.raises(ConfigError, match="line 2: A has no values; at least one is expected"):
        load_network(str(write("network n {}\nvariable A { type discrete [ 0 ] { }; }\n", ".bif")))


@pytest.mark.parametrize("ending", ["bif", "yaml"])
def test_a_network_without_variables_is_refused(write: Write, ending: str) -> None:
    text = {"bif": "network n {}\n", "yaml": "name: n\nvariables: {}\n"}[ending]
    with pytest.raises(ConfigError, match="at least one is expected"):
        load_network(str(write(text, f".{ending}")))


def test_a_table_of_the_wrong_length_is_one_problem(write: Write) -> None:
    text = INTERVALS.partition("probability ( Cls")[0] + "probability ( Cls | Len ) { table 0.5, 0.5, 0.1; }\n"
    with pytest.raises(ConfigError) as caught:
        load_network(str(write(text, ".bif")))
    (problem,) = caught.value.problems
    assert "line 5: the table of Cls: 3 numbers for 2 values times 3 rows of its parents" in problem
