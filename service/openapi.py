# SPDX-License-Identifier: Apache-2.0
"""What OpenAPI says about answers: their types, and examples that the same code makes as the answers themselves."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from service.problems import MEDIA_TYPE
from vectors import catalogue, certificate, cycles, designs, fp2, sets, traces
from vectors.catalogue import document as listed
from vectors.certificate.document import Certificate
from vectors.coverage import CoverageDocument, cover
from vectors.cycles import cycle_request
from vectors.cycles.document import CycleDocument
from vectors.designs.document import Designs
from vectors.document import Health, Problem, Shape, adapter
from vectors.format import Format
from vectors.fp2.document import Fp2Set
from vectors.options import EventsQuery
from vectors.request import CoreRequest, Multiplier, VectorRequest
from vectors.results.document import Results
from vectors.sets import VectorSet
from vectors.sets.document import SetDocument
from vectors.sets.in_json import read_document
from vectors.traces import TraceRequest
from vectors.traces.document import TraceDocument
from vectors.verdict import Verification
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


_SET: dict[str, Any] = _json(sets.render(VectorSet(_VECTORS), "json"))
_COVERAGE = cover([read_document(_SET)])
_GROUP = _SET["testGroups"][0]
_TABLES = catalogue.tables_document()
_EVENTS = catalogue.events_document(EventsQuery(model="iddmm2", prime="mlkem", radix="2^8"))
_DESIGNS = designs.designs_document(designs.Exploration.resolve("fpmm", 128, ["F44D"], "V7"))
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


EXAMPLES: dict[type[Shape], Any] = {
    Certificate: _CERTIFICATE,
    listed.Constants: json.loads(catalogue.render_constants(_MULTIPLIER, "json")),
    listed.CoreDocument: catalogue.core_document("iddmm_arch2"),
    listed.CoreList: catalogue.cores_document(),
    CycleDocument: _json(cycles.render(cycle_request(_CORE, ["5,7"]), "json")),
    CoverageDocument: {**_COVERAGE, "events": _COVERAGE["events"][:4]},
    Designs: _DESIGNS,
    listed.ErrataDocument: catalogue.errata_document(),
    listed.ErratumDocument: catalogue.erratum_document("iddmm.E1"),
    listed.EventsDocument: {**_EVENTS, "events": _EVENTS["events"][:4]},
    Fp2Set: _json(fp2.render(fp2.Fp2Request.resolve(_SPECIAL, "sqr", "[5,7]"), "json")),
    Health: {"format": FORMAT, "status": "ok", "version": "0.1.0"},
    listed.ModelDocument: catalogue.model_document("cios"),
    listed.ModelList: catalogue.models_document(),
    listed.PrimeDocument: catalogue.prime_entry_document("mlkem"),
    listed.PrimeList: catalogue.primes_document(),
    Problem: {
        "type": "urn:limbtrace:problem:parameter",
        "title": "A parameter cannot be served",
        "status": 422,
        "detail": "prime: the modulus must be odd, because 2 has to be invertible",
        "instance": "/v1/vectors",
        "parameter": "prime",
    },
    Results: _RESULTS,
    listed.Tables: {
        **_TABLES,
        "papers": [{**paper, "figures": paper["figures"][:4]} for paper in _TABLES["papers"]],
    },
    TraceDocument: _json(traces.render(TraceRequest(_MULTIPLIER, 5, 7), "json")),
    SetDocument: _SET,
    Verification: verify(_RESULTS),
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


def _content(document: type[Shape], schema: dict[str, Any] | None = None) -> dict[str, Any]:
    name = document.__name__
    example = {"example": {"$ref": f"#/components/examples/{name}"}}
    return {"schema": schema or {"$ref": _SCHEMA.format(model=name)}, "examples": example}


def json_answer(description: str, document: type[Shape]) -> dict[str, Any]:
    """Documents a JSON answer."""
    return {"description": description, "content": {"application/json": _content(document)}}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Documents the answers to requests that are not served."""
    content = {MEDIA_TYPE: _content(Problem)}
    return {status: {"description": _REASONS[status], "content": content} for status in statuses}


def answer(
    description: str,
    document: type[Shape],
    formats: Mapping[str, Format[Any]],
    *failures: int,
    headers: Mapping[str, str] | None = None,
) -> dict[int | str, dict[str, Any]]:
    """Documents a JSON answer that may be cached, the same in other media types, and the problems there may be.

    `headers` are those that it has besides an ETag, with their meanings.
    """
    good = json_answer(description, document)
    for format in formats.values():
        good["content"].setdefault(format.media_type, {"schema": {"type": "string"}})
    good["headers"] = {
        name: {"description": meaning, "schema": {"type": "string"}}
        for name, meaning in {"ETag": "Hash of the normalised request.", **(headers or {})}.items()
    }
    return {
        200: good,
        304: {"description": "The client has it already (If-None-Match)."},
        **problems(*failures, 503),
    }


def body(document: Any, example: type[Shape]) -> dict[str, Any]:
    """Documents a body of type `document`, which the route reads itself to keep to the limit."""
    schema = adapter(document).json_schema(ref_template=_SCHEMA)
    schema.pop("$defs")  # they are among the components
    content = {"application/json": _content(example, schema)}
    return {"requestBody": {"required": True, "content": content}}


def install(app: FastAPI) -> None:
    """Make `app` publish types and examples of all documents."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            inputs: Any = [(document, "validation", adapter(document)) for document in EXAMPLES]
            _, types = TypeAdapter.json_schemas(inputs, ref_template=_SCHEMA)
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
