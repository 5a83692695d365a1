"""The openml package in a process of its own, for it has no timeout: `openml_client` ends it when it takes too long.

Nor has it a limit of size: its connections are given one here.

Reads requests from standard input, one JSON object a line with the server's address, a data set's id, the number of
tries and the most bytes to take of an answer; answers each with one line: what OpenML says of the data set and the
path of its ARFF file, or what went wrong.
Nothing of lazybayes is imported here.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any


class TooLong(Exception):
    """An answer with more bytes than are taken."""


def answer(openml: Any, request: dict[str, Any]) -> dict[str, Any]:
    """What OpenML says of a data set."""
    openml.config.server = request["server"]
    openml.config.apikey = ""
    limit(request["most"])
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


def limit(most: int) -> None:
    """Has every connection that is made from now on take at most so many bytes of an answer, however it is packed."""
    requests: Any = import_module("requests")  # openml brings it

    class Limited(requests.adapters.HTTPAdapter):
        def send(self, *args: Any, **options: Any) -> Any:
            response = super().send(*args, **options)
            announced = response.headers.get("Content-Length", "")
            if announced.isdigit() and int(announced) > most:
                raise TooLong(f"{announced} bytes announced by {response.url}; at most {most} are taken")
            chunks = response.raw.stream

            def counted(*args: Any, **options: Any) -> Iterator[bytes]:
                received = 0
                for chunk in chunks(*args, **options):
                    received += len(chunk)
                    if received > most:
                        raise TooLong(f"more than {most} bytes sent by {response.url}; no more are taken")
                    yield chunk

            response.raw.stream = counted
            return response

    requests.sessions.HTTPAdapter = Limited


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
            reply = answer(openml, json.loads(line))
        except TooLong as error:
            reply = {"error": str(error)}
        except Exception as error:
            # The package lets all kinds of errors through, a bare KeyError for a web page that is valid XML among them.
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply, default=str), file=answers, flush=True)


if __name__ == "__main__":
    main()
