# SPDX-License-Identifier: Apache-2.0
"""The multiplier of the redundant paper: Algorithm 1 on redundant digits of two radices."""

from limbtrace.refmodels.model import PRINTED, Model
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant import pseudocode
from limbtrace.refmodels.papers.redundant.redundant.algorithm import (
    CIRCUIT,
    FORMS,
    PARAMETERS,
    Redundant,
    fed_back,
    resolve,
    shape,
    step_count,
    steps,
)
from limbtrace.refmodels.papers.redundant.redundant.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.redundant.redundant.events import EVENTS, corner_operands

MODEL: Model[Redundant] = Model(
    id="redundant",
    title="Montgomery multiplication on redundant digits of two radices",
    source=redundant.paper("section IV"),
    parameters=PARAMETERS,
    operands=redundant.OPERANDS,
    reference=CIRCUIT,
    vocabulary=VOCABULARY,
    forms=FORMS,
    resolve=resolve,
    shape=shape,
    closed_form=redundant.closed_product,
    closed_forms=redundant.closed_products,
    steps=steps,
    pseudocode=pseudocode.redundant,
    result_parts=lambda params: [("S", (params.passes + 1, j), params.r2 * j) for j in range(params.ds)],
    step_count=step_count,
    further_claims=CLAIMS,
    corners=corner_operands,
    events=EVENTS,
    mended={PRINTED: ("redundant.E9", "redundant.E11")},
    fed_back=fed_back,
)  # fmt: skip
