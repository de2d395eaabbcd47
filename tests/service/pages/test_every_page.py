# SPDX-License-Identifier: Apache-2.0
"""What holds for every page: it loads files of this service only, is small, and shows what users type as text."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from fastapi.routing import APIRoute
from playwright.sync_api import ViewportSize
from starlette.routing import compile_path

from limbtrace.service.app import create_app
from limbtrace.service.http import assets
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from tests.kept import ATTACK
from tests.patience import get
from tests.service.pages.conftest import Visit, check_access, shoot
from tests.service.pages.listed import FOR_SCRIPTS, OURS, PAGES, Markup

MOST_BYTES = 400_000
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
PRINTABLE = r"""[^\s"'()<>]+"""


def test_every_page_is_tested() -> None:
    listed = [urlsplit(path).path for path in PAGES.values()]
    for route in create_app().routes:
        if (
            isinstance(route, APIRoute)
            and not route.include_in_schema
            and not route.path.startswith((assets.FOLDER, *FOR_SCRIPTS))
        ):
            assert any(compile_path(route.path)[0].match(path) for path in listed), route.path


@pytest.mark.parametrize("name", PAGES)
def test_addresses_stay_here(api: httpx.Client, name: str) -> None:
    answer = api.get(PAGES[name])
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    markup = Markup(answer.text)
    assert len(markup.addresses()) >= 4
    for address in markup.addresses():
        assert re.match(r"(/(?!/)|#|\?|$)", address), address
    for tag, attributes in markup.elements:
        assert tag not in ("style", "iframe", "object", "embed", "base")
        assert tag != "script" or attributes["src"].startswith(assets.FOLDER)
        assert not [key for key in attributes if key.startswith("on") or key == "style"], attributes
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; " in policy
    assert ("unsafe-inline" in policy) == (name == "redoc")
    assert "://" not in policy


@pytest.mark.parametrize("name", sorted(set(assets.contents()) - {"swagger-ui-bundle.js", "redoc.standalone.js"}))
def test_our_files_name_no_other_host(name: str) -> None:
    """The two large scripts name hosts in texts; the policy of a page keeps them from asking there."""
    text = assets.contents()[name].decode()
    text = text.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    if name not in ("swagger-ui.css",):
        assert "SPDX-License-Identifier: Apache-2.0" in text
        assert "//" not in re.sub(r"(?m)^\s*//.*$|// .*$", "", text)
    for loaded in re.findall(rf"(?:@import\s*[\"']?|url\([\"']?|\bfrom\s*[\"']|\bimport\(\s*[\"'])({PRINTABLE})", text):
        assert loaded.startswith(("./", "data:", "#")), loaded


@pytest.mark.parametrize("name", OURS)
def test_what_comes_from_outside_is_text(api: httpx.Client, name: str) -> None:
    """In every field of every form, and as the name of a field."""
    path, _, query = OURS[name].partition("?")
    form = Markup(api.get(OURS[name]).text)
    inputs = [attributes for tag, attributes in form.elements if tag in ("input", "select")]
    fields = {attributes["name"] for attributes in inputs if "name" in attributes}
    for field in {*fields, ATTACK}:
        answer = api.get(path, params={**dict(parse_qsl(query)), field: ATTACK})
        assert answer.status_code in (200, 422)
        found = Markup(answer.text)
        assert field == ATTACK or "/evil" in "".join(
            found.texts + [attributes.get("value", "") for _, attributes in found.elements]
        )
        assert all("src" in attributes for tag, attributes in found.elements if tag == "script")
        assert "1337" not in "".join(found.texts)


@pytest.mark.parametrize("name", OURS)
def test_pages_are_small(api: httpx.Client, name: str) -> None:
    """With all rows of a list, and everything that the page loads."""
    text = api.get(re.sub(r"[?&]q=[^&]*", "", OURS[name])).text
    loaded = {address for address in Markup(text).addresses() if address.startswith(assets.FOLDER)}
    assert 1000 < len(text) + sum(len(api.get(address).content) for address in loaded) < MOST_BYTES


@pytest.mark.parametrize("name", OURS)
def test_looks(visit: Visit, name: str) -> None:
    """In light, dark and narrow windows everybody can use it, and nothing is wider than the window."""
    page = visit(OURS[name], viewport=WIDE, color_scheme="light")
    shoot(page, f"{name}-light")
    check_access(page)
    page.emulate_media(color_scheme="dark")
    shoot(page, f"{name}-dark")
    check_access(page, ["color-contrast"])
    page.set_viewport_size(NARROW)
    shoot(page, f"{name}-narrow")
    check_access(page, ["target-size", "scrollable-region-focusable"])
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.parametrize(("name", "words"), [("docs", "/v1/vectors"), ("redoc", "Test vectors by prime and radix")])
def test_the_routes_are_described_without_internet(visit: Visit, name: str, words: str) -> None:
    """ReDoc would show a picture of its maker from another host, and is kept from it."""
    blocked = ["https://cdn.redoc.ly/redoc/logo-mini.svg"] if name == "redoc" else []
    page = visit(PAGES[name], blocked=blocked)
    page.get_by_text(words, exact=True).first.wait_for(state="attached")
    shoot(page, name)


def test_files_are_kept_by_browsers(api: httpx.Client) -> None:
    """For ever under an address that says what is in them; from an older page, as long as they are the same."""
    path = assets.address("page.css")
    for address, kept in ((path, "immutable"), (f"{assets.FOLDER}0123456789abcdef/page.css", "no-cache")):
        answer = api.get(address)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
        assert kept in answer.headers["cache-control"]
        assert answer.content == assets.contents()["page.css"]
        packed = api.get(address, headers={"Accept-Encoding": "gzip"})
        assert (packed.headers["content-encoding"], packed.content) == ("gzip", answer.content)
        assert int(packed.headers["content-length"]) < len(answer.content) / 2
        for tag in (answer.headers["etag"], packed.headers["etag"]):
            assert api.get(address, headers={"If-None-Match": tag}).status_code == 304
        assert api.get(address, headers={"If-None-Match": '"other"'}).status_code == 200
    assert api.get(f"{assets.FOLDER}0/nix.css").status_code == 404
    assert api.get(f"{assets.FOLDER}0/..%2F..%2Fpyproject.toml").status_code == 404


def test_files_do_not_wait_for_computations(tmp_path: Path) -> None:
    """The process that listens answers: also while there is no worker."""
    settings = ServiceSettings(database=f"sqlite:///{tmp_path}/sets.sqlite3", max_memory_bytes=1 << 20)
    with background(settings, "tests.service.apps:nonesuch") as url:
        assert get(f"{url}/").status_code == 503
        assert get(f"{url}{assets.address('page.css')}").status_code == 200
