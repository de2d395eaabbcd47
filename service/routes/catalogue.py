# SPDX-License-Identifier: Apache-2.0
"""The catalogue: models, moduli, cores, errata, defects, figures of papers, schemas."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from limbtrace.refmodels.defects import DefectKind
from limbtrace.refmodels.erratum import STANDINGS
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS, PAPERS
from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.queries import MODEL_PARAMETERS, Asking, asking, filtering, one_of
from limbtrace.service.http.responses import Here
from limbtrace.vectors import catalogue, schemas
from limbtrace.vectors.catalogue import document as listed
from limbtrace.vectors.catalogue.moduli import DirectedModuli, ModuliQuery
from limbtrace.vectors.designs import FORMATS, DesignQuery, designs_document
from limbtrace.vectors.designs.document import Designs
from limbtrace.vectors.document import Shape
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.options import EventsQuery, FilterQuery

router = APIRouter(prefix="/v1", tags=["catalogue"])

_Handler = Callable[..., Response]


def _get(path: str, summary: str, document: type[Shape], *failures: int) -> Callable[[_Handler], _Handler]:
    """Registers a handler that answers with a JSON document."""
    responses = openapi.answer(f"{summary}.", document, {}, *failures)
    return router.get(path, summary=summary, response_class=Response, responses=responses)


def _found(make: Callable[[str], dict[str, Any]], name: str) -> dict[str, Any]:
    """The document of the entry named in a path; an unknown name is a 404."""
    try:
        return make(name)
    except ParameterError as error:
        raise RefusedError(404, str(error), error.parameter) from None


@_get("/models", "Every model", listed.ModelList)
def models(here: Here, asked: Annotated[FilterQuery, filtering()]) -> Response:
    """All of them, or those that a modulus, a radix or a width leaves, with their parameters there."""
    return here.document(catalogue.models_document(here.limits.filter(asked)))


@_get("/models/{id}", "One model", listed.ModelDocument, 404)
def model(
    here: Here,
    id: Annotated[str, Path(description="Id of a model.", examples=["cios"], json_schema_extra=one_of(MODELS))],
) -> Response:
    """Parameters with defaults and ranges, operand ranges, trace vocabulary, claims, errata."""
    return here.document(_found(catalogue.model_document, id))


@_get("/primes", "The catalogue of moduli", listed.PrimeList)
def primes(here: Here, asked: Annotated[FilterQuery, filtering()]) -> Response:
    """All of them, or those that a modulus, a radix or a width leaves."""
    return here.document(catalogue.primes_document(here.limits.filter(asked)))


@_get("/primes/{name}", "One modulus", listed.PrimeDocument, 404)
def prime(
    here: Here, name: Annotated[str, Path(description="Name, number or expression.", examples=["2^255-19"])]
) -> Response:
    """A modulus of the catalogue, or any other by number or expression."""
    if name[:1].isalpha():
        return here.document(_found(catalogue.prime_entry_document, name))
    here.limits.check_modulus(name)
    return here.document(catalogue.prime_entry_document(name))


@_get("/moduli", "Directed moduli of a width", DirectedModuli)
def moduli(here: Here, asked: Annotated[ModuliQuery, filtering(ModuliQuery)]) -> Response:
    """Moduli at which hardware is likely to be wrong, each with the reason."""
    request = here.limits.moduli(asked)
    found = request.moduli()
    here.charge(cost_model.of_moduli(request))
    return here.document(catalogue.moduli_document(request, found))


@_get("/cores", "Every core", listed.CoreList)
def cores(here: Here, asked: Annotated[FilterQuery, filtering()]) -> Response:
    """All of them, or those that a modulus, a radix or a width leaves, with their parameters there."""
    return here.document(catalogue.cores_document(here.limits.filter(asked)))


@_get("/cores/{id}", "One core", listed.CoreDocument, 404)
def core(
    here: Here,
    id: Annotated[
        str, Path(description="Id of a core.", examples=["iddmm_arch2"], json_schema_extra=one_of(ARCHITECTURES))
    ],
) -> Response:
    """Parameters, watched signals, cost formulas beside the published figures."""
    return here.document(_found(catalogue.core_document, id))


@_get("/errata", "Where the papers are wrong as printed, and remarks on them", listed.ErrataDocument)
def errata(
    here: Here,
    standing: Annotated[
        str | None,
        Query(description=f"List only entries of one standing: {', '.join(STANDINGS)}.", examples=["erratum"]),
    ] = None,
) -> Response:
    """Each entry quotes the paper, and has requests that show it."""
    return here.document(catalogue.errata_document(standing))


@_get("/errata/{id}", "One erratum", listed.ErratumDocument, 404)
def erratum(here: Here, id: Annotated[str, Path(description="Id of an erratum.", examples=["iddmm.E1"])]) -> Response:
    """A quotation with its place, the correction, and requests that show it."""
    return here.document(_found(catalogue.erratum_document, id))


@_get("/defects", "Public faults of modular arithmetic", listed.DefectsDocument)
def defects(
    here: Here,
    mechanism: Annotated[
        str | None,
        Query(description=f"List only defects of one mechanism: {', '.join(DefectKind)}.", examples=["carry"]),
    ] = None,
) -> Response:
    """Each has its source, an emulation, operands that show it, and the first case of each kind of operands."""
    return here.document(catalogue.defects_document(mechanism))


@_get("/defects/{id}", "One defect", listed.DefectDocument, 404)
def defect(
    here: Here, id: Annotated[str, Path(description="Id of a defect.", examples=["openssl-cve-2015-3193"])]
) -> Response:
    """Source, what was wrong, operands that show it, and the first case of each kind of operands."""
    return here.document(_found(catalogue.defect_document, id))


@router.get(
    "/events",
    summary="What can happen inside a product",
    response_class=Response,
    responses=openapi.answer("Every event of the model.", listed.EventsDocument, catalogue.EVENT_FORMATS),
    openapi_extra={"parameters": [MODEL_PARAMETERS]},
)
def events(here: Here, asked: Annotated[Asking[EventsQuery], asking(EventsQuery, catalogue.EVENT_FORMATS)]) -> Response:
    """With a modulus: where each happens, and operands that make it happen."""
    if not asked.query.names_only:
        here.charge(cost_model.of_event_list(here.limits.multiplier(asked.query)))
    return here.text(b"".join(asked.format.write(asked.query)).decode(), asked.format.media_type)


@_get("/tables", "Figures of every paper", listed.Tables)
def tables(here: Here) -> Response:
    return here.document(catalogue.tables_document())


@_get("/tables/{paper}", "Figures of one paper", listed.Tables, 404)
def paper_tables(
    here: Here,
    paper: Annotated[str, Path(description="Id of a paper.", examples=["iddmm"], json_schema_extra=one_of(PAPERS))],
) -> Response:
    """Every figure as printed, our value beside it, and the verdict."""
    return here.document(_found(catalogue.tables_document, paper))


@router.get(
    "/explore",
    summary="The design space of a core",
    response_class=Response,
    responses=openapi.answer("Every design.", Designs, FORMATS),
)
def designs(here: Here, asked: Annotated[Asking[DesignQuery], asking(DesignQuery, FORMATS)]) -> Response:
    """Times, area and the Pareto front, for moduli of one width."""
    exploration = asked.query.exploration
    here.charge(cost_model.of_designs(asked.format.media_type))
    found = designs_document(exploration)
    try:
        text = b"".join(asked.format.write(found)).decode()
    except ToolError as error:
        raise ParameterError("format", str(error)) from None
    return here.text(text, asked.format.media_type)


@router.get(
    "/schemas/{name}",
    summary="A published JSON Schema",
    response_class=Response,
    responses={
        200: {"description": "The schema.", "content": {"application/schema+json": {"schema": {"type": "object"}}}},
        **openapi.problems(404, 503),
    },
)
def schema(
    here: Here,
    name: Annotated[
        str,
        Path(
            description="File name.",
            examples=["limbtrace-vectors-1.schema.json"],
            json_schema_extra=one_of(schemas.SCHEMAS),
        ),
    ],
) -> Response:
    if name not in schemas.SCHEMAS:
        raise RefusedError(
            404, f"name: there is no schema {name[:60]!r}; there is {', '.join(schemas.SCHEMAS)}", "name"
        )
    return here.text(schemas.published(name), "application/schema+json")
