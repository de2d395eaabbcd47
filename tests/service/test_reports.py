# SPDX-License-Identifier: Apache-2.0
"""Reports over HTTP: an id that follows from the content, bounds, quotas, and bodies that are no reports."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from limbtrace.service.storage.quotas import FullError
from limbtrace.service.storage.report_store import ReportStore
from limbtrace.service.storage.store import Store
from limbtrace.service.storage.tokens import Tokens
from limbtrace.vectors.client import Client
from limbtrace.vectors.cycles.waves import write_fst
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.report import canonical, read, report_id
from tests.kept import HOSTILE, KEPT, KEPT_ID, PASSED, WAVES, WAVES_ID, WITH_WAVES
from tests.service.test_store import certified, request, service

PATH = "/v1/reports"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres").database())
    return f"sqlite:///{tmp_path}/sets.sqlite3"


@contextmanager
def stored(url: str, limit: int = 1000, max_bytes: int = 1 << 20) -> Iterator[tuple[ReportStore, Store]]:
    store = Store(url, 100)
    store.open()
    try:
        yield ReportStore(store.database, limit, max_bytes), store
    finally:
        store.close()


def text(number: int) -> str:
    """A report of 100 bytes, as far as the store knows."""
    return f"{number:0100}"


def test_the_same_report_has_the_same_id(api: httpx.Client) -> None:
    with_rate = {**KEPT, "products_per_second": 17.5}
    first = api.post(PATH, json=with_rate)
    assert (first.status_code, first.json()) == (201, with_rate)
    assert first.headers["cache-control"] == "no-store"
    pretty = json.dumps({**dict(reversed(with_rate.items())), "of_a_later_release": 1}, indent=2)
    again = api.post(PATH, content=pretty, headers={"Content-Type": "application/json"})
    assert (again.status_code, again.text) == (200, first.text)
    assert again.headers["location"] == first.headers["location"]
    assert api.post(PATH, json={**with_rate, "seed": 2}).headers["location"] != first.headers["location"]
    found = api.get(first.headers["location"])
    assert (found.status_code, found.text) == (200, first.text)
    assert api.get(first.headers["location"], headers={"If-None-Match": found.headers["etag"]}).status_code == 304
    assert api.head(first.headers["location"]).headers["etag"] == found.headers["etag"]


def test_reports_outlive_the_service_and_the_client_knows_them(database: str) -> None:
    with service(database) as api, Client(str(api.base_url)) as client:
        id = client.post_report(KEPT)
        assert id == KEPT_ID == client.post_report(KEPT)
        assert client.report(id) == read(KEPT)
    with service(database) as api:
        assert api.get(f"{PATH}/{KEPT_ID}").text == f"{dump(KEPT)}\n"
        with Client(str(api.base_url)) as client, pytest.raises(ToolError, match="the report"):
            client.post_report({**KEPT, "first_divergence": {**KEPT["first_divergence"], "reason": "x" * (1 << 20)}})


@pytest.mark.parametrize("id", ["0" * 32, "x", "%00", KEPT_ID.upper(), "0" * 31])
def test_other_ids(api: httpx.Client, id: str) -> None:
    answer = api.get(f"{PATH}/{id}")
    assert (answer.status_code, answer.json()["parameter"]) == (404, "id")


def test_reports_are_not_listed(api: httpx.Client) -> None:
    assert api.get(PATH).status_code == 405


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 400),
        ("{", 400),
        ("[]", 400),
        ('{"a": ' * 31 + "1" + "}" * 31, 422),
        ('{"a": ' * 100 + "1" + "}" * 100, 413),
        ("[" * 100_000, 413),
        ("{}", 422),
        ('{"seed": ' + "9" * 5000 + "}", 400),
        (dump(KEPT).replace("300.0", "NaN"), 422),
        (dump(KEPT).replace("300.0", "1e999"), 422),
        (dump(KEPT).replace('"seed":1', '"seed":1e3'), 422),
        (dump(KEPT).replace('"lockstep"', '"\\ud800"'), 422),
        (dump(KEPT).replace('"lockstep"', '"\\u0000"'), 422),
        (dump(KEPT).replace('"lockstep"', '"' + "x" * (1 << 20) + '"'), 413),
        (dump(KEPT).replace("limbtrace sim", "limbtrace serve"), 422),
        (dump({**KEPT, "operands": ["x"] * 20_001}), 422),
        (dump({**KEPT, "params": {"n": [[]]}}), 422),
        (b"\xff\xfe{}", 400),
    ],
)
def test_what_is_no_report(api: httpx.Client, body: Any, status: int) -> None:
    answer = api.post(PATH, content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert len(answer.json()["detail"]) < 300


def test_other_media_types(api: httpx.Client) -> None:
    assert api.post(PATH, content=dump(KEPT), headers={"Content-Type": "text/plain"}).status_code == 415


def sent(report: str | None = dump(KEPT), waves: bytes | None = WAVES.read_bytes()) -> dict[str, Any]:
    """A form, without the fields that are None."""
    given = {"report": report if report is None else report.encode(), "waves": waves}
    return {"files": {name: (name, content) for name, content in given.items() if content is not None}}


def test_a_waveform_beside_a_report(api: httpx.Client) -> None:
    answer = api.post(PATH, **sent())
    assert (answer.status_code, answer.json()) == (answer.status_code, WITH_WAVES)
    assert answer.status_code in (200, 201)
    assert answer.headers["location"] == f"{PATH}/{WAVES_ID}"
    assert api.get(f"{PATH}/{WAVES_ID}").json() == WITH_WAVES
    assert api.post(PATH, json=WITH_WAVES).headers["location"] == f"{PATH}/{WAVES_ID}", "as JSON, too"
    picture = api.get(f"{PATH}/{WAVES_ID}/waves")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert "An, golden" in picture.text
    assert api.get(f"{PATH}/{WAVES_ID}/waves", headers={"If-None-Match": picture.headers["etag"]}).status_code == 304
    api.post(PATH, json=KEPT)
    assert api.get(f"{PATH}/{KEPT_ID}/waves").status_code == 404


# A head of an FST file whose sizes are those of no file: the reader loops, or asks for all memory.
MONSTER = b"\0" + (329).to_bytes(8) + b"\xff" * 400


@pytest.mark.parametrize(
    ("form", "status", "parameter", "said"),
    [
        (sent(report=None), 422, "report", "this one lacks it"),
        (sent(waves=None), 422, "waves", "this one lacks it"),
        (sent(waves=b""), 422, "waves", "it is no whole waveform in VCD or FST"),
        (sent(waves=dump(KEPT).encode()), 422, "waves", "it is no whole waveform in VCD or FST"),
        (sent(waves=MONSTER), 422, "waves", "than the limit of "),
        (sent(report=dump(PASSED)), 422, "report", "it has no rows of a difference"),
        (sent(report="{}"), 422, "format", "the document does not say it"),
        (sent(report="{"), 400, None, "this is no JSON"),
        (sent() | {"data": {"more": "1"}}, 422, "more", "this form takes report and waves"),
        (sent() | {"headers": {"Sec-Fetch-Site": "cross-site"}}, 403, None, "a page of another site"),
    ],
)
def test_what_is_no_waveform_of_the_report(
    tmp_path: Path, form: dict[str, Any], status: int, parameter: str | None, said: str
) -> None:
    with service(f"sqlite:///{tmp_path}/sets.sqlite3", max_waves_seconds=2) as api:
        answer = api.post(PATH, **form)
        assert (answer.status_code, answer.json().get("parameter")) == (status, parameter), answer.text
        assert said in answer.json()["detail"]


def flipped(content: bytes, *places: int) -> bytes:
    """The content with all bits of some bytes flipped; a negative place counts from the end."""
    damaged = bytearray(content)
    for place in places:
        damaged[place] ^= 0xFF
    return bytes(damaged)


def test_damaged_waveforms_are_refused(api: httpx.Client, tmp_path: Path) -> None:
    """Cut short at several places, and with flipped bytes, in both formats."""
    write_fst(WAVES, tmp_path / "waves.fst")
    vcd, fst = WAVES.read_bytes(), (tmp_path / "waves.fst").read_bytes()
    assert api.post(PATH, **sent(waves=fst)).status_code in (200, 201)
    damaged = [fst[: len(fst) * part // 8] for part in (1, 3, 5, 7)]
    damaged += [vcd[: len(vcd) * part // 8] for part in (1, 3)]
    damaged += [flipped(fst, 0), flipped(fst, 8), flipped(fst, *range(400, 1200, 7))]
    damaged += [flipped(vcd, *range(0, len(vcd), 50)), flipped(vcd, vcd.index(b"clk_i")), flipped(vcd, 0)]
    for content in damaged:
        answer = api.post(PATH, **sent(waves=content))
        assert (answer.status_code, answer.json().get("parameter")) == (422, "waves"), (len(content), answer.text)
    for content in (flipped(fst, len(fst) // 2), flipped(vcd, len(vcd) // 2)):  # it may be of a part that is not read
        assert api.post(PATH, **sent(waves=content)).status_code in (200, 201, 422)
    page = api.post("/reports", **sent(waves=fst[: len(fst) // 2]))
    assert (page.status_code, page.headers["content-type"]) == (422, "text/html; charset=utf-8")


def test_hostile_texts_come_back_as_they_were(api: httpx.Client) -> None:
    location = api.post(PATH, json=HOSTILE).headers["location"]
    answer = api.get(location)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json() == HOSTILE


def test_the_limits_of_a_service(tmp_path: Path) -> None:
    size = len(canonical(read(PASSED)).encode())
    limits = {"max_report_bytes": 2 * size, "max_reports_bytes": 2 * size + 10, "max_reports": 2}
    with service(f"sqlite:///{tmp_path}/sets.sqlite3", **limits) as api:
        places = [api.post(PATH, json={**PASSED, "seed": k}).headers["location"] for k in (1, 2)]
        assert [api.get(place).status_code for place in places] == [200, 200]
        assert api.post(PATH, json={**PASSED, "seed": 1}).status_code == 200  # now the other one is the oldest
        assert api.post(PATH, json={**PASSED, "seed": 3}).status_code == 201
        assert [api.get(place).status_code for place in places] == [200, 404]
        answer = api.post(PATH, json={**KEPT, "kind": "x" * 3 * size})
        assert (answer.status_code, answer.json()["detail"]) == (413, f"the report is larger than {2 * size} bytes")
        assert 'limbtrace_refused_total{limit="max_report_bytes"} 1.0' in api.get("/metrics").text


def test_the_oldest_make_way(database: str) -> None:
    with stored(database, limit=3) as (reports, _):
        for number in (1, 2, 3, 1, 4):
            reports.keep(text(number))
        assert [reports.find(report_id(text(k))) is not None for k in (1, 2, 3, 4)] == [True, False, True, True]
    with stored(database, max_bytes=250) as (reports, _):
        reports.keep(text(5))
        assert [reports.find(report_id(text(k))) is not None for k in (1, 3, 4, 5)] == [False, False, True, True]
        with pytest.raises(FullError, match="the reports here would take more than 250 bytes"):
            reports.keep("x" * 251)
        assert reports.find(report_id(text(5))) == text(5)


def test_a_token_has_room_for_its_own(database: str) -> None:
    """Its oldest reports make way for its documents, those of others stay."""
    with stored(database) as (reports, store):
        reports.keep(text(1), "bob", 200)
        for number in (2, 3, 4):
            reports.keep(text(number), "ann", 200)
        assert [reports.find(report_id(text(k))) is not None for k in (1, 2, 3, 4)] == [True, False, True, True]
        store.remember(request(1))
        certified(store, 1, "a", 150, owner="ann", max_owned=200)
        assert [reports.find(report_id(text(k))) is not None for k in (1, 3, 4)] == [True, False, False]
        with pytest.raises(FullError, match="the documents of the token ann would take more than 200 bytes"):
            reports.keep(text(5), "ann", 200)
        assert reports.keep(text(1), "ann", 200)[1] is False, "one that is there needs no room"
        tokens = Tokens(store.database)
        for name in ("ann", "bob"):
            tokens.add(name, bytes=200)
        assert [usage.stored for usage in tokens.usages()] == [150, 100]


def test_a_quota_over_http(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/sets.sqlite3"
    with stored(database) as (_, store):
        given = Tokens(store.database).add("ann", bytes=500)
    with service(database) as api:
        authorised = {"Authorization": f"Bearer {given}"}
        assert api.post(PATH, json=KEPT).status_code == 401
        answer = api.post(PATH, json=KEPT, headers=authorised)
        assert (answer.status_code, "token ann would take more than 500 bytes" in answer.text) == (507, True)
