# SPDX-License-Identifier: Apache-2.0
"""Numbers in two's complement, and the integers from 0 on that stand for them where models and documents have none."""

from dataclasses import dataclass
from functools import cached_property

from limbtrace.rtl_bridge.binding.formulas import Formulas


@dataclass(frozen=True)
class SignedRange:
    """The numbers from `least` to `most`, of which the least is not above 0 and the largest not below it.

    A number that is not negative stands for itself. A negative one has a multiple of the modulus added to it, the least
    one with which no two numbers have the same integer. Documents, models and `--operands` have these integers.
    """

    least: int
    most: int
    modulus: int

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return self.most - self.least + 1

    @property
    def is_complete(self) -> bool:
        """True if every residue is one of the numbers."""
        return self.count >= self.modulus

    @cached_property
    def added(self) -> int:
        """The multiple of the modulus that is added to a negative number."""
        return -(-self.count // self.modulus) * self.modulus

    @property
    def bits(self) -> int:
        """Bits of two's complement that hold every number."""
        return max(self.most.bit_length(), (-self.least - 1).bit_length()) + 1

    def integer(self, number: int) -> int:
        """The integer that stands for a number."""
        return number + self.added if number < 0 else number

    def number(self, integer: int) -> int:
        """The number that an integer in [0, added) stands for.

        Between the largest number and the integer of the least one there may be integers of no number. They stand for
        the negative number with the same residue, and so for one that has an integer of its own.
        """
        if integer <= self.most:
            return integer
        return integer - self.added + (self.modulus if integer < self.added + self.least else 0)

    def image(self, integer: int, width: int) -> int:
        """The number that an integer stands for as two's complement of that many bits."""
        return self.number(integer) & ((1 << width) - 1)

    def from_image(self, image: int, width: int) -> int:
        """The integer of a number in two's complement of that many bits; the inverse of `image`."""
        return self.integer(image - (1 << width) if image >> (width - 1) else image)


def signed_ranges(formulas: Formulas) -> dict[str, SignedRange]:
    """The ranges of the operands in two's complement, by name. Raises ParameterError("core")."""
    file, multiplier, found = formulas.core.file, formulas.multiplier, dict[str, SignedRange]()
    for name, (key, given) in file.signed.items():
        if not multiplier.model.has_modulus:
            raise formulas.core.error(f"{key} is signed, and {multiplier.model.id} has no modulus")
        assert given.below is not None
        below = formulas.bound(f"{key}.below", given.below)
        above = -below if given.above is None else formulas.exclusive_least(f"{key}.above", given.above)
        found[name] = SignedRange(above + 1, below - 1, multiplier.modulus.modulus)
    return found
