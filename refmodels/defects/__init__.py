# SPDX-License-Identifier: Apache-2.0
"""Public faults of modular arithmetic with emulations: `ATLAS`, by id."""

from collections.abc import Mapping

from limbtrace.refmodels.defects import (
    authenticators,
    bignum,
    curves,
    edwards,
    hardware,
    lattices,
    openssl,
    zero_knowledge,
)
from limbtrace.refmodels.defects.defect import Defect as Defect
from limbtrace.refmodels.defects.defect import DefectKind as DefectKind

AREAS: Mapping[str, tuple[Defect, ...]] = {
    "OpenSSL": openssl.DEFECTS,
    "big numbers": bignum.DEFECTS,
    "curves": curves.DEFECTS,
    "Curve25519 and Curve448": edwards.DEFECTS,
    "authenticators": authenticators.DEFECTS,
    "lattices": lattices.DEFECTS,
    "zero knowledge": zero_knowledge.DEFECTS,
    "hardware": hardware.DEFECTS,
}
"""Defects by area, each in the order of its years."""
ATLAS: Mapping[str, Defect] = {defect.id: defect for area in AREAS.values() for defect in area}
