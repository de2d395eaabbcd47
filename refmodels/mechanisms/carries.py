# SPDX-License-Identifier: Apache-2.0
"""Carries that travel: into words of a product, or of a part of it, that are all ones."""

from collections.abc import Iterator, Sequence

import gmpy2
import numpy as np

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, Mechanism, ReducedProduct
from limbtrace.refmodels.mechanisms.solutions import with_product
from limbtrace.refmodels.pair_columns import WORD, BoolColumn, PairColumns, product_of_words

_PERIOD = 3
"""Two words of ones and one of 0, above the middle of a product: a carry that is added to the first word goes on to the
second and ends in the third, and so leaves those further up for other carries."""


def _word(value: int, width: int, place: int) -> int:
    return value >> (width * place) & ((1 << width) - 1)


# The whole product: its words above the middle, where multiples of the modulus are added, or the lowest ones.


def _product_variants(operation: ReducedProduct, width: int) -> int:
    limbs = operation.limbs(width)
    return 0 if limbs < 2 else _PERIOD + limbs


def _whole_words(operation: ReducedProduct, width: int) -> int:
    """Words of the product that may have any value."""
    limbs = operation.limbs(width)
    if _word(operation.largest, width, 2 * limbs - 1) == (1 << width) - 1:
        return 2 * limbs
    return (operation.largest.bit_length() - 3) // width


def _upper_ones(operation: ReducedProduct, width: int, shift: int) -> list[int]:
    """Places of words above the middle that are to be all ones."""
    least = operation.limbs(width) + shift
    places = range(least, _whole_words(operation, width))
    return [place for place in places if (place - least) % _PERIOD != _PERIOD - 1]


