# SPDX-License-Identifier: Apache-2.0
"""CIOS of sigma interleaved products: Algorithm 2 of the FPMM paper.

One pipeline processes a stream of visits. Visit g belongs to logical multiplier (LM) g mod sigma and is either one
iteration of its product or idle. It takes theta slots, one per word. The carries d and c belong to the stream: a carry
out of the last word of a visit enters word 0 of the next visit. The product's own word is always 0 there, due to the
quotient digit, so the output word is the top word us + c of the visit before. An idle visit does the
same with operands 0, and at least one visit has to follow the last iteration of a product.

With theta = s + 1 a visit has an additional slot for its top word, and is an iteration of Algorithm 1.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event
from limbtrace.refmodels.model import (
    CORRECTED,
    PRINTED,
    Claim,
    Index,
    Limit,
    Model,
    Run,
    Step,
    StreamRun,
    Symbol,
    at_most,
    check_modulus,
)
from limbtrace.refmodels.montgomery import below_radix, corners, exact_product, exact_products
from limbtrace.refmodels.papers.fpmm import cios
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.cios import Cios
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.serial_events import A, Accumulator, quotient_events, word_events
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
    p = [*params.modulus_digits, 0]  # slot s, where there is one, has words 0
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


_SOURCE = "FPMM, Algorithm 2"


def _place(run: Run[Fpmm], g: int) -> tuple[int, int, int]:
    """(a, b, iteration) of visit g; a = b = 0 if it is idle."""
    job, i = run.at("job", g), run.at("it", g)
    if job < 0:
        return 0, 0, i
    return (*(run.products[job] if isinstance(run, StreamRun) else (run.a, run.b)), i)


def _value_of_T(run: Run[Fpmm], g: int) -> int:
    return cios.partial(run.params, *_place(run, g))


def _row_one(run: Run[Fpmm], g: int) -> int:
    """T + a_i*B of visit g, before the carry; 0 if it is idle."""
    a, b, i = _place(run, g)
    return cios.row_one(run.params, a, b, i) if i >= 0 else 0


def _t_limit(run: Run[Fpmm], index: Index) -> int:
    _, b, i = _place(run, index[0])
    p = run.params
    return 2 * p.modulus - 1 if i == p.digits - 1 else b + p.modulus - 1


def _q_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    p = run.params
    a, b, i = _place(run, index[0])
    return value == ((a * b * p.negative_inverse >> p.radix_bits * i) % p.radix if i >= 0 else 0)


def _t_in_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    p = run.params
    g, j = index
    a, b, i = _place(run, g)
    return value == (cios.partial(p, a, b, i - 1) >> p.radix_bits * j) % p.radix


def _carries_enter(name: str) -> Callable[[Run[Fpmm], Index, int], bool]:
    """The carry into a visit is the carry out of the one before, unless that had a slot for it."""

    def holds(run: Run[Fpmm], index: Index, value: int) -> bool:
        p = run.params
        g = index[0]
        return value == (run.at(name, g - 1) if g and p.flush else 0)

    return holds


def _us_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    p = run.params
    g = index[0]
    return value == (_row_one(run, g) + run.at("us_p", g)) >> p.r_bits


def _cs_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    p = run.params
    g = index[0]
    row = (_row_one(run, g) + run.at("us_p", g)) % p.domain
    return value == (row + run.at("q", g) * p.modulus + run.at("c_p", g)) >> p.r_bits


def _push_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    """The carry that enters moves at most one unit from c to us."""
    p = run.params
    g = index[0]
    row = _row_one(run, g)
    alone = row >> p.r_bits, (row % p.domain + run.at("q", g) * p.modulus) >> p.r_bits
    moved = value - alone[0]
    return moved in (0, 1) and alone[1] - run.at("cs", g) == moved


def _top_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    p = run.params
    g = index[0]
    return value == run.at("us", g) + run.at("cs", g) == run.at("T", g) >> p.radix_bits * (p.digits - 1)


def _row_limit(after: int) -> Limit[Fpmm]:
    """W - 1 within a row, W / after behind it."""
    return lambda run, index: run.params.radix // after if index[1] >= run.params.digits - 1 else run.params.radix - 1


def _idle(run: Run[Fpmm], _: Index) -> int:
    """The value that an idle visit has in place of a number."""
    return -1


def _last_job(run: Run[Fpmm], _: Index) -> int:
    return len(run.products) - 1 if isinstance(run, StreamRun) else 0


def _quarter(run: Run[Fpmm], _: Index) -> int:
    return run.params.radix // 4


def step_count(params: Fpmm) -> int:
    """Number of steps of a stream of one product; with theta = s the top word needs one more visit."""
    iterations = params.last_visit(0) + 1
    return (6 * params.theta + 8) * (iterations + params.flush) + 2 * iterations


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """The words of CIOS, with one slot per word or one more, in a pipeline of 1 to 4 stages."""
    words = cios.shape(choice, bits, max_digits)
    theta = int(words["s"]) + choice.integer(0, 1)
    return {**words, "sigma": choice.integer(1, 4), "theta": theta}


ACCUMULATOR = Accumulator(
    A, _SOURCE,
    lambda params, index: params.radix_bits * (index[0] // params.sigma if index else params.digits),
)  # fmt: skip
"""T as it enters a visit: A is scanned, B is whole."""


def _visits(first: int) -> Callable[[Fpmm], Iterator[Index]]:
    """The visits of iteration `first` and the later ones of a product that begins in visit 0."""
    return lambda params: ((i * params.sigma,) for i in range(first, params.digits))


def _pass(params: Fpmm, index: Index) -> Index:
    return (index[0] // params.sigma,)


def _slots(params: Fpmm) -> Iterator[Index]:
    return ((g, j) for (g,) in _visits(1)(params) for j in range(params.digits))


def _iteration(params: Fpmm, index: Index) -> int:
    return index[0] // params.sigma


def _of_visits(event: Event[Any]) -> Event[Fpmm]:
    """An event of Algorithm 1 at visits, by which the steps are named here, instead of iterations."""

    def at(params: Fpmm, index: Index) -> Index:
        return (_iteration(params, index), *index[1:])

    closed = event.closed
    assert closed is not None
    return replace(
        event,
        construct=lambda params, index, draw: event.construct(params, at(params, index), draw),
        closed=lambda params, index, a, b: closed(params, at(params, index), a, b),
    )


EVENTS = (
    *quotient_events("q", _SOURCE, _visits(0), _iteration),
    *word_events("t_in", ACCUMULATOR, _slots),
    *cios.row_word_events(
        lambda params: ((g, j) for (g,) in _visits(0)(params) for j in range(params.digits)), _iteration
    ),
    cios.carried_event(
        lambda params: ((g, j) for (g,) in _visits(0)(params) for j in range(1, params.digits)), _iteration
    ),
    *map(
        _of_visits,
        cios.ones_events(lambda params: ((g, j) for (g,) in _visits(0)(params) for j in range(1, params.digits))),
    ),
    cios.largest_event("us", "the carry word of task 1", _visits(0), cios.largest_us, cios.row_carry, _pass),
    cios.largest_event("cs", "the carry of task 3 behind the row", _visits(0), cios.largest_c, cios.added_carry, _pass),
    *cios.result_events(),
)  # fmt: skip

MODEL: Model[Fpmm] = Model(
    id="fpmm",
    title="CIOS of interleaved products",
    source=fpmm.paper("Algorithm 2"),
    parameters=PARAMETERS,
    operands={"a": "< 2P", "b": "< 2P", "result": "< 2P"},
    reference=_SOURCE,
    vocabulary=(
        Symbol("lm", "g", "logical multiplier of visit g: g mod sigma", "< sigma", lambda run, _: run.params.sigma - 1),
        Symbol("it", "g", "iteration of its product, -1 when idle", "< s", lambda run, _: run.params.digits - 1, _idle),
        Symbol("job", "g", "number of the product, -1 when idle", ">= -1", _last_job, _idle),
        Symbol("us_p", "g", "carry d that enters from visit g - 1", "<= W/2", cios.half_radix),
        Symbol("c_p", "g", "carry c that enters from visit g - 1", "<= W/4", _quarter),
        Symbol("q", "g", "quotient digit, from v of slot 0", "< W", below_radix),
        Symbol("t_in", "g, j", "word j of the LM's T; 0 in iteration 0", "< W", below_radix),
        Symbol("v", "g, j", "t_j + a_i*b_j, before the carry", "<= W^2 - W", cios.below_square),
        Symbol("u", "g, j", "low word of v + d", "< W", below_radix),
        Symbol("d", "g, j", "carry of task 1 after slot j", "< W, and <= W/2 after the row", _row_limit(2)),
        Symbol("t_out", "g, j", "word j - 1 of T; that of slot 0 is the top word of visit g - 1", "< W", below_radix),
        Symbol("c", "g, j", "carry of task 3 after slot j", "< W, and <= W/4 after the row", _row_limit(4)),
        Symbol("shared", "g", "top word of visit g: us + c, from slot 0 of visit g + 1, or slot s", "< 3W/4",
               cios.below_three_quarters),
        Symbol("T", "g", "partial result after visit g", "< B + P, and < 2P after the last iteration", _t_limit,
               where="FPMM, eq. 5 corrected"),
        Symbol("us", "g", "carry d after word s - 1", "<= W/2", cios.half_radix, where="FPMM, eq. 6 corrected"),
        Symbol("cs", "g", "carry c after word s - 1", "<= W/4", _quarter, where="FPMM, eq. 7"),
    ),
    forms=FORMS,
    resolve=resolve,
    shape=_shape,
    closed_form=exact_product,
    closed_forms=exact_products,
    steps=steps,
    loop=stream,
    run_stream=run_stream,
    result_parts=lambda params: [("T", (params.last_visit(0),), 0)],
    step_count=step_count,
    further_claims=(
        at_most("us", "us <= 2^(w+N+1-m) when N + w >= m", _SOURCE,
                lambda run, _: cios.sized(run.params, 2, run.params.radix)),
        at_most("cs", "cs <= 2^(w+N-m) when N + w >= m", _SOURCE,
                lambda run, _: cios.sized(run.params, 1, run.params.radix)),
        at_most("shared", "the shared word is below 3*2^(w+N-m) when N + w >= m", _SOURCE,
                lambda run, _: cios.sized(run.params, 3, run.params.radix + 1) - 1),
        Claim("value of us_p", "the carry d of the visit before enters; none with theta = s + 1", _SOURCE, "us_p",
              _carries_enter("us")),
        Claim("value of c_p", "the carry c of the visit before enters; none with theta = s + 1", _SOURCE, "c_p",
              _carries_enter("cs")),
        Claim("value of q", "q_i is digit i of -A*B*P^-1 mod 2^m, and 0 when idle", _SOURCE, "q", _q_holds),
        Claim("value of t_in", "t_in is word j of T of the iteration before, 0 in the first and when idle", _SOURCE,
              "t_in", _t_in_holds),
        Claim("value of T", "T = (A_i*B + Q_i*P) / 2^((i+1)w), whatever the neighbours are; 0 when idle", _SOURCE, "T",
              lambda run, index, value: value == _value_of_T(run, index[0])),
        Claim("value of us", "us = (T + a_i*B + us_p) >> m", _SOURCE, "us", _us_holds),
        Claim("value of cs", "cs = (((T + a_i*B + us_p) mod 2^m) + q*P + c_p) >> m", "FPMM, section III.C corrected",
              "cs", _cs_holds),
        Claim("the push", "with Algorithm 1's us and c, us is as large or one larger, and cs as much smaller", _SOURCE,
              "us", _push_holds),
        Claim("the shared word", "it is us + cs of its visit, the top word of T", "FPMM, eq. 4", "shared", _top_holds),
        *cios.result_claims(_SOURCE),
    ),
    corners=corners,
    events=EVENTS,
    mended={PRINTED: ("fpmm.E13",)},
)  # fmt: skip
