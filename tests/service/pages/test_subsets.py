# SPDX-License-Identifier: Apache-2.0
"""Every page with all subsets of the fields of its form, with good values and with one bad value each: never a 5xx."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from limbtrace.service.app import create_app
from limbtrace.service.settings import ServiceSettings
from tests.service.pages.listed import OURS, Markup

LISTS = ("/models", "/cores", "/primes", "/errata", "/defects", "/tables", "/mutants", "/tables/fpmm")
GOOD: Mapping[str, Mapping[str, str]] = {
    "/": {"model": "cios", "prime": "251", "radix": "2^8", "kind": "edge", "count": "2", "seed": "3", "set": "s=2"},
    "/trace": {"model": "cios", "prime": "251", "radix": "2^8", "a": "5", "b": "7", "set": "s=2", "step": "1"},
    "/cycles": {
        "core": "iddmm_arch2",
        "prime": "251",
        "radix": "2^4",
        "operands": "5,7",
        "count": "2",
        "set": "pipeline=1",
    },
    "/cycles/step": {"core": "iddmm_arch2", "prime": "251", "radix": "2^4", "operands": "5,7", "cycle": "3",
                     "signal": "q"},
    "/designs": {"core": "fpmm", "bits": "128", "device": "V7", "frequency": "200", "design": "S28D"},
    "/check": {"top": "mul", "model": "cios", "prime": "251", "radix": "2^8", "set": "s=2"},
    "/events": {"model": "cios", "prime": "251", "radix": "2^8", "set": "s=2"},
    "/models/iddmm2": {"prime": "13", "radix": "2^2", "a": "7", "b": "11", "set": "passes=3"},
    "/models/cios": {"prime": "13", "radix": "2^2", "a": "7", "b": "11", "set": "s=3"},
    **{path: {"q": "iddmm"} for path in LISTS},
    **{path: {} for path in ("/reports", "/cores/iddmm_arch2", "/errata/iddmm.E1", "/defects/openssl-cve-2015-3193")},
}  # fmt: skip
"""A good value of each field of each page, small, so that thousands of requests take seconds."""
BAD = {"model": "nix", "core": "nix", "prime": "12", "radix": "34", "kind": "nix", "count": "-1", "seed": "x",
       "set": "nix", "step": "0x", "a": "2^^2", "b": "-1", "operands": "5;7", "cycle": "-9", "signal": "nix",
       "bits": "0", "device": "nix", "frequency": "nan", "design": "nix", "top": "a b\x00", "q": "\x00%"}  # fmt: skip


Asked = tuple[str, Mapping[str, str]]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """The app in this process: thousands of requests would take long over a socket."""
    folder: Path = tmp_path_factory.mktemp("pages")
    app = create_app(ServiceSettings(database=f"sqlite:///{folder}/sets.sqlite3"))
    app.state.store.open()
    yield app
    app.state.store.close()


def got(app: FastAPI, asked: Sequence[Asked]) -> list[httpx.Response]:
    """The answers of an app to GET."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [await client.get(path, params=params or None) for path, params in asked]

    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have left its event loop in this thread
        return pool.submit(asyncio.run, ask()).result()


def subsets(names: list[str]) -> Iterator[tuple[str, ...]]:
    """All subsets, the empty one first."""
    for size in range(len(names) + 1):
        yield from combinations(names, size)


@pytest.mark.parametrize("path", GOOD)
def test_no_subset_of_a_form_fails(app: FastAPI, path: str) -> None:
    good = GOOD[path]
    chosen = [{name: good[name] for name in names} for names in subsets(list(good))]
    asked = [*chosen, *({**some, name: BAD[name]} for some in chosen for name in some)]
    statuses = [answer.status_code for answer in got(app, [(path, some) for some in asked])]
    assert {*statuses} <= {200, 422}, [some for some, status in zip(asked, statuses, strict=True) if status >= 500]
    assert 200 in statuses
    assert 422 in statuses or path == "/check" or not {*good} - {"q"}, "a form by GET only fills in fields"


def test_every_form_is_tried_with_each_of_its_fields(app: FastAPI) -> None:
    """Reports need one that was posted, and take no parameter."""
    addresses = [address for address in OURS.values() if not address.startswith("/reports/")]
    for address, answer in zip(addresses, got(app, [(address, {}) for address in addresses]), strict=True):
        path = address.partition("?")[0]
        elements = Markup(answer.text).elements
        fields = {given["name"] for tag, given in elements if tag in ("input", "select") and "name" in given}
        assert fields - {"file", "files", "waves", "view"} <= {*GOOD[path], "q"}, path


def test_events_of_a_model_with_a_radix_and_no_modulus(app: FastAPI) -> None:
    """What the form of the page sends when only these two are filled in."""
    named, found = got(app, [(f"/events?model=cios&prime={prime}&radix=2%5E8&set=", {}) for prime in ("", "251")])
    assert (named.status_code, found.status_code) == (200, 200)
    assert "Happens at" not in named.text
    assert "Happens at" in found.text
