# SPDX-License-Identifier: Apache-2.0
"""The JSON document with the grade of vectors."""

from limbtrace.vectors.document import Document, MultiplierShape, member
from limbtrace.vectors.sets.grade import Grade


class GradeDocument(Grade, Document):
    """The grade of vectors."""

    multiplier: MultiplierShape = member("what the operands are multiplied by")
