# SPDX-License-Identifier: Apache-2.0
"""Event coverage of vector sets."""

from limbtrace.vectors.coverage.cover import Coverage, cover, cover_files, happened, is_watched
from limbtrace.vectors.coverage.document import CoverageDocument
from limbtrace.vectors.coverage.formats import FORMATS

__all__ = ["FORMATS", "Coverage", "CoverageDocument", "cover", "cover_files", "happened", "is_watched"]
