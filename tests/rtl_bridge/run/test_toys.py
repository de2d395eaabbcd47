# SPDX-License-Identifier: Apache-2.0
"""Cores unknown to the bridge: only a folder with RTL and a core.toml."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, copy_of, job


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize(
    ("toy", "settings", "prime"),
    [("digit_toy", {"radix": "2^16"}, "2^61-1"), ("digit_toy", {"radix": "2^8"}, "mldsa"), ("bit_toy", {}, "2^31-1")],
)
def test_in_icarus(mode: str, toy: str, settings: dict[str, str], prime: str) -> None:
    report = simulate(job(TOYS / toy, prime, settings=settings, mode=mode, kind="lazy", count=60))
    assert report.passed, report.text()
    assert report.document["verified"] == 60


@pytest.mark.parametrize(
    ("toy", "settings", "prime", "mode"),
    [("digit_toy", {"radix": "2^16"}, "2^61-1", "lockstep"), ("bit_toy", {}, "2^31-1", "bulk")],
)
def test_in_verilator(toy: str, settings: dict[str, str], prime: str, mode: str) -> None:
    asked = job(TOYS / toy, prime, settings=settings, mode=mode, simulator="verilator", kind="lazy", count=500)
    report = simulate(asked)
    assert report.passed, report.text()
    assert report.document["verified"] == 500


def test_a_start_and_a_done_without_busy(tmp_path: Path) -> None:
    handshake = 'kind = "valid-ready"\nin_valid = "IV"\nin_ready = "IR"\nout_valid = "OV"\nout_ready = "OR"\n'
    pulses = 'kind = "start-done"\nstart = "IV"\ndone = "OV"\n\n[[input]]\nport = "OR"\nvalue = 1\n'
    core = copy_of(TOYS / "bit_toy", tmp_path, ("core.toml", handshake, pulses))
    for mode in ("lockstep", "bulk"):
        report = simulate(job(core, "mldsa", mode=mode))
        assert report.passed, report.text()
        assert report.document["verified"] == 40


def test_a_row_that_comes_from_the_handshake(tmp_path: Path) -> None:
    """A watched port, an event and a handshake signal may be the same port."""
    row = '\n[[row]]\nport = "rsp"\nmatch = "event"\nstep = "q"\nwhen = "rsp_valid"\n'
    core = copy_of(TOYS / "digit_toy", tmp_path)
    (core / "core.toml").write_text((core / "core.toml").read_text() + row)
    found = simulate(job(core, settings={"radix": "2^4"}, kind="random")).tally.divergence
    assert found is not None
    assert (found.signal, found.step, found.cycle) == ("rsp", ("q", (0, 0)), 5)


def test_the_convention_of_the_core_is_a_parameter() -> None:
    bound = settle(job(TOYS / "digit_toy", "2^61-1", settings={"radix": "2^16"})).bound
    assert bound.multiplier.params.named == {"n": 4, "passes": 5}
    assert bound.parameters == {"BITS": 64, "D": 16}


@pytest.mark.parametrize("mode", ["lockstep", "bulk", "fast"])
def test_a_timeout_means_what_it_says(mode: str, tmp_path: Path) -> None:
    """A product that takes a cycle longer is a difference, however soon it is done then."""

    def report(timeout: int) -> Report:
        edit = ("core.toml", "timeout = 4", f"timeout = {timeout}")
        core = copy_of(TOYS / "wide_toy", tmp_path / str(timeout), edit)
        return simulate(job(core, "2^31-1", mode=mode, simulator=simulator, stream=1))

    simulator = "verilator" if mode == "fast" else "icarus"
    passed = report(40)
    latency = passed.tally.cycles // passed.tally.verified
    assert report(latency).passed
    found = report(latency - 1).tally.divergence
    assert found is not None
    assert (found.case, found.cycle, found.signal, found.seen) == (0, latency - 2, "there", "0x0")
    assert f"timeout allows {latency - 1} cycles from start to done, and this one took {latency}" in found.sentence()
