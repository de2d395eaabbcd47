# SPDX-License-Identifier: Apache-2.0
"""Wishes about the bits of a modulus: its size, bits at the boundaries of words, words of ones and of zeros."""

from collections.abc import Callable, Iterator
from math import isqrt

from limbtrace.refmodels.directed_moduli.wish import ModulusWords, Wish
from limbtrace.refmodels.settings import MAX_WIDTH


def sizes(words: ModulusWords) -> Iterator[Wish]:
    """The ends of the range, and the middle in which squares get one bit more."""
    bits = words.bits
    middle = isqrt(1 << (2 * bits - 1))
    yield Wish(f"nearest below 2^{bits}", words.down(words.end - 1))
    yield Wish(f"nearest above 2^{bits - 1}", words.up(words.least))
    yield Wish(f"nearest below 2^{bits}/sqrt(2)", words.down(middle))
    yield Wish(f"nearest above 2^{bits}/sqrt(2)", words.up(middle + 1))


def other_widths(words: ModulusWords) -> Iterator[Wish]:
    """The ends of the ranges of moduli with one and two bits fewer, and with one word fewer and more."""
    widths = (words.bits - 1, words.bits - 2, words.bits - words.word, words.bits + words.word)
    for bits in dict.fromkeys(width for width in widths if 1 < width <= MAX_WIDTH):
        other = ModulusWords(bits, words.word)
        yield Wish(f"nearest below 2^{bits}, of {bits} bits", other.down(other.end - 1))
        yield Wish(f"nearest above 2^{bits - 1}, of {bits} bits", other.up(other.least))


def boundary_bits(words: ModulusWords) -> Iterator[Wish]:
    """Bits beside the boundaries of words, 0 above which all are 1, or 1 above which all but the highest are 0."""
    bits, word = words.bits, words.word
    inner = range(1, bits - 1)
    for name, shift in ((f"{word}*k", 0), (f"{word}*k-1", -1)):
        some = [word * k + shift for k in range(1, words.count) if word * k + shift in inner]
        mask = sum(1 << bit for bit in some)
        if len(some) > 1:
            yield Wish(
                f"every bit {name} is 0; nearest below 2^{bits}", words.down(words.end - 1 - mask), has_bits(mask, 0)
            )
    for k in _outwards(words.count - 1):
        for bit in (word * k, word * k - 1):
            if bit not in inner:
                continue
            mask = 1 << bit
            zeros = words.down(words.end - 1 - mask)
            ones = words.up(words.least + mask)
            yield Wish(f"bit {bit} is 0; nearest below 2^{bits}", zeros, has_bits(mask, 0))
            yield Wish(f"bit {bit} is 1; nearest above 2^{bits - 1}", ones, has_bits(mask, mask))


def _outwards(count: int) -> Iterator[int]:
    """1 to count: the first, the last, then the others."""
    yield from dict.fromkeys((1, count) if count else ())
    yield from range(2, count)


def whole_words(words: ModulusWords) -> Iterator[Wish]:
    """The lowest, the middle and the highest word all ones or 0, and words of both in turn, if there are several."""
    if words.count == 1:
        return
    bits, last = words.bits, words.count - 1
    for index in dict.fromkeys((0, words.count // 2, last)):
        mask = words.mask(index)
        ones = words.up(words.least | mask, 1 << words.word if index == 0 else 2)
        yield Wish(f"word {index} is all ones; nearest above 2^{bits - 1}", ones, has_bits(mask, mask))
        if 0 < index < last:
            zeros = words.down(words.end - 1 - mask)
            yield Wish(f"word {index} is 0; nearest below 2^{bits}", zeros, has_bits(mask, 0))
    high = words.end - 1 - words.mask(0)
    turns = sum(words.mask(index) for index in range(last, 0, -2))
    name = f"every second word from {last} down to {2 - last % 2} is all ones, the others above word 0 are 0"
    if last > 1:
        yield Wish(f"{name}; nearest above 2^{bits - 1}", words.up(turns), has_bits(high, turns))


def has_bits(mask: int, value: int) -> Callable[[int], bool]:
    """The condition that the bits of p in a mask are those of a value."""
    return lambda p: p & mask == value
