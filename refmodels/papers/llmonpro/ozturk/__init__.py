# SPDX-License-Identifier: Apache-2.0
"""OzturkPolMul, redundant digits multiplied without a carry chain: Algorithm 4 of the LLMonPro paper."""

from limbtrace.refmodels.model import Model
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro import pseudocode
from limbtrace.refmodels.papers.llmonpro.ozturk.algorithm import (
    FORMS,
    PARAMETERS,
    SOURCE,
    Ozturk,
    resolve,
    result_parts,
    shape,
    steps,
)
from limbtrace.refmodels.papers.llmonpro.ozturk.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.llmonpro.ozturk.events import EVENTS, corner_operands

MODEL: Model[Ozturk] = Model(
    id="ozturk",
    title="OzturkPolMul, redundant digits multiplied without a carry chain",
    source=llmonpro.paper("Algorithm 4"),
    parameters=PARAMETERS,
    operands={"a": "k + 1 digits below 2*beta", "b": "k + 1 digits below 2*beta", "result": "A*B"},
    reference=SOURCE,
    vocabulary=VOCABULARY,
    forms=FORMS,
    resolve=resolve,
    shape=shape,
    closed_form=lambda params, a, b: int(a) * int(b),
    steps=steps,
    pseudocode=pseudocode.ozturk,
    result_parts=result_parts,
    step_count=lambda params: 2 * (2 * params.k + 3),
    further_claims=CLAIMS,
    corners=corner_operands,
    events=EVENTS,
    has_modulus=False,
)  # fmt: skip
