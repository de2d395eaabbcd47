# SPDX-License-Identifier: Apache-2.0
"""Common parts of digit-serial Montgomery multiplications: parameters, closed form, claims, directed operands.

Conditions under which the closed form holds: the loop divides by R in total, adds a multiple of p to make each
division exact, takes quotient digits in [0, radix) and consumes every digit of the scanned operand. Then the quotient
digits are the digits of one Q in [0, R), and Q is unique because p is odd.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import Any

import gmpy2

from limbtrace.refmodels import expr
from limbtrace.refmodels.batch_digits import Digit, split, split_columns
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expr import Term
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Formula, Index, Run, Symbol, one_bit
from limbtrace.refmodels.representations import CANONICAL, Digits
from limbtrace.refmodels.settings import MAX_WIDTH

REDUCED, UNREDUCED = "reduced", "unreduced"
"""Whether the modulus is subtracted at the end, of models that leave it to the user."""


def negative_inverse(value: Any, bits: int) -> int:
    """-value^-1 mod 2^bits of an odd int, or the term of it of a term."""
    inverse: int = (
        expr.negative_inverse(value, bits)
        if isinstance(value, Term)
        else int(-gmpy2.invert(value, 1 << bits) % (1 << bits))
    )
    return inverse


class Montgomery:
    """Everything that follows from an odd modulus and R = 2^r_bits; a parameter object adds the fields."""

    modulus: int
    form: str

    @property
    def subtracts(self) -> bool:
        """True if the algorithm ends with a subtraction of p if the sum is not below p."""
        return False

    @property
    def limits(self) -> tuple[int, int]:
        """Largest a and b accepted (inclusive)."""
        raise NotImplementedError

    @cached_property
    def bits(self) -> int:
        """N, the bit length of the modulus."""
        return self.modulus.bit_length()

    @property
    def r_bits(self) -> int:
        """The logarithm of R."""
        raise NotImplementedError

    @property
    def domain(self) -> int:
        """R."""
        return 1 << self.r_bits

    @property
    def closed(self) -> bool:
        """True if the closed form gives the result: the printed forms have none."""
        return self.form == CORRECTED

    @property
    def added(self) -> int:
        """The factor of the quotient digits: p, or a multiple of p that makes them easier to find."""
        return self.modulus

    @property
    def formula(self) -> Formula | None:
        """The closed form as data."""
        return Formula(((self.added, self.r_bits),), "subtracted" if self.subtracts else "as it is")

    @property
    def full_multiples(self) -> tuple[int, ...]:
        """Possible values of result * R - a * b if every quotient digit is maximal."""
        return ((self.domain - 1) * self.modulus, *([-self.modulus] if self.subtracts else []))

    @property
    def written(self) -> tuple[Digits, Digits] | None:
        """The digits in which a user may give a and b; None here."""
        return None

    @property
    def representations(self) -> Mapping[str, Digits]:
        """The digit forms in which hardware keeps operands and results, by name; empty here."""
        return {}

    @property
    def filling(self) -> int:
        """The fill pattern of the operands' overlap bits; canonical by default, without any."""
        return CANONICAL

    @cached_property
    def negative_inverse(self) -> int:
        """The quotient digits of a product are those of its low half times this, mod R: -p^-1 mod R."""
        return negative_inverse(self.added, self.r_bits)

    @cached_property
    def _closed(self) -> tuple[gmpy2.mpz, gmpy2.mpz, gmpy2.mpz, int]:
        return gmpy2.mpz(self.added), gmpy2.mpz(self.negative_inverse), gmpy2.mpz(self.domain - 1), self.r_bits

    def domain_constants(self, modulus: str) -> dict[str, int]:
        """R and its powers modulo the modulus, the modulus being called `modulus`."""
        return {
            "R": self.domain,
            f"R mod {modulus}": self.domain % self.modulus,
            f"R^2 mod {modulus}": self.domain**2 % self.modulus,
        }