def _product(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    if variant >= _PERIOD:
        yield from with_product(operation, -1, 1 << (width * (variant - _PERIOD + 1)), draw)
        return
    places = _upper_ones(operation, width, variant)
    middle, top = width * operation.limbs(width), operation.largest - operation.largest // 8
    for _ in range(ATTEMPTS if places else 0):
        above = width * min(places[-1] + 2, _whole_words(operation, width))
        target = (draw.between(top // 2, top) >> above << above) + (1 << middle) - 1
        target += sum(((1 << width) - 1) << (width * place) for place in places)
        if operation.squares:
            yield int(gmpy2.isqrt(target)), 0
        elif operation.unary:
            yield target, 0
        else:
            least = max(operation.a_most - operation.a_most // 16, -(-target // max(operation.b_most, 1)))
            a = draw.between(min(least, operation.a_most), operation.a_most)
            yield a, target // max(a, 1)


def _has_product(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    t, full = operation.product(a, b), (1 << width) - 1
    places = range(variant - _PERIOD + 1) if variant >= _PERIOD else _upper_ones(operation, width, variant)
    return all(_word(t, width, place) == full for place in places)


def _may_have_product(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    full = (1 << width) - 1
    if variant >= _PERIOD:
        return pairs.agrees("t", 0, width, full)
    found = pairs.every
    for place in _upper_ones(operation, width, variant):
        found &= pairs.agrees("t", width * place, width, full)
    return found


# The product of the upper limbs of a, to which the row of the next limb is added.


def _part_variants(operation: ReducedProduct, width: int) -> int:
    return 0 if operation.unary else max(operation.limbs(width) - 2, 0)


def _part(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    limbs = operation.limbs(width)
    low = width * (limbs - 2 - variant)
    for _ in range(ATTEMPTS):
        b = draw.between(operation.b_most - operation.b_most // 8, operation.b_most)
        most = (operation.a_most >> low) * b >> width * (limbs + 1)
        target = (draw.below(most + 1) << width * (limbs + 1)) - 1
        if target > 0:
            yield (target // b << low) + (1 << low) - 1 - draw.below(1 << max(low - width, 0)), b


def _has_part(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    limbs, full = operation.limbs(width), (1 << width) - 1
    low = width * (limbs - 2 - variant)
    part, row = (a >> low) * b, _word(a, width, limbs - 3 - variant) * b
    overflows = ((part << width) % (1 << width * (limbs + 1)) + row) >> width * (limbs + 1)
    return _word(part, width, limbs) == full and overflows > 0


def _may_have_part(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    """The carry makes the word 0. The rows below are less than a carry into it, and add none to a word of ones."""
    limbs = operation.limbs(width)
    if operation.b_most >> width * limbs:
        return pairs.every
    return pairs.agrees("t", width * (2 * limbs - 2 - variant), width, 0)


# Products of two limbs whose double is all ones in its high word.

_DOUBLED = 4


def _doubled_variants(operation: ReducedProduct, width: int) -> int:
    fits = operation.limbs(width) > 2 and operation.a_most.bit_length() > width
    return _DOUBLED if fits and operation.reduced != "a" else 0


def _doubled(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    for _ in range(ATTEMPTS):
        x = draw.between(1 << width - 1, (1 << width) - 1)
        y = ((1 << 2 * width - 1) - 1) // x
        places = range(0, operation.a_most.bit_length() - width, width)
        low = sum((y if place // width % 2 else x) << place for place in places)
        a = low + (draw.below((operation.a_most >> places[-1] + width) + 1) << places[-1] + width)
        yield a, 0 if operation.unary else a


def _has_doubled(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    t = _word(a, width, 0) * _word(a, width, 1)
    return _is_square(operation, a, b) and t >> width - 1 == (1 << width) - 1


def _may_have_doubled(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    found = _may_be_square(operation, pairs)
    if width > WORD:
        return found
    return found & product_of_words(pairs.field("a", 0, width), pairs.field("a", width, width), width)


def _may_be_square(operation: ReducedProduct, pairs: PairColumns) -> BoolColumn:
    return pairs.every if operation.unary else pairs.field("a", 0, WORD) == pairs.field("b", 0, WORD)


def _is_square(operation: ReducedProduct, a: int, b: int) -> bool:
    return b == (0 if operation.unary else a)


# Squares: products of different limbs are added up and doubled, then the squares of limbs are added from the lowest on.


def _full_limbs(operation: ReducedProduct, width: int) -> int:
    """Limbs of a that may have any value, or at least half of them."""
    return min((operation.a_most.bit_length() + 1) // width, operation.limbs(width))


def _together(operation: ReducedProduct, width: int) -> int:
    """How many limbs, from the lowest on, have the word above their square in limbs of their own to choose it with."""
    return (_full_limbs(operation, width) - 1) // 2


def _square_variants(operation: ReducedProduct, width: int) -> int:
    limbs = _full_limbs(operation, width)
    return 0 if operation.reduced == "a" or limbs < 3 else limbs - 1 - _together(operation, width)


def _before_square(limbs: Sequence[int], width: int, which: int) -> int:
    """The doubled products of different limbs, and the squares of the limbs below `which`."""
    value = int(gmpy2.pack(list(limbs), width))
    squares = int(gmpy2.pack([limb * limb for limb in limbs[which:]], 2 * width))
    return value * value - (squares << 2 * width * which)


def _carries_on(limbs: Sequence[int], width: int, which: int) -> bool:
    """True if the carry of the square of limb `which` reaches a word of ones."""
    before, place = _before_square(limbs, width, which), 2 * which + 2
    below = before % (1 << width * place) + (limbs[which] ** 2 << 2 * width * which)
    return _word(before, width, place) == (1 << width) - 1 and below >> width * place > 0


def _square(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    """The lowest limbs together, or one of the others alone, below which as many limbs as needed are 0."""
    count, together = operation.limbs(width), _together(operation, width)
    which = range(together) if variant == 0 else [together + variant - 1]
    low = max(0, 2 * which[-1] + 3 - _full_limbs(operation, width))
    for _ in range(ATTEMPTS):
        limbs = [0] * low + [draw.below(1 << width) | 3 << width - 2 for _ in range(low, count)]
        limbs[low] |= 1
        limbs[-1] = draw.below(min((operation.a_most >> width * (count - 1)) + 1, 1 << width))
        if all(_choose(limbs, width, one, low, draw) for one in which):
            a = sum(limb << (width * k) for k, limb in enumerate(limbs))
            yield a, 0 if operation.unary else a


def _choose(limbs: list[int], width: int, which: int, low: int, draw: Draw) -> bool:
    """Choose a limb so that the word above the square of limb `which` is all ones when its carry comes.

    If that is not possible, the limb below the chosen one becomes another one.
    """
    word, high = 1 << width, 2 * which + 2 - low
    for _ in range(ATTEMPTS // 2):
        limbs[high] = 0
        rest = word - 1 - _word(_before_square(limbs, width, which), width, 2 * which + 2)
        if rest % 2 == 0:
            half = rest // 2 * int(gmpy2.invert(limbs[low], word)) % (word // 2)
            for limb in (half + word // 2, half):
                limbs[high] = limb
                if _carries_on(limbs, width, which):
                    return True
        if high - 1 <= max(which, low):
            return False
        limbs[high - 1] = draw.below(word)
    return False


def _has_square(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    together = _together(operation, width)
    which = range(together) if variant == 0 else [together + variant - 1]
    limbs = [_word(a, width, k) for k in range(operation.limbs(width))]
    return _is_square(operation, a, b) and all(_carries_on(limbs, width, one) for one in which)


def _may_have_square(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    """The carry makes the word 0, and of what is added later only the square of the next limb reaches it."""
    found, together = _may_be_square(operation, pairs), _together(operation, width)
    if operation.a_most >> width * operation.limbs(width):
        return found
    for one in range(together) if variant == 0 else [together + variant - 1]:
        following = pairs.field("a", width * (one + 1), width)
        seen = np.uint64((1 << min(width, WORD)) - 1)
        found = found & (pairs.field("t", width * (2 * one + 2), width) == following * following & seen)
    return found


# The last fold of what is above the modulus's highest bit: 2^bits is replaced by a multiple of what it leaves.


def _last_fold(operation: ReducedProduct, width: int, variant: int) -> int:
    """A 1 above the bits of the modulus, and below it words of ones from word `variant` on."""
    return (2 << operation.bits) - (1 << width * variant)


def _fold_variants(operation: ReducedProduct, width: int) -> int:
    folds = operation.domain == 1 and not operation.squares and operation.largest >= _last_fold(operation, width, 0)
    return operation.limbs(width) if folds else 0


def _fold(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    target, ones = _last_fold(operation, width, variant), (2 << operation.bits - width * variant) - 1
    if operation.unary:
        yield target, 0
    else:
        yield 1 << width * variant, ones
        yield ones, 1 << width * variant


def _has_fold(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    return operation.product(a, b) == _last_fold(operation, width, variant)


def _may_have_fold(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    return pairs.agrees("t", width * variant, operation.bits + 1 - width * variant, -1)


PRODUCT = Mechanism(
    "product=ones",
    "words of the product are all ones: two of three above the middle, or the lowest ones",
    "a carry that stops at a word of ones",
    _product_variants,
    _product,
    _has_product,
    _may_have_product,
    first=3,
)
PART = Mechanism(
    "part=ones",
    "a word of the product of the upper limbs of a is all ones when the carry of the next row reaches it",
    "the carry of a row that stops at a word of ones",
    _part_variants,
    _part,
    _has_part,
    _may_have_part,
)
DOUBLED = Mechanism(
    "doubled=ones",
    "the high word of the doubled product of the lowest two limbs is all ones",
    "a high word of a square that wraps around when a carry is added to it",
    _doubled_variants,
    _doubled,
    _has_doubled,
    _may_have_doubled,
    first=2,
)
SQUARE = Mechanism(
    "square=ones",
    "the word above the square of a limb is all ones when the carry of that square reaches it",
    "the carry of the square of a limb that stops at a word of ones",
    _square_variants,
    _square,
    _has_square,
    _may_have_square,
    first=2,
)
FOLD = Mechanism(
    "fold=ones",
    "the integer has a 1 above the bits of the modulus, and words of ones from one of its words on",
    "the carry of a last fold, which travels through all words above",
    _fold_variants,
    _fold,
    _has_fold,
    _may_have_fold,
    first=0,
    reduces=True,
)
