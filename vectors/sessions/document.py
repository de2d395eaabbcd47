# SPDX-License-Identifier: Apache-2.0
"""The JSON documents of a session."""

from dataclasses import field
from typing import Annotated, Literal

from limbtrace.vectors.document import Document, Form, Hex, Int, Otherwise, PrimeShape, Settings, Shape, Told, member
from limbtrace.vectors.results.document import Compare
from limbtrace.vectors.sets.document import CaseId
from limbtrace.vectors.verification import VerdictFact

Expected = Literal["none", "failed", "all"]
"""The cases that are shown with their expected results."""


class Ability(Shape):
    """A multiplier that a core implements, and the cases to try it with: one set for each modulus and kind."""

    model: str
    primes: Annotated[
        list[str | Int | None],
        Told(min_length=1),
        Otherwise("it must be a list of at least one modulus", damage=False),
    ] = member("catalogue names, integers or expressions; null for a model without modulus")
    radix: str | Int | None = member("power of two; the model's default if it is missing", default=None)
    params: Settings = field(
        default_factory=dict,
        metadata={"description": "parameters of the model", "json_schema_extra": {"default": {}}},
    )
    form: Form = member(default="corrected")
    compare: Compare = member("exact integers, or modulo the modulus", default="result")
    kinds: Annotated[
        list[str], Told(min_length=1), Otherwise("it must be a list of at least one kind", damage=False)
    ] = member("kinds of operands, except chained")
    count: Int = member("cases of each set", default=16)
    seed: Int = member(default=1)


class Abilities(Shape):
    """What a core can do."""

    format: Literal["limbtrace/1"] = member(default="limbtrace/1")
    abilities: Annotated[
        list[Ability], Told(min_length=1), Otherwise("it must be a list of at least one ability", damage=False)
    ]


class SessionSet(Shape):
    """A set of a session, and how far it is."""

    id: str = member("id of the set; equal abilities give equal sets")
    model: str
    form: Form
    prime: PrimeShape | None
    radix: str | None
    params: Settings
    kind: str
    seed: int
    count: int
    compare: Literal["result", "residue"]
    passed: int = member(ge=0)
    failed: int = member(ge=0)
    verdicts: str = member("one letter per case, in order: p passed, f failed, . open", pattern=r"^[pf.]*$")


class Session(Document):
    """A session. Whoever knows its id may use it."""

    id: str
    expires: int = member("seconds since 1970; each part of the results moves it")
    verdict: Literal["open", "pass", "fail"] = member("fail as soon as a case failed, until it passes in another try")
    sets: list[SessionSet]
    digest: str = member("SHA-256 of `sets` as compact JSON", pattern=r"^sha256:[0-9a-f]{64}$")


class SessionCase(Shape):
    """Operands, with the expected values where they were asked for."""

    id: CaseId
    a: Hex
    b: Hex | None = member("missing for a chain", default=None)
    result: Hex | None = member("the expected result, or its residue if these are compared", default=None)


class SessionCases(Document):
    """The cases of a set of a session."""

    set: str
    expected: Expected
    tests: list[SessionCase]


class SessionResult(Shape):
    """The result of a core for a case."""

    id: CaseId
    result: Hex


class SessionResults(Shape):
    """A part of the results of a set, in any order. A later result for a case replaces an earlier one."""

    format: Literal["limbtrace/1"] = member(default="limbtrace/1")
    set: str
    results: Annotated[
        list[SessionResult],
        Told(min_length=1),
        Otherwise("it must be a list of at least one {id, result}", damage=False),
    ]


class CaseVerdict(Shape):
    """The verdict on a result."""

    id: CaseId
    verdict: Literal["pass", "fail"]
    observations: list[VerdictFact] = member(
        "of the first results of a part that fail: what the wrong value is, the most specific one first", default=()
    )


class SessionVerdicts(Document):
    """The verdicts on a part of the results, in its order."""

    set: str
    passed: int = member(ge=0)
    failed: int = member(ge=0)
    verdicts: list[CaseVerdict]
