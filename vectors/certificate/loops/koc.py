# SPDX-License-Identifier: Apache-2.0
"""The loops of Koç, Acar and Kaliski, read on whole numbers."""

from typing import Any

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, below, digit, quotient_digit


def cios(given: LoopInput) -> LoopSteps:
    """CIOS: carries are what sums of the low words have above them."""
    p, w, s, a = given.modulus, given.bits, given.params["s"], given.a
    t = Integer(0)
    for i in range(s):
        word = digit(given.b, i, w)
        row = t + a * word
        m = quotient_digit(row, p, Integer(2) ** w)
        for j in range(s + 2):
            yield "t1", (i, j), digit(row, j, w)
        for j in range(1, s + 1):
            yield "C1", (i, j), (below(t, j, w) + word * below(a, j, w)) >> w * j
        yield "m", (i,), m
        for j in range(1, s + 2):
            yield "C2", (i, j), (below(row, j, w) + m * below(p, j, w)) >> w * j
        t = (row + m * p) >> w
        for j in range(s + 1):
            yield "t", (i, j), digit(t, j, w)
        yield "T", (i,), t
    yield from subtraction(given, t)


def subtraction(given: LoopInput, t: Any) -> LoopSteps:
    """t - p, and t itself if that is below 0."""
    p, w = given.modulus, given.bits
    if given.params["final"] == "unreduced":
        return
    for j in range(given.params["s"]):
        yield "B", (j + 1,), Integer(below(t, j + 1, w) < below(p, j + 1, w))
        yield "D", (j,), digit(t - p, j, w)
    yield "sub", (), Integer(t >= p)
    yield "Z", (), t - p if t >= p else t


def sos(given: LoopInput) -> LoopSteps:
    """SOS: t is one number in each row of the product, and in each iteration of its reduction."""
    p, w, s, a = given.modulus, given.bits, given.params["s"], given.a
    t = Integer(0)
    for i in range(s):
        added = a * digit(given.b, i, w)
        for k in range(i, i + s):
            yield "t1", (i, k), digit(t + (added << w * i), k, w)
            yield "C1", (i, k + 1), _carry(w * (k + 1), t, below(a, k + 1 - i, w) * digit(given.b, i, w) << w * i)
        t += added << w * i
    for i in range(s):
        m = quotient_digit(digit(t, i, w), p, Integer(2) ** w)
        yield "m", (i,), m
        for k in range(i, 2 * s):
            yield "C2", (i, k + 1), _carry(w * (k + 1), t, below(p, k + 1 - i, w) * m << w * i)
        t += m * p << w * i
        for k in range(i, 2 * s + 1):
            yield "t", (i, k), digit(t, k, w)
        yield "T", (i,), t >> w * (i + 1)
    yield from subtraction(given, t >> w * s)


def _carry(place: int, t: Any, added: Any) -> Any:
    """The carry into the bit `place` where words of products below it are added to t."""
    return (t % Integer(2) ** place + added) >> place


def fios(given: LoopInput) -> LoopSteps:
    """FIOS: at word j all that was added so far is t, above the words that are finished."""
    p, w, s = given.modulus, given.bits, given.params["s"]
    t = Integer(0)
    for i in range(s):
        b = digit(given.b, i, w)
        m = quotient_digit(t + given.a * b, p, Integer(2) ** w)
        yield "m", (i,), m
        C = Integer(0)
        for j in range(s):
            # t, without C and the words below j: C is not in it yet.
            total = (t + below(given.a, j, w) * b + below(p, j, w) * m >> w * j) - C
            row = digit(total, 0, w) + digit(given.a, j, w) * b + C
            yield "S", (i, j), digit(row, 0, w)
            yield "C1", (i, j + 1), row >> w
            yield "A", (i, j + 1), digit(total, 1, w) + (row >> w) >> w
            C = digit(row, 0, w) + m * digit(p, j, w) >> w
            yield "C2", (i, j + 1), C
        row = t + given.a * b
        yield "C2", (i, s + 1), digit((row + m * p >> w * s) - C, 0, w) + C >> w
        t = row + m * p >> w
        for j in range(s + 1):
            yield "t", (i, j), digit(t, j, w)
        yield "T", (i,), t
    yield from subtraction(given, t)


def fips(given: LoopInput) -> LoopSteps:
    """FIPS: t is a number that takes the products of a column, and loses a word at its end."""
    p, w, s = given.modulus, given.bits, given.params["s"]
    Q = (-given.a * given.b * Integer(p).inverse_mod(Integer(2) ** (w * s))) % Integer(2) ** (w * s)
    t = Integer(0)
    for i in range(2 * s):
        for j in range(max(0, i - s + 1), min(i + 1, s)):
            for name, x, y in (("t1", given.a, given.b), ("t", Q, p)):
                t += digit(x, j, w) * digit(y, i - j, w)
                yield name, (i, j, 0), digit(t, 0, w)
                yield name, (i, j, 1), digit(t, 1, w)
                yield name, (i, j, 2), t >> 2 * w
        yield ("m", (i,), digit(Q, i, w)) if i < s else ("u", (i - s,), digit(t, 0, w))
        t >>= w
    total = (given.a * given.b + Q * p) >> w * s
    yield "u", (s,), total >> w * s
    yield "T", (s - 1,), total
    yield from subtraction(given, total)


def cihs(given: LoopInput) -> LoopSteps:
    """CIHS: t is a number to which products of words are added at their places."""
    p, w, s = given.modulus, given.bits, given.params["s"]
    t = Integer(0)
    for i in range(s):
        b, before = digit(given.b, i, w), t
        for k in range(i, s):
            yield "C1", (i, k + 1), _carry(w * (k + 1), before, below(given.a, k + 1 - i, w) * b << w * i)
        t += below(given.a, s - i, w) * b << w * i
        yield from _words("t1", (i,), t, i, s, w)
    for i in range(s):
        m = quotient_digit(t, p, Integer(2) ** w)
        yield "m", (i,), m
        for j in range(1, s + 1):
            yield "C2", (i, j), _carry(w * j, t, below(p, j, w) * m)
        t = t + m * p >> w
        yield from _words("t2", (i,), t, 0, s, w)
        for j in range(i + 1, s):
            t += digit(given.b, j, w) * digit(given.a, s - j + i, w) << w * (s - 1)
            yield from _words("t", (i, j), t, s - 1, s, w)
        yield "T", (i,), t
    yield from subtraction(given, t)


def _words(name: str, index: tuple[int, ...], t: Any, first: int, s: int, w: int) -> LoopSteps:
    """Words `first` to s of t, and all that is above them."""
    for k in range(first, s + 1):
        yield name, (*index, k), digit(t, k, w)
    yield name, (*index, s + 1), t >> w * (s + 1)
