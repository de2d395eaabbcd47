# SPDX-License-Identifier: Apache-2.0
"""Claims about Algorithm 2: what each visit computes, and what goes from one visit into the next."""

from collections.abc import Callable

from limbtrace.refmodels.model import Claim, Index, Run, at_most
from limbtrace.refmodels.papers.fpmm.cios.algorithm import partial, row_one
from limbtrace.refmodels.papers.fpmm.cios.claims import result_claims, sized
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import SOURCE, Fpmm, place


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
