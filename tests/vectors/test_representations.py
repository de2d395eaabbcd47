# SPDX-License-Identifier: Apache-2.0
"""Digits in documents, in every representation, and back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, open_vectors, render
from limbtrace.vectors.traces import TraceRequest
from limbtrace.vectors.traces import render as render_trace
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify

TINY = Multiplier.resolve("redundant", 13, {"r1": 7, "r2": 6})


def trace(a: str, b: str, multiplier: Multiplier = TINY) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(b"".join(render_trace(TraceRequest(multiplier, a, b), "json")))
    return document


def value(digits: list[str], name: str) -> int:
    bits = int(name.removeprefix("radix 2^"))
    return sum(int(digit, 16) << bits * position for position, digit in enumerate(digits))


def contents(overlap: int, form: str) -> bytes:
    multiplier = Multiplier.resolve("redundant", "curve25519", {"overlap": overlap})
    return b"".join(render(VectorSet(VectorRequest.resolve(multiplier, 30, 4, "lazy")), form))


@pytest.mark.parametrize("overlap", [0, 1, 9])
def test_every_case_in_both_radices(overlap: int) -> None:
    head, *cases, _ = [json.loads(line) for line in contents(overlap, "ndjson").splitlines()]
    (again,) = json.loads(contents(overlap, "json"))["testGroups"]
    assert again["tests"] == cases
    wide = 0
    for case in cases:
        assert set(case["digits"]) == {"a", "b", "result"}
        for field, forms in case["digits"].items():
            assert set(forms) == {"radix 2^22", "radix 2^15"}
            for name, digits in forms.items():
                assert value(digits, name) == int(case[field], 16)
                wide += any(int(digit, 16) >> int(name[8:]) for digit in digits)
    assert (wide > 100) if overlap else wide == 0
    assert head["group"]["params"]["overlap"] == overlap


def test_the_digest_is_that_of_the_cases_without_digits() -> None:
    ends = {json.loads(contents(1, "ndjson").splitlines()[-1])["digest"], json.loads(contents(1, "json"))["digest"]}
    ends.add(json.loads(contents(1, "csv").splitlines()[-1][2:])["digest"])
    assert len(ends) == 1


def test_other_models_have_no_digits() -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("orup", "p256", {}), 3, 1, "mixed"))
    assert b"digits" not in b"".join(render(vectors, "json"))
    assert not {"digits", "representations"} & set(trace("3", "4", Multiplier.resolve("cios", 13, {"w": 4})))


def change_digit(case: dict[str, Any]) -> None:
    case["digits"]["b"]["radix 2^15"][3] = "0x1"


def drop_a_number(case: dict[str, Any]) -> None:
    del case["digits"]["a"]


def change_the_result(case: dict[str, Any]) -> None:
    case["result"] = "0x1"


WHERE = r"digits(\.\w+(\.radix 2\^\d+(\[\d+\])?)?)?"


@pytest.mark.parametrize("change", [change_digit, drop_a_number, change_the_result])
@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_digits_that_are_not_those_of_the_numbers(
    tmp_path: Path, form: str, change: Callable[[dict[str, Any]], None]
) -> None:
    content = contents(2, form)
    (tmp_path / "good").write_bytes(content)
    with open_vectors(tmp_path / "good") as reader:
        assert len(list(reader.cases())) == 30
    if form == "json":
        document = json.loads(content)
        change(document["testGroups"][0]["tests"][7])
        edited = json.dumps(document).encode()
    else:
        lines = content.splitlines()
        case = json.loads(lines[8])
        change(case)
        edited = b"\n".join([*lines[:8], json.dumps(case).encode(), *lines[9:]]) + b"\n"
    (tmp_path / "bad").write_bytes(edited)
    with (
        open_vectors(tmp_path / "bad") as reader,
        pytest.raises(DamagedFileError, match=rf"{WHERE} is (missing|.*, and .* belongs there)"),
    ):
        list(reader.cases())


def test_a_trace_of_given_digits() -> None:
    """Steps and verification use the digits as given."""
    document = trace("[104,7]", "[220,20,0]")
    assert (document["a"], document["b"], document["result"]) == ("0x3e8", "0x5dc", "0x19")
    assert document["digits"]["b"] == {"radix 2^7": ["0x5c", "0xb", "0x0"], "radix 2^6": ["0xdc", "0x14", "0x0"]}
    assert ["P", [0, 0], "0x5960"] in document["steps"]
    canonical = trace("1000", "1500")
    assert canonical["result"] == document["result"]
    assert canonical["steps"] != document["steps"]
    for seen in (document, canonical):
        assert verify(seen)["verdict"] == "pass"
    shown = document["representations"]
    assert shown == canonical["representations"]
    assert set(shown) == {"canonical", "maximal"}
    for forms in shown.values():
        assert {value(digits, name) for name, digits in forms.items()} == {0x19}
    other = {**document, "steps": canonical["steps"]}
    verdict = verify(other)
    assert (verdict["verdict"], verdict["first_divergence"]["step"]) == ("fail", ["P", [0, 0]])


@pytest.mark.parametrize(
    ("digits", "sentence"),
    [
        ({}, "digits: there is no list of digits of a with radix 2^7"),
        ({"a": {"radix 2^7": ["0x68", "0x8"]}}, "digits: those of a are not the digits of the a beside them"),
        ({"a": {"radix 2^7": ["0x68", "x"]}}, "digits: 'x' is not a hexadecimal integer such as 0x1f"),
        ({"a": {"radix 2^7": ["0x200"]}}, "digits: digit 0 is outside 0 to 2^9-1"),
        ([], "digits: there is no list of digits of a with radix 2^7"),
    ],
)
def test_a_trace_with_other_digits(digits: Any, sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        verify({**trace("[104,7]", "[220,20,0]"), "digits": digits})
    assert str(caught.value) == sentence
