# SPDX-License-Identifier: Apache-2.0
"""The page of a report: the story from a simulation to a difference understood, and what is no report."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from limbtrace.refmodels.registry import MODELS
from limbtrace.service.http.openapi import EXAMPLES
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.report import ReportDocument
from tests.conftest import ROOT
from tests.kept import HOSTILE_ID, KEPT, KEPT_ID, PASSED_ID, WAVES, WAVES_ID
from tests.service.pages.conftest import Visit, check_access
from tests.service.pages.listed import Markup
from tools.docs import pages

MULTIPART = {"Content-Type": "multipart/form-data; boundary=y"}
FILE = ROOT / "tests" / "data" / "report_iddmm_arch2.json"


def words(text: str) -> str:
    """What people read, with single blanks."""
    return " ".join(" ".join(Markup(text).texts).split())


def posted(api: httpx.Client, document: dict[str, Any]) -> httpx.Response:
    """The page of a report."""
    return api.get(f"/reports/{api.post('/v1/reports', json=document).headers['location'].rpartition('/')[2]}")


def with_difference(**changes: Any) -> dict[str, Any]:
    return {**KEPT, "first_divergence": {**KEPT["first_divergence"], **changes}}


@pytest.mark.parametrize("script", [True, False])
def test_from_a_file_to_the_difference(visit: Visit, script: bool) -> None:
    page = visit("/reports", java_script_enabled=script)
    page.get_by_label("File", exact=True).set_input_files(FILE)
    page.get_by_role("button", name="Show report").click()
    page.wait_for_url(f"**/reports/{KEPT_ID}")
    expect(page.get_by_role("heading", level=1)).to_have_text("iddmm_arch2 differs in product 3")
    values = page.get_by_role("region", name="Golden and seen value")
    expect(values.get_by_role("row", name="should be 0x1")).to_be_visible()
    assert values.locator("mark").all_text_contents() == ["1", "0", "1", "0"], "in hexadecimal and in binary"
    main = page.get_by_role("main")
    for text in (
        "An in cycle 4 is step A[1, 3], digit j of the accumulator after pass i",
        "They differ in bit 0.",
        "it is 2^0 less than it should be, as after a carry into bit 0 that is lost",
        "which is step C[0, 4]",
        ": a carry out of digit n that is lost or too short".removeprefix(": "),
        KEPT["first_divergence"]["replay"],
    ):
        expect(main).to_contain_text(text)
    expect(page.locator(".code-line.now")).to_have_text(
        '        yield "A", (i + 1, n), A[n]\n'.strip(" \n"), use_inner_text=True
    )
    golden = page.locator("tr.golden")
    assert golden.locator("th, td").all_text_contents() == ["4", "golden", "f", "0", "1", "0", "0", "11", "1", "2", "1"]
    assert golden.locator("mark").all_text_contents() == ["1"]
    page.get_by_role("link", name="every cycle of it in iddmm_arch2").click()
    expect(page.get_by_role("heading", name="iddmm_arch2: iddmm2")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Every step of this product").click()
    expect(page.get_by_label("a", exact=True)).to_have_value("0x801")
    expect(page.locator("#trace")).to_be_visible()


def test_with_its_waveform(visit: Visit) -> None:
    """A file that is none gets a sentence in the page; the waveform of the run is shown."""
    page = visit("/reports", refused=True, java_script_enabled=False)
    for waveform in (FILE, WAVES):
        page.get_by_label("File", exact=True).set_input_files(FILE)
        page.get_by_label("Waveform", exact=True).set_input_files(waveform)
        page.get_by_role("button", name="Show report").click()
        if waveform is FILE:
            expect(page.get_by_role("alert")).to_contain_text("waves: it is no whole waveform in VCD or FST")
            expect(page.get_by_label("Waveform", exact=True)).to_have_attribute("aria-invalid", "true")
            assert page.get_by_label("File", exact=True).get_attribute("aria-invalid") is None
    page.wait_for_url(f"**/reports/{WAVES_ID}")
    picture = page.get_by_role("region", name="Waveform").get_by_role("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalHeight") > 300


def test_a_text_is_sent_as_well(visit: Visit) -> None:
    page = visit("/reports/nix", status=404)  # a browser complains about the answers 404 and 422
    page.goto("/reports")
    page.get_by_label("Or its text").fill(json.dumps(KEPT, indent=1))
    page.get_by_role("button", name="Show report").click()
    page.wait_for_url(f"**/reports/{KEPT_ID}")
    page.go_back()
    page.get_by_label("Or its text").fill("{")
    page.get_by_role("button", name="Show report").click()
    expect(page.get_by_role("alert")).to_contain_text("this is no JSON")
    expect(page.get_by_label("Or its text")).to_have_value("{")
    check_access(page)


def test_a_report_without_a_difference(api: httpx.Client) -> None:
    text = words(api.get(f"/reports/{PASSED_ID}").text)
    assert "40 products of iddmm_arch2 agree" in text
    assert "differs" not in text
    assert "Simulate it again" not in text


def test_what_a_run_did_not_try(api: httpx.Client) -> None:
    """The list of a run without a difference, and warnings of any run, as text."""
    lists = {"not_tried": ["resets", "a <b>start</b> in the cycle of done"], "warnings": ["done came early once"]}
    agrees = {**KEPT, "first_divergence": None, "mismatches": 0, "rows": None, "wave_names": None, "observed": None}
    assert "Not tried" not in words(posted(api, agrees).text)
    text = words(posted(api, {**agrees, **lists}).text)
    assert "did not in this run: resets a <b>start</b> in the cycle of done" in text
    assert "Warnings done came early once" in text
    assert "Not tried" not in words(posted(api, {**KEPT, **lists}).text)
    wrong = api.post("/v1/reports", json={**agrees, "not_tried": ["a\u202eb"]})
    assert (wrong.status_code, "printable characters" in wrong.text) == (422, True)


def test_cells_of_rows(api: httpx.Client) -> None:
    """Long values are folded, and the digits that differ are marked behind those that agree."""
    wide, other = "0x" + "ab" * 200, "0x" + "ab" * 199 + "ac"
    rows = {"columns": ["An", "acc"], "rows": [{"cycle": 4, "seen": ["0x1", other], "golden": ["0x1", wide]}]}
    text = posted(api, {**KEPT, "rows": rows, "wave_names": None}).text
    assert text.count('class="number wide"') == 2
    assert f"{other[2:-1]}<mark>c</mark>" in text
    assert f"{wide[2:-1]}<mark>b</mark>" in text


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (None, "Likely cause, since all failing products have it and no other: q[1]=max"),
        ({"kind": "any", "events": ["q=max"]}, "have it at some place and no other at any that was looked at: q=max"),
        ({"kind": "all", "events": ["q=max", "a=0"]}, "have them together and no other has: q=max, a=0"),
        ({"kind": "each", "events": ["a=0"], "doubtful": True}, "Possible cause, perhaps by chance, since all failing"),
    ],
)
def test_the_likely_cause_and_what_would_show_more(api: httpx.Client, cause: Any, said: str) -> None:
    shrunk = {"products": [["0x1", "0x2"]], "events": [], "likely_cause": [] if cause else ["q[1]=max"],
              "simulations": 3, "replay": "limbtrace sim x", **({"cause": cause} if cause else {})}  # fmt: skip
    observed = {"advice": "`limbtrace prove x --prime P` <b>begins</b> in every idle state"}
    text = words(posted(api, {**KEPT, "shrunk": shrunk, "observed": observed}).text)
    assert said in text
    assert observed["advice"] in text


def test_what_is_unknown_here_is_shown_without_its_model(api: httpx.Client) -> None:
    page = words(api.get(f"/reports/{HOSTILE_ID}").text)
    assert "What the model says about it cannot be shown: model: there is no model" in page
    assert "a model that this service does not have" in page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"signal": "assertion", "step": None, "expected": None, "seen": None, "reason": "x: no <b>"}, "no <b>"),
        ({"signal": "done", "step": None, "seen": "0xx", "expected": "0x1"}, "it has unknown bits (x)"),
        ({"signal": "result", "step": None, "seen": "0x1", "expected": "0xea8"}, "congruent to the right result"),
        ({"cycle": None, "signal": "start", "step": None, "expected": None, "seen": None}, "no event before the core"),
        ({"disturbed": {"modulus": "0xea9", "reset": {"cycle": 3, "cycles": 2}}}, "in cycle 3 for 2 cycles"),
        ({"disturbed": {"reset": {"cycle": 3, "cycles": 1}}}, "in cycle 3 for 1 cycle "),
        ({"disturbed": {"modulus": "0xea8"}}, "cannot be shown: prime: the modulus must be odd"),
        ({"a": "0xfffffffff"}, "cannot be shown: a: 0xfffffffff is outside"),
        ({"b": None}, "cannot be shown: report: a product of iddmm2 has operands a and b"),
        ({"disturbed": {"modulus": "0x1" + "0" * 1500 + "1"}}, "bits and the limit here is 4096 bits"),
        ({"step": ["A", [1, 77]]}, "An in cycle 4"),
        ({"signal": "result", "step": None, "seen": "-0x1a", "reason": "beyond -0x9"}, "result: beyond -0x9"),
        ({"signed": {"a": "-0x5"}}, ", given as -0x5"),
        ({"disturbed": {"modulus": "0x1" + "0" * 1022 + "1"}}, "steps and the limit here is 400000"),
    ],
)  # fmt: skip
def test_kinds_of_differences(api: httpx.Client, changes: dict[str, Any], said: str) -> None:
    large = {"radix": "2^1", "params": {}} if "steps" in said else {}
    document = {**with_difference(**changes), **large}
    answer = posted(api, {key: value for key, value in document.items() if key != "rows"})
    assert answer.status_code == 200
    assert said in words(answer.text)


def test_the_example_of_the_description_is_a_difference(api: httpx.Client) -> None:
    text = words(posted(api, EXAMPLES[ReportDocument]).text)
    assert "q in cycle 0 is step q[0, 0]" in text
    assert "should be 0xd d" in text


@pytest.mark.parametrize("model", [name for name, model in MODELS.items() if not model.unary and model.has_modulus])
def test_every_model_is_explained(api: httpx.Client, model: str) -> None:
    """A first step that is wrong, of the product in its documentation."""
    prime, a, b = pages.example(MODELS[model])
    document = api.get("/v1/traces", params={"model": model, "prime": prime, "a": a, "b": b}).raise_for_status().json()
    name, index, value = document["steps"][len(document["steps"]) // 2]
    answer = posted(
        api,
        {
            **with_difference(a=a, b=b, step=[name, index], signal=name, expected=value, seen="0x123"),
            **{key: document[key] for key in ("model", "prime", "radix", "params")},
            "rows": None,
        },
    )
    text = words(answer.text)
    assert "cannot be shown" not in text
    assert "Where the value comes from" in text


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ({"data": {"report": "{}"}}, 422, ": the document does not say it"),
        ({"data": {"report": ""}}, 422, "neither a file nor a text was given"),
        ({"data": {"nix": "1"}}, 422, "nix: this form takes file, report and waves"),
        ({"data": {"report": ["{}", "{}"]}}, 422, "report: the form gives it more than once"),
        ({"files": {"file": b"{}"}, "data": {"report": "{}"}}, 422, "both a file and a text were given"),
        ({"files": {"file": b"\xff\0"}}, 422, "this is no JSON"),
        ({"files": {"file": b"x" * (1 << 21)}}, 413, "the report is larger than 1048576 bytes"),
        ({"files": {str(k): b"x" for k in range(101)}}, 400, "more than 100 fields"),
        ({"data": {str(k): "x" for k in range(101)}}, 400, "more than 100 fields"),
        ({"json": KEPT}, 415, "as a browser sends a form"),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 400, "it names no boundary"),
        ({"content": b"x", "headers": MULTIPART}, 400, "it has no end"),
        ({"content": b"--y\r\n\r\n\r\n--y--", "headers": MULTIPART}, 400, "has no name"),
        ({"data": {"report": dump(KEPT)}, "headers": {"Sec-Fetch-Site": "cross-site"}}, 403, "a page of another site"),
        ({"data": {"report": dump(KEPT)}, "headers": {"Origin": "http://evil.example"}}, 403, "a page of another site"),
    ],
)  # fmt: skip
def test_what_is_no_report(api: httpx.Client, sent: dict[str, Any], status: int, said: str) -> None:
    sent["headers"] = {"Accept": "text/html", **sent.get("headers", {})}
    answer = api.post("/reports", **sent)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (status, "text/html")
    assert said in words(answer.text)


def test_a_report_that_there_is_not(api: httpx.Client) -> None:
    answer = api.get(f"/reports/{'0' * 32}", headers={"Accept": "text/html"})
    assert (answer.status_code, "there is no such report" in words(answer.text)) == (404, True)


def test_what_is_sent_comes_back_as_text(api: httpx.Client) -> None:
    attack = "</textarea><script>/evil</script>"
    answer = api.post("/reports", data={"report": attack})
    assert answer.status_code == 422
    assert attack in "".join(Markup(answer.text).texts)
    assert all("src" in attributes for tag, attributes in Markup(answer.text).elements if tag == "script")
    assert not re.search(r"<script>", answer.text)


def test_large_reports_have_small_pages(api: httpx.Client, tmp_path: Path) -> None:
    columns = [f"signal_{k}" for k in range(400)]
    row = {"cycle": 1, "seen": ["0x1"] * 400, "golden": [None] * 399 + ["0x0"]}
    answer = posted(api, {**KEPT, "rows": {"columns": columns, "rows": [row] * 8}, "wave_names": None})
    assert "signal_399" in answer.text
    assert "signal_100" not in answer.text
    assert len(answer.text) < 200_000
