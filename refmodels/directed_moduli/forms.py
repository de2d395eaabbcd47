# SPDX-License-Identifier: Apache-2.0
"""Wishes about how a modulus is made: forms that reduce fast, composite moduli, and even ones."""

from collections.abc import Iterator
from itertools import chain, islice
from math import isqrt

import gmpy2

from limbtrace.refmodels.directed_moduli.wish import ModulusWords, Wish

MAX_PRIME_WIDTH = 2048
"""Widest modulus that is looked for among primes, or made of them, in bits."""
FEW = 64
"""Most primes that are tried as a factor."""


def fast_forms(words: ModulusWords) -> Iterator[Wish]:
    """Sums of a few powers of two, and one more or less than a multiple of a power of R's radix."""
    bits, last = words.bits, words.word * (words.count - 1)
    for sign, text in ((-1, "- 1"), (1, "+ 1")):
        some = (words.end - (1 << a) + sign for a in _exponents(words))
        yield Wish(f"of the form 2^{bits} - 2^a {text}", (p for p in some if p >= words.least))
    if last > 1:
        for sign, text in ((-1, "- 1"), (1, "+ 1")):
            yield Wish(
                f"of the form c*2^{last} {text}; nearest below 2^{bits}",
                words.down(_last(words, last, sign), 1 << last),
            )
    four = (words.end - (1 << a) + (1 << b) - 1 for a in _exponents(words) for b in _exponents(words) if b < a)
    yield Wish(f"of the form 2^{bits} - 2^a + 2^b - 1", four)


def _last(words: ModulusWords, exponent: int, sign: int) -> int:
    """The largest number of the width that is one more or less than a multiple of 2^exponent."""
    return words.end - (1 << exponent) + 1 if sign > 0 else words.end - 1


def _exponents(words: ModulusWords) -> Iterator[int]:
    """Exponents below the width, from the highest: first the boundaries of words, then the others."""
    word = words.word
    boundaries = range(word * (words.count - 1), 0, -word)
    return chain(boundaries, (a for a in range(words.bits - 1, 0, -1) if a % word))


def composites(words: ModulusWords) -> Iterator[Wish]:
    """Products of two primes of half the width, of 3 and a prime, and squares of primes."""
    if words.bits > MAX_PRIME_WIDTH:
        return
    root = isqrt(words.end - 1)
    first = next(_primes_from(root, 3), 0)
    products = (first * other for other in _primes_from(first - 1, -(-words.least // max(first, 1))))
    yield Wish("product of two primes of half the width", products, factors=lambda p: f"{first:#x}*{p // first:#x}")
    thirds = (3 * other for other in _primes_from((words.end - 1) // 3, -(-words.least // 3)))
    yield Wish("3 times a prime", thirds, factors=lambda p: f"3*{p // 3:#x}")
    squares = (other * other for other in _primes_from(root, isqrt(words.least - 1) + 1))
    yield Wish("square of a prime", squares, factors=lambda p: f"{isqrt(p):#x}^2")


def _primes_from(number: int, least: int) -> Iterator[int]:
    """The next few odd primes from a number on downwards, none of them below the least."""
    down = range(number if number % 2 else number - 1, max(least, 3) - 1, -2)
    return islice((each for each in down if gmpy2.is_prime(each, 25)), FEW)


def even(words: ModulusWords) -> Iterator[Wish]:
    """A power of two, twice a prime, the largest, and a lowest word of 0."""
    bits, word = words.bits, words.word
    yield Wish(f"2^{bits - 1}, and floor(2^{2 * bits}/p) is a power of two, too", [words.least])
    if bits <= MAX_PRIME_WIDTH:
        halves = (2 * half for half in _primes_from(words.least - 1, words.least // 2))
        yield Wish("twice a prime", halves, factors=lambda p: f"2*{p // 2:#x}")
    yield Wish("the largest even one", [words.end - 2])
    if words.count > 1:
        yield Wish("word 0 is 0, all the others are all ones", [words.end - (1 << word)])
