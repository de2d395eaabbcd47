# SPDX-License-Identifier: Apache-2.0
"""Comparison of an uploaded trace with the golden one."""

from functools import partial
from typing import Any

from limbtrace.vectors.encoding import hexadecimal, parse_hexadecimal
from limbtrace.vectors.representations import written
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.traces.document import Digits
from limbtrace.vectors.traces.request import TraceRequest
from limbtrace.vectors.validation import DamagedFileError, check_head, document_multiplier, paired_steps, typed
from limbtrace.vectors.verification import Divergences, divergence, verdict

_CONTENT = ("steps", "a", "b", "result", "residue")
"""Members that are compared with the golden values."""


def document_request(document: dict[str, Any]) -> TraceRequest:
    """The request that a trace answers; its head is checked, its values are not.

    Raises ParameterError, DamagedFileError.
    """
    multiplier = document_multiplier(document)
    a, b = (_operand(multiplier, document, which) for which in (0, 1))
    request = TraceRequest(multiplier, a or 0, b, step=document.get("step"))
    check_head(document, request.head, _CONTENT)
    return request


def verify(document: dict[str, Any]) -> dict[str, Any]:
    """The verdict. Raises ParameterError, DamagedFileError."""
    request = document_request(document)
    multiplier = request.multiplier
    differs = partial(divergence, multiplier, a=request.a, b=request.b, link=request.step)
    verified, divergences = 0, Divergences()
    for place, step, value, found in paired_steps(request.steps(), document["steps"], "steps"):
        verified += 1
        if found != value:
            expected, seen_value = hexadecimal(value), hexadecimal(found)
            divergences.add(partial(differs, place, signal=step[0], step=step, expected=expected, seen=seen_value))
    for name in ("result", "residue"):
        expected, seen = request.head[name], document.get(name)
        if not divergences and seen is not None and parse_hexadecimal(seen, name) != int(expected, 16):
            divergences.add(partial(differs, name, signal=name, expected=expected, seen=seen))
    return verdict("trace", multiplier, verified, divergences)


def _operand(multiplier: Multiplier, document: dict[str, Any], which: int) -> int | None:
    """An operand of a trace, with its digits if the document gives them; None for b in a model without one."""
    name, forms = "ab"[which], multiplier.params.written
    if name not in multiplier.model.operands:
        return None
    value = written(multiplier, which, parse_hexadecimal(document.get(name), name), document.get("digits"))
    stated = f"{name}_digits"
    if forms is None or stated not in document:
        return value
    digits = typed(Digits, document[stated], stated)
    vector = forms[which].read(name, [int(digit, 16) for digit in digits])
    if vector != value:
        raise DamagedFileError(stated, f"these digits are not {name}")
    return vector
