# SPDX-License-Identifier: Apache-2.0
"""Forms with files: the body that a browser sends (RFC 7578), taken apart by its boundary."""

from email import message_from_string
from email.message import Message
from typing import Annotated, NamedTuple

from fastapi import Depends, Request

from service.bodies import FORM, media_type_of
from service.problems import RefusedError

_MOST_PARTS = 100
_ALIEN = "the form is not as browsers send it: "


class FormPart(NamedTuple):
    """A field of a form; `file` is the name of a file on the user's machine, None for what was typed."""

    name: str
    file: str | None
    content: bytes


async def _parts(request: Request) -> list[FormPart]:
    """The fields, in their order. Raises RefusedError."""
    if media_type_of(request.headers) != FORM:
        raise RefusedError(415, f"the body must be {FORM}, as a browser sends the form")
    head = Message()
    head["Content-Type"] = request.headers["content-type"]
    boundary = head.get_boundary()
    if not boundary or not boundary.isascii():
        raise RefusedError(400, f"{_ALIEN}it names no boundary", kind="http")
    return split(await request.body(), boundary.encode())


FormParts = Annotated[list[FormPart], Depends(_parts)]


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
