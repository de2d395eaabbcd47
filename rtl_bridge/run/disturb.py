# SPDX-License-Identifier: Apache-2.0
"""Disturbances on purpose: what a core has to bear between and during its products, as the testbench is told it.

A new one is a class here, with its place in KINDS, and what the testbench makes of its signals and counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, ClassVar, NamedTuple

import gmpy2

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.description.formula import all_hold

RESETS = (1, 2, 3, 4, 8)
LONGEST_GAP = 64
LONG_GAP = 520
"""Cycles between some products of a stream: more than a counter of 9 bits counts."""
LONG_IDLES = {5: 4096, 37: 65546}
"""Cycles; the long ones in front of these streams of every 64."""
MOST_OTHERS = 3
"""Products at once before the one that is asked for."""
OTHER_MODULI = 3
"""Other moduli of as many bits, of which the first differs most."""
MODULUS_DRAWS, MODULUS_BITS = 4096, 1 << 20
"""Draws of moduli of which some have to be such as the core takes, and most bits of all of them."""
COMPOSITE_DRAWS, LEAST_COMPOSITE_BITS, SMALL_FACTOR_BITS = 16, 8, 24
"""Draws of composite moduli, fewest bits that such a modulus has, and most bits of its smaller prime."""
CONTROL = (
    "extra_offers",
    "unknown_inputs",
    "new_constants",
    "seed",
    "reset_at",
    "reset_from_end",
    "reset_cycles",
    "reset_early",
    "idle_cycles",
    "prefix_count",
    "in_done_cycle",
    "gap",
    "result_stall",
    "read_early",
    "reload_first",
    "read_backwards",
    "stray_writes",
    "load_order",
    "load_skip",
    "load_ahead",
)
"""Signals of lt_lockstep_tb that say how a product is disturbed."""
RANDOM = 17
"""Octets that are drawn for every product; the first two are the seed of the testbench."""


class Disturbance:
    """A kind of disturbance; the numbers that it draws follow from the seed, the modulus and the case."""

    counter: ClassVar[str | None] = None
    """Signal of the testbench that counts how often it happened; None for what the trials count themselves."""

    def moduli(self, bound: Bound) -> tuple[int, ...]:
        """Other moduli: in front of every product there is then one with one of them, in turn."""
        return ()

    def fronts(self, bound: Bound, random: bytes) -> Iterator["FrontProduct"]:
        """Products with other operands right in front of a product or stream."""
        yield from ()

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        """Signals of lt_lockstep_tb for a product or stream, by name; those of CONTROL that are not here are 0."""
        return {}

    def gaps(self, bound: Bound, random: Sequence[int]) -> list[int] | None:
        """Wait cycles before each product of a stream; None if they follow each other."""
        return None

    def times(self, control: Mapping[str, int]) -> int:
        """How often it happens to a product with these signals, where no counter of the testbench counts it."""
        return 0

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        """Facts about the disturbance that a reader of a difference needs."""
        return {}


class FrontProduct(NamedTuple):
    """A product or stream with drawn operands, in front of one that is asked for."""

    keeps_b: bool = False
    """True if b is that of the product that is asked for."""
    keeps_a: bool = False
    control: Mapping[str, int] = {}
    """Its signals of lt_lockstep_tb, by name; the others are 0."""


class Starts(Disturbance):
    """Starts, and other operands, while the core is busy."""

    counter = "offers"

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        return {} if bound.protocol.ignores is False else {"extra_offers": 1}

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        return {"while_working": True} if bound.protocol.ignores is None else {}


class Resets(Disturbance):
    """In front of every other product another one that a reset ends, or that one strikes after it; in front of every
    fourth one that it ends while operands are loaded, if that takes so long.

    Half of the resets come in the first two cycles, in the last two, with done or in the cycle after it.
    """

    counter = "resets"

    def fronts(self, bound: Bound, random: bytes) -> Iterator[FrontProduct]:
        strike = self._strike(bound, random)
        if "reset_from_end" in strike:  # the testbench has to know how long a product takes
            yield FrontProduct()
        if strike:
            yield FrontProduct(control=strike)

    def _strike(self, bound: Bound, random: bytes) -> dict[str, int]:
        """Signals for the product that is reset; none for most of those that are not."""
        if bound.core.file.reset is None:
            return {}
        at, cycles = int.from_bytes(random[3:7], "little"), RESETS[random[7] % len(RESETS)]
        if random[2] % 8 == 1:
            return {"reset_at": at % 4, "reset_from_end": 1, "reset_cycles": cycles}
        if random[2] % 8 == 3:
            return {"reset_at": at % 2, "reset_cycles": cycles}
        if random[2] % 2:
            return {"reset_at": at % (bound.longest + 2 + bound.longest // 8), "reset_cycles": cycles}
        if random[2] % 4 == 2:
            loading = sum(bound.words) + bound.protocol.cycles(bound) + 2
            return {"reset_at": 1 + at % loading, "reset_cycles": cycles, "reset_early": 1}
        return {}

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        signals = self._strike(bound, random)
        if not signals:
            return {}
        early = {"early": True} if "reset_early" in signals else {}
        end = {"from_end": True} if "reset_from_end" in signals else {}
        cycle = signals["reset_at"] if early or end else min(signals["reset_at"], bound.longest)
        return {"reset": {"cycle": cycle, "cycles": signals["reset_cycles"], **early, **end}}


class OtherModulus(Disturbance):
    """Between the products others, modulo numbers of as many bits: the one that differs in all but the first and last,
    random ones, and a product of two primes, as far as the core takes them."""

    def moduli(self, bound: Bound) -> tuple[int, ...]:
        modulus = bound.multiplier.modulus.modulus
        taken = (islice(filter(partial(_takes, bound), some), most) for some, most in _kinds_of_moduli(modulus))
        return tuple(dict.fromkeys(chain.from_iterable(taken)))

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        return {"new_constants": 1}


def _takes(bound: Bound, modulus: int) -> bool:
    """True if the description says nothing against a modulus."""
    return all_hold(bound.core.file.modulus, modulus)


def _kinds_of_moduli(modulus: int) -> Iterator[tuple[Iterator[int], int]]:
    """(moduli in place of another one, how many of them at most)."""
    yield _others(modulus), OTHER_MODULI
    yield _composites(modulus), 1


def _composites(modulus: int) -> Iterator[int]:
    """Products of two primes, of as many bits as an odd modulus: some intermediate values are a multiple of such a
    modulus only, and one of the primes is so small that the operands for that are found."""
    bits = modulus.bit_length()
    size = min(bits // 2, SMALL_FACTOR_BITS)
    draw = Draw(f"composite moduli|{modulus:x}")
    for _ in range(COMPOSITE_DRAWS if modulus % 2 and bits >= LEAST_COMPOSITE_BITS else 0):
        small = _next_prime(1 << size - 1 | draw.below(1 << size // 2))
        least = -(-(1 << bits - 1) // small)
        other = small * _next_prime(draw.between(least, 2 * least - 1))
        if other.bit_length() == bits and other != modulus:
            yield other


def _next_prime(number: int) -> int:
    return int(gmpy2.next_prime(number))


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

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        return {"unknown_inputs": 1}


class Stalls(Disturbance):
    """Either side of a handshake waits; products of a stream start later than the core could take them, some much
    later."""

    counter = "waits"

    def gaps(self, bound: Bound, random: Sequence[int]) -> list[int] | None:
        if not bound.protocol.timed:
            return None
        return [_gap(octet) for octet in random]

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        return {"starts": list(bound.starts)} if bound.protocol.timed else {}


def _gap(octet: int) -> int:
    """Wait cycles of a product of a stream."""
    if octet % 64 == 1:
        return LONG_GAP
    return octet // 2 % LONGEST_GAP + 1 if octet % 2 else 0


class Sizes(OtherModulus):
    """Between the products others whose modulus has two thirds of the bits, one digit less or more, two digits, or
    twice the bits, as far as the core takes them in this build, and digits to match."""

    def moduli(self, bound: Bound) -> tuple[int, ...]:
        modulus, radix_bits = bound.multiplier.modulus, bound.multiplier.params.radix_bits
        smaller = [modulus.modulus >> bits | 1 for bits in (modulus.bits // 3, radix_bits) if bits]
        sizes = [2 * radix_bits, modulus.bits + radix_bits, 2 * modulus.bits] if radix_bits else []
        drawn = [_of_size(modulus.modulus, bits) for bits in sizes]
        others = (other for other in (*smaller, *drawn) if other > 1 and other.bit_length() != modulus.bits)
        return tuple(dict.fromkeys(other for other in others if _takes(bound, other)))


def _of_size(modulus: int, bits: int) -> int:
    """An odd number of that many bits, drawn."""
    return 1 << (bits - 1) | Draw(f"size|{modulus:x}|{bits}").bits(bits - 1) | 1


class Idle(Disturbance):
    """In front of every other product the core has nothing to do, for up to as long as a product takes, and in front of
    a few for so long that a counter of 12 or 16 bits is full."""

    counter = "rests"

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        if long := LONG_IDLES.get(case // bound.products % 64):
            return {"idle_cycles": long}
        return {"idle_cycles": int.from_bytes(random[8:10], "little") // 2 % bound.tail + 1} if random[8] % 2 else {}


class Again(Disturbance):
    """Up to three other products at once in front of it, without a load: each started in the cycle in which the one
    before is done, in the one after it, or up to 64 cycles later."""

    counter = "chained"

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        gap = random[14] // 4 % LONGEST_GAP + 1 if random[14] % 4 == 0 else 0
        return {"prefix_count": random[10] % (MOST_OTHERS + 1), "in_done_cycle": random[13] % 16, "gap": gap}

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        starts = (2 << random[10] % (MOST_OTHERS + 1)) - 2
        return {"in_done_cycle": True} if bound.protocol.tries_at_once and random[13] % 16 & starts else {}


class Holds(Disturbance):
    """A result waits until it is taken or read, also while operands are written; it is read from the cycle on in which
    the core is done, or from its last word on."""

    counter = "holds"

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        return {
            "result_stall": random[12] if random[11] % 2 else 0,
            "read_early": random[11] // 2 % 2,
            "reload_first": random[11] // 4 % 2,
            "read_backwards": random[11] // 8 % 2,
        }


class Loads(Disturbance):
    """Words and operands are written in other orders, and with pauses between them; in front of some products there is
    one that differs in one operand, and only that is written anew; or operands are written while the core works on the
    ones before."""

    def fronts(self, bound: Bound, random: bytes) -> Iterator[FrontProduct]:
        if self._skip(bound, random):
            yield FrontProduct(keeps_a=random[15] % 2 == 0, keeps_b=random[15] % 2 == 1)

    def _skip(self, bound: Bound, random: bytes) -> int:
        """Operands that stay in the memory of the core, {b, a}."""
        if not bound.keeps_operands or random[15] // 2 % 2 or self._ahead(bound, random):
            return 0
        return 1 + random[15] % 2

    def _ahead(self, bound: Bound, random: bytes) -> bool:
        a, b = bound.limits
        return bound.loads_ahead and a == b and random[15] // 4 % 2 == 1

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
        if bound.core.file.memory is None:
            return {}
        ahead = {"load_ahead": 1, "prefix_count": 1} if self._ahead(bound, random) else {}
        order = random[16] % 16
        if bound.core.file.memory.ordered:
            order = random[1] & 2  # the order is not used, but there are pauses
        if bound.groups > 1:
            order = 0  # a start waits for the last operand alone
        return {"load_order": order, "load_skip": self._skip(bound, random), **ahead}

    def times(self, control: Mapping[str, int]) -> int:
        return int(any(control[name] for name in ("load_order", "load_skip", "load_ahead")))

    def facts(self, bound: Bound, random: bytes) -> dict[str, Any]:
        skip = self._skip(bound, random)
        return {"loaded": "ba"[skip - 1]} if skip else {}


class Writes(Disturbance):
    """Writes of anything to the memory of a core that works, and with a start where the core ignores those, too."""

    counter = "strays"

    def control(self, bound: Bound, case: int, random: bytes) -> dict[str, int]:
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
    "load": Loads(),
}
"""In the order of reports."""
DISTURBANCES = tuple(KINDS)
