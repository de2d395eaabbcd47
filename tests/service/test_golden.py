# SPDX-License-Identifier: Apache-2.0
"""Golden data over HTTP: the bytes of the command line, validators, sets handed out earlier."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.catalogue import CONSTANT_FORMATS
from limbtrace.vectors.cli import cli
from limbtrace.vectors.cycles import FORMATS as CYCLE_FORMATS
from limbtrace.vectors.cycles import OF_UNITS
from limbtrace.vectors.sets import FORMATS as SET_FORMATS
from limbtrace.vectors.traces import FORMATS as TRACE_FORMATS
from tests.patience import PATIENCE, get

VECTORS = {"model": "iddmm2", "prime": "p256", "radix": "2^32", "count": "30", "seed": "7", "kind": "lazy"}


def command_line(*arguments: str) -> bytes:
    outcome = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.stderr
    return outcome.stdout_bytes


@pytest.mark.parametrize("format", SET_FORMATS)
def test_sets_are_the_bytes_of_the_command_line(api: httpx.Client, format: str) -> None:
    answer = api.get("/v1/vectors", params={**VECTORS, "passes": "9", "format": format})
    assert answer.status_code == 200
    options = [f"--{name}={VECTORS[name]}" for name in ("prime", "radix", "count", "seed", "kind")]
    assert answer.content == command_line("vectors", "iddmm2", *options, "--set", "T=9", "--format", format)
    assert answer.headers["content-type"].startswith(SET_FORMATS[format].media_type)


def test_parts_of_a_set(api: httpx.Client) -> None:
    """The limit is on the cases that are made, a part is remembered as such, and the client checks how many come."""
    far = {"model": "cios", "prime": "p256", "count": "2^40", "kind": "directed", "format": "ndjson"}
    answer = api.get("/v1/vectors", params={**far, "shard": "123456789/2^37"})
    assert answer.status_code == 422
    assert answer.json()["parameter"] == "shard"
    answer = api.get("/v1/vectors", params={**far, "shard": "123456789/137438953472"})
    options = [f"--{name}={far[name]}" for name in ("prime", "count", "kind", "format")]
    assert answer.content == command_line("vectors", "cios", *options, "--shard", "123456789/137438953472")
    assert answer.content.count(b"\n") == 8 + 2
    again = api.get(f"/v1/sets/{answer.headers['Limbtrace-Set']}", params={"format": "ndjson"})
    assert again.content == answer.content
    assert api.get("/v1/vectors", params=far).json()["parameter"] == "count"
    refused = api.get("/v1/vectors", params={**far, "shard": "1/2"})
    assert (refused.status_code, refused.json()["parameter"]) == (422, "shard")


@pytest.mark.parametrize(
    ("query", "options"),
    [({"op": "mul", "count": "3", "seed": "5"}, ("--op", "mul", "--count", "3", "--seed", "5")),
     ({"op": "sqr", "a": "[5,7]", "steps": "true"}, ("--op", "sqr", "--a", "[5,7]", "--steps")),
     ({"op": "sqr", "format": "csv", "split": "8"}, ("--op", "sqr", "--format", "csv", "--set", "split=8"))],
)  # fmt: skip
def test_fields_are_the_bytes_of_the_command_line(
    api: httpx.Client, query: dict[str, str], options: tuple[str, ...]
) -> None:
    answer = api.get("/v1/fp2", params={"model": "hffm", "prime": "107", **query})
    assert answer.status_code == 200
    assert answer.content == command_line("fp2", "hffm", "--prime", "107", *options)
    if "csv" not in options:
        assert api.post("/v1/verifications", json=answer.json()).json()["verdict"] == "pass"


@pytest.mark.parametrize("format", TRACE_FORMATS)
def test_traces_are_the_bytes_of_the_command_line(api: httpx.Client, format: str) -> None:
    answer = api.get("/v1/traces", params={"model": "cios", "prime": "mlkem", "w": 8, "a": "[5,1]", "b": 7,
                                           "format": format})  # fmt: skip
    arguments = ("trace", "cios", "--prime", "mlkem", "--radix", "2^8", "--a", "0x105", "--b", "7", "--format", format)
    assert answer.content == command_line(*arguments)


@pytest.mark.parametrize("format", [name for name in CYCLE_FORMATS if name not in OF_UNITS])
@pytest.mark.parametrize(
    ("query", "options"),
    [
        ({"operands": ["5,7", "0x11,[1,2]@30"]}, ("--operands", "5,7", "--operands", "17,0x201@30")),
        ({"count": "3", "kind": "runs"}, ("--count", "3", "--kind", "runs")),
    ],
)
def test_cycle_tables_are_the_bytes_of_the_command_line(
    api: httpx.Client, format: str, query: dict[str, Any], options: tuple[str, ...]
) -> None:
    answer = api.get(
        "/v1/cycles", params={"core": "iddmm_arch2", "prime": "mlkem", "set": ["k=8"], "format": format, **query}
    )
    arguments = ("cycles", "iddmm_arch2", "--prime", "mlkem", "--radix", "2^8", *options, "--format", format)
    assert answer.content == command_line(*arguments)


@pytest.mark.parametrize("format", OF_UNITS)
def test_units_are_the_bytes_of_the_command_line(api: httpx.Client, format: str) -> None:
    answer = api.get("/v1/cycles", params={"core": "hffm", "prime": "11", "count": "3", "format": format})
    assert answer.headers["content-type"].startswith(CYCLE_FORMATS[format].media_type)
    assert answer.content == command_line("cycles", "hffm", "--prime", "11", "--count", "3", "--format", format)
    refused = api.get("/v1/cycles", params={"core": "iddmm_arch2", "prime": "11", "count": "3", "format": format})
    assert (refused.status_code, refused.json()["parameter"]) == (422, "format")
    assert "shows units that products share" in refused.json()["detail"]


@pytest.mark.parametrize("format", CONSTANT_FORMATS)
def test_constants_are_the_bytes_of_the_command_line(api: httpx.Client, format: str) -> None:
    answer = api.get("/v1/constants", params={"model": "cios", "prime": "2^255-19", "format": format})
    assert answer.content == command_line("constants", "cios", "--prime", "curve25519", "--format", format)


@pytest.mark.parametrize(
    ("path", "arguments"),
    [
        ("/v1/models", ["models"]),
        ("/v1/models/iddmm1", ["models", "iddmm1"]),
        ("/v1/primes", ["primes"]),
        ("/v1/primes/2^216*3^137-1", ["primes", "sike-p434"]),
        ("/v1/cores", ["cores"]),
        ("/v1/cores/iddmm_arch2", ["cores", "iddmm_arch2"]),
        ("/v1/tables", ["tables"]),
        ("/v1/tables/iddmm", ["tables", "iddmm"]),
    ],
)
def test_documents_are_the_bytes_of_the_command_line(api: httpx.Client, path: str, arguments: list[str]) -> None:
    assert api.get(path).content == command_line(*arguments, "--json")


def test_printed_form_and_broken_claims(api: httpx.Client) -> None:
    erratum = {"model": "iddmm2", "prime": "13", "k": "2", "a": "7", "b": "11", "check": "true"}
    good, printed = (api.get("/v1/traces", params={**erratum, "form": form}) for form in ("corrected", "printed"))
    assert good.headers["limbtrace-claims"].startswith("all ")
    assert "violations" in printed.headers["limbtrace-claims"]
    assert printed.json()["form"] == "printed"
    assert printed.json()["mended"]
    assert printed.json()["result"] != good.json()["result"]


def test_etag_is_that_of_the_normalised_request(api: httpx.Client) -> None:
    first = api.get("/v1/vectors", params=VECTORS)
    written_out = {**VECTORS, "prime": "2^256-2^224+2^192+2^96-1", "radix": "4294967296", "n": "8", "form": "corrected"}
    assert api.get("/v1/vectors", params=written_out).headers["etag"] == first.headers["etag"]
    others = [{"count": "31"}, {"seed": "8"}, {"kind": "edge"}, {"format": "csv"}, {"radix": "2^16"}, {"passes": "9"},
              {"prime": "p224"}, {"model": "iddmm1"}]  # fmt: skip
    tags = {api.get("/v1/vectors", params={**VECTORS, **other}).headers["etag"] for other in others}
    assert len(tags - {first.headers["etag"]}) == len(others)
    assert first.headers["etag"].startswith('"')
    assert first.headers["cache-control"] == "public, max-age=3600"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/models",
        "/v1/vectors?model=cios&prime=mlkem",
        "/v1/traces?model=cios&prime=mlkem&a=1&b=2",
        "/v1/cycles?core=iddmm_arch2&prime=mlkem&operands=1,2",
        "/v1/constants?model=cios&prime=mlkem",
        "/v1/schemas/limbtrace-trace-1.schema.json",
    ],
)
def test_not_modified(api: httpx.Client, path: str) -> None:
    tag = api.get(path).headers["etag"]
    for given, known in ((tag, tag), (f'"other", W/{tag}', f"W/{tag}"), ("*", tag)):
        answer = api.get(path, headers={"If-None-Match": given})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", known)
    assert api.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    assert api.get(path, headers=[("If-None-Match", '"other"'), ("If-None-Match", tag)]).status_code == 304


def test_head_has_the_headers_of_get(api: httpx.Client) -> None:
    full = api.get("/v1/vectors", params=VECTORS)
    head = api.head("/v1/vectors", params=VECTORS)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("etag", "content-type", "limbtrace-set"):
        assert head.headers[name] == full.headers[name]


def test_file_names(api: httpx.Client) -> None:
    names = {
        format: api.get("/v1/vectors", params={**VECTORS, "format": format}).headers.get("content-disposition", "")
        for format in SET_FORMATS
    }
    shown = ("json", "wycheproof", "acvp", "rooterberg", "accumulated")
    assert {names.pop(format) for format in shown} == {""}
    assert [name.rpartition(".")[2] for name in names.values()] == [
        'ndjson"', 'csv"', *['tar"'] * 3, 'sv"', 'vhd"', 'bin"'
    ]  # fmt: skip
    assert all(name.startswith('attachment; filename="iddmm2-') and "p256.fp" in name for name in names.values())


def test_a_set_handed_out_earlier(api: httpx.Client) -> None:
    first = api.get("/v1/vectors", params=VECTORS)
    name = first.headers["limbtrace-set"]
    assert name == first.json()["id"]
    assert api.get(f"/v1/sets/{name}").content == first.content
    csv = api.get("/v1/vectors", params={**VECTORS, "format": "csv"})
    assert api.get(f"/v1/sets/{name}", params={"format": "csv"}).content == csv.content


def test_the_set_longest_unused_is_forgotten(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/sets.sqlite3"
    with (
        background(ServiceSettings(max_sets=2, database=database)) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as api,
    ):
        names = [
            api.get("/v1/vectors", params={**VECTORS, "seed": seed}).headers["limbtrace-set"] for seed in ("1", "2")
        ]
        assert api.get(f"/v1/sets/{names[0]}").status_code == 200
        api.get("/v1/vectors", params={**VECTORS, "seed": "3"})
        assert [api.get(f"/v1/sets/{name}").status_code for name in names] == [200, 404]


def test_eight_clients_get_the_same_bytes(url: str) -> None:
    def ask(_: int) -> str:
        query = {**VECTORS, "count": "3000", "format": "ndjson"}
        return sha256(get(f"{url}/v1/vectors", params=query).raise_for_status().content).hexdigest()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(8)))) == 1
