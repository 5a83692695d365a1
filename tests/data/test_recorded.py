"""What OpenML really sent for three data sets, as scikit-learn ships it for its own tests: the catalogue knows it."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from lazybayes.data.catalogue import check_expected, find
from lazybayes.data.load import load_table
from lazybayes.data.sheets import read_files
from lazybayes.data.table import choose_class
from lazybayes.experiment import Source


@pytest.fixture(scope="module")
def recorded() -> Path:
    import sklearn.datasets

    folder = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml"
    if not folder.is_dir():
        pytest.skip("scikit-learn is installed without its tests")
    return folder


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("iris", "id_61/data-v1-dl-61.arff.gz"),
        ("zoo", "id_62/data-v1-dl-52352.arff.gz"),
        ("kr-vs-kp", "id_3/data-v1-dl-3.arff.gz"),
    ],
)
def test_the_checksum_and_the_counts_are_those_of_the_service(
    name: str, file: str, recorded: Path, tmp_path: Path
) -> None:
    data = gzip.decompress((recorded / file).read_bytes())
    entry = find(name)
    copy = entry.sources[0]
    source = copy.source
    assert (source.kind, dict(source.checksum)) == ("openml", {"md5": hashlib.md5(data).hexdigest()})
    path = tmp_path / "data.arff"
    path.write_bytes(data)
    check_expected(load_table(replace(copy, source=Source("path", str(path)))), entry.expected)


def test_ucis_iris_gives_the_same_table_as_openmls(recorded: Path, tmp_path: Path) -> None:
    """UCI's iris.data is the rows of the ARFF file without its header."""
    data = gzip.decompress((recorded / "id_61/data-v1-dl-61.arff.gz").read_bytes()).decode()
    rows = [line for line in data.split("@DATA")[1].splitlines() if line and not line.startswith("%")]
    (tmp_path / "iris.data").write_text("\n".join(rows) + "\n\n")
    (tmp_path / "iris.arff").write_text(data)
    openml, uci = find("iris").sources
    assert uci.source.files == ("iris.data",)
    tables = [
        choose_class(read_files([tmp_path / file], copy), "iris", copy.selection.target)
        for copy, file in ((openml, "iris.arff"), (uci, "iris.data"))
    ]
    assert tables[0].fingerprint() == tables[1].fingerprint()
