# SPDX-License-Identifier: Apache-2.0
"""The typed client: the same data as without a service, and one sentence for every failure."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors import client as client_module
from limbtrace.vectors.client import Client, ServiceError
from limbtrace.vectors.fp2 import Fp2Request
from limbtrace.vectors.fp2 import render as render_fp2
from limbtrace.vectors.fp2.document import Fp2Set
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, render
from limbtrace.vectors.source import GoldenSource, Local
from tests.patience import PATIENCE
from tests.rtl_bridge.toys import serial_arch
from tests.service.apps import TOY

SETTINGS = {"radix": "2^32"}
WRITTEN = {"a": "[0x8fffff,2]", "b": "[3,0x1ffff,0x9000]"}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with background() as url, Client(url) as client:
        yield client


def pairs(count: int) -> Iterator[tuple[int, int]]:
    """Operands of that many products."""
    return ((case.a, case.b) for case in Local().cases("iddmm2", "p256", SETTINGS, count, 5).cases)


def test_it_is_a_source(client: Client) -> None:
    sources: list[GoldenSource] = [client, Local()]
    assert len(sources) == 2


@pytest.mark.parametrize(("settings", "kind"), [({}, "mixed"), ({"k": 16, "passes": 17}, "lazy")])
def test_cases_are_those_of_this_process(client: Client, settings: dict[str, str | int], kind: str) -> None:
    arguments = ("iddmm2", "p256", settings, 1200, 3, kind)
    here, there = Local().cases(*arguments), client.cases(*arguments)
    assert there.head == here.head
    assert list(there.cases) == list(here.cases)


@pytest.mark.parametrize("model", MODELS)
def test_cases_of_every_model(client: Client, model: str) -> None:
    """Models, including those with their own digits, chains, and those without a modulus or b."""
    prime: str | None = "431" if MODELS[model].has_modulus else None
    if model in ("effm", "ffm1"):
        prime = "2*2^4*3^2 - 1"
    asked: tuple[str, str | None, dict[str, str | int], int] = (model, prime, {}, 20)
    here, there = Local().cases(*asked), client.cases(*asked)
    assert there.head == here.head
    assert list(there.cases) == list(here.cases)


def test_parts_of_a_set_are_those_of_this_process(client: Client) -> None:
    asked: tuple[Any, ...] = ("cios", "p256", SETTINGS, 10**10, 3, "lazy", "777777777/1000000000")
    here, there = Local().cases(*asked), client.cases(*asked)
    assert (there.head, list(there.cases)) == (here.head, list(here.cases))


def test_operands_keep_the_digits_that_they_were_written_in(client: Client) -> None:
    """The number alone would be scanned with other digits and other steps."""
    multiplier = Multiplier.resolve("redundant", "2^61-1", {})
    a, b = (multiplier.operand(name, text, which) for which, (name, text) in enumerate(WRITTEN.items()))
    here, there = (source.trace("redundant", "2^61-1", {}, a, b) for source in (Local(), client))
    plain = Local().trace("redundant", "2^61-1", {}, int(a), int(b))
    assert there.steps == here.steps != plain.steps
    tables = [list(source.tables("redundant", "2^61-1", {}, [(a, b)]).products) for source in (Local(), client)]
    assert tables[0] == tables[1] != list(Local().tables("redundant", "2^61-1", {}, [(int(a), int(b))]).products)


@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_tables_are_those_of_this_process(client: Client, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "BATCH_CELLS", 10_000)
    here, there = (source.tables("iddmm_arch2", "p256", SETTINGS, pairs(count)) for source in (Local(), client))
    assert there.columns == here.columns
    assert there.first_cycle == here.first_cycle
    assert there.head == here.head
    assert list(there.products) == list(here.products)


def test_tables_of_products_that_may_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ARCHITECTURES, serial_arch.ARCHITECTURE.id, serial_arch.ARCHITECTURE)
    with background(workers_app=TOY) as url, Client(url) as client:
        here, there = (source.tables("serial_toy", "p256", SETTINGS, pairs(3)) for source in (Local(), client))
        assert list(there.products) == list(here.products)


def test_tables_of_a_core_whose_products_have_one_operand(client: Client) -> None:
    here, there = (source.tables("vdf_squarer", "p256", {"t": 2}, [(5, 0)]) for source in (Local(), client))
    products = list(here.products)
    assert [product.a for product in products] == [5]
    assert list(there.products) == products


def test_tables_larger_than_the_limit_of_one_request() -> None:
    cells_of_three = 3 * 80 * 9
    with background(ServiceSettings(max_cycle_cells=cells_of_three)) as url, Client(url) as client:
        with pytest.raises(ParameterError, match="limit"):
            list(client.tables("iddmm_arch2", "p256", SETTINGS, pairs(20)).products)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(client_module, "BATCH_CELLS", cells_of_three)
            assert len(list(client.tables("iddmm_arch2", "p256", SETTINGS, pairs(20)).products)) == 20


FIELDS: list[dict[str, Any]] = [
    {"op": "mul", "count": 5, "seed": 3, "kind": "edge"}, {"op": "sqr"},
    {"op": "mul", "a": (5, 106), "b": (0, 7), "steps": True}, {"op": "sqr", "a": (5, 7)},
]  # fmt: skip


@pytest.mark.parametrize("asked", FIELDS)
def test_fields_are_those_of_this_process(client: Client, asked: dict[str, Any]) -> None:
    found = client.fp2("hffm", 107, {"split": 8}, **asked)
    texts = {name: f"[{asked[name][0]},{asked[name][1]}]" for name in "ab" if name in asked}
    golden = Fp2Request.resolve(Multiplier.resolve("hffm", 107, {"split": 8}), **{**asked, **texts})
    assert found == Fp2Set.model_validate_json(b"".join(render_fp2(golden, "json")))
    assert found.id == golden.id
    assert (found.tests[0].operations[0].steps is not None) == asked.get("steps", False)
    assert client.verify(found.model_dump(by_alias=True, exclude_unset=True)).verdict == "pass"


def test_fields_that_there_are_not(client: Client) -> None:
    with pytest.raises(ParameterError, match=r"^prime: i\^2 = -1 needs a modulus that is 3 modulo 4"):
        client.fp2("ffm2", 73, {}, "mul")
    with pytest.raises(ParameterError, match=r"^op: 'inv' is none of mul, sqr"):
        client.fp2("hffm", 107, {}, "inv")


def test_traces_are_those_of_this_process(client: Client) -> None:
    arguments = ("cios", 2**255 - 19, {"w": 17}, 5, 2**254)
    assert client.trace(*arguments) == Local().trace(*arguments)


def test_typed_documents(client: Client) -> None:
    assert [model.id for model in client.models().models] == list(MODELS)
    assert "secp256k1.fp" in [prime.name for prime in client.primes().primes]
    constants = client.constants("iddmm2", "mlkem", {"k": 8})
    assert constants.constants["p'"] == "0xff"
    results = {
        "model": "iddmm2",
        "prime": "mlkem",
        "radix": "2^8",
        "results": [{"a": "0x5", "b": "0x7", "result": "0x1"}],
    }
    assert client.verify(results).verdict == "fail"


@pytest.mark.parametrize(
    ("ask", "parameter", "reason"),
    [
        (lambda c: c.cases("nix", "p256", {}, 5), "model", "there is no model 'nix'"),
        (lambda c: c.cases("cios", 12, {}, 5), "prime", "the modulus must be odd"),
        (lambda c: c.cases("cios", "p256", {}, 10**9), "count", "1000000000 is outside"),
        (lambda c: c.tables("nix/..", "p256", {}, pairs(1)), "core", "there is no core"),
        (lambda c: c.tables("iddmm_arch2", "p256", {"form": "printed"}, pairs(1)), "form", "corrected"),
        (lambda c: c.trace("cios", "mlkem", {}, 1 << 40, 1), "a", "is outside"),
        (lambda c: c.constants("cios", "p256", {"nix": 1}), "nix", "no such parameter"),
        (lambda c: c.verify({}), "model", "does not say"),
    ],
)
def test_wrong_requests(client: Client, ask: Callable[[Client], Any], parameter: str | None, reason: str) -> None:
    """The error is the same as without a service if it is about a parameter."""
    with pytest.raises((ParameterError, ServiceError), match=reason) as caught:
        ask(client)
    if parameter is not None:
        assert isinstance(caught.value, ParameterError)
        assert caught.value.parameter == parameter
        assert str(caught.value).startswith(f"{parameter}: ")
        assert str(caught.value).count(f"{parameter}: ") == 1


@pytest.mark.parametrize("url", ["nonsense", "ftp://host", "http://", "http://[::1", ""])
def test_wrong_addresses(url: str) -> None:
    with pytest.raises(ParameterError, match=r"service: .*http://127\.0\.0\.1:8000"):
        Client(url)


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with Client(f"http://127.0.0.1:{port}") as client, pytest.raises(ServiceError, match="connection failed"):
        client.models()


def test_a_service_that_says_nothing() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        Client(f"http://127.0.0.1:{server.getsockname()[1]}", timeout=0.2) as client,
        pytest.raises(ServiceError, match="no answer in time"),
    ):
        client.models()


@contextmanager
def answering(body: bytes, status: int = 200, promised: int | None = None, retry_after: str = "") -> Iterator[Client]:
    """A client of a service that always returns this response, possibly truncated."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body) if promised is None else promised))
            self.send_header("Retry-After", retry_after)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        with Client(f"http://127.0.0.1:{server.server_port}") as client:
            yield client
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


