# SPDX-License-Identifier: Apache-2.0
"""Families of the faults in the atlas, at any modulus: what vectors are graded with."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from limbtrace.refmodels.defects import carries, estimates, folds, subtractions
from limbtrace.refmodels.defects.defect import Compute, DefectKind, of_operand, of_product, of_square
from limbtrace.refmodels.pair_columns import WORD, BoolColumn, PairColumns, product_of_words

REACH = 1
"""Limbs over which a carry travels before it is lost."""

May = Callable[[PairColumns], BoolColumn]
"""False only for pairs whose result a fault does not change; the values are those of `ReducedProduct.columns`."""


@dataclass(frozen=True)
class FamilyFault:
    """A fault of a family."""

    name: str
    kind: DefectKind
    compute: Compute
    may: May = lambda pairs: pairs.every


@dataclass(frozen=True)
class FaultyProduct:
    """The operation of hardware with a fault: "a*b", "a*a" or "a" reduced modulo `modulus`, and divided by `domain`.

    Operands are at most `a_most` and `b_most`. `domain` is 1, or a power of two.
    """

    modulus: int
    reduced: str
    domain: int
    a_most: int
    b_most: int

    @property
    def t_most(self) -> int:
        """The largest integer that is reduced."""
        return {"a*b": self.a_most * self.b_most, "a*a": self.a_most**2, "a": self.a_most}[self.reduced]

    @property
    def operand_bits(self) -> int:
        """Bits of operands, or of the modulus if it has more."""
        return max(self.a_most, self.b_most, self.modulus - 1).bit_length()


def faults(product: FaultyProduct, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Faults of hardware with limbs of these widths."""
    if product.domain == 1:
        yield from _of_limbs(product, words)
        yield from _of_reductions(product, words)
    elif product.modulus % 2:
        yield from _of_montgomery(product, words)


