# SPDX-License-Identifier: Apache-2.0
"""The scoreboard for testbenches of one's own, alone and in cocotb around a core."""

import os
import shutil
from pathlib import Path

import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

import limbtrace as lt
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.programs import process
from limbtrace.rtl_bridge.run.simulators import verilator
from tests.conftest import ROOT
from tests.sample import full

MUL = lt.multiplier("iddmm2", 0xEA7, 16)
PRODUCTS = [(0xE8A, 0xD66), (0xEA6, 1), (0, 7)]


def board() -> lt.Scoreboard:
    return lt.scoreboard(MUL, lt.core("iddmm_arch2"))


def rows(product: tuple[int, int]) -> list[dict[str, int]]:
    table = lt.core("iddmm_arch2").cycles(MUL, [product])
    return [{name: 0xBAD if cell is None else cell for name, cell in row.items()} for row in table]


def test_products_that_agree() -> None:
    checked = board()
    for product in PRODUCTS:
        checked.expect(*product)
    for product in PRODUCTS:
        for row in rows(product):
            checked.row(row)
        for step in MUL.trace(*product).named("q"):
            checked.step("q", step.value)
        checked.result(MUL(*product))
    assert checked.finish() == 3


def test_every_wrong_bit_of_a_row_is_seen() -> None:
    product = PRODUCTS[0]
    table = lt.core("iddmm_arch2").cycles(MUL, [product])
    for cycle, row in enumerate(table):
        for name, cell in row.items():
            if cell is None:
                continue
            checked = board()
            checked.expect(*product)
            for good in rows(product)[:cycle]:
                checked.row(good)
            with pytest.raises(lt.MismatchError) as caught:
                checked.row({**rows(product)[cycle], name: cell ^ 1})
            found = caught.value.divergence
            assert (found.cycle, found.signal, found.expected) == (cycle, name, f"{cell:#x}")
            assert found.rows[-1][0] == str(cycle)


def test_what_is_wrong_is_said() -> None:
    checked = board()
    checked.expect(*PRODUCTS[0])
    for value, seen in ((1, "0x1"), ("x", "x"), (None, "None")):
        with pytest.raises(lt.MismatchError, match=f"result should be 0x14bf and is {seen}"):
            checked.result(value)
    with pytest.raises(lt.MismatchError, match=r"case 0, when it is shown: q \(q\[0, 0\]\) should be 0xc and is 0xd"):
        checked.step("q", 13)
    with pytest.raises(lt.MismatchError, match="result should be 0x14bf and is none"):
        checked.finish()


def test_steps_and_rows_that_are_missing_or_too_many() -> None:
    checked = board()
    checked.expect(*PRODUCTS[0])
    checked.step("q", 0xC)
    with pytest.raises(lt.MismatchError, match="and is no event"):
        checked.result(0x14BF)
    checked = board()
    checked.expect(*PRODUCTS[0])
    for row in rows(PRODUCTS[0])[:-1]:
        checked.row(row)
    with pytest.raises(lt.MismatchError, match="should be more cycles"):
        checked.result(0x14BF)
    checked.row(rows(PRODUCTS[0])[-1])
    with pytest.raises(lt.MismatchError, match="no event and is a row after the last one"):
        checked.row(rows(PRODUCTS[0])[-1])
    for step in MUL.trace(*PRODUCTS[0]).named("q"):
        checked.step("q", step.value)
    with pytest.raises(lt.MismatchError, match="should be no event"):
        checked.step("q", 1)


def test_a_residue_is_enough_where_that_is_asked_for() -> None:
    checked = lt.scoreboard(MUL)
    checked.expect(*PRODUCTS[0])
    checked.result(0x14BF % 0xEA7, residue=True)
    checked.expect(*PRODUCTS[0])
    with pytest.raises(lt.MismatchError):
        checked.result(0x14BF % 0xEA7)


def test_wrong_requests() -> None:
    checked = lt.scoreboard(MUL)
    for call, sentence in (
        (lambda: checked.result(1), "product: "),
        (lambda: checked.expect(1 << 20, 1), "a: "),
        (lambda: checked.expect(1), "b: "),
        (lambda: checked.row({}), "core: the scoreboard has none"),
        (
            lambda: lt.scoreboard(lt.multiplier("fpmm", "p256", "2^34"), lt.core("fpmm")),
            "core: products of fpmm overlap",
        ),
    ):
        with pytest.raises(lt.ParameterError) as caught:
            call()
        assert str(caught.value).startswith(sentence)
    with_core = board()
    with_core.expect(1, 2)
    with pytest.raises(lt.ParameterError, match="iddmm_arch2 has no signal Q"):
        with_core.row({"Q": 1})
    with pytest.raises(lt.ParameterError, match="iddmm2 has no Q"):
        with_core.step("Q", 1)


FAULT = ("c_q <= u_carry", "c_q <= ~u_carry")


@pytest.mark.parametrize(
    ("simulator", "fault"),
    [
        ("icarus", None),
        ("icarus", FAULT),
        ("verilator", None),
        full(("verilator", FAULT)),
    ],
)
def test_a_cocotb_test_of_ones_own(
    simulator: str, fault: tuple[str, str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example of the documentation; with a fault in the core, it fails and says which register."""
    core = find("iddmm_arch2")
    sources = [Path(shutil.copy(source, tmp_path)) for source in core.sources]
    if fault is not None:
        (top,) = (source for source in sources if source.name == "lt_iddmm_arch2.sv")
        text = top.read_text()
        assert fault[0] in text
        top.write_text(text.replace(*fault))
    monkeypatch.setenv("PATH", process.environment()["PATH"])
    if simulator == "verilator":
        monkeypatch.setenv("PATH", f"{Path(verilator().path).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "data"))  # the runner gives the simulator the path of this process
    runner = get_runner(simulator)
    runner.build(
        sources=[str(source) for source in sources], hdl_toplevel="lt_iddmm_arch2", build_dir=tmp_path / "build",
        parameters={"K": 32, "NMax": 8}, timescale=("1ns", "1ps"), log_file=tmp_path / "build.log",
    )  # fmt: skip
    outcome = tmp_path / "results.xml"
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTEST_CURRENT_TEST", raising=False)
        runner.test(
            hdl_toplevel="lt_iddmm_arch2", test_module="cocotb_scoreboard", build_dir=tmp_path / "build",
            test_dir=tmp_path, results_xml=str(outcome), log_file=tmp_path / "run.log",
        )  # fmt: skip
    assert get_results(outcome) == (1, int(fault is not None)), (tmp_path / "run.log").read_text()[-3000:]
    if fault is not None:
        assert "in cycle 1: C should be" in (tmp_path / "run.log").read_text()
