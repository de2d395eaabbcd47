# SPDX-License-Identifier: Apache-2.0
"""Grades of vectors: the mechanisms of hardware that they show, and the faults that they would find."""

from limbtrace.vectors.grades.document import GradeDocument
from limbtrace.vectors.grades.grade import grade, grade_of
from limbtrace.vectors.grades.read import DEFAULT_COUNT, Graded, graded

__all__ = ["DEFAULT_COUNT", "GradeDocument", "Graded", "grade", "grade_of", "graded"]
