# SPDX-License-Identifier: Apache-2.0
"""Documents of the catalogue: models, primes, cores."""

import inspect
from typing import Any

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Architecture, Cost, Shape
from limbtrace.refmodels.erratum import KINDS
from limbtrace.refmodels.model import Model
from limbtrace.refmodels.primes import CATALOGUE, Modulus, find
from limbtrace.refmodels.program import proofs
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS, architecture, model
from limbtrace.refmodels.settings import Parameter
from limbtrace.vectors.catalogue import fitting
from limbtrace.vectors.catalogue.document import (
    ClaimShape,
    CoreDocument,
    CoreList,
    CoreSummary,
    CostShape,
    Fitting,
    ModelDocument,
    ModelList,
    ModelSummary,
    ParameterShape,
    PrimeDocument,
    PrimeEntry,
    PrimeList,
    SignalShape,
    SymbolShape,
)
from limbtrace.vectors.catalogue.proofs import core_proofs
from limbtrace.vectors.catalogue.proved import proved_statements
from limbtrace.vectors.catalogue.routes import core_routes
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.options import FilterQuery
from limbtrace.vectors.request import REQUEST_PARAMETERS, prime_document, request_parameters

ALL = FilterQuery()
"""No filter."""


def models_document(query: FilterQuery = ALL) -> dict[str, Any]:
    """Every model in short, or those that take a modulus and a radix. Raises ParameterError."""
    found = (
        [_model_head(entry) for entry in MODELS.values()]
        if query == ALL
        else [_model_head(entry, at) for entry, at in fitting.models(query)]
    )
    document: dict[str, Any] = members(ModelList, format=FORMAT, models=found)
    return document


def model_document(name: str) -> dict[str, Any]:
    """One model: parameters with defaults and ranges, operand ranges, trace vocabulary, claims, errata."""
    entry = model(name)
    proved = proofs(entry)
    errata = [erratum for kind in KINDS for erratum in registry.errata(kind) if entry in erratum.models]
    ranges = [bool(proved[symbol.name]) for symbol in entry.vocabulary]
    document: dict[str, Any] = members(
        ModelDocument,
        format=FORMAT,
        **_model_head(entry),
        pseudocode=pseudocode_of(entry),
        parameters=[_parameter(p) for p in (*entry.parameters, *request_parameters(entry))],
        steps=[
            members(SymbolShape, name=s.name, index=s.subscripts, meaning=s.meaning, range=s.range)
            for s in entry.vocabulary
        ],
        claims=[
            members(
                ClaimShape,
                name=c.name,
                step=c.step,
                statement=c.statement,
                reference=c.reference,
                proof="intervals" if k < len(ranges) and ranges[k] else "tests",
            )
            for k, c in enumerate(entry.claims)
        ],
        errata=[erratum.id for erratum in errata],
        standing_of={erratum.id: erratum.standing for erratum in errata},  # type: ignore[misc]
        proved=proved_statements(entry),
    )
    return document


def pseudocode_of(entry: Model) -> str | None:
    """The algorithm in a few lines of Python; None if it is not written."""
    return None if entry.pseudocode is None else inspect.getsource(entry.pseudocode).rstrip()


def _model_head(entry: Model, at: Fitting | None = None) -> Any:
    forms: Any = list(entry.forms)
    return members(
        ModelSummary,
        id=entry.id,
        title=entry.title,
        source=str(entry.source),
        forms=forms,
        operands=dict(entry.operands),
        fitting=at,
    )


def _parameter(parameter: Parameter) -> Any:
    return members(
        ParameterShape,
        name=parameter.name,
        aliases=list(parameter.aliases),
        meaning=parameter.meaning,
        default=parameter.default,
        range=parameter.range,
    )


def primes_document(query: FilterQuery = ALL) -> dict[str, Any]:
    """The catalogue of moduli, or those of a width, or that a model takes with a radix. Raises ParameterError."""
    found = CATALOGUE.values() if query == ALL else fitting.primes(query)
    document: dict[str, Any] = members(PrimeList, format=FORMAT, primes=[_prime(entry) for entry in found])
    return document


def prime_entry_document(text: str) -> dict[str, Any]:
    """One modulus, by name, number or expression."""
    document: dict[str, Any] = members(PrimeDocument, format=FORMAT, **_prime(find(text)))
    return document


def _prime(entry: Modulus) -> Any:
    return members(PrimeEntry, **(prime_document(entry) or {}), source=entry.source, note=entry.note,
                   aliases=list(entry.aliases))  # fmt: skip


def cores_document(query: FilterQuery = ALL) -> dict[str, Any]:
    """Every architecture in short, or those that take a modulus and a radix. Raises ParameterError."""
    found = (
        [_core_head(entry) for entry in ARCHITECTURES.values()]
        if query == ALL
        else [_core_head(entry, at) for entry, at in fitting.cores(query)]
    )
    document: dict[str, Any] = members(CoreList, format=FORMAT, cores=found)
    return document


def core_document(name: str) -> dict[str, Any]:
    """One architecture: parameters, watched signals of an example, cost formulas beside the published figures."""
    entry = architecture(name)
    shape = entry.resolve(CATALOGUE[entry.example].modulus, {})
    signals: list[Any] = [members(SignalShape, name=c.name, kind=c.kind) for c in entry.columns(shape)]  # type: ignore[arg-type]
    document: dict[str, Any] = members(
        CoreDocument,
        format=FORMAT,
        **_core_head(entry),
        parameters=[_parameter(p) for p in (*entry.parameters, *REQUEST_PARAMETERS)],
        first_cycle=entry.first_cycle,
        signals=signals,
        costs=[_cost(entry, shape, cost) for cost in entry.costs],
        proofs=core_proofs(entry.id),
        routes=core_routes(entry.id),
    )
    return document


def _cost(entry: Architecture, shape: Shape, cost: Cost) -> Any:
    radix_bits, published = shape.params.radix_bits, entry.published.get(cost.name)
    return members(
        CostShape,
        name=cost.name,
        unit=cost.unit,
        formula=cost.formula,
        example={
            "prime": entry.example,
            "radix": None if radix_bits is None else f"2^{radix_bits}",
            "value": cost.value(shape),
        },
        published=None if published is None else dict(published),
    )


def _core_head(entry: Architecture, at: Fitting | None = None) -> Any:
    return members(
        CoreSummary, id=entry.id, title=entry.title, source=str(entry.source), model=entry.model.id, fitting=at
    )
