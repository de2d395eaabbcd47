# SPDX-License-Identifier: Apache-2.0
"""Moduli on purpose: those at which hardware for a width and a word size is likely to be wrong, each with a reason.

Everything follows from the arguments alone, so the list is the same on every machine.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest
from typing import Literal

import gmpy2

from limbtrace.refmodels.directed_moduli import constants, forms, patterns
from limbtrace.refmodels.directed_moduli.wish import ModulusWords, Wish
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.primes import Modulus
from limbtrace.refmodels.settings import MAX_WIDTH

COMPOSITES = ("no", "yes", "only")
"""Whether moduli are prime, any, or composite."""
LEAST_TRIED, TRIED_BY_BIT = 512, 16
"""Most candidates of a wish: so many beside so many for each bit of p. Every third of a bit, an odd number is prime."""
FEW_TERMS, MORE_TERMS = 3, 5
"""Most powers of two in an expression, and where no other one is short."""
SMALL = 1 << 32
"""Limit of a last number, other than a power of two, in an expression."""


@dataclass(frozen=True)
class DirectedModulus:
    """A modulus with the reason why it is listed."""

    modulus: int
    reason: str
    """A phrase about p."""
    factored: str = ""
    """The factors that were multiplied to make it, as an expression; empty if it was found otherwise."""

    @cached_property
    def primality(self) -> Literal["prime", "composite", "prime power"]:
        """As `Modulus.primality` says it, or "prime power" for a power of such a prime with an exponent above 1."""
        if Modulus(self.modulus).primality == "prime":
            return "prime"
        return "prime power" if _is_prime_power(self.modulus) else "composite"

    @cached_property
    def expression(self) -> str:
        """The modulus in powers of two or as factors; empty if there is nothing short."""
        return self.factored or _in_powers(self.modulus)


def _is_prime_power(number: int) -> bool:
    """True for a power of a prime, of an exponent above 1."""
    if not gmpy2.is_power(number):
        return False
    roots = (gmpy2.iroot(number, exponent) for exponent in range(2, number.bit_length()))
    return any(exact and Modulus(int(root)).primality == "prime" for root, exact in roots)


def _in_powers(number: int) -> str:
    """A number as a few powers of two, or as one of them and a small number; empty if it is neither."""
    bits = number.bit_length()
    terms = _signed_powers(number)
    if len(terms) <= FEW_TERMS:
        return _written(terms)
    below, above, small = (1 << bits) - number, number - (1 << (bits - 1)), min(SMALL, 1 << bits // 2)
    if below < small:
        return f"2^{bits} - {below}"
    if above < small:
        return f"2^{bits - 1} + {above}"
    return _written(terms) if len(terms) <= MORE_TERMS else ""


def _signed_powers(number: int) -> list[tuple[int, int]]:
    """(sign, exponent) of the powers of two in the non-adjacent form of a number, the highest first; of many, a few."""
    terms: list[tuple[int, int]] = []
    while number and len(terms) <= MORE_TERMS:
        low = (number & -number).bit_length() - 1
        sign = 2 - (number >> low & 3)
        terms.insert(0, (sign, low))
        number -= sign << low
    return terms


def _written(terms: list[tuple[int, int]]) -> str:
    """Powers of two as an expression; the highest has no sign."""
    said = [(" + " if sign > 0 else " - ") + (str(1 << low) if low < 2 else f"2^{low}") for sign, low in terms]
    return "".join(said).removeprefix(" + ")


def _takes_any(_: int) -> bool:
    return True


def directed_moduli(
    bits: int,
    word: int,
    *,
    composite: str = "no",
    even: bool = False,
    other_widths: bool = False,
    takes: Callable[[int], bool] = _takes_any,
) -> Iterator[DirectedModulus]:
    """Moduli of `bits` bits for words of `word` bits, no modulus twice, one of every kind of reason after the other.

    `composite`: one of COMPOSITES. `even`: even moduli, too, of which all but 2 are composite. `other_widths`: moduli
    of one and two bits fewer, and of one word fewer and more, too. `takes`: the further condition on all of them.

    "Nearest" in a reason is among the moduli that these arguments leave. A reason that no modulus is found for is left
    out. Raises ParameterError, beforehand, for a parameter out of its range.
    """
    _check("bits", bits, 2)
    _check("radix", word, 1, "2^")
    if composite not in COMPOSITES:
        raise ParameterError("composite", f"{composite!r} is none of {', '.join(COMPOSITES)}")
    if composite == "no" and bits > forms.MAX_PRIME_WIDTH:
        said = f"primes are looked for up to {forms.MAX_PRIME_WIDTH} bits, and {bits} are asked for"
        raise ParameterError("bits", f"{said}; composite = yes has more")
    if even and composite == "no":
        raise ParameterError("even", "2 is the only even prime, so even moduli need composite = yes or only")

    def wanted(p: int) -> bool:
        if composite == "yes":
            return takes(p)
        return takes(p) and (Modulus(p).primality == "prime") == (composite == "no")

    return _found(_wishes(ModulusWords(bits, word), even, other_widths), LEAST_TRIED + TRIED_BY_BIT * bits, wanted)


def _check(name: str, value: int, least: int, prefix: str = "") -> None:
    if not least <= value <= MAX_WIDTH:
        raise ParameterError(name, f"{prefix}{value} is outside {prefix}{least} to {prefix}{MAX_WIDTH}")


def _wishes(words: ModulusWords, even: bool, other_widths: bool) -> Iterator[Wish]:
    """One wish of each kind, then the second one of each, and so on."""
    kinds: list[Iterable[Wish]] = [
        patterns.sizes(words),
        patterns.boundary_bits(words),
        patterns.whole_words(words),
        constants.montgomery_inverses(words),
        constants.montgomery_factors(words),
        constants.barrett_quotients(words),
        forms.fast_forms(words),
        forms.composites(words),
        *([forms.even(words)] if even else []),
        *([patterns.other_widths(words)] if other_widths else []),
    ]
    return (wish for wish in chain.from_iterable(zip_longest(*kinds)) if wish is not None)


def _found(wishes: Iterable[Wish], tried: int, wanted: Callable[[int], bool]) -> Iterator[DirectedModulus]:
    """For each wish the first of its candidates that is wanted, unless it is there already."""
    known: set[int] = set()
    for wish in wishes:
        some = (p for p in islice(wish.candidates, tried) if wish.holds(p) and wanted(p))
        if (p := next(some, None)) is not None and p not in known:
            known.add(p)
            yield DirectedModulus(p, wish.reason, wish.factors(p))
