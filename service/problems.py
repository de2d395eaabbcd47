# SPDX-License-Identifier: Apache-2.0
"""Problem documents (RFC 9457): every request that is not served is answered by one."""

from collections.abc import Mapping

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from refmodels.errors import ParameterError
from vectors.documents import Problem
from vectors.reading import DamagedFileError

MEDIA_TYPE = "application/problem+json"

_TITLES = {
    400: ("not-json", "The body is no JSON"),
    404: ("not-found", "There is no such thing here"),
    405: ("method", "The method is not served here"),
    413: ("too-large", "The body is too large"),
    415: ("media-type", "The body is of another media type"),
    422: ("parameter", "A parameter cannot be served"),
    500: ("internal", "The service failed"),
    503: ("busy", "The service is busy"),
}


class RefusedError(Exception):
    """A request that is refused for another reason than a parameter's value."""

    def __init__(
        self, status: int, detail: str, parameter: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.parameter, self.headers = status, detail, parameter, headers


def _text(text: str) -> str:
    """The text without the lone surrogates that a name in a JSON body may hold and UTF-8 cannot."""
    return text.encode(errors="backslashreplace").decode()


def problem(
    path: str, status: int, detail: str, parameter: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer that says why a request to `path` was not served."""
    kind, title = _TITLES.get(status, ("http", "The request was not served"))
    document = Problem(
        type=f"urn:limbtrace:problem:{kind}",
        title=title,
        status=status,
        detail=_text(detail),
        instance=path,
        parameter=None if parameter is None else _text(parameter),
    )
    return Response(
        document.model_dump_json(exclude_none=True),
        status,
        {**(headers or {}), "Cache-Control": "no-store"},
        MEDIA_TYPE,
    )


def install(app: FastAPI) -> None:
    """Make `app` answer every error by a problem document."""

    @app.exception_handler(ParameterError)
    def parameter_error(request: Request, error: ParameterError) -> Response:
        if isinstance(error, DamagedFileError):
            return problem(request.url.path, 422, error.reason, error.place)
        return problem(request.url.path, 422, str(error), error.parameter)

    @app.exception_handler(RequestValidationError)
    def validation_error(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        name = str(first["loc"][-1])
        reason = "the request does not give it" if first["type"] == "missing" else first["msg"].lower()
        return problem(request.url.path, 422, f"{name}: {reason}", name)

    @app.exception_handler(RefusedError)
    def refusal(request: Request, error: RefusedError) -> Response:
        return problem(request.url.path, error.status, error.detail, error.parameter, error.headers)

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        detail = {
            404: f"there is nothing at {request.url.path[:200]}; /docs and /openapi.json list what there is",
            405: f"{request.method} is not served at {request.url.path[:200]}",
        }.get(error.status_code, error.detail)
        headers = dict(error.headers or {})
        if headers.get("Allow") == "GET":
            headers["Allow"] = "GET, HEAD"
        return problem(request.url.path, error.status_code, detail, headers=headers)

    @app.exception_handler(Exception)
    def failure(request: Request, _: Exception) -> Response:
        return problem(request.url.path, 500, "the service failed; its log says how")
