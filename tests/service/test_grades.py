# SPDX-License-Identifier: Apache-2.0
"""Grades over HTTP: of sets by their request, and of files in any format."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import jsonschema
import pytest

from limbtrace.service.http import cost_model
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.grades import grade, graded
from limbtrace.vectors.grades.request import drawn
from limbtrace.vectors.request import Multiplier, VectorRequest
from tests.patience import PATIENCE

CSV = {"content-type": "text/csv"}


@pytest.fixture(scope="module")
def few() -> Iterator[httpx.Client]:
    with (
        background(ServiceSettings(max_graded=5, max_modulus_bits=64)) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        yield client


def test_a_set_by_its_request(api: httpx.Client) -> None:
    answer = api.get("/v1/grades?model=montgomery&prime=p256&count=12&kind=random&words=64")
    assert answer.status_code == 200
    document = answer.json()
    assert (document["words"], document["cases"], document["more"]) == ([64], 12, False)
    text = api.get("/v1/vectors?model=montgomery&prime=p256&count=12&kind=random&format=csv").text
    sent = api.post("/v1/grades?words=64", content=text, headers=CSV)
    assert sent.text == answer.text
    assert sent.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        ("a,b\n5,7\n11,1\n", "text/csv"),
        ("5 7\n0xb 1\n", "text/plain; charset=utf-8"),
        ('{"testGroups": [{"tests": [{"a": "05", "b": "07"}, {"a": "0b", "b": "01"}]}]}', "application/json"),
    ],
)
def test_files_of_others(api: httpx.Client, tmp_path: Path, content: str, media_type: str) -> None:
    answer = api.post("/v1/grades?prime=13", content=content, headers={"content-type": media_type})
    path = tmp_path / "file"
    path.write_text(content)
    assert answer.text == dump(grade(graded([path], Multiplier.resolve("modmul", 13, {}), 10))) + "\n"


def test_the_head_of_a_set(api: httpx.Client) -> None:
    query = "model=square&prime=p256&count=9"
    plain, with_grade = (api.get(f"/v1/vectors?{query}{more}") for more in ("", "&grade=true"))
    graded_alone = api.get(f"/v1/grades?{query}").json()
    head = with_grade.json()
    assert head["grade"] == {name: graded_alone[name] for name in head["grade"]}
    assert plain.headers["etag"] != with_grade.headers["etag"]
    assert head["testGroups"] == plain.json()["testGroups"]
    assert api.post("/v1/verifications", json=head).json()["verdict"] == "pass"


@pytest.mark.parametrize(
    ("method", "query", "content", "detail"),
    [
        ("GET", "model=modmul&prime=13&count=6", "", "count: 6 is more than the 5 cases that are graded here"),
        ("GET", "model=modmul&prime=13", "", "count: 16 is more than the 5 cases that are graded here"),
        ("GET", "model=modmul&prime=13&count=2&words=1", "", "words: 1 is outside 2 to 1024"),
        ("GET", "model=modmul&prime=13&count=2&words=8&words=x", "", "words: character 'x' is not part of an integer"),
        ("GET", "model=modmul&prime=p256&count=2", "", "prime: the modulus has 256 bits and the limit here is 64"),
        ("POST", "", "5,7\n", "prime: needed, since only vector sets of limbtrace bring their own"),
        ("POST", "prime=13", "", "files: 'the body' has no operands"),
        ("POST", "prime=13", "5,seven\n", "files: '5 seven' should be a line of 2 numbers"),
        ("POST", "prime=13", "{[", "files: 'the body' begins like JSON, but cannot be read as such"),
        ("POST", "prime=13", "5,13\n", "files: case 0, from 0 on: b: 0xd is outside"),
        ("POST", "prime=13&count=0", "5,7\n", "count: 0 is outside 1 to 5"),
        ("POST", "prime=13&model=none", "5,7\n", "model: "),
        ("POST", "prime=p256", "5,7\n", "prime: the modulus has 256 bits and the limit here is 64"),
    ],
)
def test_what_is_refused(few: httpx.Client, method: str, query: str, content: str, detail: str) -> None:
    answer = few.request(method, f"/v1/grades?{query}", content=content, headers=CSV)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(detail)


def test_more_cases_than_are_graded(few: httpx.Client) -> None:
    document = few.post("/v1/grades?prime=13", content="1,2\n" * 8, headers=CSV).json()
    assert (document["cases"], document["more"]) == (5, True)
    assert few.get("/v1/vectors?model=modmul&prime=13&count=6&grade=true").status_code == 422


@pytest.mark.parametrize(("model", "has_mechanisms"), [("modmul", True), ("cios", False)])
def test_the_price_of_mechanisms_is_that_of_models_that_are_graded_by_them(model: str, has_mechanisms: bool) -> None:
    request = VectorRequest.resolve(Multiplier.resolve(model, "p256", {}), 10)
    amounts = cost_model.of_grade(request.multiplier, request.count)
    assert (amounts["graded bit2"] > 0) == has_mechanisms == bool(grade(drawn(request))["mechanisms"])


def test_media_types(api: httpx.Client) -> None:
    answer = api.post("/v1/grades?prime=13", content="5,7\n", headers={"content-type": "image/png"})
    assert answer.status_code == 415
    assert answer.json()["detail"].startswith("the body is image/png; it must be one of application/json, text/csv")


def test_the_schema(api: httpx.Client) -> None:
    schema = api.get("/v1/schemas/limbtrace-grade-1.schema.json").json()
    for query in ("modmul&count=8", "cios&count=4", "mwr2mm&count=2"):
        jsonschema.validate(json.loads(api.get(f"/v1/grades?prime=p256&model={query}").text), schema)
