# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of hardware: operands that show them, looked at again by other means, and faults that they find."""

from collections.abc import Callable
from itertools import islice
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.mechanisms import MECHANISMS, MechanismCase, ReducedProduct, shown
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import Multiplier, VectorRequest

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
REDUCED: list[Literal["a*b", "a*a", "a"]] = ["a*b", "a*a", "a"]


def operation(modulus: int, reduced: Literal["a*b", "a*a", "a"] = "a*b", below: int | None = None) -> ReducedProduct:
    most = (modulus if below is None else below) - 1
    return ReducedProduct(modulus, most, most if reduced == "a*b" else 0, reduced)


def of(name: str, found: list[MechanismCase]) -> list[MechanismCase]:
    return [one for one in found if one.mechanism.name == name]


def limbs(value: int, width: int, count: int) -> list[int]:
    return [value // 2 ** (width * k) % 2**width for k in range(count)]


@given(
    modulus=st.integers(2, 2**80), reduced=st.sampled_from(REDUCED), factor=st.integers(1, 5), seed=st.integers(1, 9)
)
def test_pairs_are_operands_and_different(
    modulus: int, reduced: Literal["a*b", "a*a", "a"], factor: int, seed: int
) -> None:
    asked = operation(modulus, reduced, factor * modulus)
    found = list(islice(shown(asked, seed), 40))
    pairs = [one.pair for one in found]
    assert len(set(pairs)) == len(pairs)
    assert all(0 <= a <= asked.a_most and 0 <= b <= asked.b_most for a, b in pairs)
    assert len({one.label for one in found}) == len(found)
    assert found == list(islice(shown(asked, seed), 40))


def test_what_is_shown_of_p256() -> None:
    """Every mechanism, each property computed in another way."""
    found = list(shown(operation(P256), 1))
    assert {one.mechanism.name for one in found} == {mechanism.name for mechanism in MECHANISMS}
    a, b = of("ones", found)[0].pair
    assert limbs(a, 64, 3) == limbs(b, 64, 3) == [2**64 - 1] * 3
    for one in of("residue=small", found):
        residue = one.pair[0] * one.pair[1] % P256
        assert 0 < residue < P256 // 2
        assert min(one.pair) > P256 // 8
    assert all(one.pair[0] * one.pair[1] % P256 > P256 // 2 for one in of("residue=large", found))
    quotients = {
        one.pair[0] * one.pair[1] * pow(-P256, -1, 2 ** (one.width * asked_limbs)) % 2 ** (one.width * asked_limbs)
        for one in of("quotient", found)
        for asked_limbs in [-(-256 // one.width)]
    }
    assert {2**256 - 1, 0, 1, 2**255} <= quotients
    words = {(one.width, one.variant) for one in of("product=ones", found)}
    assert {(64, k) for k in range(7)} <= words
    for one in of("product=ones", found):
        assert limbs(one.pair[0] * one.pair[1], one.width, one.variant + 1)[-1] == 2**one.width - 1
    for one in of("relation", found):
        a, b = one.pair
        assert {a + b, a * b % P256 + P256 - 1} & {P256, P256 - 1 + 1, 2 * P256 - 2} or a == b


def test_estimates_are_short_by_what_is_said() -> None:
    """With bits, as floor((t >> N - 1) * floor(4^N / p) >> N + 1)."""
    found = of("bit estimate=short", list(shown(operation(2**255 - 19), 1)))
    assert found
    for one in found:
        t = one.pair[0] * one.pair[1]
        estimate = (t >> 254) * (2**510 // (2**255 - 19)) >> 256
        assert t // (2**255 - 19) - estimate == one.variant + 1


def test_squares_have_residues_and_words() -> None:
    found = list(shown(operation(2**255 - 19, "a*a"), 1))
    names = {one.mechanism.name for one in found}
    assert {"residue=small", "residue=large", "product=ones", "ones", "constant"} <= names
    assert all(one.pair[1] == 0 for one in found)


def carry_lost(a: int, b: int, p: int) -> int:
    """Rows of a schoolbook product are added with carries that are those of both limbs alone, without a carry in."""
    n, full = -(-p.bit_length() // 64), 2**64 - 1
    t = [0] * 2 * n
    for i, x in enumerate(limbs(a, 64, n)):
        carry = 0
        for k, y in enumerate(limbs(x * b << 64 * i, 64, 2 * n)):
            t[k], carry = (t[k] + y + carry) & full, (t[k] + y) >> 64
    return sum(limb << (64 * k) for k, limb in enumerate(t)) % p


def no_last_subtraction(a: int, b: int, p: int) -> int:
    """Folds of a number just below a power of two, without the comparison with p."""
    bits = p.bit_length()
    t = a * b
    while t >> bits:
        t = (t & (1 << bits) - 1) + ((1 << bits) - p) * (t >> bits)
    return t


def one_correction(a: int, b: int, p: int) -> int:
    """Barrett's reduction with an estimate that is one too small, and one subtraction for two that it would need."""
    t, bits = a * b, p.bit_length()
    estimate = (t >> bits - 1) * ((1 << 2 * bits) // p) >> bits + 1
    r = t - max(estimate - 1, 0) * p
    return r - p if r >= p else r


def high_word_compared(a: int, b: int, p: int) -> int:
    """A last subtraction that is decided by all words but the lowest one."""
    r = a * b % p
    return r - p + (1 << p.bit_length()) if r >> 32 >= p >> 32 else r


def opposite_operands(a: int, b: int, p: int) -> int:
    """A sum of operands, as Karatsuba's product has it, is p, and is not reduced."""
    return (a * b - ((a + b == p) << 64)) % p


FAULTS: list[tuple[Callable[[int, int, int], int], str, int]] = [
    (no_last_subtraction, "2^255 - 19", 16),
    (no_last_subtraction, "secp256k1", 16),
    (one_correction, "2^61 - 1", 16),
    (one_correction, "mldsa", 16),
    (high_word_compared, "p256", 16),
    (high_word_compared, "bn254.fp", 16),
    (opposite_operands, "p384", 16),
    (carry_lost, "p256", 16),
    (carry_lost, "bls12-381.fp", 16),
]


@pytest.mark.parametrize(("fault", "prime", "cases"), FAULTS)
def test_faults_that_drawn_operands_do_not_show(fault: Callable[[int, int, int], int], prime: str, cases: int) -> None:
    """The first cases of `directed` show them; a thousand drawn ones do not, or there is nothing to construct."""
    multiplier = Multiplier.resolve("modmul", prime, {})
    p = multiplier.modulus.modulus

    def shows(kind: str, count: int) -> bool:
        asked = VectorRequest.resolve(multiplier, count, 1, kind, count)
        return any(fault(int(a), int(b), p) != a * b % p for a, b, _ in operands(asked))

    assert shows("directed", cases)
    assert p.bit_length() < 64 or not shows("random", 1000)
