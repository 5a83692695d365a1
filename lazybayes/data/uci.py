"""UCI's data sets: members of its static archives, by our own bounded download."""

from __future__ import annotations

import glob
import hashlib
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from lazybayes.data import cache
from lazybayes.data.download import download, looks_like_html
from lazybayes.errors import FetchError
from lazybayes.files import allowed, read_file
from lazybayes.messages import nearest, plural
from lazybayes.settings import UCI, settings

_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, RuntimeError, EOFError, OSError, ValueError)


def files(location: str, members: Sequence[str], *, offline: bool, checksum: Mapping[str, str]) -> list[Path]:
    """The members of an archive ID/NAME.zip, from the cache or else from UCI.

    checksum: of the archive; it is held against what the service itself sends, not a mirror.
    Raises FetchError if a member is not at hand and cannot be fetched.
    """
    archive, folder = Path(location), _folder(location)
    copies = {member: cache.find(folder, glob.escape(Path(member).name)) for member in members}
    if absent := [member for member, cached in copies.items() if cached is None]:
        if offline:
            raise FetchError(f"uci {location}: {', '.join(absent)} not in the cache, and nothing is fetched (offline)")
        address = f"{settings().uci}/static/public/{quote(location, safe='/+')}"
        data = download(address, label=archive.name, deadline=settings().deadline)
        _check_archive(address, data)
        if settings().uci == UCI:
            _check_sum(address, data, checksum)
        for member in absent:
            about = {"address": address, "member": member}
            copies[member] = cache.keep(folder, Path(member).name, _member(address, data, member), about)
    return [cached.path for cached in copies.values() if cached]


def take(location: str, members: Sequence[str], copies: Sequence[Path]) -> None:
    """Puts a user's copies of an archive's members into the cache. Raises FetchError if others were fetched before."""
    for member, path in zip(members, copies, strict=True):
        cache.keep(
            _folder(location),
            Path(member).name,
            read_file(path, settings().most_bytes, "most_bytes"),
            {"address": str(path), "member": member},
        )


def _folder(location: str) -> str:
    archive = Path(location)
    return f"uci/{archive.parent}-{archive.stem}"


def _check_archive(address: str, data: bytes) -> None:
    if looks_like_html(data):
        raise FetchError(f"{address}: a web page came in the place of a zip archive: {data[:60]!r}")
    end = data.rfind(b"PK\x05\x06")
    if end < 0:
        raise FetchError(f"{address}: {plural(len(data), 'byte')}, no whole zip archive")
    more = len(data) - end - 22 - int.from_bytes(data[end + 20 : end + 22], "little")
    if more:
        damage = f"{plural(abs(more), 'byte')} too {'many' if more > 0 else 'few'}"
        raise FetchError(f"{address}: the zip archive is damaged: {damage}")


def _check_sum(address: str, data: bytes, checksum: Mapping[str, str]) -> None:
    for kind, wanted in checksum.items():
        actual = hashlib.new(kind, data).hexdigest()
        if actual != wanted:
            raise FetchError(f"{address}: {kind} {actual}; the catalogue knows {wanted}")


def _member(address: str, data: bytes, member: str) -> bytes:
    """One file of an archive: by its path in it, or by its name if only one has it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [info.filename for info in archive.infolist() if not info.filename.endswith("/")]
            fitting = [name for name in names if name == member] or [
                name for name in names if Path(name).name == member
            ]
            if len(fitting) != 1:
                raise FetchError(
                    f"{address}: {len(fitting)} files {member} in the archive{nearest(member, names)}; it has "
                    f"{', '.join(names[:20])}"
                )
            size, most = archive.getinfo(fitting[0]).file_size, settings().most_bytes
            if size > most:
                raise FetchError(f"{address}: {member} has {size:,} bytes; {allowed(most, 'most_bytes')}")
            with archive.open(fitting[0]) as stream:
                return stream.read(size + 1)  # with the size, no more is unpacked than was announced
    except _DAMAGE as error:
        raise FetchError(f"{address}: the zip archive is damaged ({error})") from None
