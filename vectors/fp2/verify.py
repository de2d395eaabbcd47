# SPDX-License-Identifier: Apache-2.0
"""Comparison of cases in GF(p^2) with the golden ones."""

from functools import partial
from typing import Any

from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.fp2.read import VALUES, Fp2Reader, SeenOperation
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.validation import DamagedFileError, paired_steps
from limbtrace.vectors.verification import Divergences, divergence, verdict


def verify(document: dict[str, Any]) -> dict[str, Any]:
    """The verdict on every operation of every case, for the operands given in the file.

    Raises ParameterError, DamagedFileError.
    """
    reader = Fp2Reader(document)
    reader.check_drawn()
    multiplier, verified, divergences = reader.request.multiplier, 0, Divergences()
    for golden, seen in zip(reader.request.tests(), reader.cases(), strict=True):
        for wanted, found in zip(golden["operations"], seen.operations, strict=True):
            verified += 1
            _compare(multiplier, seen.id, wanted, found, divergences)
        if not divergences and [hexadecimal(x) for x in seen.result] != golden["result"]:
            raise DamagedFileError(seen.place, "the result is not that of these operations: something was edited")
    return verdict("fp2", multiplier, verified, divergences, id=reader.request.id)


def _compare(
    multiplier: Multiplier, case: str, wanted: dict[str, Any], found: SeenOperation, divergences: Divergences
) -> None:
    """Adds the first differing value of an operation, if any. Raises DamagedFileError for a wrong product id."""
    found.check_product(wanted.get("product"))
    x, y = int(wanted["x"], 16), int(wanted["y"], 16)
    for key in VALUES:
        expected, seen = wanted[key], hexadecimal(getattr(found, key))
        if expected != seen:
            signal = wanted["name"] if key == "value" else f"{wanted['name']}.{key}"
            said = {"place": found.place, "signal": signal, "expected": expected, "seen": seen}
            divergences.add(partial(divergence, multiplier, case, x, y, **said))
            return
    if found.steps is None:
        return
    stated = ((name, tuple(index), int(value, 16)) for name, index, value in wanted["steps"])
    for place, step, value, other in paired_steps(stated, found.steps, f"{found.place}.steps"):
        if other != value:
            said = {"place": place, "signal": step[0], "expected": hexadecimal(value), "seen": hexadecimal(other)}
            divergences.add(partial(divergence, multiplier, case, x, y, step=step, **said))
            return
