# SPDX-License-Identifier: Apache-2.0
"""Forms sent by POST: their fields, as browsers encode them with or without files (RFC 7578)."""

import re
from collections.abc import Callable, Iterable, Sequence
from email import message_from_string
from email.message import Message
from functools import partial
from typing import Annotated, NamedTuple, TypeVar
from urllib.parse import parse_qsl

from fastapi import Depends, Request

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http.csrf import from_elsewhere
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.request_body import FORM, media_type_of

T = TypeVar("T")
_MOST_PARTS = 100
_LONGEST_HEAD = 4096
"""Bytes of what stands before the content of a part; the time that `email` takes grows with their square."""
_PLAIN = "application/x-www-form-urlencoded"
_EXTENDED = re.compile(rb";\s*[^\s=;]+\*")
"""A parameter such as filename*=, which parsers read in different ways."""
_ALIEN = "the form is not as browsers send it: "


class FormPart(NamedTuple):
    """A field of a form; `file` is the name of a file on the user's machine, None for what was typed."""

    name: str
    file: str | None
    content: bytes


async def form_parts(request: Request) -> list[FormPart]:
    """The fields, in their order. Raises RefusedError."""
    if from_elsewhere(request.method, request.headers):
        raise RefusedError(403, "a page of another site made the browser send this form", kind="forbidden")
    kind = media_type_of(request.headers)
    if kind == _PLAIN:
        return _typed(await request.body())
    if kind != FORM:
        raise RefusedError(415, f"the body must be {FORM} or {_PLAIN}, as a browser sends a form")
    given = request.headers["content-type"]
    _check_head(len(given))
    head = Message()
    head["Content-Type"] = given
    boundary = _parsed(head.get_boundary)
    if not boundary or not boundary.isascii():
        raise RefusedError(400, f"{_ALIEN}it names no boundary", kind="http")
    return split(await request.body(), boundary.encode())


FormParts = Annotated[list[FormPart], Depends(form_parts)]


def check_names(names: Iterable[str], known: Sequence[str], several: Sequence[str] = ()) -> None:
    """Raises ParameterError for a field that a form does not have, and for one given twice that is not in `several`."""
    found: set[str] = set()
    for name in names:
        if name not in known:
            raise ParameterError(name[:60], f"this form takes {', '.join(known[:-1])} and {known[-1]}")
        if name in found and name not in several:
            raise ParameterError(name, "the form gives it more than once")
        found.add(name)


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
        _check_head(len(head))
        try:
            headers = message_from_string(head.decode().strip())
        except UnicodeDecodeError:
            raise RefusedError(400, f"{_ALIEN}the name of a field or file is not UTF-8", kind="http") from None
        if _EXTENDED.search(re.sub(rb'"[^"]*"', b"", head)):
            raise RefusedError(400, f"{_ALIEN}a head has a parameter with a star, which RFC 7578 forbids", kind="http")
        name = _parsed(partial(headers.get_param, "name", header="content-disposition"))
        file_name = _parsed(headers.get_filename)
        if not blank or not isinstance(name, str):
            raise RefusedError(400, f"{_ALIEN}a field has no name", kind="http")
        found.append(FormPart(name, file_name, content))
    return found


def _parsed(parse: Callable[[], T]) -> T:
    """The parsed head of a part. Raises RefusedError (400), also for encodings that a form has no use for."""
    try:
        return parse()
    except (TypeError, ValueError, LookupError):
        raise RefusedError(400, f"{_ALIEN}a head cannot be read", kind="http") from None


def _check_head(size: int) -> None:
    """Raises RefusedError (400)."""
    if size > _LONGEST_HEAD:
        raise RefusedError(400, f"{_ALIEN}a head has more than {_LONGEST_HEAD} bytes", kind="http")
