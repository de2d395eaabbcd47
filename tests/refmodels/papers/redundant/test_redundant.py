# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication on redundant digits of two radices: section IV."""

from typing import Any

from limbtrace.refmodels.papers.redundant import redundant
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestRedundant(Conformance):
    model = redundant.MODEL
    shapes = (
        Shape(61, {"r1": 4, "r2": 4, "overlap": 2, "fused": 0}),
        Shape(1023, {"r1": 4, "r2": 4, "overlap": 1, "fused": 0}),
        Shape(2**12 - 1, {"r1": 4, "r2": 4, "overlap": 1, "fused": 0}),
        Shape(0xEA7, {"r1": 4, "r2": 4, "tail": 1, "overlap": 1, "fused": 0}),
        Shape(2**31 - 1, {"r1": 8, "r2": 6, "overlap": 2, "fused": 1}),
        Shape(2**64 - 59, {"r1": 16, "r2": 10, "tail": 1, "overlap": 1, "fused": 0}),
    )
    mutations = (
        Mutation(
            pattern="    S: list[Digit] = [0] * params.ds\n",
            replacement="    S: list[Digit] = [1] + [0] * (params.ds - 1)\n",
            first="S",
        ),
        Mutation(
            pattern="P := [a[i] * digit for digit in B]",
            replacement="P := [low(a[i], r1) * digit for digit in B]",
            first="P",
        ),
        Mutation(
            pattern="P := [a[i] * digit for digit in B]",
            replacement="P := [a[i] * low(digit, r2 + 1) for digit in B]",
            first="P",
        ),
        Mutation(
            pattern="W := [factor * digit for digit in M]", replacement="W := [q * digit for digit in M]", first="W"
        ),
        Mutation(pattern="* params.unit", replacement="* 0", first="c"),
        Mutation(pattern="shift_add(T, c, K, r1, r2)", replacement="shift_add(T, c, K[1:], r1, r2)", first="S"),
        Mutation(
            pattern="low(q, r1) * params.digit_inverse & params.radix - 1",
            replacement="low(q, r1) * params.digit_inverse",
            first="q'",
        ),
        Mutation(
            pattern="above = [0, *(high(x, r) + high(y, r)",
            replacement="above = [0, *(high(x, r) | high(y, r)",
            first="S",
            part="redundant",
        ),
        Mutation(
            pattern="low(x, r) + low(y, r) + carried", replacement="low(x, r) + low(y, r)", first="S", part="redundant"
        ),
        Mutation(
            pattern="((i - 2, 2), (i - 1, 1), (i, 0))", replacement="((i - 1, 1), (i, 0))", first="K", part="redundant"
        ),
        Mutation(
            pattern="P[j] >> (2 * r) if part == 2",
            replacement="low(P[j] >> (2 * r), r - 2) if part == 2",
            first="K",
            part="redundant",
        ),
        Mutation(pattern="+ low(here, r) + high(below, r)", replacement="+ low(here, r)", first="T", part="redundant"),
        Mutation(
            pattern="+ low(here, r) + high(below, r)",
            replacement="+ low(here, r) + high(below, r) % 2",
            first="T",
            part="redundant",
        ),
        Mutation(
            pattern="upper = low(S[1], s) + high(S[0], r2)",
            replacement="upper = low(S[1], s)",
            first="q",
            part="redundant",
        ),
        Mutation(pattern="(upper if keep else low(upper, s))", replacement="upper", first="q", part="redundant"),
        Mutation(
            pattern="return low(high(T[0], r2), 1)", replacement="return low(T[0], 1)", first="c", part="redundant"
        ),
        Mutation(
            pattern="U = [(here >> s) + (low(above, s)",
            replacement="U = [(here >> s) | (low(above, s)",
            first="U",
            part="redundant",
        ),
        Mutation(
            pattern="return [U[0] + c, *U[1:]]",
            replacement="return [U[0], U[1] + c, *U[2:]]",
            first="U",
            part="redundant",
        ),
        Mutation(
            pattern="(high(T[j + 1], r2) << (r2 - s)) + low(K[j], r2)",
            replacement="low(K[j], r2)",
            first="S",
            part="redundant",
        ),
        Mutation(
            pattern="carried = high(K[j - 1], r2) if j else c",
            replacement="carried = high(K[j - 1], r2) if j else 0",
            first="S",
            part="redundant",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        def vector(name: str, i: int, count: int) -> Order:
            return ((name, (i, j)) for j in range(count))

        yield from vector("S", 0, params.ds)
        for i in range(params.digits + 3):
            if params.tail and i == params.digits + 2:
                yield "q'", (i,)
            yield from (("a", (i,)), ("q", (i,)))
            for name, count in (("P", params.mb + 2), ("K", params.mb + 4), ("W", params.mb + 2), ("T", params.ds + 1)):
                yield from vector(name, i, count)
            yield "c", (i,)
            if not params.fused:
                yield from vector("U", i, params.ds)
            yield from vector("S", i + 1, params.ds)

    @staticmethod
    def absent(params: Any) -> set[str]:
        return ({"U"} if params.fused else set()) | (set() if params.tail else {"q'"})
