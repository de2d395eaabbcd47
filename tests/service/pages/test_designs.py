# SPDX-License-Identifier: Apache-2.0
"""The design explorer shows the designs of the route, and commands that work."""

import shlex

import httpx
import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from limbtrace.vectors.cli import cli
from tests.service.pages.conftest import Visit
from tests.service.pages.listed import Markup

QUERY = {"core": "fpmm", "bits": "256"}


def spots(page: httpx.Response) -> dict[str, tuple[float, float, bool]]:
    """Place in the picture and whether it is on the front, by the title of a spot."""
    found: dict[str, tuple[float, float, bool]] = {}
    title = ""
    for tag, attributes in Markup(page.text).elements:
        title = attributes["aria-label"] if tag == "a" and "aria-label" in attributes else title
        if tag == "circle" and "hit" not in attributes["class"]:
            found[title] = (float(attributes["cx"]), float(attributes["cy"]), "best" in attributes["class"])
    return found


@pytest.mark.parametrize("query", [QUERY, {"core": "fpmm", "bits": "128", "frequency": "300"}])
def test_the_picture_has_every_compared_design(api: httpx.Client, query: dict[str, str]) -> None:
    """In the order of its figures along both axes, with the front of the route."""
    document, shown = api.get("/v1/explore", params=query).json(), spots(api.get("/designs", params=query))
    points = {point["name"]: point for point in document["points"] if point["compared"]}
    named = {name: spot for title, spot in shown.items() for name in title.partition(":")[0].split(", ")}
    assert len(points) > 20
    assert set(named) == set(points)
    for name, point in points.items():
        assert named[name][2] >= point["front"]
        for other, rival in points.items():
            assert (point["compared"][1] < rival["compared"][1]) == (named[name][0] < named[other][0])
            assert (point["compared"][0] < rival["compared"][0]) == (named[name][1] > named[other][1])


@pytest.mark.parametrize("name", ["F44D", "S28B"])
def test_commands_of_a_design(api: httpx.Client, name: str) -> None:
    bits = {"F44D": "128", "S28B": "256"}[name]
    page = Markup(api.get("/designs", params={**QUERY, "bits": bits, "design": name}).text)
    commands = [text for text in page.texts if text.startswith("limbtrace ")]
    figures, cycles, folder = commands[:3]
    assert figures == f"limbtrace explore fpmm --bits {bits} --point {name}"
    assert folder.startswith(f"{figures} --prime ")
    assert CliRunner().invoke(cli, [*shlex.split(cycles)[1:], "--format", "csv"]).exit_code == 0
    assert CliRunner().invoke(cli, shlex.split(figures)[1:]).exit_code == 0


@pytest.mark.parametrize(
    "query", [{"core": "nix"}, {"bits": "0"}, {"bits": "x"}, {"device": "nix"}, {"frequency": "-1"}, {"bits": ""}]
)
def test_wrong_input_gets_the_sentence_of_the_route(api: httpx.Client, query: dict[str, str]) -> None:
    asked = {name: value for name, value in {**QUERY, **query}.items() if value}
    page, route = api.get("/designs", params=asked), api.get("/v1/explore", params=asked)
    assert (page.status_code, route.status_code) == (422, 422)
    assert route.json()["detail"] in "".join(Markup(page.text).texts)


def test_unknown_designs(api: httpx.Client) -> None:
    answer = api.get("/designs", params={**QUERY, "design": "<b>"})
    assert answer.status_code == 422
    assert "is none of 160 designs" in answer.text


def test_a_spot_leads_to_its_design(visit: Visit) -> None:
    page = visit("/designs")
    page.locator("svg").get_by_role("link", name="S28B").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Design S28B")).to_be_visible()
    expect(page.get_by_text("limbtrace explore fpmm --bits 256 --point S28B", exact=True)).to_be_visible()
