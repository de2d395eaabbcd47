# SPDX-License-Identifier: Apache-2.0
"""A browser: Debian's Chromium, driven by Playwright."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, sync_playwright

from tests.conftest import ROOT
from tests.kept import HOSTILE, KEPT, PASSED, WITH_WAVES
from tests.patience import PATIENCE

SHOTS = ROOT / "build" / "pages"
"""Where screenshots go."""

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    assert path, "there is no chromium on PATH; ./run test installs it"
    # Only pages of ours are opened, and a container may have neither namespaces for the sandbox nor shared memory.
    options = ["--no-sandbox", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=options)
        yield launched
        launched.close()


@pytest.fixture(scope="session", autouse=True)
def reports(url: str) -> None:
    """The service has the reports whose pages are listed."""
    for report in (KEPT, PASSED, HOSTILE, WITH_WAVES):
        httpx.post(f"{url}/v1/reports", json=report, timeout=PATIENCE).raise_for_status()


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Visit]:
    """Opens a page in a browser of its own, given a path and options of the browser.

    At the end nothing must have gone wrong in a page, and nothing have been asked of another host.
    """
    wrong: list[str] = []
    contexts = []

    def opened(
        path: str,
        status: int = 200,
        sent: list[Response] | None = None,
        blocked: Sequence[str] = (),
        refused: bool = False,
        **options: Any,
    ) -> Page:
        """`sent` receives all responses; `blocked` are addresses elsewhere from which the browser keeps the page.

        `refused`: a form of the page is answered with 422.
        """

        def asked(request: Request) -> None:
            elsewhere = not request.url.startswith(("data:", "blob:", f"{url}/"))
            if elsewhere and request.url not in blocked:
                wrong.append(f"asked {request.url}")

        def said(message: ConsoleMessage) -> None:
            expected = [*blocked, *(["status of 422"] if refused else [])]
            if message.type == "error" and status == 200 and not any(text in message.text for text in expected):
                wrong.append(message.text)

        def failed(request: Request) -> None:
            if request.url in blocked and request.failure != "csp":
                wrong.append(f"{request.url}: {request.failure}")

        context = browser.new_context(base_url=url, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.on("request", asked)
        page.on("requestfailed", failed)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", said)
        if sent is not None:
            page.on("response", lambda answer: sent.append(answer))
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == status
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def check_access(page: Page, rules: Sequence[str] = ()) -> None:
    """What axe-core finds: labels, contrast, headings, landmarks, names of everything; or some of its rules only."""
    only = {"runOnly": {"type": "rule", "values": [*rules]}} if rules else {}
    found = Axe().run(page, options={"resultTypes": ["violations"], **only})
    assert found.violations_count == 0, found.generate_report()


def shoot(page: Page, name: str) -> Path:
    """A screenshot, for people to look at."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    path = SHOTS / f"{name}.png"
    page.screenshot(path=path)
    return path
