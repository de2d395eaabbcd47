# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document is complete and tells the truth."""

from collections.abc import Iterable, Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.service.app import create_app
from limbtrace.vectors.request import EVERY_KIND

OPENAPI = create_app().openapi()
OPERATIONS = [
    (path, method, operation) for path, methods in OPENAPI["paths"].items() for method, operation in methods.items()
]
NAMES = [f"{method} {path}" for path, method, _ in OPERATIONS]


def everything(node: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from everything(child)


def referred(reference: str) -> Any:
    node: Any = OPENAPI
    for part in reference.removeprefix("#/").split("/"):
        node = node[part]
    return node


def test_every_route_of_the_design_is_there() -> None:
    assert {path for path, _, _ in OPERATIONS} >= {
        "/v1/models", "/v1/models/{id}", "/v1/primes", "/v1/primes/{name}", "/v1/cores", "/v1/cores/{id}",
        "/v1/errata", "/v1/errata/{id}", "/v1/defects", "/v1/defects/{id}",
        "/v1/constants", "/v1/vectors", "/v1/sets/{id}", "/v1/traces", "/v1/cycles",
        "/v1/events", "/v1/coverage", "/v1/core-files",
        "/v1/verifications", "/v1/tables", "/v1/tables/{paper}", "/v1/explore", "/v1/sessions", "/v1/sessions/{id}",
        "/v1/fp2/{id}", "/v1/fp2/{id}/certificate",
        "/v1/sessions/{id}/sets/{set}", "/v1/sessions/{id}/results", "/healthz", "/metrics",
    }  # fmt: skip


def test_every_reference_leads_somewhere() -> None:
    references = {node["$ref"] for node in everything(OPENAPI) if isinstance(node.get("$ref"), str)}
    assert len(references) > 20
    for reference in references:
        assert referred(reference)


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=NAMES)
def test_operations_are_described(path: str, method: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert operation["tags"]
    for parameter in operation.get("parameters", []):
        assert parameter["description"], parameter
        assert "example" in parameter or parameter.get("schema", {}).get("examples"), parameter
    if operation.get("parameters") and "{" not in path:
        problem = operation["responses"]["422"]["content"]["application/problem+json"]
        assert problem["schema"] == {"$ref": "#/components/schemas/Problem"}
        assert problem["examples"]


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=NAMES)
def test_examples_are_what_their_schema_says(path: str, method: str, operation: dict[str, Any]) -> None:
    contents = [operation.get("requestBody", {}), *operation["responses"].values()]
    for media in (media for content in contents for media in content.get("content", {}).values()):
        for example in media.get("examples", {}).values():
            schema = {**media["schema"], "components": OPENAPI["components"]}
            Draft202012Validator(schema).validate(referred(example["$ref"])["value"])


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=NAMES)
def test_answers_are_what_their_schema_says(
    api: httpx.Client, path: str, method: str, operation: dict[str, Any]
) -> None:
    """Each operation is called with the examples of its required parameters, and those that most models require."""
    set_id = api.get("/v1/vectors", params={"model": "iddmm2", "prime": "mlkem", "radix": "2^8", "count": "2"}).json()[
        "id"
    ]
    api.put(f"/v1/sets/{set_id}/certificate", json=referred("#/components/examples/Certificate/value"))
    elements = {"model": "hffm", "prime": "107", "op": "sqr", "a": "[5,7]"}
    fp2_id = api.get("/v1/fp2", params=elements).json()["id"]
    api.put(f"/v1/fp2/{fp2_id}/certificate", json=referred("#/components/examples/Fp2Certificate/value"))
    examples = {
        p["name"]: p["schema"]["examples"][0]
        for p in operation.get("parameters", [])
        if p.get("required") or p["name"] in ("operands", "prime") or (p["name"], path) == ("b", "/v1/traces")
    }
    if path.startswith("/v1/sessions/"):  # whose ids are random
        abilities = referred("#/components/examples/Abilities/value")
        examples["id"] = api.post("/v1/sessions", json=abilities).json()["id"]
    body = next(iter(operation.get("requestBody", {}).get("content", {"": {}}).values())).get("examples", {})
    answer = api.request(
        method,
        path.format(**examples),
        params={k: v for k, v in examples.items() if f"{{{k}}}" not in path},
        json=referred(body["example"]["$ref"])["value"] if body else None,
    )
    status = f"{answer.status_code}"  # 201, or 200 where another test has posted it
    # Generated requests may have put the same certificate in another order, which is not replaced without a token.
    kept = {"403"} if method == "put" and path.endswith("/certificate") else set()
    assert status in ({"200", "201"} | kept) & set(operation["responses"]), answer.text
    contents = operation["responses"][status]["content"]
    media_type = answer.headers["content-type"].partition(";")[0]
    assert media_type in contents
    if media_type == "application/json":
        schema = {**contents[media_type]["schema"], "components": OPENAPI["components"]}
        Draft202012Validator(schema).validate(answer.json())


