# SPDX-License-Identifier: Apache-2.0
"""Verdicts over HTTP on everything that can be verified."""

import json
from typing import Any

import httpx
import pytest

from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.vectors.client import Client
from limbtrace.vectors.verification import CasesShape, Verification

CLAIM: dict[str, Any] = {"model": "cios", "prime": "p256", "radix": "2^34", "count": 300, "kind": "random", "leaf": 64}
RESULTS: dict[str, Any] = {
    "model": "iddmm2",
    "prime": {"modulus": "0xd01"},
    "radix": "2^8",
    "params": {"passes": 2},
    "results": [{"a": "0x5", "b": "0x7", "result": "0xa1a"}, {"a": "0x6", "b": "0x7", "result": "0xa1a", "id": "mine"}],
}

DOCUMENTS = {
    "vectors": "/v1/vectors?model=iddmm2&prime=mlkem&k=8&count=5",
    "trace": "/v1/traces?model=iddmm2&prime=mlkem&k=8&a=5&b=7",
    "cycles": "/v1/cycles?core=iddmm_arch2&prime=mlkem&k=8&operands=5,7&operands=3,4",
}


def test_results_of_ones_own(url: str) -> None:
    with Client(url) as client:
        verdict = client.verify(RESULTS)
    assert (verdict.verdict, verdict.kind, verdict.verified, verdict.mismatches) == ("fail", "results", 2, 1)
    found = verdict.first_divergence
    assert found is not None
    assert (found.case, found.place, found.signal, found.seen) == ("mine", "results[1]", "result", "0xa1a")


def test_residues_may_be_compared_instead(api: httpx.Client) -> None:
    reduced = {**RESULTS, "compare": "residue", "results": [{"a": "0x5", "b": "0x7", "result": hex(0xA1A + 0xD01)}]}
    assert api.post("/v1/verifications", json=reduced).json()["verdict"] == "pass"
    assert api.post("/v1/verifications", json={**reduced, "compare": "result"}).json()["verdict"] == "fail"


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_what_was_written_passes_and_one_edited_value_is_found(api: httpx.Client, kind: str) -> None:
    document = api.get(DOCUMENTS[kind]).json()
    answer = api.post("/v1/verifications", json=document)
    assert answer.headers["cache-control"] == "no-store"
    verdict = Verification.model_validate_json(answer.content)
    assert (verdict.verdict, verdict.kind, verdict.first_divergence) == ("pass", kind, None)
    assert verdict.verified > 0
    edited = json.loads(answer.request.content)
    if kind == "vectors":
        edited["testGroups"][0]["tests"][2]["result"] = "0x1"
    elif kind == "trace":
        edited["steps"][5][2] = "0xff"
    else:
        edited["rows"][3][1] = "0x7"
    verdict = Verification.model_validate(api.post("/v1/verifications", json=edited).json())
    assert (verdict.verdict, verdict.mismatches) == ("fail", 1)
    assert verdict.first_divergence is not None
    if kind == "cycles":
        assert (verdict.first_divergence.cycle, verdict.first_divergence.signal) == (3, "C")


def test_relations_of_a_wrong_result(api: httpx.Client) -> None:
    """The first sentence is the one of `limbtrace sim`, with the relation as a word; also for a set by its id."""
    p = CATALOGUE["p256.fp"].modulus
    answer = api.get("/v1/vectors?model=modmul&prime=p256&count=3").json()
    right = [int(test["result"], 16) for test in answer["testGroups"][0]["tests"]]
    seen = [*map(hex, right[:2]), hex(right[2] - p + (1 << 256))]
    found = api.post("/v1/verifications", json={"set": answer["id"], "results": seen}).json()["first_divergence"]
    assert found["observations"][0] == {
        "kind": "wrapped",
        "text": "it is the right result minus p, modulo 2^256, as after a subtraction that was not needed and wrapped",
    }
    assert len(found["before"]) == 2
    answer["testGroups"][0]["tests"][2]["result"] = seen[2]
    own = api.post("/v1/verifications", json=answer).json()["first_divergence"]
    assert own["observations"] == found["observations"]


def claimed(**own: Any) -> dict[str, Any]:
    return {**CLAIM, "mine": "further members may be there", **own}


def test_a_hash_over_results(api: httpx.Client) -> None:
    """A digest as limbtrace writes it, and a claim with its root or with a range."""
    query = {name: str(value) for name, value in CLAIM.items()}
    digest = api.get("/v1/digests", params={**query, "level": "0"}).json()
    leaf = api.get("/v1/digests", params={**query, "first": "64", "last": "127"}).json()["range"]
    for document in (digest, claimed(root=digest["root"]), claimed(range=leaf)):
        verdict = Verification.model_validate(api.post("/v1/verifications", json=document).json())
        verified = 64 if document.get("range") else 300
        assert (verdict.verdict, verdict.kind, verdict.verified, verdict.questions) == ("pass", "digest", verified, 1)
    for wrong in (claimed(root=leaf["hash"]), {**digest, "level": None, "nodes": None, "root": leaf["hash"]}):
        answer = api.post("/v1/verifications", json={name: value for name, value in wrong.items() if value is not None})
        verdict = Verification.model_validate(answer.json())
        assert (verdict.verdict, verdict.differs) == ("fail", CasesShape(first=0, last=299))
        assert verdict.first_divergence is None


def test_the_claim_of_one_case_names_what_is_right(api: httpx.Client) -> None:
    wrong = claimed(range={"first": 7, "last": 7, "hash": 64 * "0"})
    verdict = Verification.model_validate(api.post("/v1/verifications", json=wrong).json())
    found = verdict.first_divergence
    assert found is not None
    case = api.get("/v1/vectors", params={"model": "cios", "prime": "p256", "radix": "2^34", "count": "8",
                                          "kind": "random"}).json()["testGroups"][0]["tests"][7]  # fmt: skip
    assert (found.place, found.a, found.b, found.expected) == ("case 7", case["a"], case["b"], case["result"])


@pytest.mark.parametrize(
    ("own", "parameter", "why"),
    [
        ({"root": 64 * "g"}, "root", "is no SHA-256"),
        ({"root": None}, "the document", "either root or range"),
        (
            {"root": 64 * "0", "range": {"first": 0, "last": 1, "hash": 64 * "0"}},
            "the document",
            "either root or range",
        ),
        ({"root": 64 * "0", "count": 1_000_001}, "count", "these are 1000001 cases, and the limit here is 1000000"),
        ({"root": 64 * "0", "count": "many"}, "count", "'many' is no integer"),
        ({"root": 64 * "0", "kind": "chained"}, "kind", "has no digests"),
        ({"root": 64 * "0", "prime": "2^20000-1"}, "prime", "the limit is"),
        ({"range": {"first": 3, "last": 70, "hash": 64 * "0"}}, "last", "neither part of a leaf"),
        ({"range": {"first": 0, "last": 300, "hash": 64 * "0"}}, "last", "0 to 299"),
        ({"range": [0, 1]}, "range", "no object"),
        ({"range": {"last": 1, "hash": 64 * "0"}}, "range, first", "does not say it"),
    ],
)
def test_claims_that_cannot_be(api: httpx.Client, own: dict[str, Any], parameter: str, why: str) -> None:
    answer = api.post("/v1/verifications", json=claimed(**own))
    assert answer.status_code == 422
    assert answer.json()["parameter"] == parameter
    assert why in answer.json()["detail"]


def test_results_may_have_members_of_a_claim(api: httpx.Client) -> None:
    document = {**RESULTS, "range": "of the bench", "root": "/tmp"}
    assert api.post("/v1/verifications", json=document).json()["kind"] == "results"
