# SPDX-License-Identifier: Apache-2.0
"""Problem documents (RFC 9457): the response to every request that is not served."""

from collections.abc import Mapping, Sequence

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http.logs import LOG
from limbtrace.service.settings import LimitError
from limbtrace.service.storage.store import OutdatedError, StoreError
from limbtrace.vectors.catalogue.fitting import not_named
from limbtrace.vectors.document import Problem, members
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.options import FilterQuery
from limbtrace.vectors.validation import DamagedFileError

MEDIA_TYPE = "application/problem+json"

_TITLES = {
    "not-json": "The body is not JSON",
    "forbidden": "The request is not allowed",
    "token": "The request needs an access token",
    "quota": "The quota is used up",
    "host": "The service has another name",
    "not-found": "There is no such thing here",
    "method": "The method is not served here",
    "too-long": "The body took too long",
    "outdated": "The requested set was made by another release",
    "too-large": "The body is too large",
    "media-type": "The body is of another media type",
    "parameter": "A parameter cannot be served",
    "internal": "The service failed",
    "busy": "The service is busy",
    "too-slow": "The request took too long",
    "memory": "The request takes too much memory",
    "store": "The database failed",
    "worker": "The computation has ended unexpectedly",
    "full": "There is no room left",
    "http": "The request was not served",
}
_KINDS = {
    400: "not-json",
    403: "forbidden",
    404: "not-found",
    405: "method",
    408: "too-long",
    410: "outdated",
    413: "too-large",
    415: "media-type",
    422: "parameter",
    500: "internal",
    503: "busy",
    507: "full",
}
"""The default kind of problem for a status."""


class RefusedError(Exception):
    """A request that is rejected for a reason other than the value of a parameter."""

    def __init__(
        self,
        status: int,
        detail: str,
        parameter: str | None = None,
        headers: Mapping[str, str] | None = None,
        kind: str | None = None,
        ended: str | None = None,
    ) -> None:
        """`kind` is a key of the titles; `ended` is the limit, for the log."""
        super().__init__(detail)
        self.status, self.detail, self.parameter, self.headers = status, detail, parameter, headers
        self.kind, self.ended = kind, ended


def _text(text: str) -> str:
    """The text without lone surrogates, which a name in a JSON body may hold but UTF-8 cannot encode."""
    return text.encode(errors="backslashreplace").decode()


def problem(
    path: str,
    status: int,
    detail: str,
    parameter: str | None = None,
    headers: Mapping[str, str] | None = None,
    kind: str | None = None,
    models: Sequence[Mapping[str, str]] = (),
    cores: Sequence[Mapping[str, str]] = (),
) -> Response:
    """The response that explains why a request to `path` was not served; `kind` is a key of the titles.

    `models` and `cores` are those that the request could name, with id and url.
    """
    kind = kind or _KINDS.get(status, "http")
    document = members(
        Problem,
        type=f"urn:limbtrace:problem:{kind}",
        title=_TITLES[kind],
        status=status,
        detail=_text(detail),
        instance=path,
        parameter=None if parameter is None else _text(parameter),
        models=[*models],  # type: ignore[list-item]
        cores=[*cores],  # type: ignore[list-item]
    )
    return Response(
        dump(document),
        status,
        {**(headers or {}), "Cache-Control": "no-store"},
        MEDIA_TYPE,
    )


def refused(path: str, error: RefusedError) -> Response:
    """The response to a request to `path` that is rejected."""
    return problem(path, error.status, error.detail, error.parameter, error.headers, error.kind)


def install(app: FastAPI) -> None:
    """Make `app` answer every error with a problem document."""

    @app.exception_handler(ParameterError)
    def parameter_error(request: Request, error: ParameterError) -> Response:
        if isinstance(error, LimitError):
            request.app.state.metrics.count("refused", error.limit)
        if isinstance(error, DamagedFileError):
            return problem(request.url.path, 422, error.reason, error.place)
        return problem(request.url.path, 422, str(error), error.parameter)

    @app.exception_handler(RequestValidationError)
    def validation_error(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        name = str(first["loc"][-1])
        if first["type"] == "missing" and name in ("model", "core") and first["loc"][0] == "query":
            return _not_named(request, name)
        reason = "the request does not give it" if first["type"] == "missing" else first["msg"].lower()
        return problem(request.url.path, 422, f"{name}: {reason}", name)

    @app.exception_handler(RefusedError)
    def refusal(request: Request, error: RefusedError) -> Response:
        return refused(request.url.path, error)

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        detail = {
            404: f"there is nothing at {request.url.path[:200]}; /docs and /openapi.json list what there is",
            405: f"{request.method} is not served at {request.url.path[:200]}",
        }.get(error.status_code, error.detail)
        headers = dict(error.headers or {})
        if error.status_code == 405:
            # Starlette builds its list from a set, whose order differs between processes.
            headers["Allow"] = _allowed(request) or ", ".join(sorted(headers["Allow"].split(", ")))
        return problem(request.url.path, error.status_code, detail, headers=headers)

    @app.exception_handler(MemoryError)
    def out_of_memory(request: Request, error: MemoryError) -> Response:
        request.app.state.metrics.count("refused", "max_memory_bytes")
        limit = request.app.state.limits.max_memory_bytes
        detail = f"the request takes more memory than the limit of {limit} bytes here; ask for less"
        return problem(request.url.path, 422, detail, kind="memory")

    @app.exception_handler(Exception)
    def failure(request: Request, error: Exception) -> Response:
        return problem(request.url.path, 500, "the service failed; its log says how")

    @app.exception_handler(StoreError)
    def store_error(request: Request, error: StoreError) -> Response:
        note_store_error(request, error)
        return problem(request.url.path, 503, str(error), headers={"Retry-After": "5"}, kind="store")

    @app.exception_handler(OutdatedError)
    def outdated(request: Request, error: OutdatedError) -> Response:
        return problem(request.url.path, 410, f"id: {error}", "id")


_LONGEST_QUERY = 4000
"""Characters of a query string that is repeated for each model or core."""


def _not_named(request: Request, subject: str) -> Response:
    """The response to a request without the model or core, with those that take its modulus and radix."""
    given, limits = request.query_params, request.app.state.limits
    digits = next((f"2^{given[name]}" for name in ("w", "k", "d") if name in given), None)
    asked = FilterQuery(prime=given.get("prime"), radix=given.get("radix", digits))
    try:
        error, found = not_named(subject, limits.filter(asked).prime, asked.radix)
    except ParameterError as wrong:
        if isinstance(wrong, LimitError):
            request.app.state.metrics.count("refused", wrong.limit)
        return problem(request.url.path, 422, str(wrong), wrong.parameter)
    query = request.url.query
    if len(query) <= _LONGEST_QUERY:
        own = f"&{query}" if query else ""
        found = [{**entry, "url": f"{request.url.path}?{subject}={entry['id']}{own}"} for entry in found]
    return problem(request.url.path, 422, str(error), subject, **{f"{subject}s": found})  # type: ignore[arg-type]


def note_store_error(request: Request, error: StoreError) -> None:
    """Log and count a failure of the database."""
    request.app.state.metrics.count("store_errors", "")
    LOG.error("store", reason=str(error))


def _allowed(request: Request) -> str | None:
    """The methods of every route that matches a request's path; None for a path that OpenAPI does not list."""
    methods: set[str] = set()
    for template, operations in request.app.openapi()["paths"].items():
        if compile_path(template)[0].match(request.url.path):
            methods |= {method.upper() for method in operations}
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods)) or None
