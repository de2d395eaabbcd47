# SPDX-License-Identifier: Apache-2.0
"""The range of each symbol of Algorithm 2, what each visit computes, and what goes into the next one."""

from collections.abc import Callable

from limbtrace.refmodels.model import Claim, Index, Limit, Run, StreamRun, Symbol, at_most
from limbtrace.refmodels.montgomery import below_radix
from limbtrace.refmodels.papers.fpmm.cios import claims as cios
from limbtrace.refmodels.papers.fpmm.cios.algorithm import partial, row_one
from limbtrace.refmodels.papers.fpmm.cios.claims import result_claims, sized
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import SOURCE, Fpmm


def place(run: Run[Fpmm], g: int) -> tuple[int, int, int]:
    """(a, b, iteration) of visit g; a = b = 0 if it is idle."""
    job, i = run.at("job", g), run.at("it", g)
    if job < 0:
        return 0, 0, i
    return (*(run.products[job] if isinstance(run, StreamRun) else (run.a, run.b)), i)


def _t_limit(run: Run[Fpmm], index: Index) -> int:
    _, b, i = place(run, index[0])
    p = run.params
    return 2 * p.modulus - 1 if i == p.digits - 1 else b + p.modulus - 1


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


VOCABULARY: tuple[Symbol[Fpmm], ...] = (
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
)  # fmt: skip


def _value_of_T(run: Run[Fpmm], g: int) -> int:
    return partial(run.params, *place(run, g))


def _row_one(run: Run[Fpmm], g: int) -> int:
    """T + a_i*B of visit g, before the carry; 0 if it is idle."""
    a, b, i = place(run, g)
    return row_one(run.params, a, b, i) if i >= 0 else 0


def _q_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    p = run.params
    a, b, i = place(run, index[0])
    return value == ((a * b * p.negative_inverse >> p.radix_bits * i) % p.radix if i >= 0 else 0)


def _t_in_holds(run: Run[Fpmm], index: Index, value: int) -> bool:
    p = run.params
    g, j = index
    a, b, i = place(run, g)
    return value == (partial(p, a, b, i - 1) >> p.radix_bits * j) % p.radix


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


CLAIMS: tuple[Claim[Fpmm], ...] = (
    at_most("us", "us <= 2^(w+N+1-m) when N + w >= m", SOURCE,
            lambda run, _: sized(run.params, 2, run.params.radix)),
    at_most("cs", "cs <= 2^(w+N-m) when N + w >= m", SOURCE,
            lambda run, _: sized(run.params, 1, run.params.radix)),
    at_most("shared", "the shared word is below 3*2^(w+N-m) when N + w >= m", SOURCE,
            lambda run, _: sized(run.params, 3, run.params.radix + 1) - 1),
    Claim("value of us_p", "the carry d of the visit before enters; none with theta = s + 1", SOURCE, "us_p",
          _carries_enter("us")),
    Claim("value of c_p", "the carry c of the visit before enters; none with theta = s + 1", SOURCE, "c_p",
          _carries_enter("cs")),
    Claim("value of q", "q_i is digit i of -A*B*P^-1 mod 2^m, and 0 when idle", SOURCE, "q", _q_holds),
    Claim("value of t_in", "t_in is word j of T of the iteration before, 0 in the first and when idle", SOURCE,
          "t_in", _t_in_holds),
    Claim("value of T", "T = (A_i*B + Q_i*P) / 2^((i+1)w), whatever the neighbours are; 0 when idle", SOURCE, "T",
          lambda run, index, value: value == _value_of_T(run, index[0])),
    Claim("value of us", "us = (T + a_i*B + us_p) >> m", SOURCE, "us", _us_holds),
    Claim("value of cs", "cs = (((T + a_i*B + us_p) mod 2^m) + q*P + c_p) >> m", "FPMM, section III.C corrected",
          "cs", _cs_holds),
    Claim("the push", "with Algorithm 1's us and c, us is as large or one larger, and cs as much smaller", SOURCE,
          "us", _push_holds),
    Claim("the shared word", "it is us + cs of its visit, the top word of T", "FPMM, eq. 4", "shared", _top_holds),
    *result_claims(SOURCE),
)  # fmt: skip
