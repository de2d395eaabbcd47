# SPDX-License-Identifier: Apache-2.0
"""Certificates: what SageMath says of a vector set, or of cases in GF(p^2), for people who do not want to take our
models' word for it.

SageMath is needed to make one, not to read one. Nothing in a certificate tells the time: the same file gives the same
certificate. It is no signature: whoever doubts it makes it again.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from refmodels.errors import ParameterError
from refmodels.fp2 import PRODUCT
from vectors.documents import Certificate, CertificateStatus
from vectors.errors import ToolError
from vectors.formats import MANIFEST, MEMORY_FILES
from vectors.fp2_file import Fp2Reader, fp2_document
from vectors.progress import Progress
from vectors.reading import DamagedFileError, VectorReader, open_file, open_vectors
from vectors.request import Multiplier
from vectors.sets import CaseMaker
from vectors.wire import FORMAT, dump, hexadecimal, parse_hexadecimal

SCHEMA = "limbtrace-certificate-1.schema.json"
MAX_LISTED = 20
"""Disagreements that are listed; all are counted."""
MAX_BYTES = 1 << 20
"""Size of a certificate that is read; ours stay below."""

JUDGED = ("R", "constants")
"""What a document states of its multiplier and SageMath recomputes."""

_BATCH = 1024
"""Cases between two looks at the clock."""


def certify(path: Path) -> Certificate:
    """The certificate of a vector set in any format, or of cases in GF(p^2).

    Raises ToolError without SageMath, ParameterError (DamagedFileError) for a file that is not as it was written.
    """
    sage = _referee_module()
    sha256 = file_digest(path)
    extension = fp2_document(path)
    if extension is None:
        with open_vectors(path) as reader:
            found = _judge_set(sage, reader)
    else:
        found = _judge_extension(sage, Fp2Reader(extension, JUDGED))
    document = {
        "format": FORMAT,
        "schema": SCHEMA,
        "verdict": "disagrees" if found["disagreements"] else "agrees",
        "file": {"name": _file_name(path), "sha256": sha256},
        **found,
        "referee": sage.versions(),
        "statements": sage.STATEMENTS,
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


def _judge_set(sage: ModuleType, reader: VectorReader) -> dict[str, Any]:
    """What the certificate says of a vector set."""
    model, group = reader.multiplier.model.id, reader.group
    if model in sage.WITHOUT_MODULUS:
        raise ParameterError("model", f"{model} has no modulus, so there is no ring to ask")
    head = _stated_head(sage, reader.multiplier, group, None if group["domain"] is None else group["domain"]["R"])
    found = _judged(
        sage, head, group, reader.request.count, ("GF(p)", "Z/mZ"), lambda prime: _judge(sage, reader, head, prime)
    )
    reader.check_digest()
    return {**found, "set": {"id": reader.head["id"], "digest": reader.written_digest, **found["set"]}}


def _judge_extension(sage: ModuleType, reader: Fp2Reader) -> dict[str, Any]:
    """What it says of cases in GF(p^2)."""
    request, stated = reader.request, reader.stated
    golden = request.head
    for name in golden:
        if name not in stated:
            raise DamagedFileError("head", f"{name} is missing")
    if not isinstance(stated["constants"], dict) or set(stated["constants"]) != set(golden["constants"]):
        raise DamagedFileError("head", f"the constants are not {', '.join(golden['constants']) or 'none'}")
    head = _stated_head(sage, request.multiplier, stated, stated["R"])
    found = _judged(
        sage, head, golden, len(request.pairs), ("GF(p^2)", "(Z/mZ)[i]"),
        lambda prime: _judge_elements(sage, reader, head, prime),
    )  # fmt: skip
    return {**found, "set": {"id": request.id, "digest": None, "op": request.op, **found["set"]}}


def _judged(
    sage: ModuleType,
    head: Any,
    group: dict[str, Any],
    cases: int,
    rings: tuple[str, str],
    judge: Callable[[bool], Iterator[dict[str, Any]]],
) -> dict[str, Any]:
    """Disagreements about the head and about the cases; `rings` are for a prime and for another modulus."""
    modulus = sage.examine(head.modulus)
    prime = modulus["finding"] == "prime"
    of_head = (_disagreement(None, "head", finding) for finding in head.check(modulus["finding"]))
    listed: list[dict[str, Any]] = []
    total = 0
    for disagreement in chain(of_head, judge(prime)):
        total += 1
        if len(listed) < MAX_LISTED:
            listed.append(disagreement)
    return {
        "set": {
            **{name: group[name] for name in ("model", "form", "radix", "params")},
            "R": None if head.r is None else hexadecimal(head.r),
        },
        "cases": cases,
        "ring": rings[0] if prime else rings[1],
        "modulus": modulus,
        "disagreements": total,
        "first_disagreements": listed,
    }


def _stated_head(sage: ModuleType, multiplier: Multiplier, stated: dict[str, Any], r: str | None) -> Any:
    return sage.Head(
        model=multiplier.model.id,
        modulus=multiplier.modulus.modulus,
        primality=stated["prime"]["primality"],
        radix_bits=multiplier.params.radix_bits,
        params=stated["params"],
        r=None if r is None else parse_hexadecimal(r, "R"),
        constants={name: parse_hexadecimal(text, f"constants, {name}") for name, text in stated["constants"].items()},
    )


def _referee(sage: ModuleType, head: Any, prime: bool, limits: dict[str, int]) -> Any:
    """Of cases in the base field. Raises DamagedFileError."""
    try:
        kinds = head.model in sage.SUBTRACTING, head.scaling, head.model in sage.REDUNDANT
        return sage.Referee(head.modulus, prime, head.r, limits, *kinds)
    except ZeroDivisionError:
        raise DamagedFileError("head", "the R it states has no inverse modulo the modulus") from None


def _judge(sage: ModuleType, reader: VectorReader, head: Any, prime: bool) -> Iterator[dict[str, Any]]:
    """Disagreements about the cases, each of which is forgotten once it was recomputed."""
    limits = {name: int(stated["max"], 16) for name, stated in reader.group["ranges"].items()}
    referee = _referee(sage, head, prime, limits)
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


def _judge_elements(sage: ModuleType, reader: Fp2Reader, head: Any, prime: bool) -> Iterator[dict[str, Any]]:
    """The same about cases in GF(p^2); the ids of their products are those of the operands beside them."""
    multiplier = reader.request.multiplier
    maker, below = CaseMaker(multiplier), head.modulus - 1
    limits = {"a": below, "b": below, "result": multiplier.params.result_limit - 1}
    base = _referee(sage, head, prime, limits)
    referee = sage.ExtensionReferee(base, head.modulus, prime, head.r)
    with Progress("cases", len(reader.request.pairs)) as progress:
        for number, case in enumerate(reader.cases(), 1):
            for seen in case.operations:
                seen.check_product(maker.case_id(seen.x, seen.y) if seen.operation.kind == PRODUCT else None)
            operations = [sage.Operation(*o.operation, o.x, o.y, o.result, o.value) for o in case.operations]
            for finding in referee.check(case.a, case.b, case.result, operations):
                yield _disagreement(case.id, case.place, finding)
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
    cases = "1 case" if certificate.cases == 1 else f"{certificate.cases} cases"
    return f"SageMath {certificate.referee.sage} {verdict} {cases} in {certificate.ring}"


def _summary(place: Path, status: CertificateStatus, detail: str) -> dict[str, Any]:
    return {"status": status, "file": _file_name(place), "detail": detail}
