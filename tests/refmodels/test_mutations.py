# SPDX-License-Identifier: Apache-2.0
"""A test of the tests: every model is broken in many ways, and the checks see it and name the first wrong step."""

import dataclasses
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

import refmodels.papers
from refmodels.digits import chosen_digits
from refmodels.model import Model
from refmodels.primes import CATALOGUE
from refmodels.registry import MODELS
from tests.shapes import WHOLE, Settings, of_width
from vectors.operands import operands
from vectors.request import Multiplier, VectorRequest
from vectors.traces import TraceRequest
from vectors.verify import verify
from vectors.wire import hexadecimal

FOLDER = Path(refmodels.papers.__file__ or "").parent


SHAPES = ((61, 2, 0), (1023, 4, 0), (2**12 - 1, 4, 0), (0xEA7, 4, 1), (2**31 - 1, 8, 0), (2**64 - 59, 16, 1))
"""Modulus, digit width, passes beyond the usual number."""


MINUS: tuple[tuple[int, Settings], ...] = (
    (11, {}), (107, {}), (59, {}), (8747, {"N": 12}), (2**61 * 9 - 1, {"split": 8}),
    (CATALOGUE["sike-p610"].modulus, {}),
)  # fmt: skip
SQUARES: tuple[tuple[int, Settings], ...] = ((71, {}), (199, {}), (647, {}), (CATALOGUE["sike-p610"].modulus, {}))
WHOLE_SHAPES: dict[str, tuple[tuple[int, Settings], ...]] = {
    "barrett": ((61, {}), (1023, {}), (2**31 - 1, {"k": 70}), (2**64 - 59, {})),
    "effm": SQUARES,
    "ffm1": SQUARES,
    "ffm2": ((71, {}), (73, {"sign": 1}), (163, {"sign": 1}), *MINUS[:3], MINUS[-1]),
    "hffm": (*MINUS, (107, {"window": "half"})),
}
"""Modulus and settings of models that take only some moduli, or have no digits."""


class Mutation(NamedTuple):
    pattern: str
    replacement: str
    first: str
    """Name of the step that goes wrong first."""
    part: str = ""
    """The module of `refmodels` that is changed instead of the model's own, which uses it by that name."""


