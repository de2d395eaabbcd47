# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations over HTTP: posted by whoever ran one, kept under an id that follows from the content."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from service import openapi, prices
from service.answers import Exchange, Here
from service.bodies import BODY_FAILURES, JsonBody, parsed
from service.owned import FullError
from service.problems import RefusedError
from service.report_store import ReportStore
from vectors.report import ReportDocument, canonical, read

router = APIRouter(prefix="/v1/reports", tags=["reports"])

_Id = Annotated[str, Path(description="Id of a report.", examples=[openapi.REPORT_ID])]


def _store(here: Exchange) -> ReportStore:
    return ReportStore(here.store.database, here.limits.max_reports, here.limits.max_reports_bytes)


def keep(here: Exchange, body: bytes) -> tuple[str, str, bool]:
    """Store the report in a body; returns its id, its text, and whether it is new.

    Raises ParameterError, RefusedError, StoreError.
    """
    if len(body) > here.limits.max_report_bytes:
        here.count("refused", "max_report_bytes")
        raise RefusedError(413, f"the report is larger than {here.limits.max_report_bytes} bytes")
    here.charge(prices.of_body(len(body)))
    text = canonical(read(parsed(body)))
    owner, quota = ("", None) if here.token is None else (here.token.name, here.token.bytes)
    try:
        id, new = _store(here).keep(text, owner, quota)
    except FullError as error:
        here.count("refused", "max_reports_bytes")
        raise RefusedError(507, str(error)) from None
    return id, text, new


def known(here: Exchange, id: str) -> str:
    """The text of a report. Raises RefusedError (404), StoreError."""
    if (text := _store(here).find(id)) is None:
        raise RefusedError(404, "id: there is no such report, or it has been forgotten since", "id")
    return text


@router.post(
    "",
    summary="Keep the report of a simulation",
    status_code=201,
    response_class=Response,
    responses={
        200: openapi.json_answer("The report, which was there already.", ReportDocument),
        201: openapi.json_answer("The report as it is kept; Location has its id.", ReportDocument),
        **openapi.problems(*BODY_FAILURES, 507),
    },
    openapi_extra=openapi.body(ReportDocument, ReportDocument),
)
def post(here: Here, body: JsonBody) -> Response:
    """What `limbtrace sim --json` wrote. The same report has the same id; whoever knows the id can read it.

    Members that are not of the schema are dropped. The oldest reports make way for new ones.
    """
    id, text, new = keep(here, body)
    headers = {"Cache-Control": "no-store", "Location": f"/v1/reports/{id}"}
    return Response(f"{text}\n", 201 if new else 200, headers, "application/json")


@router.get(
    "/{id}",
    summary="The report of a simulation",
    response_class=Response,
    responses=openapi.answer("The report.", ReportDocument, {}, 404),
)
def report(here: Here, id: _Id) -> Response:
    """A report that was posted; `/reports/{id}` shows it to people."""
    return here.text(f"{known(here, id)}\n", "application/json")
