# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication with a scaled modulus, digit by digit of A: Algorithm 1."""

from typing import Any

from limbtrace.refmodels.papers.redundant import orup
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestOrup(Conformance):
    model = orup.MODEL
    shapes = (
        Shape(61, {"r": 2}),
        Shape(1023, {"r": 4}),
        Shape(2**12 - 1, {"r": 4}),
        Shape(0xEA7, {"r": 4, "tail": 1}),
        Shape(2**31 - 1, {"r": 8}),
        Shape(2**64 - 59, {"r": 16, "tail": 1}),
    )
    mutations = (
        Mutation(pattern="q = S & low", replacement="q = S & (low >> 1)", first="q"),
        Mutation(pattern="q = S & low", replacement="q = H & low if i else 0", first="q"),
        Mutation(pattern="aB := a[i] * B", replacement="aB := a[i - 1] * B", first="aB"),
        Mutation(pattern="SqM := S + factor * multiple", replacement="SqM := S + factor * params.modulus", first="SqM"),
        Mutation(
            pattern="SqM := S + factor * multiple", replacement="SqM := S + (factor * multiple >> 1 << 1)", first="SqM"
        ),
        Mutation(pattern="H := SqM >> r", replacement="H := (S >> r) + (factor * multiple >> r)", first="H"),
        Mutation(pattern="S := H + aB", replacement="S := H + aB & (1 << scaled.bit_length() + r) - 1", first="S"),
        Mutation(
            pattern="factor, multiple = q * M_ & low, params.modulus",
            replacement="factor, multiple = q, params.modulus",
            first="q'",
        ),
        Mutation(
            pattern="factor, multiple = q * M_ & low, params.modulus",
            replacement="factor, multiple = q * M_, params.modulus",
            first="q'",
        ),
        Mutation(pattern="S := H + aB", replacement="S := H + aB * (i < last - 1)", first="S"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        m, tail = params.digits, params.tail
        yield from ((name, ()) for name in ("m", "M'", "M~", "log2R"))
        for i in range(m + 3):
            if tail and i == m + 2:
                yield "q'", (i,)
            yield from ((name, (i,)) for name in ("a", "q", "aB", "SqM", "H"))
            yield "S", (i + 1,)

    @staticmethod
    def absent(params: Any) -> set[str]:
        return set() if params.tail else {"q'"}