VECTORS = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "mlkem", {}), 5))
LINES = b"".join(render(VECTORS, "ndjson")).splitlines(keepends=True)


def drain(client: Client) -> int:
    return len(list(client.cases("cios", "mlkem", {}, 5).cases))


def test_a_whole_answer_is_taken() -> None:
    with answering(b"".join(LINES)) as client:
        assert drain(client) == 5


@pytest.mark.parametrize(
    ("body", "promised", "reason"),
    [
        (b"".join(LINES[:-1]), None, "ends after 5 cases and was cut short"),
        (b"".join(LINES[:3]), None, "ends after 2 cases and was cut short"),
        (b"".join(LINES[:3]), 10_000, "cut short"),
        (b"".join(LINES)[:-200], None, "cut short"),
        (b"".join(LINES[:2] + LINES[3:]), None, "digest"),
        (b"".join(LINES).replace(b'"seed":1', b'"seed":2'), None, "digest"),
        (b"".join([*LINES[:2], LINES[2].replace(b'"a":"0x', b'"a":"0x1'), *LINES[3:]]), None, "digest"),
        (LINES[0] + b'{"a":5}\n', None, "case 0"),
        (LINES[0] + b"[]\n", None, "no object"),
        (b"", None, "cut short"),
        (b"{}\n", None, "not a document"),
        (b"<html>\n", None, "no JSON"),
    ],
)
def test_damaged_cases(body: bytes, promised: int | None, reason: str) -> None:
    with answering(body, promised=promised) as client, pytest.raises(ServiceError, match=reason):
        drain(client)


