# SPDX-License-Identifier: Apache-2.0
"""The contents of the registers of the FPMM pipeline, slot by slot."""

from collections.abc import Generator, Iterator, Sequence

from limbtrace.refmodels.architecture import Shape
from limbtrace.refmodels.batch_digits import Digit, Limbs, join, split
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import Fpmm
from limbtrace.refmodels.papers.fpmm.pipeline.timing import alpha, blocks, digits, visits


def micro_steps(shape: Shape, A: Sequence[list[Digit]], B: Sequence[list[Digit]]) -> Iterator[Step]:
    """The register contents, slot by slot, including idle ones; A[k] and B[k] are the words of product k.

    Words have digits 0 and 1: a = (a1, a0); or digit 0 alone, which is the low as well as the high one then. V0 to V3
    are the sums of the DSP blocks of task 1, Q of that of task 2, W0 to W3 of those of task 3; an M after the name
    denotes the product before the sum.
    """
    params: Fpmm = shape.params
    w, s, theta = params.radix_bits, params.digits, params.theta
    r = digits(w)
    h = w // r
    mask, low = (1 << w) - 1, (1 << h) - 1
    A, B = [_plain(word) for word in A], [_plain(word) for word in B]
    p = [*params.modulus_digits, 0][:theta]
    P = [split(word, h, r) for word in p]
    P_ = split(params.digit_inverse, h, r)
    for j in range(theta):
        yield "p", (j,), p[j]
        for k in range(r):
            yield f"p{k}", (j,), P[j][k]
    for k in range(r):
        yield "P'", (k,), P_[k]
    out: list[Digit] = []  # the word that leaves the loop in each slot
    q: list[Digit] = [0] * r
    VU = kc = W_high = ks = kt = 0
    for g, (job, i) in enumerate(visits(shape)):
        for j in range(theta):
            a, b = (A[job][i], B[job][j]) if i >= 0 and j < s else (0, 0)
            TM = out[theta * g + j + 1 - alpha(shape)] if i > 0 and j < s else 0
            ad, bd, td = split(a, h, r), split(b, h, r), split(TM, h, r)
            V, V_high = yield from _product("V", (g, j), ad, bd, h)  # task 1
            v = _digit_sums(V, td, h)
            U = _word([digit & low for digit in v], h) + VU + kc
            VU, kc = V_high + (v[-1] >> h), U >> w
            if j == 0:
                q = yield from _quotient(g, [digit & low for digit in v], P_, h)  # task 2
            W_before = W_high
            W, W_high = yield from _product("W", (g, j), q, P[j], h)  # task 3
            S = (U & mask) + _word(W, h) + ks
            T = (S & mask) + W_before + kt
            ks, kt = S >> w, T >> w
            out.append(T & mask)
            yield "a", (g, j), a
            yield "b", (g, j), b
            for k in range(r):
                yield f"a{k}", (g, j), ad[k]
                yield f"b{k}", (g, j), bd[k]
            yield "TM", (g, j), TM
            yield "TM1", (g, j), td[-1]
            yield "VL", (g, j), v[0]
            yield "cy0", (g, j), v[0] >> h
            yield "v0", (g, j), v[0] & low
            yield "VH", (g, j), v[-1]
            yield "VU", (g, j), VU
            yield "U", (g, j), U
            yield "u", (g, j), U & mask
            yield "w0", (g, j), W[0]
            yield "S", (g, j), S
            yield "T", (g, j), T
            yield "t", (g, j), T & mask


def _plain(words: Sequence[Digit]) -> list[Digit]:
    """Ints or 64-bit words: nothing in the pipeline is wider."""
    return [word.limbs[0] if isinstance(word, Limbs) else word for word in words]


def _word(values: list[Digit], h: int) -> Digit:
    """The word of these digits."""
    return sum(value << h * k for k, value in enumerate(values))


def _digit_sums(x: list[Digit], y: list[Digit], h: int) -> list[Digit]:
    """Digits with their carries; each takes the carry of the one before."""
    sums: list[Digit] = [x[0] + y[0]]
    for k in range(1, len(x)):
        sums.append(x[k] + y[k] + (sums[-1] >> h))
    return sums


def _accumulated(x: list[Digit], y: list[Digit], count: int, h: int) -> tuple[list[Digit], list[Digit]]:
    """The first products of `blocks` and their sums; where a weight begins the sum before loses its low digit."""
    products: list[Digit] = []
    sums: list[Digit] = []
    for i, j in blocks(len(x))[:count]:
        before = (sums[-1] >> h if i == 0 or j == len(x) - 1 else sums[-1]) if sums else 0
        products.append(x[i] * y[j])
        sums.append(products[-1] + before)
    return products, sums


def _low_word(sums: list[Digit], r: int, h: int) -> list[Digit]:
    """The digits of the low word: of each weight the last sum."""
    return [sums[fpmm.quotient_steps(k + 1) - 1] & (1 << h) - 1 for k in range(r)]


_Halves = tuple[list[Digit], Digit]


def _product(name: str, at: Index, x: list[Digit], y: list[Digit], h: int) -> Generator[Step, None, _Halves]:
    """A row of DSP blocks; returns the digits of the low word, and the high word."""
    r = len(x)
    products, sums = _accumulated(x, y, r * r, h)
    for k in range(r * r):
        yield f"{name}{k}M", at, products[k]
        yield f"{name}{k}", at, sums[k]
    return _low_word(sums, r, h), sums[-1] if r > 1 else sums[-1] >> h


def _quotient(g: int, v: list[Digit], P_: list[Digit], h: int) -> Generator[Step, None, list[Digit]]:
    """The steps of the DSP block of task 2; returns the digits of q."""
    r = len(v)
    products, sums = _accumulated(v, P_, fpmm.quotient_steps(r), h)
    for k, (i, _) in enumerate(blocks(r)[: len(sums)]):
        yield "X", (g, k), v[i]
        yield "QM", (g, k), products[k]
        yield "Q", (g, k), sums[k]
    q = _low_word(sums, r, h)
    yield "QL", (g,), q[0]
    yield "QH", (g,), q[-1]
    return q


def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
    """The last words of every product, one slot later than the slots of their visits."""
    params: Fpmm = shape.params
    words = [value for name, _, value in steps if name == "t"]
    ends = [start + alpha(shape) * (params.digits - 1) + 1 for start in shape.starts]
    return [join(words[end : end + params.digits], params.radix_bits) for end in ends]
