# SPDX-License-Identifier: Apache-2.0
"""Places in a digit-serial Montgomery product at which a lost digit or carry gives a wrong result.

After pass i the accumulator is T = (x*s + Q*p)/beta^(i+1), s being the digits scanned so far. A part d of it that is
lost there is divided by beta in each later pass, so the result is short of d/beta^(passes - i - 1) modulo p, whatever
the quotient digits become. A place is named only if no other one gives the same result.
"""

from collections.abc import Iterator
from typing import NamedTuple

from limbtrace.refmodels.model import CORRECTED
from limbtrace.refmodels.montgomery import DigitSerial
from limbtrace.refmodels.serial_events import Pass
from limbtrace.vectors.report.relations import SURE
from limbtrace.vectors.request import Multiplier

MOST_PLACES = 20_000
"""Digits of all passes that are looked at."""


class LostPart(NamedTuple):
    """A digit of the accumulator that is lost, or one carry into a digit; passes and digits count from 0."""

    kind: str
    """The word lost_digit or lost_carry."""
    pass_number: int
    digit: int

    @property
    def sentence(self) -> str:
        what = "digit" if self.kind == "lost_digit" else "one carry into digit"
        place = f"{what} {self.digit} of the accumulator in pass {self.pass_number}"
        return f"it is, modulo p, the result of a loop that loses {place}, both counted from 0"


def lost_part(multiplier: Multiplier, a: int, b: int, expected: int, seen: int) -> LostPart | None:
    """The only such place; None without one, for other models, and if chance or a second place may explain it.

    Either operand may be the one that is scanned. A digit that is 1 and has a carry is lost as a digit.
    """
    params, p = multiplier.params, multiplier.modulus.modulus
    if not isinstance(params, DigitSerial) or params.form != CORRECTED or (seen - expected) % p == 0:
        return None
    places = 4 * params.passes * (params.digits + 2)
    if places > MOST_PLACES or places > SURE * p:
        return None
    missing = (expected - seen) % p
    found: dict[tuple[int, int], str] = {}
    for whole, scanned in ((b, a), (a, b)):
        for i, each in enumerate(_passes(params, whole, scanned)):
            for kind, parts in (("lost_carry", _carries), ("lost_digit", _digits)):
                for j, part in parts(params, each):
                    if part * _weight(params, i, j) % p == missing:
                        found[i, j] = kind
    if len(found) != 1:
        return None
    ((place, kind),) = found.items()
    return LostPart(kind, *place)


def _passes(params: DigitSerial, whole: int, scanned: int) -> Iterator[Pass]:
    """Each pass of a product that scans one of its operands."""
    before = 0
    for i in range(params.passes):
        digit = scanned >> params.radix_bits * i & (params.radix - 1)
        q = (before + whole * digit) * params.digit_inverse & (params.radix - 1)
        yield Pass(before, whole, digit, q)
        before = (before + whole * digit + q * params.modulus) >> params.radix_bits


def _weight(params: DigitSerial, i: int, j: int) -> int:
    """Weight in the result, modulo p, of digit j of the accumulator after pass i."""
    return pow(params.radix, j - (params.passes - i - 1), params.modulus)


def _digits(params: DigitSerial, each: Pass) -> Iterator[tuple[int, int]]:
    """The digits of the accumulator after a pass that are not 0, with their numbers."""
    after = (each.row + each.q * params.modulus) >> params.radix_bits
    for j in range(params.digits + 2):
        if digit := after >> params.radix_bits * j & (params.radix - 1):
            yield j, digit


def _carries(params: DigitSerial, each: Pass) -> Iterator[tuple[int, int]]:
    """One carry into each digit that has one in a pass; digit j of the sum is digit j - 1 of the accumulator then."""
    for j in range(1, params.digits + 2):
        if each.carry(params.radix_bits * j, params.modulus):
            yield j - 1, 1
