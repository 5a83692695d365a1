"""Seeds depend on what is computed and on nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

from lazybayes.evaluate.seeds import canonical_json, digest, learner_seed, partition_seed


def test_seeds_are_the_same_in_every_process() -> None:
    code = (
        "from lazybayes.evaluate.seeds import learner_seed, partition_seed;"
        "print(partition_seed(1, 'iris', 0), learner_seed(1, 'iris', 0, 2, 'a', {'x': 1.5}))"
    )
    want = [str(partition_seed(1, "iris", 0)), str(learner_seed(1, "iris", 0, 2, "a", {"x": 1.5}))]
    for hash_seed in ("0", "1"):
        env = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        assert done.stdout.split() == want


def test_every_part_changes_the_seed() -> None:
    partitions = [partition_seed(*parts) for parts in [(1, "iris", 0), (2, "iris", 0), (1, "wine", 0), (1, "iris", 1)]]
    assert len(set(partitions)) == 4
    calls = [
        (1, "iris", 0, 0, "a", {"x": 1}),
        (2, "iris", 0, 0, "a", {"x": 1}),
        (1, "wine", 0, 0, "a", {"x": 1}),
        (1, "iris", 1, 0, "a", {"x": 1}),
        (1, "iris", 0, 1, "a", {"x": 1}),
        (1, "iris", 0, 0, "b", {"x": 1}),
        (1, "iris", 0, 0, "a", {"x": 2}),
    ]
    assert len({learner_seed(*call) for call in calls}) == len(calls)
    assert all(0 <= learner_seed(*call) < 2**32 for call in calls)


def test_the_order_of_parameters_changes_nothing() -> None:
    assert digest({"a": 1, "b": [1, 2]}) == digest({"b": [1, 2], "a": 1})
    assert canonical_json({"b": 1.0, "a": None, "é": ()}) == '{"a":null,"b":1.0,"\\u00e9":[]}'