def test_ids_are_unique() -> None:
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(ids)) == len(ids)


ENUMERATED: dict[str, Iterable[str]] = {"model": MODELS, "core": ARCHITECTURES, "kind": EVERY_KIND}
INTEGERS = {"count", "seed", "bits", "checkpoints", "leaf", "level", "first", "last", "period", "step"}


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=NAMES)
def test_generated_clients_know_what_may_be_chosen(path: str, method: str, operation: dict[str, Any]) -> None:
    """Parameters with few values have them as an enum, and numbers are integers, none of which may be null."""
    for parameter in operation.get("parameters", []):
        name, schema = parameter["name"], parameter["schema"]
        if name in ("format", "op", "expected", *ENUMERATED):
            assert schema["type"] == "string"
            assert schema["enum"], name
            assert {*schema["examples"]} <= {*schema["enum"]}
            assert schema.get("default", schema["enum"][0]) in schema["enum"]
        if name in INTEGERS:
            assert (schema["type"], "anyOf" in schema) == ("integer", False)
            assert schema["minimum"] >= 0
            assert all(isinstance(value, int) for value in (*schema["examples"], schema.get("default", 0)))
    known = {p["name"]: p["schema"].get("enum") for p in operation.get("parameters", [])}
    for name, values in ENUMERATED.items():
        if name in known and (path, name) not in (
            ("/v1/explore", "core"),
            ("/v1/fp2", "kind"),
            ("/v1/digests", "kind"),
        ):
            assert known[name] == list(values)


def test_each_choice_of_a_client_is_served(api: httpx.Client) -> None:
    """Every value of an enum, with a request that is good otherwise."""
    good = {
        "/v1/vectors": {"model": "cios", "prime": "251", "radix": "2^8", "count": "1"},
        "/v1/constants": {"model": "iddmm2", "prime": "251", "radix": "2^8"},
        "/v1/traces": {"model": "iddmm2", "prime": "251", "radix": "2^8", "a": "5", "b": "7"},
        "/v1/fp2": {"model": "cios", "prime": "251", "radix": "2^8", "count": "1", "op": "mul"},
        "/v1/digests": {"model": "cios", "prime": "251", "radix": "2^8", "count": "1"},
        "/v1/cycles": {"core": "iddmm_arch2", "prime": "251", "radix": "2^8", "operands": "5,7"},
    }
    for path, given in good.items():
        for parameter in OPENAPI["paths"][path]["get"]["parameters"]:
            for value in parameter["schema"].get("enum", ()):
                asked = {**given, parameter["name"]: value}
                if parameter["name"] in ("model", "core") or (path, parameter["name"]) == ("/v1/cycles", "kind"):
                    continue  # which take other parameters
                if value in ("units", "svg"):
                    asked = {"core": "hffm", "prime": "2^8*3^5-1", "operands": "5,7", "format": value}
                assert api.get(path, params=asked).status_code == 200, (path, parameter["name"], value)
