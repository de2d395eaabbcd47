# SPDX-License-Identifier: Apache-2.0
"""Products by sums of words, for generalised Mersenne numbers."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.fold import solinas
from limbtrace.refmodels.papers.fold.solinas.algorithm import KNOWN, matrix
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape

MODEL = solinas.MODEL
GOLDILOCKS = 2**64 - 2**32 + 1
P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


class TestSolinas(Conformance):
    model = MODEL
    shapes = (
        Shape(13, {}),
        Shape(GOLDILOCKS, {}),
        Shape(P256, {"m": 6, "K": 5}),
        Shape(2**12 - 15, {"below": "2^N", "w": 4}),
    )
    mutations = (
        Mutation(pattern="(T := a * b)", replacement="(T := a * (b | 1))", first="T"),
        Mutation(pattern="T >> w * i & (1 << w) - 1", replacement="T >> w * i & (1 << w - 1) - 1", first="c"),
        Mutation(pattern="s = c[j]\n", replacement="s = c[j] * 0\n", first="s"),
        Mutation(pattern="s + number * word", replacement="s + abs(number) * word", first="s"),
        Mutation(pattern="U + (s << w * j)", replacement="U + (s << w * j) * (j > 0)", first="U"),
        Mutation(pattern="subtract(R, p << k, params.bits + k + 1)",
                 replacement="subtract(R, (p << k) + 1, params.bits + k + 1)", first="d"),
    )  # fmt: skip

    @staticmethod
    def order(params: Any) -> Order:
        yield "T", ()
        yield from (("c", (i,)) for i in range(2 * params.n))
        yield from (("s", (j,)) for j in range(params.n))
        yield "U", ()
        for k in reversed(range(params.K)):
            yield from (("d", (k,)), ("R", (k,)))


def words(text: str) -> list[int | None]:
    """Numbers of words, low word first; None is 0."""
    return [None if word == "-" else int(word) for word in text.split()]


# Appendix D.2.3 of FIPS 186-4, low word first; - is 0.
ADDED = ("0 1 2 3 4 5 6 7", *2 * ("- - - 11 12 13 14 15", "- - - 12 13 14 15 -"), "8 9 10 - - - 14 15",
         "9 10 11 13 14 15 13 8")  # fmt: skip
SUBTRACTED = ("11 12 13 - - - 8 10", "12 13 14 15 - - 9 11", "13 14 15 8 9 10 - 12", "14 15 - 9 10 11 - 13")


def test_the_matrix_of_p256_is_that_of_the_standard() -> None:
    """s_1 + 2*s_2 + 2*s_3 + s_4 + s_5 - s_6 - s_7 - s_8 - s_9, word by word."""
    counted = [[0] * 16 for _ in range(8)]
    for sign, rows in ((1, ADDED), (-1, SUBTRACTED)):
        for row in rows:
            for j, word in enumerate(words(row)):
                if word is not None:
                    counted[j][word] += sign
    assert [row[:8] for row in counted] == [[int(i == j) for i in range(8)] for j in range(8)]
    assert matrix(P256, 32) == tuple(tuple(row[8:]) for row in counted)


@pytest.mark.parametrize(
    ("p", "w", "m", "K"),
    [
        (GOLDILOCKS, 32, 1, 2),
        (2**192 - 2**64 - 1, 64, 0, 2),
        (2**224 - 2**96 + 1, 32, 2, 3),
        (P256, 32, 5, 4),
        (2**384 - 2**128 - 2**96 + 2**32 - 1, 32, 2, 3),
        (2**448 - 2**224 - 1, 224, 0, 3),
    ],
)
def test_words_and_multiples_of_known_moduli(p: int, w: int, m: int, K: int) -> None:
    assert p in KNOWN
    params = MODEL.resolve(p, {})
    assert (params.w, params.m, params.K) == (w, m, K)


SMALL = [p for p in range(3, 64) if any(matrix(p, w) for w in (2, 3))]


@pytest.mark.parametrize("p", SMALL)
def test_every_product_of_small_moduli(p: int) -> None:
    """All operands below 2^N, and every claim; sums keep to their limits."""
    params = MODEL.resolve(p, {"below": "2^N"})
    for a, b in product(range(params.bound), repeat=2):
        run = MODEL.run(params, a, b)
        assert not list(MODEL.violations(run)), (a, b)


@given(st.integers(3, 1 << 24), st.integers(2, 12))
def test_a_modulus_of_another_form_is_refused_in_one_sentence(p: int, w: int) -> None:
    """What is accepted is right at the largest operands; the rest is refused by name."""
    if matrix(p, w) is None or p.bit_length() % w:
        with pytest.raises(ParameterError, match=rf"^w: p is not 2\^{p.bit_length()} without a few words of {w} bits"):
            MODEL.resolve(p, {"w": w})
        return
    assert MODEL.run(MODEL.resolve(p, {"w": w}), p - 1, p - 1).result == (p - 1) ** 2 % p


@pytest.mark.parametrize(
    ("p", "given", "sentence"),
    [
        (2**255 - 19, {}, r"^prime: .* fold and barrett_mul take other moduli$"),
        (P256, {"w": 64}, r"^w: .*; w = 32, 16, 8, 4 will do$"),
        (P256, {"m": 4}, r"^m: 4 is outside 5 to 1024 \(the sums are 5 times p below 0 at most\)$"),
        (P256, {"K": 3}, r"^K: 3 is outside 4 to 12 \(p goes 10 times into U at most\)$"),
        (P256, {"below": "2*p"}, r"^below: 2\*p is above 2\^256, and the product has 16 words of 32 bits$"),
    ],
)
def test_what_is_refused(p: int, given: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        MODEL.resolve(p, given)
