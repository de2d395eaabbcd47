# SPDX-License-Identifier: Apache-2.0
"""An address of every page, for the tests that hold for all of them."""

from html.parser import HTMLParser

from tests.kept import HOSTILE_ID, KEPT_ID, PASSED_ID, WAVES_ID

PAGES = {
    "home": "/",
    "query": "/?model=iddmm2&prime=p256&radix=2^16&seed=7&kind=edge",
    "trace": "/trace",
    "trace-large": "/trace?model=iddmm2&prime=p256&radix=2^32&a=2^255-19&b=2^250-1",
    "trace-broken": "/trace?model=iddmm2&prime=13&radix=2^2&a=7&b=11&form=printed",
    "trace-whole": "/trace?model=hffm&prime=sike-p434&a=5&b=7",
    "cycles": "/cycles",
    "cycles-units": "/cycles?core=hffm&prime=sike-p434&count=4",
    "designs": "/designs",
    "design": "/designs?core=fpmm&bits=256&design=S28D",
    "check": "/check?top=mul&model=cios&prime=p256",
    "reports": "/reports",
    "report": f"/reports/{KEPT_ID}",
    "report-passed": f"/reports/{PASSED_ID}",
    "report-waves": f"/reports/{WAVES_ID}",
    "report-hostile": f"/reports/{HOSTILE_ID}",
    "models": "/models?q=iddmm",
    "model": "/models/iddmm2",
    "model-compared": "/models/iddmm2?prime=13&radix=2^2&a=7&b=11",
    "cores": "/cores",
    "core": "/cores/iddmm_arch2",
    "primes": "/primes",
    "events": "/events?q=iddmm2+carry",
    "events-at": "/events?model=iddmm2&prime=mlkem&radix=2^8",
    "mutants": "/mutants?q=iddmm_arch2+carry",
    "defects": "/defects?q=openssl+carry",
    "defect": "/defects/openssl-cve-2015-3193",
    "errata": "/errata?q=iddmm+carry",
    "erratum": "/errata/iddmm.E1",
    "tables": "/tables",
    "figures": "/tables/fpmm?q=f44b+frequency",
    "docs": "/docs",
    "redoc": "/redoc",
}
"""Of other makers are the last two."""
FOR_SCRIPTS = ("/cycles/step",)
"""What only the script of a page asks for."""
FOREIGN = ("docs", "redoc")
OURS = {name: path for name, path in PAGES.items() if name not in FOREIGN}


class Markup(HTMLParser):
    """The elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def addresses(self) -> list[str]:
        """Everything that a browser may load or follow from here."""
        names = ("src", "href", "action", "formaction", "srcset", "poster", "data", "xlink:href")
        return [attributes[name] for _, attributes in self.elements for name in names if name in attributes]
