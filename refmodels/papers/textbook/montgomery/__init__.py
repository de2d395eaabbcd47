# SPDX-License-Identifier: Apache-2.0
"""Montgomery's product for any R = 2^r: a*b*R^-1 mod p."""

from limbtrace.refmodels.model import CORRECTED, Model
from limbtrace.refmodels.papers.textbook import family as textbook
from limbtrace.refmodels.papers.textbook import pseudocode
from limbtrace.refmodels.papers.textbook.montgomery.algorithm import (
    PARAMETERS,
    SOURCE,
    Reduction,
    closed_form,
    closed_forms,
    resolve,
    shape,
    steps,
)
from limbtrace.refmodels.papers.textbook.montgomery.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.textbook.montgomery.events import EVENTS, corner_operands

MODEL: Model[Reduction] = Model(
    id="montgomery",
    title="a*b/R mod p for any R = 2^r",
    source=textbook.MONTGOMERY,
    parameters=PARAMETERS,
    operands={"a": "< below", "b": "< below", "result": "< p, or t if it is not reduced"},
    reference=SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=closed_form,
    closed_forms=closed_forms,
    steps=steps,
    pseudocode=pseudocode.montgomery,
    result_parts=lambda params: [("Z" if params.reduces else "t", (), 0)],
    step_count=lambda params: 5 if params.reduces else 3,
    further_claims=CLAIMS,
    corners=corner_operands,
    result_alone=True,
    events=EVENTS,
)
