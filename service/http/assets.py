# SPDX-License-Identifier: Apache-2.0
"""Styles, scripts and pictures of the pages: all from installed packages, with addresses that change with the content.

They lie in one folder, so that a module imports its neighbours by relative names.
"""

import gzip
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from limbtrace.service.http.middleware import takes_gzip
from limbtrace.service.http.problems import RefusedError

FOLDER = "/static/"
"""Paths below this one are answered by the process that listens."""
AGE_SECONDS = 31_536_000
"""For how long a browser keeps a file whose address says what is in it."""

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_FOREIGN = ("swagger-ui-bundle.js", "swagger-ui.css", "redoc.standalone.js")

router = APIRouter(include_in_schema=False)


@cache
def contents() -> dict[str, bytes]:
    """Every file by its name: ours, and those of Swagger UI and ReDoc."""
    own = [entry for entry in _folder("limbtrace.service.pages").iterdir() if entry.name.rpartition(".")[2] in _TYPES]
    foreign = [_folder("fastapi_offline").joinpath(name) for name in _FOREIGN]
    return {entry.name: entry.read_bytes() for entry in [*own, *foreign]}


def _folder(package: str) -> Traversable:
    return files(package).joinpath("static")


@cache
def version() -> str:
    """A hash of all files."""
    found = sha256()
    for name, content in sorted(contents().items()):
        found.update(f"{name} {len(content)} ".encode() + content)
    return found.hexdigest()[:16]


def address(name: str) -> str:
    """The path of a file. Raises KeyError if there is none of that name."""
    contents()[name]
    return f"{FOLDER}{version()}/{name}"


@cache
def _packed(name: str) -> bytes:
    """The file as gzip: compressed once, since it never changes."""
    return gzip.compress(contents()[name], mtime=0)


@router.get(FOLDER + "{folder}/{name}")
def asset(request: Request, folder: str, name: Annotated[str, Path()]) -> Response:
    """A file; of an older page, too, which may still be open in a browser."""
    if name not in contents():
        raise RefusedError(404, f"there is no file {name[:60]!r} among those of the pages")
    tag = f'"{sha256(contents()[name]).hexdigest()[:32]}"'
    current = folder == version()
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={AGE_SECONDS}, immutable" if current else "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = contents()[name]
    if takes_gzip(request.headers):
        content = _packed(name)
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=_TYPES[name.rpartition(".")[2]])
