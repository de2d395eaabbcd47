# SPDX-License-Identifier: Apache-2.0
"""Lists with filters over HTTP, and requests without a model or core."""

import httpx
import pytest

from limbtrace.vectors import catalogue
from limbtrace.vectors.client import Client
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.options import FilterQuery
from tests.patience import PATIENCE


def test_what_is_served_for_a_modulus_is_one_request(api: httpx.Client) -> None:
    """With the bytes of the command line; each address in it is served."""
    answer = api.get("/v1/models", params={"prime": "P-256", "radix": "2^34"})
    assert answer.status_code == 200
    assert answer.text == dump(catalogue.models_document(FilterQuery(prime="p256", radix="2^34"))) + "\n"
    for entry in answer.json()["models"]:
        found = api.get(f"{entry['fitting']['url']}&count=1")
        assert found.status_code == 200
        assert found.json()["testGroups"][0]["radix"] == entry["fitting"]["radix"]
    assert {core["model"] for core in api.get("/v1/cores?prime=p256&radix=2%5E34").json()["cores"]} >= {"iddmm2"}
    assert [entry["name"] for entry in api.get("/v1/primes?bits=434").json()["primes"]] == ["sike-p434"]
    assert {entry["id"] for entry in api.get("/v1/models?prime=12").json()["models"]} >= {"modmul", "barrett_mul"}


def test_the_client_asks_the_same(api: httpx.Client) -> None:
    with Client(str(api.base_url), PATIENCE) as client:
        found = client.models("p256", "2^34").models
        assert found[0].fitting is not None
        assert found[0].fitting.radix == "2^34"
        assert [entry.name for entry in client.primes(bits=434).primes] == ["sike-p434"]
        assert client.models().models[0].fitting is None


@pytest.mark.parametrize("path", ["/v1/vectors", "/v1/constants", "/v1/digests"])
def test_a_request_without_a_model_names_those_that_fit(api: httpx.Client, path: str) -> None:
    answer = api.get(f"{path}?prime=p256&radix=2%5E34")
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    problem = answer.json()
    assert problem["parameter"] == "model"
    assert "prime 'p256' with radix '2^34' is taken by cios, " in problem["detail"]
    assert [entry["id"] for entry in problem["models"]] == [
        entry["id"] for entry in api.get("/v1/models?prime=p256&radix=2%5E34").json()["models"]
    ]
    for entry in problem["models"]:
        assert entry["url"] == f"{path}?model={entry['id']}&prime=p256&radix=2%5E34"
        assert api.get(entry["url"]).status_code == 200


def test_a_request_without_a_core_names_those_that_fit(api: httpx.Client) -> None:
    problem = api.get("/v1/cycles?prime=p256&radix=2%5E34&count=1").json()
    assert (problem["parameter"], len(problem["cores"])) == ("core", 12)
    assert all(api.get(entry["url"]).status_code == 200 for entry in problem["cores"])


@pytest.mark.parametrize(
    ("query", "parameter"),
    [("prime=nix", "prime"), ("prime=p256&radix=34", "radix"), ("prime=2%5E5000-1", "prime"), ("prime=p256", "model"),
     ("", "model"), ("w=34&prime=p256", "model")],
)  # fmt: skip
def test_what_is_wrong_is_said_first(api: httpx.Client, query: str, parameter: str) -> None:
    answer = api.get(f"/v1/vectors?{query}")
    assert (answer.status_code, answer.json()["parameter"]) == (422, parameter)
    assert ("models" in answer.json()) == (parameter == "model")


@pytest.mark.parametrize("path", ["/v1/models", "/v1/cores", "/v1/primes"])
def test_wrong_filters(api: httpx.Client, path: str) -> None:
    for query, parameter in (("radix=34", "radix"), ("prime=nix", "prime"), ("bits=5000", "bits"), ("x=1", "x")):
        answer = api.get(f"{path}?{query}")
        assert (answer.status_code, answer.json()["parameter"]) == (422, parameter)
