# SPDX-License-Identifier: Apache-2.0
"""What a core computes, told from its results: each way to be wrong or different is made here and has to be named."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.vectors.report.identify import Relation, Sample, WordOrder, power_of_two, relations

P = CATALOGUE["secp256k1.fp"].modulus
WIDTH = 256


def told(
    core: Callable[[int, int], int], p: int = P, *, count: int = 8, width: int = WIDTH, unary: bool = False
) -> list[Relation]:
    """The relations of a core that is a function here."""
    rng = Random(1)
    pairs = [(rng.randrange(p), rng.randrange(p)) for _ in range(count)]
    samples = [Sample(a, None if unary else b, core(a, b)) for a, b in pairs]
    return relations(samples, p, widths=(width, width), digit=32)


def inverse(bits: int) -> int:
    return pow(2, -bits, P)


def turned(unit: int) -> WordOrder:
    return WordOrder(WIDTH, unit)


@pytest.mark.parametrize(
    ("core", "text"),
    [
        (lambda a, b: a * b % P, "result = a*b mod p; all below p"),
        (lambda a, b: a * b * inverse(256) % P, "result = a*b / 2^256 mod p; all below p"),
        (lambda a, b: a * b * inverse(272) % P, "result = a*b / 2^272 mod p; all below p"),
        (lambda a, b: a * b * inverse(256) % P + (a & 1) * P, "result = a*b / 2^256 mod p; all below 2 * p"),
        (lambda a, b: -a * b * inverse(260) % P, "result = -a*b / 2^260 mod p; all below p"),
        (lambda a, b: a * b * 8 % P, "result = a*b * 2^3 mod p; all below p"),
        (lambda a, b: a * b * 12345 % P, "result = a*b * 0x3039 mod p; all below p"),
        (lambda a, b: a * b, "result = a*b, not reduced"),
        (lambda a, b: a * b % 2**256, "result = bits 0 to 255 of a*b, not reduced"),
        (lambda a, b: a * b >> 256, "result = bits 256 to 511 of a*b, not reduced"),
        (lambda a, b: a * a * inverse(256) % P, "result = a^2 / 2^256 mod p; all below p"),
        (lambda a, b: b * inverse(256) % P, "result = b / 2^256 mod p; all below p"),
        (lambda a, b: (a - b) % P, "result = a - b mod p; all below p"),
        (lambda a, b: (a + b) * 4 % P, "result = (a + b) * 2^2 mod p; all below p"),
        (
            lambda a, b: turned(32)(a * b * inverse(256) % P),
            "result = a*b / 2^256 mod p, with the result read with its words of 32 bits in reverse order; all below p",
        ),
        (
            lambda a, b: turned(8)(a * b % P),
            "result = a*b mod p, with the result read with its words of 8 bits in reverse order; all below p",
        ),
        (
            lambda a, b: turned(1)(a) * turned(1)(b) % P,
            "result = a*b mod p, with each operand read with its bits in reverse order; all below p",
        ),
        (
            lambda a, b: a * turned(1)(b) % P,
            "result = a*b mod p, with b read with its bits in reverse order; all below p",
        ),
        (
            lambda a, b: turned(64)(turned(64)(a) * turned(64)(b) * inverse(264) % P),
            "result = a*b / 2^264 mod p, with the result read with its words of 64 bits in reverse order, "
            "with each operand read with its words of 64 bits in reverse order; all below p",
        ),
    ],
)
def test_named(core: Callable[[int, int], int], text: str) -> None:
    assert [relation.text for relation in told(core)] == [text]


def test_previous_operands() -> None:
    before = [0, 0]

    def core(a: int, b: int) -> int:
        result = before[0] * before[1] * inverse(256) % P
        before[:] = a, b
        return result

    (found,) = told(core)
    assert found.text == "result = a*b / 2^256 mod p, with the operands of the product before; all below p"
    assert found.exponent == -256


@pytest.mark.parametrize("core", [lambda a, b: 0, lambda a, b: a ^ b, lambda a, b: a * b % P ^ 1])
def test_nothing_fits(core: Callable[[int, int], int]) -> None:
    assert told(core) == []


def test_one_product_of_many_is_wrong() -> None:
    """A formula has to hold for all but results that are wrong in one way, and that is said."""
    rng = Random(2)
    pairs = [(rng.randrange(P), rng.randrange(P)) for _ in range(6)]
    samples = [Sample(a, b, a * b % P) for a, b in pairs]
    assert relations(samples, P, widths=(WIDTH, WIDTH))
    last = Sample(samples[-1].a, samples[-1].b, samples[-1].seen ^ 4)
    (found,) = relations([*samples[:-1], last], P, widths=(WIDTH, WIDTH))
    assert (found.right, found.others) == (5, 1)
    assert "^2, modulo p" in found.text
    other = Sample(samples[-2].a, samples[-2].b, samples[-2].seen ^ 0x5A5A5)
    assert not relations([*samples[:-2], other, last], P, widths=(WIDTH, WIDTH))


def test_reduction() -> None:
    (found,) = told(lambda a, _: a * inverse(300) % P, unary=True)
    assert found.text == "result = a / 2^300 mod p; all below p"


@pytest.mark.parametrize("p", [2**64, 2**64 - 2, 1000003 * 2**40])
def test_even_moduli(p: int) -> None:
    texts = [relation.text for relation in told(lambda a, b: a * b * 4 % p, p, width=64, count=40)]
    assert texts == [] or texts == ["result = a*b * 2^2 mod p; all below p"]
    assert texts or p == 2**64 - 2


def test_tiny_moduli_have_several_explanations() -> None:
    texts = [relation.text for relation in told(lambda a, b: a * b % 7, 7, width=3, count=3)]
    assert len(texts) > 1


def test_too_few() -> None:
    with pytest.raises(ParameterError, match="at least 3 products"):
        relations([Sample(1, 2, 2)] * 2, P, widths=(WIDTH, WIDTH))


@given(st.integers(1, 300), st.sampled_from((1, 8, 16)), st.data())
def test_orders_are_involutions(words: int, unit: int, data: st.DataObject) -> None:
    order = WordOrder(words * unit, unit)
    value = data.draw(st.integers(0, 2 ** (words * unit) - 1))
    assert order(order(value)) == value


@given(st.integers(-1088, 1088))
def test_powers(k: int) -> None:
    """secp256k1: the order of 2 is far beyond these exponents, so each has one factor."""
    assert power_of_two(pow(2, k, P), P) == k


def test_no_power() -> None:
    assert power_of_two(3 * pow(2, 7, P), P) is None
    assert power_of_two(3, 2**16) is None
    assert power_of_two(2**15, 2**16) == 15
