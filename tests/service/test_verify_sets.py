# SPDX-License-Identifier: Apache-2.0
"""Verdicts on results for a set that the service remembers, by its id."""

from typing import Any

import httpx
import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.client import Client
from limbtrace.vectors.verify import verify
from tests.patience import PATIENCE

PATH = "/v1/verifications"


@pytest.fixture(scope="module")
def made(api: httpx.Client) -> dict[str, Any]:
    """A set that the service has handed out."""
    query = {"model": "cios", "prime": "p256", "radix": "2^34", "count": "20", "kind": "lazy"}
    document: dict[str, Any] = api.get("/v1/vectors", params=query).json()
    return document


def cases_of(made: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made["testGroups"][0]["tests"]
    return found


def posted(api: httpx.Client, document: Any) -> dict[str, Any]:
    answer = api.post(PATH, json=document)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_results_in_order(api: httpx.Client, made: dict[str, Any]) -> None:
    results = [case["result"] for case in cases_of(made)]
    verdict = posted(api, {"set": made["id"], "results": results})
    assert (verdict["verdict"], verdict["kind"], verdict["id"]) == ("pass", "results", made["id"])
    assert (verdict["verified"], verdict["mismatches"], verdict["model"]) == (20, 0, "cios")
    results[7] = "0x1"
    verdict = posted(api, {"format": "limbtrace/1", "set": made["id"], "results": results})
    first = verdict["first_divergence"]
    assert (verdict["verdict"], verdict["mismatches"]) == ("fail", 1)
    assert (first["case"], first["place"], first["seen"]) == (cases_of(made)[7]["id"], "results[7]", "0x1")
    assert first["expected"] == cases_of(made)[7]["result"]


def test_results_by_case(api: httpx.Client, made: dict[str, Any]) -> None:
    """Of some cases, in any order."""
    chosen = [cases_of(made)[k] for k in (11, 3, 5)]
    results = [{"id": case["id"], "result": case["result"]} for case in chosen]
    assert posted(api, {"set": made["id"], "results": results})["verified"] == 3
    results[0]["result"] = "0x0"
    first = posted(api, {"set": made["id"], "results": results})["first_divergence"]
    assert (first["place"], first["case"]) == ("results[0]", chosen[0]["id"])


def test_residues(api: httpx.Client, made: dict[str, Any]) -> None:
    """A core that reduces: right modulo the modulus, and not the exact integers."""
    results = [case["residue"] for case in cases_of(made)]
    assert results != [case["result"] for case in cases_of(made)]
    assert posted(api, {"set": made["id"], "results": results, "compare": "residue"})["verdict"] == "pass"
    assert posted(api, {"set": made["id"], "results": results})["verdict"] == "fail"


@pytest.mark.parametrize(
    "query",
    [{"model": "vdf", "prime": "251", "radix": "2^8", "t": "5", "count": "6", "checkpoints": "2"},
     {"model": "redundant", "prime": "p256", "kind": "chained", "count": "9"},
     {"model": "iddmm2", "prime": "13", "radix": "2^2", "form": "printed", "count": "40"},
     {"model": "ozturk", "k": "3", "count": "4"}],
)  # fmt: skip
def test_every_kind_of_set(api: httpx.Client, query: dict[str, str]) -> None:
    made = api.get("/v1/vectors", params=query).json()
    results = [case["result"] for case in cases_of(made)]
    assert posted(api, {"set": made["id"], "results": results})["verdict"] == "pass"
    assert posted(api, {"set": made["id"], "results": [*results[:-1], "0xabc"]})["mismatches"] == 1


def test_the_client(api: httpx.Client, made: dict[str, Any]) -> None:
    results = {case["id"]: int(case["result"], 16) for case in cases_of(made)}
    with Client(str(api.base_url), PATIENCE) as client:
        assert client.verify_set(made["id"], list(results.values())).verdict == "pass"
        assert client.verify_set(made["id"], dict(list(results.items())[:2])).verified == 2
        assert client.verify_set(made["id"], [r + 1 for r in results.values()]).mismatches == 20
        with pytest.raises(ParameterError, match="id: no set"):
            client.verify_set("0" * 32, [1])


@pytest.fixture(scope="module")
def elements(api: httpx.Client) -> str:
    answer = api.get("/v1/fp2", params={"model": "cios", "prime": "251", "op": "mul", "count": "1"})
    return str(answer.json()["id"])


@pytest.mark.parametrize(
    ("change", "status", "parameter", "said"),
    [({"set": "0" * 32}, 404, "id", "no set"), ({"set": "nix"}, 404, "id", "no set 'nix' is remembered"),
     ({"results": ["0x1"]}, 422, "results", "there are 1, and the set has 20 cases"),
     ({"results": []}, 422, "results", "at least one result"), ({"results": ["1"]}, 422, "results", "at least one"),
     ({"results": [{"id": "0" * 16, "result": "0x1"}]}, 422, "results", "has no case '0000000000000000'"),
     ({"results": [{"id": "0" * 16, "result": "0x1"}] * 2}, 422, "results", "there are two of the case"),
     ({"results": [{"id": "0" * 16}, "0x1"]}, 422, "results", "it must be a list"),
     ({"compare": "nix"}, 422, "compare", "it is result or residue"), ({"set": 5}, 422, "set", "5 is no"),
     ({"more": 1}, 422, None, "the document has no member 'more'"), ({"format": "x"}, 422, "format", "")],
)  # fmt: skip
def test_wrong_documents(
    api: httpx.Client, made: dict[str, Any], change: dict[str, Any], status: int, parameter: str | None, said: str
) -> None:
    answer = api.post(PATH, json={"set": made["id"], "results": ["0x1"] * 20, **change})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    assert said in answer.json()["detail"]
    assert answer.json().get("parameter") == parameter or parameter is None


def test_elements_of_fp2_are_no_such_set(api: httpx.Client, elements: str) -> None:
    assert api.post(PATH, json={"set": elements, "results": ["0x1"]}).status_code == 404


def test_a_file_alone_does_not_know_the_set() -> None:
    with pytest.raises(ParameterError, match="set: only the service that remembers a set"):
        verify({"set": "0" * 32, "results": ["0x1"]})


def test_a_set_with_a_multiplier_is_a_document_of_results(api: httpx.Client) -> None:
    """They may have further members, as before."""
    document = {"model": "cios", "prime": "251", "radix": "2^8", "set": "mine",
                "results": [{"a": "0x0", "b": "0x0", "result": "0x0"}]}  # fmt: skip
    assert posted(api, document)["verdict"] == "pass"
