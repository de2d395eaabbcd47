# SPDX-License-Identifier: Apache-2.0
"""Families of the faults in the atlas, at any modulus: what vectors are graded with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from limbtrace.refmodels.defects import carries, estimates, folds, subtractions
from limbtrace.refmodels.defects.defect import Compute, DefectKind, of_operand, of_product, of_square

REACH = 1
"""Limbs over which a carry travels before it is lost."""


@dataclass(frozen=True)
class FamilyFault:
    """A fault of a family."""

    name: str
    kind: DefectKind
    compute: Compute


def faults(modulus: int, reduced: str, domain: int, operand_bits: int, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Faults of hardware that reduces "a*b", "a*a" or "a" modulo `modulus`, and divides it by `domain`.

    Operands have up to `operand_bits` bits, and limbs the widths `words`. `domain` is 1, or a power of two.
    """
    if domain == 1:
        yield from _of_limbs(modulus, reduced, operand_bits, words)
        yield from _of_reductions(modulus, reduced, operand_bits, words)
    elif modulus % 2:
        yield from _of_montgomery(modulus, reduced, domain.bit_length() - 1, words)


def _of_limbs(modulus: int, reduced: str, operand_bits: int, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Of the product before its reduction."""
    for width in words:
        count = -(-operand_bits // width)
        where = f"in limbs of {width} bits"
        if reduced == "a*b":
            for row in range(count - 2):
                compute: Compute = partial(carries.product_by_rows, width=width, count=count, row=row, reach=REACH)
                yield FamilyFault(f"carry of row {row} {where}", DefectKind.CARRY, compute)
        if reduced == "a*a" and count > 1:
            for limb in range(count - 1):
                compute = partial(
                    carries.square_with_doubled_products, width=width, count=count, limb=limb, reach=REACH
                )
                yield FamilyFault(f"carry of the square of limb {limb} {where}", DefectKind.CARRY, compute)
            compute = partial(carries.square_by_columns, width=width, count=count)
            yield FamilyFault(f"carry of a doubled product {where}", DefectKind.CARRY, compute)


def _of_reductions(modulus: int, reduced: str, operand_bits: int, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Of the reduction of a value of up to twice the bits of the modulus."""
    bits = modulus.bit_length()
    wrap = {"a*b": of_product, "a*a": of_square, "a": of_operand}[reduced]
    value_bits = operand_bits if reduced == "a" else 2 * operand_bits
    if value_bits <= 2 * bits:
        for corrections in range(2):
            compute = wrap(estimates.barrett, first=bits - 1, second=bits + 1, width=bits + 2, corrections=corrections)
            yield FamilyFault(f"Barrett's estimate, corrected {corrections} times", DefectKind.ESTIMATE, compute)
    for width in words:
        if bits > width:
            compute = wrap(estimates.long_division, width=width, most=1)
            yield FamilyFault(f"estimate of a digit of {width} bits, corrected once", DefectKind.ESTIMATE, compute)
    if ((1 << bits) - modulus).bit_length() < bits // 2 and value_bits <= 2 * bits:
        yield FamilyFault(
            "two folds, and the carry cut", DefectKind.FOLD, wrap(folds.folded_and_cut, bits=bits, rounds=2)
        )
        compute = wrap(folds.folded_unreduced, bits=bits, rounds=3)
        yield FamilyFault("folds without a last subtraction", DefectKind.SUBTRACTION, compute)


def _of_montgomery(modulus: int, reduced: str, r: int, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Of Montgomery's product with R = 2^r."""

    def of(compute: Compute) -> Compute:
        if reduced == "a*b":
            return compute
        return (lambda a, b, p: compute(a, a, p)) if reduced == "a*a" else (lambda a, b, p: compute(a, 1, p))

    yield FamilyFault("last subtraction by the carry alone", DefectKind.SUBTRACTION,
                      of(partial(subtractions.montgomery_reduced_by_carry, r=r)))  # fmt: skip
    for width in words:
        if r % width or r <= width:
            continue
        count, where = r // width, f"in limbs of {width} bits"
        for row in range(count - 1):
            compute: Compute = partial(carries.montgomery_after_product, width=width, count=count, row=row, reach=REACH)
            yield FamilyFault(f"carry of step {row} {where}", DefectKind.CARRY, of(compute))
        for limb in range(1, count - 1):
            compute = partial(subtractions.montgomery_with_lost_borrow, r=r, limb=limb, width=width)
            yield FamilyFault(f"borrow into limb {limb} {where}", DefectKind.CARRY, of(compute))
        compute = partial(subtractions.montgomery_reduced_by_top, r=r, width=width)
        yield FamilyFault(f"last subtraction by the top limb {where}", DefectKind.SUBTRACTION, of(compute))
