# SPDX-License-Identifier: Apache-2.0
"""Certificates beside the sets that were handed out."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from limbtrace.service.http.openapi import EXAMPLES, FURTHER_EXAMPLES, SET_ID
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.certificate import Certificate, certify, render
from tests.patience import PATIENCE, get

CERTIFICATE = EXAMPLES[Certificate]
QUERY = {"model": "iddmm2", "prime": "mlkem", "radix": "2^8", "count": "2"}
PATH = f"/v1/sets/{SET_ID}/certificate"


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/sets.sqlite3"


@pytest.fixture
def fresh(database: str) -> Iterator[httpx.Client]:
    """A service that has stored only the set of the example."""
    with background(ServiceSettings(database=database)) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        assert api.get("/v1/vectors", params=QUERY).headers["limbtrace-set"] == SET_ID
        yield api


def changed(**members: Any) -> dict[str, Any]:
    return {**CERTIFICATE, **members}


def test_what_sage_wrote_is_kept_and_shown(fresh: httpx.Client, tmp_path: Path) -> None:
    """With a real certificate of the file that the service returned."""
    file = tmp_path / "vectors.json"
    file.write_bytes(fresh.get(f"/v1/sets/{SET_ID}").content)
    text = render(certify(file)).decode()
    assert fresh.get(PATH).status_code == 404
    answer = fresh.put(PATH, content=text, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.text) == (200, text)
    assert fresh.get(PATH).text == text
    summary = f'sha256="{sha256(text.encode()).hexdigest()}", cases=2, disagreements=0'
    for path, query in ((f"/v1/sets/{SET_ID}", {}), ("/v1/vectors", QUERY)):
        for method in ("GET", "HEAD"):
            assert fresh.request(method, path, params=query).headers["limbtrace-certificate"] == summary
    others = fresh.get("/v1/vectors", params={**QUERY, "seed": "2"}).headers
    assert "limbtrace-certificate" not in others


def test_a_certificate_outlives_the_service(fresh: httpx.Client, database: str) -> None:
    assert fresh.put(PATH, json=changed(verdict="disagrees", disagreements=3)).status_code == 200
    with background(ServiceSettings(database=database)) as url:
        assert get(f"{url}{PATH}").json()["disagreements"] == 3
        assert get(f"{url}/v1/sets/{SET_ID}").headers["limbtrace-certificate"].endswith(", disagreements=3")


def test_strangers_do_not_replace_a_certificate(fresh: httpx.Client) -> None:
    for _ in range(2):  # putting it again is no failure
        assert fresh.put(PATH, json=CERTIFICATE).status_code == 200
    answer = fresh.put(PATH, json=changed(verdict="disagrees", disagreements=3))
    assert (answer.status_code, answer.json()["parameter"]) == (403, "id")
    assert answer.json()["type"] == "urn:limbtrace:problem:forbidden"
    assert fresh.get(PATH).json() == CERTIFICATE


@pytest.mark.parametrize(
    ("limits", "status", "words"),
    [
        ({"max_certificate_bytes": 200}, 413, "larger than 200 bytes"),
        ({"max_stored_bytes": 200}, 507, "more than 200 bytes"),
    ],
)
def test_the_disk_does_not_fill(database: str, limits: dict[str, int], status: int, words: str) -> None:
    settings = ServiceSettings(database=database, **limits)  # type: ignore[arg-type]
    with background(settings) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        api.get("/v1/vectors", params=QUERY).raise_for_status()
        answer = api.put(PATH, json=CERTIFICATE)
        assert (answer.status_code, words in answer.json()["detail"]) == (status, True)
        assert api.get(PATH).status_code == 404
        assert f'limbtrace_refused_total{{limit="{next(iter(limits))}"}} 1.0' in api.get("/metrics").text


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (changed(set={**CERTIFICATE["set"], "id": "0" * 32}), "is about the set 0000"),
        (changed(set={**CERTIFICATE["set"], "digest": "sha256:" + "0" * 64}), "sha256:0000"),
        (changed(cases=3), "3 cases, and the set has 2"),
        (changed(cases=0), "see cases"),
        (changed(format="limbtrace/2"), "see format"),
        (changed(verdict="agrees", disagreements=1), "agrees with 1"),
        (changed(verdict="disagrees", disagreements=1 << 63), "see disagreements"),
        ({}, "not as limbtrace writes it"),
    ],
)
def test_certificates_of_something_else(fresh: httpx.Client, document: dict[str, Any], words: str) -> None:
    answer = fresh.put(PATH, json=document)
    assert answer.status_code == 422
    assert answer.json()["parameter"] == "certificate"
    assert words in answer.json()["detail"]
    assert fresh.get(PATH).status_code == 404


def test_the_digest_may_be_missing_where_the_file_has_none(fresh: httpx.Client) -> None:
    """`$readmemh` files; the id of the set then identifies it."""
    assert fresh.put(PATH, json=changed(set={**CERTIFICATE["set"], "digest": None})).status_code == 200


def test_sets_that_are_not_remembered_have_none(fresh: httpx.Client) -> None:
    path = "/v1/sets/0123456789abcdef0123456789abcdef/certificate"
    for answer in (fresh.get(path), fresh.put(path, json=CERTIFICATE)):
        assert answer.status_code == 404
        assert answer.json()["parameter"] == "id"


def test_bodies_that_are_none(fresh: httpx.Client) -> None:
    for body, media_type, status in ((b"{", "application/json", 400), (b"{}", "text/plain", 415)):
        assert fresh.put(PATH, content=body, headers={"Content-Type": media_type}).status_code == status


ELEMENTS: dict[str, Any] = {"model": "hffm", "prime": "107", "op": "sqr", "a": "[5,7]"}
DRAWN: dict[str, Any] = {"model": "iddmm2", "prime": "7", "radix": "2^4", "op": "mul", "count": "3", "kind": "edge"}


@pytest.mark.parametrize("query", [ELEMENTS, DRAWN], ids=["given", "drawn"])
def test_what_sage_wrote_of_cases_in_gf_p2(database: str, tmp_path: Path, query: dict[str, Any]) -> None:
    """With a real certificate of the file that the service returned; both outlive it."""
    file = tmp_path / "fp2.json"
    with background(ServiceSettings(database=database)) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        answer = api.get("/v1/fp2", params=query)
        id = answer.json()["id"]
        assert answer.headers["limbtrace-set"] == id
        file.write_bytes(answer.content)
        text = render(certify(file)).decode()
        assert api.get(f"/v1/fp2/{id}/certificate").status_code == 404
        kept = api.put(f"/v1/fp2/{id}/certificate", content=text, headers={"Content-Type": "application/json"})
        assert (kept.status_code, kept.text) == (200, text)
    cases = answer.json()["numberOfTests"]
    summary = f'sha256="{sha256(text.encode()).hexdigest()}", cases={cases}, disagreements=0'
    with background(ServiceSettings(database=database)) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        assert api.get(f"/v1/fp2/{id}/certificate").text == text
        assert api.get(f"/v1/fp2/{id}").content == file.read_bytes()
        for path, asked in ((f"/v1/fp2/{id}", {}), ("/v1/fp2", query), ("/v1/fp2", {**query, "steps": "true"})):
            assert api.get(path, params=asked).headers["limbtrace-certificate"] == summary
        csv = api.get(f"/v1/fp2/{id}", params={"format": "csv"})
        assert csv.content == api.get("/v1/fp2", params={**query, "format": "csv"}).content
        # They are no set of cases in the base field, and such a set is none of them.
        assert api.get(f"/v1/sets/{id}").status_code == api.get(f"/v1/sets/{id}/certificate").status_code == 404
        assert api.get("/v1/vectors", params=QUERY).headers["limbtrace-set"] == SET_ID
        assert api.get(f"/v1/fp2/{SET_ID}").status_code == api.put(f"/v1/fp2/{SET_ID}/certificate", json={}).status_code
        assert api.get(f"/v1/fp2/{SET_ID}").status_code == 404
    with background(ServiceSettings(database=database, max_modulus_bits=2)) as url:
        assert get(f"{url}/v1/fp2/{id}").status_code == 422


def test_certificates_of_other_cases_in_gf_p2(fresh: httpx.Client) -> None:
    good = FURTHER_EXAMPLES["Fp2Certificate"]
    path = f"/v1/fp2/{fresh.get('/v1/fp2', params=ELEMENTS).json()['id']}/certificate"
    for document, words in (
        (CERTIFICATE, f"is about the set {SET_ID}"),
        ({**good, "set": {**good["set"], "digest": "sha256:" + "0" * 64}}, "and this is"),
        ({**good, "cases": 2}, "2 cases, and the set has 1"),
        ({}, "not as limbtrace writes it"),
    ):
        answer = fresh.put(path, json=document)
        assert (answer.status_code, answer.json()["parameter"]) == (422, "certificate")
        assert words in answer.json()["detail"]
    assert fresh.get(path).status_code == 404
    assert fresh.put(path, json=good).status_code == 200
    assert fresh.put(path, json={**good, "verdict": "disagrees", "disagreements": 3}).status_code == 403
    assert fresh.get(path).json() == good
