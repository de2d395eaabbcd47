# SPDX-License-Identifier: Apache-2.0
"""a*b mod p by sums of words: the declaration."""

from limbtrace.refmodels.integer_models import product, products
from limbtrace.refmodels.model import CORRECTED, Model
from limbtrace.refmodels.papers.fold import pseudocode
from limbtrace.refmodels.papers.fold.solinas.algorithm import (
    PARAMETERS,
    REFERENCE,
    SOURCE,
    Solinas,
    moduli,
    resolve,
    shape,
    steps,
)
from limbtrace.refmodels.papers.fold.solinas.claims import CLAIMS, VOCABULARY
from limbtrace.refmodels.papers.fold.solinas.events import EVENTS, corners

MODEL: Model[Solinas] = Model(
    id="solinas",
    title="a*b mod p by sums of words, for generalised Mersenne numbers",
    source=SOURCE,
    parameters=PARAMETERS,
    operands={"a": "< below", "b": "< below", "result": "< p"},
    reference=REFERENCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.solinas,
    result_parts=lambda params: [("R", (0,), 0)],
    step_count=lambda params: 2 + 3 * params.n + 2 * params.K,
    further_claims=CLAIMS,
    corners=corners,
    events=EVENTS,
    moduli=moduli,
    even_moduli=True,
)
