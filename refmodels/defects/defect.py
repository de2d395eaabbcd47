# SPDX-License-Identifier: Apache-2.0
"""A public fault of modular arithmetic: its source, and an emulation at the parameters that the code or core had."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from limbtrace.refmodels.described_enum import DescribedEnum

Compute = Callable[[int, int, int], int]
"""(a, b, modulus) -> a result."""


def of_product(reduce: Callable[..., int], **named: Any) -> Compute:
    """The product of two operands, reduced by `reduce(t, p, **named)`."""
    return lambda a, b, p: reduce(a * b, p, **named)


def of_square(reduce: Callable[..., int], **named: Any) -> Compute:
    """The square of the first operand, reduced by `reduce(t, p, **named)`."""
    return lambda a, b, p: reduce(a * a, p, **named)


def of_operand(reduce: Callable[..., int], **named: Any) -> Compute:
    """The first operand, reduced by `reduce(t, p, **named)`."""
    return lambda a, b, p: reduce(a, p, **named)


class DefectKind(DescribedEnum):
    """The mechanism that is wrong."""

    CARRY = "carry", "A carry or borrow between limbs is lost, dropped at the top, or added at the wrong place."
    WIDTH = "width", "An intermediate value is wider than its variable, or is narrowed or extended with the wrong sign."
    ESTIMATE = "estimate", "A quotient or its estimate is off, or is corrected too few times."
    FOLD = "fold", "A fold modulo a number of special form is left out, or its sum overflows."
    SUBTRACTION = (
        "subtraction",
        "A last subtraction or comparison with the modulus is wrong or missing: the result is not reduced.",
    )
    SIGN = "sign", "Signed values: a negative one is reduced or negated wrongly."
    CONSTANT = "constant", "A constant such as p', mu or R^2 is wrong for some moduli."
    OPERAND = (
        "operand",
        "An operand that the code did not expect: zero, equal operands, not reduced, shorter or longer than usual.",
    )


@dataclass(frozen=True)
class Defect:
    """A fault, as far as it shows in one modular product or reduction."""

    id: str
    """Project and number or year: "openssl-cve-2015-3193"."""
    title: str
    """At most 80 characters."""
    year: int
    """When it was found or made public."""
    identifier: str
    """CVE, issue, pull request or commit; empty if the source alone names it."""
    source: str
    """Where it is described: author and title, or project and document; no address."""
    place: str
    """The function, file or module."""
    kind: DefectKind
    statement: str
    """What is wrong, in a sentence or two."""
    rate: str
    """How often uniform operands show it: "stated" by the source, "measured" on the emulation, or what the "emulation"
    has by its construction. It begins with "frequent" if 50 uniform pairs may show it."""
    model: str
    """The model of limbtrace whose result is right: "modmul", "square", "montgomery" or "redc"."""
    prime: str
    """The modulus, as `--prime` takes it: that of the code, or one of those that show the fault."""
    compute: Compute
    """(a, b, modulus) -> the faulty result, which may be unreduced; b is 0 where the model takes none."""
    killing: tuple[int, int]
    """Operands that show it, as short as they were found."""
    settings: Mapping[str, str | int] = field(default_factory=dict)
    """Of the model, as `--set` takes them."""
    is_hardware: bool = False
