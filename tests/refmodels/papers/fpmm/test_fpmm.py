# SPDX-License-Identifier: Apache-2.0
"""CIOS of interleaved products: IEEE Trans. Computers 68(11), 2019, Algorithm 2."""

from typing import Any

from limbtrace.refmodels.papers.fpmm import fpmm
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestFpmm(Conformance):
    model = fpmm.MODEL
    shapes = (
        Shape(61, {"w": 2, "sigma": 1}),
        Shape(1023, {"w": 4, "sigma": 3}),
        Shape(2**12 - 1, {"w": 4, "sigma": 3}),
        Shape(0xEA7, {"w": 4, "sigma": 3, "theta": 5}),
        Shape(2**31 - 1, {"w": 8, "sigma": 1}),
        Shape(2**64 - 59, {"w": 16, "sigma": 3, "theta": 6}),
    )
    mutations = (
        Mutation(pattern="lm = g % sigma", replacement="lm = (g + 1) % sigma", first="lm"),
        Mutation(
            pattern="        a, b = (A[job][i], [*B[job], 0])",
            replacement="        a, b = (A[job][i], [0, *B[job]])",
            first="v",
        ),
        Mutation(
            pattern="a, b = (A[job][i], [*B[job], 0]) if i >= 0 else (0, none)",
            replacement="a, b = (A[job][i], [*B[job], 0])",
            first="q",
        ),
        Mutation(pattern="t_in = t[lm] if i > 0 else none", replacement="t_in = t[lm]", first="q"),
        Mutation(pattern="if params.literal and i == 0:", replacement="if i > 0:", first="us_p"),
        Mutation(pattern="v = t_in[j] + a * b[j]", replacement="v = t_in[j] + (a * b[j] & low)", first="v"),
        Mutation(pattern="q := ((v & low) * P_) & low", replacement="q := ((v + d & low) * P_) & low", first="q"),
        Mutation(pattern="q := ((v & low) * P_) & low", replacement="q := ((v & low) * P_) & (low >> 1)", first="q"),
        Mutation(pattern="(d := v >> w)", replacement="(d := v - d >> w)", first="d"),
        Mutation(pattern="y = u + q * p[j] + c", replacement="y = u + q * p[j]", first="t_out"),
        Mutation(pattern="y = u + q * p[j] + c", replacement="y = u + q * p[j] + (c & (low >> 1))", first="t_out"),
        Mutation(pattern="(c := y >> w)", replacement="(c := y >> (w - 1))", first="c"),
        Mutation(pattern="if j == s - 1:\n", replacement="if j == theta - 1:\n", first="us"),
        Mutation(pattern="t[h % sigma][k] = word\n", replacement="t[h % sigma][k - 1] = word\n", first="T"),
        Mutation(
            pattern="if params.literal and k == s - 1 and lm == 0:",
            replacement="if k == s - 1 and lm == 0:",
            first="shared",
        ),
        Mutation(
            pattern="t[h % sigma][k] = word\n",
            replacement="t[h % sigma][k] = word if k < s - 1 else us + cs & (low >> 1)\n",
            first="T",
        ),
        Mutation(pattern="t[h % sigma][k] = word\n", replacement="t[g % sigma][k] = word\n", first="T"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        """The visits of one product and of the idle ones between its iterations, and one more where theta = s."""
        s, sigma, theta = params.digits, params.sigma, params.theta
        visits = sigma * (s - 1) + 1
        for g in range(visits + 1 if theta == s else visits):
            yield from ((name, (g,)) for name in ("lm", "it", "job", "us_p", "c_p", "q"))
            for j in range(theta):
                yield from ((name, (g, j)) for name in ("t_in", "v", "u", "d", "t_out", "c"))
                if theta == s and g and j == 0:
                    yield from (("shared", (g - 1,)), ("T", (g - 1,)))
                if theta > s and j == s:
                    yield from (("shared", (g,)), ("T", (g,)))
            yield from (("us", (g,)), ("cs", (g,)))
