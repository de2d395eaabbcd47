# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document is complete and tells the truth."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from service.app import create_app

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
        "/v1/errata", "/v1/errata/{id}", "/v1/constants", "/v1/vectors", "/v1/sets/{id}", "/v1/traces", "/v1/cycles",
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
    assert status in {"200", "201"} & set(operation["responses"]), answer.text
    contents = operation["responses"][status]["content"]
    media_type = answer.headers["content-type"].partition(";")[0]
    assert media_type in contents
    if media_type == "application/json":
        schema = {**contents[media_type]["schema"], "components": OPENAPI["components"]}
        Draft202012Validator(schema).validate(answer.json())


def test_ids_are_unique() -> None:
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(ids)) == len(ids)
