# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication without the low half of the sum, RedMonPro: Algorithm 2 of the LLMonPro paper.

T and S = Q*M are cut at R. Their low halves add up to 0 or to R, so only the carry of that sum is needed, and the high
half of T0*M' is not needed at all.
"""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.model import CORRECTED, Claim, Model, Step, Symbol, one_bit
from limbtrace.refmodels.montgomery import below_modulus, corners, reduced_product, reduced_products, subtract
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro import monpro, pseudocode
from limbtrace.refmodels.papers.llmonpro.monpro import Monpro
from limbtrace.refmodels.serial_events import step_event


def steps(params: Monpro, A: Digit, B: Digit) -> Iterator[Step]:
    """Algorithm 2."""
    n, M, M_ = params.n, params.modulus, params.negative_inverse
    low = params.domain - 1
    yield "T", (), (T := A * B)
    yield "T1", (), (T1 := T >> n)
    yield "T0", (), (T0 := T & low)
    yield "Q", (), (Q := (T0 * M_) & low)
    yield "S", (), (S := Q * M)
    yield "S1", (), (S1 := S >> n)
    yield "S0", (), (S0 := S & low)
    yield "carry", (), (carry := (T0 + S0) >> n)
    yield "Z_raw", (), (Z := T1 + S1 + carry)
    _, Z = subtract(Z, M, n + 1)
    yield "Z", (), Z


_SOURCE = "LLMonPro, Algorithm 2"

MODEL: Model[Monpro] = Model(
    id="redmonpro",
    title="RedMonPro, halves instead of the whole sum",
    source=llmonpro.paper("Algorithm 2"),
    parameters=monpro.PARAMETERS,
    operands={"a": "< M", "b": "< M", "result": "< M"},
    reference=_SOURCE,
    vocabulary=(
        Symbol("T", "", "A*B", "<= (M-1)^2", monpro.product_limit),
        Symbol(
            "T1",
            "",
            "high half of T",
            "<= (M-1)^2/R, below M - 1",
            lambda run, _: (run.params.modulus - 1) ** 2 >> run.params.n,
        ),
        Symbol("T0", "", "low half of T", "< R", monpro.below_domain),
        Symbol("Q", "", "T0*M' mod R", "< R", monpro.below_domain),
        Symbol("S", "", "Q*M", "<= (R-1)*M", lambda run, _: (run.params.domain - 1) * run.params.modulus),
        Symbol("S1", "", "high half of S", "< M", below_modulus),
        Symbol("S0", "", "low half of S", "< R", monpro.below_domain),
        Symbol("carry", "", "(T0 + S0)/R: whether T0 is not 0", "0 or 1", one_bit),
        *monpro.result_symbols("T1 + S1 + carry"),
    ),
    forms=(CORRECTED,),
    resolve=lambda modulus, given: monpro.resolve("redmonpro", modulus, given),
    shape=monpro.shape,
    closed_form=reduced_product,
    closed_forms=reduced_products,
    steps=steps,
    pseudocode=pseudocode.redmonpro,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 10,
    further_claims=(
        Claim(
            "halves of T",
            "T = T1*R + T0",
            _SOURCE,
            "T",
            lambda run, _, value: value == run.a * run.b == (run.at("T1") << run.params.n) + run.at("T0"),
        ),
        monpro.quotient_claim(_SOURCE),
        Claim(
            "halves of S",
            "S = S1*R + S0 = Q*M",
            _SOURCE,
            "S",
            lambda run, _, value: (
                value == run.at("Q") * run.params.modulus == (run.at("S1") << run.params.n) + run.at("S0")
            ),
        ),
        Claim(
            "carry",
            "(T0 + S0)/R is 0 for T0 = 0, else 1",
            _SOURCE,
            "carry",
            lambda run, _, value: value == (run.at("T0") != 0) and value << run.params.n == run.at("T0") + run.at("S0"),
        ),
        *monpro.result_claims(_SOURCE),
    ),
    corners=corners,
    events=(
        *monpro.events(_SOURCE),
        step_event(
            "carry",
            "=0",
            statement="both low halves are 0",
            hunts="the carry of the low halves",
            source=_SOURCE,
            places=lambda params: ((),),
            happens=lambda seen, params, index: seen == 0,
            construct=monpro.low_half_zero,
        ),
        step_event(
            "S0",
            "=1",
            statement="T0 is R - 1: S0 is 1",
            hunts="the carry of the low halves",
            source=_SOURCE,
            places=lambda params: ((),),
            happens=lambda seen, params, index: seen == 1,
            construct=monpro.low_half_ones,
        ),
    ),
)
