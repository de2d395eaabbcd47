# SPDX-License-Identifier: Apache-2.0
"""Verdicts over HTTP on files in every format that limbtrace writes: right ones, wrong ones, and cut ones."""

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.client import Client, ServiceError
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.request import CHAINED, Multiplier, VectorRequest
from limbtrace.vectors.sets import FORMATS, VectorSet, render
from limbtrace.vectors.sets.in_memory import MANIFEST
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify_file
from tests.patience import PATIENCE

PATH = "/v1/verifications"
COUNT = 6
ARCHIVES = ("readmemh", "coe", "mif")
TABLES = {
    "trace": "/v1/traces?model=iddmm2&prime=mlkem&k=8&a=5&b=7&format=csv",
    "cycles": "/v1/cycles?core=iddmm_arch2&prime=mlkem&k=8&operands=5,7&operands=3,4&format=csv",
    "fp2": "/v1/fp2?model=cios&prime=251&op=mul&count=3&format=csv",
}


@pytest.fixture(scope="module")
def small() -> Iterator[httpx.Client]:
    limits = ServiceSettings(max_modulus_bits=256, max_count=COUNT, max_loop_steps=100)
    with background(limits) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield client


def made(prime: str = "p256", count: int = COUNT, kind: str = "random", model: str = "modmul") -> VectorSet:
    return VectorSet(VectorRequest.resolve(Multiplier.resolve(model, prime, {}), count, 3, kind))


def written(form: str, vectors: VectorSet) -> bytes:
    return b"".join(render(vectors, form))


def with_another_result(form: str, content: bytes, result: int) -> bytes:
    """The file with another number for that result, and with the hash of what is in it now."""
    if form in ARCHIVES:
        return _archive_with_another(content, result)
    if form == "raw":
        number = result.to_bytes(32, "little")
        assert content.count(number) == 1
        changed = content.replace(number, (result ^ 1).to_bytes(32, "little"))[:-32]
        return changed + hashlib.sha256(changed).digest()
    return _text_with_another(content, result)


def _text_with_another(content: bytes, result: int) -> bytes:
    assert 1 <= content.count(f"{result:x}".encode()) <= 2  # of a model that reduces, it is the residue, too
    return content.replace(f"{result:x}".encode(), f"{result ^ 1:x}".encode())


def _archive_with_another(content: bytes, result: int) -> bytes:
    changed = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(content)) as archive, tarfile.open(fileobj=changed, mode="w") as other:
        files = {member.name: archive.extractfile(member) for member in archive}
        texts = {name: file.read() for name, file in files.items() if file is not None}
        name = next(name for name in texts if name.startswith("result"))
        texts[name] = _text_with_another(texts[name], result)
        manifest = json.loads(texts[MANIFEST])
        entry = next(entry for entry in manifest["files"] if entry["name"] == name)
        entry["sha256"] = hashlib.sha256(texts[name]).hexdigest()
        texts[MANIFEST] = (dump(manifest) + "\n").encode()
        for each, text in texts.items():
            head = tarfile.TarInfo(each)
            head.size = len(text)
            other.addfile(head, io.BytesIO(text))
    return changed.getvalue()


def sent(client: httpx.Client, content: bytes, media_type: str) -> httpx.Response:
    return client.post(PATH, content=content, headers={"Content-Type": media_type})


def refused(answer: httpx.Response) -> str:
    """The sentence of a 422."""
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json"), answer.text
    detail: str = answer.json()["detail"]
    assert "\n" not in detail
    assert len(detail) < 400
    return detail


def verdict_of_file(content: bytes, folder: Path) -> str:
    """What `limbtrace verify FILE` prints."""
    (folder / "file").write_bytes(content)
    return dump(verify_file(folder / "file")) + "\n"


