# SPDX-License-Identifier: Apache-2.0
"""Documents about what there is: models, primes, cores."""

from typing import Any

from refmodels import registry
from refmodels.architecture import Architecture
from refmodels.erratum import KINDS
from refmodels.model import Model
from refmodels.primes import CATALOGUE, Modulus, find
from refmodels.registry import ARCHITECTURES, MODELS, architecture, model
from refmodels.settings import Parameter
from vectors.request import REQUEST_PARAMETERS, prime_document, request_parameters
from vectors.wire import FORMAT


def models_document() -> dict[str, Any]:
    """Every model in short."""
    return {"format": FORMAT, "models": [_model_head(entry) for entry in MODELS.values()]}


def model_document(name: str) -> dict[str, Any]:
    """One model: parameters with defaults and ranges, operand ranges, trace vocabulary, claims, errata."""
    entry = model(name)
    return {
        "format": FORMAT,
        **_model_head(entry),
        "parameters": [_parameter(p) for p in (*entry.parameters, *request_parameters(entry))],
        "steps": [
            {"name": s.name, "index": s.subscripts, "meaning": s.meaning, "range": s.range} for s in entry.vocabulary
        ],
        "claims": [
            {"name": c.name, "step": c.step, "statement": c.statement, "reference": c.reference} for c in entry.claims
        ],
        "errata": [erratum.id for kind in KINDS for erratum in registry.errata(kind) if entry in erratum.models],
    }


def _model_head(entry: Model) -> dict[str, Any]:
    return {
        "id": entry.id,
        "title": entry.title,
        "source": str(entry.source),
        "forms": list(entry.forms),
        "operands": dict(entry.operands),
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "aliases": list(parameter.aliases),
        "meaning": parameter.meaning,
        "default": parameter.default,
        "range": parameter.range,
    }


def primes_document() -> dict[str, Any]:
    """The catalogue of moduli."""
    return {"format": FORMAT, "primes": [_prime(entry) for entry in CATALOGUE.values()]}


def prime_entry_document(text: str) -> dict[str, Any]:
    """One modulus, by name, number or expression."""
    return {"format": FORMAT, **_prime(find(text))}


def _prime(entry: Modulus) -> dict[str, Any]:
    return {**(prime_document(entry) or {}), "source": entry.source, "note": entry.note}


def cores_document() -> dict[str, Any]:
    """Every architecture in short."""
    return {"format": FORMAT, "cores": [_core_head(entry) for entry in ARCHITECTURES.values()]}


def core_document(name: str) -> dict[str, Any]:
    """One architecture: parameters, watched signals of an example, cost formulas beside the published figures."""
    entry = architecture(name)
    shape = entry.resolve(CATALOGUE[entry.example].modulus, {})
    return {
        "format": FORMAT,
        **_core_head(entry),
        "parameters": [_parameter(p) for p in (*entry.parameters, *REQUEST_PARAMETERS)],
        "first_cycle": entry.first_cycle,
        "signals": [{"name": c.name, "kind": c.kind} for c in entry.columns(shape)],
        "costs": [
            {
                "name": cost.name,
                "unit": cost.unit,
                "formula": cost.formula,
                "example": {
                    "prime": entry.example,
                    "radix": None if shape.params.radix_bits is None else f"2^{shape.params.radix_bits}",
                    "value": cost.value(shape),
                },
                "published": entry.published.get(cost.name),
            }
            for cost in entry.costs
        ],
    }


def _core_head(entry: Architecture) -> dict[str, Any]:
    return {"id": entry.id, "title": entry.title, "source": str(entry.source), "model": entry.model.id}
