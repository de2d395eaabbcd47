# SPDX-License-Identifier: Apache-2.0
"""Rejected requests: each gets a problem document that names the fault."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.app import create_app
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.document import Problem
from tests.patience import PATIENCE, get
from tests.service.apps import FAULTY

SMALL = ServiceSettings(
    max_modulus_bits=300,
    max_count=100,
    max_trace_steps=500,
    max_cycle_cells=2000,
    max_loop_steps=1000,
    max_body_bytes=1000,
)


def problem(answer: httpx.Response, status: int = 422) -> Problem:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = Problem.model_validate_json(answer.content)
    assert found.status == status
    assert found.type.startswith("urn:limbtrace:problem:")
    assert found.instance == answer.url.path
    assert found.title
    assert "Traceback" not in answer.text
    return found


@pytest.fixture(scope="module")
def small() -> Iterator[httpx.Client]:
    with background(SMALL) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield client


VECTORS = "/v1/vectors?model=cios&prime=mlkem"
TRACE = "/v1/traces?model=cios&prime=mlkem&a=1&b=1"
CYCLES = "/v1/cycles?core=iddmm_arch2&prime=mlkem"

WRONG = [
    ("/v1/vectors?model=cios&prime=3330", "prime", "odd"),
    ("/v1/vectors?model=cios&prime=1", "prime", "at least 3"),
    ("/v1/vectors?model=cios&prime=-7", "prime", "at least 3"),
    ("/v1/vectors?model=cios&prime=secp256", "prime", "other moduli with a name near it"),
    ("/v1/vectors?model=cios&prime=9^9^9^9", "prime", "limit"),
    ("/v1/vectors?model=cios&prime=2^5000-1", "prime", "limit here is 4096 bits"),
    ("/v1/vectors?model=cios&prime=__import__('os')", "prime", "integer expression"),
    ("/v1/vectors?model=cios&prime=2^255+1-20", "prime", "%2B"),
    ("/v1/vectors?model=cios&prime=", "prime", "missing"),
    ("/v1/vectors?model=cios", "prime", "does not give it"),
    ("/v1/vectors?prime=mlkem", "model", "does not give it"),
    ("/v1/vectors?model=nix&prime=mlkem", "model", "there is imm, cios"),
    (f"{VECTORS}&radix=10", "radix", "power of two"),
    (f"{VECTORS}&radix=2^5000", "radix", "outside"),
    (f"{VECTORS}&w=32&radix=2^34", "radix", "differ"),
    (f"{VECTORS}&w=4&s=3", "s", "needs s >= 4"),
    ("/v1/vectors?model=cios&prime=secp256k1&w=64&s=4", "s", "iddmm2"),
    (f"{VECTORS}&s=10000000", "s", "outside"),
    (f"{VECTORS}&nix=1", "nix", "no such parameter"),
    (f"{VECTORS}&set=nix", "set", "NAME=VALUE"),
    (f"{VECTORS}&w=32&w=34", "w", "given twice"),
    (f"{VECTORS}&set=w=32&w=34", "w", "given twice"),
    (f"{VECTORS}&count=3&count=4", "count", "given twice"),
    (f"{VECTORS}&prime=p256", "prime", "given twice"),
    (f"{VECTORS}&count=0", "count", "outside 1 to 1000000"),
    (f"{VECTORS}&count=1000001", "count", "outside 1 to 1000000"),
    (f"{VECTORS}&count=2^100", "count", "outside"),
    (f"{VECTORS}&count=many", "count", "integer"),
    (f"{VECTORS}&seed=-1", "seed", "outside"),
    (f"{VECTORS}&kind=nice", "kind", "none of"),
    (f"{VECTORS}&format=xml", "format", "none of"),
    ("/v1/vectors?model=cios&prime=mlkem&form=printed", "form", "corrected"),
    (f"{VECTORS}&a=1", "a", "no such parameter"),
    ("/v1/traces?model=cios&prime=mlkem&a=1", "b", "does not give it"),
    ("/v1/traces?model=cios&prime=mlkem&a=6658&b=1", "a", "up to 0x1a01"),
    ("/v1/traces?model=cios&prime=mlkem&a=1&b=-1", "b", "outside"),
    ("/v1/traces?model=cios&prime=mlkem&a=[1,2&b=1", "a", "digit vector"),
    (f"{TRACE}&format=vcd", "format", "none of"),
    (f"{TRACE}&check=perhaps", "check", "boolean"),
    ("/v1/traces?model=cios&prime=2^4095-1&w=2&a=1&b=1", "radix", "the limit here is 400000"),
    (CYCLES, "operands", "at least one"),
    (f"{CYCLES}&operands=5", "operands", "A,B"),
    (f"{CYCLES}&operands=5,7&count=2", "operands", "exclude"),
    (f"{CYCLES}&operands=5,7&seed=2", "operands", "exclude"),
    (f"{CYCLES}&operands=5,7@0&operands=5,7@1", "operands", "the next cycle in which"),
    (f"{CYCLES}&operands=5,6658", "operands", ""),
    (f"{CYCLES}&operands=5,7&form=printed", "form", "corrected"),
    (f"{CYCLES}&count=100000000", "count", "limit here is 2000000"),
    (f"{CYCLES}&count=0", "count", "outside"),
    ("/v1/cycles?core=nix&prime=mlkem&count=1", "core", "iddmm_arch2"),
    ("/v1/cycles?core=iddmm_arch2&prime=p521&k=1&operands=1,1", "radix", "limit here is 2000000"),
    ("/v1/constants?model=cios&prime=mlkem&format=c", "format", "none of"),
    ("/v1/errata?model=cios", "model", "/v1/errata has no such query parameter; it takes standing"),
    ("/v1/errata?standing=wrong", "standing", "'wrong' is not one of erratum, remark, uncertain"),
    ("/v1/tables?paper=fpmm", "paper", "it takes none"),
    ("/v1/models/cios?json=1", "json", "it takes none"),
    ("/v1/sets/00?formt=csv", "formt", "it takes format"),
    ("/v1/explore?core=fpmm&bits=128&points=F44D", "points", "it takes core, bits, point, device, frequency, format"),
    ("/healthz?x=", "x", "/healthz has no such query parameter"),
    ("/metrics?x=1", "x", "it takes none"),
    ("/v1/primes/10", "prime", "odd"),
    ("/v1/primes/2^5000-1", "prime", "limit here is 4096 bits"),
]


@pytest.mark.parametrize(("path", "parameter", "words"), [case for case in WRONG if case[2]])
def test_wrong_parameters(api: httpx.Client, path: str, parameter: str, words: str) -> None:
    found = problem(api.get(path))
    assert found.parameter == parameter
    assert found.detail.startswith(f"{parameter}: ")
    assert words in found.detail
    assert len(found.detail) < 400


@pytest.mark.parametrize(
    ("path", "parameter", "words"),
    [
        ("/v1/nix", None, "/openapi.json"),
        ("/nix", None, "/openapi.json"),
        ("/v1/models/nix", "model", "there is imm, cios"),
        ("/v1/cores/idmm_arch1", "core", "there is iddmm_arch1, iddmm_arch2"),
        ("/v1/tables/nix", "paper", "there is iddmm"),
        ("/v1/primes/nix", "prime", "catalogue"),
        ("/v1/schemas/..%2F..%2Fpyproject.toml", None, "/openapi.json"),
        ("/v1/schemas/nix.schema.json", "name", "limbtrace-vectors-1.schema.json"),
        ("/v1/sets/0123456789abcdef0123456789abcdef", "id", "the same request to /v1/vectors"),
        ("/v1/fp2/0123456789abcdef0123456789abcdef", "id", "the same request to /v1/fp2"),
    ],
)
def test_not_found(api: httpx.Client, path: str, parameter: str | None, words: str) -> None:
    found = problem(api.get(path), 404)
    assert found.parameter == parameter
    assert words in found.detail


@pytest.mark.parametrize(("method", "path"), [("POST", "/v1/models"), ("DELETE", "/v1/vectors"), ("PUT", "/healthz")])
def test_method(api: httpx.Client, method: str, path: str) -> None:
    answer = api.request(method, path)
    assert method in problem(answer, 405).detail
    assert answer.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/v1/verifications", "POST"), ("/v1/sets/0/certificate", "GET, HEAD, PUT"), ("/openapi.json", "GET, HEAD")],
)
def test_methods_that_are_allowed(api: httpx.Client, path: str, allowed: str) -> None:
    answer = api.request("PATCH", path)
    problem(answer, 405)
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize(
    ("path", "parameter", "words"),
    [
        ("/v1/vectors?model=cios&prime=p384", "prime", "384 bits and the limit here is 300"),
        ("/v1/primes/2^400-1", "prime", "limit here is 300"),
        ("/v1/vectors?model=cios&prime=mlkem&count=101", "count", "outside 1 to 100"),
        ("/v1/vectors?model=modmul&prime=13&kind=exhaustive", "count", "169 is outside 1 to 100"),
        ("/v1/vectors?model=modmul&prime=2^61-1&kind=exhaustive", "kind", "there are 2^121 or more"),
        ("/v1/traces?model=cios&prime=secp256k1&w=8&a=1&b=1", "radix", "limit here is 500"),
        ("/v1/cycles?core=iddmm_arch2&prime=secp256k1&k=8&operands=1,1", "radix", "limit here is 2000"),
        ("/v1/cycles?core=iddmm_arch2&prime=mlkem&k=4&count=100", "count", "100 products has"),
        ("/v1/cycles?core=iddmm_arch2&prime=mlkem&k=4" + 60 * "&operands=1,1", "operands", "60 products has"),
        ("/v1/vectors?model=iddmm2&prime=secp256k1&form=printed&count=5", "count", "limit here is 1000"),
    ],
)
def test_limits_are_settings(small: httpx.Client, path: str, parameter: str, words: str) -> None:
    found = problem(small.get(path))
    assert found.parameter == parameter
    assert words in found.detail


def test_all_pairs_within_the_limits(small: httpx.Client) -> None:
    answer = small.get("/v1/vectors?model=modmul&prime=7&kind=exhaustive")
    assert answer.json()["numberOfTests"] == 49


def test_refusals_are_counted_by_limit() -> None:
    with background(SMALL) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        for path in (
            f"{VECTORS}&count=101", f"{VECTORS}&count=102", "/v1/primes/2^400-1", f"{CYCLES}&k=4&count=100",
            "/v1/traces?model=cios&prime=secp256k1&w=8&a=1&b=1",
            "/v1/vectors?model=iddmm2&prime=secp256k1&form=printed&count=5", f"{VECTORS}&count=0",
        ):  # fmt: skip
            problem(client.get(path))
        problem(client.post("/v1/verifications", json={**RESULTS, "comment": "x" * 1000}), 413)
        text = client.get("/metrics").text
    counts = dict(re.findall(r'^limbtrace_refused_total\{limit="(\w+)"\} ([0-9.]+)$', text, re.MULTILINE))
    assert counts == {
        "max_count": "2.0", "max_modulus_bits": "1.0", "max_cycle_cells": "1.0", "max_trace_steps": "1.0",
        "max_loop_steps": "1.0", "max_body_bytes": "1.0",
    }  # fmt: skip


RESULTS: dict[str, Any] = {
    "model": "iddmm2", "prime": "mlkem", "radix": "2^8", "results": [{"a": "0x5", "b": "0x7", "result": "0xa1a"}],
}  # fmt: skip


def test_limits_of_verifications(small: httpx.Client) -> None:
    path = "/v1/verifications"
    assert problem(small.post(path, json={**RESULTS, "comment": "x" * 1000}), 413).detail.endswith("1000 bytes")
    chunks = (b" " * 100 for _ in range(100))
    json_type = {"Content-Type": "application/json"}
    assert problem(small.post(path, content=chunks, headers=json_type), 413).detail.endswith("1000 bytes")
    assert "limit here is 300" in problem(small.post(path, json={**RESULTS, "prime": "2^301-1"})).detail
    printed = {**RESULTS, "prime": "secp256k1", "form": "printed", "results": RESULTS["results"] * 10}
    assert problem(small.post(path, json=printed)).parameter == "results"
    table = {**RESULTS, "prime": "goldilocks64", "radix": "2^1", "core": "iddmm_arch2", "rows": []}
    assert "cells and the limit here is 2000" in problem(small.post(path, json=table)).detail


@pytest.mark.parametrize(
    ("body", "media_type", "status"),
    [
        (b'{"model": "cios"', "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[1, 2]", "application/json", 400),
        (b"[" * 100_000, "application/json", 413),
        (b"", "application/json", 400),
        (b"{}", "image/png", 415),
        (b"{}", "", 415),
        (b'{"model": "cios"', "text/plain", 400),
        (b"{}", "text/plain", 422),
    ],
)
def test_bodies_that_are_no_document(api: httpx.Client, body: bytes, media_type: str, status: int) -> None:
    headers = {"Content-Type": media_type} if media_type else {}
    problem(api.post("/v1/verifications", content=body, headers=headers), status)


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"model": "nix"}, "model"),
        ({"prime": "3330"}, "prime"),
        ({"prime": None}, "prime"),
        ({"radix": "2^8", "params": {"k": 9}}, "radix"),
        ({"params": {"n": "1"}}, "n"),
        ({"params": {"\ud800": "1"}}, "\\ud800"),
        ({"results": []}, "results"),
        ({"results": [{"a": "0x5", "b": "0x7"}]}, "results[0]"),
        ({"results": [{"a": "5", "b": "0x7", "result": "0x1"}]}, "results[0], a"),
        ({"results": [{"a": "0x5", "b": "0x10000", "result": "0x1"}]}, "b"),
        ({"compare": "nothing"}, "compare"),
        ({"format": "limbtrace/9"}, "format"),
        ({"results": None}, "results"),
    ],
)
def test_documents_that_make_no_sense(api: httpx.Client, change: dict[str, Any], parameter: str) -> None:
    body = json.dumps({**RESULTS, **change})
    found = problem(api.post("/v1/verifications", content=body, headers={"Content-Type": "application/json"}))
    assert found.parameter == parameter


def test_a_failure_of_our_own_shows_no_traceback() -> None:
    with background(workers_app=FAULTY) as url:
        answer = get(f"{url}/v1/models")
        problem(answer, 500)
        assert "secret" not in answer.text
        assert 'limbtrace_requests_total{route="/v1/models",status="500"} 1.0' in get(f"{url}/metrics").text


@pytest.mark.parametrize(("name", "value"), [("LIMBTRACE_MAX_COUNT", "many"), ("LIMBTRACE_MAX_CONCURRENT", "0")])
def test_wrong_settings_are_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ParameterError, match=f"{name}: .*{value}"):
        create_app()


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMBTRACE_MAX_COUNT", "12")
    assert create_app().state.limits.max_count == 12


def test_other_methods_know_their_names_too(api: httpx.Client) -> None:
    found = problem(api.post("/v1/verifications?compare=residue", json={}))
    assert found.detail == "compare: /v1/verifications has no such query parameter; it takes none"
    assert api.head("/v1/models?x=1").status_code == 422
    assert api.head("/v1/models").status_code == 200
