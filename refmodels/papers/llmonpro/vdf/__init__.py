# SPDX-License-Identifier: Apache-2.0
"""x^(2^t) mod M by a chain of squarings: section 4 of the LLMonPro paper."""

from limbtrace.refmodels.model import Chain, Model
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro import pseudocode
from limbtrace.refmodels.papers.llmonpro.llmonpro import MODEL as PRODUCT
from limbtrace.refmodels.papers.llmonpro.llmonpro.algorithm import FORMS
from limbtrace.refmodels.papers.llmonpro.vdf.algorithm import (
    PARAMETERS,
    SECTION,
    Vdf,
    closed_form,
    powers,
    resolve,
    shape,
    squaring,
    squarings,
    steps,
)
from limbtrace.refmodels.papers.llmonpro.vdf.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.llmonpro.vdf.events import EVENTS, corner_operands

MODEL: Model[Vdf] = Model(
    id="vdf",
    title="x^(2^t), a chain of squarings",
    source=llmonpro.paper("section 4"),
    parameters=PARAMETERS,
    operands={"a": "< M, the starting value x", "result": "< M, x^(2^t) mod M"},
    reference=SECTION,
    vocabulary=VOCABULARY,
    forms=FORMS,
    resolve=resolve,
    shape=shape,
    closed_form=closed_form,
    steps=steps,
    pseudocode=pseudocode.vdf,
    loop=squarings,
    result_parts=lambda params: [("y", (), 0)],
    step_count=lambda params: params.t + 2,
    further_claims=CLAIMS,
    corners=corner_operands,
    reduced_value="a*a",
    events=EVENTS,
    chain=Chain(
        parameter="t",
        length=lambda params: params.t,
        powers=powers,
        link=squaring,
        link_model=PRODUCT,
        link_work=lambda params: 3 * (params.k + 1) ** 2,
    ),
)  # fmt: skip
