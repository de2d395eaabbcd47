# SPDX-License-Identifier: Apache-2.0
"""Documents about errata: the errors in the papers, remarks on them, and requests that demonstrate both."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from limbtrace.refmodels import registry
from limbtrace.refmodels.erratum import (
    KINDS,
    STANDINGS,
    AnyErratum,
    CircuitErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OnCore,
    OperationErratum,
    StatementErratum,
    TextErratum,
)
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.catalogue.document import (
    ErrataDocument,
    ErratumDocument,
    ErratumRequest,
    ErratumShape,
    WitnessShape,
)
from limbtrace.vectors.document import Form, members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.request import Multiplier


def errata_document(standing: str | None = None) -> dict[str, Any]:
    """Every erratum with its demonstration: a product with its result in each form, a formula or a figure.

    `requests` are commands and URLs with which a reader can see the printed and the corrected form side by side. With a
    standing, only entries of that standing are listed. Raises ParameterError for an unknown one.
    """
    if standing is not None and standing not in STANDINGS:
        raise ParameterError("standing", f"{shown(standing)} is not one of {', '.join(STANDINGS)}")
    errata = [
        _SHOWN[kind](erratum)
        for kind in KINDS
        for erratum in registry.errata(kind)
        if standing in (None, erratum.standing)
    ]
    standings: Any = STANDINGS
    document: dict[str, Any] = members(
        ErrataDocument, format=FORMAT, errata=errata, standings=dict(standings), right=dict(registry.RIGHT)
    )
    return document


def erratum_document(name: str) -> dict[str, Any]:
    """One erratum as in `errata_document`, by its id or that of a witness. Raises ParameterError for an unknown id."""
    for entry in errata_document()["errata"]:
        if name in (entry["id"], *(witness["id"] for witness in entry["witnesses"])):
            document: dict[str, Any] = members(ErratumDocument, format=FORMAT, **entry)
            return document
    raise ParameterError("erratum", f"there is no erratum {shown(name)}; `limbtrace errata` and /v1/errata list all")


def _entry(
    erratum: AnyErratum,
    example: dict[str, Any],
    requests: list[Any],
    claim: str | None = None,
    command: str = "",
    witnesses: Sequence[Any] = (),
) -> Any:
    """An erratum with its demonstration; `command` is given if that is not a request."""
    return members(
        ErratumShape,
        id=erratum.id,
        models=[model.id for model in erratum.models],
        kind=erratum.kind,  # type: ignore[arg-type]
        standing=erratum.standing,  # type: ignore[arg-type]
        place=erratum.place,
        quote=erratum.quote,
        printed=erratum.printed,
        corrected=erratum.corrected,
        claim=claim,
        example=example,
        command=command or requests[0]["command"],
        requests=requests,
        witnesses=list(witnesses),
    )


def _own_request(erratum: AnyErratum) -> list[Any]:
    """A request for the erratum itself, which is computed again; for errata without another request."""
    return [_request(f"limbtrace errata {erratum.id}", f"/v1/errata/{erratum.id}")]


def _tables_request(paper: str) -> list[Any]:
    """The tables of a paper show formula and figure beside each other."""
    return [_request(f"limbtrace tables {paper}", f"/v1/tables/{paper}")]


def _request(command: str, url: str, form: Form | None = None, result: int | None = None) -> Any:
    shown_result = None if result is None else hexadecimal(result)
    return members(ErratumRequest, form=form, command=command, url=url, result=shown_result)


def _operation_erratum(erratum: OperationErratum) -> Any:
    example = {
        "operation": erratum.operation,
        "printed": hexadecimal(erratum.promised),
        "ours": hexadecimal(erratum.found()),
    }
    return _entry(erratum, example, _own_request(erratum))


def _text_erratum(erratum: TextErratum) -> Any:
    product = erratum.product
    if product is None:
        return _entry(erratum, {}, _own_request(erratum))
    example = {"core": product.architecture.id, "result": hexadecimal(product.result)}
    return _entry(erratum, example, [_core_request(product)])


def _circuit_erratum(erratum: CircuitErratum) -> Any:
    product = erratum.product
    example = {
        "core": product.architecture.id,
        "modulus": hexadecimal(product.modulus),
        "settings": dict(product.settings),
        "a": hexadecimal(product.a),
        "b": hexadecimal(product.b),
        "flaw": erratum.flaw,
        "printed_result": hexadecimal(erratum.printed_result),
        "result": hexadecimal(product.result),
    }
    return _entry(erratum, example, [*_own_request(erratum), _core_request(product)])


def _core_request(product: OnCore) -> Any:
    """The registers of a core in every cycle of a product."""
    core, settings, operands = product.architecture.id, product.settings.items(), f"{product.a},{product.b}"
    options = " ".join(f"--set {name}={value}" for name, value in settings)
    query = "&".join(f"{name}={value}" for name, value in settings)
    return _request(
        f"limbtrace cycles {core} --prime {product.modulus} {options} --operands {operands}",
        f"/v1/cycles?core={core}&prime={product.modulus}&{query}&operands={operands}",
    )


def _statement_erratum(erratum: StatementErratum) -> Any:
    return _entry(
        erratum, {"paper": erratum.figures.paper, "values": erratum.values}, _tables_request(erratum.figures.paper)
    )


def _formula_erratum(erratum: FormulaErratum) -> Any:
    names = ("design", "bits", "printed", "ours")
    example = {
        "paper": erratum.figures.paper,
        "quantity": erratum.quantity,
        "values": [dict(zip(names, values, strict=True)) for values in erratum.values],
    }
    return _entry(erratum, example, _tables_request(erratum.figures.paper))


def _figure_erratum(erratum: FigureErratum) -> Any:
    finding = erratum.findings[0]
    figure = finding.figure
    example = {
        "paper": erratum.figures.paper,
        "table": figure.table,
        "design": figure.design,
        "bits": figure.bits,
        "k": figure.k,
        "metric": figure.metric,
        "published": figure.value,
        "ours": finding.ours,
    }
    return _entry(erratum, example, _tables_request(erratum.figures.paper))


def _erratum(erratum: Erratum) -> Any:
    example, requests, command = _demonstration(erratum)
    shown_by = erratum.each if erratum.witnesses else ()
    witnesses = []
    for witness in shown_by:
        shown_example, shown_requests, _ = _demonstration(witness)
        witnesses.append(members(WitnessShape, id=witness.id, example=shown_example, requests=shown_requests))
    claim = None if erratum.claim is None else erratum.claim.statement
    return _entry(erratum, example, requests, claim, command, witnesses)


def _demonstration(erratum: Erratum) -> tuple[dict[str, Any], list[Any], str]:
    """The product with its results, requests for it, and a command if it is not one of theirs."""
    model = erratum.models[-1]
    name = model.id
    example: dict[str, Any] = {
        "model": name,
        "modulus": hexadecimal(erratum.modulus),
        "settings": dict(erratum.settings),
        "a": hexadecimal(erratum.a),
        "b": hexadecimal(erratum.b),
        "result": hexadecimal(erratum.run(model).result),
    }
    pairs = [("prime", str(erratum.modulus))] if erratum.modulus else []
    pairs += [(name, str(value)) for name, value in erratum.settings.items()]
    operands = [("a", erratum.a), *([] if model.unary else [("b", erratum.b)])]
    forms: tuple[Form, ...] = ("corrected",) if erratum.claim else ("printed", "corrected")
    requests = [_trace_request(name, pairs, operands, form, erratum.run(model, form).result) for form in forms]
    if erratum.claim is None:
        example["printed_result"] = requests[0]["result"]
    command = ""
    if erratum.others:
        example["operands"] = [[hexadecimal(a), hexadecimal(b)] for a, b in erratum.products]
        for key, printed in (("results", "corrected"), ("printed_results", "printed")):
            example[key] = [hexadecimal(result) for result in erratum.results(model, printed)]
        command, requests = _stream_program(erratum), _own_request(erratum)
    return example, requests, command


_SHOWN: Mapping[type[AnyErratum], Callable[[Any], Any]] = {
    Erratum: _erratum,
    FormulaErratum: _formula_erratum,
    OperationErratum: _operation_erratum,
    FigureErratum: _figure_erratum,
    StatementErratum: _statement_erratum,
    CircuitErratum: _circuit_erratum,
    TextErratum: _text_erratum,
}
"""The members of the document for each kind of erratum."""


def _trace_request(
    name: str,
    pairs: list[tuple[str, str]],
    operands: list[tuple[str, int]],
    form: Form,
    result: int,
) -> Any:
    """The trace of a product, on the command line and over HTTP, with the result that it shows."""
    written = [(operand, Multiplier.written(value)) for operand, value in operands]
    form_pair = [("form", form)] if form == "printed" else []
    options = [f"--{key} {value}" if key == "prime" else f"--set {key}={value}" for key, value in pairs + form_pair]
    texts = [*options, *(f"--{key} {value}" for key, value in written)]
    query = "&".join(f"{key}={quote(value)}" for key, value in [("model", name), *pairs, *form_pair, *written])
    return _request(" ".join([f"limbtrace trace {name}", *texts]), f"/v1/traces?{query}", form, result)


def _stream_program(erratum: Erratum) -> str:
    """One line of Python for a stream, which a trace of one product cannot show."""
    settings = {**erratum.settings, "form": "printed"}
    call = f"m.run_stream(m.resolve({erratum.modulus}, {settings}), {list(erratum.products)}).results"
    name = erratum.models[-1].id
    return f"python -c \"from limbtrace.refmodels.registry import model; m = model('{name}'); print({call})\""
