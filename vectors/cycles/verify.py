# SPDX-License-Identifier: Apache-2.0
"""Comparison of an uploaded cycle table with the golden one."""

from functools import partial
from itertools import zip_longest
from typing import Any

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.registry import architecture
from limbtrace.refmodels.settings import Settings
from limbtrace.vectors.cycles.request import CycleRequest
from limbtrace.vectors.encoding import hexadecimal, parse_hexadecimal
from limbtrace.vectors.representations import written
from limbtrace.vectors.request import CoreRequest
from limbtrace.vectors.validation import DamagedFileError, check_head, check_members, document_multiplier
from limbtrace.vectors.verification import Divergences, divergence, verdict

_CONTENT = ("rows", "columns", "operands", "results")
"""Members that are read or compared with the golden values."""


def document_request(document: dict[str, Any]) -> CycleRequest:
    """The request that a cycle table answers; its head and its columns are checked, its values are not.

    Raises ParameterError, DamagedFileError.
    """
    request = _request(document)
    columns, seen_columns = request.columns, document.get("columns")
    names = [column.name for column in columns]
    check_head(document, request.head, _CONTENT)
    if (
        not isinstance(seen_columns, list)
        or not all(isinstance(entry, dict) for entry in seen_columns)
        or [entry.get("name") for entry in seen_columns] != names
    ):
        raise DamagedFileError("columns", f"{request.core.architecture.id} has {', '.join(names)}")
    for entry, column_info in zip(seen_columns, columns, strict=True):
        check_members(entry, column_info.document, f"columns, {column_info.name}")
    if not isinstance(document["rows"], list):
        raise DamagedFileError("rows", "it is no list")
    return request


def verify(document: dict[str, Any]) -> dict[str, Any]:
    """The verdict. Raises ParameterError, DamagedFileError."""
    request = document_request(document)
    multiplier, columns = request.core.multiplier, request.columns
    names = [column.name for column in columns]
    verified, divergences = 0, Divergences()
    for number, (golden, seen) in enumerate(zip_longest(request.rows(), document["rows"])):
        cycle, place = request.first_cycle + number, f"rows[{number}]"
        if golden is None:
            raise DamagedFileError(place, "the table ends before this row: something was added")
        if seen is None:
            raise DamagedFileError(place, "the row is missing: the table was cut short")
        if not isinstance(seen, list) or len(seen) != len(names):
            raise DamagedFileError(place, f"a row has {len(names)} cells")
        verified += 1
        for column, (expected, cell) in enumerate(zip(golden, seen, strict=True)):
            if expected is None or parse_hexadecimal(cell, f"{place}, {names[column]}") == expected:
                continue
            divergences.add(partial(_cell, request, cycle, column, expected, cell))
            break
    if not divergences and "results" in document:
        _compare_products(request, document["results"], divergences)
    own = {"params": request.core.head["params"], "core": request.core.architecture.id}
    return verdict("cycles", multiplier, verified, divergences, **own)


def _compare_products(request: CycleRequest, seen: Any, divergences: Divergences) -> None:
    """Adds the divergences of the results."""
    m, results = request.core.multiplier, request.head["results"]
    if not isinstance(seen, list) or len(seen) != len(results):
        raise DamagedFileError("results", f"there must be {len(results)} of them")
    for number, (job, expected, found) in enumerate(zip(request.jobs, results, seen, strict=True)):
        if parse_hexadecimal(found, f"results[{number}]") != int(expected, 16):
            said = {"signal": "result", "expected": expected, "seen": found}
            divergences.add(partial(divergence, m, f"product {number}", job.a, job.b, **said))


def _cell(request: CycleRequest, cycle: int, column: int, expected: int, seen: Any) -> dict[str, Any]:
    """The divergence of a cell."""
    number, step = request.behind(column, cycle)
    job = request.jobs[number]
    return divergence(
        request.core.multiplier,
        f"product {number}",
        job.a,
        job.b,
        cycle=cycle,
        signal=request.columns[column].name,
        step=None if step is None else [step[0], list(step[1])],
        expected=hexadecimal(expected),
        seen=str(seen),
    )


def document_core(document: dict[str, Any]) -> CoreRequest:
    """The core that a cycle table names, with its shape and its multiplier. Raises ParameterError."""
    if not isinstance(core := document.get("core"), str):
        raise ParameterError("core", f"it is written as the id of a core, not {shown(core)}")
    entry = architecture(core)
    model, params = document.get("model"), document.get("params")
    if model != entry.model.id:
        raise ParameterError("model", f"{entry.id} computes {entry.model.id}, and the document says {shown(model)}")
    if isinstance(params, dict):
        Settings(entry.id, entry.parameters, params)  # one sentence that names all parameters
    models, own = entry.divide(params) if isinstance(params, dict) else (params, {})
    multiplier = document_multiplier({**document, "params": models})
    return CoreRequest.resolve(entry.id, multiplier.modulus.modulus, {**multiplier.settings, **own})


def _request(document: dict[str, Any]) -> CycleRequest:
    """The products of a table; starts and digits are optional."""
    core = document_core(document)
    form, count = ("[a]", 1) if core.multiplier.model.unary else ("[a, b]", 2)
    operands, starts = document.get("operands"), document.get("starts")
    if not isinstance(operands, list):
        raise ParameterError("operands", f"it must be a list of {form}")
    starts = [None] * len(operands) if starts is None else starts
    if not isinstance(starts, list) or len(starts) != len(operands):
        raise ParameterError("starts", "there must be one start per pair of operands")
    digits = document.get("digits", [None] * len(operands))
    if not isinstance(digits, list) or len(digits) != len(operands):
        raise ParameterError("digits", "there must be one entry per pair of operands")
    jobs = []
    for k, (pair, start, shown_digits) in enumerate(zip(operands, starts, digits, strict=True)):
        if not isinstance(pair, list) or len(pair) != count or (start is not None and type(start) is not int):
            raise ParameterError("operands", f"entry {k} is not {form} with a start cycle")
        numbers = [*(parse_hexadecimal(value, f"operands[{k}]") for value in pair), 0][:2]
        a, b = (written(core.multiplier, which, value, shown_digits) for which, value in enumerate(numbers))
        jobs.append(TimedPair(a, b, start))
    return CycleRequest(core, jobs)
