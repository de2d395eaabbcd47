# SPDX-License-Identifier: Apache-2.0
"""Relations between a wrong result and the right one: one table, for reports and for `limbtrace identify`.

A relation is said only where chance hardly explains it. A random number has one of the relations that were tried with
a probability of at most the sum of 1/modulus over them, so the table is gone through in the order of its families, and
it ends where that sum becomes too large. Small moduli end it early.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

SURE, PERHAPS = 2.0**-20, 2.0**-8
"""Probability of a relation by chance below which it is said as it is, and below which it is said with a doubt."""
DOUBT = "numbers of this size may be so by chance"
"""The doubt."""
WRAPPED = "wrapped"
"""The kind of relations by multiples of p modulo a power of two."""
SMALL = (3, 5, 7)
"""Odd factors of a power of two in a difference; their sum has a carry more or less in several places."""


class Candidate(NamedTuple):
    """A number that a wrong result may be, compared modulo `modulus`."""

    kind: str
    """A word that does not change."""
    text: str
    """The number in words, to be read after "it is"."""
    cause: str
    """A fault that gives it, to be read after "as"."""
    value: int
    modulus: int

    def matches(self, seen: int, right: int) -> bool:
        """True if a wrong result is this number, and the right one is not."""
        return (seen - self.value) % self.modulus == 0 != (right - self.value) % self.modulus


class Related(NamedTuple):
    """A relation that a wrong result has."""

    kind: str
    text: str
    cause: str
    doubtful: bool
    """True if it may be so by chance."""

    @property
    def sentence(self) -> str:
        doubt = f"; {DOUBT}" if self.doubtful else ""
        return f"it is {self.text}, as {self.cause}{doubt}"


class OtherProduct(NamedTuple):
    """A product of other operands: kind of the relation, which operands, why it may be taken, its right result."""

    kind: str
    text: str
    cause: str
    result: int


class NumberWidths(NamedTuple):
    """Bits of the ports of a core; None if a number is not on one port as it is."""

    a: int | None = None
    b: int | None = None
    result: int | None = None


UNKNOWN = NumberWidths()


@dataclass(frozen=True)
class RightResult:
    """The right result of a product, with all that a wrong one is compared with."""

    value: int
    modulus: int
    """p; 0 without one."""
    width: int | None = None
    """Bits of the port; None if they are not known."""
    domain: int | None = None
    """R, if the core divides by it."""
    others: Sequence[OtherProduct] = ()

    def related(self, seen: int) -> Related | None:
        """The relation of a wrong result to this one; None without one, or where chance explains it."""
        chance = 0.0
        for family in FAMILIES:
            found: Candidate | None = None
            for candidate in family(self):
                chance += 1 / candidate.modulus
                if found is None and candidate.matches(seen, self.value):
                    found = candidate
            if chance > PERHAPS:
                return None
            if found is not None:
                return Related(found.kind, found.text, found.cause, chance > SURE)
        return None

    def candidates(self, seen: int) -> Iterator[Candidate]:
        """All that a wrong result is, whatever the chance; without small multiples of powers of two, which are many."""
        found = itertools.chain(_of_multiples(self), *(family(self) for family in FAMILIES[1:-1]))
        return (candidate for candidate in found if candidate.matches(seen, self.value))


CandidateFamily = Callable[[RightResult], Iterator[Candidate]]
"""Candidates of one kind for a right result."""


def _wrapped(right: RightResult) -> Iterator[Candidate]:
    """A multiple of p too much or too little, beyond what the port holds."""
    return (found for found in _of_multiples(right) if found.value % found.modulus != found.value)


def _of_multiples(right: RightResult) -> Iterator[Candidate]:
    """A multiple of p too much or too little."""
    p, width = right.modulus, right.width
    if not p or width is None or p >> width:
        return
    signed = "; a core whose results are signed has signed = true in [result]" if 2 * p <= 1 << width else ""
    below = f"after a subtraction that was not needed and wrapped{signed}"
    above = "after an addition that was not needed and was cut off"
    for times, text, cause in ((-1, "minus p", below), (1, "plus p", above), (-2, "minus 2p", below),
                               (2, "plus 2p", above)):  # fmt: skip
        value = right.value + times * p
        yield Candidate(WRAPPED, f"the right result {text}, modulo 2^{width}", cause, value, 1 << width)


def _negated(right: RightResult) -> Iterator[Candidate]:
    """The right result with another sign, or with its bits inverted."""
    p, value, width = right.modulus, right.value, right.width
    if width is not None:
        space = 1 << width
        yield Candidate(
            "inverted", "the right result with its bits inverted", "of a port or wire that is inverted", ~value, space
        )
        if p and p.bit_length() < width:
            low = value ^ ((1 << p.bit_length()) - 1)
            text = f"the right result with its low {p.bit_length()} bits inverted"
            yield Candidate("inverted", text, "of a register or wire that is inverted", low, space)
        text = f"the right result negated, modulo 2^{width}"
        yield Candidate("negated", text, "after a subtraction with its operands swapped", -value, space)
    if p:
        cause = "after a subtraction with its operands swapped"
        yield Candidate("negated", "the right result negated, modulo p", cause, -value, p)


def _of_others(right: RightResult) -> Iterator[Candidate]:
    """The right result of other operands."""
    for other in right.others if right.modulus else ():
        yield Candidate(other.kind, other.text, other.cause, other.result, right.modulus)


def _scaled(right: RightResult) -> Iterator[Candidate]:
    """Twice or half the right result."""
    p, value = right.modulus, right.value
    twice, half = "after a shift or doubling too many", "after a shift or doubling too few"
    if right.width is not None:
        space = 1 << right.width
        yield Candidate("doubled", "the right result shifted up by a bit", twice, 2 * value, space)
        yield Candidate("halved", "the right result shifted down by a bit", half, value >> 1, space)
    if p and right.domain is None:
        yield Candidate("doubled", "twice the right result, modulo p", twice, 2 * value, p)
        if p % 2:
            yield Candidate("halved", "half the right result, modulo p", half, value * ((p + 1) // 2), p)


def _ones_above(right: RightResult) -> Iterator[Candidate]:
    """Low bits that are right below ones alone."""
    if right.width is None:
        return
    ones = (1 << right.width) - 1
    for k in range(1, right.width):
        value = right.value | (ones >> k << k)
        text = f"the right result in its low {k} bits and ones above them"
        yield Candidate("ones_above", text, "of a number that was cut and extended by its sign", value, ones + 1)


def _powers(right: RightResult) -> Iterator[Candidate]:
    """A power of two too much or too little before the reduction."""
    yield from _multiples_of_powers(right, "power_of_two", (1,))


def _small_multiples(right: RightResult) -> Iterator[Candidate]:
    """A power of two times a small odd factor too much or too little before the reduction."""
    yield from _multiples_of_powers(right, "multiple_of_power", SMALL)


def _multiples_of_powers(right: RightResult, kind: str, factors: Sequence[int]) -> Iterator[Candidate]:
    p, value, R = right.modulus, right.value, right.domain
    if not p:
        return
    units = [("", 1, "the reduction")]
    if R is not None:
        units.append((" / R", pow(R, -1, p), "the division by R"))
    for over, unit, place in units:
        for k in range(2 * p.bit_length()):
            for factor in factors:
                amount = unit * factor % p
                front = "" if factor == 1 else f"{factor}*"
                carry = f"a carry into bit {k}" if factor == 1 else f"carries into bit {k} and the bits above"
                for sign, word, fate in ((-1, "minus", "lost"), (1, "plus", "too much")):
                    text = f"the right result {word} {front}2^{k}{over}, modulo p"
                    cause = f"after {carry} that {'is' if factor == 1 else 'are'} {fate} before {place}"
                    yield Candidate(kind, text, cause, value + sign * amount, p)
            unit = unit * 2 % p


FAMILIES: tuple[CandidateFamily, ...] = (
    _wrapped,
    _negated,
    _of_others,
    _scaled,
    _ones_above,
    _powers,
    _small_multiples,
)
"""Those with few candidates first."""


class OperandReading(NamedTuple):
    """A value in the place of an operand: "previous", "next" or "inverted", empty for the operand itself."""

    name: str
    value: int


def readings(this: int, *, previous: int | None, next_one: int | None, width: int | None) -> list[OperandReading]:
    """The values that a core may read in the place of an operand on a port of `width` bits, its own first."""
    found = [OperandReading("", this)]
    found += [
        OperandReading(name, value) for name, value in (("previous", previous), ("next", next_one)) if value is not None
    ]
    if width is not None:
        ones = (1 << width) - 1
        found += [OperandReading(f"inverted {one.name}".strip(), one.value ^ ones) for one in list(found)]
    return found


def said_of_readings(a: str, b: str | None) -> tuple[str, str, str]:
    """(kind, operands in words, cause) of a product with such readings of a and b; b is None without one.

    A testbench drives the inverse of an operand before and after it is valid.
    """
    if b is None or a == b:
        both = "a" if b is None else "both operands"
        kind, words = f"{a.replace(' ', '_')}_{'a' if b is None else 'operands'}", f"{_operand(a, both)}"
        operands = "operand a were" if b is None else "both operands were"
    else:
        parts = [(name, reading) for name, reading in (("a", a), ("b", b))]
        kind = "_".join(f"{reading.replace(' ', '_')}_{name}" for name, reading in parts if reading)
        words = " and ".join(_operand(reading, name) for name, reading in parts)
        changed = [name for name, reading in parts if reading]
        operands = f"operand {changed[0]} were" if len(changed) == 1 else "both operands were"
    names = {a, b} - {"", None}
    when = "a cycle late" if any(name and "inverted" in name for name in names) else "at another time"
    early = ", or the result a cycle early" if operands.startswith("both") or b is None else ""
    return kind, words, f"if {operands} read {when}{early}"


def _operand(reading: str, name: str) -> str:
    """A reading of an operand, or of "both operands", in words."""
    if not reading:
        return f"this {name}"
    of = {"previous": "of the product before it", "next": "of the product after it"}
    place = next((words for word, words in of.items() if word in reading), "")
    whose = "their" if name.startswith("both") else "its"
    front = f"{name} with {whose} bits inverted" if "inverted" in reading else name
    return f"{front} {place}".strip()
