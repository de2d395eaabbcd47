# SPDX-License-Identifier: Apache-2.0
"""What verdicts on documents say of a wrong value: the same as a simulation, from the numbers of the document."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.vectors.report.verdicts import is_observed
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.results import of_set
from limbtrace.vectors.sessions import parts
from limbtrace.vectors.sessions.document import SessionResult, SessionResults
from limbtrace.vectors.sessions.judge import MOST_OBSERVED, blind, judge
from limbtrace.vectors.traces import FORMATS
from limbtrace.vectors.traces.request import TraceRequest
from limbtrace.vectors.verify import verify

P = CATALOGUE["p256.fp"].modulus
PRODUCTS = [(3**150, 7**80), (5**100, 11**70), (13**60, 17**50)]
MIDDLE = PRODUCTS[1][0] * PRODUCTS[1][1] % P


def kinds(verdict: dict[str, Any]) -> list[str]:
    found = verdict["first_divergence"]
    assert found is not None
    return [fact["kind"] for fact in found.get("observations", ())]


def results(seen: int, **own: Any) -> dict[str, Any]:
    """Three results, of which the one in the middle is `seen`."""
    rows = [{"a": hex(a), "b": hex(b), "result": hex(a * b % P)} for a, b in PRODUCTS]
    rows[1]["result"] = hex(seen)
    return {"model": "modmul", "prime": {"modulus": hex(P)}, "results": rows, **own}


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (MIDDLE - P + (1 << 256), "wrapped"),
        (MIDDLE - P + (1 << 264), "wrapped"),
        ((MIDDLE - (1 << 300)) % P, "power_of_two"),
        (MIDDLE + P, "not_reduced"),
        (P - MIDDLE, "negated"),
        (PRODUCTS[0][0] * PRODUCTS[0][1] % P, "previous_product"),
        (PRODUCTS[1][0] * PRODUCTS[2][1] % P, "next_b"),
        (PRODUCTS[1][0], "operand"),
    ],
)
def test_a_wrong_result(seen: int, kind: str) -> None:
    assert kinds(verify(results(seen)))[0] == kind


def test_what_cannot_be_said_of_a_residue() -> None:
    assert kinds(verify(results((MIDDLE - (1 << 300)) % P, compare="residue"))) == ["power_of_two"]
    random = Random(5).getrandbits(255)
    assert kinds(verify(results(random))) == ["wrong_word"]
    assert kinds(verify(results(random, compare="residue"))) == []


def test_neighbours_are_those_of_the_document() -> None:
    found = verify(results(0))["first_divergence"]
    assert (found["before"], found["after"]) == ([*map(hex, PRODUCTS[0])], [*map(hex, PRODUCTS[2])])
    alone = verify({**results(0), "results": results(0)["results"][1:2]})["first_divergence"]
    assert not {"before", "after"} & set(alone)


@pytest.mark.parametrize(
    ("change", "kind"), [(lambda value: 0, "zero"), (lambda value: value ^ 1 << 7, "power_of_two")]
)
def test_a_wrong_step_of_a_trace(change: Callable[[int], int], kind: str) -> None:
    request = TraceRequest(Multiplier.resolve("cios", "mlkem", {"radix": "2^8"}), "0x5ab", "0x777")
    document: dict[str, Any] = json.loads(b"".join(FORMATS["json"].write(request)))
    at = next(k for k, (name, _, value) in enumerate(document["steps"]) if int(value, 16) > 255)
    name, index, value = document["steps"][at]
    document["steps"][at] = [name, index, hex(change(int(value, 16)))]
    assert kind in kinds(verify(document))


def test_sessions_say_it_of_the_first_that_fail() -> None:
    (part,) = parts({"abilities": [{"model": "modmul", "primes": ["p256"], "kinds": ["random"], "count": 12}]})
    cases = blind(part, "all")["tests"]
    given = [
        SessionResult(id=case["id"], result=hex((int(case["result"], 16) - (1 << 300)) % P)) for case in cases[:-1]
    ]
    right = SessionResult(id=cases[-1]["id"], result=cases[-1]["result"])
    _, document = judge(part, SessionResults(set=part.request.id, results=[*given, right]))
    said = [verdict.get("observations", ()) for verdict in document["verdicts"]]
    assert [bool(facts) for facts in said] == [number < MOST_OBSERVED for number in range(12)]
    assert {facts[0]["kind"] for facts in said[:MOST_OBSERVED]} == {"power_of_two"}


def test_results_of_a_set_have_neighbours() -> None:
    (part,) = parts({"abilities": [{"model": "modmul", "primes": ["p256"], "kinds": ["random"], "count": 3}]})
    right = [case["result"] for case in blind(part, "all")["tests"]]
    given = of_set.parse({"set": part.request.id, "results": [right[0], right[0], right[2]]})
    found = of_set.verify(part.request, given)["first_divergence"]
    assert len(found["before"]) == len(found["after"]) == 2


def test_nothing_is_said_of_chains_and_of_products_of_many_steps() -> None:
    assert not is_observed(Multiplier.resolve("vdf", "p256", {"t": 3}))
    printed = {"form": "printed", "radix": "2^1"}
    assert is_observed(Multiplier.resolve("iddmm2", "p256", printed))
    assert not is_observed(Multiplier.resolve("iddmm2", (1 << 2048) - 1, printed))
