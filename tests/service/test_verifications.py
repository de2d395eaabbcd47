# SPDX-License-Identifier: Apache-2.0
"""Verdicts over HTTP on everything that can be verified."""

import json
from typing import Any

import httpx
import pytest

from vectors.client import Client
from vectors.verdict import Verification

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
