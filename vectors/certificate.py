# SPDX-License-Identifier: Apache-2.0
"""Certificates: what SageMath says of a vector set, for people who do not want to take our models' word for it.

SageMath is needed to make one, not to read one. Nothing in a certificate tells the time: the same file gives the same
certificate. It is no signature: whoever doubts it makes it again.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from refmodels.errors import ParameterError
from vectors.documents import Certificate, CertificateStatus
from vectors.errors import ToolError
from vectors.formats import MANIFEST, MEMORY_FILES
from vectors.progress import Progress
from vectors.reading import DamagedFileError, VectorReader, open_file, open_vectors
from vectors.wire import FORMAT, dump, hexadecimal

SCHEMA = "limbtrace-certificate-1.schema.json"
MAX_LISTED = 20
"""Disagreements that are listed; all are counted."""
MAX_BYTES = 1 << 20
"""Size of a certificate that is read; ours stay below."""

_BATCH = 1024
"""Cases between two looks at the clock."""


def certify(path: Path) -> Certificate:
    """The certificate of a vector set in any format.

    Raises ToolError without SageMath, ParameterError (DamagedFileError) for a file that is not as it was written.
    """
    sage = _referee_module()
    sha256 = file_digest(path)
    with open_vectors(path) as reader:
        if reader.multiplier.model.id in sage.WITHOUT_MODULUS:
            raise ParameterError("model", f"{reader.multiplier.model.id} has no modulus, so there is no ring to ask")
        head = _stated_head(sage, reader)
        modulus = sage.examine(head.modulus)
        disagreements = [_disagreement(None, "head", finding) for finding in head.check(modulus["finding"])]
        total = len(disagreements)
        for disagreement in _judge(sage, reader, head, modulus["finding"] == "prime"):
            total += 1
            if len(disagreements) < MAX_LISTED:
                disagreements.append(disagreement)
        reader.check_digest()
    group = reader.group
    document = {
        "format": FORMAT,
        "schema": SCHEMA,
        "verdict": "disagrees" if total else "agrees",
        "file": {"name": _file_name(path), "sha256": sha256},
        "set": {
            "id": reader.head["id"],
            "digest": reader.written_digest,
            **{name: group[name] for name in ("model", "form", "radix", "params")},
            "R": None if head.r is None else hexadecimal(head.r),
        },
        "cases": reader.request.count,
        "ring": "GF(p)" if modulus["finding"] == "prime" else "Z/mZ",
        "referee": sage.versions(),
        "modulus": modulus,
        "statements": sage.STATEMENTS,
        "disagreements": total,
        "first_disagreements": disagreements,
    }
    return Certificate.model_validate(document)


def render(certificate: Certificate) -> bytes:
    """The certificate as compact JSON in one line."""
    return (dump(certificate.model_dump(by_alias=True)) + "\n").encode()


def _referee_module() -> ModuleType:
    """`vectors.sage_referee`, which takes SageMath with it and is therefore loaded only here."""
    try:
        from vectors import sage_referee
    except ImportError:
        raise ToolError("certify needs SageMath: pip install 'limbtrace[sage]'") from None
    return sage_referee


def _stated_head(sage: ModuleType, reader: VectorReader) -> Any:
    group, domain = reader.group, reader.group["domain"]
    return sage.Head(
        model=group["model"],
        modulus=int(group["prime"]["modulus"], 16),
        primality=group["prime"]["primality"],
        radix_bits=reader.multiplier.params.radix_bits,
        params=group["params"],
        r=None if domain is None else int(domain["R"], 16),
        constants={name: int(text, 16) for name, text in group["constants"].items()},
    )


def _judge(sage: ModuleType, reader: VectorReader, head: Any, prime: bool) -> Iterator[dict[str, Any]]:
    """Disagreements about the cases, each of which is forgotten once it was recomputed."""
    limits = {name: int(stated["max"], 16) for name, stated in reader.group["ranges"].items()}
    try:
        kinds = head.model in sage.SUBTRACTING, head.scaling, head.model in sage.REDUNDANT
        referee = sage.Referee(head.modulus, prime, head.r, limits, *kinds)
    except ZeroDivisionError:
        raise DamagedFileError("head", "the R it states has no inverse modulo the modulus") from None
    with Progress("cases", reader.request.count) as progress:
        for number, (place, case) in enumerate(reader.cases(), 1):
            if head.model in sage.CHAINS:
                points = case.checkpoints or ()
                findings = referee.check_chain(case.a, head.params["t"], case.result, case.residue, points)
            else:
                findings = referee.check(case.a, case.b, case.result, case.residue)
            for finding in findings:
                yield _disagreement(case.id, place, finding)
            if number % _BATCH == 0:
                progress.advance(_BATCH)


def _disagreement(case: str | None, place: str, finding: tuple[str, str, str]) -> dict[str, Any]:
    statement, expected, found = finding
    return {"case": case, "place": place, "statement": statement, "expected": expected, "found": found}


def _absolute(path: Path) -> Path:
    """The path with a name at its end, also for `.`; links are left as they are."""
    return Path(os.path.abspath(path))


def _file_name(path: Path) -> str:
    """The name of a file or folder as a document can hold it: bytes that are no UTF-8 are escaped."""
    return os.fsencode(_absolute(path).name).decode(errors="backslashreplace")


def default_path(path: Path) -> Path:
    """Where the certificate of a file or folder lies: beside it."""
    path = _absolute(path)
    return path.parent / f"{path.name}.certificate.json"


def file_digest(path: Path) -> str:
    """SHA-256 of a file; of a folder, that of what `sha256sum manifest.json a.hex b.hex result.hex` prints.

    Raises ParameterError("file").
    """
    if path.is_dir():
        fields = [field for field in MEMORY_FILES if field != "b" or (path / "b.hex").exists()]  # a chain has no b
        names = (MANIFEST, *(f"{field}.hex" for field in fields))
        listing = "".join(f"{file_digest(path / name)}  {name}\n" for name in names)
        return hashlib.sha256(listing.encode()).hexdigest()
    with open_file(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def parse(content: bytes) -> Certificate:
    """A certificate from its JSON. Raises ParameterError("certificate") for anything else."""
    if len(content) > MAX_BYTES:
        raise ParameterError("certificate", f"it is larger than the limit of {MAX_BYTES} bytes")
    try:
        certificate = Certificate.model_validate_json(content)
    except ValidationError as error:
        place = ".".join(map(str, error.errors(include_url=False)[0]["loc"])) or "the document"
        raise ParameterError("certificate", f"it is not as limbtrace writes it, see {place[:80]}") from None
    if (certificate.verdict == "agrees") != (certificate.disagreements == 0):
        raise ParameterError("certificate", f"it {certificate.verdict} with {certificate.disagreements} disagreements")
    return certificate


def check(certificate: Certificate, set_id: str, digest: str | None) -> CertificateStatus:
    """What a certificate says of the set with this id and digest, by which it must be tied to it."""
    if (certificate.set.id, certificate.set.digest) != (set_id, digest):
        return "other set"
    return certificate.verdict


def beside(path: Path, set_id: str) -> dict[str, Any] | None:
    """Summary of the certificate beside the file of a set: `vectors.documents.CertificateSummary`; None without one."""
    place = default_path(path)
    if not os.path.exists(place):  # unlike Path.exists, it takes names that are too long
        return None
    try:
        with open_file(place) as stream:
            certificate = parse(stream.read(MAX_BYTES + 1))
    except ParameterError as error:
        return _summary(place, "broken", error.reason)
    if certificate.file.sha256 != file_digest(path):
        return _summary(place, "other file", "it certifies a file with other content")
    # The digest of the file covers that of the set.
    return _summary(place, check(certificate, set_id, certificate.set.digest), describe(certificate))


def describe(certificate: Certificate) -> str:
    """A certificate in one sentence."""
    verdict = "confirms" if certificate.verdict == "agrees" else f"disagrees {certificate.disagreements} times about"
    return f"SageMath {certificate.referee.sage} {verdict} {certificate.cases} cases in {certificate.ring}"


def _summary(place: Path, status: CertificateStatus, detail: str) -> dict[str, Any]:
    return {"status": status, "file": _file_name(place), "detail": detail}
