# SPDX-License-Identifier: Apache-2.0
"""Certificates of sets that were handed out: SageMath's results, stored with the sets."""

import json
from collections import deque
from typing import Annotated

from fastapi import APIRouter, Path, Response

from refmodels.errors import ParameterError
from service import openapi, prices
from service.answers import Exchange, Here
from service.bodies import BODY_FAILURES, JsonBody, parsed
from service.problems import RefusedError
from service.store import Certified, FullError, OwnedError
from vectors import certificate, sets
from vectors.certificate import Certificate
from vectors.request import VectorRequest
from vectors.sets import VectorSet
from vectors.wire import digest

router = APIRouter(prefix="/v1", tags=["verification"])

_PATH = "/sets/{id}/certificate"
_Id = Annotated[str, Path(description="Id of a set.", examples=[openapi.SET_ID])]


@router.get(
    _PATH,
    summary="The certificate of a set",
    response_class=Response,
    responses=openapi.answer("The certificate, as it was sent.", Certificate, {}, 404, 410),
)
def certificate_of(here: Here, id: _Id) -> Response:
    """The certificate that `limbtrace certify` wrote for a set that was handed out earlier."""
    here.known_set(id)
    text = here.store.certificate(id)
    if text is None:
        raise RefusedError(404, f"id: the set {id} has no certificate; `limbtrace certify` makes one", "id")
    return here.text(text, "application/json")


@router.put(
    _PATH,
    summary="Keep the certificate of a set",
    response_class=Response,
    responses={
        200: openapi.json_answer("The certificate, as it is kept.", Certificate),
        **openapi.problems(*BODY_FAILURES, 403, 404, 410, 507),
    },
    openapi_extra=openapi.body(Certificate, Certificate),
)
def keep_certificate(here: Here, body: JsonBody, id: _Id) -> Response:
    """The certificate must belong to this set: id, digest and number of cases are compared. SageMath is not run.

    A certificate that is there already is replaced only by whoever put it with the same access token, or with any
    token if it was put without one.
    """
    if len(body) > here.limits.max_certificate_bytes:
        here.count("refused", "max_certificate_bytes")
        raise RefusedError(413, f"the certificate is larger than {here.limits.max_certificate_bytes} bytes")
    _keep(here, id, body)
    return Response(body, headers={"Cache-Control": "no-store"}, media_type="application/json")


def _keep(here: Exchange, id: str, body: bytes) -> None:
    vectors = here.known_set(id)
    here.charge(prices.of_body(len(body)) + prices.of_set(vectors))
    parsed(body)
    given = certificate.parse(body)
    found = None if given.set.digest is None else _digest(vectors)
    if certificate.check(given, id, found) == "other set":
        about = f"the set {given.set.id} with {given.set.digest or 'no digest'}"
        raise ParameterError("certificate", f"it is about {about}, and this is {id} with {found or 'no digest'}")
    if given.cases != vectors.count:
        raise ParameterError("certificate", f"it is about {given.cases} cases, and the set has {vectors.count}")
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


def _digest(vectors: VectorRequest) -> str:
    """Digest of the cases, computed again: it is in the last line of the set."""
    (last,) = deque(sets.render(VectorSet(vectors), "ndjson"), maxlen=1)
    return str(json.loads(last.splitlines()[-1])["digest"])
