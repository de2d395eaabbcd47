# SPDX-License-Identifier: Apache-2.0
"""Lists and their entries: everything that the JSON routes list, found by words, with a script and without."""

import httpx
import pytest
from playwright.sync_api import expect

from limbtrace.refmodels.defects import ATLAS
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS, PAPERS
from limbtrace.service.pages.listing import loop_of
from limbtrace.vectors.catalogue import errata_document, primes_document
from limbtrace.vectors.catalogue.mutants import fault_banks
from tests.conftest import ROOT
from tests.service.pages.conftest import Visit
from tests.service.pages.listed import Markup

LISTS = {
    "/models": list(MODELS),
    "/cores": list(ARCHITECTURES),
    "/primes": [entry["name"] for entry in primes_document()["primes"]],
    "/errata": [entry["id"] for entry in errata_document()["errata"]],
    "/defects": list(ATLAS),
    "/tables": list(PAPERS),
}
"""What each list has."""


@pytest.mark.parametrize("path", LISTS)
def test_lists_are_complete(api: httpx.Client, path: str) -> None:
    texts = Markup(api.get(path).text).texts
    assert LISTS[path]
    assert set(LISTS[path]) <= set(texts)
    assert f"{len(LISTS[path])} of {len(LISTS[path])}" in texts


@pytest.mark.parametrize(
    "path", [f"{path}/{name}" for path in ("/models", "/cores", "/tables") for name in LISTS[path]]
)
def test_every_entry_has_a_page(api: httpx.Client, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 200
    assert "<h1>" in answer.text


def test_every_kind_of_erratum_has_a_page(api: httpx.Client) -> None:
    one_of_each_kind = {entry["kind"]: entry for entry in errata_document()["errata"]}
    assert len(one_of_each_kind) > 5
    for entry in one_of_each_kind.values():
        texts = Markup(api.get(f"/errata/{entry['id']}").text).texts
        assert {entry[name] for name in ("quote", "printed", "corrected")} <= set(texts)
        assert f"The paper, {entry['place']}." in texts
        assert {request["command"] for request in entry["requests"]} <= set(texts)


def test_the_list_of_errata_says_the_standing_of_each(api: httpx.Client) -> None:
    texts = Markup(api.get("/errata?q=remark").text).texts
    assert {"Standing", "remark", "hffm.E18"} <= set(texts)
    assert any("Remark" in text for text in Markup(api.get("/errata/hffm.E18").text).texts)
    witnesses = Markup(api.get("/errata/llmonpro.E1").text).texts
    assert {"All products that show it", "llmonpro.E1-square", "llmonpro.E1-1024-64"} <= set(witnesses)


def test_every_figure_is_there(api: httpx.Client) -> None:
    for paper in PAPERS:
        (document,) = api.get(f"/v1/tables/{paper}").json()["papers"]
        markup = Markup(api.get(f"/tables/{paper}").text)
        assert {"Table", "Design", "Printed", "Ours", "Verdict"} <= set(markup.texts)
        assert sum("data-entry" in attributes for _, attributes in markup.elements) == len(document["figures"])
        assert {figure["published"] for figure in document["figures"]} <= set(markup.texts)


@pytest.mark.parametrize("core", ["iddmm_arch2", "hffm"])
def test_the_page_of_a_core_shows_its_proofs(core: str, api: httpx.Client) -> None:
    shown = api.get(f"/v1/cores/{core}").json()["proofs"]
    assert shown
    texts = set(Markup(api.get(f"/cores/{core}").text).texts)
    for entry in shown:
        proof = entry["proof"]
        assert {entry["prime"], entry["command"], proof["verdict"], f"{proof['obligations']:,}"} <= texts
        assert {*proof["hypotheses"], *proof["trusted"]} <= texts


@pytest.mark.parametrize("path", ["/models/nix", "/cores/nix", "/errata/nix", "/defects/nix", "/tables/nix"])
def test_unknown_entries(api: httpx.Client, path: str) -> None:
    """A page for browsers, a problem document for programs."""
    page, route = api.get(path, headers={"Accept": "text/html,*/*"}), api.get(f"/v1{path}")
    assert (page.status_code, route.status_code) == (404, 404)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert route.json()["detail"] in "".join(Markup(page.text).texts)
    assert api.get(path).json() == {**route.json(), "instance": path}
    assert api.head(path, headers={"Accept": "text/html"}).status_code == 404
    assert api.get(f"/v1{path}", headers={"Accept": "text/html"}).json() == route.json()


def test_other_parameters_of_a_list(api: httpx.Client) -> None:
    answer = api.get("/models?words=x")
    assert answer.status_code == 422
    assert "words: this page takes q" in answer.text


def test_a_list_is_searched_without_a_script(visit: Visit) -> None:
    page = visit("/models", java_script_enabled=False)
    page.get_by_role("searchbox").fill("ONE carry")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("link", name="iddmm2")).to_be_visible()
    expect(page.get_by_role("link", name="cios")).to_be_hidden()
    assert page.get_by_role("searchbox").input_value() == "ONE carry"


