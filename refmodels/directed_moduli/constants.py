# SPDX-License-Identifier: Apache-2.0
"""Wishes about the constants that hardware has beside a modulus: Montgomery's p' and R, and Barrett's quotient."""

from collections.abc import Callable, Iterator
from math import isqrt

from limbtrace.refmodels.directed_moduli.wish import ModulusWords, Wish


def montgomery_inverses(words: ModulusWords) -> Iterator[Wish]:
    """p' = -p^-1 modulo 2^w, which is its own inverse up to the sign for these four."""
    bits, word = words.bits, words.word
    radix, half = 1 << word, 1 << (word - 1)
    of_residue = {radix - 1: 1, 1: radix - 1, half - 1: half + 1, half + 1: half - 1} if word > 2 else {3: 1, 1: 3}
    names = {1: "1", radix - 1: f"2^{word}-1", half + 1: f"2^{word - 1}+1", half - 1: f"2^{word - 1}-1"}
    if word == 1:
        return
    for residue, inverse in of_residue.items():
        said = f"p' = -p^-1 mod 2^{word} is {names[inverse]}, p = {names[residue]} mod 2^{word}"
        yield Wish(f"{said}; nearest below 2^{bits}", words.down(_below(words.end, residue, radix), radix))
        yield Wish(f"{said}; nearest above 2^{bits - 1}", words.up(_above(words.least, residue, radix), radix))


def _below(limit: int, residue: int, radix: int) -> int:
    """The largest number below a limit with that residue."""
    return limit - 1 - (limit - 1 - residue) % radix


def _above(limit: int, residue: int, radix: int) -> int:
    """The least number from a limit on with that residue."""
    return limit + (residue - limit) % radix


def montgomery_factors(words: ModulusWords) -> Iterator[Wish]:
    """R mod p, of the powers of two that are used as R, near 0 and near p; R^2 mod p with a word of 0 or of ones."""
    near = 1 << (words.bits // 2)
    for exponent in dict.fromkeys((words.word * words.count, words.bits, words.bits + 2)):
        power, wider = 1 << exponent, exponent - words.bits
        # p is about R / multiple, and then R mod p grows by `multiple` with every step away from that.
        multiple = (1 << wider) + 1 if wider else 1
        other = 3 * (1 << wider) // 2 + 1
        root = isqrt(power // multiple)
        short = 1 << max(words.word * (words.count - 1) // 2 - 1, 0)
        yield Wish(
            f"2^{exponent} mod p is below 2^{words.bits // 2}",
            words.down(power // multiple),
            _remainder(power, lambda found, p: found < near),
        )
        yield Wish(
            f"2^{exponent} mod p is above p - 2^{words.bits // 2}",
            words.up(power // other + 1),
            _remainder(power, lambda found, p: found > p - near),
        )
        for name, start, pattern in (
            ("0", words.down((power - short) // multiple), 0),
            ("ones", words.up((power - root) // multiple + 1), -1),
        ):
            yield Wish(
                f"2^{2 * exponent} mod p has a word of {name}",
                start,
                _remainder(power * power, _has_word(words, pattern)),
            )


def _remainder(power: int, holds: Callable[[int, int], bool]) -> Callable[[int], bool]:
    """The condition on p that something holds for (power mod p, p)."""
    return lambda p: holds(power % p, p)


def _has_word(words: ModulusWords, pattern: int) -> Callable[[int, int], bool]:
    """The condition that a word of the first number is 0 or, for -1, all ones."""
    masks = [words.mask(index) for index in range(words.count)]
    return lambda found, _: any(found & mask == pattern & mask for mask in masks)


def barrett_quotients(words: ModulusWords) -> Iterator[Wish]:
    """floor(2^(2N)/p) with its lowest word or a middle one 0 or all ones, for a modulus of more than one word."""
    if words.count == 1:
        return
    square, radix = 1 << (2 * words.bits), 1 << words.word
    middle = 3 * words.least  # its words are 0 but for the highest, and those of one less are all ones
    name = f"floor(2^{2 * words.bits}/p)"
    for pattern, text in ((0, "0"), (-1, "all ones")):
        quotients = range(_above(middle, pattern % radix, radix), 2 * words.end, radix)
        odd = (p for p in (square // each for each in quotients) if p % 2)
        yield Wish(f"word 0 of {name} is {text}", odd, _word_of(words, 0, square, pattern))
    index = words.count // 2
    if words.word * (index + 1) >= words.bits:
        return
    yield Wish(f"word {index} of {name} is 0", words.down(square // middle), _word_of(words, index, square, 0))
    yield Wish(
        f"word {index} of {name} is all ones", words.up(square // middle + 1), _word_of(words, index, square, -1)
    )


def _word_of(words: ModulusWords, index: int, square: int, pattern: int) -> Callable[[int], bool]:
    """The condition that a word of the quotient of Barrett's reduction is 0 or, for -1, all ones."""
    mask = words.mask(index)
    return lambda p: square // p & mask == pattern & mask
