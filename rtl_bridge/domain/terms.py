# SPDX-License-Identifier: Apache-2.0
"""The language of conditions on a modulus p of N bits: terms of it, compared with a number.

Each condition is text that key `modulus` of a `core.toml` takes, and a function that computes the same faster.

    p                   size: p < 2^64 - 59; at a power of two it is said of N, the bits: N <= 63;
                        of at most 8 bits a single one, too: p != 4
    2^N - p             how far p is below the next power of two
    (p >> i) % 2        a bit
    (p >> w*k) % 2^w    a word of w bits, of which 0, 1 and all ones are singled out
    p % 2^k             the lowest bits, which decide p' = -p^-1 mod 2^k; odd, even
    N, N % w            bits, and those of the highest word
    p % 3, 5, 7
    prime
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from limbtrace.refmodels.directed_moduli import DirectedModulus
from limbtrace.refmodels.primes import Modulus
from limbtrace.rtl_bridge.description.formula import MAX_LENGTH
from limbtrace.vectors.report.diagnose import MACHINE_WORDS

LESS, LEAST, EQUAL, OTHER = "<", ">=", "==", "!="
LOWEST_BITS = 5
"""Most of the lowest bits of p of which every value is a condition."""
SINGLE_BITS = 8
"""Up to so many bits single moduli are singled out."""
SMALL_FACTORS = (3, 5, 7)


@dataclass(frozen=True)
class ModulusTerm:
    """A number that follows from a modulus."""

    text: str
    """As an expression over p and N."""
    value: Callable[[int], int]
    cost: float
    """The cost of saying something of it: of conditions that separate equally well, the cheapest is shown."""
    with_value: Callable[[int, int], int] | None = None
    """(a value, a modulus) -> a number near the modulus for which the term has that value, or nearly so."""
    bits: int | None = None
    """Its values have so many bits; None: as many as p."""
    ordered: bool = False
    """True if it may be bounded, and False if values of it may be singled out."""


@dataclass(frozen=True)
class ModulusAtom:
    """A term compared with a number."""

    term: ModulusTerm
    relation: str
    number: int

    def holds(self, p: int) -> bool:
        """True if a modulus fulfils it."""
        value = self.term.value(p)
        if self.relation == LESS:
            return value < self.number
        if self.relation == LEAST:
            return value >= self.number
        return (value == self.number) == (self.relation == EQUAL)

    @cached_property
    def text(self) -> str:
        """As a condition of `core.toml`."""
        if self.term.text in ("p % 2", "prime"):
            name = "odd" if self.term.text == "p % 2" else "prime"
            return name if (self.number == 1) == (self.relation == EQUAL) else "even"
        power = self.number.bit_length() - 1
        if self.term is MODULUS and self.number == 1 << power:
            return f"N <= {power}" if self.relation == LESS else f"N > {power}"
        if self.term.text == "N" and self.relation == LESS:
            return f"N <= {self.number - 1}"
        return f"{self.term.text} {self.relation} {number_text(self.number)}"

    @property
    def cost(self) -> float:
        """Of the term and of the number."""
        if not self.term.ordered:
            return self.term.cost + (0 if self.relation == OTHER or self.term.bits == 1 else 0.25)
        odd = self.number // (self.number & -self.number) if self.number else 0
        return self.term.cost + min(odd.bit_length(), 64) / 64

    @property
    def is_condition(self) -> bool:
        """True if key `modulus` of a `core.toml` can say it: it is short enough, and not that p is composite."""
        return len(self.text) <= MAX_LENGTH and not (self.term.text == "prime" and self.text == "even")

    def near(self, like: int, random: Random, *, fulfilled: bool) -> int | None:
        """A number that resembles a modulus and fulfils the condition or not, often at its border; None: no way."""
        if self.term.with_value is None:
            return None
        if self.term.ordered:
            distance = random.getrandbits(random.randrange(max(self.number.bit_length(), 1)) + 1)
            below = fulfilled == (self.relation == LESS)
            value = self.number - 1 - distance if below else self.number + distance
        elif fulfilled == (self.relation == EQUAL):
            value = self.number
        else:
            value = random.getrandbits(self.term.bits or like.bit_length())
        return self.term.with_value(max(value, 0), like)


def rounded(atom: ModulusAtom) -> ModulusAtom:
    """A bound of the modulus with the next power of two that is stricter in its place; another atom as it is."""
    if atom.term is not MODULUS:
        return atom
    low = 1 << (atom.number.bit_length() - 1)
    return replace(atom, number=low if atom.relation == LESS or atom.number == low else 2 * low)


def number_text(number: int) -> str:
    """A number as it is written in a condition: in powers of two where that is short."""
    if number < 1 << 10:
        return str(number)
    return DirectedModulus(number, "").expression or f"{number:#x}"


def all_fulfilled(atoms: Sequence[ModulusAtom], p: int) -> bool:
    """True if a modulus fulfils all of them."""
    return all(atom.holds(p) for atom in atoms)


def simplest(low: int, high: int) -> int:
    """The number above `low`, up to `high`, with the most zeros at its end; 0 <= low < high."""
    shift = (low ^ high).bit_length() - 1
    return high >> shift << shift


MODULUS = ModulusTerm("p", lambda p: p, 1.0, lambda value, _: value, ordered=True)
EXACT = ModulusTerm("p", lambda p: p, 1.0, lambda value, _: value)
BELOW_POWER = ModulusTerm(
    "2^N - p",
    lambda p: (1 << p.bit_length()) - p,
    2.5,
    lambda value, p: max((1 << p.bit_length()) - value, 1),
    ordered=True,
)
PARITY = ModulusTerm("p % 2", lambda p: p & 1, 0.5, lambda value, p: p & ~1 | value & 1, bits=1)
PRIME = ModulusTerm("prime", lambda p: int(Modulus(p).primality == "prime"), 2.5, bits=1)


def terms(bits: int, words: Sequence[int] = ()) -> list[ModulusTerm]:
    """Terms of moduli of up to so many bits, the shortest first; `words`: widths of words beside the common ones."""
    widths = sorted({width for width in (*words, *MACHINE_WORDS) if 1 < width < bits})
    return [
        MODULUS,
        *([EXACT] if bits <= SINGLE_BITS else []),
        BELOW_POWER,
        PARITY,
        ModulusTerm("N", int.bit_length, 1.2, _with_bits, bits=bits.bit_length()),
        *(_bit(index) for index in range(1, bits)),
        *(_lowest(count) for count in range(2, min(LOWEST_BITS, bits) + 1)),
        *(_lowest(width) for width in widths),
        *_words(bits, widths),
        *(_top(width) for width in widths),
        *(_remainder(factor) for factor in SMALL_FACTORS),
        PRIME,
    ]


def _bit(index: int) -> ModulusTerm:
    def with_value(value: int, p: int) -> int:
        return p & ~(1 << index) | (value & 1) << index

    return ModulusTerm(f"(p >> {index}) % 2", lambda p: p >> index & 1, 1.1, with_value, bits=1)


def _part(low: int, width: int) -> tuple[Callable[[int], int], Callable[[int, int], int]]:
    """Bits of a number from `low` on: their value, and the number with another one."""
    mask = (1 << width) - 1
    return (lambda p: p >> low & mask), (lambda value, p: p & ~(mask << low) | (value & mask) << low)


def _lowest(count: int) -> ModulusTerm:
    value, with_value = _part(0, count)
    return ModulusTerm(f"p % 2^{count}", value, 1.3, with_value, bits=count)


def _words(bits: int, widths: Sequence[int]) -> Iterator[ModulusTerm]:
    for width in widths:
        for low in range(width, bits, width):
            value, with_value = _part(low, width)
            yield ModulusTerm(f"(p >> {low}) % 2^{width}", value, 1.2, with_value, bits=width)


def _with_bits(value: int, p: int) -> int:
    """A number of so many bits that resembles p below its highest one."""
    top = 1 << max(value - 1, 0)
    return top | p & (top - 1)


def _top(width: int) -> ModulusTerm:
    return ModulusTerm(f"N % {width}", lambda p: p.bit_length() % width, 1.6, bits=width.bit_length())


def _remainder(factor: int) -> ModulusTerm:
    def with_value(value: int, p: int) -> int:
        return p - p % factor + value % factor

    return ModulusTerm(f"p % {factor}", lambda p: p % factor, 1.8, with_value, bits=factor.bit_length())
