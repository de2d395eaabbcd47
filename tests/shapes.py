# SPDX-License-Identifier: Apache-2.0
"""What tests over all models have to know of each: how it is given a width, and where its quotient digits stand."""

from refmodels.model import Model

Settings = dict[str, str | int]

QUOTIENTS = {"mwr2mm": "par", "mwr2kmm": "qp"}
"""The step with the quotient digits, where it is not q."""


BIT_BY_BIT = ("r2mm", "mwr2mm")
"""Models with a pass for every bit of an operand, for which tests take narrower moduli."""


def of_width(model: str, bits: int) -> Settings:
    """Settings for digits of that many bits, or words where the digits are bits."""
    if model == "mwr2kmm":
        return {"k": bits, "w": bits}
    return {"r2mm": {}, "mwr2mm": {"w": bits}, "cios": {"w": bits}}.get(model, {"k": bits})  # type: ignore[return-value]


def quotient(model: Model) -> str:
    """The name of the step with the quotient digits."""
    return QUOTIENTS.get(model.id, "q")
