# SPDX-License-Identifier: Apache-2.0
"""Choice of a plain model and its settings by names, widths and operands, and a modulus that the RTL fixes."""

import re
from typing import NamedTuple

import gmpy2

from limbtrace.rtl_bridge.init.comment_values import INVERSE, ONE, SQUARE
from limbtrace.rtl_bridge.init.port_roles import BY_NAME, Roles
from limbtrace.rtl_bridge.interface.module_ports import Sketch, SketchPort
from limbtrace.rtl_bridge.interface.port_pool import WIDE, words_of

_MONTGOMERY = re.compile(r"mont|redc|redm|mwr|r2mm|mm2|cios|fios|sos|_rr?$|^mmm$", re.IGNORECASE)
_SQUARE = re.compile(r"squar|sqr|_sq$|^sq_", re.IGNORECASE)
_REDUCER = re.compile(r"barret|reduc|(^|_)red(_|$)", re.IGNORECASE)
_MODULUS_WORDS = {"p", "q", "m", "n", "prime", "mod", "modulus", "modulo", "modul", "order", "field", "qmod", "pmod"}
_COUNTERS = {"m", "n"}
"""Names of a modulus that a count of something has more often, where its value is far shorter than a result."""
LONGEST_CONDITION = 180
"""Characters of the longest condition that `modulus` takes."""


class FixedModulus(NamedTuple):
    """A modulus that is a number in the RTL."""

    value: int
    where: str
    """The parameter that has it; empty for a literal."""

    @property
    def reason(self) -> str:
        """Why it is taken for the modulus."""
        where = f"{self.where} has this value" if self.where else "the sources have this number"
        return f"no port is the modulus, and {where}"

    @property
    def condition(self) -> str:
        """The entry of `modulus`; empty if it would be too long."""
        text = f"p == {self.value if self.value < 1 << 64 else hex(self.value)}"
        return text if len(text) <= LONGEST_CONDITION else ""


class ModelChoice(NamedTuple):
    """A model that was chosen, and why."""

    model: str
    reason: str
    settings: dict[str, str | int]


def fixed_modulus(sketch: Sketch, roles: Roles, modulus: int | None) -> FixedModulus | None:
    """The modulus that the RTL fixes, where no port has it; `modulus` is the one that was asked for, if any.

    Without one a parameter that is named like a modulus, and is odd and of more than a few bits, is taken; then the
    largest prime among the literals that fills more than half of the result, where no other input may be the modulus.
    """
    if roles.modulus_shows or not roles.protocol.has_data:
        return None
    if modulus is not None:
        named = next((name for name, value in sketch.numbers if value == modulus), "")
        return FixedModulus(modulus, named) if named or modulus in sketch.literals else None
    result = roles.result
    for name, value in sketch.numbers:
        if name.lower() in _COUNTERS and result is not None and value.bit_length() * 4 < result.width:
            continue
        words = {re.sub(r"\d+$", "", word) for word in words_of(name).split("_")}
        if words & _MODULUS_WORDS and value % 2 and value.bit_length() >= WIDE and gmpy2.is_prime(value):
            return FixedModulus(value, name)
    if result is None or roles.protocol.digits or roles.memory.data or _has_others(roles):
        return None
    held = [value for value in sketch.literals if result.width // 2 < value.bit_length() <= result.width]
    primes = [value for value in held if value.bit_length() >= WIDE and value % 2 and gmpy2.is_prime(value)]
    return FixedModulus(max(primes), "") if primes else None


def _has_others(roles: Roles) -> bool:
    """True if an input besides operands may hold a number."""
    unlike = len({operand.port.width for operand in roles.operands}) > 1
    inputs = [port for port in roles.left if port.direction == "input" and port.width >= WIDE]
    return unlike or len(inputs) > (not roles.operands)


def chosen_model(sketch: Sketch, roles: Roles) -> ModelChoice:
    """A model by the names of ports and by the number of operands; `roles` are those of a core with two."""
    names = [sketch.top, *(words_of(port.name) for port in sketch.ports)]
    constants = {constant.value for constant in roles.constants}
    is_montgomery = bool(constants & {INVERSE, SQUARE, ONE}) or any(map(_MONTGOMERY.search, names))
    operand = _only_operand(roles)
    if operand is None:
        if is_montgomery:
            return ModelChoice("montgomery", "by a name or a constant; modmul if the core returns a*b mod p", {})
        return ModelChoice("modmul", "a*b mod p; montgomery if the core returns a*b/R", {})
    result = roles.result.width if roles.result else operand.width
    reducer = any(map(_REDUCER.search, names))
    if any(map(_SQUARE.search, names)) or (operand.width <= result and not reducer):
        return ModelChoice("square", "the core has one operand; reduce if it is a reducer", {})
    reason = "by a name" if operand.width <= result else "one operand that is wider than the result is reduced"
    below = bound_of(operand)
    return ModelChoice("redc" if is_montgomery else "reduce", reason, {"below": below})


def bound_of(operand: SketchPort) -> str:
    """The bound of the operand of a reducer: what its port holds, or p^2 where the port follows the modulus.

    Of a port in two's complement, what it holds that is not negative.
    """
    fixed = operand.terms is None or set(operand.terms) <= {()}
    return f"2^{operand.width - 1 if operand.signed else operand.width}" if fixed else "p^2"


def _only_operand(roles: Roles) -> SketchPort | None:
    """The only input that may be an operand; None if there are two, or if operands are in a memory.

    Of two inputs whose names are no pair, a narrower one is not an operand where the wider one is wider than a result.
    """
    result = roles.result.width if roles.result else 0
    wide, narrow = max(widths := [x.port.width for x in roles.operands] or [0]), min(widths)
    if wide > narrow and wide > result and all(operand.why != BY_NAME for operand in roles.operands):
        return max((operand.port for operand in roles.operands), key=lambda port: port.width)
    if not roles.protocol.has_data or roles.operands or roles.memory.data is not None or {"a", "b"} & {*roles.read}:
        return None
    inputs = [port for port in roles.left if port.direction == "input" and port.width >= WIDE]
    return max(inputs, key=lambda port: port.width) if inputs else None
