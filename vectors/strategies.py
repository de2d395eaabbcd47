# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for multipliers and their operands, for your own property tests (extra `strategies`).

    from hypothesis import given
    from limbtrace.vectors.strategies import cases

    @given(cases(models=["iddmm2"]))
    def test_my_multiplier(case):
        multiplier, a, b = case
        assert my_multiply(multiplier.params, a, b) == multiplier.model.result(multiplier.params, a, b)

Everything is biased to corners: moduli that fill their digits, operands 0, 1, p - 1, p, 2p - 1, digits of all ones,
and the operands that the model itself names as corners.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from limbtrace.refmodels.event_search import Occurrences, Place
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.refmodels.representations import Digits
from limbtrace.vectors.operands import fit
from limbtrace.vectors.request import Multiplier

T = TypeVar("T")

MAX_BITS = 521
"""Widest modulus that is drawn unless the caller says otherwise."""
MAX_DIGITS = 8
"""Most digits of a modulus that are drawn unless the caller says otherwise: a trace grows with their square."""


def moduli(max_bits: int = MAX_BITS) -> SearchStrategy[int]:
    """Odd moduli of 2 to `max_bits` bits, prime or not: random ones, full ones such as 2^N - 1, the catalogue's."""

    def of_width(bits: int) -> SearchStrategy[int]:
        top = 1 << (bits - 1)
        return st.one_of(
            st.integers(top, 2 * top - 1).map(lambda value: value | 1),
            st.sampled_from([2 * top - 1, top | 1, max(2 * top - 3, 3)]),
        )

    known = [entry.modulus for entry in CATALOGUE.values() if entry.bits <= max_bits]
    drawn = st.one_of(st.integers(2, min(12, max_bits)), st.integers(2, max_bits)).flatmap(of_width)
    return st.one_of(drawn, st.sampled_from(known)) if known else drawn


class _Drawn:
    """Choices that Hypothesis draws, and shrinks if a case fails."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def integer(self, low: int, high: int) -> int:
        """An integer from low to high."""
        return self.draw(st.integers(low, high))

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.draw(st.sampled_from(options))


@st.composite
def multipliers(
    draw: st.DrawFn,
    models: Sequence[str] = tuple(MODELS),
    max_bits: int = MAX_BITS,
    max_digits: int = MAX_DIGITS,
) -> Multiplier:
    """A model from `models`, in its corrected form, with a modulus, radix, digit and pass count that it accepts."""
    model, choice = MODELS[draw(st.sampled_from(list(models)))], _Drawn(draw)
    modulus = draw(moduli(max_bits)) if model.moduli is None else model.moduli(choice, max_bits)
    settings = model.shape(choice, modulus.bit_length(), max_digits)
    return Multiplier.resolve(model.id, modulus if model.has_modulus else None, settings)


def products(multiplier: Multiplier) -> SearchStrategy[tuple[int, int]]:
    """Operands (a, b) that the multiplier accepts, up to its limits, which may exceed the modulus."""
    a_max, b_max = multiplier.params.limits
    pairs = st.tuples(_operands(multiplier, a_max), _operands(multiplier, b_max)).map(
        lambda pair: fit(multiplier, *pair)
    )
    forms = [form for form in multiplier.params.written or () if isinstance(form, Digits) and form.overlap]
    if forms and not multiplier.params.representations:
        pairs = st.one_of(pairs, st.tuples(_vectors(forms[0], a_max), _vectors(forms[1], b_max)))
    corners = [(corner.a, corner.b) for corner in multiplier.model.corners(multiplier.params)]
    return st.one_of(pairs, st.sampled_from(corners))


def happenings(multiplier: Multiplier, event: str | None = None) -> SearchStrategy[tuple[int, int, str]]:
    """(a, b, label): operands that make events of the model happen, or one such as `q[3]=max`.

    Raises ParameterError("event") for an event that is none, or not reachable.
    """
    known = Occurrences(multiplier.model, multiplier.params)
    places = known.places if event is None else [known.required(event).place]

    def found(drawn: tuple[Place[Any], int]) -> tuple[int, int, str] | None:
        place, seed = drawn
        (occurrence,) = Occurrences(multiplier.model, multiplier.params, seed).look([place])
        return None if occurrence.pair is None else (*occurrence.pair, place.label)

    drawn = st.tuples(st.sampled_from(places), st.integers(0, 2**32 - 1)).map(found)
    return drawn.filter(lambda case: case is not None)  # type: ignore[return-value]


def _operands(multiplier: Multiplier, limit: int) -> SearchStrategy[int]:
    """One operand of at most `limit`."""
    p, width = multiplier.modulus.modulus, multiplier.params.radix_bits or 8
    ones = (1 << width) - 1
    digit = st.one_of(st.sampled_from([0, 1, ones - 1, ones]), st.integers(0, ones))
    count = -(-limit.bit_length() // width)
    patterns = st.lists(digit, min_size=count, max_size=count).map(
        lambda digits: sum(value << (width * position) for position, value in enumerate(digits)) % (limit + 1)
    )
    borders = [value for value in (0, 1, 2, p // 2, p - 2, p - 1, p, p + 1, 2 * p - 1, limit) if 0 <= value <= limit]
    return st.one_of(st.integers(0, limit), patterns, st.sampled_from(borders))


def _vectors(form: Digits, limit: int) -> SearchStrategy[int]:
    """One operand of redundant digits, of at most `limit`."""
    beta = 1 << form.bits

    def read(digits: list[int]) -> int:
        """The digits, from the top as far as the limit allows."""
        kept, rest = [], limit
        for j in range(form.count - 1, -1, -1):
            kept.append(min(digits[j], rest >> (form.bits * j)))
            rest -= kept[-1] << (form.bits * j)
        return form.read("digits", kept[::-1])

    digit = st.one_of(st.sampled_from([0, 1, beta - 1, beta, beta + 1, form.largest]), st.integers(0, form.largest))
    return st.lists(digit, min_size=form.count, max_size=form.count).map(read)


@st.composite
def cases(
    draw: st.DrawFn,
    models: Sequence[str] = tuple(MODELS),
    max_bits: int = MAX_BITS,
    max_digits: int = MAX_DIGITS,
) -> tuple[Multiplier, int, int]:
    """(multiplier, a, b): a multiplier and the operands of one product."""
    multiplier = draw(multipliers(models, max_bits, max_digits))
    return (multiplier, *draw(products(multiplier)))
