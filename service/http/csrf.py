# SPDX-License-Identifier: Apache-2.0
"""Origin of a request: whether a page of another site made a browser send it."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers


def host_of(url: str) -> str | None:
    """The host of a URL, in lower case and without its port; None if there is none."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def from_elsewhere(method: str, headers: Headers) -> bool:
    """True if a page of another site made a browser ask.

    A browser says it in Sec-Fetch-Site, which it leaves out for plain HTTP to another machine and which old ones do not
    know. Then a POST of another host has its `Origin`, or "null"; a program sends neither. Ports are not compared:
    proxies leave them out of `Host`.
    """
    if (site := headers.get("sec-fetch-site")) is not None:
        return site not in ("none", "same-origin")
    origin = headers.get("origin")
    return method == "POST" and origin is not None and host_of(origin) != host_of(f"//{headers.get('host', '')}")
