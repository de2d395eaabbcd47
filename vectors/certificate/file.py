# SPDX-License-Identifier: Apache-2.0
"""Certificates as files: written, read back, and found beside the set they belong to, without SageMath."""

import hashlib
import os
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.certificate.document import Certificate
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.sets.in_memory import FIELDS, MANIFEST, STYLES
from limbtrace.vectors.validation import open_file
from limbtrace.vectors.verification import CertificateStatus, CertificateSummary

MAX_BYTES = 1 << 20
"""Largest size of a certificate that is read, in bytes; ours are smaller."""


def render(certificate: Certificate) -> bytes:
    """The certificate as compact JSON in one line."""
    return (dump(certificate.model_dump()) + "\n").encode()


def _absolute(path: Path) -> Path:
    """The path with a name at its end, also for `.`; symbolic links are not resolved."""
    return Path(os.path.abspath(path))


def file_name(path: Path) -> str:
    """The name of a file or folder as text for a document; bytes that are not UTF-8 are escaped."""
    return os.fsencode(_absolute(path).name).decode(errors="backslashreplace")


def default_path(path: Path) -> Path:
    """The path of the certificate of a file or folder, which is beside it."""
    path = _absolute(path)
    return path.parent / f"{path.name}.certificate.json"


def file_digest(path: Path) -> str:
    """SHA-256 of a file; of a folder, that of what `sha256sum manifest.json a.hex b.hex result.hex` prints.

    Raises ParameterError("file").
    """
    if path.is_dir():
        extension = next((s.extension for s in STYLES.values() if (path / f"a.{s.extension}").exists()), "hex")
        numbers = [f"{field}.{extension}" for field in FIELDS]
        names = (MANIFEST, *(name for name in numbers if name != numbers[1] or (path / name).exists()))  # chain: no b
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
    except ValueError as error:  # pydantic.ValidationError
        found = error.errors(include_url=False)[0]  # type: ignore[attr-defined]
        place = ".".join(map(str, found["loc"])) or "the document"
        raise ParameterError("certificate", f"it is not as limbtrace writes it, see {place[:80]}") from None
    if (certificate.verdict == "agrees") != (certificate.disagreements == 0):
        raise ParameterError("certificate", f"it {certificate.verdict} with {certificate.disagreements} disagreements")
    return certificate


def check(certificate: Certificate, set_id: str, digest: str | None) -> CertificateStatus:
    """The summary of a certificate for the set with this id and digest, both of which must match."""
    if (certificate.set.id, certificate.set.digest) != (set_id, digest):
        return "other set"
    return certificate.verdict


def beside(path: Path, set_id: str) -> dict[str, Any] | None:
    """Summary of the certificate beside the file of a set: a `CertificateSummary`; None without one."""
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
    cases = "1 case" if certificate.cases == 1 else f"{certificate.cases} cases"
    said = f"SageMath {certificate.referee.sage} {verdict} {cases} in {certificate.ring}"
    reading = certificate.reading
    if reading is None:
        return said
    if reading.extent == "results":
        return f"{said}; results only, no {'step' if reading.document == 'trace' else 'column'} was read"
    what = "steps" if reading.document == "trace" else f"cells of {', '.join(reading.columns) or 'no column'}"
    return f"{said}, with {reading.values} {what} read again in ZZ"


def _summary(place: Path, status: CertificateStatus, detail: str) -> dict[str, Any]:
    document: dict[str, Any] = members(CertificateSummary, status=status, file=file_name(place), detail=detail)
    return document
