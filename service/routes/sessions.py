# SPDX-License-Identifier: Apache-2.0
"""Sessions over HTTP: abilities of a core give sets without results, results come in parts, each case is judged."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.queries import one_of
from limbtrace.service.http.request_body import BODY_FAILURES, JsonBody, parsed
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.settings import LimitError
from limbtrace.service.storage.session_store import SessionStore, Stored
from limbtrace.service.storage.store import FullError
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.request import VectorRequest
from limbtrace.vectors.sessions import (
    MOST_OBSERVED,
    Abilities,
    JudgedSet,
    Session,
    SessionCases,
    SessionResults,
    SessionVerdicts,
    blind,
    judge,
    parts,
    session_document,
)
from limbtrace.vectors.validation import shaped

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])

_EXPECTED = ("none", "failed", "all")
"""Which results are shown."""
_Id = Annotated[str, Path(description="Id of a session.", examples=[openapi.SESSION_ID])]
_PRIVATE = {"Cache-Control": "no-store"}


def _store(here: Exchange) -> SessionStore:
    return SessionStore(here.store.database, here.limits.max_sessions, here.limits.max_session_seconds)


def _known(here: Exchange, id: str) -> Stored:
    """A session. Raises RefusedError (404), LimitError, StoreError, OutdatedError."""
    if (stored := _store(here).find(id)) is None:
        raise RefusedError(404, "id: there is no such session, or it has expired", "id")
    for part in stored.sets:
        here.limits.check_set(part.request)
    return stored


def _part(stored: Stored, name: str) -> JudgedSet:
    """A set of a session. Raises RefusedError (404)."""
    for part in stored.sets:
        if part.request.id == name:
            return part
    raise RefusedError(404, f"set: the session has no set {shown(name[:40])}", "set")


def _answer(document: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(dump(document) + "\n", status, {**_PRIVATE, **(headers or {})}, "application/json")


@router.post(
    "",
    summary="Begin a session",
    status_code=201,
    response_class=Response,
    responses={
        201: openapi.json_answer("The session, with its id and its sets.", Session),
        **openapi.problems(*BODY_FAILURES, 507),
    },
    openapi_extra=openapi.body(Abilities, Abilities),
)
def begin(here: Here, body: JsonBody) -> Response:
    """One set for each model, modulus and kind. Equal abilities give equal sets; the id of a session is a secret."""
    return _begin(here, body)


def _begin(here: Exchange, body: bytes) -> Response:
    limits, total = here.limits, 0

    def check(vectors: VectorRequest) -> None:
        nonlocal total
        limits.check_set(vectors)
        total += vectors.count
        if total > limits.max_session_cases:
            raise LimitError(
                "abilities",
                f"they give more than {limits.max_session_cases} cases, the limit here",
                "max_session_cases",
            )

    sets = parts(parsed(body), check)
    try:
        id = _store(here).create(sets)
    except FullError as error:
        here.count("refused", "max_sessions")
        raise RefusedError(507, str(error)) from None
    stored = _known(here, id)
    return _answer(session_document(id, stored.expires, stored.sets), 201, {"Location": f"/v1/sessions/{id}"})


@router.get(
    "/{id}",
    summary="The state of a session",
    response_class=Response,
    responses={
        200: openapi.json_answer("Its sets, with a letter per case, and a digest.", Session),
        **openapi.problems(404, 410, 503),
    },
)
def state(here: Here, id: _Id) -> Response:
    """After an interruption: which cases are open. At the end: the summary."""
    stored = _known(here, id)
    return _answer(session_document(id, stored.expires, stored.sets))


@router.get(
    "/{id}/sets/{set}",
    summary="The cases of a set of a session",
    response_class=Response,
    responses={
        200: openapi.json_answer("Operands; expected results where they are asked for.", SessionCases),
        **openapi.problems(404, 410, 503),
    },
)
def cases(
    here: Here,
    id: _Id,
    set: Annotated[str, Path(description="Id of a set of the session.", examples=[openapi.SET_ID])],
    expected: Annotated[
        str,
        Query(
            description="none, failed or all: results to be shown.",
            examples=["none"],
            json_schema_extra=one_of(_EXPECTED),
        ),
    ] = "none",
) -> Response:
    """All cases without results; or, to find a fault, those that failed, or all, with the expected results."""
    if expected not in _EXPECTED:
        raise ParameterError("expected", f"{shown(expected)} is none of none, failed, all")
    part = _part(_known(here, id), set)
    here.charge(cost_model.of_set(part.request))
    return _answer(blind(part, expected))  # type: ignore[arg-type]


@router.post(
    "/{id}/results",
    summary="Results of some cases of a set",
    response_class=Response,
    responses={
        200: openapi.json_answer("The verdicts on these results.", SessionVerdicts),
        **openapi.problems(*BODY_FAILURES, 404, 410, 503),
    },
    openapi_extra=openapi.body(SessionResults, SessionResults),
)
def results(here: Here, body: JsonBody, id: _Id) -> Response:
    """Parts come in any order and of any size; a case may be tried again."""
    return _results(here, id, body)


def _results(here: Exchange, id: str, body: bytes) -> Response:
    stored = _known(here, id)
    given = shaped(SessionResults, parsed(body))
    part = _part(stored, given.set)
    here.charge(cost_model.of_set(part.request))
    here.charge(cost_model.of_observations(part.request.multiplier, min(MOST_OBSERVED, len(given.results))))
    letters, document = judge(part, given)
    _store(here).record(id, given.set, letters)
    return _answer(document)