def test_a_set_need_not_be_drained(client: Client) -> None:
    with client.cases("cios", "p521", {}, 100_000) as found:
        assert len(list(islice(found.cases, 3))) == 3
    assert next(found.cases, None) is None
    assert len(client.models().models) == len(MODELS)


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"<html>bad gateway</html>", 502, "answered 502"),
        (b"{}", 200, "not a document"),
        (b"[]", 200, "no JSON object"),
        (b'{"format": "limbtrace/1", "mod', 200, "cut short"),
        (json.dumps({"format": "limbtrace/2", "models": []}).encode(), 200, "not a document"),
    ],
)
def test_damaged_documents(body: bytes, status: int, reason: str) -> None:
    with answering(body, status) as client, pytest.raises(ServiceError, match=reason):
        client.models()


def test_deep_documents() -> None:
    with answering(b'{"steps":' + b"[" * 100_000) as client, pytest.raises(ServiceError, match="not a document"):
        client.trace("cios", "mlkem", {}, 1, 1)


@pytest.mark.parametrize("body", [b"{}", b'{"steps": [["q"]]}', b'{"steps": [["q", [0], "x"]], "result": "0x1"}'])
def test_damaged_traces(body: bytes) -> None:
    with answering(body) as client, pytest.raises(ServiceError, match="not a document"):
        client.trace("cios", "mlkem", {}, 1, 1)


def one_slot() -> AbstractContextManager[str]:
    """A service for one long request at a time, whose response may stay unread for long."""
    return background(ServiceSettings(max_slow=1, max_stall_seconds=PATIENCE))


def test_a_busy_service_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with one_slot() as url, Client(url, timeout=PATIENCE) as client:
        held = client.cases("cios", "p521", {}, 1_000_000)
        waits = []

        def freed(seconds: float) -> None:
            waits.append(seconds)
            held.close()
            time.sleep(0.01)

        monkeypatch.setattr(client_module, "time", SimpleNamespace(monotonic=time.monotonic, sleep=freed))
        found = client.cases("cios", "p521", {}, 900_000)
        assert next(iter(found.cases)).a
        found.close()
    assert set(waits) == {1}


def test_cases_that_are_closed_end_their_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if none was taken: a service computes until its client has gone."""
    with background() as url, Client(url, timeout=PATIENCE) as client:
        ask = client._lines
        for taken in (0, 1):
            lines = ask("/v1/vectors", {"model": "cios", "prime": "13", "count": "5", "format": "ndjson"})
            monkeypatch.setattr(client, "_lines", lambda *_, lines=lines: lines)
            found = client.cases("cios", 13, {}, 5)
            for _ in range(taken):
                next(found.cases)
            found.close()
            assert next(lines, None) is None
            assert next(found.cases, None) is None


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(client_module, "time", SimpleNamespace(monotonic=lambda: sum(waits), sleep=waits.append))
    with one_slot() as url, Client(url) as client:
        held = client.cases("cios", "p521", {}, 1_000_000)
        with pytest.raises(ServiceError, match="all 1 slots"):
            client.cases("cios", "p521", {}, 900_000)
        held.close()
    assert waits == [1] * 60


@pytest.mark.parametrize("given", ["", "soon", "-1", "9" * 5000])
def test_a_service_that_does_not_say_when_is_not_asked_again(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("waited"))
    problem = b'{"type": "x", "title": "x", "status": 503, "detail": "took too long", "instance": "/"}'
    with answering(problem, 503, retry_after=given) as client, pytest.raises(ServiceError, match="took too long"):
        client.models()
