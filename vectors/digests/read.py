# SPDX-License-Identifier: Apache-2.0
"""Reading back a digest."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbtrace.vectors.digests.document import DigestClaim, DigestDocument
from limbtrace.vectors.digests.request import DigestRequest
from limbtrace.vectors.digests.tree import root
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.validation import (
    DamagedFileError,
    check_members,
    document_multiplier,
    load_json,
    open_file,
    shaped,
)

_CONTENT = ("results", "root", "range", "level", "nodes")
"""Members that do not follow from the request."""


@dataclass(frozen=True)
class DigestFile:
    """A digest from a file: the request, the hash, and the nodes of one level if the file has them."""

    request: DigestRequest
    hash: bytes
    nodes: list[bytes]

    @property
    def cases(self) -> tuple[int, int]:
        """The first and the last case that the hash is over."""
        return self.request.range or (0, self.request.hashed.vectors.count - 1)


def read(document: dict[str, Any]) -> DigestFile:
    """A digest from its document, or from a user's claim, which names no schema and may have further members.

    Raises ParameterError, DamagedFileError.
    """
    multiplier = document_multiplier(document)
    if "schema" not in document:
        claim = shaped(DigestClaim, {"prime": None, **document})
        return DigestFile(_request(multiplier, claim), _hash(claim), [])
    found = shaped(DigestDocument, document, "the document", closed="a digest")
    if (found.level is None) != (found.nodes is None):
        raise DamagedFileError("the document", "it has level and nodes, or neither of them")
    own = _hash(found)
    request = _request(multiplier, found, found.level)
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
    return DigestFile(request, own, nodes)


def _request(multiplier: Multiplier, found: DigestDocument | DigestClaim, level: int | None = None) -> DigestRequest:
    return DigestRequest.resolve(
        multiplier,
        count=found.count,
        seed=found.seed,
        kind=found.kind,
        leaf=found.leaf,
        level=level,
        first=None if found.range is None else found.range.first,
        last=None if found.range is None else found.range.last,
    )


def _hash(found: DigestDocument | DigestClaim) -> bytes:
    """The root, or the hash of the range."""
    if found.root is not None and found.range is None:
        return bytes.fromhex(found.root)
    if found.range is not None and found.root is None:
        return bytes.fromhex(found.range.hash)
    raise DamagedFileError("the document", "it has either root or range")


def read_file(path: Path) -> DigestFile:
    """A digest from a file. Raises ParameterError, DamagedFileError."""
    with open_file(path) as stream:
        return read(load_json(stream))
