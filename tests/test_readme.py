"""The README's files and commands work as they stand there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:^`(?P<file>[\w.-]+)`:\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [match.groupdict() for match in BLOCK.finditer(README)]
FILES = {block["file"]: block["text"] for block in BLOCKS if block["file"]}
COMMANDS = [
    line.partition("  #")[0].strip()
    for block in BLOCKS
    if block["language"] == "sh"
    for line in block["text"].splitlines()
    if "lazybayes" in line
]


def run(arguments: list[str], folder: Path) -> str:
    """What a command prints, run in a folder with the checkout's package."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each command prints, in order, in a folder with the README's files."""
    folder = tmp_path_factory.mktemp("readme")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    printed = {}
    for command in COMMANDS:
        words = shlex.split(command)
        assert words[0] == "lazybayes"
        printed[command] = run(["-m", *words], folder)
    printed["files"] = " ".join(sorted(path.name for path in folder.iterdir()))
    return printed


def test_the_files_and_commands_are_found() -> None:
    assert list(FILES) == [
        "my-experiment.yaml",
        "tennis.csv",
        "mail.yaml",
        "mail.csv",
        "fire.yaml",
        "days.csv",
        "one_rule.py",
        "one-rule.yaml",
    ]
    assert [shlex.split(command)[:2] for command in COMMANDS[:2]] == [["lazybayes", "check"], ["lazybayes", "run"]]
    assert len(COMMANDS) == 22


def test_the_experiment_runs_and_is_tabulated_exported_and_explained(outputs: dict[str, str]) -> None:
    (table,) = (text for command, text in outputs.items() if command == "lazybayes run my-experiment.yaml")
    for word in ("tic-tac-toe", "tennis", "LBR", "RF", "sign test"):
        assert word in table
    (latex,) = (text for command, text in outputs.items() if "latex" in command)
    assert "AUC" in latex
    assert r"\begin{tabular}" in latex
    assert "predictions.csv" in outputs["files"]
    (explanation,) = (text for command, text in outputs.items() if " explain my-experiment " in command)
    assert "middle-middle-square" in explanation


def test_documents_and_textbooks(outputs: dict[str, str]) -> None:
    (words,) = (text for command, text in outputs.items() if " words mail " in command)
    assert re.search(r"^kitchen .*\btea ", words, re.MULTILINE)
    (compared,) = (text for command, text in outputs.items() if "--published textbooks" in command)
    assert "DIFFERS" not in compared.upper()
    (explained,) = (text for command, text in outputs.items() if " explain textbooks " in command)
    assert "outlook" in explained


def test_a_network_is_asked_fitted_and_converted(outputs: dict[str, str]) -> None:
    (answer,) = (text for command, text in outputs.items() if " query " in command)
    assert re.search(r"^true +0\.4$", answer, re.MULTILINE)
    (fit,) = (text for command, text in outputs.items() if " fit " in command)
    assert "5 rows, 2 hidden cells (Storm, Lightning): gradient" in fit
    for name in ("fitted.bif", "fitted.yaml", "fire.dot"):
        assert name in outputs["files"]


def test_ones_own_classifier_gets_a_column(outputs: dict[str, str]) -> None:
    """tic-tac-toe's best attribute is the middle square, in any training fold: x or empty says positive, which is right
    in 478 rows, and o says negative, right in 192; the mean over folds of unequal size is near that of all 958."""
    (table,) = (text for command, text in outputs.items() if "one-rule" in command)
    header, row = (next(line for line in table.splitlines() if word in line) for word in ("1R", "tic-tac-toe"))
    assert re.split(r"\s{2,}", header.strip())[1:] == ["1R", "NB"]
    assert float(row.split()[1]) == pytest.approx(100 * (1 - (478 + 192) / 958), abs=0.05)


def python_examples() -> list[str]:
    return [block["text"] for block in BLOCKS if block["language"] == "python" and not block["file"]]


def test_the_python_example_prints_two_accuracies(tmp_path: Path) -> None:
    example = python_examples()[0]
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    accuracies = [float(line) for line in run(["example.py"], tmp_path).splitlines()]
    assert len(accuracies) == 2
    assert all(0.9 < accuracy <= 1 for accuracy in accuracies)


def test_the_python_example_of_networks_asks_and_fits(tmp_path: Path) -> None:
    example = python_examples()[1]
    for name in ("fire.yaml", "days.csv"):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    (tmp_path / "networks.py").write_text(example, encoding="utf-8")
    answer, table = run(["networks.py"], tmp_path).splitlines()
    assert answer.startswith("{'Storm': {'true': 0.9459459")  # 0.14 / 0.148
    probabilities = [float(number) for number in table.strip("[]").split()]
    assert len(probabilities) == 2
    assert sum(probabilities) == pytest.approx(1)


def test_every_place_it_names_is_there() -> None:
    for path in re.findall(r"`((?:lazybayes|configs|datasets|tests)/[\w./-]+)`", README):
        assert "NAME" in path or (CHECKOUT / path).exists(), path
    layout = README.partition("## Where things are")[2].split("```")[1]
    for line in layout.strip().splitlines():
        name = line.split()[0]
        parent = CHECKOUT / "lazybayes" if line.startswith(" ") else CHECKOUT
        assert (parent / name).exists(), name
