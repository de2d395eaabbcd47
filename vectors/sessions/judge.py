# SPDX-License-Identifier: Apache-2.0
"""Computations of a session, independent of its storage."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, digest, dump, hexadecimal
from limbtrace.vectors.report.verdicts import is_observed, said_of
from limbtrace.vectors.request import CHAINED, VectorRequest
from limbtrace.vectors.sessions.document import (
    Abilities,
    CaseVerdict,
    Expected,
    Session,
    SessionCase,
    SessionCases,
    SessionResults,
    SessionSet,
    SessionVerdicts,
)
from limbtrace.vectors.sets import Case, VectorSet
from limbtrace.vectors.validation import document_multiplier, shaped

OPEN, PASSED, FAILED = ".pf"
MAX_SETS = 1000
"""Most sets of a session."""
MOST_OBSERVED = 4
"""Wrong results of a part whose numbers are looked at."""


class JudgedSet(NamedTuple):
    """A set of a session: its request, what is compared, and one letter per case."""

    request: VectorRequest
    compare: Literal["result", "residue"]
    verdicts: str

    def expected(self, case: Case) -> int:
        """The value that a result is compared with."""
        return case.result if self.compare == "result" else case.residue

    def is_right(self, case: Case, seen: int) -> bool:
        """True if a result passes."""
        return self.expected(case) == (seen if self.compare == "result" else self.request.multiplier.residue(seen))


def parts(document: dict[str, Any], check: Callable[[VectorRequest], None] = lambda _: None) -> list[JudgedSet]:
    """The sets for these abilities, in their order and each once; equal abilities give equal sets.

    `check` is called with each set and may raise an exception. Raises ParameterError, DamagedFileError.
    """
    abilities = shaped(Abilities, document).abilities
    if sum(len(ability.primes) * len(ability.kinds) for ability in abilities) > MAX_SETS:
        raise ParameterError("abilities", f"they give more than {MAX_SETS} sets")
    found: dict[str, JudgedSet] = {}
    for ability in abilities:
        for prime in ability.primes:
            said = {"model": ability.model, "prime": prime, "params": ability.params, "form": ability.form}
            multiplier = document_multiplier(said if ability.radix is None else {**said, "radix": ability.radix})
            if ability.compare == "residue" and multiplier.prime is None:
                raise ParameterError("compare", f"{ability.model} without a modulus has no residues")
            for kind in ability.kinds:
                request = VectorRequest.resolve(multiplier, ability.count, ability.seed, kind)
                if request.kind == CHAINED:
                    raise ParameterError("kinds", f"operands of kind {CHAINED} are results, so they cannot be tried")
                if request.id not in found:
                    check(request)
                    found[request.id] = JudgedSet(request, ability.compare, OPEN * request.count)
                part = found[request.id]
                if part.compare != ability.compare:
                    raise ParameterError("compare", f"the set {request.id} is asked for with both")
    return [*found.values()]


def blind(part: JudgedSet, expected: Expected = "none") -> dict[str, Any]:
    """The cases of a set without results: all of them; or only the failed ones, or all, with what was expected."""
    unary, tests = part.request.multiplier.model.unary, []
    for case, state in zip(VectorSet(part.request).cases(), part.verdicts, strict=True):
        if expected == "failed" and state != FAILED:
            continue
        tests.append(
            members(
                SessionCase,
                id=case.id,
                a=hexadecimal(case.a),
                b=None if unary else hexadecimal(case.b),
                result=None if expected == "none" else hexadecimal(part.expected(case)),
            )
        )
    document: dict[str, Any] = members(SessionCases, format=FORMAT, set=part.request.id, expected=expected, tests=tests)
    return document


def judge(part: JudgedSet, given: SessionResults) -> tuple[dict[int, str], dict[str, Any]]:
    """Letters by the number of a case, and the document with the verdicts. Raises ParameterError."""
    seen: dict[str, int] = {}
    for result in given.results:
        if result.id in seen:
            raise ParameterError("results", f"there are two of the case {shown(result.id)}")
        seen[result.id] = int(result.result, 16)
    letters: dict[int, str] = {}
    verdicts: dict[str, Literal["pass", "fail"]] = {}
    wrong: list[tuple[Case, Case | None]] = []
    before: Case | None = None
    for number, case in enumerate(VectorSet(part.request).cases()):
        if case.id in seen:  # more than once, where operands are drawn again
            is_right = part.is_right(case, seen[case.id])
            letters[number] = PASSED if is_right else FAILED
            verdicts[case.id] = "pass" if is_right else "fail"
            if not is_right and len(wrong) < MOST_OBSERVED:
                wrong.append((case, before))
        before = case
    for id in seen:
        if id not in verdicts:
            raise ParameterError("results", f"the set {part.request.id} has no case {shown(id)}")
    said = {case.id: _observations(part, case, before, seen[case.id]) for case, before in wrong}
    passed = sum(verdict == "pass" for verdict in verdicts.values())
    document: dict[str, Any] = members(
        SessionVerdicts,
        format=FORMAT,
        set=part.request.id,
        passed=passed,
        failed=len(verdicts) - passed,
        verdicts=[members(CaseVerdict, id=id, verdict=verdicts[id], observations=said.get(id, [])) for id in seen],
    )
    return letters, document


def _observations(part: JudgedSet, case: Case, before: Case | None, seen: int) -> list[Any]:
    """VerdictFacts about a wrong result; none where the product takes too long."""
    multiplier = part.request.multiplier
    if not is_observed(multiplier):
        return []
    neighbour = None if before is None else (before.a, before.b)
    residue = part.compare == "residue"
    given = multiplier.residue(seen) if residue else seen
    return said_of(multiplier, (case.a, case.b), part.expected(case), given, (neighbour, None), residue=residue)


def overlay(verdicts: str, letters: dict[int, str]) -> str:
    """The letters of all cases after some were judged."""
    cells = [*verdicts]
    for number, letter in letters.items():
        cells[number] = letter
    return "".join(cells)


def session_document(id: str, expires: int, sets: Sequence[JudgedSet]) -> dict[str, Any]:
    """The state of a session; its digest does not depend on id and time."""
    shown_sets = [_set(part) for part in sets]
    letters = {letter for part in sets for letter in part.verdicts}
    document: dict[str, Any] = members(
        Session,
        format=FORMAT,
        id=id,
        expires=expires,
        verdict="fail" if FAILED in letters else "open" if OPEN in letters else "pass",
        sets=shown_sets,
        digest=f"sha256:{digest(dump(shown_sets))}",
    )
    return document


def _set(part: JudgedSet) -> Any:
    head = part.request.multiplier.head
    return members(
        SessionSet,
        id=part.request.id,
        **{name: head[name] for name in ("model", "form", "prime", "radix", "params")},
        kind=part.request.kind,
        seed=part.request.seed,
        count=part.request.count,
        compare=part.compare,
        passed=part.verdicts.count(PASSED),
        failed=part.verdicts.count(FAILED),
        verdicts=part.verdicts,
    )
