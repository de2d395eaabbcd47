# SPDX-License-Identifier: Apache-2.0
"""Vector sets: seeded cases of a multiplier with their results."""

from typing import TYPE_CHECKING

from limbtrace.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from limbtrace.vectors.sets.cases import BATCH, NOTES, Case, CaseMaker
    from limbtrace.vectors.sets.formats import FORMATS, format_of, open_vectors, read_vectors, render
    from limbtrace.vectors.sets.in_memory import MANIFEST, MemoryFile, memory_files
    from limbtrace.vectors.sets.read import VectorReader, parse_case
    from limbtrace.vectors.sets.vector_set import Digest, VectorQuery, VectorSet

__all__ = [
    "BATCH",
    "FORMATS",
    "MANIFEST",
    "NOTES",
    "Case",
    "CaseMaker",
    "Digest",
    "MemoryFile",
    "VectorQuery",
    "VectorReader",
    "VectorSet",
    "format_of",
    "memory_files",
    "open_vectors",
    "parse_case",
    "read_vectors",
    "render",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "cases": "BATCH NOTES Case CaseMaker",
        "formats": "FORMATS format_of open_vectors read_vectors render",
        "in_memory": "MANIFEST MemoryFile memory_files",
        "read": "VectorReader parse_case",
        "vector_set": "Digest VectorQuery VectorSet",
    },
)
