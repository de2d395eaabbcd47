# SPDX-License-Identifier: Apache-2.0
"""What a form sends by POST: its fields, as browsers encode them with or without files (RFC 7578)."""

from email import message_from_string
from email.message import Message
from typing import Annotated, NamedTuple
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from starlette.datastructures import Headers

from service.bodies import FORM, media_type_of
from service.problems import RefusedError

_MOST_PARTS = 100
_PLAIN = "application/x-www-form-urlencoded"
_ALIEN = "the form is not as browsers send it: "


class FormPart(NamedTuple):
    """A field of a form; `file` is the name of a file on the user's machine, None for what was typed."""

    name: str
    file: str | None
    content: bytes


async def _parts(request: Request) -> list[FormPart]:
    """The fields, in their order. Raises RefusedError."""
    _check_origin(request.headers)
    kind = media_type_of(request.headers)
    if kind == _PLAIN:
        return _typed(await request.body())
    if kind != FORM:
        raise RefusedError(415, f"the body must be {FORM} or {_PLAIN}, as a browser sends a form")
    head = Message()
    head["Content-Type"] = request.headers["content-type"]
    boundary = head.get_boundary()
    if not boundary or not boundary.isascii():
        raise RefusedError(400, f"{_ALIEN}it names no boundary", kind="http")
    return split(await request.body(), boundary.encode())


FormParts = Annotated[list[FormPart], Depends(_parts)]


async def _fields(parts: FormParts) -> dict[str, bytes]:
    return {part.name: part.content for part in parts}


FormFields = Annotated[dict[str, bytes], Depends(_fields)]
"""The fields of a form by name; of a file, its content."""


def _typed(body: bytes) -> list[FormPart]:
    """The parts of a form without files. Raises RefusedError (400)."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_PARTS)
    except ValueError:
        detail = f"{_ALIEN}it has more than {_MOST_PARTS} fields, or is not UTF-8"
        raise RefusedError(400, detail, kind="http") from None
    return [FormPart(name, None, value.encode(errors="replace")) for name, value in pairs]


def split(body: bytes, boundary: bytes) -> list[FormPart]:
    """The parts of a body. Raises RefusedError (400)."""
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary, _MOST_PARTS + 2)
    if len(pieces) > _MOST_PARTS + 2:
        raise RefusedError(400, f"{_ALIEN}it has more than {_MOST_PARTS} fields", kind="http")
    if len(pieces) < 2 or not pieces[-1].startswith(b"--"):
        raise RefusedError(400, f"{_ALIEN}it has no end", kind="http")
    found = []
    for piece in pieces[1:-1]:
        head, blank, content = piece.partition(b"\r\n\r\n")
        try:
            headers = message_from_string(head.decode().strip())
        except UnicodeDecodeError:
            raise RefusedError(400, f"{_ALIEN}the name of a field or file is not UTF-8", kind="http") from None
        name = headers.get_param("name", header="content-disposition")
        if not blank or not isinstance(name, str):
            raise RefusedError(400, f"{_ALIEN}a field has no name", kind="http")
        found.append(FormPart(name, headers.get_filename(), content))
    return found


def _check_origin(headers: Headers) -> None:
    """Raises RefusedError where a page of another site made the browser send the form."""
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise RefusedError(403, "a page of another site made the browser send this form", kind="forbidden")
