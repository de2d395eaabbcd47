# SPDX-License-Identifier: Apache-2.0
"""Access: names by which the service is addressed, access tokens with quotas; headers that protect browsers."""

import base64
import binascii
import ipaddress
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limbtrace.service.http.assets import FOLDER
from limbtrace.service.http.csrf import from_elsewhere, host_of
from limbtrace.service.http.logs import LOG
from limbtrace.service.http.metrics import Metrics
from limbtrace.service.http.problems import RefusedError, problem, refused
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.storage.store import StoreError
from limbtrace.service.storage.tokens import DAY, Token, Tokens

OPEN = ("/healthz",)
"""Paths that need no token, for a monitor; neither do the files of the pages, which everybody has."""
_OF_PROGRAMS = ("/v1/", "/metrics", "/openapi.json")
"""Paths of which no browser is asked for a name and a password."""
_PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""A page loads files of this service and nothing else; Swagger UI has pictures in its style."""
_OWN = {"/redoc": _PAGE.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}
"""Pages with another policy: ReDoc writes its own styles."""
_POLICIES = {
    "text/html": _PAGE,
    "image/svg+xml": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""Policy for every other response: a browser may only show it."""


class Access:
    """Checks host and token of every request before anything else is done for it."""

    def __init__(self, app: ASGIApp, limits: ServiceSettings, tokens: Tokens, metrics: Metrics) -> None:
        """Tokens are asked for if there is one now. Raises StoreError."""
        self.app, self._tokens, self._metrics = app, tokens, metrics
        self.limits = limits
        self.needs_token = tokens.any()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        asked = self.needs_token and not (scope["path"] in OPEN or scope["path"].startswith(FOLDER))

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                _protect(scope["path"], MutableHeaders(scope=message), private=asked)
            await send(message)

        try:
            self._check_host(Headers(scope=scope))
            token = None
            if asked:
                token = await to_thread.run_sync(self._token, scope["method"], scope["path"], Headers(scope=scope))
        except RefusedError as error:
            scope["ended"] = error.ended
            await refused(scope["path"], error)(scope, receive, protected)
        except StoreError as error:
            self._metrics.count("store_errors", "")
            answer = problem(scope["path"], 503, str(error), headers={"Retry-After": "5"}, kind="store")
            await answer(scope, receive, protected)
        else:
            if token is not None:
                scope["token"] = token
            try:
                await self.app(scope, receive, protected)
            finally:
                if token is not None:
                    await to_thread.run_sync(self._use, token.name, scope.get("computed", 0.0))

    def _check_host(self, headers: Headers) -> None:
        """Raises RefusedError: a page of another site may have made a browser ask, by a name of its own."""
        given = headers.getlist("host")
        name = host_of(f"//{given[0]}") if len(given) == 1 else None
        if name is None or not (self._hosts >= {"*"} or name in self._hosts or _is_address(name)):
            shown = ", ".join(given)[:60] or "nothing"
            detail = f"the service is not addressed as {shown!r}; LIMBTRACE_ALLOWED_HOSTS permits names"
            raise RefusedError(421, detail, kind="host", headers={"Connection": "close"})

    @cached_property
    def _hosts(self) -> set[str]:
        own = ["localhost", socket.gethostname(), socket.getfqdn()]
        return {name.strip().lower() for name in [*own, *self.limits.allowed_hosts.split(",")]}

    def _token(self, method: str, path: str, headers: Headers) -> Token:
        """The token of a request. Raises RefusedError, StoreError."""
        scheme, _, text = headers.get("authorization", "").partition(" ")
        name = scheme.lower()
        linked = headers.get("sec-fetch-mode") == "navigate"  # all that a page of another site may do
        if name == "basic" and not linked and from_elsewhere(method, headers):
            raise RefusedError(403, "a page of another site made the browser ask with your token", kind="forbidden")
        given = text.strip() if name == "bearer" else _password(text) if name == "basic" else ""
        token = self._tokens.find(given) if given else None
        if token is None:
            detail = "the request needs an access token: Authorization: Bearer TOKEN, from `limbtrace token add`"
            ways = "Bearer" if path.startswith(_OF_PROGRAMS) else 'Bearer, Basic realm="limbtrace", charset="UTF-8"'
            raise RefusedError(401, detail, kind="token", headers={"WWW-Authenticate": ways})
        if sentence := self._tokens.exhausted(token):
            self._metrics.count("refused", "token")
            left = DAY - int(time.time()) % DAY
            raise RefusedError(429, sentence, kind="quota", headers={"Retry-After": str(left)}, ended="token")
        return token

    def _use(self, name: str, seconds: float) -> None:
        with suppress(StoreError):  # they are written later
            self._tokens.use(name, seconds)

    def close(self) -> None:
        """Write what was used. To be called at the end."""
        try:
            self._tokens.write()
        except StoreError as error:
            LOG.error("store", reason=str(error))


def _password(text: str) -> str:
    """The password of Basic authentication (RFC 7617): a browser sends the token so, with any name of a user."""
    try:
        return base64.b64decode(text.strip(), validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


def is_loopback(addresses: Iterable[str]) -> bool:
    """True if only programs of this machine reach these addresses."""
    return all(ipaddress.ip_address(address).is_loopback for address in addresses)


def _is_address(name: str) -> bool:
    """True if a host is given by number, for which no site can stand in."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _protect(path: str, headers: MutableHeaders, *, private: bool) -> None:
    """`private`: no cache may give the response to another client, without a token."""
    if private and (kept := headers.get("cache-control")) is not None:
        headers["Cache-Control"] = kept.replace("public", "private")
    kind = headers.get("content-type", "").partition(";")[0]
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Content-Security-Policy"] = _OWN.get(path) or _POLICIES.get(kind, _POLICY)
    headers["Referrer-Policy"] = "same-origin"  # without a referrer, forms of our own would have the origin "null"
    if (location := headers.get("location")) is not None:  # the framework repeats the host that the client gave
        parts = urlsplit(location)
        headers["Location"] = parts.path + (f"?{parts.query}" if parts.query else "")
