# SPDX-License-Identifier: Apache-2.0
"""The home page: a query that is answered at once, and the same as lines to copy."""

import shlex
import subprocess
import sys
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from click.testing import CliRunner

from limbtrace.vectors.cli import cli
from tests.service.pages.conftest import Visit
from tests.service.pages.listed import Markup

QUERY = {"model": "iddmm2", "prime": "mlkem", "radix": "2^8", "seed": "9", "kind": "edge", "count": "3", "set": "n=3"}


def lines(page: httpx.Response) -> dict[str, str]:
    """The lines to copy, by their labels."""
    texts = [text for text in Markup(page.text).texts if text.strip()]
    return {name: texts[texts.index(name) + 1] for name in ("curl", "Command line", "Python")}


def test_the_first_cases_are_those_of_the_route(api: httpx.Client) -> None:
    page, other = api.get("/", params=QUERY), {**QUERY, "prime": "mldsa"}
    cases = api.get("/v1/vectors", params=QUERY).json()["testGroups"][0]["tests"]
    assert len(cases) == 3
    for case in cases:
        for name in ("id", "a", "b", "result"):
            assert case[name] in Markup(page.text).texts
    assert cases[0]["id"] not in api.get("/", params=other).text


def test_lines_to_copy_do_what_the_page_did(api: httpx.Client) -> None:
    copied = lines(api.get("/", params=QUERY))
    program, address = shlex.split(copied["curl"])
    document = httpx.get(address).content
    assert (program, document) == ("curl", api.get("/v1/vectors", params=QUERY).content)
    program, *arguments = shlex.split(copied["Command line"])
    done = CliRunner().invoke(cli, arguments)
    assert (program, done.exit_code, done.stdout_bytes) == ("limbtrace", 0, document)
    said = subprocess.run([sys.executable, "-c", copied["Python"]], capture_output=True, text=True, check=True).stdout
    results = [case["result"] for case in httpx.get(address).json()["testGroups"][0]["tests"]]
    assert [line.split()[2] for line in said.splitlines()] == results


def test_a_page_computes_a_few_cases_of_a_large_set(api: httpx.Client) -> None:
    page = api.get("/", params={"model": "cios", "prime": "p521", "count": "1000000", "kind": "random"})
    assert "The first 8 of 1000000 cases" in page.text
    assert "Limbtrace-Set" not in page.headers, "a page stores nothing"


@pytest.mark.parametrize(
    "query",
    [
        {"model": "cios", "prime": "10"},
        {"model": "cios", "prime": "<b>"},
        {"model": "nix", "prime": "p256"},
        {"model": "cios"},
        {"prime": "p256"},
        {"model": "ozturk", "prime": "p256"},
        {"model": "cios", "prime": "p256", "radix": "3"},
        {"model": "cios", "prime": "p256", "count": "2000000"},
        {"model": "cios", "prime": "p256", "seed": "-1"},
        {"model": "cios", "prime": "p256", "wrong": "1"},
        {"model": "cios", "prime": "2^5000-1"},
    ],
)
def test_wrong_input_gets_the_sentence_of_the_route(api: httpx.Client, query: dict[str, str]) -> None:
    page, route = api.get("/", params=query), api.get("/v1/vectors", params=query)
    assert (page.status_code, route.status_code) == (422, 422)
    said = route.json()["detail"]  # the page has a field for the model in place of a list of those that fit
    said = said if "model" in query else said.partition(";")[0]
    assert said in "".join(Markup(page.text).texts)
    invalid = [attributes["name"] for _, attributes in Markup(page.text).elements if "aria-invalid" in attributes]
    assert invalid in ([route.json()["parameter"]], []), "a parameter of the model has no field of its own"


def test_empty_fields_are_not_given(api: httpx.Client) -> None:
    empty = dict.fromkeys(("radix", "kind", "count", "seed", "set"), "")
    assert "iddmm2 modulo mlkem" in api.get("/", params={"model": "iddmm2", "prime": "mlkem", **empty}).text


def test_a_form_is_filled_and_answered(visit: Visit) -> None:
    page = visit("/", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Model", exact=True).select_option("iddmm2")
    page.get_by_label("Prime", exact=True).fill("mlkem")
    page.get_by_label("Radix", exact=True).fill("2^8")
    page.get_by_label("Radix", exact=True).press("Enter")
    page.get_by_role("heading", name="iddmm2 modulo mlkem, radix 2^8").wait_for()
    asked = dict(parse_qsl(urlsplit(page.url).query))
    assert asked.items() >= {"model": "iddmm2", "prime": "mlkem", "radix": "2^8"}.items()
    page.get_by_role("button", name="Copy: Command line").click()
    page.get_by_text("Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("limbtrace vectors iddmm2 --prime mlkem")


def test_the_keyboard_is_enough(visit: Visit) -> None:
    """The first stop skips the menu; fields come in the order in which they are seen."""
    page = visit("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    stops = []
    for _ in range(3):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.name"))
    assert stops == ["model", "prime", "radix"]
