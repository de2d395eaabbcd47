# SPDX-License-Identifier: Apache-2.0
"""LLMonPro, low-latency Montgomery multiplication: Algorithms 5 and 7 of the LLMonPro paper."""

from limbtrace.refmodels.model import Model
from limbtrace.refmodels.montgomery import exact_product
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro import pseudocode
from limbtrace.refmodels.papers.llmonpro.llmonpro.algorithm import (
    FORMS,
    MENDED,
    PARAMETERS,
    Llmonpro,
    chain_of_results,
    fed_back,
    resolve,
    result_parts,
    shape,
    steps,
)
from limbtrace.refmodels.papers.llmonpro.llmonpro.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.llmonpro.llmonpro.events import EVENTS, corner_operands

MODEL: Model[Llmonpro] = Model(
    id="llmonpro",
    title="LLMonPro, three redundant products in a row",
    source=llmonpro.paper("Algorithms 5 and 7"),
    parameters=PARAMETERS,
    operands={
        "a": "< 2R (< R for d = 2), k + 1 digits below 2*beta",
        "b": "< 2R (< R for d = 2), k + 1 digits below 2*beta",
        "result": "< A*B/R + (1 + (2k-2)/beta)*M",
    },
    reference=MENDED,
    vocabulary=VOCABULARY,
    forms=FORMS,
    resolve=resolve,
    shape=shape,
    closed_form=exact_product,
    by_digits=True,
    steps=steps,
    pseudocode=pseudocode.llmonpro,
    result_parts=result_parts,
    step_count=lambda params: 3 * params.shown + 1 + 2 * params.kept,
    further_claims=CLAIMS,
    corners=corner_operands,
    events=EVENTS,
    chained_params=chain_of_results,
    fed_back=fed_back,
)  # fmt: skip
