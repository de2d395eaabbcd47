# SPDX-License-Identifier: Apache-2.0
"""Verdicts on limbtrace documents and on users' results: recognises a document and calls the module that judges it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors import cycles, fp2, sets, traces
from limbtrace.vectors.certificate.file import beside
from limbtrace.vectors.cycles.verify import verify as verify_cycles
from limbtrace.vectors.digests.document import SCHEMA as DIGEST
from limbtrace.vectors.digests.read import read as read_digest
from limbtrace.vectors.digests.verify import LocalGolden
from limbtrace.vectors.digests.verify import verify as verify_digest
from limbtrace.vectors.format import Format, beginning
from limbtrace.vectors.fp2.verify import verify as verify_fp2
from limbtrace.vectors.report.verdicts import observed
from limbtrace.vectors.results.of_set import names_a_set
from limbtrace.vectors.results.verify import verify as verify_results
from limbtrace.vectors.sets.in_json import read_document
from limbtrace.vectors.sets.read import VectorReader
from limbtrace.vectors.sets.verify import verify as verify_set
from limbtrace.vectors.traces.verify import verify as verify_trace
from limbtrace.vectors.validation import document_multiplier, load_json, open_file


@dataclass(frozen=True)
class DocumentKind:
    """A kind of document, recognised in JSON by a `member` that only it has, in CSV by its head."""

    member: str
    verify: Callable[[dict[str, Any]], dict[str, Any]]
    formats: Mapping[str, Format[Any]]


KINDS = (
    DocumentKind("testGroups", lambda document: verify_set(read_document(document)), {}),
    DocumentKind("rows", verify_cycles, cycles.FORMATS),
    DocumentKind("sequence", verify_fp2, fp2.FORMATS),
    DocumentKind("steps", verify_trace, traces.FORMATS),
    DocumentKind("results", verify_results, {}),
)
"""All kinds, in the order in which they are tried. Other formats of vector sets have readers of their own."""


def is_digest(document: dict[str, Any]) -> bool:
    """True if a document is a digest, or the claim of a user; results may have any further members."""
    claimed = "root" in document or "range" in document
    return document.get("schema") == DIGEST or (claimed and not any(kind.member in document for kind in KINDS))


def verify_file(path: Path) -> dict[str, Any]:
    """Verdict on a file: a vector set in any format, any other limbtrace document in JSON or CSV, or a request as JSON.

    The summary of a certificate beside a set of cases is added to the verdict, and does not change it.
    Raises DamagedFileError if the file was truncated, or edited so that it is inconsistent.
    """
    verdict = _verify_content(path)
    if verdict["kind"] not in ("vectors", "fp2"):
        return verdict
    summary = beside(path, verdict["id"])
    return verdict if summary is None else {**verdict, "certificate": summary}


def _verify_content(path: Path) -> dict[str, Any]:
    return observed(_verdict_on_content(path))


def _verdict_on_content(path: Path) -> dict[str, Any]:
    if path.is_dir():
        with sets.open_vectors(path) as reader:
            return verdict_on(reader)
    with open_file(path) as stream:
        read = recognised(beginning(stream))
        found = load_json(stream) if read is None else read(stream)
        if isinstance(found, dict) and is_digest(found):
            option = "`limbtrace verify --digest FILE`"
            raise ParameterError("file", f"this is a digest, which is verified by {option}")
        return verdict_on(found)


def recognised(start: bytes) -> Callable[[IO[bytes]], dict[str, Any] | VectorReader] | None:
    """The reader of a vector set or of a document in CSV, from the file's `beginning`; None for a document in JSON."""
    forms = chain(*(kind.formats.values() for kind in KINDS))
    found = next((form for form in forms if form.read is not None and form.recognises(start)), sets.format_of(start))
    return None if found is None else found.read


def verify(document: dict[str, Any]) -> dict[str, Any]:
    """Verdict on a document, whose kind follows from its members.

    `testGroups`: a vector set; `rows`: a cycle table; `steps`: a trace; `sequence`: products in GF(p^2); `results`:
    a user's results,
    `{"model", "prime", "radix", "params", "compare": "result" | "residue", "results": [{"a", "b", "result"}]}`, with
    any further members; `root` or `range`: a digest, or a user's
    `{"model", "prime", "radix", "params", "count", "seed", "kind", "leaf", "root": HASH | "range": {"first", "last",
    "hash"}}`. The other kinds are written by limbtrace, so an unknown member in them means an edited file.
    Raises ParameterError, DamagedFileError.
    """
    return observed(verdict_on(document))


def verdict_on(document: dict[str, Any] | VectorReader) -> dict[str, Any]:
    """Verdict on what was read, without observations. Raises ParameterError, DamagedFileError."""
    if isinstance(document, VectorReader):
        return verify_set(document)
    if is_digest(document):
        found = read_digest(document)
        return verify_digest(found, LocalGolden(found.request.hashed))
    if names_a_set(document):
        known = (
            "only the service that remembers a set knows it by its id: send this document to /v1/verifications there"
        )
        raise ParameterError("set", f"{known}, or give model, prime, radix, and a and b of each result")
    for kind in KINDS:
        if kind.member in document:
            return kind.verify(document)
    document_multiplier(document)  # what is wrong there is said first
    members = "testGroups, rows, steps, sequence, results, root and range"
    raise ParameterError("results", f"the document has none of {members}")
