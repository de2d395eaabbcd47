# SPDX-License-Identifier: Apache-2.0
"""A chained set is verified by running the model's loop, so an uploaded one has the limit of a requested one."""

from typing import Any

import httpx
import pytest

from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.request import CHAINED, Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, render
from tests.patience import PATIENCE

PRIME = "2^4096-2^1000-1"
JSON = {"Content-Type": "application/json"}


def _head(prime: str, count: int) -> dict[str, Any]:
    vectors = VectorSet(
        VectorRequest.resolve(Multiplier.resolve("redundant", prime, {"radix": "2^4"}), count, 1, CHAINED)
    )
    case = {"id": "", "a": "0x1", "b": "0x1", "result": "0x1", "residue": "0x1", "flags": [], "comment": ""}
    return {**vectors.head, "testGroups": [{**vectors.group, "tests": [case] * count}], "digest": ""}


@pytest.mark.parametrize("route", ["verifications", "coverage"])
def test_the_limit_is_that_of_a_request(route: str, api: httpx.Client) -> None:
    asked = api.get(
        "/v1/vectors", params={"model": "redundant", "prime": PRIME, "radix": "2^4", "kind": CHAINED, "count": 9}
    )
    given = api.post(f"/v1/{route}", json=_head(PRIME, 9))
    assert (asked.status_code, given.status_code) == (422, 422)
    assert given.json()["detail"] == asked.json()["detail"]
    assert "9 products of kind chained" in given.json()["detail"]


def test_the_cases_that_are_there_count_and_not_the_stated_number() -> None:
    request = VectorRequest.resolve(Multiplier.resolve("redundant", "secp256k1", {"radix": "2^4"}), 8, 1, CHAINED)
    document = b"".join(render(VectorSet(request), "json"))
    fewer = document.replace(b'"numberOfTests":8', b'"numberOfTests":1')
    work = request.multiplier.model.work(request.multiplier.params)
    found = []
    for limit in (8 * work, 8 * work - 1):
        with background(ServiceSettings(max_loop_steps=limit)) as url:
            answers = [
                httpx.post(f"{url}/v1/verifications", content=body, headers=JSON, timeout=PATIENCE)
                for body in (document, fewer)
            ]
        found += [(answer.status_code, answer.json().get("parameter", "")) for answer in answers]
    assert [status for status, _ in found] == [200, 422, 422, 422]
    assert [parameter for _, parameter in found[2:]] == ["count", "count"]
