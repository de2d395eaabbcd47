# SPDX-License-Identifier: Apache-2.0
"""Problem documents as pages, for people who open an address that is not served."""

import json

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limbtrace.service.http.problems import MEDIA_TYPE as PROBLEM
from limbtrace.service.pages.render import MEDIA_TYPE, html

_OF_PROGRAMS = "/v1/"


class ErrorPages:
    """Shows a problem document as a page to a client that takes pages; the JSON routes always answer with JSON."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        takes_pages = scope["type"] == "http" and MEDIA_TYPE in Headers(scope=scope).get("accept", "")
        if not takes_pages or str(scope["path"]).startswith(_OF_PROGRAMS):
            await self.app(scope, receive, send)
            return
        held: Message | None = None
        body = b""

        async def shown(message: Message) -> None:
            nonlocal held, body
            if message["type"] == "http.response.start":
                if MutableHeaders(scope=message).get("content-type", "") == PROBLEM:
                    held = message
                    return
            elif held is not None:
                body += message.get("body", b"")
                if message.get("more_body", False):
                    return
                problem = json.loads(body)
                content = html("error.html", {"path": scope["path"], "problem": problem}).encode()
                headers = MutableHeaders(scope=held)
                headers["Content-Type"], headers["Content-Length"] = f"{MEDIA_TYPE}; charset=utf-8", str(len(content))
                await send(held)
                message = {"type": "http.response.body", "body": content}
            await send(message)

        await self.app(scope, receive, shown)
