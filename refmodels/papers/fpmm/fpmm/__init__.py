# SPDX-License-Identifier: Apache-2.0
"""CIOS of sigma interleaved products: Algorithm 2 of the FPMM paper."""

from limbtrace.refmodels.model import PRINTED, Model
from limbtrace.refmodels.montgomery import corners, exact_product, exact_products
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm import pseudocode
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import (
    FORMS,
    PARAMETERS,
    SOURCE,
    Fpmm,
    resolve,
    run_stream,
    shape,
    step_count,
    steps,
    stream,
)
from limbtrace.refmodels.papers.fpmm.fpmm.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.fpmm.fpmm.events import EVENTS

MODEL: Model[Fpmm] = Model(
    id="fpmm",
    title="CIOS of interleaved products",
    source=fpmm.paper("Algorithm 2"),
    parameters=PARAMETERS,
    operands={"a": "< 2P", "b": "< 2P", "result": "< 2P"},
    reference=SOURCE,
    vocabulary=VOCABULARY,
    forms=FORMS,
    resolve=resolve,
    shape=shape,
    closed_form=exact_product,
    closed_forms=exact_products,
    steps=steps,
    pseudocode=pseudocode.cios,
    loop=stream,
    run_stream=run_stream,
    result_parts=lambda params: [("T", (params.last_visit(0),), 0)],
    step_count=step_count,
    further_claims=CLAIMS,
    corners=corners,
    events=EVENTS,
    mended={PRINTED: ("fpmm.E13",)},
)  # fmt: skip
