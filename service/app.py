# SPDX-License-Identifier: Apache-2.0
"""The service as an ASGI app: golden data by prime and radix over HTTP."""

from importlib.metadata import version

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from limbtrace.service.http import openapi, problems
from limbtrace.service.http.metrics import Metrics
from limbtrace.service.http.middleware import Gzip, HeadRequests
from limbtrace.service.http.queries import CHECK_NAMES
from limbtrace.service.pages.errors import ErrorPages
from limbtrace.service.pages.modules import MODULES
from limbtrace.service.routes import (
    catalogue,
    certificates,
    core_files,
    golden,
    grades,
    reports,
    sessions,
    verifications,
)
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.storage.store import Store
from limbtrace.vectors.document import Health
from limbtrace.vectors.encoding import FORMAT, dump

_DESCRIPTION = """Golden reference for modular-multiplier hardware: vectors, traces and verdicts by prime and radix.

Answers have the same bytes as the command line's. Integers are hexadecimal text. A request that cannot be served is
answered by a problem document (RFC 9457) that names the parameter. In a query string a `+` is a space: write `%2B`."""

_TAGS = [
    {"name": "catalogue", "description": "Models, cores, primes, errata."},
    {"name": "golden data", "description": "Vectors, traces, cycle tables and constants by prime and radix."},
    {"name": "verification", "description": "Check results against the model."},
    {"name": "cores", "description": "Descriptions of cores."},
    {"name": "sessions", "description": "Cases for what a core can do, and verdicts on its results."},
    {"name": "reports", "description": "Reports of simulations, kept under an address."},
    {"name": "operation", "description": "For those who run the service."},
]


def create_app(settings: ServiceSettings | None = None) -> FastAPI:
    """The app, with limits from the environment unless given. Raises ParameterError for invalid limits.

    `app.state.store` has to be opened before the first request and closed after the last one.
    """
    app = build()
    equip(app, settings or ServiceSettings.from_environment())
    return app


def equip(app: FastAPI, limits: ServiceSettings) -> None:
    """Give an app its limits and its store. Raises ParameterError, and StoreError for a missing driver."""
    store = Store(limits.database, limits.max_sets, limits.max_stored_bytes)
    app.state.limits, app.state.store, app.state.metrics = limits, store, Metrics(store)


def build() -> FastAPI:
    """The app without limits and store, to be equipped."""
    app = FastAPI(
        title="limbtrace",
        version=version("limbtrace"),
        description=_DESCRIPTION,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        openapi_tags=_TAGS,
        dependencies=[CHECK_NAMES],
        responses=openapi.problems(422),
        docs_url=None,
        redoc_url=None,
    )
    # The middleware added last handles a request first.
    app.add_middleware(ErrorPages)
    app.add_middleware(Gzip)
    app.add_middleware(HeadRequests)
    for module in (catalogue, golden, certificates, core_files, verifications, grades, sessions, reports, *MODULES):
        app.include_router(module.router)
    _add_operation(app)
    problems.install(app)
    openapi.install(app)
    return app


def _add_operation(app: FastAPI) -> None:
    health = {"format": FORMAT, "status": "ok", "version": app.version}

    @app.get(
        "/healthz",
        tags=["operation"],
        summary="Whether the service answers",
        response_class=Response,
        responses={200: openapi.json_answer("It does.", Health)},
    )
    async def healthz() -> Response:
        return Response(dump(health) + "\n", headers={"Cache-Control": "no-store"}, media_type="application/json")

    @app.get(
        "/metrics",
        tags=["operation"],
        summary="Counters for Prometheus",
        response_class=Response,
        responses={200: {"description": "The counters.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    def show_metrics() -> Response:
        return Response(generate_latest(app.state.metrics.registry), media_type=CONTENT_TYPE_LATEST)
