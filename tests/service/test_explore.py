# SPDX-License-Identifier: Apache-2.0
"""Designs over HTTP: the bytes of the command line."""

from typing import Any

import httpx
import pytest

from limbtrace.service.server import background
from limbtrace.vectors.designs import FORMATS
from tests.patience import get
from tests.service.apps import FAULTY
from tests.service.test_golden import command_line


@pytest.mark.parametrize("format", FORMATS)
def test_designs_are_the_bytes_of_the_command_line(api: httpx.Client, format: str) -> None:
    options = {"bits": "256", "device": "V7", "format": format}
    answer = api.get("/v1/explore", params={"core": "fpmm", **options, "point": ["F28D", "F48D"]})
    assert answer.status_code == 200
    points = ("--point", "F28D", "--point", "F48D")
    assert answer.content == command_line("explore", "fpmm", *(f"--{k}={v}" for k, v in options.items()), *points)
    assert answer.headers["content-type"].startswith(FORMATS[format].media_type)


def test_the_whole_space(api: httpx.Client) -> None:
    answer = api.get("/v1/explore", params={"core": "fpmm", "bits": "128"})
    assert answer.content == command_line("explore", "fpmm", "--bits", "128")
    assert len(answer.json()["points"]) == 160


def test_a_client_that_has_it_is_told_so(api: httpx.Client) -> None:
    query = {"core": "fpmm", "bits": "128", "frequency": "250"}
    tag = api.get("/v1/explore", params=query).headers["ETag"]
    assert api.get("/v1/explore", params=query, headers={"If-None-Match": tag}).status_code == 304
    other = api.get("/v1/explore", params={**query, "frequency": "251"}, headers={"If-None-Match": tag})
    assert (other.status_code, other.headers["ETag"] == tag) == (200, False)


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"bits": "128"}, "core"),
        ({"core": "fpmm"}, "bits"),
        ({"core": "iddmm_arch1", "bits": "128"}, "core"),
        ({"core": "fpmm", "bits": "0"}, "bits"),
        ({"core": "fpmm", "bits": ["128", "256"]}, "bits"),
        ({"core": "fpmm", "bits": "128", "point": "F99D"}, "point"),
        ({"core": "fpmm", "bits": "128", "device": "V8"}, "device"),
        ({"core": "fpmm", "bits": "128", "frequency": "-1"}, "frequency"),
        ({"core": "fpmm", "bits": "128", "format": "png"}, "format"),
        ({"core": "fpmm", "bits": "128", "bit": "1"}, "bit"),
        ({"core": "fpmm", "bits": "128", "point": "F1.8B.w17", "format": "svg"}, "point"),
    ],
)
def test_refused(api: httpx.Client, query: dict[str, Any], parameter: str) -> None:
    answer = api.get("/v1/explore", params=query)
    assert (answer.status_code, answer.json()["parameter"]) == (422, parameter), answer.text


def test_a_service_without_matplotlib_refuses_the_format() -> None:
    with background(workers_app=FAULTY) as url:
        answer = get(f"{url}/v1/explore", params={"core": "fpmm", "bits": "128", "format": "svg"})
    assert (answer.status_code, answer.json()["parameter"]) == (422, "format")
    assert "limbtrace[plot]" in answer.json()["detail"]
