"""Results of a run before entries had parts (source, selection, reading) are still found.

The texts and the keys are what that version wrote into a results folder.
"""

from __future__ import annotations

import json

import pytest

from lazybayes.evaluate.plan import survey_key, surveys, trials
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Reading, Scheme, Selection, Source
from lazybayes.snapshot import from_dict, to_dict

UNSAID = (
    '"target": null, "drop": [], "types": {}, "missing": null, "headers": null, "header": true, "columns": null, '
    '"separator": null, "thousands": null, "decimal": ".", "encoding": null, "files": [], "skip_lines": {}, '
    '"split": {}, "blocks": {}, "leave_out": {}, "recode": {}'
)
STORED = (
    '{"name": "led24", "source": "generate", "location": "led24", '
    + UNSAID
    + ', "options": {"rows": 30}, "expect": true, "unverified": "", "checksum": {}, "where": "c.yaml, line 6"}',
    '{"name": "own", "source": "path", "location": "/data/own.csv", "target": "class", "drop": ["id"], '
    '"types": {"b": "nominal"}, "missing": ["?", "-"], "headers": null, "header": true, "columns": null, '
    '"separator": null, "thousands": null, "decimal": ".", "encoding": null, "files": [], "skip_lines": {}, '
    '"split": {}, "blocks": {}, "leave_out": {"b": ["z"]}, "recode": {"b": {"w": "x"}}, "options": {}, '
    '"expect": true, "unverified": "", "checksum": {}, "where": "c.yaml, line 4"}',
    '{"name": "two", "source": "path", "location": "/data/two.csv", "target": null, "drop": [], "types": {}, '
    '"missing": null, "headers": null, "header": false, "columns": ["a", "class"], "separator": ";", '
    '"thousands": null, "decimal": ",", "encoding": "latin-1", "files": ["/data/more.csv"], '
    '"skip_lines": {"two.csv": [1]}, "split": {}, "blocks": {"c": {"x": 2}}, "leave_out": {}, "recode": {}, '
    '"options": {}, "expect": false, "unverified": "", "checksum": {}, "where": ""}',
)
ENTRIES = (
    DatasetEntry("led24", Source("generate", "led24", options={"rows": 30}), where="c.yaml, line 6"),
    DatasetEntry(
        "own",
        Source("path", "/data/own.csv"),
        Selection("class", ("id",), {"b": "nominal"}, ("?", "-"), {"b": ("z",)}, {"b": {"w": "x"}}),
        where="c.yaml, line 4",
    ),
    DatasetEntry(
        "two",
        Source("path", "/data/two.csv", ("/data/more.csv",)),
        reading=Reading(False, ("a", "class"), ";", None, ",", "latin-1", {"two.csv": (1,)}, {}, {"c": {"x": 2}}),
        expect=False,
    ),
)
ASKED = (
    '[{"blocks":{},"checksum":{},"columns":null,"decimal":".","drop":[],"encoding":null,"expect":true,"files":[],'
    '"header":true,"headers":null,"leave_out":{},"location":"led24","missing":null,"name":"led24",'
    '"options":{"rows":30},"recode":{},"separator":null,"skip_lines":{},"source":"generate","split":{},'
    '"target":null,"thousands":null,"types":{},"unverified":""},{"folds":2,"path":null,"repeats":1,'
    '"scheme":"stratified-k-fold","test":0.3333333333333333},""]'
)
KEYS = [
    "62e9b8d6ea992d8954051916d08cd30425eb45d41629fa7b6b3744fc914940ab",
    "4bd3742ddbdbec599adff72c8a3757ba20d802bee54177c95276a37c8a5c4da2",
]
"""Of naive Bayes on led24 in two folds; they change with the version of the learner or of the store, and only so."""


@pytest.mark.parametrize(("stored", "entry"), list(zip(STORED, ENTRIES, strict=True)), ids=lambda part: "")
def test_a_stored_entry_is_read_and_would_be_stored_as_it_was(stored: str, entry: DatasetEntry) -> None:
    plain = to_dict(Experiment("old", (), ())) | {"datasets": [json.loads(stored)]}
    assert from_dict(plain).datasets == (entry,)
    assert to_dict(Experiment("old", (entry,), ()))["datasets"] == [json.loads(stored)]


def test_a_survey_and_the_keys_of_trials_are_those_of_before() -> None:
    experiment = Experiment("old", ENTRIES[:1], (Algorithm("NB", "naive-bayes"),), Scheme(folds=2))
    assert survey_key(experiment, ENTRIES[0]) == ASKED
    assert [trial.key for trial in trials(experiment, surveys(experiment, ["led24"]))] == KEYS