@pytest.mark.parametrize("form", FORMATS)
def test_a_set_in_every_format(api: httpx.Client, tmp_path: Path, form: str) -> None:
    """As `/v1/vectors` serves it, with its media type; the answer is that of `limbtrace verify`."""
    query = {"model": "modmul", "prime": "p256", "count": str(COUNT), "seed": "3", "kind": "random", "format": form}
    served = api.get("/v1/vectors", params=query)
    assert served.content == written(form, made())
    answer = sent(api, served.content, served.headers["content-type"])
    assert answer.status_code == 200, answer.text
    assert (answer.json()["verdict"], answer.json()["verified"]) == ("pass", COUNT)
    assert answer.text == verdict_of_file(served.content, tmp_path)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("form", ["json", "csv", "readmemh", "acvp"])
def test_the_client(url: str, form: str) -> None:
    content = written(form, made())
    with Client(url, PATIENCE) as client:
        verdict = client.verify_file(content)
        assert (verdict.verdict, verdict.verified) == ("pass", COUNT)
        with pytest.raises((ParameterError, ServiceError)):
            client.verify_file(content.rstrip(b"\0")[:-50])


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "accumulated"])
def test_a_wrong_result_in_every_format(api: httpx.Client, tmp_path: Path, form: str) -> None:
    wrong = [*made().cases()][4]
    content = with_another_result(form, written(form, made()), int(wrong.result))
    answer = sent(api, content, FORMATS[form].media_type)
    assert answer.status_code == 200, answer.text
    verdict, found = answer.json(), answer.json()["first_divergence"]
    assert (verdict["verdict"], verdict["mismatches"], verdict["verified"]) == ("fail", 1, COUNT)
    assert (found["expected"], found["seen"]) == (f"{wrong.result:#x}", f"{wrong.result ^ 1:#x}")
    assert answer.text == verdict_of_file(content, tmp_path)


def test_a_wrong_hash_over_results(api: httpx.Client) -> None:
    """A set without cases cannot say which of them differs."""
    document = json.loads(written("accumulated", made()))
    changed = dump({**document, "outputs": 64 * "0"}).encode()
    said = refused(sent(api, changed, "application/json"))
    assert said == f"outputs: '{56 * '0'}... is not the hash over these cases"


@pytest.mark.parametrize("form", FORMATS)
def test_a_cut_set_in_every_format(api: httpx.Client, tmp_path: Path, form: str) -> None:
    """One sentence with the place, as `limbtrace verify` has it; JSON that does not end is no JSON, as before."""
    content = written(form, made()).rstrip(b"\0")[:-50]
    answer = sent(api, content, FORMATS[form].media_type)
    with pytest.raises(DamagedFileError) as damaged:
        verdict_of_file(content, tmp_path)
    if form == "json":
        assert (answer.status_code, answer.json()["detail"]) == (400, damaged.value.reason)
        return
    assert refused(answer) == damaged.value.reason
    assert answer.json()["parameter"] == damaged.value.place


@pytest.mark.parametrize("kind", TABLES)
def test_tables_in_csv(api: httpx.Client, tmp_path: Path, kind: str) -> None:
    content = api.get(TABLES[kind]).content
    answer = sent(api, content, "text/csv")
    assert (answer.status_code, answer.json()["verdict"], answer.json()["kind"]) == (200, "pass", kind), answer.text
    assert answer.text == verdict_of_file(content, tmp_path)
    last = [*re.finditer(rb"\b0x[0-9a-f]+", content)][-1]
    other = f"{int(last.group(), 16) ^ 1:#x}".encode()
    wrong = sent(api, content[: last.start()] + other + content[last.end() :], "text/csv")
    assert (wrong.status_code, wrong.json()["verdict"], wrong.json()["mismatches"]) == (200, "fail", 1), wrong.text
    cut = "the end of the table is missing: the file was cut short"
    assert refused(sent(api, content[:-3], "text/csv")).endswith(cut)


