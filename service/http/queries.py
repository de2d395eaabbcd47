# SPDX-License-Identifier: Apache-2.0
"""Conversion of query strings to the queries of `limbtrace.vectors.options`, which the lower layers use.

Every value stays text until the parser of the command line reads it, so both accept and reject the same values.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass
from typing import Annotated, Any, Generic, TypeVar, get_type_hints

from fastapi import Depends, Query, Request
from pydantic import BaseModel, create_model
from pydantic import Field as Described

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.format import Format, known
from limbtrace.vectors.options import FilterQuery, Option
from limbtrace.vectors.options import Query as Asked

_Q = TypeVar("_Q", bound=Asked)

MODEL_PARAMETERS = {
    "name": "parameters",
    "in": "query",
    "style": "form",
    "explode": True,
    "schema": {"type": "object", "additionalProperties": {"type": "string"}},
    "example": {"passes": "9"},
    "description": "Any other name is a parameter of the model: k, w, s, n, passes, T, form ... (see /v1/models/ID).",
}
"""Descriptions of parameters in OpenAPI."""


_ORDER = ("seed", "kind", "radix", "pairs", "prime", "model", "core")
"""Parameters that OpenAPI lists first."""


@dataclass(frozen=True)
class Asking(Generic[_Q]):
    """A parsed query string: the query, and the format of the response."""

    query: _Q
    format: Format[Any]


def asking(query: type[_Q], formats: Mapping[str, Format[Any]]) -> Any:
    """A dependency that reads a query from the query string. Raises ParameterError for an unknown format.

    If the query has settings, any other name is one of them: a parameter of the model or core.
    """
    own = {option.flag or entry.name for entry, option in query.options()}
    flags = {entry.name for entry, _ in query.options()}

    async def read(request: Request, given: Any) -> Asking[_Q]:
        fields = {name: getattr(given, name) for name in flags}
        if "pairs" in flags:
            others = (item for item in request.query_params.multi_items() if item[0] not in {*own, "format"})
            fields["pairs"] = [*fields["pairs"], *(f"{name}={value}" for name, value in others)]
        return Asking(query(**fields), formats[known(given.format, formats)])

    read.__annotations__["given"] = Annotated[_parameters(query, formats), Query()]
    return Depends(read)


def filtering(query: type[Asked] = FilterQuery) -> Any:
    """A dependency that reads what a list is asked for: a query without settings."""
    names = [entry.name for entry, _ in query.options()]

    async def read(given: Any) -> Asked:
        return query(**{name: getattr(given, name) for name in names})

    read.__annotations__["given"] = Annotated[_parameters(query, {}), Query()]
    return Depends(read)


def format_field(formats: Mapping[str, Any]) -> Any:
    """The description of the format in OpenAPI."""
    return Described(
        next(iter(formats)),
        description=f"{', '.join(formats)}.",
        examples=list(formats),
        json_schema_extra=one_of(formats),
    )


def format_query(formats: Mapping[str, Any]) -> Any:
    """The description of the format of a route without other parameters."""
    told = f"{', '.join(formats)}."
    return Query(description=told, examples=list(formats), json_schema_extra=one_of(formats))


def one_of(values: Iterable[str]) -> dict[str, Any]:
    """How OpenAPI says that these are all values, for Swagger and generated clients."""
    return {"enum": list(values)}


def _typed(option: Option) -> Callable[[dict[str, Any]], None]:
    """Gives a parameter the type that it has for clients: every value is read as text, and our sentence refuses it."""

    def change(schema: dict[str, Any]) -> None:
        if option.choices is None and option.least is None:
            return
        if schema.pop("anyOf", None) is not None:  # a parameter that is left out is not null
            schema["type"] = "string"
        if option.choices is not None:
            schema["enum"] = list(option.choices())
        else:
            schema |= {"type": "integer", "minimum": option.least}
            schema["examples"] = [int(example) for example in schema["examples"] if str(example).isdecimal()]

    return change


def _parameters(query: type[Asked], formats: Mapping[str, Any]) -> type[BaseModel]:
    """The query parameters in FastAPI's form."""
    hints = get_type_hints(query)
    declared = sorted(query.options(), key=lambda pair: _ORDER.index(pair[0].name) if pair[0].name in _ORDER else 99)
    fields = {entry.name: (_as_text(hints[entry.name]), _described(entry, option)) for entry, option in declared}
    if formats:
        fields["format"] = (str, format_field(formats))
    return create_model(query.__name__, **fields)  # type: ignore[call-overload, no-any-return]


def _as_text(hint: Any) -> Any:
    """All values are unparsed texts of the query string."""
    return {str | int: str, str | int | None: str | None, Sequence[str]: list[str]}.get(hint, hint)


def _described(entry: Field[Any], option: Option) -> Any:
    default = {MISSING: ..., (): []}.get(entry.default, entry.default)
    return Described(default, alias=option.flag, description=option.description, examples=list(option.examples),
                     json_schema_extra=_typed(option))  # fmt: skip


async def check_names(request: Request) -> None:
    """Rejects names that the route does not document, and repeated names that are not repeatable.

    Raises ParameterError. A route with MODEL_PARAMETERS accepts any name here; the model checks the names later. This
    function needs no thread, so that the health check works even when all threads are busy. Pages, which OpenAPI does
    not list, read their names themselves.
    """
    if not request.scope["route"].include_in_schema:
        return
    operation = request.app.openapi()["paths"][request.scope["route"].path][request.method.lower()]
    described = {p["name"]: p["schema"] for p in operation.get("parameters", []) if p["in"] == "query"}
    values: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in described and MODEL_PARAMETERS["name"] not in described:
            known = f"it takes {', '.join(described)}" if described else "it takes none"
            raise ParameterError(name[:60], f"{request.url.path[:60]} has no such query parameter; {known}")
        repeated = described.get(name, {}).get("type") == "array"
        if not repeated and values.setdefault(name, value) != value:
            raise ParameterError(name, f"given twice, as {values[name][:40]} and as {value[:40]}")


CHECK_NAMES = Depends(check_names)
