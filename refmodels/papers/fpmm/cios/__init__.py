# SPDX-License-Identifier: Apache-2.0
"""CIOS without final subtraction: Algorithm 1 of the FPMM paper."""

from limbtrace.refmodels.model import CORRECTED, Model
from limbtrace.refmodels.montgomery import corners, exact_product, exact_products
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm import pseudocode
from limbtrace.refmodels.papers.fpmm.cios.algorithm import PARAMETERS, SOURCE, Cios, resolve, shape, steps
from limbtrace.refmodels.papers.fpmm.cios.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.fpmm.cios.events import EVENTS

MODEL: Model[Cios] = Model(
    id="cios",
    title="CIOS without final subtraction",
    source=fpmm.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands={"a": "< 2P", "b": "< 2P", "result": "< 2P"},
    reference=SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=exact_product,
    closed_forms=exact_products,
    steps=steps,
    pseudocode=pseudocode.cios,
    result_parts=lambda params: [("T", (params.passes - 1,), 0)],
    step_count=lambda params: params.digits * (5 * params.digits + 5),
    further_claims=CLAIMS,
    corners=corners,
    events=EVENTS,
)  # fmt: skip
