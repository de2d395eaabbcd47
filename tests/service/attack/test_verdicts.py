# SPDX-License-Identifier: Apache-2.0
"""The verdict on a document whose values are all wrong takes no more memory than the one on a correct document."""

import json
import tracemalloc
from typing import Any

import httpx
import pytest

from limbtrace.vectors.verify import verify

WIDE = "2^4096-2^1000-1"
SETS = f"/v1/vectors?model=cios&prime={WIDE}&count=400"
TRACE = f"/v1/traces?model=cios&prime={WIDE}&radix=2^64&a=5&b=7"
TABLE = "/v1/cycles?core=iddmm_arch2&prime=p256&radix=2^16&count=4"
ELEMENTS = "/v1/fp2?model=hffm&prime=sike-p503&op=mul&count=500&steps=true"


def _flipped(value: str) -> str:
    return hex(int(value, 16) ^ 1)


def _set(document: dict[str, Any]) -> int:
    (group,) = document["testGroups"]
    for test in group["tests"]:
        test["result"] = _flipped(test["result"])
    return len(group["tests"])


def _results(document: dict[str, Any]) -> int:
    for result in document["results"]:
        result["result"] = _flipped(result["result"])
    return len(document["results"])


def _trace(document: dict[str, Any]) -> int:
    for step in document["steps"]:
        step[2] = _flipped(step[2])
    return len(document["steps"])


def _table(document: dict[str, Any]) -> int:
    for row in document["rows"]:
        row[:] = [cell and _flipped(cell) for cell in row]
    return len(document["rows"])


def _elements(document: dict[str, Any]) -> int:
    operations = [operation for test in document["tests"] for operation in test["operations"]]
    for operation in operations:
        operation["value"] = _flipped(operation["value"])
    return len(operations)


def _peak(document: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Bytes that a verdict takes beside the document, and the verdict."""
    tracemalloc.start()
    try:
        verdict = verify(document)
        return tracemalloc.get_traced_memory()[1], verdict
    finally:
        tracemalloc.stop()


def _uploaded(document: dict[str, Any]) -> dict[str, Any]:
    """A set as results that a user sends."""
    (group,) = document["testGroups"]
    results = [{name: test[name] for name in ("a", "b", "result")} for test in group["tests"]]
    return {"model": group["model"], "prime": group["prime"], "params": group["params"], "results": results}


@pytest.mark.parametrize(
    ("query", "spoil"),
    [(SETS, _set), (SETS, _results), (TRACE, _trace), (TABLE, _table), (ELEMENTS, _elements)],
    ids=["vectors", "results", "trace", "cycles", "fp2"],
)
def test_divergences_do_not_pile_up(query: str, spoil: Any, api: httpx.Client) -> None:
    document = api.get(query.replace("^", "%5E")).raise_for_status().json()
    if spoil is _results:
        document = _uploaded(document)
    wrong = json.loads(json.dumps(document))
    count = spoil(wrong)
    assert count > 100
    right_peak, right = _peak(document)
    wrong_peak, verdict = _peak(wrong)
    assert (right["verdict"], right["mismatches"]) == ("pass", 0)
    assert (verdict["verdict"], verdict["verified"]) == ("fail", right["verified"])
    assert 0.99 * count < verdict["mismatches"] <= count  # a table has cells without a golden value
    values = 300 * len(document.get("steps", ()))  # of the product whose first wrong value is explained
    assert wrong_peak < 1.3 * right_peak + values + 20_000
