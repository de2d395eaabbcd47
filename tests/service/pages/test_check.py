# SPDX-License-Identifier: Apache-2.0
"""Check a core: RTL goes into the form, a first core.toml comes out, with a script and without."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.uploads import FormPart, split
from limbtrace.vectors.core_draft import CoreDraft
from tests.rtl_bridge.helpers import TOYS
from tests.service.pages.conftest import Visit, check_access, shoot
from tests.service.pages.listed import Markup

SOURCE = TOYS / "bit_toy" / "bit_toy.v"
SCRIPT = "module t(input [7:0] a, output z, input \\<script>alert(1)</script> ); endmodule"


def sent(api: httpx.Client, files: dict[str, bytes] | None = None, **fields: Any) -> httpx.Response:
    """What the service answers to the form."""
    named = [("files", (name, content, "text/plain")) for name, content in (files or {"": b""}).items()]
    return api.post("/check", data=fields, files=named)


@pytest.mark.parametrize("scripts", [True, False])
def test_from_a_file_to_a_description(visit: Visit, api: httpx.Client, scripts: bool) -> None:
    """The page has what the route answers, and gives it as a file."""
    request = {"files": {SOURCE.name: SOURCE.read_text()}, "model": "iddmm2", "prime": "2^255-19"}
    document = CoreDraft.model_validate(api.post("/v1/core-files", json=request).json())
    page = visit("/check", java_script_enabled=scripts)
    page.get_by_label("Sources").set_input_files(SOURCE)
    page.get_by_label("Model").select_option("iddmm2")
    page.get_by_label("Prime").fill("2^255-19")
    page.get_by_role("button", name="Describe the core").click()
    expect(page.get_by_role("heading", name="A first core.toml for bit_toy")).to_be_visible()
    expect(page.get_by_text("nothing to fill in. The description fits the RTL.")).to_be_visible()
    assert page.locator("pre.listing").text_content() == document.text
    marked = page.locator(".code-line.guess").all_inner_texts()
    assert [line.strip() for line in marked] == [document.text.splitlines()[found.line - 1] for found in document.lines]
    assert [cell.inner_text() for cell in page.locator("#draft tbody td:last-child").all()] == [
        found.reason for found in document.lines
    ]
    expect(page.get_by_text("limbtrace sim bit_toy --prime '2^255-19'", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download core.toml").click()
    assert download.value.suggested_filename == "core.toml"
    assert Path(download.value.path()).read_text() == document.text
    shoot(page, f"check-answered-{scripts}")
    if scripts:
        check_access(page)
        page.emulate_media(color_scheme="dark")
        check_access(page, ["color-contrast"])
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_pasted_source_stays_in_the_form(visit: Visit) -> None:
    page = visit("/check", refused=True)
    page.get_by_label("Or paste a source").fill(SCRIPT)
    page.get_by_label("Top module").fill("t")
    with page.expect_response("**/check") as answer:
        page.get_by_role("button", name="Describe the core").click()
    assert answer.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("the port '<script>alert(1)</script>' has a name that core.toml")
    assert page.get_by_label("Or paste a source").input_value() == SCRIPT
    assert page.get_by_label("Top module").input_value() == "t"
    check_access(page)


@pytest.mark.parametrize(
    ("files", "fields", "wrong", "sentence"),
    [
        ({}, {}, "files", "choose a file or paste Verilog"),
        ({"../x.sv": b"x"}, {}, "files", "should be letters, digits"),
        ({"a.sv": b"x", "b.txt": b"x"}, {}, "files", "and end in .v or .sv"),
        ({"core.sv": b"x"}, {"text": "x"}, "files", "there are two sources called 'core.sv'"),
        ({"a.sv": b"x"}, {"nix": "1"}, "nix", "this form takes files, text, top"),
        ({"a.sv": b"x"}, {"top": ["a", "b"]}, "top", "the form gives it more than once"),
        ({"a.sv": b"x"}, {"prime": "12", "model": "cios"}, "prime", "the modulus must be odd"),
        ({"a.sv": (1 << 18) * b"x" + b"y"}, {}, "files", "262145 bytes and the limit here is 262144"),
        ({"a.sv": b"[" * 1000}, {}, "files", "the RTL in a has an error: a/a.sv:1:"),
    ],
)
def test_wrong_input_gets_a_sentence(
    api: httpx.Client, files: dict[str, bytes], fields: dict[str, Any], wrong: str, sentence: str
) -> None:
    """Brackets in a source are no lists of a document."""
    answer = sent(api, files, **fields)
    assert answer.status_code == 422
    markup = Markup(answer.text)
    assert sentence in "".join(markup.texts)
    invalid = [attributes["name"] for _, attributes in markup.elements if "aria-invalid" in attributes]
    assert invalid == ([wrong] if wrong != "nix" else [])


def test_the_answer_to_a_form_is_always_sent(api: httpx.Client) -> None:
    """It depends on what the form sent, and no cache has it."""
    named = {"files": ("a.sv", b"module t(input a, output z); endmodule", "text/plain")}
    answer = api.post("/check", files=named, headers={"If-None-Match": "*"})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store"), answer.text
    assert "etag" not in answer.headers


def test_what_is_no_form(api: httpx.Client) -> None:
    long = f"multipart/form-data; boundary=x{5000 * ';'}"
    assert api.post("/check", content=b"--x--", headers={"Content-Type": long}).status_code == 400
    assert api.post("/check", json={}).status_code == 415
    for kind in ("", "; boundary=x", "; boundary=" + '"x'):
        answer = api.post("/check", content=b"--y\r\n", headers={"Content-Type": f"multipart/form-data{kind}"})
        assert (answer.status_code, answer.json()["title"]) == (400, "The request was not served")


def test_addresses_fill_the_form(api: httpx.Client) -> None:
    markup = Markup(api.get("/check?top=mul&text=module").text)
    assert {attributes.get("name"): attributes.get("value") for _, attributes in markup.elements}["top"] == "mul"
    assert api.get("/check?files=x").status_code == 422


PART = b'--B\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'


def test_forms_are_taken_apart() -> None:
    content = b"\r\n-B\r\n\0\xff--B"
    body = PART % (b"a", b'; filename="x \xc3\xa4.sv"\r\nContent-Type: text/plain', content) + PART % (b"b", b"", b"")
    assert split(body + b"--B--\r\n", b"B") == [FormPart("a", "x ä.sv", content), FormPart("b", None, b"")]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--B--x",
        b"--B\r\n\r\n",
        PART % (b"a", b"; filename*=idna''x", b"c") + b"--B--",
        PART % (b"a", b"; filename*=a; filename*0=b", b"c") + b"--B--",
        PART % (b"a", b"; filename*=undefined''x", b"c") + b"--B--",
        PART % (b"a", b"", b""),
        b"--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--",
        b'--B\r\nContent-Disposition: form-data; name="\xff"\r\n\r\nx\r\n--B--',
        101 * (PART % (b"a", b"", b"")) + b"--B--",
        PART % (b"a", 5000 * b";", b"") + b"--B--",
    ],
)
def test_damaged_forms(body: bytes) -> None:
    if body == b"--B--x":
        assert split(body, b"B") == []
        return
    with pytest.raises(RefusedError):
        split(body, b"B")