@dataclass(frozen=True)
class DigitSerial(Montgomery):
    """p odd, `digits` digits of `radix_bits` bits that hold it, `passes` passes, R = 2^(radix_bits * passes)."""

    modulus: int
    radix_bits: int
    digits: int
    passes: int
    form: str = CORRECTED

    def __post_init__(self) -> None:
        for name, (count, bits) in self.sizes.items():
            if count * bits > 2 * MAX_WIDTH:
                raise ParameterError(
                    name, f"{count} digits of {bits} bits are wider than the limit of {2 * MAX_WIDTH} bits"
                )

    @property
    def named(self) -> Mapping[str, Any]:
        """The numbers of digits and passes, by their names on the wire; a subclass may add further parameters."""
        raise NotImplementedError

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        """The counts of digits among `named`, each with the width of such a digit in bits."""
        return {name: (count, self.radix_bits) for name, count in self.named.items()}

    @cached_property
    def radix(self) -> int:
        """The weight of digit 1, called W in one paper and beta in another."""
        return 1 << self.radix_bits

    @cached_property
    def r_bits(self) -> int:
        return self.radix_bits * self.passes

    @cached_property
    def digit_inverse(self) -> int:
        """-p^-1 mod radix: the one digit that the loop needs."""
        return self.negative_inverse & (self.radix - 1)

    @cached_property
    def modulus_digits(self) -> list[int]:
        return split(self.modulus, self.radix_bits, self.digits)

    @property
    def written(self) -> tuple[Digits, Digits] | None:
        """The digits in which a user may give a and b: canonical ones, as many as an operand can have."""
        count = -(-max(self.limits).bit_length() // self.radix_bits)
        return Digits(self.radix_bits, count), Digits(self.radix_bits, count)

    def split(self, a: int, b: int) -> tuple[Any, Any]:
        """`digits` digits of a, `passes` digits of b: ints, even where the operands are integers of gmpy2."""
        return split(int(a), self.radix_bits, self.digits), split(int(b), self.radix_bits, self.passes)

    @cached_property
    def widest_bits(self) -> int:
        """Width of the widest sum of the loop, in bits; decides the kind of column."""
        raise NotImplementedError

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Like `split`, for a batch of products."""
        a_digits, b_digits = self.split(0, 0)
        return (
            split_columns(a, self.radix_bits, len(a_digits), self.widest_bits),
            split_columns(b, self.radix_bits, len(b_digits), self.widest_bits),
        )

    def symmetric_constants(self, modulus: str, inverse: str) -> dict[str, int]:
        """R, its powers modulo the modulus, and -modulus^-1 mod radix, which is called `inverse`."""
        return {**self.domain_constants(modulus), inverse: self.digit_inverse}


def exact_product(p: Montgomery, a: int, b: int) -> int:
    """(a*b + Q*p) / R with Q = -a*b*p^-1 mod R: the exact integer that the loop returns, without the loop."""
    return int(exact_products(p, [gmpy2.mpz(a)], [b])[0])


def exact_products(p: Montgomery, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """`exact_product` for a batch. The integers are those of gmpy2 if one of the columns is."""
    modulus, inverse, low, r_bits = p._closed
    return [(ab + ((ab & low) * inverse & low) * modulus) >> r_bits for ab in map(mul, a, b)]


def reduced_product(p: Montgomery, a: int, b: int) -> int:
    """`exact_product`, minus the modulus if it is not below the modulus."""
    return int(reduced_products(p, [gmpy2.mpz(a)], [b])[0])


def reduced_products(p: Montgomery, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """`reduced_product` for a batch, with integers as those of `exact_products`."""
    modulus = p._closed[0]
    return [value - modulus if value >= modulus else value for value in exact_products(p, a, b)]


def subtract(S: Digit, modulus: int, bits: int) -> tuple[Digit, Digit]:
    """The final subtraction: whether S >= modulus, and S reduced by it if so; S and modulus are below 2^bits."""
    sub = (S + ((1 << bits) - modulus)) >> bits
    return sub, S - sub * modulus


def below_radix(run: Run[DigitSerial], index: Index) -> int:
    """Limit of a step that is one digit."""
    return run.params.radix - 1


def below_modulus(run: Run, index: Index) -> int:
    """Limit of a step that is reduced."""
    return int(run.params.modulus) - 1


def partial_product(a: int, b: int, modulus: int, exponent: int) -> int:
    """(a*b + Q*modulus) / 2^exponent: the accumulator after the digits in b have been scanned."""
    r = 1 << exponent
    return (a * b + (-a * b * pow(modulus, -1, r)) % r * modulus) >> exponent


def quotient_claim(name: str, step: str, statement: str, reference: str) -> Claim[DigitSerial]:
    """Every `step` of pass i is digit i of Q, the quotient of the closed form."""

    def holds(run: Run[DigitSerial], index: Index, value: int) -> bool:
        p = run.params
        return value == (run.a * run.b * p.negative_inverse >> p.radix_bits * index[0]) % p.radix

    return Claim(name, statement, reference, step, holds)


def below_sum(run: Run[DigitSerial], value: int) -> bool:
    """True if a value is below p + ab/R, where p is the added multiple of the modulus; 0 always is."""
    p = run.params
    return value == 0 or (value - p.added) * p.domain < run.a * run.b


def largest_sum(run: Run[DigitSerial], _: Index) -> int:
    """Limit of a value below p + ab/R, where p is the added multiple of the modulus."""
    return run.params.added + (run.a * run.b - 1) // run.params.domain


def subtraction_symbols(range: str = "< p") -> tuple[Symbol[Montgomery], ...]:
    """The final subtraction and the result."""
    return (
        Symbol("sub", "", "whether p is subtracted at the end", "one bit", one_bit),
        Symbol("Z", "", "result", range, below_modulus),
    )


def subtraction_claim(total: str, reference: str) -> Claim[DigitSerial]:
    """Claims about the effect of the final subtraction on the step `total`."""

    def holds(run: Run[DigitSerial], _: Index, value: int) -> bool:
        return value == exact_product(run.params, run.a, run.b) - run.at("sub") * run.params.modulus

    return Claim("final subtraction", f"Z = {total} - sub*p", reference, "Z", holds)


def corners(p: Montgomery) -> Iterator[Corner]:
    """Cases that random operands do not reach: quotient digits all 0 or all maximal, result p, largest operands."""
    a_max, b_max = p.limits
    return (corner for corner in _corners(p, a_max, b_max) if corner.a <= a_max and corner.b <= b_max)


def _corners(p: Montgomery, a_max: int, b_max: int) -> Iterator[Corner]:
    top = p.bits - 1
    if 0 <= p.r_bits - top <= top:
        yield Corner(1 << top, 1 << (p.r_bits - top), "a*b = R: every quotient digit is 0")
    # a*b = p modulo the weight of the last quotient digit: all digits below it are maximal.
    weights = [(p.domain, "every quotient digit")]
    if isinstance(p, DigitSerial):
        weights.append((p.domain >> p.radix_bits, "every quotient digit but the last"))
    for weight, which in weights:
        for a in (3, 5, 0x10001, (1 << top) | 1, p.modulus - 2):
            wide = p.modulus * pow(a, -1, weight) % weight
            yield Corner(*((a, wide) if wide <= b_max else (wide, a)), f"{which} is maximal")
    left = "p before the subtraction" if p.subtracts else "p, not 0"
    yield Corner(p.modulus, 1, f"a = p: the result is {left}")
    yield Corner(p.modulus - 1, p.modulus - 1, "a = b = p - 1")
    yield Corner(a_max, b_max, "both operands as large as they may be")
    yield Corner(p.modulus - 1, 1, "leaving the domain with the largest residue")
    yield Corner(p.domain % p.modulus, p.modulus - 1, "a = R mod p: the result is congruent to b")
    yield Corner(p.domain**2 % p.modulus, p.modulus - 1, "a = R^2 mod p: b enters the domain")


def serial_corners(p: DigitSerial) -> Iterator[Corner]:
    """The operands of `corners`, and operands a from p to 2^N - 1 for algorithms that accept them.

    For many moduli few numbers of that width exceed p.
    """
    yield from corners(p)
    a_max, b_max = p.limits
    for a in (p.modulus, p.modulus + 1, (p.modulus + a_max) // 2, a_max):
        if p.modulus <= a <= a_max:
            yield from (Corner(a, b, "a is not below p") for b in (1, b_max // 2, b_max - 1, b_max))
