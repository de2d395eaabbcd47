# SPDX-License-Identifier: Apache-2.0
"""The catalogue: models, moduli, cores, errata, defects, events, constants, figures of papers."""

from limbtrace.vectors.catalogue.constants import CONSTANT_FORMATS, render_constants
from limbtrace.vectors.catalogue.defects import defect_document, defects_document
from limbtrace.vectors.catalogue.errata import errata_document, erratum_document
from limbtrace.vectors.catalogue.events import EVENT_FORMATS, events_document
from limbtrace.vectors.catalogue.lists import (
    core_document,
    cores_document,
    model_document,
    models_document,
    prime_entry_document,
    primes_document,
)
from limbtrace.vectors.catalogue.moduli import moduli_document
from limbtrace.vectors.catalogue.tables import tables_document

__all__ = [
    "CONSTANT_FORMATS",
    "EVENT_FORMATS",
    "core_document",
    "cores_document",
    "defect_document",
    "defects_document",
    "errata_document",
    "erratum_document",
    "events_document",
    "model_document",
    "models_document",
    "moduli_document",
    "prime_entry_document",
    "primes_document",
    "render_constants",
    "tables_document",
]
