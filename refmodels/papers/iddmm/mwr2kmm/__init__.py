# SPDX-License-Identifier: Apache-2.0
"""Multiple-word radix-2^k Montgomery multiplication, MWR2^kMM: figure 3 of the IDDMM paper."""

from limbtrace.refmodels.model import PRINTED, Model
from limbtrace.refmodels.montgomery import reduced_product, reduced_products
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import pseudocode
from limbtrace.refmodels.papers.iddmm.mwr2kmm.algorithm import FIGURE, FORMS, PARAMETERS, Mwr2kmm, resolve, shape, steps
from limbtrace.refmodels.papers.iddmm.mwr2kmm.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.iddmm.mwr2kmm.events import EVENTS, corner_operands

MODEL: Model[Mwr2kmm] = Model(
    id="mwr2kmm",
    title="MWR2^kMM, by Booth digits of X and word by word of Y",
    source=iddmm.paper("figure 3"),
    parameters=PARAMETERS,
    operands={"a": "< 2^N and < 2^(k*D-1)", "b": "< p", "result": "< p"},
    reference=FIGURE,
    vocabulary=VOCABULARY,
    forms=FORMS,
    resolve=resolve,
    shape=shape,
    closed_form=reduced_product,
    closed_forms=reduced_products,
    steps=steps,
    pseudocode=pseudocode.mwr2kmm,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: params.digits * (5 * params.NW + 2) + 3,
    further_claims=CLAIMS,
    corners=corner_operands,
    events=EVENTS,
    mended={PRINTED: ("iddmm.E9c",)},
)  # fmt: skip
