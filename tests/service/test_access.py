# SPDX-License-Identifier: Apache-2.0
"""Hosts, access tokens and quotas, security headers, and listening beyond this machine."""

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http import assets
from limbtrace.service.http.access import is_loopback
from limbtrace.service.http.csrf import from_elsewhere
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.storage.store import Store
from limbtrace.service.storage.tokens import Tokens
from limbtrace.vectors.client import Client, ServiceError
from tests.patience import PATIENCE, eventually, get
from tests.service.test_problems import problem
from tests.service.test_serve import serve


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture
def settings(tmp_path: Path) -> ServiceSettings:
    return ServiceSettings(database=f"sqlite:///{tmp_path}/sets.sqlite3")


@pytest.fixture
def tokens(settings: ServiceSettings) -> Iterator[Tokens]:
    store = Store(settings.database, 10)
    store.open()
    yield Tokens(store.database)
    store.close()


def test_a_service_with_tokens_asks_for_one(settings: ServiceSettings, tokens: Tokens) -> None:
    ann = tokens.add("ann")
    with background(settings) as url:
        for headers in ({}, bearer("lt_nonesuch"), {"Authorization": f"Basic {ann}"}, {"Authorization": ann}):
            answer = get(f"{url}/v1/models", headers=headers)
            assert "limbtrace token add" in problem(answer, 401).detail
            assert answer.headers["www-authenticate"] == "Bearer"
        for path in ("/metrics", "/docs", "/openapi.json", "/v1/nix"):
            assert get(f"{url}{path}").status_code == 401
        assert get(f"{url}/healthz").status_code == 200
        assert get(f"{url}/v1/models", headers=bearer(ann)).status_code == 200
        tokens.revoke("ann")
        assert eventually(lambda: get(f"{url}/v1/models", headers=bearer(ann)).status_code == 401)


def test_what_a_token_got_is_kept_by_no_shared_cache(settings: ServiceSettings, tokens: Tokens) -> None:
    """A cache on the way would give a response that is public to those who have no token."""
    with background(settings) as url:
        assert get(f"{url}/v1/models").headers["cache-control"].startswith("public, ")
    ann = tokens.add("ann")
    with background(settings) as url:
        for path in ("/v1/models", "/v1/vectors?model=cios&prime=p256", "/models"):
            kept = get(f"{url}{path}", headers=bearer(ann)).headers.get("cache-control", "")
            assert "public" not in kept
        assert get(f"{url}/v1/models", headers=bearer(ann)).headers["cache-control"].startswith("private, ")
        assert "public" in get(f"{url}{assets.address('page.css')}").headers["cache-control"]


def test_the_client_has_a_token(settings: ServiceSettings, tokens: Tokens, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = tokens.add("ann")
    with background(settings) as url:
        with Client(url) as client, pytest.raises(ServiceError, match="access token"):
            client.models()
        with Client(url, token=ann) as client:
            assert client.models()
        monkeypatch.setenv("LIMBTRACE_TOKEN", ann)
        with Client(url) as client:
            assert client.models()
    with pytest.raises(ParameterError, match="token"):
        Client(url, token="two\nlines")


def test_quotas(settings: ServiceSettings, tokens: Tokens) -> None:
    ann, bob = tokens.add("ann", requests_per_day=2), tokens.add("bob", seconds_per_day=0.01)
    with background(settings) as url:
        assert [get(f"{url}/v1/models", headers=bearer(ann)).status_code for _ in range(3)] == [200, 200, 429]
        answer = get(f"{url}/v1/models", headers=bearer(ann))
        assert "has used its 2 requests of today" in problem(answer, 429).detail
        assert 0 < int(answer.headers["retry-after"]) <= 86400
        long = f"{url}/v1/vectors?model=cios&prime=p256&count=40000&kind=random&format=csv"
        assert get(long, headers=bearer(bob)).status_code == 200
        # It has computed for 0.01 seconds, which are written down when the answer is over.
        assert eventually(lambda: get(long, headers=bearer(bob)).status_code == 429)
    used = {usage.token.name: usage for usage in tokens.usages()}
    assert used["ann"].requests == 2
    assert used["bob"].requests >= 1
    assert 0.01 <= used["bob"].seconds < PATIENCE


def test_other_processes_count_for_quotas(settings: ServiceSettings, tokens: Tokens) -> None:
    """A description of a core is made by a process beside the worker, which hardly computes meanwhile."""
    ann = tokens.add("ann")
    body = {"files": {"a.sv": "module t(input a, output z); endmodule"}}
    with background(settings) as url:
        answer = httpx.post(f"{url}/v1/core-files", json=body, headers=bearer(ann), timeout=PATIENCE)
        assert answer.status_code == 200
        assert eventually(lambda: next(usage.seconds for usage in tokens.usages()) > 0.15)


def test_who_put_a_certificate_is_kept(settings: ServiceSettings, tokens: Tokens) -> None:
    """The owner comes from the token; what owners may do is tested with the certificates."""
    ann = tokens.add("ann")
    with background(settings) as url:
        name = get(f"{url}/v1/vectors?model=cios&prime=mlkem&count=2", headers=bearer(ann)).headers["limbtrace-set"]
        answer = httpx.put(f"{url}/v1/sets/{name}/certificate", json={}, headers=bearer(ann), timeout=PATIENCE)
        assert answer.status_code == 422
        answer = httpx.put(f"{url}/v1/sets/{name}/certificate", json={}, timeout=PATIENCE)
        assert answer.status_code == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("localhost:8000", 200), ("[::1]:1", 200), (socket.gethostname(), 200),
        ("good.example", 200),
        ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("", 421), ("a b", 421),
    ],
)  # fmt: skip
def test_names_of_the_service(host: str, status: int, settings: ServiceSettings) -> None:
    """A page whose name was made to mean 127.0.0.1 reads nothing (DNS rebinding)."""
    with background(settings.model_copy(update={"allowed_hosts": "good.example, other.example"})) as url:
        answer = get(f"{url}/healthz", headers={"Host": host})
        assert answer.status_code == status
        if status != 200:
            assert "LIMBTRACE_ALLOWED_HOSTS" in problem(answer, 421).detail