def _of_limbs(product: FaultyProduct, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Of the product before its reduction."""
    for width in words:
        count = -(-product.operand_bits // width)
        where = f"in limbs of {width} bits"
        if product.reduced == "a*b":
            for row in range(count - 2):
                compute: Compute = partial(carries.product_by_rows, width=width, count=count, row=row, reach=REACH)
                yield FamilyFault(
                    f"carry of row {row} {where}", DefectKind.CARRY, compute, _limb_wraps(width, row + count + 1)
                )
        if product.reduced == "a*a" and count > 1:
            for limb in range(count - 1):
                compute = partial(
                    carries.square_with_doubled_products, width=width, count=count, limb=limb, reach=REACH
                )
                yield FamilyFault(
                    f"carry of the square of limb {limb} {where}", DefectKind.CARRY, compute, _square_wraps(width, limb)
                )
            compute = partial(carries.square_by_columns, width=width, count=count)
            yield FamilyFault(
                f"carry of a doubled product {where}", DefectKind.CARRY, compute, _doubled_wraps(width, count)
            )


def _limb_wraps(width: int, limb: int) -> May:
    """A limb of ones takes the carry of a row and becomes 0. The rows below add no carry to it: with this row, they are
    less than the unit of this limb.
    """
    return lambda pairs: pairs.agrees("t", width * limb, width, 0)


def _square_wraps(width: int, limb: int) -> May:
    """The limb above the square of a limb becomes 0, and of what is added later only the next square reaches it."""

    def may(pairs: PairColumns) -> BoolColumn:
        following = pairs.field("a", width * (limb + 1), width)
        seen = np.uint64((1 << min(width, WORD)) - 1)
        found: BoolColumn = pairs.field("t", width * (2 * limb + 2), width) == following * following & seen
        return found

    return may


def _doubled_wraps(width: int, count: int) -> May:
    """The high word of the doubled product of two limbs is all ones."""

    def may(pairs: PairColumns) -> BoolColumn:
        if width > WORD:
            return pairs.every
        limbs = [pairs.field("a", width * k, width) for k in range(count)]
        found = ~pairs.every
        for i, limb in enumerate(limbs):
            for other in limbs[:i]:
                found |= product_of_words(limb, other, width)
        return found

    return may


def _of_reductions(product: FaultyProduct, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Of the reduction of a value of up to twice the bits of the modulus."""
    modulus, bits = product.modulus, product.modulus.bit_length()
    wrap = {"a*b": of_product, "a*a": of_square, "a": of_operand}[product.reduced]
    value_bits = product.operand_bits if product.reduced == "a" else 2 * product.operand_bits
    if value_bits <= 2 * bits:
        for corrections in range(2):
            compute = wrap(estimates.barrett, first=bits - 1, second=bits + 1, width=bits + 2, corrections=corrections)
            most = estimates.largest_short_rest(product.t_most, modulus, bits - 1, bits + 1, corrections + 1)
            name = f"Barrett's estimate, corrected {corrections} times"
            yield FamilyFault(name, DefectKind.ESTIMATE, compute, _at_most("rest", most))
    for width in words:
        if bits > width:
            compute = wrap(estimates.long_division, width=width, most=1)
            yield FamilyFault(
                f"estimate of a digit of {width} bits, corrected once", DefectKind.ESTIMATE, compute,
                _digit_misses(modulus, width),
            )  # fmt: skip
    fold = (1 << bits) - modulus
    if fold.bit_length() < bits // 2 and value_bits <= 2 * bits:
        # After two folds a carry leaves less than fold^2, to which it should have added `fold`.
        yield FamilyFault(
            "two folds, and the carry cut", DefectKind.FOLD, wrap(folds.folded_and_cut, bits=bits, rounds=2),
            _at_most("rest", fold * fold + fold),
        )  # fmt: skip
        compute = wrap(folds.folded_unreduced, bits=bits, rounds=3)
        yield FamilyFault(
            "folds without a last subtraction", DefectKind.SUBTRACTION, compute, _at_most("rest", fold - 1)
        )


def _at_most(name: str, most: int) -> May:
    return lambda pairs: pairs.at_most(name, most)


def _digit_misses(modulus: int, width: int) -> May:
    """No pair at all, if the modulus leaves no room for an estimate of a digit that is 2 too large.

    For a divisor of a top word T and a rest L below it, and the digit d, T * (d + 2) is then at most the two top words
    of what is divided, which is below (d + 1) * (T + L). So T is at most (d + 1) * L less T, and d + 1 a word at most.
    """
    count = -(-modulus.bit_length() // width)
    divisor = modulus << count * width - modulus.bit_length()
    unit = 1 << width * (count - 1)
    top = divisor // unit * unit
    possible = (divisor - top) << width > top
    return lambda pairs: pairs.every if possible else ~pairs.every


def _of_montgomery(product: FaultyProduct, words: Sequence[int]) -> Iterator[FamilyFault]:
    """Of Montgomery's product with R = 2^r."""
    modulus, r = product.modulus, product.domain.bit_length() - 1
    once = product.t_most < modulus << r
    """True if the sum is below 2p, so that it is the result, or p above it."""

    def of(compute: Compute) -> Compute:
        if product.reduced == "a*b":
            return compute
        if product.reduced == "a*a":
            return lambda a, b, p: compute(a, a, p)
        return lambda a, b, p: compute(a, 1, p)

    def fault(name: str, kind: DefectKind, compute: Compute, may: May) -> FamilyFault:
        return FamilyFault(name, kind, of(compute), may) if once else FamilyFault(name, kind, of(compute))

    yield fault("last subtraction by the carry alone", DefectKind.SUBTRACTION,
                partial(subtractions.montgomery_reduced_by_carry, r=r),
                _at_most("result", (1 << r) - 1 - modulus))  # fmt: skip
    for width in words:
        if r % width or r <= width:
            continue
        count, where = r // width, f"in limbs of {width} bits"
        for row in range(count - 1):
            compute: Compute = partial(carries.montgomery_after_product, width=width, count=count, row=row, reach=REACH)
            yield fault(f"carry of step {row} {where}", DefectKind.CARRY, compute, _takes_carry(width, row + count + 1))
        for limb in range(1, count - 1):
            compute = partial(subtractions.montgomery_with_lost_borrow, r=r, limb=limb, width=width)
            yield fault(f"borrow into limb {limb} {where}", DefectKind.CARRY, compute, _borrowed(width, limb))
        compute = partial(subtractions.montgomery_reduced_by_top, r=r, width=width)
        yield fault(f"last subtraction by the top limb {where}", DefectKind.SUBTRACTION, compute,
                    _at_most("result", (1 << (r - width)) - 1))  # fmt: skip


def _takes_carry(width: int, limb: int) -> May:
    """A limb of ones of the sum takes the carry of a step. Steps add no other carry to it up to this one."""
    return lambda pairs: pairs.agrees("t", width * limb, width, (1 << width) - 1)


def _borrowed(width: int, limb: int) -> May:
    """Equal limbs, and a borrow into them."""
    return lambda pairs: pairs.agrees("result", width * limb, width, (1 << width) - 1)
