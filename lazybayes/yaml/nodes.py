"""From a YAML file to its nodes, safely: composed with the line of each, never constructed into objects.

So no file can run code; files that expand without bound are refused, and each fault of form gets one plain message.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from yaml.reader import Reader

from lazybayes.errors import ConfigError, FileError
from lazybayes.files import read_file

_BLANK_WITH_TAB = re.compile(r"^ *+\t[ \t]*+(?=\r?$)", re.MULTILINE)  # legal, but no scanner takes such a line
_MOST_NODES = 1_000_000  # after aliases are followed: a small file can expand beyond all bounds


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Leaves the tag of a node empty unless the file gives one (libyaml, where it is there, knows the legal tabs)."""

    def resolve(self, kind: type, value: object, implicit: object) -> str:
        return ""


def compose(path: Path, expects: str) -> yaml.MappingNode:
    """The top mapping of a YAML file, without tags (a scalar's tag is empty, its text as written).

    expects: what the file should be, for messages. Raises ConfigError if the file cannot be read, is no YAML, holds
    no mapping or several documents, gives a tag, or has aliases without end.
    """
    source = _read(path)
    try:
        root = yaml.compose(source, Loader=_Loader)
        if root is None or (isinstance(root, yaml.ScalarNode) and root.value == ""):
            raise ConfigError([f"{path}: the file is empty; {expects} is expected"])
        if not isinstance(root, yaml.MappingNode):
            what = "a list" if isinstance(root, yaml.SequenceNode) else "a single text"
            raise ConfigError([f"{path}, line {root.start_mark.line + 1}: {what} stands here; {expects} is expected"])
        _check_nodes(root, str(path))
    except yaml.MarkedYAMLError as error:
        raise ConfigError([_explain(error, str(path), source)]) from None
    except RecursionError:
        raise ConfigError([f"{path}: lists or mappings are nested too deeply"]) from None
    return root


def _read(path: Path) -> str:
    try:
        raw = read_file(path)
    except FileError as error:
        raise ConfigError([str(error)]) from None
    try:
        source = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        byte = raw[error.start]
        raise ConfigError([f"{path}, line {line}: byte 0x{byte:02x} is not UTF-8; save the file as UTF-8"]) from None
    bad = Reader.NON_PRINTABLE.search(source)
    if bad:
        line = source.count("\n", 0, bad.start()) + 1
        raise ConfigError([f"{path}, line {line}: a control character (U+{ord(bad.group()):04X}); YAML allows none"])
    return _BLANK_WITH_TAB.sub("", source)


def _explain(error: yaml.MarkedYAMLError, file: str, source: str) -> str:
    mark = error.problem_mark or error.context_mark
    line = mark.line if mark else 0
    written = source.splitlines()[line] if line < len(source.splitlines()) else ""
    where = f"{file}, line {line + 1}: "
    indent = written[: len(written) - len(written.lstrip(" \t"))]
    if "\t" in indent:
        return where + "a tab indents this line; YAML allows only spaces there"
    if mark and written[mark.column : mark.column + 1] == "\t":
        return where + "a tab stands where YAML allows only spaces"
    if isinstance(error, yaml.composer.ComposerError) and "single document" in str(error.context):
        return where + "a second document starts here (---); one file holds one document"
    if error.problem and error.problem.startswith("mapping values are not allowed"):
        return where + "a colon stands where no value can start; indent the line rightly, or quote a text with `: `"
    context = f" {error.context}" if error.context else ""
    if error.context_mark and error.context_mark.line != line:
        context += f" that starts in line {error.context_mark.line + 1}"
    return f"{where}no valid YAML: {error.problem}{context}"


def _check_nodes(root: yaml.Node, file: str) -> None:
    """Raises ConfigError for tags, and for aliases that contain themselves or expand beyond `_MOST_NODES`."""
    sizes: dict[int, int] = {}
    opened: set[int] = set()
    tags: list[str] = []

    def size(node: yaml.Node) -> int:
        where = f"{file}, line {node.start_mark.line + 1}: "
        if id(node) in opened:
            raise ConfigError([where + "an alias stands inside what it repeats, without end"])
        if id(node) not in sizes:
            if node.tag:
                tag = node.tag.replace("tag:yaml.org,2002:", "!!")
                tags.append(f"{where}the tag {tag} is not allowed; write the value without a tag")
            opened.add(id(node))
            parts = node.value if isinstance(node, yaml.CollectionNode) else []
            inner = [part for pair in parts for part in (pair if isinstance(pair, tuple) else (pair,))]
            sizes[id(node)] = 1 + sum(size(part) for part in inner)
            opened.discard(id(node))
        return sizes[id(node)]

    total = size(root)
    if tags:
        raise ConfigError(tags)
    if total > _MOST_NODES:
        raise ConfigError([f"{file}: its aliases repeat each other up to {total} values; write them out"])
