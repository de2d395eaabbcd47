# SPDX-License-Identifier: Apache-2.0
"""CIOS of sigma interleaved products: Algorithm 2 of the FPMM paper.

One pipeline processes a stream of visits. Visit g belongs to logical multiplier (LM) g mod sigma and is either one
iteration of its product or idle. It takes theta slots, one per word. The carries d and c belong to the stream: a carry
out of the last word of a visit enters word 0 of the next visit. The product's own word is always 0 there, due to the
quotient digit, so the output word is the top word us + c of the visit before. An idle visit does the
same with operands 0, and at least one visit has to follow the last iteration of a product.

With theta = s + 1 a visit has an additional slot for its top word, and is an iteration of Algorithm 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Step, StreamRun, check_modulus
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.cios import algorithm as cios
from limbtrace.refmodels.papers.fpmm.cios.algorithm import Cios
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given, Parameter, Settings

MAX_SIGMA = 1 << 17

FORMS = (CORRECTED, PRINTED)

PARAMETERS = (
    *cios.WORD_PARAMETERS,
    Parameter("sigma", "logical multipliers that share the pipeline", "ceil((2r^2+4r-1)/theta) with r = ceil(w/17)",
              f"1 to {MAX_SIGMA}"),
    Parameter("theta", "slots of a visit: s, or s + 1 without the latency reduction", "s", "s to s + 1"),
    Parameter("form", "printed takes the text at its word: d and c are cleared when a product begins, and the top word "
              "of the last LM comes from the same iteration of LM 0", CORRECTED, f"{CORRECTED} or {PRINTED}"),
)  # fmt: skip


@dataclass(frozen=True)
class Fpmm(Cios):
    """P odd, P >= 3, 4P < 2^(s*w); A, B in [0, 2P). A unit of hardware needs sigma*theta >= alpha_min, too."""

    sigma: int = field(kw_only=True)
    theta: int = field(kw_only=True)

    @property
    def named(self) -> dict[str, int]:
        return {"s": self.digits, "sigma": self.sigma, "theta": self.theta}

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"s": (self.digits, self.radix_bits)}

    @cached_property
    def literal(self) -> bool:
        """True if the text is taken literally."""
        return self.form == PRINTED

    @property
    def flush(self) -> int:
        """Number of visits that have to follow the last iteration of a product until its top word is output."""
        return int(self.theta == self.digits)

    def last_visit(self, start: int) -> int:
        """Visit with the last iteration of a product that begins in visit `start`."""
        return start + self.sigma * (self.digits - 1)


def resolve(modulus: int, given: Given) -> Fpmm:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("fpmm", PARAMETERS, given)
    w, s = cios.words(settings, modulus)
    theta = settings.integer("theta", s, s, s + 1, "one slot a word, and one more at most")
    sigma = settings.integer("sigma", fpmm.sigma_min(w, theta), 1, MAX_SIGMA)
    form = settings.choice("form", FORMS, CORRECTED)
    if form == PRINTED and theta > s:
        raise ParameterError("theta", f"Algorithm 2 as printed has theta = s = {s}, not {theta}")
    return Fpmm(modulus, w, s, s, form, sigma=sigma, theta=theta)


class Visit(NamedTuple):
    """A visit: iteration `it` of product `job`; both are -1 for an idle visit."""

    job: int = -1
    it: int = -1


def earliest(params: Fpmm, count: int) -> list[int]:
    """The visits in which `count` products begin back to back, sigma at a time, one in each LM."""
    turn = params.sigma * params.digits
    return [turn * (job // params.sigma) + job % params.sigma for job in range(count)]


def plan(params: Fpmm, starts: Sequence[int]) -> list[Visit]:
    """The visits of a stream; product k begins in visit starts[k] and is thus in LM starts[k] mod sigma.

    The last visit is the one that outputs the last top word. Raises ParameterError("operands") if two products would
    be in the same visit.
    """
    last = max(map(params.last_visit, starts))
    visits = [Visit()] * (last + 1 + params.flush)
    for job, start in enumerate(starts):
        for it in range(params.digits):
            g = start + params.sigma * it
            if start < 0 or visits[g].job >= 0:
                raise ParameterError("operands", f"product {job} cannot begin in visit {start}: visit {g} is not free")
            visits[g] = Visit(job, it)
    return visits


def stream(params: Fpmm, visits: Sequence[Visit], A: list[list[Digit]], B: list[list[Digit]]) -> Iterator[Step]:
    """Algorithm 2. A[k] and B[k] are the s words of product k, least significant first.

    Nothing is checked, so that the effect of out-of-range operands on their neighbours can be seen.
    """
    w, s, sigma, theta, P_ = params.radix_bits, params.digits, params.sigma, params.theta, params.digit_inverse
    p = [*params.modulus_digits, 0]  # slot s, if there is one, has words 0
    low = params.radix - 1
    none: list[Digit] = [0] * (s + 1)
    t = [[*none] for _ in range(sigma)]
    d = c = q = us = cs = held = 0
    for g, (job, i) in enumerate(visits):
        lm = g % sigma
        a, b = (A[job][i], [*B[job], 0]) if i >= 0 else (0, none)
        t_in = t[lm] if i > 0 else none
        if params.literal and i == 0:
            d = c = 0
        yield "lm", (g,), lm
        yield "it", (g,), i
        yield "job", (g,), job
        yield "us_p", (g,), d
        yield "c_p", (g,), c
        for j in range(theta):
            v = t_in[j] + a * b[j]  # task 1
            if j == 0:
                yield "q", (g,), (q := ((v & low) * P_) & low)  # task 2, before the carry enters
            yield "t_in", (g, j), t_in[j]
            yield "v", (g, j), v
            v = v + d
            yield "u", (g, j), (u := v & low)
            yield "d", (g, j), (d := v >> w)
            y = u + q * p[j] + c  # task 3
            yield "t_out", (g, j), (word := y & low)
            yield "c", (g, j), (c := y >> w)
            if j == s - 1:
                us, cs = d, c
            h, k = divmod(g * theta + j - 1, theta)  # one slot late: word k of visit h
            if params.literal and k == s - 1 and lm == 0:
                word, held = held, word
            t[h % sigma][k] = word
            if k == s - 1 and h >= 0:
                yield "shared", (h,), word
                yield "T", (h,), join(t[h % sigma][:s], w)
        yield "us", (g,), us
        yield "cs", (g,), cs


def steps(params: Fpmm, A: list[Digit], B: list[Digit]) -> Iterator[Step]:
    """A stream of one product, in LM 0 from visit 0 on, while the other LMs are idle.

    Iteration i is visit i*sigma. The idle visits in between are steps like the others, since they output what an
    iteration leaves. With theta = s one more visit follows the last iteration and outputs the top word of the result.
    """
    return stream(params, plan(params, [0]), [A], [B])


def run_stream(params: Fpmm, products: Sequence[tuple[int, int]], starts: Sequence[int] | None = None) -> StreamRun:
    """Products (a, b) in one stream, which begin in these visits, or back to back.

    Raises ParameterError like `plan`; operands are not checked.
    """
    starts = earliest(params, len(products)) if starts is None else starts
    digits = [params.split(a, b) for a, b in products]
    seen = tuple(stream(params, plan(params, starts), [a for a, _ in digits], [b for _, b in digits]))
    T = {index[0]: value for name, index, value in seen if name == "T"}
    results = tuple(T[params.last_visit(start)] for start in starts)
    return StreamRun(params, *products[0], seen, results[0], tuple(products), results)


SOURCE = "FPMM, Algorithm 2"


def step_count(params: Fpmm) -> int:
    """Number of steps of a stream of one product; with theta = s the top word needs one more visit."""
    iterations = params.last_visit(0) + 1
    return (6 * params.theta + 8) * (iterations + params.flush) + 2 * iterations


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """The words of CIOS, with one slot per word or one more, in a pipeline of 1 to 4 stages."""
    words = cios.shape(choice, bits, max_digits)
    theta = int(words["s"]) + choice.integer(0, 1)
    return {**words, "sigma": choice.integer(1, 4), "theta": theta}
