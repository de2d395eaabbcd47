# SPDX-License-Identifier: Apache-2.0
"""Cores whose time does not depend on data, and cores whose time or addresses do, in two protocols."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.dependence import Judge, TwoValuations
from limbtrace.rtl_bridge.proof.timing import Dependence, source_of
from limbtrace.rtl_bridge.proof.workers import Workers
from limbtrace.vectors.cli import MISMATCH, UNDECIDED, cli
from limbtrace.vectors.schemas import published
from tests.rtl_bridge.helpers import TOYS
from tests.rtl_bridge.proof.small_core import core as small_core

TOY = TOYS / "timing_toy"
VALID_READY = (
    'protocol = { kind = "valid-ready", in_valid = "start_i", in_ready = "idle_o", out_valid = "done_o", '
    'out_ready = "ready_i" }'
)
PROTOCOLS = ("start-done", "valid-ready")


def invoked(*words: str) -> tuple[int, str]:
    answer = CliRunner().invoke(cli, words, standalone_mode=False)
    if answer.exception is not None:
        raise answer.exception
    return int(answer.return_value or 0), answer.stdout


def timed(core: str | Path, prime: str, *words: str) -> tuple[int, Any]:
    """Exit code and document of `limbtrace prove --timing`."""
    code, text = invoked("prove", str(core), "--prime", prime, "--timing", "--json", *words)
    document = json.loads(text)
    Draft202012Validator(json.loads(published("limbtrace-timing-1.schema.json"))).validate(document)
    return code, document


def toy(folder: Path, protocol: str) -> Path:
    """The toy with one of the protocols."""
    target = folder / "timing_toy"
    target.mkdir()
    text = (TOY / "core.toml").read_text()
    if protocol == "valid-ready":
        lines = [line for line in text.splitlines() if not line.startswith("protocol")]
        text = "\n".join([*lines, VALID_READY]).replace(', { port = "ready_i", value = 1 }', "")
    (target / "core.toml").write_text(text)
    (target / "timing_toy.sv").write_text((TOY / "timing_toy.sv").read_text())
    return target


@pytest.mark.budget(12)
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("kind", "signal", "product", "source"),
    [
        (0, None, None, None),
        (1, "done_o", "first", "operands"),
        (2, "done_o", "first", "operands"),
        (3, "read address of table_q", "first", "operands"),
        (4, "done_o", "next", "earlier"),
    ],
)
def test_verdict_signal_and_witnesses(
    kind: int, signal: str | None, product: str | None, source: str | None, protocol: str, tmp_path: Path
) -> None:
    code, document = timed(toy(tmp_path, protocol), "0xfb", "--build", f"KIND={kind}")
    if signal is None:
        assert (code, document["verdict"], document["dependences"]) == (0, "constant", [])
        assert document["products"][0] == {"name": "first", "cycles": [8]}
        return
    assert (code, document["verdict"]) == (MISMATCH, "depends")
    (found,) = document["dependences"]
    assert (found["signal"], found["product"], found["source"], found["shown"]) == (signal, product, source, True)
    assert found["operands"][0] != found["operands"][1]
    witnesses = found.get("witnesses", [])
    assert len(witnesses) == (0 if found["kind"] == "address" else 2)
    if witnesses:
        assert witnesses[0]["cycles"] != witnesses[1]["cycles"]
        each = [json.loads(invoked(*shlex.split(one["replay"])[1:], "--json")[1]) for one in witnesses]
        assert each[0]["cycles"] != each[1]["cycles"]


@pytest.mark.budget(12)
def test_any_modulus() -> None:
    """The toy has the modulus as an input; with the early exit of another one its time depends on operands alone."""
    code, document = timed(TOY, "0xfb", "--any-modulus")
    assert (code, document["verdict"], document["any_modulus"]) == (0, "constant", True)
    with pytest.raises(ParameterError, match="goes with --timing"):
        invoked("prove", str(TOY), "--prime", "0xfb", "--any-modulus")


@pytest.mark.full
def test_modulus_that_sets_the_time(tmp_path: Path) -> None:
    """A core that takes one more cycle for some moduli: constant for one modulus, and not for any."""
    core = toy(tmp_path, "start-done")
    source = core / "timing_toy.sv"
    source.write_text(source.read_text().replace("(KIND == 4 && odd_q)", "p_i[1]"))
    assert timed(core, "0xfb")[1]["verdict"] == "constant"
    code, document = timed(core, "0xfb", "--any-modulus")
    assert (code, document["verdict"]) == (MISMATCH, "depends")
    (found,) = document["dependences"]
    assert found["source"] == "modulus"
    assert len(found["witnesses"]) == 2


@pytest.mark.full
def test_state_that_is_never_reached_is_open(tmp_path: Path) -> None:
    """Time that depends on a register which no product sets: no simulation shows it, and it is not called a fault."""
    core = toy(tmp_path, "start-done")
    source = core / "timing_toy.sv"
    source.write_text(source.read_text().replace("odd_q   <= sum_q[0];", "odd_q   <= sum_q > p;"))
    code, document = timed(core, "0xfb", "--build", "KIND=4")
    assert (code, document["verdict"]) == (UNDECIDED, "open")
    assert [each["shown"] for each in document["dependences"]] == [False]


@pytest.mark.budget(12)
def test_text_names_signal_operands_and_commands(tmp_path: Path) -> None:
    code, text = invoked("prove", str(toy(tmp_path, "start-done")), "--prime", "0xfb", "--build", "KIND=1", "--timing")
    assert code == MISMATCH
    assert "after a reset: done_o in cycle 1 depends on the operands" in text
    assert text.count("cycles: limbtrace sim ") == 2
    assert text.endswith("not constant time\n")


def test_judge() -> None:
    """A term that is written in two ways has one value, by the solver; one that differs for a single value does not."""
    pool = TermPool()
    workers: Workers[str] = Workers(1, 500)
    judge = Judge(pool, source_of, workers, 20)
    a, rest = pool.variable("a0", 16), pool.variable("any x 1 7:0", 8)
    doubled = pool.shifted("sll", a, pool.constant(16, 1))
    odd_square = pool.extract(pool.mul(doubled, doubled), 1, 0)
    rare = pool.equal(a, pool.constant(16, 12345))
    try:
        assert judge(pool.bvor(pool.bvand(rare, pool.bvnot(rare)), pool.extract(odd_square, 1, 1))) == 0
        tight = pool.bvult(pool.bvand(a, pool.bvnot(a)), pool.constant(16, 1))
        assert judge(tight) == 1
        found = judge(rare)
        assert isinstance(found, TwoValuations)
        assert {values["a0"] == 12345 for values in found.values} == {True, False}
        both = judge(pool.bvand(rare, pool.equal(rest, pool.constant(8, 77))))
        assert isinstance(both, TwoValuations)
    finally:
        workers.close()


@pytest.mark.budget(12)
def test_simulation_says_that_cycles_differ(tmp_path: Path) -> None:
    core = str(toy(tmp_path, "start-done"))
    asked = ("sim", core, "--prime", "0xfb", "--simulator", "icarus", "--count", "24")
    code, text = invoked(*asked, "--build", "KIND=1", "--json")
    report = json.loads(text)
    assert (code, report["mismatches"]) == (0, 0)
    assert (report["latency"]["least"], report["latency"]["most"]) == (1, 8)
    for case, cycles in zip(report["latency"]["cases"], (1, 8), strict=True):
        alone = json.loads(invoked(*asked, "--build", "KIND=1", "--only", str(case), "--json")[1])
        assert alone["cycles"] == cycles
    assert "cycles from start to done: 1 (case " in invoked(*asked, "--build", "KIND=1")[1]
    assert "latency" not in json.loads(invoked(*asked, "--json")[1])


@pytest.mark.parametrize(
    ("names", "certain"),
    [(("a0", "b0"), True), (("a0", "power-on q 3"), True), (("a0", "any q 3 7:0"), False), (("a0", "open!1"), False)],
)
def test_forgotten_values_make_no_difference_certain(names: tuple[str, str], certain: bool) -> None:
    """A variable in place of what was forgotten may not go with the operands beside it."""
    why = TwoValuations("operands", ({names[0]: 0, names[1]: 5}, {names[0]: 1, names[1]: 5}))
    assert Dependence("done", "handshake", "first", 3, why, exact=True).is_certain is certain
    assert not Dependence("done", "handshake", "first", 3, why, exact=False).is_certain


@pytest.mark.budget(5)
def test_text_for_synthesis_is_said(tmp_path: Path) -> None:
    more = '`ifndef SYNTHESIS\ninitial begin #5 $display("x"); end\n`endif'
    _, document = timed(small_core(tmp_path, more), "13")
    assert document["hypotheses"][0].startswith("the proof is of the text for synthesis: ")
