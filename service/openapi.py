# SPDX-License-Identifier: Apache-2.0
"""What OpenAPI says about answers: their types, and examples that the same code makes as the answers themselves."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from service.problems import MEDIA_TYPE
from vectors import catalogue, certificate, cycles, documents, explore, formats, fp2, traces
from vectors.request import CoreRequest, Multiplier, VectorRequest
from vectors.sets import VectorSet
from vectors.source import cycle_request
from vectors.tables import tables_document
from vectors.traces import TraceRequest
from vectors.verify import verify
from vectors.wire import FORMAT

_SCHEMA = "#/components/schemas/{model}"

# Small enough to be read.
_MULTIPLIER = Multiplier.resolve("iddmm2", "mlkem", {"radix": "2^8"})
_VECTORS = VectorRequest.resolve(_MULTIPLIER, count=2)
_SPECIAL = Multiplier.resolve("hffm", 107, {})
_CORE = CoreRequest.resolve("iddmm_arch2", "mlkem", {"radix": "2^8"})
_RESULTS = {
    "model": "iddmm2",
    "prime": "mlkem",
    "radix": "2^8",
    "results": [{"a": "0x5", "b": "0x7", "result": "0xa1a"}, {"a": "0x5", "b": "0x8", "result": "0xa1a"}],
}

SET_ID = _VECTORS.id


def _json(chunks: Iterator[bytes]) -> Any:
    return json.loads(b"".join(chunks))


_SET: dict[str, Any] = _json(formats.render(VectorSet(_VECTORS), "json"))
_GROUP = _SET["testGroups"][0]
_TABLES = tables_document()
_DESIGNS = explore.document(explore.Exploration.resolve("fpmm", 128, ["F44D"], "V7"))
# What `limbtrace certify` writes about that set; SageMath is no part of the service.
_CERTIFICATE = {
    "format": FORMAT,
    "schema": certificate.SCHEMA,
    "verdict": "agrees",
    "file": {"name": "vectors.json", "sha256": 64 * "0"},
    "set": {
        "id": SET_ID,
        "digest": _SET["digest"],
        **{name: _GROUP[name] for name in ("model", "form", "radix", "params")},
        "R": _GROUP["domain"]["R"],
    },
    "cases": _SET["numberOfTests"],
    "ring": "GF(p)",
    "referee": {"sage": "10.8", "package": "passagemath-pari 10.8.13", "pari": "2.17.3"},
    "modulus": {
        "modulus": _GROUP["prime"]["modulus"],
        "bits": _GROUP["prime"]["bits"],
        "finding": "prime",
        "proof": "3329",
        "factors": [],
        "cofactor": None,
        "reason": "",
    },
    "statements": {"product": "result * R == a * b in the ring"},
    "disagreements": 0,
    "first_disagreements": [],
}


EXAMPLES: dict[type[BaseModel], Any] = {
    documents.Certificate: _CERTIFICATE,
    documents.Constants: json.loads(catalogue.render_constants(_MULTIPLIER, "json")),
    documents.CoreDocument: catalogue.core_document("iddmm_arch2"),
    documents.CoreList: catalogue.cores_document(),
    documents.CycleTable: _json(cycles.render(cycle_request(_CORE, ["5,7"]), "json")),
    documents.Designs: _DESIGNS,
    documents.ErrataDocument: catalogue.errata_document(),
    documents.ErratumDocument: catalogue.erratum_document("iddmm.E1"),
    documents.Fp2Set: _json(fp2.render(fp2.Fp2Request.resolve(_SPECIAL, "sqr", "[5,7]"), "json")),
    documents.Health: {"format": FORMAT, "status": "ok", "version": "0.1.0"},
    documents.ModelDocument: catalogue.model_document("cios"),
    documents.ModelList: catalogue.models_document(),
    documents.PrimeDocument: catalogue.prime_entry_document("mlkem"),
    documents.PrimeList: catalogue.primes_document(),
    documents.Problem: {
        "type": "urn:limbtrace:problem:parameter",
        "title": "A parameter cannot be served",
        "status": 422,
        "detail": "prime: the modulus must be odd, because 2 has to be invertible",
        "instance": "/v1/vectors",
        "parameter": "prime",
    },
    documents.Results: _RESULTS,
    documents.Tables: {
        **_TABLES,
        "papers": [{**paper, "figures": paper["figures"][:4]} for paper in _TABLES["papers"]],
    },
    documents.Trace: _json(traces.render(TraceRequest(_MULTIPLIER, 5, 7), "json")),
    documents.VectorSet: _SET,
    documents.Verification: verify(_RESULTS),
}
"""An example of every document."""

_REASONS = {
    400: "The body is no JSON.",
    404: "There is no such thing; the problem says what there is.",
    408: "The body did not come in time.",
    410: "Another release remembered the set, and this one cannot make it again.",
    413: "The body is larger than the limit.",
    415: "The body is not application/json.",
    422: "A parameter cannot be served: which one, and why.",
    503: "All slots are taken, or the database failed: come back after Retry-After seconds. "
    "Without that header: it took too long, ask for less.",
}


def _content(document: type[BaseModel], schema: dict[str, Any] | None = None) -> dict[str, Any]:
    name = document.__name__
    example = {"example": {"$ref": f"#/components/examples/{name}"}}
    return {"schema": schema or {"$ref": _SCHEMA.format(model=name)}, "examples": example}


def json_answer(description: str, document: type[BaseModel]) -> dict[str, Any]:
    """Documents a JSON answer."""
    return {"description": description, "content": {"application/json": _content(document)}}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Documents the answers to requests that are not served."""
    content = {MEDIA_TYPE: _content(documents.Problem)}
    return {status: {"description": _REASONS[status], "content": content} for status in statuses}


def answer(
    description: str,
    document: type[BaseModel],
    media_types: Iterable[str],
    *failures: int,
    headers: Mapping[str, str] | None = None,
) -> dict[int | str, dict[str, Any]]:
    """Documents a JSON answer that may be cached, the same in other media types, and the problems there may be.

    `headers` are those that it has besides an ETag, with their meanings.
    """
    good = json_answer(description, document)
    for media_type in media_types:
        good["content"].setdefault(media_type, {"schema": {"type": "string"}})
    good["headers"] = {
        name: {"description": meaning, "schema": {"type": "string"}}
        for name, meaning in {"ETag": "Hash of the normalised request.", **(headers or {})}.items()
    }
    return {
        200: good,
        304: {"description": "The client has it already (If-None-Match)."},
        **problems(*failures, 503),
    }


def body(document: Any, example: type[BaseModel]) -> dict[str, Any]:
    """Documents a body of type `document`, which the route reads itself to keep to the limit."""
    schema = TypeAdapter(document).json_schema(ref_template=_SCHEMA)
    schema.pop("$defs")  # they are among the components
    content = {"application/json": _content(example, schema)}
    return {"requestBody": {"required": True, "content": content}}


def install(app: FastAPI) -> None:
    """Make `app` publish types and examples of all documents."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _, types = models_json_schema([(document, "validation") for document in EXAMPLES], ref_template=_SCHEMA)
            schema = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                license_info=app.license_info,
                tags=app.openapi_tags,
            )
            # Added here, because FastAPI drops every null from what it is given.
            components = schema.setdefault("components", {})
            components.setdefault("schemas", {}).update(types["$defs"])
            components["examples"] = {document.__name__: {"value": value} for document, value in EXAMPLES.items()}
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    openapi()  # every request looks its query up there
