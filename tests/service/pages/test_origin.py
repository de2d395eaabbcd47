# SPDX-License-Identifier: Apache-2.0
"""Forms over plain HTTP to a name that is not localhost, for which browsers send no Sec-Fetch-Site."""

import shutil
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Request, Route, expect

from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.encoding import dump
from tests.kept import KEPT
from tests.patience import PATIENCE

OURS, OTHERS = "limbtrace.example", "other.example"


def test_own_forms_are_taken_and_those_of_other_sites_refused(browser: Browser, tmp_path: Path) -> None:
    """As `service/http/csrf.py` and the Referrer-Policy of the pages suppose."""
    settings = ServiceSettings(database=f"sqlite:///{tmp_path}/sets.sqlite3", allowed_hosts=OURS)
    sent: list[Request] = []
    with background(settings) as url:
        address = f"http://{OURS}:{urlsplit(url).port}/reports"
        options = ["--no-sandbox", "--disable-dev-shm-usage", f"--host-resolver-rules=MAP {OURS} 127.0.0.1"]
        other = browser.browser_type.launch(executable_path=shutil.which("chromium"), args=options)
        try:
            page = other.new_page()
            page.set_default_timeout(PATIENCE * 1000)
            page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
            page.goto(address)
            page.get_by_label("Or its text").fill(dump(KEPT))
            page.get_by_role("button", name="Show report").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("iddmm_arch2 differs in product 3")
            page.route(f"http://{OTHERS}/", lambda route: _foreign(route, address))
            page.goto(f"http://{OTHERS}/")
            page.get_by_role("button").click()
            expect(page.get_by_text("a page of another site made the browser send this form")).to_be_visible()
            own, foreign = (request.all_headers() for request in sent)
        finally:
            other.close()
        assert (own.get("origin"), "sec-fetch-site" in own) == (address.removesuffix("/reports"), False)
        assert (foreign.get("origin"), "sec-fetch-site" in foreign) == (f"http://{OTHERS}", False)


def _foreign(route: Route, address: str) -> None:
    form = f'<form method="post" action="{address}"><textarea name="report">{{}}</textarea><button>Go</button></form>'
    route.fulfill(body=form, content_type="text/html")
