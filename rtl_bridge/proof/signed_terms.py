# SPDX-License-Identifier: Apache-2.0
"""Signed operands in a proof: a variable of each counts the numbers of its range from the least one on.

Where these are all numbers of some bits, it has those bits.
"""

from limbtrace.rtl_bridge.binding.signed_range import SignedRange
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool


def number_of(signed: SignedRange, value: int) -> int:
    """The number of a value of the variable."""
    value = min(value, signed.count - 1)
    if _is_whole(signed):
        return value if value <= signed.most else value - signed.count
    return signed.least + value


def on_port(pool: TermPool, signed: SignedRange, variable: BitTerm, width: int) -> BitTerm:
    """The number in two's complement of so many bits."""
    if _is_whole(signed):
        return pool.extend(variable, width, signed=True)
    return pool.sum({pool.extend(variable, width): 1}, signed.least, width)


def integer_of(pool: TermPool, signed: SignedRange, variable: BitTerm) -> BitTerm:
    """The integer that stands for the number."""
    if not signed.least:
        return variable
    width = (signed.added - 1).bit_length()
    if _is_whole(signed):
        is_negative = pool.extract(variable, variable.width - 1, variable.width - 1)
        first, above = 0, signed.added - signed.count
    else:
        is_negative = pool.bvult(variable, pool.constant(variable.width, -signed.least))
        first, above = signed.least, signed.least + signed.added
    counted = {pool.extend(variable, width): 1}
    negative, positive = (pool.extend(pool.sum(counted, plus, width), width) for plus in (above, first))
    return pool.bounded(pool.ite(is_negative, negative, positive), signed.added - 1)


def _is_whole(signed: SignedRange) -> bool:
    """True if the numbers are all those of some bits: the variable is the number in two's complement then."""
    return signed.count == 1 << signed.bits
