# SPDX-License-Identifier: Apache-2.0
"""a*b mod p by folding: T = H*2^k + L is L + H*c modulo p, where c = 2^k mod p is small.

Handbook of Applied Cryptography, section 14.3.4, for p = 2^k - c: Algorithm 14.47 keeps the low parts L apart and adds
them up at the end, hardware adds each to H*c at once, as here. The number of rounds is fixed, whatever the operands
are: if T is at most X before a round, it is at most 2^k - 1 + floor(X/2^k)*c after it, since L and H are at most that.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import gmpy2

from limbtrace.refmodels import bounds, value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.integer_models import (
    FORM,
    Steered,
    Whole,
    common_corners,
    draws,
    equals,
    largest,
    product,
    products,
    result_events,
    zero_product,
)
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Index, Model, Run, Source, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.fold import pseudocode
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

HANDBOOK = Source(
    "A. J. Menezes, P. C. van Oorschot, S. A. Vanstone", "Handbook of Applied Cryptography", "section 14.3.4"
)
MOST_ROUNDS = 16
"""Rounds after which a modulus is taken to be too far from 2^k."""

KNOWN = (
    *(3, 13, 127, 2**31 - 1, 2**61 - 1, 2**64 - 2**32 + 1),
    *(2**255 - 19, 2**256 - 2**32 - 977, 2**448 - 2**224 - 1),
)
"""Moduli that hardware folds."""

PARAMETERS = (
    Parameter("k", "bits that stay; c = 2^k mod p", "N", f"N to {2 * MAX_WIDTH}"),
    Parameter(
        "rounds",
        "folds, each of the bits from 2^k on",
        "as many as it takes to get below 2^(k+1)",
        f"the default to {MOST_ROUNDS}",
    ),
    bounds.below("p", "p, N, its bits, and k"),
    FORM,
)


@dataclass(frozen=True)
class Fold(Whole):
    """p >= 2 with p < 2^k; operands are in [0, bound), and T is below 2^(k+1) after the last round."""

    k: int = 0
    rounds: int = 0
    below: str = "p"
    bound: int = 0

    @property
    def named(self) -> dict[str, int | str]:
        return {"k": self.k, "rounds": self.rounds, "below": self.below}

    @cached_property
    def c(self) -> int:
        """2^k mod p."""
        return int(gmpy2.powmod(2, self.k, self.modulus))

    @property
    def constants(self) -> dict[str, int]:
        return {"c": self.c}

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, self.bound - 1

    @cached_property
    def largest_sums(self) -> tuple[int, ...]:
        """Limits of T: of the product, and after each round."""
        found = [self.limits[0] * self.limits[1]]
        for _ in range(self.rounds):
            found.append(_folded(found[-1], self.k, self.c))
        return tuple(found)

    @property
    def most_subtractions(self) -> int:
        """Limit of the times that p is subtracted."""
        return self.largest_sums[-1] // self.modulus

    @cached_property
    def widest_bits(self) -> int:
        return max(max(self.largest_sums).bit_length(), self.k) + 2


def _folded(most: int, k: int, c: int) -> int:
    """The limit of T after a round."""
    return most if most >> k == 0 else (1 << k) - 1 + (most >> k) * c


def resolve(modulus: int, given: Given) -> Fold:
    """Parameters for a modulus.

    Raises ParameterError for one out of range, and for one with which more rounds are needed than there may be.
    """
    N = check_modulus(modulus, 2, even=True).bit_length()
    settings = Settings("fold", PARAMETERS, given)
    k = settings.integer("k", N, N, 2 * MAX_WIDTH, "p < 2^k")
    text, bound = bounds.bound(given.get("below", "p"), modulus, {"N": N, "k": k})
    c = pow(2, k, modulus)
    least, most = 0, (bound - 1) ** 2
    while most >> k + 1:
        if least == MOST_ROUNDS:
            raise ParameterError(
                "k" if "k" in given else "prime",
                f"2^{k} mod p has {c.bit_length()} bits, so that {MOST_ROUNDS} rounds leave {most.bit_length()} bits, "
                f"and fold needs {k + 1}; barrett_mul takes any modulus",
            )
        least, most = least + 1, _folded(most, k, c)
    rounds = settings.integer("rounds", least, least, MOST_ROUNDS, f"the sum is below 2^{k + 1} after them")
    return Fold(modulus, settings.choice("form", (CORRECTED,), CORRECTED), k, rounds, text, bound)


def steps(params: Fold, a: Digit, b: Digit) -> Iterator[Step]:
    """The product, folded, and p subtracted as often as it goes into what is left."""
    k, c, p = params.k, params.c, params.modulus
    low = (1 << k) - 1
    yield "T", (0,), (T := a * b)
    for i in range(params.rounds):
        yield "L", (i,), (L := T & low)
        yield "H", (i,), (H := T >> k)
        yield "Hc", (i,), (Hc := H * c)
        yield "T", (i + 1,), (T := L + Hc)
    yield "sub", (), (sub := T // p)
    yield "Z", (), T - sub * p


_SOURCE = "HAC, 14.3.4"


def _sum(run: Run[Fold], index: Index) -> int:
    return run.params.largest_sums[index[0]]


def _high(run: Run[Fold], index: Index) -> int:
    return run.params.largest_sums[index[0]] >> run.params.k


VOCABULARY: tuple[Symbol[Fold], ...] = (
    Symbol("T", "i", "the product, and what is left of it after i rounds",
           "<= 2^k - 1 + c * floor(largest T[i-1]/2^k), and T[0] <= (below - 1)^2", _sum),
    Symbol("L", "i", "the low k bits of T[i]", "< 2^k", largest(lambda p: (1 << p.k) - 1)),
    Symbol("H", "i", "the bits above them", "<= floor(largest T[i]/2^k)", _high),
    Symbol("Hc", "i", "H*c, by shifts and additions where c has few bits", "<= c * floor(largest T[i]/2^k)",
           lambda run, index: _high(run, index) * run.params.c),
    Symbol("sub", "", "how often p is subtracted", "<= floor(largest T/p)",
           largest(lambda p: p.most_subtractions)),
    Symbol("Z", "", "the result", "< p", below_modulus),
)  # fmt: skip

CLAIMS: tuple[Claim[Fold], ...] = (
    Claim("value of T", "T[i] = a*b modulo p", _SOURCE, "T",
          lambda run, _, seen: (seen - run.a * run.b) % run.params.modulus == 0),
    Claim("last T", "T is below 2^(k+1) after the last round", _SOURCE, "T",
          lambda run, index, seen: index[0] < run.params.rounds or seen < 2 << run.params.k),
    Claim("H and L", "T[i] = H[i]*2^k + L[i]", _SOURCE, "H",
          lambda run, index, seen: run.at("T", *index) == (seen << run.params.k) + run.at("L", *index)),
    Claim("result", "the result is a*b mod p, in [0, p)", _SOURCE, None,
          lambda run, _, seen: seen == run.a * run.b % run.params.modulus),
)  # fmt: skip

_SECOND = "a carry out of the last fold that is dropped"
_COMPARISON = "a last subtraction that is missing, or a comparison with p that is off by one"


def _last(p: Fold) -> Iterator[Index]:
    yield (p.rounds,)


def _first(p: Fold) -> Iterator[Index]:
    return iter(((0,),) if p.rounds else ())


def _high_bits(p: Fold) -> int:
    return (p.largest_sums[0] >> p.k).bit_length()


def _with_high(high: Callable[[Fold], int]) -> Steered[Fold]:
    """Products with that high part: a factor of any size, and the largest that fits it."""

    def construct(p: Fold, index: Index, draw: Draw) -> Iterator[Pair]:
        end = (high(p) + 1 << p.k) - 1
        yield p.limits
        for _ in range(64):
            a = p.limits[0] - draw.of_any_width(p.limits[0] // 2)
            yield a, min(end // a, p.limits[1]) if a else 0

    return construct


def _folds(p: Fold) -> Iterator[Index]:
    return ((i,) for i in range(p.rounds))


def _with_sum(wanted: Callable[[Fold], int]) -> Steered[Fold]:
    """Operands that fold to a value: large ones of its residue, and products of a factor that fold to it in a round."""

    def construct(p: Fold, index: Index, draw: Draw) -> Iterator[Pair]:
        value = wanted(p)
        yield value, 1
        yield from value_events.with_residue(p, value, draw)
        for H in (0, 1, 2, *(draw.of_any_width(p.largest_sums[0] >> p.k) for _ in range(48))):
            T = value - H * p.c + (H << p.k)  # folds to the value, if its low part is one
            for factor in (1, 2, 3, 5, 7, p.limits[0], *(draw.between(1, p.limits[0]) for _ in range(4))):
                if T > 0 and factor and T % factor == 0:
                    yield T // factor, factor

    return construct


def _with_ones(p: Fold, index: Index, draw: Draw) -> Iterator[Pair]:
    """Products whose low part is all ones: inverses modulo 2^k, with the other sign."""
    for _ in range(64):
        a = draw.below(p.limits[0]) | 1
        yield a, -int(gmpy2.invert(a, 1 << p.k)) % (1 << p.k)


def _carries(p: Fold, index: Index, draw: Draw) -> Iterator[Pair]:
    """Products whose low part is nearly 2^k and whose high part is not 0."""
    yield from value_events.with_residue(p, (1 << p.k) + draw.below(p.c * p.c + 1), draw)
    yield from draws(p, index, draw)
    a_most, b_most = p.limits
    for _ in range(256):
        a = a_most - draw.of_any_width(a_most)
        H = draw.below((a * b_most >> p.k) + 1)
        T = (H + 1 << p.k) - 1 - draw.of_any_width(min(H * p.c, (1 << p.k) - 1))
        if a and T // a <= b_most:
            yield a, T // a


def _carry_unreachable(p: Fold, index: Index) -> str | None:
    most = p.largest_sums[index[0]]
    return None if most >> p.k else f"T is at most {most:#x}, which has no bit from 2^{p.k} on"


def _at_most(value: Callable[[Fold], int]) -> Callable[[Fold, Index], str | None]:
    def reachable(p: Fold, index: Index) -> str | None:
        most = p.largest_sums[-1]
        return f"T is at most {most:#x} after the last round" if value(p) > most else None

    return reachable


def _sum_event(name: str, value: Callable[[Fold], int]) -> Event[Fold]:
    return Event(
        "T",
        name,
        statement=f"what the last round leaves is {name[1:]}",
        hunts=_COMPARISON,
        source=_SOURCE,
        where=_last,
        happens=lambda seen, index: seen.at("T", *index) == value(seen.params),
        construct=_with_sum(value),
        reachable=lambda p, index: (
            _at_most(value)(p, index) or (None if value(p) % p.modulus else zero_product(p, index))
        ),
    )


def _sub_event(times: int) -> Event[Fold]:
    def construct(p: Fold, index: Index, draw: Draw) -> Iterator[Pair]:
        yield from draws(p, index, draw)
        for _ in range(16):
            yield from _with_sum(lambda p: times * p.modulus + draw.below(p.modulus))(p, index, draw)
        yield from _carries(p, index, draw)

    return equals(
        "sub", f"={times}", f"p is subtracted {times} times", _COMPARISON, _SOURCE, lambda p: times, construct,
        _at_most(lambda p: times * p.modulus),
    )  # fmt: skip


EVENTS: tuple[Event[Fold], ...] = (
    Event(
        "T", "_carry", statement="the sum of a round reaches 2^k again", hunts=_SECOND, source=_SOURCE,
        where=lambda p: ((i,) for i in range(1, p.rounds + 1)),
        happens=lambda seen, index: seen.at("T", *index) >> seen.params.k > 0,
        construct=_carries, reachable=_carry_unreachable,
    ),
    Event(
        "H", "=0", statement="there is nothing to fold", hunts="a product of k bits that is folded all the same",
        source=_SOURCE, where=_folds, happens=lambda seen, index: seen.at("H", *index) == 0,
        construct=lambda p, index, draw: iter([(1, 1), (p.limits[0], 1), (0, 0)]),
    ),
    Event(
        "L", "=max", statement="the low part is all ones", hunts="a carry that has to run through all bits",
        source=_SOURCE, where=_first, happens=lambda seen, index: seen.at("L", *index) == (1 << seen.params.k) - 1,
        construct=_with_ones,
    ),
    *(
        Event(
            "H", condition, statement=f"the high part {statement}", hunts=f"a factor of c that {hunts}", source=_SOURCE,
            where=_first, happens=lambda seen, index, high=high: seen.at("H", *index) == high(seen.params),  # type: ignore[misc]
            construct=_with_high(high),
        )
        for condition, statement, hunts, high in (
            ("=max", "is as large as it can be", "is cut", lambda p: p.largest_sums[0] >> p.k),
            ("=ones", "is ones alone", "loses a carry", lambda p: (1 << max(_high_bits(p) - 1, 0)) - 1),
            ("=top", "has its top bit alone", "is cut", lambda p: 1 << max(_high_bits(p) - 1, 0)),
        )
    ),
    *(
        _sum_event(name, value) for name, value in {
            "=p-1": lambda p: p.modulus - 1, "=p": lambda p: p.modulus, "=p+1": lambda p: p.modulus + 1,
            "=2^k-1": lambda p: (1 << p.k) - 1, "=2^k": lambda p: 1 << p.k,
        }.items()
    ),
    *(_sub_event(times) for times in (0, 1, 2)),
    *result_events(_SOURCE),
)  # fmt: skip


def _corners(params: Fold) -> Iterator[Corner]:
    p, most, k = params.modulus, params.limits[0], params.k
    found = (
        *common_corners(p, most),
        Corner(most, most, "both operands as large as they may be"),
        Corner((1 << k // 2) % (most + 1), (1 << k - k // 2) % (most + 1), "the product is 2^k"),
        Corner((1 << params.bits - 1) % (most + 1), (1 << params.bits - 1) % (most + 1), "the top bits alone"),
        Corner(min(params.c, most), 1, "a = c"),
    )
    return (corner for corner in found if max(corner.a, corner.b) <= most)


def _moduli(choice: Choice, max_bits: int) -> int:
    """2^n - c for a small c, or one that hardware folds."""
    bits = choice.integer(2, max_bits)
    c = choice.one_of((1, 1, 3, choice.integer(1, 1 << max(bits // 2 - 1, 0))))
    known = [p for p in KNOWN if p.bit_length() <= max_bits]
    return choice.one_of((max((1 << bits) - c, 2), choice.one_of(known)))


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """The modulus decides; operands of the ranges that hardware has."""
    return {"below": choice.one_of(("p", "p", "2^N"))}


MODEL: Model[Fold] = Model(
    id="fold",
    title="a*b mod p by folding, for p next to a power of two",
    source=HANDBOOK,
    parameters=PARAMETERS,
    operands={"a": "< below", "b": "< below", "result": "< p"},
    reference=_SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    shape=_shape,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.fold,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 4 * params.rounds + 3,
    further_claims=CLAIMS,
    corners=_corners,
    events=EVENTS,
    moduli=_moduli,
    even_moduli=True,
)
