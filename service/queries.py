# SPDX-License-Identifier: Apache-2.0
"""The query parameters, each described once, and the way from a query to a request that the lower layers know.

Every value stays text until the same parser as the command line's has read it, so both take and refuse the same.
"""

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from pydantic import BaseModel, Field

from refmodels.errors import ParameterError
from refmodels.expressions import parse_integer
from refmodels.fp2 import SEQUENCES
from service.settings import ServiceSettings
from vectors import catalogue, cycles, explore, formats, fp2, traces
from vectors.request import EVERY_KIND, KINDS, CoreRequest, Multiplier, VectorRequest, drawn_by, merge_settings

MODEL_PARAMETERS = {
    "name": "parameters",
    "in": "query",
    "style": "form",
    "explode": True,
    "schema": {"type": "object", "additionalProperties": {"type": "string"}},
    "example": {"passes": "9"},
    "description": "Any other name is a parameter of the model: k, w, s, n, passes, T, form ... (see /v1/models/ID).",
}
"""How OpenAPI says it."""


def _format(formats: dict[str, Any]) -> Any:
    return Field("json", description=f"{', '.join(formats)}.", examples=list(formats))


_PRIME = "Catalogue name, integer, or expression of + - * ^ ( ); a + is written %2B."
_PRIME_EXAMPLES = ["secp256k1.fp", "2^255-19", "0xd01"]


class SettingsQuery(BaseModel):
    """A radix and the settings of a model or core."""

    radix: str | None = Field(
        None, description="Power of two: weight of the digits that the model scans.", examples=["2^34", "4294967296"]
    )
    pairs: list[str] = Field(
        [], alias="set", description="A model parameter as NAME=VALUE; repeatable.", examples=[["form=printed"]]
    )

    def settings(self, request: Request) -> dict[str, str]:
        """Settings from `radix`, `set` and every query name that is no field here. Raises ParameterError."""
        own = {field.alias or name for name, field in type(self).model_fields.items()}
        others = [f"{name}={value}" for name, value in request.query_params.multi_items() if name not in own]
        return merge_settings(self.radix, [*self.pairs, *others])


class ModelQuery(SettingsQuery):
    """A multiplier."""

    prime: str | None = Field(None, description=f"{_PRIME} Not of a model without modulus.", examples=_PRIME_EXAMPLES)
    model: str = Field(description="Id of a model; /v1/models lists them.", examples=["cios", "iddmm2"])

    def multiplier(self, request: Request, limits: ServiceSettings) -> Multiplier:
        """Raises ParameterError."""
        if self.prime is not None:
            limits.check_modulus(self.prime)
        return Multiplier.resolve(self.model, self.prime, self.settings(request))


class SetFields(BaseModel):
    """A seeded set of operands."""

    seed: str | None = Field(
        None, description="Seed of the operands, 0 to 2^64-1; 1 by default.", examples=["1", "0xfeed"]
    )
    kind: str | None = Field(
        None,
        description="; ".join(f"{kind}: {what}" for kind, what in EVERY_KIND.items()) + "; mixed by default.",
        examples=list(KINDS),
    )


class VectorQuery(ModelQuery, SetFields):
    """A vector set."""

    count: str = Field("16", description="Number of cases; the first N do not depend on it.", examples=["16", "1000"])
    checkpoints: str = Field("0", description="Of chains: values on the way, evenly spread.", examples=["0"])
    format: str = _format(formats.FORMATS)

    def vectors(self, request: Request, limits: ServiceSettings) -> VectorRequest:
        """Raises ParameterError."""
        multiplier = self.multiplier(request, limits)
        limits.check_count(self.count)
        asked = drawn_by((), count=self.count, seed=self.seed, kind=self.kind)
        vectors = VectorRequest.resolve(multiplier, max_count=limits.max_count, checkpoints=self.checkpoints, **asked)
        limits.check_set_work(vectors)
        return vectors


class ConstantsQuery(ModelQuery):
    """The constants of a multiplier."""

    format: str = _format(catalogue.CONSTANT_FORMATS)


