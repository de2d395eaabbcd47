# SPDX-License-Identifier: Apache-2.0
"""Signed operands in a proof: a variable of each counts the numbers of its range from the least one on."""

from limbtrace.rtl_bridge.binding.signed_range import SignedRange
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool


def number_of(signed: SignedRange, value: int) -> int:
    """The number of a value of the variable."""
    return signed.least + min(value, signed.count - 1)


def on_port(pool: TermPool, signed: SignedRange, variable: BitTerm, width: int) -> BitTerm:
    """The number in two's complement of so many bits."""
    return pool.sum({pool.extend(variable, width): 1}, signed.least, width)


def integer_of(pool: TermPool, signed: SignedRange, variable: BitTerm) -> BitTerm:
    """The integer that stands for the number."""
    if not signed.least:
        return variable
    width = (signed.added - 1).bit_length()
    counted = {pool.extend(variable, width): 1}
    is_negative = pool.bvult(variable, pool.constant(variable.width, -signed.least))
    pluses = signed.least + signed.added, signed.least
    negative, positive = (pool.extend(pool.sum(counted, plus, width), width) for plus in pluses)
    return pool.bounded(pool.ite(is_negative, negative, positive), signed.added - 1)
