# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication without the low half of the sum, RedMonPro: Algorithm 2 of the LLMonPro paper.

T and S = Q*M are cut at R. Their low halves add up to 0 or to R, so of their sum only that carry is needed, and the
high half of T0*M' not at all.
"""

from collections.abc import Iterator

from refmodels.columns import Digit
from refmodels.model import CORRECTED, Claim, Model, Step, Symbol, at_most
from refmodels.montgomery import corners, reduced_product, reduced_products, subtract
from refmodels.papers.llmonpro import family as llmonpro
from refmodels.papers.llmonpro import monpro
from refmodels.papers.llmonpro.monpro import Monpro


def steps(params: Monpro, A: Digit, B: Digit) -> Iterator[Step]:
    """Algorithm 2."""
    n, M, M_ = params.n, params.modulus, params.negative_inverse
    low = params.domain - 1
    T = A * B
    yield "T", (), T
    T1, T0 = T >> n, T & low
    yield "T1", (), T1
    yield "T0", (), T0
    Q = (T0 * M_) & low
    yield "Q", (), Q
    S = Q * M
    yield "S", (), S
    S1, S0 = S >> n, S & low
    yield "S1", (), S1
    yield "S0", (), S0
    carry = (T0 + S0) >> n
    yield "carry", (), carry
    Z = T1 + S1 + carry
    yield "Z_raw", (), Z
    _, Z = subtract(Z, M, n + 1)
    yield "Z", (), Z


_SOURCE = "LLMonPro, Algorithm 2"

CLAIMS: tuple[Claim, ...] = (
    at_most("T", "T <= (M-1)^2", _SOURCE, lambda run, _: (run.params.modulus - 1) ** 2),
    at_most("T1", "T1 <= (M-1)^2/R, below M - 1 unless M = 1", _SOURCE,
            lambda run, _: (run.params.modulus - 1) ** 2 >> run.params.n),
    at_most("T0", "T0 < R", _SOURCE, lambda run, _: run.params.domain - 1),
    Claim("halves of T", "T = T1*R + T0", _SOURCE, "T",
          lambda run, _, value: value == run.a * run.b == (run.at("T1") << run.params.n) + run.at("T0")),
    Claim("value of Q", "Q = -A*B*M^-1 mod R", _SOURCE, "Q", lambda run, _, value: monpro.quotient_holds(run, value)),
    at_most("S1", "S1 < M", _SOURCE, lambda run, _: run.params.modulus - 1),
    at_most("S0", "S0 < R", _SOURCE, lambda run, _: run.params.domain - 1),
    Claim("halves of S", "S = S1*R + S0 = Q*M", _SOURCE, "S",
          lambda run, _, value: value == run.at("Q") * run.params.modulus
          == (run.at("S1") << run.params.n) + run.at("S0")),
    Claim("carry", "(T0 + S0)/R is 0 for T0 = 0, else 1", _SOURCE, "carry",
          lambda run, _, value: value == int(run.at("T0") != 0)
          and value << run.params.n == run.at("T0") + run.at("S0")),
    *monpro.result_claims(_SOURCE),
)  # fmt: skip

MODEL = Model(
    id="redmonpro",
    title="RedMonPro, halves instead of the whole sum",
    source=llmonpro.paper("Algorithm 2"),
    parameters=monpro.PARAMETERS,
    operands={"a": "< M", "b": "< M", "result": "< M"},
    vocabulary=(
        Symbol("T", "", "A*B", "<= (M-1)^2"),
        Symbol("T1", "", "high half of T", "< M"),
        Symbol("T0", "", "low half of T", "< R"),
        Symbol("Q", "", "T0*M' mod R", "< R"),
        Symbol("S", "", "Q*M", "< R*M"),
        Symbol("S1", "", "high half of S", "< M"),
        Symbol("S0", "", "low half of S", "< R"),
        Symbol("carry", "", "(T0 + S0)/R: whether T0 is not 0", "0 or 1"),
        Symbol("Z_raw", "", "T1 + S1 + carry, before the subtraction", "< 2M - 1"),
        Symbol("Z", "", "result", "< M"),
    ),
    forms=(CORRECTED,),
    resolve=lambda modulus, given: monpro.resolve("redmonpro", modulus, given),
    closed_form=reduced_product,
    closed_forms=reduced_products,
    steps=steps,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 10,
    claims=CLAIMS,
    corners=corners,
)
