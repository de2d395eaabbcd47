# SPDX-License-Identifier: Apache-2.0
"""Certificates: an independent check of a vector set, cases in GF(p^2), a trace or a cycle table by SageMath.

SageMath is needed to create a certificate, not to read one. A certificate has no time stamp: the same file gives the
same certificate. It is not a signature; to check it, generate it again.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from limbtrace.refmodels.fp2 import PRODUCT
from limbtrace.vectors.certificate import steps
from limbtrace.vectors.certificate.document import Certificate
from limbtrace.vectors.certificate.file import file_digest, file_name
from limbtrace.vectors.encoding import FORMAT, hexadecimal, parse_hexadecimal
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.fp2.read import Fp2Reader, fp2_document
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets import CaseMaker, VectorReader, open_vectors
from limbtrace.vectors.validation import DamagedFileError

SCHEMA = "limbtrace-certificate-1.schema.json"
MAX_LISTED = 20
"""Number of disagreements that are listed; all of them are counted."""

JUDGED = ("R", "constants")
"""Statements of a document about its multiplier that SageMath recomputes."""

_BATCH = 1024
"""Number of cases between two updates of the progress line."""


def certify(path: Path) -> Certificate:
    """The certificate of a vector set in any format, of cases in GF(p^2), or of a trace or cycle table.

    Raises ToolError without SageMath, ParameterError (DamagedFileError) for a damaged file.
    """
    sage = _referee_module()
    sha256 = file_digest(path)
    extension = fp2_document(path)
    reading = steps.read(path) if extension is None else None
    if reading is not None:
        found = _judge_reading(sage, reading, steps.identity(path, sha256))
    elif extension is None:
        with open_vectors(path) as reader:
            found = _judge_set(sage, reader)
    else:
        found = _judge_extension(sage, Fp2Reader(extension, JUDGED))
    document = {
        "format": FORMAT,
        "schema": SCHEMA,
        "verdict": "disagrees" if found["disagreements"] else "agrees",
        "file": {"name": file_name(path), "sha256": sha256},
        **found,
        "referee": sage.versions(),
        "statements": {**sage.STATEMENTS, **({} if reading is None else steps.STATEMENTS)},
    }
    return Certificate.model_validate(document)


def _referee_module() -> ModuleType:
    """`limbtrace.vectors.certificate.sage_referee`, which imports SageMath and is therefore loaded only here."""
    try:
        from limbtrace.vectors.certificate import sage_referee
    except ImportError:
        how = "pip install 'limbtrace[sage]', or `sage -python -m limbtrace certify` in a SageMath of your own"
        raise ToolError(f"certify needs SageMath: {how}") from None
    return sage_referee


def _judge_set(sage: ModuleType, reader: VectorReader) -> dict[str, Any]:
    """The verdict of the certificate on a vector set."""
    group = reader.group
    head = _stated_head(sage, reader.multiplier, group, None if group["domain"] is None else group["domain"]["R"])
    found = _judged(
        sage, head, group, reader.request.count, ("GF(p)", "Z/mZ"), lambda prime: _judge(sage, reader, head, prime)
    )
    reader.check_digest()
    return {**found, "set": {"id": reader.head["id"], "digest": reader.written_digest, **found["set"]}}


def _judge_extension(sage: ModuleType, reader: Fp2Reader) -> dict[str, Any]:
    """The verdict of the certificate on cases in GF(p^2)."""
    request, stated = reader.request, reader.stated
    golden = request.head
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
    """Disagreements about the head and about the cases; `rings` names the rings for a prime and a composite modulus."""
    modulus = None if head.model in sage.WITHOUT_MODULUS else sage.examine(head.modulus)
    finding = "" if modulus is None else modulus["finding"]
    prime = finding == "prime"
    of_head = (_disagreement(None, "head", wrong) for wrong in head.check(finding))
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
        "ring": "ZZ" if modulus is None else rings[0] if prime else rings[1],
        "modulus": modulus,
        "disagreements": total,
        "first_disagreements": listed,
    }


def _stated_head(sage: ModuleType, multiplier: Multiplier, stated: dict[str, Any], r: str | None) -> Any:
    return sage.Head(
        model=multiplier.model.id,
        modulus=0 if stated["prime"] is None else multiplier.modulus.modulus,
        primality="" if stated["prime"] is None else stated["prime"]["primality"],
        radix_bits=multiplier.params.radix_bits,
        params=stated["params"],
        r=None if r is None else parse_hexadecimal(r, "R"),
        constants={name: parse_hexadecimal(text, f"constants, {name}") for name, text in stated["constants"].items()},
    )


def _referee(sage: ModuleType, head: Any, prime: bool, limits: dict[str, int]) -> Any:
    """The certificate of cases in the base field, or in ZZ. Raises DamagedFileError."""
    if head.model in sage.WITHOUT_MODULUS:
        return sage.IntegerReferee(limits)
    if head.model in sage.BUTTERFLIES:
        return sage.ButterflyReferee(head, limits)
    try:
        kinds = head.subtracts, head.scaling, head.model in sage.REDUNDANT
        return sage.Referee(head.modulus, prime, head.r, limits, *kinds)
    except ZeroDivisionError:
        raise DamagedFileError("head", "the R it states has no inverse modulo the modulus") from None


def _judge(sage: ModuleType, reader: VectorReader, head: Any, prime: bool) -> Iterator[dict[str, Any]]:
    """Disagreements about the cases; a case is dropped after it has been recomputed."""
    limits = {name: int(stated["max"], 16) for name, stated in reader.group["ranges"].items()}
    if head.model in sage.UNARY:
        limits["b"] = limits["a"]
    referee = _referee(sage, head, prime, limits)
    with Progress("cases", reader.request.count) as progress:
        for number, (place, case) in enumerate(reader.cases(), 1):
            if head.model in sage.CHAINS:
                points = case.checkpoints or ()
                findings = referee.check_chain(case.a, head.params["t"], case.result, case.residue, points)
            else:
                findings = referee.check(*head.factors(case.a, case.b), case.result, case.residue)
            for finding in findings:
                yield _disagreement(case.id, place, finding)
            if number % _BATCH == 0:
                progress.advance(_BATCH)


def _judge_reading(sage: ModuleType, reading: steps.Reading, identity: str) -> dict[str, Any]:
    """The verdict of the certificate on a trace or a cycle table."""
    from limbtrace.vectors.certificate import loops

    constants = {**reading.head["constants"], **(reading.document.get("constants") or {})}
    domain = None if reading.multiplier.model.id in sage.WHOLE_CONSTANTS else constants.get("R")
    stated = {**reading.head, "constants": constants}
    head = _stated_head(sage, reading.multiplier, stated, domain)
    found: dict[str, Any] = {}

    def given(product: steps.StatedProduct) -> Any:
        digits = [None if side is None else [loops.Integer(digit) for digit in side] for side in product[2:4]]
        numbers = loops.Integer(product.a), loops.Integer(product.b)
        modulus = loops.Integer(head.modulus)
        return loops.LoopInput(modulus, head.digit_bits, head.params, head.golden, *numbers, *digits)

    def judge(prime: bool) -> Iterator[dict[str, Any]]:
        yield from _judge_products(sage, reading, head, prime)
        for place, finding in steps.compared(loops, reading, given, found):
            yield _disagreement(None, place, finding)

    group = {**stated, "params": reading.head["params"]}
    judged = _judged(sage, head, group, len(reading.products), ("GF(p)", "Z/mZ"), judge)
    return {**judged, "reading": found, "set": {"id": identity, "digest": None, **judged["set"]}}


def _judge_products(sage: ModuleType, reading: steps.Reading, head: Any, prime: bool) -> Iterator[dict[str, Any]]:
    """Disagreements about the results of a trace or a cycle table."""
    for number, product in enumerate(reading.products):
        # Neither a trace nor a table states ranges: operands are those that the model takes.
        largest = max(product.a, product.b, product.result, 1)
        referee = _referee(sage, head, prime, dict.fromkeys(("a", "b", "result"), largest))
        if head.model in sage.CHAINS:
            if reading.document.get("step") is not None:
                continue  # a squaring in the middle, whose result is a step
            findings = referee.check_chain(product.a, head.params["t"], product.result, product.residue, ())
        else:
            findings = referee.check(*head.factors(product.a, product.b), product.result, product.residue)
        for finding in findings:
            yield _disagreement(None, "result" if reading.kind == "trace" else f"results[{number}]", finding)


def _judge_elements(sage: ModuleType, reader: Fp2Reader, head: Any, prime: bool) -> Iterator[dict[str, Any]]:
    """The certificate of cases in GF(p^2); the ids of their products follow from the operands in the file."""
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
