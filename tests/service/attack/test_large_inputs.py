# SPDX-License-Identifier: Apache-2.0
"""Small texts that would take long or much: refused at once, in one sentence, on the command line and over HTTP."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import MAX_BITS, parse_integer
from limbtrace.rtl_bridge.core.core import find
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, in_memory
from tests.rtl_bridge.helpers import TOYS, copy_of
from tests.vectors.test_cli import run

POWERS = "-".join(["3^82000"] * 8000)
"""64 KB, and 131 million bits of powers."""
EXPRESSIONS = {
    "powers": POWERS,
    "products": "*".join(["1"] * 32000),
    "sums": "+".join(["1"] * 32000),
    "parentheses": "(1)+" * 10000 + "1",
    "wide sums": "3^82000" + "+1" * 2000,
    "wide products": "3^41000*3^41000-" * 500 + "1",
}


@pytest.mark.parametrize("text", EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
@pytest.mark.parametrize("name", ["prime", "seed", "radix"])
def test_expressions(name: str, text: str, api: httpx.Client) -> None:
    document: dict[str, Any] = {"model": "cios", "prime": "p256", "radix": "2^16", "params": {}, "results": []}
    start = time.process_time()
    with pytest.raises(ParameterError, match="the expression"):
        parse_integer(text, name)
    assert time.process_time() - start < 0.5
    if name != "seed":
        answer = api.post("/v1/verifications", json={**document, name: text})
        assert (answer.status_code, len(answer.text) < 500) == (422, True)


def test_an_expression_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    named = ["--prime", "p256"]
    for words in (["--prime", POWERS], [*named, "--seed", POWERS], [*named, "--set", f"k={POWERS}"]):
        start = time.process_time()
        code, out, err = run(capfd, "vectors", "cios", *words)
        assert (code, out, err.count("\n"), len(err) < 300) == (2, "", 1, True)
        assert time.process_time() - start < 2


def test_expressions_that_people_write_are_as_before() -> None:
    assert parse_integer("2^255 - 19") == 2**255 - 19
    assert parse_integer("2^64*(2^64-1)+(2^96+1)^3-0xff") == 2**64 * (2**64 - 1) + (2**96 + 1) ** 3 - 255
    assert parse_integer(f"2^{MAX_BITS - 1}-1+2^{MAX_BITS - 2}") == 2 ** (MAX_BITS - 1) - 1 + 2 ** (MAX_BITS - 2)
    sums = "+".join(f"{k}*2^{64 * k}" for k in range(64))
    assert parse_integer(sums) == sum(k << 64 * k for k in range(64))
    assert parse_integer(f"{2**MAX_BITS - 1:#x}") == 2**MAX_BITS - 1


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return copy_of(TOYS / "bit_toy", tmp_path)


def points(*lists: range) -> str:
    values = ", ".join(f"{name} = {list(entries)}" for name, entries in zip(("N", "STEPS"), lists, strict=True))
    return f"synth = [{{ {values} }}]\n"


def described(folder: Path, text: str) -> None:
    path = folder / "core.toml"
    path.write_text(path.read_text().replace("\n[settings]", f"\n{text}\n[settings]", 1))


def test_points_of_a_core(toy: Path) -> None:
    described(toy, points(range(6000), range(6000)))
    start = time.process_time()
    with pytest.raises(ParameterError, match="synth has 36000000 points, and the limit is 1000"):
        find(str(toy))
    assert time.process_time() - start < 2


def test_points_of_many_entries(toy: Path) -> None:
    described(toy, "synth = [" + ", ".join(["{ N = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], STEPS = 1 }"] * 91) + "]\n")
    with pytest.raises(ParameterError, match="synth has 1001 points"):
        find(str(toy))


def test_as_many_points_as_are_allowed(toy: Path) -> None:
    described(toy, points(range(1, 41), range(1, 26)))
    assert len(find(str(toy)).file.points) == 1000


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("a = " + "[" * 100_000, "is nested too deeply"), ("#" * (1 << 20), "is longer than 1048576 bytes")],
)
def test_descriptions(text: str, sentence: str, toy: Path) -> None:
    described(toy, text)
    with pytest.raises(ParameterError, match=f"core.toml {sentence}"):
        find(str(toy))


def chunks(count: int) -> Iterator[bytes]:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "p256", {"radix": "2^16"}), count))
    return in_memory.write(vectors)


def test_a_large_archive_waits_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a million products 130 MB would wait, and of the largest sets a gigabyte."""
    waiting: list[int] = []

    class Spool:
        def __init__(self, *_: object) -> None:
            waiting.append(1)
            raise OSError("a temporary file")

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", Spool)
    archive = chunks(1_000_000)
    assert len(next(archive)) == 512
    assert next(archive)
    assert waiting == []
    with pytest.raises(OSError, match="a temporary file"):
        list(chunks(1000))


def test_the_bytes_do_not_depend_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    spooled = b"".join(chunks(600))
    monkeypatch.setattr(in_memory, "SPOOL", 600 * 2 * 65 - 1)
    assert b"".join(chunks(600)) == spooled
