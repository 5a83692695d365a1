"""The openml package in a process of its own, for it has no timeout: `openml_client` ends it when it takes too long.

Reads requests from standard input, one JSON object a line with the server's address, a data set's id and the number of
tries; answers each with one line: what OpenML says of the data set and the path of its ARFF file, or what went wrong.
Nothing of lazybayes is imported here.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def answer(openml: Any, request: dict[str, Any]) -> dict[str, Any]:
    """What OpenML says of a data set."""
    openml.config.server = request["server"]
    openml.config.apikey = ""
    openml.config.set_retry_policy("human", n_retries=request["tries"])
    dataset = openml.datasets.get_dataset(
        request["id"],
        download_data=True,
        download_qualities=False,
        download_features_meta_data=False,
        force_refresh_cache=True,
    )
    return {
        "file": str(dataset.data_file),
        "name": dataset.name,
        "version": dataset.version,
        "address": dataset.url,
        "md5": dataset.md5_checksum,
        "target": dataset.default_target_attribute,
        "ignore": _names(dataset.ignore_attribute) + _names(dataset.row_id_attribute),
    }


def _names(value: Any) -> list[str]:
    return [] if not value else [value] if isinstance(value, str) else list(value)


def main() -> None:
    """Answers requests until there are no more."""
    # Whatever is printed must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    import openml

    for line in sys.stdin:
        try:
            said = answer(openml, json.loads(line))
        except Exception as error:
            # The package lets all kinds of errors through, a bare KeyError for a web page that is valid XML among them.
            said = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said, default=str), file=answers, flush=True)


if __name__ == "__main__":
    main()
