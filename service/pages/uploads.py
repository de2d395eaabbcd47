# SPDX-License-Identifier: Apache-2.0
"""What a form sends by POST: its fields, as browsers encode them with or without a file (RFC 7578)."""

import re
from collections.abc import Iterator
from email.message import Message
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from starlette.datastructures import Headers

from service.problems import RefusedError

MOST_FIELDS = 8
"""Most fields of a form."""
_NAME = re.compile(rb'^content-disposition:[ \t]*form-data[ \t]*;(?:[^\r\n]*;)?[ \t]*name="([^"\r\n]*)"', re.I | re.M)


async def _fields(request: Request) -> dict[str, bytes]:
    """Raises RefusedError."""
    _check_origin(request.headers)
    kind = Message()
    kind["Content-Type"] = request.headers.get("content-type", "").encode("ascii", "replace").decode()
    body = await request.body()
    if kind.get_content_type() == "application/x-www-form-urlencoded":
        try:
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
        except ValueError:
            raise RefusedError(400, "the body is no form as a browser sends it") from None
        return {name: value.encode(errors="replace") for name, value in pairs}
    boundary = kind.get_boundary()
    if kind.get_content_type() != "multipart/form-data" or not boundary:
        raise RefusedError(415, "the body is no form of a browser; programs send a report to /v1/reports")
    return dict(_parts(body, boundary.encode("ascii", "replace")))


Uploaded = Annotated[dict[str, bytes], Depends(_fields)]
"""The fields of a form by name; of a file, its content."""


def _parts(body: bytes, boundary: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and content of each part. Raises RefusedError."""
    _, *parts = (b"\r\n" + body).split(b"\r\n--" + boundary, MOST_FIELDS + 2)
    if not parts or not parts[-1].startswith(b"--") or len(parts) > MOST_FIELDS + 1:
        raise RefusedError(400, f"the body is no form with up to {MOST_FIELDS} fields as a browser sends it")
    for part in parts[:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        if (found := _NAME.search(head)) is None:
            raise RefusedError(400, "a field of the form has no name")
        yield found[1].decode(errors="replace"), content


def _check_origin(headers: Headers) -> None:
    """Raises RefusedError where a page of another site made the browser send the form."""
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise RefusedError(403, "a page of another site made the browser send this form", kind="forbidden")
