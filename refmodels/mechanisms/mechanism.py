# SPDX-License-Identifier: Apache-2.0
"""The type of a mechanism, and of the operation that hardware performs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import gmpy2

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.pair_columns import BoolColumn, PairColumns

WORDS = (64, 32, 52, 26, 51, 29, 17, 28, 16, 24, 56, 8)
"""Common widths of limbs: of processors, of vector units, of multipliers in FPGAs, and of lazy carries."""
WIDE = 256
"""Words of virtual machines for proofs, which are limbs of longer numbers."""
MACHINE_WORDS = (16, 32, 64)
"""Words of which the smallest that holds the modulus is tried, too."""
MOST_WORDS = 8
"""Widths that are tried for one modulus."""
ATTEMPTS = 48
"""Pairs that a constructor offers."""


@dataclass(frozen=True)
class ReducedProduct:
    """An integer that hardware reduces modulo `modulus`: made of a up to `a_most` and b up to `b_most`.

    Without a b, `b_most` is 0. A product that is not reduced has a power of two above both operands as modulus.
    """

    modulus: int
    a_most: int
    b_most: int
    reduced: Literal["a*b", "a*a", "a"] = "a*b"
    domain: int = 1
    """The result is the reduced integer divided by this, modulo `modulus`; Montgomery's R, or 1."""
    whole: bool = False
    """True if the product is the result, and nothing is reduced."""

    @property
    def unary(self) -> bool:
        return self.reduced != "a*b"

    @property
    def squares(self) -> bool:
        return self.reduced == "a*a"

    @cached_property
    def bits(self) -> int:
        return self.modulus.bit_length()

    def product(self, a: int, b: int) -> int:
        """The integer that is reduced."""
        return a * a if self.squares else a if self.unary else a * b

    @property
    def largest(self) -> int:
        """The largest integer that is reduced."""
        return self.product(self.a_most, self.b_most)

    def result(self, a: int, b: int) -> int:
        """The integer reduced, from 0 to modulus - 1."""
        return self.product(a, b) * self._factor % self.modulus

    @cached_property
    def _factor(self) -> int:
        return 1 if self.domain == 1 else int(gmpy2.invert(self.domain, self.modulus))

    def columns(self, pairs: Sequence[Pair]) -> PairColumns:
        """Of many pairs: a, b, the integer `t`, its `rest` modulo p, the `result`, and p - result, `below p`."""
        p = self.modulus
        return PairColumns(
            pairs,
            {
                "a": lambda a, b: a,
                "b": lambda a, b: b,
                "t": self.product,
                "rest": lambda a, b: self.product(a, b) % p,
                "result": self.result,
                "below p": lambda a, b: p - self.result(a, b),
            },
        )

    def words(self, given: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Widths of limbs that are tried: those given, or one that holds the modulus, and common ones below."""
        if given:
            return given
        whole = [width for width in MACHINE_WORDS if width >= self.bits][:1]
        parts = [width for width in WORDS if width < self.bits]
        if self.bits > 2 * WIDE:
            parts.insert(2, WIDE)
        return tuple([*whole, *parts][:MOST_WORDS])

    def limbs(self, width: int) -> int:
        """Limbs of the modulus."""
        return -(-self.bits // width)

    def montgomery(self, width: int) -> int:
        """Montgomery's R for limbs of that width."""
        return 1 << (width * self.limbs(width))


Construct = Callable[[ReducedProduct, int, int, Draw], Iterator[Pair]]
"""(operation, width of limbs, number of the variant, random numbers) -> operands that ought to show it."""


@dataclass(frozen=True)
class Mechanism:
    """Something that hardware does, at its extreme."""

    name: str
    statement: str
    hunts: str
    """The fault that it finds."""
    variants: Callable[[ReducedProduct, int], int]
    """(operation, width of limbs) -> how many variants there are; 0 if it does not apply."""
    construct: Construct
    holds: Callable[[ReducedProduct, int, int, int, int], bool]
    """(operation, width of limbs, number of the variant, a, b) -> whether the operands show it."""
    may: Callable[[ReducedProduct, int, int, PairColumns], BoolColumn]
    """(operation, width of limbs, number of the variant, many pairs) -> False only where `holds` is."""
    first: int = 1
    """Variants that are shown in the first turn; 0: none before the second turn."""
    per_word: bool = True
    """False if it is the same for limbs of any width."""
    reduces: bool = False
    """True if it is about the modulus, and so not about a product that is not reduced."""


@dataclass(frozen=True)
class MechanismCase:
    """Operands that show a mechanism."""

    mechanism: Mechanism
    width: int
    variant: int
    pair: Pair

    @property
    def label(self) -> str:
        """As comments of vectors name it: "ones[2] in limbs of 64 bits"."""
        where = f" in limbs of {self.width} bits" if self.mechanism.per_word else ""
        return f"{self.mechanism.name}[{self.variant}]{where}"
