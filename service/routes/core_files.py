# SPDX-License-Identifier: Apache-2.0
"""A first `core.toml` from uploaded sources: `limbtrace init` in a process of its own, without simulation."""

import json
import re
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.request_body import BODY_FAILURES, JsonBody, parsed
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.routes import commands
from limbtrace.service.settings import LimitError
from limbtrace.vectors.core_draft import CoreDraft, CoreFiles
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.validation import shaped

router = APIRouter(prefix="/v1", tags=["cores"])

MOST_FILES = 20
"""Sources of a core."""
_MOST_PAIRS = 100
"""Values of `set`."""
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.s?v")
_LONGEST = 10_000
"""Characters of a value; a modulus may be written as a number."""
TASK = commands.Task(
    "files", "slang", "these sources", "max_draft_seconds", "describe cores",
    "very long expressions are a known cause", {"core": "files"},
)  # fmt: skip


@router.post(
    "/core-files",
    summary="A first core.toml for RTL",
    response_class=Response,
    responses={
        200: openapi.json_answer("The description, with what was guessed and what is to be filled in.", CoreDraft),
        **openapi.problems(*BODY_FAILURES),
    },
    openapi_extra=openapi.body(CoreFiles, CoreFiles),
)
def core_files(here: Here, body: JsonBody) -> Response:
    """What `limbtrace init` writes: ports, reset, handshake and widths, as far as they show. Nothing is simulated."""
    here.charge(cost_model.of_body(len(body)))
    asked = shaped(CoreFiles, parsed(body), closed="the request")
    files = {name: _encoded(text) for name, text in asked.files.items()}
    given = {"top": asked.top, "model": asked.model, "prime": asked.prime, "radix": asked.radix}
    document = draft(here, files, {name: value for name, value in given.items() if value is not None}, asked.set)
    return Response(dump(document) + "\n", headers={"Cache-Control": "no-store"}, media_type="application/json")


def _encoded(text: str) -> bytes:
    """A source as bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ParameterError("files", "a source has half of a surrogate pair, which is no character") from None


def draft(here: Exchange, files: Mapping[str, bytes], given: Mapping[str, str], pairs: list[str]) -> dict[str, Any]:
    """The `CoreDraft` of sources by their names; `given` are options of the command, `pairs` those of --set.

    Raises ParameterError, with "files" for what is wrong in a source, and RefusedError where the service failed.
    """
    _check_files(here, files)
    if len(pairs) > _MOST_PAIRS:
        raise ParameterError("set", f"there are {len(pairs)} values and the limit is {_MOST_PAIRS}")
    options = [*given.items(), *(("set", pair) for pair in pairs)]
    for name, value in options:
        if len(value) > _LONGEST:
            raise ParameterError(name, f"it has {len(value)} characters and the limit is {_LONGEST}")
        if not value.isprintable():
            raise ParameterError(name, f"{shown(value[:40])} has characters that cannot be printed")
    if "prime" in given:
        here.limits.check_modulus_of(given.get("model", ""), given["prime"])
    here.charge(cost_model.of_draft())
    folder = given.get("top") or min(files).rpartition(".")[0]
    folder = re.sub(r"\W", "_", folder, flags=re.ASCII)[:100]
    arguments = ["init", "--json", "--no-includes", *(f"--{name}={value}" for name, value in options), "--", folder]
    document: dict[str, Any] = json.loads(commands.run(here, TASK, folder, files, arguments))
    return document


def _check_files(here: Exchange, files: Mapping[str, bytes]) -> None:
    """Raises ParameterError."""
    if not 1 <= len(files) <= MOST_FILES:
        raise ParameterError("files", f"there are {len(files)} sources, and 1 to {MOST_FILES} are taken")
    for name in files:
        if not _NAME.fullmatch(name):
            raise ParameterError(
                "files", f"the name {shown(name)} should be letters, digits, _, . or -, and end in .v or .sv"
            )
    size, most = sum(map(len, files.values())), here.limits.max_source_bytes
    if size > most:
        raise LimitError("files", f"the sources have {size} bytes and the limit here is {most}", "max_source_bytes")
