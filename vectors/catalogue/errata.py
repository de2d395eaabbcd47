# SPDX-License-Identifier: Apache-2.0
"""Documents about errata: where a paper is wrong as printed, and the request that shows it."""

from typing import Any
from urllib.parse import quote

from refmodels.errata import (
    ERRATA,
    FIGURE_ERRATA,
    FORMULA_ERRATA,
    OPERATION_ERRATA,
    RIGHT,
    STATEMENT_ERRATA,
    TEXT_ERRATA,
    AnyErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OnCore,
    OperationErratum,
    StatementErratum,
    TextErratum,
)
from refmodels.errors import ParameterError, shown
from refmodels.registry import model
from vectors.request import Multiplier
from vectors.wire import FORMAT, hexadecimal

ALL_ERRATA: tuple[AnyErratum, ...] = (
    *ERRATA,
    *FORMULA_ERRATA,
    *OPERATION_ERRATA,
    *FIGURE_ERRATA,
    *STATEMENT_ERRATA,
    *TEXT_ERRATA,
)


def errata_document() -> dict[str, Any]:
    """Every erratum with what shows it: a product and what it gives in each form, a formula or a figure.

    `requests` are what a reader runs to see it, printed and corrected side by side: a command and a URL each.
    """
    products, figures = map(_erratum, ERRATA), map(_figure_erratum, FIGURE_ERRATA)
    formulas, operations = map(_formula_erratum, FORMULA_ERRATA), map(_operation_erratum, OPERATION_ERRATA)
    statements, texts = map(_statement_erratum, STATEMENT_ERRATA), map(_text_erratum, TEXT_ERRATA)
    errata = [*products, *formulas, *operations, *figures, *statements, *texts]
    return {"format": FORMAT, "errata": errata, "right": dict(RIGHT)}


def erratum_document(name: str) -> dict[str, Any]:
    """One erratum as in `errata_document`. Raises ParameterError for an id that none has."""
    for entry in errata_document()["errata"]:
        if entry["id"] == name:
            return {"format": FORMAT, **entry}
    raise ParameterError("erratum", f"there is no erratum {shown(name)}; `limbtrace errata` and /v1/errata list all")


def _own_request(erratum: AnyErratum) -> list[dict[str, Any]]:
    """The erratum itself, worked out again: where no other request shows it."""
    return [{"form": None, "command": f"limbtrace errata {erratum.id}", "url": f"/v1/errata/{erratum.id}"}]


def _tables_request(paper: str) -> list[dict[str, Any]]:
    """The tables of a paper show formula and figure beside each other."""
    return [{"form": None, "command": f"limbtrace tables {paper}", "url": f"/v1/tables/{paper}"}]


def _operation_erratum(erratum: OperationErratum) -> dict[str, Any]:
    return {
        **_erratum_head(erratum),
        "claim": None,
        "example": {
            "operation": erratum.operation,
            "printed": hexadecimal(erratum.promised),
            "ours": hexadecimal(erratum.found()),
        },
        "command": f"limbtrace errata {erratum.id}",
        "requests": _own_request(erratum),
    }


def _text_erratum(erratum: TextErratum) -> dict[str, Any]:
    product = erratum.product
    requests = _own_request(erratum) if product is None else [_core_request(product)]
    example = {} if product is None else {"core": product.core, "result": hexadecimal(product.result)}
    return {
        **_erratum_head(erratum),
        "claim": None,
        "example": example,
        "command": requests[0]["command"],
        "requests": requests,
    }


def _core_request(product: OnCore) -> dict[str, Any]:
    """The registers of a core in every cycle of a product."""
    settings, operands = product.settings.items(), f"{product.a},{product.b}"
    options = " ".join(f"--set {name}={value}" for name, value in settings)
    query = "&".join(f"{name}={value}" for name, value in settings)
    return {
        "form": None,
        "command": f"limbtrace cycles {product.core} --prime {product.modulus} {options} --operands {operands}",
        "url": f"/v1/cycles?core={product.core}&prime={product.modulus}&{query}&operands={operands}",
    }


