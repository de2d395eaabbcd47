# SPDX-License-Identifier: Apache-2.0
"""Kind exhaustive: every pair that the model takes, once, in order, and no other."""

import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import exhaustive
from limbtrace.vectors.cli import cli, main
from limbtrace.vectors.exhaustive import MOST, AllPairs
from limbtrace.vectors.operands import pairs
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, native, render

SETTINGS: dict[str, dict[str, str]] = {"cios": {"radix": "2^2"}, "barrett": {"k": "6"}}
SMALL = [
    "cios",
    "r2mm",
    "mwr2mm",
    "barrett",
    "monpro",
    "barrett_reduce",
    "barrett_mul",
    "modmul",
    "square",
    "reduce",
    "redc",
    "vdf",
]
"""Models with few operands at a modulus of three bits; unary ones, and one whose b depends on a, among them."""


def request(model: str, prime: int = 7, count: int | None = None, **settings: str) -> VectorRequest:
    multiplier = Multiplier.resolve(model, prime, settings or SETTINGS.get(model, {}))
    return VectorRequest.resolve(multiplier, count, kind="exhaustive")


def ended(*words: str | Path) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as exit:
        main([*map(str, words)])
    return int(exit.value.code or 0)


def accepted(m: Multiplier, a: int, b: int) -> bool:
    try:
        m.model.check_operands(m.params, a, b)
    except ParameterError:
        return False
    return b == 0 or not m.model.unary


@pytest.mark.parametrize("model", SMALL)
def test_every_pair_once_and_in_order(model: str) -> None:
    """Against the model's own check of operands, tried on more than the range."""
    asked = request(model)
    a_most, b_most = asked.multiplier.params.limits
    tried = product(range(a_most + 3), range(b_most + 3))
    every = [(a, b) for a, b in tried if accepted(asked.multiplier, a, b)]
    assert list(pairs(asked)) == every
    assert asked.count == len(every) > 5


def test_the_small_models_are_of_all_sorts() -> None:
    models = [MODELS[name] for name in SMALL]
    assert {model.unary for model in models} == {True, False}
    assert {model.largest_b is None for model in models} == {True, False}


@pytest.mark.parametrize("count", [1, 20, 49])
def test_fewer_cases_are_the_first_ones(count: int) -> None:
    assert list(pairs(request("modmul", 7, count))) == list(pairs(request("modmul")))[:count]


def test_more_cases_than_pairs_are_refused() -> None:
    with pytest.raises(ParameterError, match="count: 50 is outside 1 to 49"):
        request("modmul", 7, 50)


@pytest.mark.parametrize(("prime", "pairs"), [(3137, 3137**2), (4097, 4097**2), (2**61 - 1, None)])
def test_the_limit(prime: int, pairs: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    if pairs is not None and pairs <= MOST:
        assert request("modmul", prime).count == pairs
        return
    assert ended("vectors", "modmul", "--prime", str(prime), "--kind", "exhaustive") == 2
    said = capsys.readouterr().err
    number = "2^121 or more" if pairs is None else str(pairs)
    assert (
        said == f"limbtrace: kind: exhaustive takes at most 16777216 pairs of operands, and here there are {number}\n"
    )


def test_more_cases_than_are_made_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Simulations have no such limit."""
    assert ended("vectors", "modmul", "--prime", "3329", "--kind", "exhaustive") == 2
    assert capsys.readouterr().err == (
        "limbtrace: count: there are 11082241 cases, and at most 10000000 are made at once: "
        "ask for as many, or for one of 2 shards\n"
    )
    first = CliRunner().invoke(
        cli, ["vectors", "modmul", "--prime", "3329", "--kind", "exhaustive", "--shard", "1/1000", "--format", "csv"]
    )
    assert first.exit_code == 0


def test_a_range_in_which_b_depends_on_a_is_not_counted_to_its_end() -> None:
    m = Multiplier.resolve("barrett", 2**127 - 1, {})
    with pytest.raises(ParameterError, match=r"there are 2\^254 or more$"):
        AllPairs(m.model, m.params, m.params.limits).check()


def test_exactly_the_limit_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustive, "MOST", 49)
    assert request("modmul", 7).count == 49
    monkeypatch.setattr(exhaustive, "MOST", 48)
    with pytest.raises(ParameterError, match="at most 48 pairs"):
        request("modmul", 7)


@pytest.mark.parametrize("worth", [1, 10_000])
def test_a_set_is_written_and_verified(worth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By C and by Python, with the same bytes; its head has the number of all pairs, and lists all of them."""
    monkeypatch.setattr(native, "WORTH", worth)
    file = tmp_path / "set.json"
    assert ended("vectors", "cios", "--prime", "13", "--kind", "exhaustive", "-o", file) == 0
    head = json.loads(file.read_text())
    assert head["numberOfTests"] == len(head["testGroups"][0]["tests"]) == 676
    assert ended("verify", file) == 0
    assert file.read_bytes() == b"".join(render(VectorSet(request("cios", 13, radix="2^34")), "json"))