@pytest.mark.parametrize("form", ["wycheproof", "acvp", "rooterberg", "accumulated"])
def test_json_in_another_layout(api: httpx.Client, form: str) -> None:
    """A client has parsed it, and writes it again."""
    document = json.loads(written(form, made()))
    for content in (json.dumps(document), json.dumps(document, indent=4)):
        assert sent(api, content.encode(), "application/json").json()["verdict"] == "pass"


@pytest.mark.parametrize("form", ["ndjson", "raw", "accumulated"])
def test_a_chain_of_products(api: httpx.Client, form: str) -> None:
    content = written(form, made(kind=CHAINED, count=9))
    assert sent(api, content, FORMATS[form].media_type).json()["verified"] == 9


@pytest.mark.parametrize(
    ("vectors", "parameter", "said"),
    [
        (made(prime="p384", count=1), "prime", "the modulus has 384 bits and the limit here is 256"),
        (made(count=COUNT + 1), "count", f"7 is outside 1 to {COUNT}, the limit here"),
        (
            VectorSet(VectorRequest.resolve(Multiplier.resolve("iddmm2", "p256", {"k": 4, "form": "printed"}), 5)),
            "count",
            "5 products in the printed form take",
        ),
    ],
    ids=["modulus", "count", "steps"],
)
@pytest.mark.parametrize("form", ["csv", "accumulated", "wycheproof"])
def test_limits(small: httpx.Client, form: str, vectors: VectorSet, parameter: str, said: str) -> None:
    answer = sent(small, written(form, vectors), FORMATS[form].media_type)
    assert said in refused(answer)
    assert answer.json()["parameter"] == parameter


def test_more_cases_than_the_head_says(small: httpx.Client) -> None:
    """They are not computed."""
    head, *cases, end = written("ndjson", made(count=2)).splitlines(keepends=True)
    answer = sent(small, head + b"".join(cases * 1000) + end, "application/x-ndjson")
    assert refused(answer) == "after case 3: the set has 2 cases: the file was cut short or added to"


@pytest.mark.parametrize("media_type", ["text/csv", "text/plain", "application/x-ndjson", "application/octet-stream"])
@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\xff\xfe\0"])
def test_files_of_others(api: httpx.Client, content: bytes, media_type: str) -> None:
    said = refused(sent(api, content, media_type))
    assert said.startswith("body: it begins like no file that limbtrace writes, which would be a vector set (json, ")


def test_other_media_types(api: httpx.Client) -> None:
    answer = sent(api, written("csv", made()), "image/png")
    assert answer.status_code == 415
    assert answer.json()["detail"].startswith("the body is image/png; it must be one of application/json, text/csv")


@pytest.mark.parametrize("media_type", ["application/octet-stream", "application/x-tar"])
def test_bytes_that_are_brackets_by_chance(api: httpx.Client, media_type: str) -> None:
    """Binary numbers are not counted as lists."""
    vectors = made("2^521-1", 1)
    content = written("raw", vectors)[:-32] + 200 * b"["
    said = refused(sent(api, content + hashlib.sha256(content).digest(), media_type))
    assert "nested" not in said


def test_an_archive_with_a_hole(api: httpx.Client) -> None:
    """A few bytes that say that they are 2^40 would not fit into the memory."""
    head = tarfile.TarInfo(MANIFEST)
    head.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(head.tobuf(tarfile.GNU_FORMAT))
    block[483:495] = b"\x80" + (1 << 40).to_bytes(11, "big")
    block[148:156] = b" " * 8
    block[148:156] = f"{sum(block):06o}\0 ".encode()
    with tarfile.open(fileobj=io.BytesIO(bytes(block) + 1024 * b"\0")) as archive:
        assert archive.getmember(MANIFEST).size == 1 << 40
    answer = sent(api, bytes(block) + 1024 * b"\0", "application/x-tar")
    assert refused(answer) == f"{MANIFEST}: the archive does not hold it: it was cut short"
