"""Every reader of what users or services hand over: samples of its input, and the function that reads it."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lazybayes.config import read_config
from lazybayes.data import cache, uci
from lazybayes.data.catalogue_file import read_catalogue_file
from lazybayes.data.load import load_table
from lazybayes.data.table import Attribute, Table
from lazybayes.evaluate.folds_file import read_folds
from lazybayes.evaluate.runner import run
from lazybayes.experiment import Algorithm, DatasetEntry, Experiment, Scheme
from lazybayes.networks.files import load_network
from lazybayes.networks.report import summary
from lazybayes.published.claims import load_published
from lazybayes.results.frame import load_frame
from lazybayes.results.store import FILE, Store, has_results
from lazybayes.settings import settings

CHECKOUT = Path(__file__).resolve().parents[2]

ARFF = b"""% a banner
@relation 'a b'
@attribute a numeric
@attribute 'b b' {x, 'y z', "w"}
@attribute d date 'yyyy-MM-dd'
@attribute class {p, q}
@data
1.5, x, 2020-01-02, p
?, 'y z', ?, q, {2}
{0 2, 3 q}
-3e2,"w","1999-12-31",p % end
"""
CSV = b'''a,b,"c c",class
1.5,x,"1,000",p
,"y ""z""",?,q
3e2,w,NA,p
-7,x,12%,q
'''
BIF = b"""network n { property author "A"; }
// comment
variable A { type discrete [ 2 ] { x, "y z" }; }
variable B { type discrete [ 3 ] { u, v, (1,2] }; property p; }
probability ( A ) { table 0.25, 0.75; }
probability ( B | A ) { (x) 0.2, 0.3, 0.5; default 0.1, 0.1, 0.8; } /* end */
"""
CONFIG = b"""name: fuzz
datasets:
  - {path: a.csv, target: class, drop: [a], missing: ["", "NA"], types: {b: nominal}}
  - {generate: led24, rows: 50}
  - wine
preprocess: {impute: mode-mean, discretize: {method: equal-width, bins: 5}, fit: training-fold}
algorithms:
  NB: naive-bayes
  LBR: {learner: lbr, alpha: 0.05, estimate: {kind: m-estimate, m: 2, prior: marginal}}
  BAG: {learner: bagging, base: {learner: c45, prune: false}, bags: 3}
cv: {scheme: stratified-k-fold, folds: 3, repeats: 2}
metrics: [error, auc]
tables:
  - {metric: error, baseline: LBR, tests: [sign, corrected-t], show: all, name: t}
"""
FOLDS = b"repeat,fold,index\n0,0,0\n0,0,1\n0,1,2\n0,1,3\n1,0,4\n"
SETTINGS = b"cache: /tmp/c\nopenml: https://example.org\ndeadline: 10\nmost_bytes: 1000\n"
DOCUMENT = b"From: a@b\nNewsgroups: x.y\nSubject: =?utf-8?q?s?=\n\nSome words, and words.\n"


@dataclass(frozen=True)
class Target:
    """A reader. file: the name its input has; samples: valid inputs; read: takes the path, in a folder of its own."""

    file: str
    samples: Callable[[Path], list[bytes]]
    read: Callable[[Path], object]


def _data(path: Path) -> object:
    return load_table(DatasetEntry.of("d", "path", str(path), target="class")).fingerprint()


def _network(path: Path) -> object:
    return summary(load_network(str(path)))


def _folds(path: Path) -> object:
    classes = Attribute("class", "nominal", ("p", "q"))
    rows = np.arange(6, dtype=np.int64)
    return read_folds(str(path), Table("d", (), (), classes, (rows % 2).astype(np.int32), rows))


@contextmanager
def _environment(**values: Path) -> Iterator[None]:
    kept = dict(os.environ)
    os.environ.update({name: str(value) for name, value in values.items()})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def _settings(path: Path) -> object:
    with _environment(XDG_CONFIG_HOME=path.parent):
        return settings()


def _cache(path: Path) -> object:
    (path.parent / "d.arff").write_bytes(b"x")
    with _environment(LAZYBAYES_CACHE=path.parent):
        return cache.files(), cache.find(".", "d.arff")


def _uci(path: Path) -> object:
    """What UCI sends, from the check of the archive to a member."""
    data = path.read_bytes()
    uci._check_archive("uci", data)
    return uci._member("uci", data, "1.txt")


def _store(path: Path) -> object:
    has_results(path.parent)
    with Store(path.parent) as store:
        frame = load_frame(store, ["error", "auc"])
        return store.experiment, store.surveys(), store.statuses(), frame, list(store.predictions())


def _files(folder: str) -> Callable[[Path], list[bytes]]:
    return lambda scratch: [path.read_bytes() for path in sorted((CHECKOUT / folder).glob("*.yaml"))]


def _given(*samples: bytes) -> Callable[[Path], list[bytes]]:
    return lambda scratch: list(samples)


def _archives(scratch: Path) -> list[bytes]:
    """The same three documents as tar, tar.gz and zip."""
    names = ("top/a/1.txt", "top/a/2.txt", "top/b/3.txt")
    tars = []
    for mode in ("w", "w:gz"):
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode=mode) as tar:  # type: ignore[call-overload]
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = len(DOCUMENT)
                tar.addfile(member, io.BytesIO(DOCUMENT))
        tars.append(stream.getvalue())
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, DOCUMENT)
    return [*tars, stream.getvalue(), gzip.compress(DOCUMENT)]


def _stores(scratch: Path) -> list[bytes]:
    """A finished run of two small data sets."""
    datasets = tuple(DatasetEntry.of(name, "generate", name) for name in ("wine", "iris-fisher"))
    experiment = Experiment("fuzz", datasets[1:], (Algorithm("NB", "naive-bayes"),), cv=Scheme(folds=2))
    run(experiment, store_dir=scratch / "run", tell=lambda text: None)
    return [(scratch / "run" / FILE).read_bytes()]


def _locks(scratch: Path) -> list[bytes]:
    with _environment(LAZYBAYES_CACHE=scratch):
        cache.keep("f", "d.arff", b"x", {"target": "class", "ignore": ["a"], "name": "d"})
    lock = (scratch / "f" / f"d.arff{cache.LOCK}").read_bytes()
    return [lock, json.dumps({"sha256": "0" * 64, "about": {}}).encode()]


TARGETS: dict[str, Target] = {
    "arff": Target("x.arff", _given(ARFF), _data),
    "csv": Target(
        "x.csv",
        _given(CSV, CSV.replace(b"1,000", b"1").replace(b",", b";"), CSV.replace(b"1,000", b"1").replace(b",", b"\t")),
        _data,
    ),
    "documents": Target("x.tar.gz", _archives, _data),
    "uci": Target("x.zip", _archives, _uci),
    "config": Target("c.yaml", lambda scratch: [CONFIG, *_files("configs")(scratch)], read_config),
    "catalogue": Target("zoo.yaml", _files("datasets"), read_catalogue_file),
    "published": Target("p.yaml", _files("lazybayes/published"), lambda path: load_published(str(path))),
    "network-yaml": Target("n.yaml", _files("lazybayes/networks/examples"), _network),
    "network-bif": Target("n.bif", _given(BIF), _network),
    "folds": Target("f.csv", _given(FOLDS, FOLDS.replace(b"index\n", b"file,row\n")), _folds),
    "cache": Target(f"d.arff{cache.LOCK}", _locks, _cache),
    "store": Target(FILE, _stores, _store),
    "settings": Target("lazybayes.yaml", _given(SETTINGS), _settings),
}
