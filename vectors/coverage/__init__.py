# SPDX-License-Identifier: Apache-2.0
"""Which events the cases of vector sets make happen."""

from vectors.coverage.cover import Coverage, cover, cover_files, happened, is_watched
from vectors.coverage.document import CoverageDocument
from vectors.coverage.formats import FORMATS

__all__ = ["FORMATS", "Coverage", "CoverageDocument", "cover", "cover_files", "happened", "is_watched"]