def _statement_erratum(erratum: StatementErratum) -> dict[str, Any]:
    return {
        **_erratum_head(erratum),
        "claim": None,
        "example": {"paper": erratum.paper, "values": erratum.values},
        "command": f"limbtrace tables {erratum.paper}",
        "requests": _tables_request(erratum.paper),
    }


def _formula_erratum(erratum: FormulaErratum) -> dict[str, Any]:
    names = ("design", "bits", "printed", "ours")
    return {
        **_erratum_head(erratum),
        "claim": None,
        "example": {
            "paper": erratum.paper,
            "quantity": erratum.quantity,
            "values": [dict(zip(names, values, strict=True)) for values in erratum.values],
        },
        "command": f"limbtrace tables {erratum.paper}",
        "requests": _tables_request(erratum.paper),
    }


def _figure_erratum(erratum: FigureErratum) -> dict[str, Any]:
    finding = erratum.findings[0]
    figure = finding.figure
    return {
        **_erratum_head(erratum),
        "claim": None,
        "example": {
            "paper": erratum.paper,
            "table": figure.table,
            "design": figure.design,
            "bits": figure.bits,
            "k": figure.k,
            "metric": figure.metric,
            "published": figure.value,
            "ours": finding.ours,
        },
        "command": f"limbtrace tables {erratum.paper}",
        "requests": _tables_request(erratum.paper),
    }


def _erratum_head(erratum: AnyErratum) -> dict[str, Any]:
    return {
        "id": erratum.id,
        "models": list(erratum.models),
        "kind": erratum.kind,
        "printed": erratum.printed,
        "corrected": erratum.corrected,
    }


def _erratum(erratum: Erratum) -> dict[str, Any]:
    name = erratum.models[-1]
    example: dict[str, Any] = {
        "model": name,
        "modulus": hexadecimal(erratum.modulus),
        "settings": dict(erratum.settings),
        "a": hexadecimal(erratum.a),
        "b": hexadecimal(erratum.b),
        "result": hexadecimal(erratum.run(name).result),
    }
    pairs = [("prime", str(erratum.modulus))] if erratum.modulus else []
    pairs += [(name, str(value)) for name, value in erratum.settings.items()]
    operands = [("a", erratum.a), *([] if model(name).unary else [("b", erratum.b)])]
    forms = ("corrected",) if erratum.claim else ("printed", "corrected")
    requests = [_trace_request(name, pairs, operands, form, erratum.run(name, form).result) for form in forms]
    if erratum.claim is None:
        example["printed_result"] = requests[0]["result"]
    command = requests[0]["command"]
    if erratum.others:
        example["operands"] = [[hexadecimal(a), hexadecimal(b)] for a, b in erratum.products]
        for key, form in (("results", "corrected"), ("printed_results", "printed")):
            example[key] = [hexadecimal(result) for result in erratum.results(name, form)]
        command, requests = _stream_program(erratum), _own_request(erratum)
    return {
        **_erratum_head(erratum),
        "claim": None if erratum.claim is None else erratum.claim.statement,
        "example": example,
        "command": command,
        "requests": requests,
    }


def _trace_request(
    name: str, pairs: list[tuple[str, str]], operands: list[tuple[str, int]], form: str, result: int
) -> dict[str, Any]:
    """The trace of a product, on the command line and over HTTP, with the result that it shows."""
    written = [(operand, Multiplier.written(value)) for operand, value in operands]
    form_pair = [("form", form)] if form == "printed" else []
    options = [f"--{key} {value}" if key == "prime" else f"--set {key}={value}" for key, value in pairs + form_pair]
    texts = [*options, *(f"--{key} {value}" for key, value in written)]
    query = "&".join(f"{key}={quote(value)}" for key, value in [("model", name), *pairs, *form_pair, *written])
    return {
        "form": form,
        "command": " ".join([f"limbtrace trace {name}", *texts]),
        "url": f"/v1/traces?{query}",
        "result": hexadecimal(result),
    }


def _stream_program(erratum: Erratum) -> str:
    """A line of Python for a stream, which a trace of one product cannot show."""
    settings = {**erratum.settings, "form": "printed"}
    call = f"fpmm.run_stream(fpmm.resolve({erratum.modulus}, {settings}), {list(erratum.products)}).results"
    return f'python -c "from refmodels.papers.fpmm import fpmm; print({call})"'
