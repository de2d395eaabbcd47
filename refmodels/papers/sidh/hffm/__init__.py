# SPDX-License-Identifier: Apache-2.0
"""HFFM, high performance finite field multiplication: Algorithm 1 of the SIDH paper."""

from limbtrace.refmodels.integer_models import product, products
from limbtrace.refmodels.model import CORRECTED, PRINTED, Model
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh import pseudocode
from limbtrace.refmodels.papers.sidh.hffm.algorithm import (
    PARAMETERS,
    SOURCE,
    Hffm,
    moduli,
    resolve,
    result_parts,
    shape,
    steps,
)
from limbtrace.refmodels.papers.sidh.hffm.claims import CLAIMS, VOCABULARY, step_count
from limbtrace.refmodels.papers.sidh.hffm.events import EVENTS, corner_operands

MODEL: Model[Hffm] = Model(
    id="hffm",
    title="HFFM, two digits of mixed radix",
    source=sidh.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands={"a": "<= p", "b": "<= p", "result": "< p"},
    reference=SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED, PRINTED),
    mended={PRINTED: ("hffm.E1", "hffm.E2", "hffm.E4")},
    resolve=resolve,
    shape=shape,
    moduli=moduli,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.hffm,
    result_parts=result_parts,
    step_count=step_count,
    further_claims=CLAIMS,
    corners=lambda params: iter(corner_operands(params)),
    events=EVENTS,
)
