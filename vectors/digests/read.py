# SPDX-License-Identifier: Apache-2.0
"""Reading back a digest."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vectors.digests.document import DigestDocument
from vectors.digests.request import DigestRequest
from vectors.digests.tree import root
from vectors.reading import DamagedFileError, check_members, document_multiplier, load_json, open_file, shaped

_CONTENT = ("results", "root", "range", "level", "nodes")
"""Members that do not follow from the request."""


@dataclass(frozen=True)
class DigestFile:
    """A digest that somebody has: what was asked for, the hash, and the nodes of a level if it has them."""

    request: DigestRequest
    hash: bytes
    nodes: list[bytes]

    @property
    def cases(self) -> tuple[int, int]:
        """The first and the last case that the hash is over."""
        return self.request.range or (0, self.request.hashed.vectors.count - 1)


def read(document: dict[str, Any]) -> DigestFile:
    """A digest from its document. Raises ParameterError, DamagedFileError."""
    multiplier = document_multiplier(document)
    found = shaped(DigestDocument, document, "the document", closed="a digest")
    if (found.root is None) == (found.range is None):
        raise DamagedFileError("the document", "it has either root or range")
    if (found.level is None) != (found.nodes is None):
        raise DamagedFileError("the document", "it has level and nodes, or neither of them")
    some = found.range
    request = DigestRequest.resolve(
        multiplier,
        count=found.count,
        seed=found.seed,
        kind=found.kind,
        leaf=found.leaf,
        level=found.level,
        first=None if some is None else some.first,
        last=None if some is None else some.last,
    )
    golden = request.head
    check_members({name: value for name, value in document.items() if name not in _CONTENT},
                  {name: value for name, value in golden.items() if name not in _CONTENT}, "the document")  # fmt: skip
    for name in golden:
        if name not in document:
            raise DamagedFileError("the document", f"{name} is missing")
    nodes = [bytes.fromhex(node) for node in found.nodes or ()]
    if found.level is not None:
        due = request.hashed.tree.nodes(found.level)
        if len(nodes) != due:
            raise DamagedFileError("nodes", f"level {found.level} has {due} nodes, and {len(nodes)} are here")
        if root(nodes).hex() != found.root:
            raise DamagedFileError("nodes", "the hash over them is not the root, so something was edited")
    return DigestFile(request, bytes.fromhex(some.hash if some is not None else found.root or ""), nodes)


def read_file(path: Path) -> DigestFile:
    """A digest from a file. Raises ParameterError, DamagedFileError."""
    with open_file(path) as stream:
        return read(load_json(stream))
