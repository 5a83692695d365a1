"""Fetching from OpenML (with its real client) and UCI: every fault is told in time and leaves the cache good."""

from __future__ import annotations

import csv
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from lazybayes.data import cache, catalogue, openml_client, uci
from lazybayes.data.download import download
from lazybayes.data.load import load_table
from lazybayes.data.table import Table
from lazybayes.errors import DataError, FetchError
from lazybayes.experiment import DatasetEntry
from tests.data import standins
from tests.data.standins import FAULTS, Standin

Start = Callable[..., AbstractContextManager[Standin]]
OWN = DatasetEntry.of("small", "uci", "7/small.zip", target="class", header=False, columns=("id", "b", "class"),
                   files=("own.data",), where="c.yaml, line 3")  # fmt: skip
REAL = DatasetEntry.of("iris", "uci", "62/lung+cancer.zip", header=False, target="column-1",
                       files=("lung-cancer.data",))  # fmt: skip


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no settings but those a test makes."""
    monkeypatch.setenv("LAZYBAYES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache"


def use(site: Standin, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in site.settings().items():
        monkeypatch.setenv(variable, value)


def openml(did: int, **said: object) -> DatasetEntry:
    return DatasetEntry.of(f"openml-{did}", "openml", str(did), **said)  # type: ignore[arg-type]


def files_of(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture(params=["own", "shared"])
def start(request: pytest.FixtureRequest) -> Iterator[tuple[Start, DatasetEntry]]:
    """A stand-in and an entry of UCI that it serves; each serves OpenML's 61."""
    if request.param == "own":
        yield standins.own, OWN
    else:
        folder = request.getfixturevalue("shared")
        yield (lambda *given, **said: standins.shared(folder, *given, **said)), REAL


