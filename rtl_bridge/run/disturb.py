# SPDX-License-Identifier: Apache-2.0
"""Disturbances on purpose: what a core has to bear between and during its products, as the testbench is told it.

A new one is a class here, with its place in KINDS, and what the testbench makes of its signals and counts.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.description.formula import FormulaError, holds

LONGEST_RESET = 4
LONGEST_GAP = 64
LONGEST_HOLD = 255
"""Cycles."""
MOST_OTHERS = 3
"""Products at once before the one that is asked for."""
OTHER_MODULI = 3
"""Other moduli of as many bits, of which the first differs most."""
MODULUS_DRAWS, MODULUS_BITS = 4096, 1 << 20
"""Draws of moduli of which some have to be such as the core takes, and most bits of all of them."""
CONTROL = (
    "extra_offers",
    "unknown_inputs",
    "new_constants",
    "seed",
    "reset_at",
    "reset_cycles",
    "reset_early",
    "idle_cycles",
    "prefix_count",
    "result_stall",
    "stray_writes",
)
"""Signals of lt_lockstep_tb that say how a product is disturbed."""
RANDOM = 14
"""Octets that are drawn for every product; the first two are the seed of the testbench."""


class Disturbance:
    """A kind of disturbance; the numbers that it draws follow from the seed, the modulus and the case."""

    counter: ClassVar[str | None] = None
    """Signal of the testbench that counts how often it happened; None for what the trials count themselves."""

    def moduli(self, bound: Bound) -> tuple[int, ...]:
        """Other moduli: in front of every product there is then one with one of them, in turn."""
        return ()

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        """Signals of lt_lockstep_tb for a product or stream, by name; those of CONTROL that are not here are 0."""
        return {}

    def gaps(self, bound: Bound, random: Sequence[int]) -> list[int] | None:
        """Wait cycles before each product of a stream; None if they follow each other."""
        return None

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        """Facts about the disturbance that a reader of a difference needs."""
        return {}


class Starts(Disturbance):
    """Starts, and other operands, while the core is busy."""

    counter = "offers"

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        return {"extra_offers": 1}


class Resets(Disturbance):
    """A reset in the middle of every other product, or after it if it is done by then, and while every fourth is
    loaded, if that takes so long; the rest follow the product before them without one."""

    counter = "resets"

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        if bound.core.file.reset is None:
            return {}
        at, cycles = int.from_bytes(random[3:7], "little"), 1 + random[7] % LONGEST_RESET
        if random[2] % 2:
            return {"reset_at": at % (bound.longest + 2 + bound.longest // 8), "reset_cycles": cycles}
        if random[2] % 4 == 2:
            loading = sum(bound.words) + bound.protocol.cycles(bound) + 2
            return {"reset_at": 1 + at % loading, "reset_cycles": cycles, "reset_early": 1}
        return {}

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        signals = self.control(bound, random)
        if not signals:
            return {}
        early = {"early": True} if "reset_early" in signals else {}
        cycle = signals["reset_at"] if early else min(signals["reset_at"], bound.longest)
        return {"reset": {"cycle": cycle, "cycles": signals["reset_cycles"], **early}}


class OtherModulus(Disturbance):
    """Between the products others, modulo numbers of as many bits: the one that differs in all but the first and last,
    and random ones, as far as the core takes them."""

    def moduli(self, bound: Bound) -> tuple[int, ...]:
        taken = (other for other in _others(bound.multiplier.modulus.modulus) if _takes(bound, other))
        return tuple(dict.fromkeys(islice(taken, OTHER_MODULI)))

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        return {"new_constants": 1}


def _takes(bound: Bound, modulus: int) -> bool:
    """True if the description says nothing against a modulus."""
    try:
        return all(holds(condition, modulus) for condition in bound.core.file.modulus)
    except FormulaError:  # it has no value for this one
        return False


def _others(modulus: int) -> Iterator[int]:
    """Other moduli of as many bits and the same last bit: the one that differs most, random ones, and those that share
    low bits with it, since what a core needs of its moduli is mostly said of these."""
    bits = modulus.bit_length()
    inner = (1 << (bits - 1)) - 2
    draw = Draw(f"moduli|{modulus:x}")
    kept = 0
    for number in range(min(MODULUS_DRAWS, MODULUS_BITS // bits) if inner > 0 else 0):
        mask = inner & ~((1 << kept) - 1)
        other = modulus ^ mask if number == 0 else modulus ^ (draw.bits(bits) & mask)
        if other != modulus:
            yield other
        kept = draw.below(bits) if number % 2 else 0


class Unknown(Disturbance):
    """Inputs that must not be sampled are unknown: X, or noise in Verilator."""

    counter = "noises"

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        return {"unknown_inputs": 1}


class Stalls(Disturbance):
    """Either side of a handshake waits; products of a stream start later than the core could take them."""

    counter = "waits"

    def gaps(self, bound: Bound, random: Sequence[int]) -> list[int] | None:
        if not bound.protocol.timed:
            return None
        return [octet // 2 % LONGEST_GAP + 1 if octet % 2 else 0 for octet in random]

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        return {"starts": list(bound.starts)} if bound.protocol.timed else {}


class Sizes(OtherModulus):
    """Between the products others whose modulus has two thirds of the bits, or one digit less than the largest that the
    core takes, and digits to match."""

    def moduli(self, bound: Bound) -> tuple[int, ...]:
        modulus, radix_bits = bound.multiplier.modulus, bound.multiplier.params.radix_bits
        smaller = [modulus.modulus >> bits | 1 for bits in (modulus.bits // 3, radix_bits) if bits]
        return tuple(dict.fromkeys(other for other in smaller if 1 < other < modulus.modulus and _takes(bound, other)))


class Idle(Disturbance):
    """In front of every other product the core has nothing to do, for up to as long as a product takes."""

    counter = "rests"

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        return {"idle_cycles": int.from_bytes(random[8:10], "little") // 2 % bound.tail + 1} if random[8] % 2 else {}


class Again(Disturbance):
    """Up to three other products at once in front of it, each started in the cycle in which the one before is done, or
    in the one after it, without a load."""

    counter = "chained"

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        return {"prefix_count": random[10] % (MOST_OTHERS + 1)}


class Holds(Disturbance):
    """A result waits until it is taken or read."""

    counter = "holds"

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        return {"result_stall": random[12] if random[11] % 2 else 0}


class Writes(Disturbance):
    """Writes of anything to the memory of a core that works, and with a start where the core ignores those, too."""

    counter = "strays"

    def control(self, bound: Bound, random: bytes) -> dict[str, int]:
        return {"stray_writes": 1}


KINDS: dict[str, Disturbance] = {
    "start": Starts(),
    "reset": Resets(),
    "modulus": OtherModulus(),
    "unknown": Unknown(),
    "stalls": Stalls(),
    "size": Sizes(),
    "idle": Idle(),
    "again": Again(),
    "hold": Holds(),
    "write": Writes(),
}
"""In the order of reports."""
DISTURBANCES = tuple(KINDS)
