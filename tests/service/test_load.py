# SPDX-License-Identifier: Apache-2.0
"""A real service under load: fifty clients at once with every byte compared, and a kill during the load."""

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import httpx
import pytest

from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, render
from tests.patience import PATIENCE, eventually, get
from tests.postgres import Server

CLIENTS = 50
SEEDS = 4
FORMATS = ("json", "ndjson", "csv", "readmemh")


@contextmanager
def process(database: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = ["limbtrace", "serve", "--port", "0", "--database", database]
    patient = {**os.environ, "LIMBTRACE_MAX_STALL_SECONDS": str(PATIENCE)}
    with subprocess.Popen(command, env=patient, stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        line = started.stderr.readline()
        assert "http://" in line, line
        threading.Thread(target=started.stderr.read, daemon=True).start()  # a full pipe would stop the service
        try:
            yield started, line.split()[-1]
        finally:
            started.kill()


def plain_http(url: str) -> httpx.Client:
    """A client without TLS certificates, which would take long to load fifty times."""
    return httpx.Client(base_url=url, timeout=PATIENCE, verify=False)


def patient_get(client: httpx.Client, path: str, query: dict[str, str]) -> httpx.Response:
    """A response; the request is repeated while all slots are taken."""
    while True:
        answer = client.get(path, params=query)
        if answer.status_code != 503:
            return answer.raise_for_status()
        assert int(answer.headers["retry-after"]) >= 1
        time.sleep(0.05)


@cache
def golden(seed: int, format: str) -> bytes:
    """The output of the command line."""
    vectors = VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 500, seed, "random")
    return b"".join(render(VectorSet(vectors), format))


def test_fifty_clients_get_every_byte(tmp_path: Path) -> None:
    """Each client requests sets in four formats, compressed or not; all start together."""
    wanted = [(seed, format) for seed in range(SEEDS) for format in FORMATS]
    for seed, format in wanted:
        golden(seed, format)
    together = threading.Barrier(CLIENTS)
    with process(f"sqlite:///{tmp_path}/sets.sqlite3") as (_, url):

        def ask(number: int) -> None:
            encoding = ("identity", "gzip")[number % 2]
            with plain_http(url) as client:
                client.headers["Accept-Encoding"] = encoding
                together.wait(PATIENCE)
                for k in range(len(wanted) // 4):
                    seed, format = wanted[(number + 5 * k) % len(wanted)]
                    query = {"model": "cios", "prime": "p256", "count": "500", "seed": str(seed), "format": format}
                    query["kind"] = "random"
                    answer = patient_get(client, "/v1/vectors", query)
                    assert answer.headers.get("content-encoding", "identity") == encoding
                    assert answer.content == golden(seed, format)

        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(ask, range(CLIENTS)))
        metrics = get(f"{url}/metrics").text
    assert f"limbtrace_sets {SEEDS}.0" in metrics
    assert 'route="/v1/vectors",status="500"' not in metrics


def test_a_kill_loses_no_set_that_anybody_saw(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/sets.sqlite3"
    seen: dict[str, str] = {}
    with process(database) as (service, url):

        def ask(number: int) -> None:
            """Requests new sets as fast as possible until the service is gone."""
            with plain_http(url) as client, suppress(httpx.TransportError):
                for seed in range(number, 1_000_000, CLIENTS):
                    query = {"model": "cios", "prime": "p256", "seed": str(seed), "count": "40", "kind": "random"}
                    with client.stream("GET", "/v1/vectors", params=query) as answer:
                        # The header is enough, since the body may never arrive. A busy database gives no header.
                        if "limbtrace-set" in answer.headers:
                            seen[answer.headers["limbtrace-set"]] = query["seed"]
                        answer.read()
                    if answer.status_code == 503:
                        time.sleep(0.05)

        with ThreadPoolExecutor(CLIENTS) as pool:
            asking = [pool.submit(ask, number) for number in range(CLIENTS)]
            while len(seen) < 300 and not all(asked.done() for asked in asking):
                time.sleep(0.02)
            service.kill()
            for asked in asking:
                asked.result()
    assert len(seen) >= 300
    with process(database) as (_, url), plain_http(url) as client:
        for name, seed in seen.items():
            assert client.get(f"/v1/sets/{name}").raise_for_status().json()["seed"] == int(seed)


@pytest.mark.full
def test_services_on_one_server_lose_nothing(postgres: Server) -> None:
    """Two services on one PostgreSQL database: one is killed and started again, and so is the server."""
    database = postgres.database()
    seen: dict[str, str] = {}
    done = threading.Event()
    urls = ["", ""]

    def ask(number: int) -> None:
        """Requests new sets from one of the services, also while it or the database is away."""
        for seed in range(number, 1_000_000, 8):
            query = {"model": "cios", "prime": "p256", "seed": str(seed), "count": "40", "kind": "random"}
            with suppress(httpx.TransportError), plain_http(urls[number % 2]) as client:
                answer = client.get("/v1/vectors", params=query)
                assert answer.status_code in (200, 503)
                if "limbtrace-set" in answer.headers:
                    seen[answer.headers["limbtrace-set"]] = query["seed"]
            if done.is_set():
                return

    def goes_on() -> bool:
        """Whether sets are stored again."""
        before = len(seen)
        return eventually(lambda: len(seen) > before + 40)

    with process(database) as (_, urls[0]), ThreadPoolExecutor(8) as pool:
        try:
            with process(database) as (second, urls[1]):
                asking = [pool.submit(ask, number) for number in range(8)]
                assert goes_on()
                second.kill()
                assert goes_on()
            with process(database) as (_, urls[1]):
                assert goes_on()
                postgres.stop()
                time.sleep(0.2)
                postgres.start()
                assert goes_on()
                done.set()
                for asked in asking:
                    asked.result()
        finally:
            done.set()
    with process(database) as (_, url), plain_http(url) as client:
        for name, seed in seen.items():
            assert client.get(f"/v1/sets/{name}").raise_for_status().json()["seed"] == int(seed)
