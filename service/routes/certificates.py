# SPDX-License-Identifier: Apache-2.0
"""Certificates of sets that were handed out: SageMath's results, stored with the sets."""

import json
from collections import deque
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.request_body import BODY_FAILURES, JsonBody, parsed
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.storage.store import Certified, FullError, OwnedError, StoredRequest
from limbtrace.vectors import certificate, sets
from limbtrace.vectors.certificate import Certificate
from limbtrace.vectors.encoding import digest
from limbtrace.vectors.request import VectorRequest
from limbtrace.vectors.sets import VectorSet
from limbtrace.vectors.sets.vector_set import ALL, OCCURRING

router = APIRouter(prefix="/v1", tags=["verification"])

_Id = Annotated[str, Path(description="Id of a set.", examples=[openapi.SET_ID])]
_Fp2Id = Annotated[str, Path(description="Id of cases in GF(p^2).", examples=[openapi.FP2_ID])]
_SHOWN = openapi.answer("The certificate, as it was sent.", Certificate, {}, 404, 410)
_KEPT: dict[int | str, dict[str, Any]] = {
    200: openapi.json_answer("The certificate, as it is kept.", Certificate),
    **openapi.problems(*BODY_FAILURES, 403, 404, 410, 507),
}


@router.get("/sets/{id}/certificate", summary="The certificate of a set", response_class=Response, responses=_SHOWN)
def certificate_of(here: Here, id: _Id) -> Response:
    """The certificate that `limbtrace certify` wrote for a set that was handed out earlier."""
    return _shown(here, here.known_set(id))


@router.put(
    "/sets/{id}/certificate",
    summary="Keep the certificate of a set",
    response_class=Response,
    responses=_KEPT,
    openapi_extra=openapi.body(Certificate, Certificate),
)
def keep_certificate(here: Here, body: JsonBody, id: _Id) -> Response:
    """The certificate must belong to this set: id, digest and number of cases are compared. SageMath is not run.

    A certificate that is there already can be replaced only with the access token that stored it, or with any
    token if it was put without one.
    """
    _check_size(here, body)
    vectors = here.known_set(id)
    here.charge(cost_model.of_body(len(body)) + cost_model.of_set(vectors))
    given = _parsed(body)
    found = None if given.set.digest is None else _digest(vectors, OCCURRING)
    if found != given.set.digest:  # the set may have been asked for with all notes, as earlier releases made it
        every = _digest(vectors, ALL)
        found = every if every == given.set.digest else found
    return _keep(here, vectors, vectors.count, body, given, found)


@router.get(
    "/fp2/{id}/certificate",
    summary="The certificate of cases in GF(p^2)",
    response_class=Response,
    responses=_SHOWN,
)
def fp2_certificate_of(here: Here, id: _Fp2Id) -> Response:
    """The certificate that `limbtrace certify` wrote for cases in GF(p^2) that were handed out earlier."""
    return _shown(here, here.known_fp2(id))


@router.put(
    "/fp2/{id}/certificate",
    summary="Keep the certificate of cases in GF(p^2)",
    response_class=Response,
    responses=_KEPT,
    openapi_extra=openapi.body(Certificate, "Fp2Certificate"),
)
def keep_fp2_certificate(here: Here, body: JsonBody, id: _Fp2Id) -> Response:
    """The certificate must belong to these cases: id and number of cases are compared. SageMath is not run.

    It is replaced like that of a set.
    """
    _check_size(here, body)
    cases = here.known_fp2(id)
    here.charge(cost_model.of_body(len(body)))
    return _keep(here, cases, len(cases.pairs), body, _parsed(body), None)


def _shown(here: Exchange, known: StoredRequest) -> Response:
    text = here.store.certificate(known.id)
    if text is None:
        raise RefusedError(404, f"id: the set {known.id} has no certificate; `limbtrace certify` makes one", "id")
    return here.text(text, "application/json")


def _check_size(here: Exchange, body: bytes) -> None:
    if len(body) > here.limits.max_certificate_bytes:
        here.count("refused", "max_certificate_bytes")
        raise RefusedError(413, f"the certificate is larger than {here.limits.max_certificate_bytes} bytes")


def _parsed(body: bytes) -> Certificate:
    parsed(body)
    return certificate.parse(body)


def _keep(
    here: Exchange, known: StoredRequest, cases: int, body: bytes, given: Certificate, found: str | None
) -> Response:
    """`cases` and `found` are number and digest of the cases of the set."""
    id = known.id
    if certificate.check(given, id, found) == "other set":
        about = f"the set {given.set.id} with {given.set.digest or 'no digest'}"
        raise ParameterError("certificate", f"it is about {about}, and this is {id} with {found or 'no digest'}")
    if given.cases != cases:
        raise ParameterError("certificate", f"it is about {given.cases} cases, and the set has {cases}")
    text = body.decode()
    certified = Certified(digest(text), given.cases, given.disagreements)
    try:
        if here.token is None:
            here.store.certify(id, certified, text)
        else:
            here.store.certify(id, certified, text, here.token.name, here.token.bytes)
    except OwnedError as error:
        raise RefusedError(403, f"id: {error}", "id") from None
    except FullError as error:
        here.count("refused", "max_stored_bytes")
        raise RefusedError(507, str(error)) from None
    return Response(body, headers={"Cache-Control": "no-store"}, media_type="application/json")


def _digest(vectors: VectorRequest, notes: str) -> str:
    """Digest of the cases, computed again: it is in the last line of the set."""
    (last,) = deque(sets.render(VectorSet(vectors, notes=notes), "ndjson"), maxlen=1)
    return str(json.loads(last.splitlines()[-1])["digest"])
