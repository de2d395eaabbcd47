# SPDX-License-Identifier: Apache-2.0
"""The trace explorer shows the trace of the route, step by step."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.service.pages.conftest import Visit
from tests.service.pages.listed import Markup

PRODUCT = {"model": "iddmm2", "prime": "0xea7", "radix": "2^4", "a": "0xe8a", "b": "0xd66"}
PRODUCTS: dict[str, dict[str, str]] = {
    "digits": PRODUCT,
    "printed": {"model": "iddmm2", "prime": "13", "radix": "2^2", "a": "7", "b": "11", "form": "printed"},
    "whole integers": {"model": "hffm", "prime": "sike-p434", "a": "5", "b": "7"},
    "redundant digits": {"model": "redundant", "prime": "p256", "a": "[5,1]", "b": "7"},
    "a stream": {"model": "fpmm", "prime": "generic128", "a": "5", "b": "7"},
    "no modulus": {"model": "ozturk", "set": "d=3", "k": "8", "a": "5", "b": "7"},
    "a link of a chain": {"model": "vdf", "prime": "mlkem", "t": "3", "a": "5", "step": "2"},
}


def steps_of(text: str) -> list[tuple[str, int]]:
    """Symbol and value of every cell in the grids, in the order of the loop."""
    found: dict[int, tuple[str, int]] = {}
    symbol = number = ""
    for part in text.split("<"):
        tag, _, content = part.partition(">")
        attributes: dict[str, Any] = dict(Markup(f"<{tag}>").elements[0][1]) if tag[:1].isalpha() else {}
        symbol = attributes.get("data-symbol", symbol)
        number = attributes.get("data-n", "")
        if number:
            found[int(number)] = (symbol, int(content, 16))
    assert list(range(len(found))) == sorted(found)
    return [found[number] for number in range(len(found))]


@pytest.mark.parametrize("name", PRODUCTS)
def test_every_step_is_there(api: httpx.Client, name: str) -> None:
    page, route = api.get("/trace", params=PRODUCTS[name]), api.get("/v1/traces", params=PRODUCTS[name])
    assert (page.status_code, route.status_code) == (200, 200), route.text
    document = route.json()
    assert steps_of(page.text) == [(name, int(value, 16)) for name, _, value in document["steps"]]
    assert {document["result"], document["residue"]} <= set(Markup(page.text).texts)


def test_the_example_is_a_trace(api: httpx.Client) -> None:
    assert steps_of(api.get("/trace").text) == steps_of(api.get("/trace", params=PRODUCT).text)


def test_claims_that_break_are_shown(api: httpx.Client) -> None:
    page = api.get("/trace", params=PRODUCTS["printed"])
    outcome = api.get("/v1/traces", params={**PRODUCTS["printed"], "check": "true"}).headers["limbtrace-claims"]
    assert outcome.startswith("1 violations of 12 claims; first: ")
    assert outcome.partition("first: ")[2] in "".join(Markup(page.text).texts)
    assert page.text.count('class="broken"') == 1
    assert "All 12 claims about this model hold" in api.get("/trace", params=PRODUCT).text


@pytest.mark.parametrize(
    "query",
    [{"a": "-1"}, {"a": "nix"}, {"b": ""}, {"prime": "10"}, {"model": "nix"}, {"set": "k"}, {"step": "1"}, {"q": "9"}],
)
def test_wrong_input_gets_the_sentence_of_the_route(api: httpx.Client, query: dict[str, str]) -> None:
    asked = {name: value for name, value in {**PRODUCT, **query}.items() if value}
    page, route = api.get("/trace", params=asked), api.get("/v1/traces", params=asked)
    assert (page.status_code, route.status_code) == (422, 422)
    assert route.json()["detail"] in "".join(Markup(page.text).texts)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"model": "iddmm2", "prime": "p256", "radix": "2^4"}, "steps and a page shows 4000"),
        ({"model": "r2mm", "prime": "2^999-1"}, "hexadecimal digits and a page shows 100000"),
        ({"model": "iddmm2", "prime": "2^4095-1", "radix": "2^2"}, "the limit here is 400000"),
    ],
)
def test_a_page_does_not_show_everything(api: httpx.Client, query: dict[str, str], words: str) -> None:
    answer = api.get("/trace", params={**query, "a": "1", "b": "1"})
    assert answer.status_code == 422
    assert words in answer.text


def test_from_a_query_to_a_step(visit: Visit) -> None:
    """A whole story: a query, one of its cases, a step of it in another view, and the link to that step."""
    page = visit("/")
    page.get_by_label("Model", exact=True).select_option("iddmm2")
    page.get_by_label("Prime", exact=True).fill("mlkem")
    page.get_by_label("Radix", exact=True).fill("2^8")
    page.get_by_role("button", name="Show cases").click()
    page.get_by_role("heading", name="iddmm2 modulo mlkem").wait_for()
    result = page.locator(".cases tbody").nth(2).locator("tr", has_text="result").locator("code").last.inner_text()
    page.locator(".cases tbody").nth(2).get_by_role("link").click()
    page.get_by_role("heading", name="Trace of a product").wait_for()
    expect(page.locator("dl.numbers div", has_text="result").locator("code")).to_have_text(result)
    page.get_by_label("Step", exact=True).fill("4")
    page.get_by_role("button", name="Step on").click()
    now = page.locator("td.now")
    hidden = page.locator("td.later").evaluate_all("cells => cells.map((cell) => getComputedStyle(cell).color)")
    assert hidden
    assert set(hidden) == {"rgba(0, 0, 0, 0)"}, "later steps have not happened yet"
    value = int(now.inner_text(), 16)
    page.get_by_label("binary").check()
    assert int(now.inner_text(), 2) == value
    page.get_by_label("decimal").check()
    assert int(now.inner_text()) == value
    expect(page.locator("#detail")).to_contain_text(f"{value:#x}")
    assert page.url.endswith("#step=5")
    assert page.locator(".code-line.now").count() >= 1
    now.press("ArrowRight")
    expect(page.locator("#where")).to_contain_text("7 of")
    assert page.evaluate("document.activeElement.dataset.n") == "6"
    again = page.url
    page.goto("/")
    page.goto(again)
    expect(page.locator("#where")).to_contain_text("7 of")


def test_negative_and_signed_values(visit: Visit) -> None:
    """In two's complement of the widest value of the symbol."""
    page = visit("/trace")
    script = page.locator("script[src$='trace.js']").get_attribute("src")
    assert script
    views = page.evaluate(
        """async (path) => {
          const { view } = await import(path);
          return [view(13n, "signed", 4), view(5n, "signed", 4), view(-5n, "16", 4), view(5n, "2", 4)];
        }""",
        script.replace("trace.js", "numbers.js"),
    )
    assert views == ["-3", "5", "-0x5", "0b0101"]