def test_any_name(settings: ServiceSettings) -> None:
    with background(settings.model_copy(update={"allowed_hosts": "*"})) as url:
        assert get(f"{url}/healthz", headers={"Host": "evil.example"}).status_code == 200


def test_browsers_are_told_what_not_to_do(api: httpx.Client) -> None:
    for path in ("/healthz", "/v1/models", "/v1/nix", "/v1/explore?core=fpmm&bits=256&format=svg", "/docs"):
        headers = api.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert (
            "frame-ancestors 'none'" in headers["content-security-policy"]
            or "sandbox" in headers["content-security-policy"]
        )
        assert headers["referrer-policy"] == "same-origin"
    assert "script-src" not in api.get("/v1/models").headers["content-security-policy"]


def test_a_redirect_stays_here(api: httpx.Client) -> None:
    answer = api.get("/v1/models/", headers={"Host": "127.0.0.2"})
    assert answer.is_redirect
    assert answer.headers["location"] == "/v1/models"


def test_what_loopback_is() -> None:
    assert is_loopback(["127.0.0.1", "::1", "127.9.9.9"])
    assert not is_loopback(["127.0.0.1", "0.0.0.0"])
    assert not is_loopback(["::"])


def test_the_network_needs_tokens(settings: ServiceSettings, tokens: Tokens) -> None:
    arguments = ["--host", "0.0.0.0", "--port", "0", "--database", settings.database]
    refused = subprocess.run(["limbtrace", "serve", *arguments], capture_output=True, text=True, timeout=PATIENCE)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--insecure-open" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    tokens.add("ann")
    for more in ([], ["--insecure-open"]):
        with subprocess.Popen(["limbtrace", "serve", *arguments, *more], stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert "serving on http://0.0.0.0:" in process.stderr.readline()
            process.terminate()


def test_logs_have_nothing_that_a_terminal_obeys() -> None:
    with serve("--access-log") as (process, url):
        get(f"{url}/v1/%C2%9B%E2%80%A8%E2%80%AE?x=%C2%9B")
        process.terminate()
        _, err = process.communicate(timeout=PATIENCE)
    assert err.isascii()
    assert "\\u009b\\u2028\\u202e" in err


def test_workers_may_be_chosen() -> None:
    with serve("--workers", "3") as (_, url):
        assert get(f"{url}/v1/models").status_code == 200


def test_a_browser_sends_the_token_as_a_password(settings: ServiceSettings, tokens: Tokens) -> None:
    ann = tokens.add("ann")
    with background(settings) as url:
        asked = get(f"{url}/").headers["www-authenticate"]
        assert asked == 'Bearer, Basic realm="limbtrace", charset="UTF-8"'
        assert get(f"{url}/", auth=("anybody", ann)).status_code == 200
        assert get(f"{url}/v1/models", auth=("", ann)).status_code == 200
        for wrong in (("ann", "lt_nonesuch"), (ann, "")):
            assert get(f"{url}/", auth=wrong).status_code == 401
        for text in ("Basic", "Basic !", "Basic gA==", f"Basic {ann}"):
            assert get(f"{url}/", headers={"Authorization": text}).status_code == 401
        assert get(f"{url}{assets.address('page.css')}").status_code == 200, "everybody has the files of the pages"


def test_a_page_of_another_site_does_not_use_the_password(settings: ServiceSettings, tokens: Tokens) -> None:
    ann = tokens.add("ann")
    with background(settings) as url:
        for site, mode, status in (
            ("cross-site", "no-cors", 403), ("same-site", "cors", 403), ("cross-site", "navigate", 200),
            ("same-origin", "no-cors", 200), ("none", "navigate", 200),
        ):  # fmt: skip
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
            assert get(f"{url}/v1/models", auth=("x", ann), headers=headers).status_code == status
            assert get(f"{url}/v1/models", headers={**headers, **bearer(ann)}).status_code == 200


@pytest.mark.parametrize(
    ("method", "headers", "elsewhere"),
    [
        ("POST", {}, False),
        ("POST", {"Origin": "http://Lab.example:8000"}, False),
        ("POST", {"Origin": "https://lab.example"}, False),
        ("POST", {"Origin": "http://evil.example:8000"}, True),
        ("POST", {"Origin": "null"}, True),
        ("POST", {"Origin": "http://["}, True),
        ("POST", {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"}, False),
        ("POST", {"Origin": "http://lab.example", "Sec-Fetch-Site": "same-site"}, True),
        ("GET", {"Origin": "http://evil.example"}, False),
        ("GET", {"Sec-Fetch-Site": "cross-site"}, True),
    ],
)
def test_requests_that_a_page_of_another_site_sends(method: str, headers: dict[str, str], elsewhere: bool) -> None:
    assert from_elsewhere(method, Headers({"Host": "lab.example:8000", **headers})) == elsewhere
