# SPDX-License-Identifier: Apache-2.0
"""The cycle explorer shows the cycle table of the route, and the step behind each cell."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from tests.service.pages.conftest import Visit
from tests.service.pages.listed import Markup

QUERY = {"core": "iddmm_arch2", "prime": "0xea7", "radix": "2^4", "operands": "0xe8a,0xd66"}


def attribute(page: httpx.Response, name: str) -> str:
    """The first attribute of that name in a page."""
    return next(attributes[name] for _, attributes in Markup(page.text).elements if name in attributes)


def rows_of(page: httpx.Response) -> list[list[str]]:
    """The rows of the table, each with the number of its cycle."""
    body = page.text.partition('<table class="rows">')[2].partition("<tbody>")[2].partition("</table>")[0]
    return [re.findall(r'class="number">([^<]*)<', row) for row in body.split("</tr>")[:-1]]


@pytest.mark.parametrize(
    "query",
    [
        QUERY,
        {"core": "fpmm", "prime": "generic128", "count": "3"},
        {"core": "hffm", "prime": "sike-p434", "count": "2"},
        {"core": "iddmm_arch2", "prime": "mlkem", "k": "4", "operands": "5,7@20"},
    ],
)
def test_the_table_is_that_of_the_route(api: httpx.Client, query: dict[str, str]) -> None:
    page, document = api.get("/cycles", params=query), api.get("/v1/cycles", params=query).json()
    golden = [
        [str(cycle), *(cell[2:] if cell else "" for cell in row)]
        for cycle, row in enumerate(document["rows"], document["first_cycle"])
    ]
    assert len(golden) > 10
    assert rows_of(page) == golden[:24]
    assert api.get(attribute(page, "data-address")).json() == document


def test_products_are_separated_by_blanks(api: httpx.Client) -> None:
    page = api.get("/cycles", params={**QUERY, "operands": "5,7 6,8@40"})
    document = api.get(attribute(page, "data-address")).json()
    assert document["operands"] == [["0x5", "0x7"], ["0x6", "0x8"]]
    assert document["starts"][1] == 40
    assert 'value="5,7 6,8@40"' in page.text


def test_a_step_has_the_value_of_its_cell(api: httpx.Client) -> None:
    """For every cell of a table: the trace has the same value at the step that the page names."""
    document = api.get("/v1/cycles", params=QUERY).json()
    product = {"model": "iddmm2", "prime": "0xea7", "radix": "2^4", "a": "0xe8a", "b": "0xd66"}
    trace = {
        f"{name}[{', '.join(map(str, index))}]": value
        for name, index, value in api.get("/v1/traces", params=product).json()["steps"]
    }
    address = attribute(api.get("/cycles", params=QUERY), "data-step")
    named = 0
    for cycle, row in enumerate(document["rows"]):
        for column, cell in zip(document["columns"], row, strict=True):
            found = api.get(address, params={**QUERY, "cycle": str(cycle), "signal": column["name"]}).json()
            assert found["product"] == 0
            if cell is not None and column["step"] is not None and not column.get("parts"):
                assert trace.get(found["step"], "0x0") == cell, "what a register holds before the first step is 0"
                named += found["step"] in trace
    assert named > 40


def test_occupation_is_shown_where_there_is_one(api: httpx.Client) -> None:
    page = api.get("/cycles", params={"core": "hffm", "prime": "sike-p434", "count": "2"})
    (picture,) = [attributes["src"] for tag, attributes in Markup(page.text).elements if tag == "img"]
    assert api.get(picture).headers["content-type"].startswith("image/svg+xml")
    assert "img" not in {tag for tag, _ in Markup(api.get("/cycles").text).elements}


def test_a_large_table_has_no_waveform(api: httpx.Client) -> None:
    page = api.get("/cycles", params={"core": "iddmm_arch2", "prime": "p521", "radix": "2^8", "count": "20"})
    assert "and a waveform here shows 400000; open a file below" in page.text
    assert "data-address" not in page.text


@pytest.mark.parametrize(
    "query",
    [{"core": "nix"}, {"prime": "10"}, {"operands": "5"}, {"operands": "5,7,9"}, {"count": "3"}, {"set": "w=3"}],
)
def test_wrong_input_gets_the_sentence_of_the_route(api: httpx.Client, query: dict[str, str]) -> None:
    asked = {**QUERY, **query}
    page, route = api.get("/cycles", params=asked), api.get("/v1/cycles", params=asked)
    assert (page.status_code, route.status_code) == (422, 422)
    assert route.json()["detail"] in "".join(Markup(page.text).texts)


@pytest.mark.parametrize("place", [{"cycle": "15"}, {"cycle": "-1"}, {"cycle": "x"}, {"signal": "nix"}, {"cycle": ""}])
def test_steps_outside_the_table(api: httpx.Client, place: dict[str, str]) -> None:
    answer = api.get("/cycles/step", params={**QUERY, "cycle": "0", "signal": "q", **place})
    assert answer.status_code == 422
    assert answer.json()["parameter"] in ("cycle", "signal")


def test_the_cursor_names_the_step(visit: Visit) -> None:
    page = visit("/cycles")
    cursor = page.locator("#cursor")
    expect(cursor).to_contain_text("q = 0xc")
    canvas = page.get_by_role("application")
    canvas.press("ArrowDown")
    canvas.press("ArrowRight")
    expect(cursor).to_contain_text("C = 0x9")
    expect(cursor).to_contain_text("step C[0, 1] of product 0")
    page.get_by_label("Find").fill("107")
    page.get_by_label("Find").press("Enter")
    expect(cursor).to_contain_text("U = 0x107")
    assert page.url.endswith("#cycle=3&signal=U")
    page.get_by_label("Find").fill("0xdead")
    page.get_by_role("button", name="Next").click()
    expect(cursor).to_contain_text("No signal holds 0xdead.")
    linked = page.url
    page.goto("/")
    page.goto(linked)
    expect(cursor).to_contain_text("U = 0x107")


def test_thousands_of_cycles(visit: Visit) -> None:
    """All of them fit into the window, and what is drawn changes with the zoom."""
    page = visit("/cycles?core=iddmm_arch2&prime=p256&radix=2^16&count=10")
    canvas = page.get_by_role("application")
    expect(page.locator("#cursor")).to_contain_text("q = ")
    near = page.locator("#canvas").evaluate("canvas => canvas.toDataURL()")
    page.get_by_role("button", name="All").click()
    expect(page.locator("#scroll")).to_be_disabled()
    assert page.locator("#canvas").evaluate("canvas => canvas.toDataURL()") != near
    canvas.press("End")
    expect(page.locator("#cursor")).to_contain_text("cycle 2888")
