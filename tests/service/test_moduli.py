# SPDX-License-Identifier: Apache-2.0
"""Directed moduli over HTTP."""

import httpx
import pytest

from limbtrace.vectors.catalogue.moduli import ModuliQuery, moduli_document
from limbtrace.vectors.encoding import dump


def test_the_bytes_of_the_command_line(api: httpx.Client) -> None:
    answer = api.get("/v1/moduli?bits=96&radix=2%5E32&count=12&composite=yes&even=true&widths=true")
    assert answer.status_code == 200
    asked = ModuliQuery(bits=96, radix="2^32", count=12, composite="yes", even=True, widths=True).request
    assert answer.text == dump(moduli_document(asked, asked.moduli())) + "\n"
    assert len(answer.json()["moduli"]) == 12
    assert api.get("/v1/moduli?bits=96").json()["radix"] == "2^16"


@pytest.mark.parametrize(
    ("query", "parameter", "detail"),
    [
        ("bits=1", "bits", "bits: 1 is outside 2 to 16384"),
        ("bits=5000", "bits", "bits: it is more than the limit of 4096 bits here"),
        ("bits=4096", "bits", "bits: primes are looked for up to 2048 bits, and 4096 are asked for"),
        ("bits=64&radix=12", "radix", "radix: the radix must be a power of two of at least 2, and 12 is none"),
        ("bits=64&count=1001", "count", "count: 1001 is outside 1 to 1000"),
        ("bits=64&even=true", "even", "even: 2 is the only even prime"),
        ("bits=64&composite=x", "composite", "composite: 'x' is none of no, yes, only"),
        ("bits=64&core=iddmm_arch2", "core", "core: /v1/moduli has no such query parameter"),
    ],
)
def test_wrong_requests(api: httpx.Client, query: str, parameter: str, detail: str) -> None:
    answer = api.get(f"/v1/moduli?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert answer.json()["parameter"] == parameter
    assert answer.json()["detail"].startswith(detail)
