# SPDX-License-Identifier: Apache-2.0
"""Cases in GF(p^2) with their base-field operations."""

from limbtrace.vectors.fp2.formats import FORMATS, render
from limbtrace.vectors.fp2.request import Fp2Query, Fp2Request

__all__ = ["FORMATS", "Fp2Query", "Fp2Request", "render"]
