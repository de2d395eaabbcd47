# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations over HTTP: posted after a run, kept under an id that follows from the content."""

import json
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.request_body import BODY_FAILURES, FORM, json_body, media_type_of, parsed
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.http.uploads import FormPart, check_names, form_parts
from limbtrace.service.routes import commands
from limbtrace.service.storage.quotas import FullError
from limbtrace.service.storage.report_store import ReportStore
from limbtrace.vectors.report import ReportDocument, canonical, read
from limbtrace.vectors.report.svg import drawn

router = APIRouter(prefix="/v1/reports", tags=["reports"])

TASK = commands.Task(
    "waves", "the reader of waveforms", "this file", "max_waves_seconds", "read waveforms", "it is damaged"
)
REPORT, WAVES = "report", "waves"
"""The fields of a form."""

_Id = Annotated[str, Path(description="Id of a report.", examples=[openapi.REPORT_ID])]


def _store(here: Exchange) -> ReportStore:
    return ReportStore(here.store.database, here.limits.max_reports, here.limits.max_reports_bytes)


def keep(here: Exchange, body: bytes, waveform: bytes | None = None) -> tuple[str, str, bool]:
    """Store the report in a body; returns its id, its text, and whether it is new.

    Of a waveform the cycles around the difference are kept, in the report. Raises ParameterError, "waves" for one that
    is wrong; RefusedError, StoreError.
    """
    _check_size(here, len(body))
    here.charge(cost_model.of_body(len(body)))
    text = canonical(read(parsed(body)))
    if waveform is not None:
        here.charge(cost_model.of_waves(len(waveform)))
        files = {"report.json": text.encode(), "waves": waveform}
        found = commands.run(here, TASK, "sent", files, ["waves", "--json", "sent/report.json", "sent/waves"])
        text = canonical(read(json.loads(found)))
        _check_size(here, len(text.encode()))
    owner, quota = ("", None) if here.token is None else (here.token.name, here.token.bytes)
    try:
        id, new = _store(here).keep(text, owner, quota)
    except FullError as error:
        here.count("refused", "max_reports_bytes")
        raise RefusedError(507, str(error)) from None
    return id, text, new


def _check_size(here: Exchange, size: int) -> None:
    """Raises RefusedError (413)."""
    if size > here.limits.max_report_bytes:
        here.count("refused", "max_report_bytes")
        raise RefusedError(413, f"the report is larger than {here.limits.max_report_bytes} bytes")


def known(here: Exchange, id: str) -> str:
    """The text of a report. Raises RefusedError (404), StoreError."""
    if (text := _store(here).find(id)) is None:
        raise RefusedError(404, "id: there is no such report, or it has been forgotten since", "id")
    return text


async def _sent(request: Request) -> bytes | list[FormPart]:
    """The body, or the fields of a form. Raises RefusedError."""
    return await (form_parts if media_type_of(request.headers) == FORM else json_body)(request)


def _fields(sent: list[FormPart]) -> tuple[bytes, bytes]:
    """Report and waveform of a form. Raises ParameterError."""
    check_names((part.name for part in sent), (REPORT, WAVES))
    given = {part.name: part.content for part in sent}
    for name in (REPORT, WAVES):
        if name not in given:
            raise ParameterError(name, f"the form has the fields {REPORT} and {WAVES}, and this one lacks it")
    return given[REPORT], given[WAVES]


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
    openapi_extra=openapi.body(ReportDocument, ReportDocument, files=(REPORT, WAVES)),
)
def post(here: Here, sent: Annotated[bytes | list[FormPart], Depends(_sent)]) -> Response:
    """What `limbtrace sim --json` wrote. The same report has the same id; anyone who knows the id can read it.

    Members that are not of the schema are dropped. The oldest reports make way for new ones. A form with the fields
    `report` and `waves` has a waveform of the run as well, in VCD or FST; the cycles around the difference are kept.
    """
    id, text, new = keep(here, *([sent] if isinstance(sent, bytes) else _fields(sent)))
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


@router.get(
    "/{id}/waves",
    summary="The waves of a report",
    response_class=Response,
    responses={
        200: {"description": "The waves.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
        304: {"description": "The client has it already (If-None-Match)."},
        **openapi.problems(404, 503),
    },
)
def waves(here: Here, id: _Id) -> Response:
    """The cycles around the difference as SVG, golden above seen; of a report that was posted with a waveform."""
    text = known(here, id)
    here.charge(cost_model.of_body(len(text)))
    document = read(json.loads(text))
    if document.waves is None:
        raise RefusedError(404, "id: the report was posted without a waveform", "id")
    return here.text(drawn(document, document.waves), "image/svg+xml")
