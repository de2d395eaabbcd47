# SPDX-License-Identifier: Apache-2.0
"""The catalogue: models, moduli, cores, errata, events, constants, figures of papers."""

from vectors.catalogue.constants import CONSTANT_FORMATS, render_constants
from vectors.catalogue.errata import errata_document, erratum_document
from vectors.catalogue.events import EVENT_FORMATS, events_document
from vectors.catalogue.lists import (
    core_document,
    cores_document,
    model_document,
    models_document,
    prime_entry_document,
    primes_document,
)
from vectors.catalogue.tables import tables_document

__all__ = [
    "CONSTANT_FORMATS",
    "EVENT_FORMATS",
    "core_document",
    "cores_document",
    "errata_document",
    "erratum_document",
    "events_document",
    "model_document",
    "models_document",
    "prime_entry_document",
    "primes_document",
    "render_constants",
    "tables_document",
]
