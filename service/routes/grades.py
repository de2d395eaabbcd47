# SPDX-License-Identifier: Apache-2.0
"""Grades of sets and of uploaded files: what they show, which faults and mutants they find, and what to add."""

import io
from typing import Annotated, Any

from fastapi import APIRouter, Response

from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.queries import MODEL_PARAMETERS, Asking, asking
from limbtrace.service.http.request_body import BODY_FAILURES, FILE_TYPES, FileBody
from limbtrace.service.http.responses import Here
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.grades import GradeDocument, grade
from limbtrace.vectors.grades.read import graded_stream
from limbtrace.vectors.grades.request import FORMATS, FileGradeQuery, GradeQuery, drawn
from limbtrace.vectors.kinds import limb_widths

router = APIRouter(prefix="/v1", tags=["verification"])

_SETTINGS = {"parameters": [MODEL_PARAMETERS]}


@router.get(
    "/grades",
    summary="The grade of a set",
    response_class=Response,
    responses=openapi.answer("The grade.", GradeDocument, FORMATS),
    openapi_extra=_SETTINGS,
)
def grade_of_set(here: Here, asked: Annotated[Asking[GradeQuery], asking(GradeQuery, FORMATS)]) -> Response:
    """The mechanisms of hardware that the cases of a request show, the faults and mutants that they find, and more."""
    words, request = limb_widths(asked.query.words), here.limits.grade(asked.query)
    here.charge(cost_model.of_set(request) + cost_model.of_grade(request.multiplier, request.count))
    return here.document(grade(drawn(request), words or request.words))


@router.post(
    "/grades",
    summary="The grade of vectors of any origin",
    response_class=Response,
    responses={
        200: openapi.json_answer("The grade.", GradeDocument, FORMATS),
        **openapi.problems(*BODY_FAILURES, 422),
    },
    openapi_extra={**_SETTINGS, **openapi.body(dict[str, Any], "Operands", texts=FILE_TYPES)},
)
def grade_of_file(
    here: Here, body: FileBody, asked: Annotated[Asking[FileGradeQuery], asking(FileGradeQuery, FORMATS)]
) -> Response:
    """A vector set of limbtrace in any format, JSON with members a and b at any depth, or columns of text.

    A modulus is needed, unless the file is a set of limbtrace.
    """
    here.charge(cost_model.of_body(len(body)))
    words, count = limb_widths(asked.query.words), here.limits.graded_cases(asked.query.count)
    if asked.query.prime is not None:
        here.limits.check_modulus_of(asked.query.model, asked.query.prime)
    vectors = graded_stream(io.BytesIO(body), "the body", asked.query.multiplier, count)
    here.limits.check_multiplier(vectors.multiplier)
    here.charge(cost_model.of_grade(vectors.multiplier, len(vectors.pairs)))
    document = dump(grade(vectors, words)) + "\n"
    return Response(document, headers={"Cache-Control": "no-store"}, media_type="application/json")
