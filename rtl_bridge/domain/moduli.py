# SPDX-License-Identifier: Apache-2.0
"""Moduli to try: of every number of bits, with patterns of bits and words, directed and random ones."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from random import Random

from limbtrace.refmodels.directed_moduli import directed_moduli
from limbtrace.vectors.report.diagnose import MACHINE_WORDS

SMALL = 17
"""Every modulus up to it is tried."""
NEIGHBOURS = 256
"""Numbers beside one that a core does not take, of which the nearest that it takes is tried."""


def spread(widths: Sequence[int], word: int, seed: int) -> Iterator[int]:
    """Numbers of at least 2, one of each kind after the other: the most telling ones first.

    `widths`: in bits, ascending; most are of the widest. `word`: bits of a word.
    """
    random, bits = Random(seed), widths[-1]
    kinds: list[Iterable[int]] = [
        (entry.modulus for entry in directed_moduli(max(bits, 2), word, composite="yes", even=True)),
        _of_widths(widths, random),
        _single_bits(bits),
        _words(bits, word, random),
        (_drawn(bits, random) for _ in range(2 * bits)),
        range(2, SMALL + 1),
    ]
    in_turn = chain.from_iterable(zip_longest(*kinds))
    return (p for p in dict.fromkeys(in_turn) if p is not None and 2 <= p < 1 << bits)


def few(widths: Sequence[int], word: int, seed: int) -> Iterator[int]:
    """As `spread`, if no more than a few can be tried: a random one of a width, and a directed one of the widest."""
    random = Random(seed)
    directed = (entry.modulus for entry in directed_moduli(widths[-1], word, composite="yes", even=True))
    drawn = (_drawn(bits, random) for bits in dict.fromkeys((*halved(widths), *reversed(widths))))
    widest = (_drawn(widths[-1], random) for _ in widths)
    in_turn = chain.from_iterable(zip_longest(drawn, widest, directed))
    return (p for p in dict.fromkeys(in_turn) if p is not None)


def _drawn(bits: int, random: Random) -> int:
    """A random number of so many bits, odd in three of four cases."""
    return random.getrandbits(bits) | 1 << (bits - 1) | (random.randrange(4) > 0)


def _of_widths(widths: Sequence[int], random: Random) -> Iterator[int]:
    """The ends of each width, and random numbers, the widest first, then in halves."""
    ordered = list(dict.fromkeys((*halved(widths), *reversed(widths))))
    for bits in ordered:
        yield from ((1 << bits) - 1, 1 << (bits - 1) | 1, _drawn(bits, random), _drawn(bits, random), 1 << (bits - 1))


def halved(widths: Sequence[int]) -> Iterator[int]:
    """The last, the first, the middle one, then those in the middle of what is left."""
    yield widths[-1]
    yield widths[0]
    parts = [(0, len(widths) - 1)]
    for low, high in parts:
        middle = (low + high) // 2
        if low < middle:
            yield widths[middle]
            parts += [(low, middle), (middle, high)]


def _single_bits(bits: int) -> Iterator[int]:
    """All ones but for one bit, and one bit beside the highest and the lowest one."""
    for index in range(bits - 1):
        yield (1 << bits) - 1 - (1 << index)
        yield 1 << (bits - 1) | 1 << index | 1


def _words(bits: int, word: int, random: Random) -> Iterator[int]:
    """Random numbers with a word of zeros or of ones, or with a few of either."""
    for width in dict.fromkeys((word, *MACHINE_WORDS)):
        for low in range(0, bits - 1, width) if width < bits else ():
            mask = ((1 << min(width, bits - low)) - 1) << low
            base = _drawn(bits, random)
            yield base | mask
            yield base & ~mask | 1 << (bits - 1) | (base & 1)
            yield base & ~mask | 1 << (bits - 1) | 1 << low


def nearest(p: int, takes: Callable[[int], bool], permitted: Callable[[int], bool]) -> int | None:
    """The number nearest to one, at first among odd ones, that a core takes; None if it takes none nearby."""
    if permitted(p) and takes(p):
        return p
    odd = p | 1
    around = (odd + side * step for step in range(0, NEIGHBOURS, 2) for side in (1, -1))
    for other in around:
        if other > 1 and permitted(other):
            return other if takes(other) else None
    return None
