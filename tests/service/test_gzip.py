# SPDX-License-Identifier: Apache-2.0
"""Compressed responses: the same content, matching validators, and no needless or double compression."""

import gzip

import httpx
import pytest

GZIP = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}
LARGE = "/v1/vectors?model=cios&prime=p521&count=2000"


def raw(api: httpx.Client, path: str) -> tuple[httpx.Headers, bytes]:
    """Headers and body as they came over the wire."""
    with api.stream("GET", path, headers=GZIP) as answer:
        return answer.headers, b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    "path",
    [
        *(f"{LARGE}&format={format}" for format in ("json", "ndjson", "csv", "readmemh")),
        "/v1/vectors?model=cios&prime=mlkem&count=20",  # one block
        "/v1/traces?model=cios&prime=p521&w=8&a=1&b=2&format=text",
        "/v1/cycles?core=iddmm_arch2&prime=p256&count=3&format=vcd",
        "/v1/primes",
        "/openapi.json",
    ],
)
def test_the_same_bytes_inside(api: httpx.Client, path: str) -> None:
    headers, body = raw(api, path)
    plain = api.get(path, headers=PLAIN)
    assert headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(body) == plain.content
    assert len(body) < 0.75 * len(plain.content)
    assert raw(api, path)[1] == body
    assert headers["vary"] == "Accept-Encoding"


def test_validators_fit_both_forms(api: httpx.Client) -> None:
    """The bytes on the wire differ, so only the plain response has the strong tag."""
    strong, weak = api.get(LARGE, headers=PLAIN).headers["etag"], raw(api, LARGE)[0]["etag"]
    assert weak == f"W/{strong}"
    for tag in (strong, weak):
        for encoding in (GZIP, PLAIN):
            answer = api.get(LARGE, headers={**encoding, "If-None-Match": tag})
            assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
            assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/healthz", "/v1/constants?model=cios&prime=mlkem&format=sv", "/v1/nix"])
def test_small_answers_stay_as_they_are(api: httpx.Client, path: str) -> None:
    headers, body = raw(api, path)
    assert "content-encoding" not in headers
    assert 0 < len(body) < 1024


def test_what_is_packed_already_stays_as_it_is(api: httpx.Client) -> None:
    headers, body = raw(api, "/v1/cycles?core=iddmm_arch2&prime=p256&count=3&format=fst")
    assert len(body) > 1024
    assert "content-encoding" not in headers


def test_head_is_not_compressed(api: httpx.Client) -> None:
    answer = api.head(LARGE, headers=GZIP)
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("br, gzip", True),
        ("GZIP;q=0.5", False),  # Starlette looks for small letters
        ("gzip; q=0.001", True),
        ("gzip;q=0", False),
        ("identity, gzip; q=0.000", False),
        ("notgzip", False),
        ("*", False),
        ("", False),
    ],
)
def test_who_does_not_want_it_does_not_get_it(api: httpx.Client, accepted: str, packed: bool) -> None:
    headers = api.get(LARGE, headers={"Accept-Encoding": accepted}).headers
    assert ("content-encoding" in headers) == packed
    assert headers["vary"] == "Accept-Encoding"