def test_a_list_is_filtered_while_one_types(visit: Visit) -> None:
    page = visit("/models?q=one+carry")
    expect(page.get_by_role("link", name="cios")).to_be_hidden()
    page.get_by_role("searchbox").fill("WITHOUT cios")
    expect(page.get_by_role("link", name="cios")).to_be_visible()
    expect(page.get_by_role("link", name="iddmm2")).to_be_hidden()
    expect(page.locator("#found")).to_have_text(f"1 of {len(MODELS)}")


@pytest.mark.parametrize("name", MODELS)
def test_the_loop_is_the_code_that_runs(name: str) -> None:
    """And its lines say which steps they yield."""
    model = MODELS[name]
    shown = model if model.chain is None else model.chain.link_model
    lines = loop_of(model)
    assert lines[0].text.startswith("def ")
    assert {symbol for line in lines for symbol in line.symbols} <= {symbol.name for symbol in shown.vocabulary}


def test_where_the_forms_part(api: httpx.Client) -> None:
    """The first step whose value differs, among steps that are equal before."""
    query = {"prime": "13", "radix": "2^2", "a": "7", "b": "11"}
    forms = [
        api.get("/v1/traces", params={"model": "iddmm2", **query, "form": form}).json()
        for form in ("corrected", "printed")
    ]
    first = next(
        k for k, pair in enumerate(zip(*(form["steps"] for form in forms), strict=False)) if pair[0] != pair[1]
    )
    page = api.get("/models/iddmm2", params=query)
    assert f"They part at step {first}." in page.text
    texts = [text for text in Markup(page.text).texts if text.strip()]
    at = texts.index("result", texts.index("Corrected"))
    assert texts[at + 1 : at + 3] == [form["result"] for form in forms]
    assert "An example from the errata" in api.get("/models/iddmm2").text
    same = api.get("/models/iddmm2", params={**query, "a": "0"})
    assert "Both forms have the same steps." in same.text


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/models/iddmm2", {"prime": "13", "a": "1"}),
        ("/models/iddmm2", {"prime": "13", "a": "1", "b": "nix"}),
        ("/models/iddmm2", {"prime": "12", "a": "1", "b": "1"}),
    ],
)
def test_wrong_products_get_the_sentence_of_the_route(api: httpx.Client, path: str, query: dict[str, str]) -> None:
    page, route = api.get(path, params=query), api.get("/v1/traces", params={"model": path[8:], **query})
    assert (page.status_code, route.status_code) == (422, 422)
    assert route.json()["detail"] in "".join(Markup(page.text).texts)


def test_a_model_with_one_form_compares_nothing(api: httpx.Client) -> None:
    assert "this page takes nothing" in api.get("/models/cios?prime=13").text


def test_where_events_happen(api: httpx.Client) -> None:
    query = {"model": "iddmm2", "prime": "mlkem", "radix": "2^8"}
    page = Markup(api.get("/events", params=query).text)
    for event in api.get("/v1/events", params=query).json()["events"]:
        assert event["name"] in page.texts
        if "example" in event:
            assert event["example"]["url"] in page.addresses()
    assert api.get("/events?model=nix&prime=p256").status_code == 422


def test_mutants_are_those_of_the_documentation(api: httpx.Client) -> None:
    """The numbers of docs/reference/mutants.md: random and directed; it was not disturbed."""
    text = (ROOT / "docs" / "reference" / "mutants.md").read_text()
    line = next(line for line in text.splitlines() if line.startswith("| `vh-carry-stops-at-the-top` |"))
    kinds = next(line for line in text.splitlines() if line.startswith("| operand fault |")).split(" | ")
    cells = dict(zip(kinds, line.split(" | "), strict=True))
    page = Markup(api.get("/mutants?q=vh-carry-stops-at-the-top").text)
    found = page.texts[page.texts.index("vh-carry-stops-at-the-top") :]
    shown = [words for words in found if words.strip()][:6]
    assert shown[1] == cells["class"]
    assert shown[3:] == ["operand", cells["random"], cells["directed"]]
    assert api.get("/mutants?q=no+such+fault").text.count("hidden") >= len(fault_banks())