class TraceQuery(ModelQuery):
    """A digit-level trace."""

    a: str = Field(
        description="First operand: integer, expression, or [d0,d1,...] low digit first.", examples=["0x5", "[5,0,1]"]
    )
    b: str | None = Field(None, description="Second operand, likewise, where the model has one.", examples=["7"])
    step: str | None = Field(None, description="Of a chain: the steps of squaring I alone.", examples=["1"])
    check: bool = Field(
        False,
        description="Check every claim of the model; the header Limbtrace-Claims says the outcome.",
        examples=["true"],
    )
    format: str = _format(traces.FORMATS)


class ExploreQuery(BaseModel):
    """The designs of a core."""

    core: str = Field(description="Id of a core with a choice of designs.", examples=["fpmm"])
    bits: str = Field(description="Width of the moduli.", examples=["128", "256"])
    points: list[str] = Field([], alias="point", description="Only this design; repeatable.", examples=[["F44D"]])
    device: str | None = Field(
        None, description="Nanoseconds where the paper has a clock for a design on this device.", examples=["V7"]
    )
    frequency: str | None = Field(None, description="Nanoseconds at this clock, in MHz.", examples=["500"])
    format: str = _format(explore.FORMATS)

    def exploration(self) -> explore.Exploration:
        """Raises ParameterError."""
        return explore.Exploration.resolve(self.core, self.bits, self.points, self.device, self.frequency)


class Fp2Query(ModelQuery, SetFields):
    """Products or squares in GF(p^2)."""

    op: str = Field(description=f"{', '.join(SEQUENCES)}.", examples=list(SEQUENCES))
    a: str | None = Field(
        None, description="First element x0 + x1*i, instead of drawn ones.", examples=["[5,7]", "[0x11,1]"]
    )
    b: str | None = Field(None, description="Second element, of a product.", examples=["[2,3]"])
    count: str | None = Field(None, description="Number of drawn cases; 16 by default.", examples=["16", "1000"])
    steps: bool = Field(False, description="The digit-level steps of every product.", examples=["true"])
    format: str = _format(fp2.FORMATS)

    def fp2(self, request: Request, limits: ServiceSettings) -> fp2.Fp2Request:
        """Raises ParameterError."""
        multiplier = self.multiplier(request, limits)
        if self.count is not None:
            limits.check_count(self.count)
        if self.steps:
            limits.check_trace(multiplier)
        asked = fp2.Fp2Request.resolve(
            multiplier, self.op, self.a, self.b, self.count, self.seed, self.kind, self.steps
        )
        limits.check_work(multiplier, 3 * len(asked.pairs))
        return asked


class CycleQuery(SettingsQuery, SetFields):
    """A cycle table."""

    prime: str = Field(description=_PRIME, examples=_PRIME_EXAMPLES)
    core: str = Field(description="Id of a core; /v1/cores lists them.", examples=["iddmm_arch2"])
    operands: list[str] = Field(
        [],
        description="A product A,B, with @CYCLE behind it where it shall start in that cycle; repeatable.",
        examples=[["5,7", "0x11,3@100"]],
    )
    count: str | None = Field(
        None, description="Instead of operands: those of the vector set of so many cases.", examples=["4"]
    )
    format: str = _format(cycles.FORMATS)

    def core_request(self, request: Request, limits: ServiceSettings) -> CoreRequest:
        """Raises ParameterError."""
        limits.check_modulus(self.prime)
        core = CoreRequest.resolve(self.core, self.prime, self.settings(request))
        limits.check_plan(core)
        limits.check_plan(core, len(self.operands), "operands")
        if self.count is not None:
            limits.check_plan(core, parse_integer(self.count, "count"), "count")
        return core


def known_format(name: str, formats: dict[str, Any]) -> str:
    """The name, if it is one of a format; else ParameterError("format")."""
    if name not in formats:
        raise ParameterError("format", f"{name[:40]!r} is none of {', '.join(formats)}")
    return name


async def check_names(request: Request) -> None:
    """Refuses names that the route does not document, and two values for a name that takes one.

    Raises ParameterError. A route with MODEL_PARAMETERS takes any name here; the model knows which ones it has. This
    needs no thread, of which there may be none left when somebody asks for the health.
    """
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
VectorParameters = Annotated[VectorQuery, Query()]
ConstantsParameters = Annotated[ConstantsQuery, Query()]
TraceParameters = Annotated[TraceQuery, Query()]
CycleParameters = Annotated[CycleQuery, Query()]
ExploreParameters = Annotated[ExploreQuery, Query()]
Fp2Parameters = Annotated[Fp2Query, Query()]
