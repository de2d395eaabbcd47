# SPDX-License-Identifier: Apache-2.0
"""The description of the routes by Swagger UI at /docs and ReDoc at /redoc, from files of an installed package."""

from fastapi import APIRouter, Response

from limbtrace.service.http.responses import Here
from limbtrace.service.pages.render import page

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def docs(here: Here) -> Response:
    """Every route, to be tried."""
    return page(here, "routes.html", style="swagger-ui.css", bundle="swagger-ui-bundle.js", start="docs.js")


@router.get("/redoc")
def redoc(here: Here) -> Response:
    """Every route, to be read."""
    return page(here, "routes.html", style=None, bundle="redoc.standalone.js", start="redoc.js")
