# SPDX-License-Identifier: Apache-2.0
"""Disturbances: correct cores tolerate all of them, and each finds a fault that nothing else finds."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import is_prime

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.factors import factors
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES, SMALL_FACTOR_BITS, OtherModulus
from limbtrace.rtl_bridge.run.lockstep_stimulus import trials
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import CORE, CORES, TOYS, copy_of, job

SMALL = {"radix": "2^4"}
WIDE = {"radix": "2^16"}
ALL = ",".join(DISTURBANCES)
HANDSHAKE = 'kind = "valid-ready"\nin_valid = "IV"\nin_ready = "IR"\nout_valid = "OV"\nout_ready = "OR"\n'
PULSES = 'kind = "start-done"\nstart = "IV"\ndone = "OV"\nrestart = "after"\n\n[[input]]\nport = "OR"\nvalue = 1\n'


def disturbed(core: str | Path, kinds: str, **fields: Any) -> Report:
    """A run with these kinds, separated by commas."""
    return simulate(job(core, disturb=tuple(kinds.split(",")), **{"kind": "random", **fields}))


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize(
    ("core", "prime", "never"),
    [*((core, "secp256k1", ["stalls"]) for core in CORES), (TOYS / "digit_toy", "2^61-1", ["size", "write"])],
)
@pytest.mark.budget(14)
def test_good_cores_bear_everything(core: str | Path, prime: str, never: list[str], simulator: str) -> None:
    report = disturbed(core, ALL, prime=prime, settings=WIDE, simulator=simulator)
    assert report.passed, report.text()
    assert report.document["verified"] == 40
    counts = report.document["disturbances"]
    assert list(counts) == list(DISTURBANCES)
    assert [kind for kind, times in counts.items() if not times] == never
    assert counts["modulus"] + counts["size"] == 79
    assert "disturbances: start " in report.text()


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("levels", [1, 2])
def test_good_cores_bear_everything_with_pipeline_levels(levels: int, core: str) -> None:
    report = disturbed(core, ALL, prime="secp256k1", settings={**WIDE, "pipeline": levels})
    assert report.passed, report.text()
    assert all(times for kind, times in report.document["disturbances"].items() if kind != "stalls")


def test_both_simulators_are_disturbed_alike() -> None:
    reports = [
        disturbed(TOYS / "digit_toy", ALL, prime="2^61-1", settings=WIDE, simulator=simulator).document
        for simulator in ("icarus", "verilator")
    ]
    assert reports[0]["disturbances"] == reports[1]["disturbances"]


def test_a_core_with_a_reset_between_the_edges_and_one_without_busy(tmp_path: Path) -> None:
    pulses = copy_of(TOYS / "bit_toy", tmp_path, ("core.toml", HANDSHAKE, PULSES))
    never = {"write", "load"}
    for core, others in ((TOYS / "bit_toy", {"start", "again", "size"}), (pulses, {"stalls"})):
        report = disturbed(core, ALL, prime="mldsa", count=60)
        assert report.passed, report.text()
        assert {kind for kind, times in report.document["disturbances"].items() if not times} == never | others


# Faults: kinds that find them, core, edits of its source (old text, new text).
FAULTS = {
    "busy ignored": ("start", CORE, [("= start_i & ~busy_o;", "= start_i;")]),
    "operand taken without ready": (
        "start",
        "digit_toy",
        [("y        <= y >> D;", "y        <= y >> D;\n        if (req_valid) x <= lhs;")],
    ),
    "carry survives a reset": (
        "reset",
        CORE,
        [("(take_start | u_last) c_q", "(u_last) c_q"), ("    c_q;  ", "    c_q = '0;  ")],
    ),
    "rounds survive a reset": (
        "reset",
        "digit_toy",
        [
            ("rounds <= ROUNDS;", ""),
            ("if (rounds == 1) phase <= REDUCING;", "if (rounds == 1) begin phase <= REDUCING; rounds <= ROUNDS; end"),
            ("rounds;\n", "rounds = ROUNDS;\n"),
        ],
    ),
    "constant latched at reset": (
        "modulus",
        CORE,
        [
            (
                "    .p_prime_i(p_prime_i),\n    .s_i",
                "    .p_prime_i(kept),\n    .s_i",
            ),
            (
                "  lt_mont_products #(",
                "  logic [K-1:0] kept;\n  always_ff @(posedge clk_i) if (!rst_ni) kept <= p_prime_i;\n"
                "  lt_mont_products #(",
            ),
        ],
    ),
    "modulus written once": (
        "modulus",
        CORE,
        [
            (
                "if (p_we) p_mem[wr_addr_i] <= wr_data_i;",
                "if (!rst_ni) written <= '0;\n    else if (clear_o) written <= 1'b1;\n"
                "    else if (p_we && !written) p_mem[wr_addr_i] <= wr_data_i;",
            ),
            ("  logic         wr_take;\n", "  logic         wr_take, written;\n"),
        ],
    ),
    "select read while not enabled": (
        "unknown",
        CORE,
        [("<= u_carry;", "<= (wr_sel_i == 2'd3) ? '0 : u_carry;")],
    ),
    "operand read at the end": (
        "unknown",
        "digit_toy",
        [("= acc[BITS-1:0];", "= (^lhs === 1'bx) ? '0 : acc[BITS-1:0];")],
    ),
}


ALSO = {"modulus": {"size", "unknown"}, "unknown": {"write"}}
"""Kinds that find what another kind is there for."""


def faulty(what: str, folder: Path) -> tuple[Path, str]:
    """A copy of the core with that fault, and the kind that finds it."""
    kind, core, edits = FAULTS[what]
    path = CORE if core == CORE else TOYS / core
    return copy_of(path, folder, *(("*.sv", old, new) for old, new in edits)), kind


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_found_by_its_disturbance_alone(what: str, tmp_path: Path) -> None:
    core, kind = faulty(what, tmp_path)
    rest = ",".join(other for other in DISTURBANCES if other not in {kind, *ALSO.get(kind, ())})
    quiet = disturbed(core, rest, settings=SMALL)
    assert quiet.passed, quiet.text()
    assert not disturbed(core, kind, settings=SMALL).passed


def test_a_fault_that_needs_random_inputs_is_found_in_verilator_too(tmp_path: Path) -> None:
    core, kind = faulty("select read while not enabled", tmp_path)
    assert not disturbed(core, kind, settings=SMALL, simulator="verilator").passed


@pytest.mark.parametrize("what", ["carry survives a reset", "constant latched at reset", "busy ignored"])
def test_the_replay_of_a_single_case_shows_it_again(
    what: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    core, kind = faulty(what, tmp_path)
    found = disturbed(core, kind, settings=SMALL).document["first_divergence"]
    assert f"--disturb {kind}" in found["replay"]
    assert ("reset" if kind == "reset" else "modulus") in found.get("disturbed", {"modulus": "the asked one"})
    with pytest.raises(SystemExit) as ended:
        main([*shlex.split(found["replay"])[1:], "--json"])
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out)["first_divergence"] == found


def test_every_cycle_of_a_product_is_struck_by_a_reset() -> None:
    asked = job(settings=SMALL, count=400, disturb=("reset",))
    run = settle(asked)
    assert run.bound.plan is not None
    struck = [trial.disturbed["reset"] for trial in trials(run) if trial.disturbed]
    late = [reset for reset in struck if "early" not in reset]
    assert {reset["cycle"] for reset in late if "from_end" in reset} == {0, 1, 2, 3}
    assert {reset["cycle"] for reset in late if "from_end" not in reset} == set(range(run.bound.plan.cycles + 1))
    assert {reset["cycles"] for reset in late} == {1, 2, 3, 4, 8}
    assert 50 < len(struck) - len(late) < 150  # while operands are loaded
    assert 100 < len(late) < 300  # the others follow the product before them without a reset


def test_a_modulus_without_another_of_its_length_is_no_obstacle() -> None:
    report = disturbed(CORE, "modulus", prime="3", settings=SMALL, kind="lazy")
    assert report.passed
    assert report.document["disturbances"] == {"modulus": 0}


@pytest.mark.parametrize("prime", ["8380417", "2^61-1", "p256", "2^521-1"])
def test_one_of_the_other_moduli_is_a_product_of_two_primes(prime: str) -> None:
    """Of as many bits, and with a factor that events find."""
    bound = settle(job(TOYS / "vhdl_mont", prime)).bound
    *_, last = OtherModulus().moduli(bound)
    assert last.bit_length() == bound.multiplier.modulus.bits
    small, large = factors(last)
    assert small < 1 << SMALL_FACTOR_BITS
    assert is_prime(large)


def test_a_core_for_primes_has_no_composite_modulus(tmp_path: Path) -> None:
    core = copy_of(TOYS / "vhdl_mont", tmp_path, ("core.toml", 'modulus = ["odd"]', 'modulus = ["prime"]'))
    assert all(map(is_prime, OtherModulus().moduli(settle(job(core, "8380417")).bound)))


def test_a_fault_that_composite_moduli_alone_show(tmp_path: Path) -> None:
    """A last subtraction that is missing where the value is the modulus."""
    core = copy_of(TOYS / "vhdl_mont", tmp_path, ("vhdl_mont.vhd", "when acc >= m and", "when acc > m and"))
    asked: dict[str, Any] = {"prime": "2^61-1", "kind": "directed", "count": 60}
    assert simulate(job(core, **asked)).passed
    found = simulate(job(core, **asked, disturb=("modulus",))).tally.divergence
    assert found is not None
    assert found.expected == "0x0"


def test_an_unknown_operand_is_seen_as_x(tmp_path: Path) -> None:
    core = copy_of(TOYS / "digit_toy", tmp_path, ("digit_toy.sv", "acc + W'(x)", "acc + W'(lhs)"))
    found = disturbed(core, "unknown", settings=SMALL).tally.divergence
    assert found is not None
    assert (found.signal, found.step, found.seen) == ("dbg_digit", ("q", (0, 0)), "0xx")


def test_a_ready_that_nobody_knows_is_named_as_such(tmp_path: Path) -> None:
    core = copy_of(TOYS / "digit_toy", tmp_path, ("digit_toy.sv", "req_ready  = phase == WAITING", "req_ready = 1'bx"))
    found = disturbed(core, "stalls", settings=SMALL).tally.divergence
    assert found is not None
    assert (found.case, found.cycle, found.signal, found.expected, found.seen) == (0, None, "req_ready", "known", "0xx")


@pytest.mark.parametrize("mode", ["bulk", "fast"])
def test_other_modes_refuse(mode: str) -> None:
    with pytest.raises(ParameterError, match=f"disturb: goes with mode lockstep; mode {mode} is asked for"):
        settle(job(mode=mode, disturb=("start",), simulator="verilator"))