MUTATIONS = {
    "cios": [
        Mutation("v = t[j] + a[i] * b[j]", "v = t[j] + a[j] * b[i]", "v"),
        Mutation("d, u[j] = (v + d) >> w, (v + d) & low", "d, u[j] = v >> w, (v + d) & low", "d"),
        Mutation("        d = 0\n", "        d = 0 if i == 0 else d\n", "u"),
        Mutation("us = d", "us = d & (low >> 1)", "us"),
        Mutation("q = (u[0] * P_) & low", "q = (u[0] * P_) & (low >> 1)", "q"),
        Mutation("q = (u[0] * P_)", "q = (u[-1] * P_)", "q"),
        Mutation("y = u[j] + q * p[j] + c", "y = u[j] + q * p[j] + (c & (low >> 1))", "t"),
        Mutation("        c = 0\n", "        c = 0 if i == 0 else c\n", "t"),
        Mutation("y = us + c", "y = us", "ts"),
        Mutation("y = us + c", "y = us | c", "ts"),
    ],
    "fpmm": [
        Mutation("lm = g % sigma", "lm = (g + 1) % sigma", "lm"),
        Mutation("        a, b = (A[job][i], [*B[job], 0])", "        a, b = (A[job][i], [0, *B[job]])", "v"),
        Mutation("a, b = (A[job][i], [*B[job], 0]) if i >= 0 else (0, none)", "a, b = (A[job][i], [*B[job], 0])", "q"),
        Mutation("t_in = t[lm] if i > 0 else none", "t_in = t[lm]", "q"),
        Mutation("if params.literal and i == 0:", "if i > 0:", "us_p"),
        Mutation("v = t_in[j] + a * b[j]", "v = t_in[j] + (a * b[j] & low)", "v"),
        Mutation("q = ((v & low) * P_) & low", "q = ((v + d & low) * P_) & low", "q"),
        Mutation("q = ((v & low) * P_) & low", "q = ((v & low) * P_) & (low >> 1)", "q"),
        Mutation("d, u = (v + d) >> w, (v + d) & low", "d, u = v >> w, (v + d) & low", "d"),
        Mutation("y = u + q * p[j] + c", "y = u + q * p[j]", "t_out"),
        Mutation("y = u + q * p[j] + c", "y = u + q * p[j] + (c & (low >> 1))", "t_out"),
        Mutation("c, y = y >> w, y & low", "c, y = y >> (w - 1), y & low", "c"),
        Mutation("if j == s - 1:\n", "if j == theta - 1:\n", "us"),
        Mutation("t[h % sigma][k] = y\n", "t[h % sigma][k - 1] = y\n", "T"),
        Mutation("if params.literal and k == s - 1 and lm == 0:", "if k == s - 1 and lm == 0:", "shared"),
        Mutation("t[h % sigma][k] = y\n", "t[h % sigma][k] = y if k < s - 1 else us + cs & (low >> 1)\n", "T"),
        Mutation("t[h % sigma][k] = y\n", "t[g % sigma][k] = y\n", "T"),
    ],
    "r2mm": [
        Mutation("T = S + x[i] * Y", "T = S + x[i] * (Y & ~1)", "T"),
        Mutation("T = S + x[i] * Y", "T = S + x[-1 - i] * Y", "T"),
        Mutation("q = T & 1", "q = S & 1", "q"),
        Mutation("S = (T + q * p) >> 1", "S = ((T + q * p) & ((2 << params.bits) - 1)) >> 1", "S"),
        Mutation("S = (T + q * p) >> 1", "S = (T >> 1) + q * (p >> 1)", "S"),
        Mutation("subtract(S, p, params.bits + 1)", "subtract(S, p + 1, params.bits + 1)", "sub"),
        Mutation("subtract(S, p, params.bits + 1)", "(0, S)", "sub"),
        Mutation('yield "Z", (), Z', 'yield "Z", (), S - sub', "Z"),
    ],
    "mwr2mm": [
        Mutation("s = Ca + x[i] * Y[j] + S[j]", "s = x[i] * Y[j] + S[j]", "Sa"),
        Mutation("par = Sa & 1", "par = S[0] & 1", "par"),
        Mutation("s = Cb + par * p[j] + Sa", "s = par * p[j] + Sa", "Sb"),
        Mutation("s = Cb + par * p[j] + Sa", "s = Cb + (Sa & 1) * p[j] + Sa", "Sb"),
        Mutation("Cb, S[j] = s >> w, s & low", "Cb, S[j] = s >> (w + 1), s & low", "Cb"),
        Mutation("((S[j] & 1) << (w - 1)) | (S[j - 1] >> 1)", "(S[j - 1] >> 1)", "S"),
        Mutation("((S[j] & 1) << (w - 1)) | (S[j - 1] >> 1)", "((S[j] >> (w - 1)) << (w - 1)) | (S[j - 1] >> 1)", "S"),
        Mutation("        S[e] = 0\n", "", "Sa"),
        Mutation("S[e] = 0\n", "S[e] = S[e - 1] = 0\n", "Sa"),
        Mutation("join(S[:e], w)", "join(S[:e - 1], w)", "Z"),
    ],
    "mwr2kmm": [
        Mutation("((x[i] + 1) >> 1)", "(x[i] >> 1)", "qY"),
        Mutation(" - ((x[i] >> booth) << booth)", "", "qY"),
        Mutation("qYY = (qYY >> w) + qY * Y[j]", "qYY = qY * Y[j]", "Sa"),
        Mutation("qYY = (qYY >> w) + qY * Y[j]", "qYY = ((qYY & ~(-1 << 2 * w)) >> w) + qY * Y[j]", "Sa"),
        Mutation("s = Ca + S[j] + (qYY & low)", "s = S[j] + (qYY & low)", "Sa"),
        Mutation("qp = ((Sa & digit) * p_) & digit", "qp = ((Sa & digit) * p_) & (digit >> 1)", "qp"),
        Mutation("qp = ((Sa & digit) * p_) & digit", "qp = ((S[0] & digit) * p_) & digit", "qp"),
        Mutation("qpp = (qpp >> w) + qp * p[j]", "qpp = qp * p[j]", "Sb"),
        Mutation("s = Cb + Sa + (qpp & low)", "s = Sa + (qpp & low)", "Sb"),
        Mutation("((S[j] & digit) << (w - k))", "((S[j] & digit >> 1) << (w - k))", "S"),
        Mutation("S[NW - 1] >> (w - 1) if params.fills_with_sign else Ca | Cb", "0", "S"),
        Mutation("S[NW - 1] >> (w - 1) if params.fills_with_sign else Ca | Cb", "Ca | Cb", "S"),
        Mutation("Ca = Cb = qp = qYY = qpp = 0", "Ca = Cb = qp = qYY = qpp = 0 if i == 0 else Ca", "Ca"),
        Mutation("subtract(Sfinal, params.modulus, w * (top + 1))", "(0, Sfinal)", "sub"),
        Mutation(
            "subtract(Sfinal, params.modulus, w * (top + 1))",
            "subtract(Sfinal, params.modulus - 1, w * (top + 1))",
            "Z",
        ),
    ],
    "imm": [
        Mutation("X0 = X & low", "X0 = X & (low >> 1)", "q"),
        Mutation("q = (((A & low) + X0 * Y[i] & low) * p_) & low", "q = ((X0 * Y[i] & low) * p_) & low", "q"),
        Mutation(
            "q = (((A & low) + X0 * Y[i] & low) * p_) & low", "q = (((A & low) + X0 * Y[0] & low) * p_) & low", "q"
        ),
        Mutation("A = (A + X * Y[i] + q * p) >> k", "A = (A + X * Y[i] >> k) + (q * p >> k)", "A"),
        Mutation("A = (A + X * Y[i] + q * p) >> k", "A = (A + X0 * Y[i] + q * p) >> k", "A"),
        Mutation(
            "A = (A + X * Y[i] + q * p) >> k", "A = (A + X * Y[i] + q * p) >> k & (1 << params.bits + 1) - 1", "A"
        ),
    ],
    "iddmm1": [
        Mutation("CS = CR = CU = q = 0", "CS = CR = CU = q = 0 if i == 0 else CS", "CS"),
        Mutation("s = A[j] + X[j] * Y[i] + CS", "s = A[j] + X[j] * Y[i]", "S"),
        Mutation("q = (S * p_) & low", "q = (S * p_) & (low >> 1)", "q"),
        Mutation("r = q * p[j] + CR", "r = q * p[j] + (CR & 1)", "R"),
        Mutation("CU, U = u >> k, u & low", "CU, U = u >> (k + 1), u & low", "CU"),
        Mutation("A[j - 1] = U\n", "A[j - 1] = U if j < n else S\n", "S"),
        Mutation("A[n] = (CS + CR + CU) * keep", "A[n] = (CS | CR | CU) * 0", "A"),
        Mutation("A[n] = (CS + CR + CU) * keep", "A[n] = (CS + CR) * keep", "A"),
        Mutation("for j in range(n + 1):", "X = X if i == 0 else [*X[:-1], 0]\n        for j in range(n + 1):", "S"),
    ],
    "iddmm2": [
        Mutation("C = q = 0", "C = q = 0 if i == 0 else C", "C"),
        Mutation("S = A[j] + X[j] * Y[i]", "S = A[j] + (X[j] * Y[i] & low)", "S"),
        Mutation("q = ((S & low) * p_) & low", "q = ((S & low) * p_) & (low >> 1)", "q"),
        Mutation("q = ((S & low) * p_) & low", "q = (((S ^ C) + (i > 0) & low) * p_) & low", "q"),
        Mutation("R = q * p[j]", "R = q * p[j] & ((1 << (2 * k - 1)) - 1)", "R"),
        Mutation("u = S + R + C\n", "u = S + R + (C & low)\n", "C"),
        Mutation("u = S + R + C\n", "u = S + R\n", "U"),
        Mutation("A[n] = C * keep", "A[n] = 0", "A"),
        Mutation("A[n] = C * keep", "A[n] = (C & 1) * keep", "A"),
    ],
    "orup": [
        Mutation("q = S & low", "q = S & (low >> 1)", "q"),
        Mutation("q = S & low", "q = H & low if i else 0", "q"),
        Mutation("aB := a[i] * B", "aB := a[i - 1] * B", "aB"),
        Mutation("SqM := S + factor * multiple", "SqM := S + factor * params.modulus", "SqM"),
        Mutation("SqM := S + factor * multiple", "SqM := S + (factor * multiple >> 1 << 1)", "SqM"),
        Mutation("H := SqM >> r", "H := (S >> r) + (factor * multiple >> r)", "H"),
        Mutation("S := H + aB", "S := H + aB & (1 << scaled.bit_length() + r) - 1", "S"),
        Mutation("factor, multiple = q * M_ & low, params.modulus", "factor, multiple = q, params.modulus", "q'"),
        Mutation("factor, multiple = q * M_ & low, params.modulus", "factor, multiple = q * M_, params.modulus", "q'"),
        Mutation("S := H + aB", "S := H + aB * (i < last - 1)", "S"),
    ],
    "redundant": [
        Mutation("    S: list[Digit] = [0] * params.ds\n", "    S: list[Digit] = [1] + [0] * (params.ds - 1)\n", "S"),
        Mutation("P := [a[i] * digit for digit in B]", "P := [low(a[i], r1) * digit for digit in B]", "P"),
        Mutation("P := [a[i] * digit for digit in B]", "P := [a[i] * low(digit, r2 + 1) for digit in B]", "P"),
        Mutation("W := [factor * digit for digit in M]", "W := [q * digit for digit in M]", "W"),
        Mutation("* params.unit", "* 0", "c"),
        Mutation("shift_add(T, c, K, r1, r2)", "shift_add(T, c, K[1:], r1, r2)", "S"),
        Mutation("low(q, r1) * params.digit_inverse & params.radix - 1", "low(q, r1) * params.digit_inverse", "q'"),
        Mutation("above = [0, *(high(x, r) + high(y, r)", "above = [0, *(high(x, r) | high(y, r)", "S", "redundant"),
        Mutation("low(x, r) + low(y, r) + carried", "low(x, r) + low(y, r)", "S", "redundant"),
        Mutation("((i - 2, 2), (i - 1, 1), (i, 0))", "((i - 1, 1), (i, 0))", "K", "redundant"),
        Mutation("P[j] >> (2 * r) if part == 2", "low(P[j] >> (2 * r), r - 2) if part == 2", "K", "redundant"),
        Mutation("+ low(here, r) + high(below, r)", "+ low(here, r)", "T", "redundant"),
        Mutation("+ low(here, r) + high(below, r)", "+ low(here, r) + high(below, r) % 2", "T", "redundant"),
        Mutation("upper = low(S[1], s) + high(S[0], r2)", "upper = low(S[1], s)", "q", "redundant"),
        Mutation("(upper if keep else low(upper, s))", "upper", "q", "redundant"),
        Mutation("return low(high(T[0], r2), 1)", "return low(T[0], 1)", "c", "redundant"),
        Mutation("U = [(here >> s) + (low(above, s)", "U = [(here >> s) | (low(above, s)", "U", "redundant"),
        Mutation("return [U[0] + c, *U[1:]]", "return [U[0], U[1] + c, *U[2:]]", "U", "redundant"),
        Mutation("(high(T[j + 1], r2) << (r2 - s)) + low(K[j], r2)", "low(K[j], r2)", "S", "redundant"),
        Mutation(
            "carried = high(K[j - 1], r2) if j else c", "carried = high(K[j - 1], r2) if j else 0", "S", "redundant"
        ),
    ],
    "barrett": [
        Mutation("barrett.estimate(AB)", "barrett.estimate(AB >> 1)", "qhat"),
        Mutation("rhat = AB - qhat * p", "rhat = AB - (qhat - (qhat > 0)) * p", "rhat"),
        Mutation("barrett.correct(rhat, 1)", "barrett.correct(rhat, 0)", "corr"),
        Mutation('yield "q", (), qhat + corr', 'yield "q", (), qhat', "q"),
        Mutation('yield "r", (), rhat - corr * p', 'yield "r", (), rhat', "r"),
    ],
    "effm": [
        Mutation("a1 * b2 + a2 * b1", "a1 * b2", "a1b2+a2b1"),
        Mutation("a1 * b3 + a2 * b2 + a3 * b1", "a1 * b3 + a2 * b2", "a1b3+a2b2+a3b1"),
        Mutation("Z = a2 * b3 + a3 * b2", "Z = a2 * b3 + a2 * b3", "a2b3+a3b2"),
        Mutation("quarter = R**2 // 2", "quarter = R**2", "2^-2 mod p"),
        Mutation("c1, c2 = X & 1,", "c1, c2 = Y & 1,", "c1"),
        Mutation("(Y >> 1) + Z", "Y + Z", "c2"),
        Mutation("(Y & 1) * (R // 2)", "(Y & 1) * R", "c3"),
        Mutation("+ (X >> 1) + a3b3", "+ X + a3b3", "c3"),
        Mutation("sidh.fold(params, c1, c2, c3)", "sidh.fold(params, c1, c2, c3 & ~1)", "c3.lo"),
        Mutation("c2 = c2 + q3", "c2 = c2 | q3", "c2+q3", "sidh"),
        Mutation("c1 = c1 + q2\n", "c1 = c1 ^ q2\n", "c1+q2", "sidh"),
        Mutation("h, e = c1 >> 1, c1 & 1", "h, e = c1 >> 1, 0", "e", "sidh"),
        Mutation("r3 + h\n", "r3\n", "S", "sidh"),
        Mutation("sub, S = subtract(S, p.modulus, 2 * p.bits)", "sub = 0", "sub", "sidh"),
        Mutation(
            "sub, S = subtract(S, p.modulus, 2 * p.bits)", "sub, _ = subtract(S, p.modulus, 2 * p.bits)", "C", "sidh"
        ),
        Mutation("corr = barrett.correct(rhat, 1)", "corr = 0", "c3.corr", "sidh"),
        Mutation("qhat + corr, (", "qhat, (", "c3.q", "sidh"),
        Mutation("<< low_bits) + low", "<< low_bits)", "c3.r", "sidh"),
    ],
    "ffm1": [
        Mutation("R**2 + literal", "R**2 + 1", "A'"),
        Mutation("R - 1 - 2 * digit", "R - 2 * digit", "a2'"),
        Mutation("a2 * b3 + a3 * b2", "a2 * b3 + a3 * b3", "a2'b3'+a3'b2'"),
        Mutation("a2b2 & 1, cross", "0, cross", "c1'"),
        Mutation("a3b3 + (a2b2 >> 1)", "a3b3 + a2b2", "c3'"),
        Mutation("sign = a[0] ^ b[0]", "sign = a[0] | b[0]", "a1^b1"),
        Mutation("sign * (nonzero | literal)", "sign", "C"),
        Mutation("(p - 2 * C)", "(p - C)", "C"),
    ],
    "ffm2": [
        Mutation("AB = a * b", "AB = a * (b & ~1)", "AB"),
        Mutation("s = q + r", "s = q | r", "q+r"),
        Mutation("sub, C = subtract(s, p, bits)", "sub, C = subtract(s, p + 1, bits)", "C"),
        Mutation("s = r - q", "s = q - r", "r-q"),
        Mutation("add = 1 - ((s + (1 << bits)) >> bits)", "add = 0", "add"),
        Mutation("C = s + add * p", "C = s", "C"),
    ],
    "hffm": [
        Mutation("both = (a1 + a2) * (b1 + b2)", "both = ((a1 + a2) & ((2 << a) - 1)) * (b1 + b2)", "(a1+a2)(b1+b2)"),
        Mutation("cross = both - a1b1 - a2b2", "cross = both - a1b1", "a1b2+a2b1"),
        Mutation("r1, q1 = a1b1 & low, a1b1 >> a", "r1, q1 = a1b1 & low, (a1b1 >> a) & (low >> 1)", "q1"),
        Mutation("r1D = r1 * D", "r1D = r1 * (D - 1)", "r1*f*l^b"),
        Mutation("c2 = a2b2 + m1", "c2 = a2b2 | m1", "c2@4"),
        Mutation("c2 = c2 + u  # line 5", "c2 = c2", "c2@5"),
        Mutation("c1 = q1 + m2  # line 6", "c1 = q1 ^ m2", "c1@6"),
        Mutation("c1 = c1 + v  # line 7", "c1 = (c1 + v) & (2 * low + 1)", "c1@7"),
        Mutation("high = c2 >> barrett.dropped", "high = c2 >> (barrett.dropped + 1)", "barrett.hi"),
        Mutation("rhat = c2 - qhat * D", "rhat = (c2 - qhat * D) & ((1 << params.n) - 1)", "barrett.rhat"),
        Mutation("barrett.correct(rhat, params.corrections)", "barrett.correct(rhat, 0)", "barrett.corr"),
        Mutation("barrett.correct(rhat, params.corrections)", "barrett.correct(rhat, 1)", "barrett.corr"),
        Mutation("q, r = qhat + corr, rhat - corr * D", "q, r = qhat + corr, rhat", "r"),
        Mutation("c2, c1 = r, c1 + q\n", "c2, c1 = r, q\n", "c1@8"),
        Mutation("carry = c1 >> a  # line 9", "carry = (c1 >> a) & 1", "carry@9"),
        Mutation("c1, c2 = c1 & low, c2 + carry\n", "c1, c2 = c1 & low, c2 | carry\n", "c2@9"),
        Mutation("fix, c2 = subtract(c2, D, params.n + 1)", "fix = 0", "fix"),
        Mutation("c1, c2 = c1 & low, c2 + (c1 >> a)", "c1, c2 = c1 & low, c2", "c2"),
        Mutation("is_p = subtract(c1 * D + c2, params.modulus, params.bits + 1)[0]", "is_p = 0", "is_p"),
        Mutation("c1 - is_p * c1, c2 - is_p * c2", "c1 - is_p * c1, c2", "c2"),
    ],
    "monpro": [
        Mutation("T := A * B", "T := A * (B & ~1)", "T"),
        Mutation("Q := ((T & low) * M_) & low", "Q := ((T & low) * M_) & (low >> 1)", "Q"),
        Mutation("Z := (T + Q * M) >> n", "Z := (T >> n) + (Q * M >> n)", "Z_raw"),
        Mutation("Z := (T + Q * M) >> n", "Z := (T + Q * M) >> n & low", "Z_raw"),
        Mutation("_, Z = subtract(Z, M, n + 1)", "Z = Z", "Z"),
        Mutation("subtract(Z, M, n + 1)", "subtract(Z, M + 1, n + 1)", "Z"),
    ],
    "redmonpro": [
        Mutation("T0 := T & low", "T0 := T & (low >> 1)", "T0"),
        Mutation("Q := (T0 * M_) & low", "Q := (T1 * M_) & low", "Q"),
        Mutation("S := Q * M)", "S := Q * (M - 2))", "S"),
        Mutation("carry := (T0 + S0) >> n", "carry := 1", "carry"),
        Mutation("carry := (T0 + S0) >> n", "carry := 0", "carry"),
        Mutation("Z := T1 + S1 + carry", "Z := T1 + S1", "Z_raw"),
        Mutation("_, Z = subtract(Z, M, n + 1)", "Z = Z", "Z"),
    ],
    "ozturk": [
        Mutation("D[i + j] + (P & low)", "D[i + j] + (P & low >> 1)", "D"),
        Mutation("((P >> d) & low)", "(P >> d)", "D"),
        Mutation("D[i + j + 2] + (P >> 2 * d)", "D[i + j + 2]", "D"),
        Mutation("D[i + j + 2] + (P >> 2 * d)", "D[i + j + 2] + (P >> 2 * d & 1)", "D"),
        Mutation(
            "return [D[0] & low, *((D[i] & low) + (D[i - 1] >> d)",
            "return [D[0] & low, *((D[i] & low) + (D[i - 1] >> d & 1)",
            "C",
        ),
        Mutation(", D[-1] + (D[-2] >> d)]", ", D[-1]]", "C"),
        Mutation(
            "if widths:\n        D = [column & ((1 << 2 * d) - 1)",
            "if True:\n        D = [column & ((1 << 2 * d - 1) - 1)",
            "D",
        ),
    ],
    "llmonpro": [
        Mutation("ozturk.product([*T[:k], 0], M_", "ozturk.product([*T[: k + 1]], M_", "Q"),
        Mutation("ozturk.product([*T[:k], 0], M_", "ozturk.product([*(t & low for t in T[:k]), 0], M_", "Q"),
        Mutation("ozturk.product([*Q[:k], 0], M,", "ozturk.product([*Q[: k + 1]], M,", "S"),
        Mutation("S[k - 1] + 3) >> d if", "S[k - 1]) >> d if", "carry"),
        Mutation(") >> d if params.corrected else", ") >> d if False else", "carry"),
        Mutation("E = [T[k] + carry,", "E = [T[k] + (carry & 1),", "E"),
        Mutation("for i in range(summed):", "for i in range(1, summed):", "E"),
        Mutation("E[i] + S[k + i]", "E[i] | S[k + i]", "E"),
        Mutation("(E[i - 1] >> d)", "(E[i - 1] >> d & 1)", "Z"),
        Mutation("Z = [E[0] & low,", "Z = [E[0],", "Z"),
    ],
    "vdf": [
        Mutation("Z = multiply(params, Z, Z)\n        yield", "Z = multiply(params, Z, x)\n        yield", "z"),
        Mutation(
            "        Z = Z[: params.k + 1]\n    one", "        Z = [z & params.radix - 1 for z in Z]\n    one", "z"
        ),
        Mutation("one: list[Digit] = [1, *[0] * params.k]", "one: list[Digit] = [2, *[0] * params.k]", "y"),
        Mutation("_, y = subtract(y, params.modulus, params.r_bits)", "y = y", "y"),
    ],
}


