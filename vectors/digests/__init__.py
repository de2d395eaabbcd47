# SPDX-License-Identifier: Apache-2.0
"""Digests: one hash over the results of any number of cases, as a tree in which a difference is found."""

from limbtrace.vectors.digests.document import DigestDocument
from limbtrace.vectors.digests.formats import FORMATS, render
from limbtrace.vectors.digests.request import DigestQuery, DigestRequest

__all__ = ["FORMATS", "DigestDocument", "DigestQuery", "DigestRequest", "render"]