def test_every_fault_of_the_shared_stand_in_is_tried(shared: Path) -> None:
    script = str(shared / "openml-standin" / "serve.py")
    told = subprocess.run([sys.executable, script, "--list-faults"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in told.splitlines()} - {"none"} == set(FAULTS)


# What each fault is told as; "" where there is no failure: a slow answer within the deadline is none.
OPENML_TOLD = {
    "500": "500", "503": "503", "429": "429", "db": "code 107", "unknown": "", "html": "", "truncate": "",
    "short": "hecksum", "badmd5": "hecksum", "slow": "no answer within", "stall": "", "reset": "",
}  # fmt: skip
UCI_TOLD = {
    "500": "HTTP 500", "503": "HTTP 503", "429": "HTTP 429", "db": "HTTP 412", "unknown": "HTTP 404",
    "html": "a web page", "truncate": "bytes came of", "short": "no whole zip archive", "badmd5": "bytes too many",
    "slow": "no answer within", "stall": "", "reset": "the connection broke",
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("start", "path"), [("own", "/api/"), ("own", "/download/"), ("shared", "/download/")], indirect=["start"]
)
def test_a_fault_of_openml(
    fault: str, path: str, start: tuple[Start, DatasetEntry], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that names the data set, in time; nothing in the cache; and the next run has it."""
    standin, _ = start
    warm_up(standin, monkeypatch)
    patient = fault not in ("slow", "stall")
    monkeypatch.setenv("LAZYBAYES_DEADLINE", "30" if patient else "1.5")
    with standin(fault, where=path, slow=6.0) as site:
        use(site, monkeypatch)
        begun = time.monotonic()
        with pytest.raises(FetchError) as caught:
            load_table(openml(61))
        assert time.monotonic() - begun < (20 if patient else 5)
    told = str(caught.value)
    assert told.startswith(f"openml 61 at {site.base}/api/v1/xml: ")
    if path == "/download/" or fault not in ("short", "badmd5"):
        assert OPENML_TOLD[fault] in told or fault == "stall"
    assert len(told) < 500
    assert "<" not in told
    assert files_of(cached) == []
    monkeypatch.setenv("LAZYBAYES_DEADLINE", "60")
    with standin() as site:
        use(site, monkeypatch)
        assert load_table(openml(61)).target.name in ("type", "class")


def warm_up(standin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the openml package imported, so that a short deadline is for the service alone."""
    with standin() as site:
        client = openml_client._client()
        client.ask({"server": f"{site.base}/api/v1/xml", "id": 61, "tries": 1}, "warm up", 120)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_uci(
    fault: str, start: tuple[Start, DatasetEntry], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standin, entry = start
    monkeypatch.setattr("lazybayes.data.download.PAUSE", 0.01)
    monkeypatch.setenv("LAZYBAYES_DEADLINE", "1" if fault in ("slow", "stall") else "20")
    with standin(fault, slow=4.0) as site:
        use(site, monkeypatch)
        begun = time.monotonic()
        with pytest.raises(FetchError) as caught:
            load_table(entry)
        assert time.monotonic() - begun < 3.5
    place = f"{entry.where}: " if entry.where else ""
    assert str(caught.value).startswith(f"{place}{site.base}/uci/static/public/{entry.source.location}: ")
    assert UCI_TOLD[fault] in str(caught.value)
    assert files_of(cached) == []
    with standin() as site:
        use(site, monkeypatch)
        assert load_table(entry).n_rows in (200, 32)


def test_a_page_that_is_valid_xml_is_no_answer(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with standins.own("503") as site:
        site.page = b"<html><h1>Sorry</h1></html>"
        use(site, monkeypatch)
        with pytest.raises(FetchError, match="a web page came in the place of an answer"):
            load_table(openml(61))


@pytest.mark.parametrize("fault", ["503", "truncate", "reset"])
def test_a_fault_that_passes_is_not_noticed(fault: str, cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lazybayes.data.download.PAUSE", 0.01)
    with standins.own(fault, count=1, where="/uci/") as site:
        use(site, monkeypatch)
        assert load_table(OWN).n_rows == 200
        assert len(site.requests) == 2
    with standins.own(fault, count=1, where="/download/") as site:
        use(site, monkeypatch)
        assert load_table(openml(61)).n_rows == 40


@pytest.mark.parametrize("drip", standins.DRIPS)
def test_a_fetch_has_one_deadline_whatever_it_waits_for(drip: str) -> None:
    """A byte now and then does not renew it; the connection is ended, and there is no second try."""
    with standins.dripping(drip) as (site, gone):
        words = r"bytes? came, but not all within 0.5 s" if drip == "body" else r"no answer within 0.5 s"
        with pytest.raises(FetchError, match=words):
            download(f"{site.base}/a.zip", label="a", deadline=0.5)
        assert gone.wait(30)
        assert site.requests == ["/a.zip"]


def test_so_has_a_fetch_from_openml(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm_up(standins.own, monkeypatch)
    monkeypatch.setenv("LAZYBAYES_DEADLINE", "0.5")
    with standins.dripping("continue") as (site, gone):
        use(site, monkeypatch)
        with pytest.raises(FetchError, match=r"no answer within 0.5 s"):
            load_table(openml(61))
        assert gone.wait(30)
    assert files_of(cached) == []


@pytest.mark.parametrize("announced", [None, 1 << 30])
def test_no_more_is_taken_than_the_limit(announced: int | None, cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an answer without an end, or of one that announces too much."""
    with standins.endless(announced) as site:
        use(site, monkeypatch)
        monkeypatch.setattr(openml_client, "MOST", 1 << 20)
        with pytest.raises(FetchError) as caught:
            load_table(openml(61))
        words = "more than 1048576 bytes sent" if announced is None else "1073741824 bytes announced"
        assert str(caught.value).startswith(f"openml 61 at {site.base}/api/v1/xml: {words}")
        with pytest.raises(FetchError, match=words):
            download(f"{site.base}/uci/a.zip", label="a", deadline=60, most=1 << 20)
        assert len(site.requests) == 2  # no second try
    assert files_of(cached) == []


def test_what_is_fetched_once_needs_no_service(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with standins.own() as site:
        use(site, monkeypatch)
        first = [load_table(entry).fingerprint() for entry in (OWN, openml(61))]
        asked = len(site.requests)
        assert [load_table(entry).fingerprint() for entry in (OWN, openml(61))] == first
        assert len(site.requests) == asked
    assert [load_table(entry, offline=True).fingerprint() for entry in (OWN, openml(61))] == first
    assert files_of(cached) == [
        "openml/61-small-zoo.arff",
        "openml/61-small-zoo.arff.lock",
        "uci/7-small/own.data",
        "uci/7-small/own.data.lock",
    ]


def test_offline_nothing_is_asked_for(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with standins.own() as site:
        use(site, monkeypatch)
        for entry in (OWN, openml(61)):
            with pytest.raises(FetchError, match="not in the cache, and nothing is fetched"):
                load_table(entry, offline=True)
        assert site.requests == []


def test_openml_names_the_class_and_what_to_leave_out(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with standins.own() as site:
        use(site, monkeypatch)
        table = load_table(openml(61))
    assert [attribute.name for attribute in table.attributes] == ["legs"]
    assert table.target.name == "type"
    assert table.notices == ("data set openml-61: OpenML takes type as the class, and leaves out name",)
    said = load_table(openml(61, target="name"), offline=True)
    assert ([attribute.name for attribute in said.attributes], said.notices) == (["legs", "type"], ())


def test_a_damaged_file_is_fetched_again(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with standins.own() as site:
        use(site, monkeypatch)
        whole = load_table(OWN).fingerprint()
        file = cached / "uci" / "7-small" / "own.data"
        file.write_text(file.read_text()[:-5])
        with pytest.raises(FetchError, match="not in the cache"):
            load_table(OWN, offline=True)
        assert load_table(OWN).fingerprint() == whole
        file.unlink()
        assert load_table(OWN).fingerprint() == whole


def test_a_later_fetch_must_agree_with_the_first(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with standins.own() as site:
        use(site, monkeypatch)
        load_table(OWN)
        (cached / "uci" / "7-small" / "own.data").write_text("1,2,y\n")
        altered = standins.archive().replace(b"own.data", b"own.dat2").replace(b"own.test", b"own.data")
        monkeypatch.setattr(standins, "archive", lambda: altered)
    with standins.own() as site:
        use(site, monkeypatch)
        with pytest.raises(
            FetchError, match=r"own.data is not what was fetched before: sha256 .*; delete that file if"
        ):
            load_table(OWN)


LOCKS = [
    b"{",
    b"[]",
    b"\xff",
    b"[" * 100_000,
    b'{"sha256": {"a": 1}}',
    b'{"sha256": "0", "target": {"a": 1}}',
    b'{"sha256": "0", "ignore": {"a": 1}}',
    b'{"sha256": "0", "ignore": [["a"]]}',
    b'{"sha256": "0", "ignore": 1}',
]


@pytest.mark.parametrize("content", LOCKS, ids=lambda content: content[:40].decode(errors="replace"))
def test_a_lock_that_cannot_be_read_is_told(cached: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    with standins.own() as site:
        use(site, monkeypatch)
        load_table(OWN)
    lock = cached / "uci" / "7-small" / "own.data.lock"
    lock.write_bytes(content)
    with pytest.raises(DataError, match=r"own.data.lock: the lock of a fetched file cannot be read; delete it"):
        load_table(OWN)


def test_two_fetches_at_once_do_no_harm(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    with standins.own("slow", slow=0.3) as site:
        use(site, monkeypatch)
        threads = [threading.Thread(target=lambda: found.append(load_table(OWN).fingerprint())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(site.requests) == 4, "all of them fetched"
    assert len(found) == 4
    assert len(set(found)) == 1
    assert files_of(cached) == ["uci/7-small/own.data", "uci/7-small/own.data.lock"]


def test_a_member_that_is_not_in_the_archive(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with standins.own() as site:
        use(site, monkeypatch)
        with pytest.raises(FetchError, match=r"0 files own.dat in the archive.*small/own.data, small/own.test"):
            uci.files("7/small.zip", ["own.dat"], offline=False, checksum={})


def test_a_known_checksum_binds_the_service_itself(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mirror may pack the same members anew; what the service sends is known."""
    with standins.own() as site:
        use(site, monkeypatch)
        monkeypatch.setattr(uci, "UCI", f"{site.base}/uci")
        with pytest.raises(FetchError, match=r"sha256 [0-9a-f]{64}; the catalogue knows 00"):
            uci.files("7/small.zip", ["own.data"], offline=False, checksum={"sha256": "00"})
        monkeypatch.setattr(openml_client, "OPENML", f"{site.base}/api/v1/xml")
        with pytest.raises(FetchError, match=r"md5 [0-9a-f]{32} .*; the catalogue knows 00"):
            openml_client.file("61", offline=False, checksum={"md5": "00"})
        assert files_of(cached) == []


def test_the_next_source_is_tried_and_all_answers_are_told(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "entries"
    own.mkdir()
    rest = "expected: {instances: 200, attributes: 1, classes: 2, missing_cells: 0}\nlicence: none\ncitation: nobody\n"
    uci_source = (
        "{uci: 7, archive: small.zip, files: [own.data], header: false, columns: [id, b, class], unverified: old}"
    )
    (own / "mine.yaml").write_text(
        f"name: mine\ntitle: t\nsources:\n  - {{openml: 99}}\n  - {uci_source}\ntarget: class\ndrop: [id]\n{rest}"
    )
    monkeypatch.setenv("LAZYBAYES_DATASETS", str(own))
    entry = DatasetEntry.of("mine", "catalogue", "mine", where="c.yaml, line 2")
    with standins.own() as site:
        use(site, monkeypatch)
        table = load_table(entry)
        first, second = table.notices
        assert first.startswith("data set mine: taken from uci 7/small.zip, for openml 99 at ")
        assert second == "data set mine: its source uci 7/small.zip is unverified: old"
        asked = len(site.requests)
        load_table(entry)
        assert len(site.requests) == asked, "what is at hand comes first"
    (own / "mine.yaml").write_text((own / "mine.yaml").read_text().replace("instances: 200", "instances: 201"))
    catalogue._entries.cache_clear()
    with pytest.raises(FetchError, match=r"200 instances \(expected 201\); `expect: false`"):
        load_table(entry)
    free = load_table(DatasetEntry.of("mine", "catalogue", "mine", expect=False))
    assert free.notices[-1] == "data set mine: not held against the counts of the catalogue (expect: false)"
    (cached / "uci" / "7-small" / "own.data").unlink()
    with standins.own("503") as site:
        use(site, monkeypatch)
        with pytest.raises(FetchError) as caught:
            load_table(entry)
    head, one, two, hint = str(caught.value).splitlines()
    assert hint.endswith("lazybayes datasets fetch mine --from FILE")
    assert head == "c.yaml, line 2: data set mine could not be had from any of its sources:"
    assert one.startswith("  openml 99 at ")
    assert two.startswith(f"  {site.base}/uci/static/public/7/small.zip: HTTP 503")


# --- every data set the shared stand-in serves


@pytest.fixture(scope="module")
def served(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[DatasetEntry], Table]]:
    """Loads entries from the shared stand-in, into one cache."""
    with standins.shared(shared) as site, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAZYBAYES_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("none")))
        patch.setenv("no_proxy", "127.0.0.1")
        use(site, patch)
        yield load_table


def test_every_entry_it_serves_has_the_counts_of_the_manifest(
    shared: Path, served: Callable[[DatasetEntry], Table]
) -> None:
    """Each source by itself: the counts of the files, less what the entry drops; and all sources give one table."""
    with (shared / "data" / "MANIFEST.csv").open(newline="") as file:
        rows = {row["path"].removeprefix("data/"): row for row in csv.DictReader(file)}
    with (shared / "openml-standin" / "index.csv").open(newline="") as file:
        arffs = {row["did"]: row["arff"].removeprefix("data/") for row in csv.DictReader(file)}
    seen: set[str] = set()
    for entry in catalogue.entries():
        if entry.unobtainable or entry.documents:
            continue
        found: dict[str, str] = {}
        for copy in catalogue.resolve(DatasetEntry.of(entry.name, "catalogue", entry.name)):
            source, selection = copy.source, copy.selection
            if source.kind == "generate" or source.location.startswith(("53/", "89/")):  # not served
                found[source.kind] = load_table(copy).fingerprint() if source.kind == "generate" else ""
                continue
            table = served(copy)
            catalogue.check_expected(table, entry.expected)
            found[f"{source.kind} {source.location}"] = table.fingerprint()
            parts = source.location.split("+") if source.kind == "openml" else []
            seen |= set(parts)
            plain = not (selection.recode or selection.leave_out)
            if len(parts) == 1 and plain:
                row = rows[arffs[parts[0]]]
                assert table.n_rows == int(row["instances"]), entry.name
                assert len(table.attributes) == int(row["attributes"]) - len(selection.drop), entry.name
                assert table.n_classes == int(row["classes"]), entry.name
                assert table.missing_cells == int(row["missing_cells"]), entry.name
                numeric = sum(attribute.kind == "numeric" for attribute in table.attributes)
                assert numeric == int(row["n_numeric"]), entry.name
        assert len({fingerprint for fingerprint in found.values() if fingerprint}) <= 1, found
    assert set(arffs) - seen == set(), "every data set it serves has an entry"


UCI_COUNTS = {
    "adult": ["uci/adult/adult.data", "uci/adult/adult.test"],
    "heart-cleveland": ["uci/heart-disease/processed.cleveland.data"],
    "hypothyroid-3163": ["uci/thyroid-disease/hypothyroid.data"],
    "new-thyroid": ["uci/thyroid-disease/new-thyroid.data"],
    "liver-disorders": ["uci/liver-disorders/bupa.data"],
    "lung-cancer": ["uci/lung-cancer/lung-cancer.data"],
    "pendigits": ["uci/pendigits/pendigits.tra", "uci/pendigits/pendigits.tes"],
    "promoters": ["uci/molecular-biology/promoter-gene-sequences/promoters.data"],
    "synthetic-control": ["uci/synthetic_control/synthetic_control.data"],
}


@pytest.mark.parametrize("name", UCI_COUNTS)
def test_counts_of_ucis_files(name: str, shared: Path, served: Callable[[DatasetEntry], Table]) -> None:
    with (shared / "data" / "MANIFEST.csv").open(newline="") as file:
        rows = {row["path"]: row for row in csv.DictReader(file)}
    parts = [rows[path] for path in UCI_COUNTS[name]]
    table = served(DatasetEntry.of(name, "catalogue", name))
    assert table.n_rows == sum(int(row["instances"]) for row in parts)
    assert table.missing_cells == sum(int(row["missing_cells"]) for row in parts)
    kinds = [attribute.kind for attribute in table.attributes]
    assert [kinds.count("numeric"), kinds.count("nominal")] == [
        int(parts[0][key]) for key in ("n_numeric", "n_nominal")
    ]
    assert table.n_classes == (2 if name == "heart-cleveland" else int(parts[0]["classes"]))


def test_classes_of_the_readings(served: Callable[[DatasetEntry], Table]) -> None:
    """How many rows each class has, from the descriptions of the data."""
    for name, counts in {
        "heart-cleveland": {"0": 164, "1-4": 139},
        "adult": {"<=50K": 37155, ">50K": 11687},
        "echocardiogram": {"0": 88, "1": 43},
        "echocardiogram-alive-at-1": {"0": 50, "1": 24},
        "hypothyroid-3163": {"hypothyroid": 151, "negative": 3012},
        "liver-disorders": {"1": 145, "2": 200},
        "promoters": {"+": 53, "-": 53},
        "synthetic-control": dict.fromkeys(["normal", "cyclic", "increasing", "decreasing", "upward", "downward"], 100),
    }.items():
        table = served(DatasetEntry.of(name, "catalogue", name))
        assert {label: int((table.y == code).sum()) for code, label in enumerate(table.target.values)} == counts, name


def test_the_real_archives_and_our_entries_for_text(served: Callable[[DatasetEntry], Table]) -> None:
    with pytest.raises(DataError, match="pioneer cannot be had: no public copy is known"):
        served(DatasetEntry.of("pioneer", "catalogue", "pioneer"))
    assert cache.files()
