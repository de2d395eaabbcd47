# SPDX-License-Identifier: Apache-2.0
"""Templates to responses. Everything that comes from outside is text in a page: the environment escapes it."""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from fastapi import Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http import assets
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.responses import Exchange
from limbtrace.service.settings import LimitError

MEDIA_TYPE = "text/html"

SECTIONS = (
    ("/", "Query"),
    ("/trace", "Trace"),
    ("/cycles", "Cycles"),
    ("/designs", "Designs"),
    ("/check", "Check a core"),
    ("/reports", "Reports"),
    ("/models", "Models"),
    ("/cores", "Cores"),
    ("/primes", "Primes"),
    ("/events", "Events"),
    ("/mutants", "Mutants"),
    ("/defects", "Defects"),
    ("/errata", "Errata"),
    ("/tables", "Tables"),
    ("/docs", "API"),
)
"""The entries of the menu."""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("limbtrace.service.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(asset=assets.address, sections=SECTIONS)
    return environment


def html(template: str, content: Mapping[str, Any]) -> str:
    """A page as text; `content` are the variables of its template."""
    return _environment().get_template(template).render(content)


def page(here: Exchange, template: str, **content: Any) -> Response:
    """The answer with a page; the ETag is its hash."""
    return here.text(html(template, {"path": here.request.url.path, **content}), MEDIA_TYPE)


def found(make: Callable[[str], dict[str, Any]], name: str) -> dict[str, Any]:
    """The document of the entry named in a path. Raises RefusedError (404)."""
    try:
        return make(name)
    except ParameterError as error:
        raise RefusedError(404, str(error), error.parameter) from None


def answered(
    here: Exchange, template: str, content: Mapping[str, Any], work: Callable[[], Mapping[str, Any]],
    unanswered: Mapping[str, Any] = MappingProxyType({}),
) -> Response:  # fmt: skip
    """The answer with a page of `content` and of what `work` finds.

    Where `work` raises ParameterError, the form again (422) with the sentence that the JSON route says, with
    `unanswered` in place of what would have been found.
    """
    try:
        answer = work()
    except ParameterError as error:
        if isinstance(error, LimitError):
            here.count("refused", error.limit)
        said = {"path": here.request.url.path, "error": str(error), "wrong": error.parameter}
        text = html(template, {**said, **content, **unanswered})
        return Response(text, 422, {"Cache-Control": "no-store"}, MEDIA_TYPE)
    return page(here, template, **content, **answer)