def mutated(name: str, mutation: Mutation) -> dict[str, Any]:
    """What the text of a model's module defines with one change."""
    (own,) = FOLDER.glob(f"*/{name}.py")
    path = own.with_name("family.py") if mutation.part else own
    text = path.read_text()
    assert text.count(mutation.pattern) == 1, f"{mutation.pattern!r} does not stand exactly once in {path.name}"
    changed = _defined(name, path, text.replace(mutation.pattern, mutation.replacement))
    if not mutation.part:
        return changed
    whole = _defined(name, own, own.read_text())
    whole[mutation.part] = SimpleNamespace(**changed)
    return whole


def _defined(name: str, path: Path, text: str) -> dict[str, Any]:
    module = ModuleType(f"mutant_{name}")
    module.__dict__["__name__"] = MODELS[name].__class__.__module__
    exec(compile(text, path.name, "exec"), module.__dict__)
    return module.__dict__


def mutant(name: str, mutation: Mutation) -> Model:
    """The model from the text of its module with one change."""
    return dataclasses.replace(MODELS[name], steps=mutated(name, mutation)["MODEL"].steps)


def products(name: str) -> Iterator[tuple[Multiplier, int, int]]:
    """Corners and edges of a few shapes, full moduli among them."""
    for modulus, settings in WHOLE_SHAPES.get(name, ()):
        multiplier = Multiplier.resolve(name, modulus, settings)
        yield from ((multiplier, corner.a, corner.b) for corner in multiplier.model.corners(multiplier.params))
        for a, b, _ in operands(VectorRequest.resolve(multiplier, 20, 1, "random")):
            yield multiplier, int(a), int(b)
    for modulus, width, more in SHAPES if name not in WHOLE else ():
        given = of_width(name, width)
        named = MODELS[name].resolve(modulus, given).named
        if more and "passes" in named:
            given["passes"] = -(-modulus.bit_length() // width) + more
        if more and "theta" in named:
            given["theta"] = named["s"] + more
        if more and "tail" in named:
            given["tail"] = 1
        if "overlap" in named:
            given |= {"overlap": width % 3, "fused": int(width == 8)}
        multiplier = Multiplier.resolve(name, modulus if MODELS[name].has_modulus else None, given)
        count = min(60, 8_000 // multiplier.model.step_count(multiplier.params))
        for corner in multiplier.model.corners(multiplier.params):
            if chosen_digits(corner.a) or chosen_digits(corner.b):  # no case of a set has these
                yield multiplier, corner.a, corner.b
        for a, b, _ in operands(VectorRequest.resolve(multiplier, count, 1, "lazy")):
            yield multiplier, int(a), int(b)  # operands are integers of gmpy2


def as_seen(multiplier: Multiplier, a: int, b: int, steps: Any) -> dict[str, Any]:
    """The trace document that a device with these steps would send."""
    head = TraceRequest(multiplier, a, None if multiplier.model.unary else b).head
    return {**head, "steps": [[name, list(index), hexadecimal(value)] for name, index, value in steps]}


@pytest.mark.parametrize(("name", "mutation"), [(name, m) for name, many in MUTATIONS.items() for m in many])
def test_mutation_is_caught_and_located(name: str, mutation: Mutation) -> None:
    broken, caught, located = mutant(name, mutation), False, False
    for multiplier, a, b in products(name):
        golden = MODELS[name].run(multiplier.params, a, b)
        run = broken.run(multiplier.params, a, b)
        # What a model is checked with on its own: its claims and the closed form.
        caught = caught or bool(list(broken.violations(run))) or run.result != golden.result
        wrong = [(g, s) for g, s in zip(golden.steps, run.steps, strict=True) if g != s]
        verdict = verify(as_seen(multiplier, a, b, run.steps))
        assert verdict["verdict"] == ("fail" if wrong else "pass")
        if wrong:
            (step, index, expected), (_, _, seen) = wrong[0]
            divergence = verdict["first_divergence"]
            assert divergence["step"] == [step, list(index)]
            assert (divergence["expected"], divergence["seen"]) == (hexadecimal(expected), hexadecimal(seen))
            located = located or step == mutation.first
    assert caught
    assert located


@pytest.mark.parametrize("name", MODELS)
def test_the_text_without_a_mutation_passes(name: str) -> None:
    """What the test above finds comes from the mutation alone."""
    same = mutant(name, Mutation("\nMODEL", "\nMODEL", ""))
    for multiplier, a, b in islice(products(name), 80):
        run = same.run(multiplier.params, a, b)
        assert run.steps == MODELS[name].run(multiplier.params, a, b).steps
        assert not list(same.violations(run))
