# SPDX-License-Identifier: Apache-2.0
"""Mutation test: faults injected into the core are found, and the first signal and cycle that show them are named."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORE, CORES, TOYS, copy_of, job
from tests.rtl_bridge.run.test_bulk import EVERY_CYCLE, divergence

N = 3
PERIOD = N + 2
SMALL = {"radix": "2^4"}

# Faults: old text, new text, signal, cycle modulo the length of a pass; None: seen before the first product.
Mutation = tuple[str, str, str, int | None]
CONTROL: dict[str, Mutation] = {
    "q made from the high half of S": ("s_i      (s_last[K-1:0])", "s_i      (s_last[K2-1:K])", "q", 0),
    "A not taken as 0 in pass 0": ("(busy_o && (pass_q == '0))", "(1'b0)", "S", 0),
    "A written one word too high": ("u_addr - AddrW'(1);", "u_addr;", "A_addr", 2),
    "first word of A not written": ("& (u_addr != '0)", "& (u_addr > 1)", "A_we", 2),
    "done never": ("? last_digit & last_pass : drained;", "? 1'b0 : drained;", "done_o", PERIOD - 1),
    "done one cycle early": ("done_o     = done_q;", "done_o = last_digit & last_pass;", "done_o", PERIOD - 2),
    "done unknown": ("done_o     = done_q;", "done_o = 1'bx;", "done_o", None),
    "a cycle too many in a pass": ("(digit == n_i)", "(digit == n_i + 1)", "assertion", 0),
}
ARCH1: dict[str, Mutation] = {
    "C_S dropped out of digit n": ("a_top = s_last[K+1:K] + 2'", "a_top = 2'", "An", PERIOD - 1),
    "C_U dropped out of digit n": ("s_last[K+1:K] + 2'(u_sum[K])", "s_last[K+1:K]", "An", PERIOD - 1),
    "C_S not added": (" + K2'(cs_q);", ";", "S", 4),
    "C_R not added": (" + K2'(cr_q);", ";", "R", 2),
    "C_U not added": ("+ (K + 1)'(cu_q);", ";", "U", 2),
    "C_S one bit short": ("<= s_sum[K2-1:K];", "<= K'(s_sum[K2-2:K]);", "CS", 2),
    "C_R one bit short": ("<= r_sum[K2-1:K];", "<= K'(r_sum[K2-2:K]);", "CR", 2),
    "C_S not cleared after digit n": ("      cs_q <= '0;", "      if (take_start) cs_q <= '0;", "CS", PERIOD - 1),
    "C_R cleared a digit early": ("<= r_sum[K2-1:K];", "<= (u_frame.digit + 1 == n_i) ? '0 : r_sum[K2-1:K];", "CR", 3),
    "C_U not cleared after digit n": ("(take_start | u_last) cu_q", "(take_start) cu_q", "CU", PERIOD - 1),
    "U taken from the high half of R": ("(K + 1)'(r_last[K-1:0])", "(K + 1)'(r_last[K2-1:K])", "U", 1),
}
ARCH2: dict[str, Mutation] = {
    "carry out of digit n dropped": ("a_top   = 2'(u_carry);", "a_top   = '0;", "An", PERIOD - 1),
    "carry register one bit short": ("<= u_carry;", "<= {1'b0, u_carry[K-1:0]};", "C", PERIOD - 2),
    "carry not cleared after digit n": ("(take_start | u_last) c_q", "(take_start) c_q", "C", PERIOD - 1),
    "carry cleared a digit early": ("<= u_carry;", "<= (u_frame.digit + 1 == n_i) ? '0 : u_carry;", "C", PERIOD - 2),
}
MUTATIONS = {
    (core, what): mutation
    for core, own in zip(CORES, (ARCH1, ARCH2), strict=True)
    for what, mutation in {**CONTROL, **own}.items()
}


@pytest.mark.parametrize(("name", "what"), MUTATIONS)
def test_is_found_and_located(name: str, what: str, tmp_path: Path) -> None:
    """The file harness with every cycle finds the same difference as lock-step."""
    old, new, signal, place = MUTATIONS[name, what]
    core = copy_of(name, tmp_path, ("*.sv", old, new))
    found = divergence(core, settings=SMALL, kind="lazy")
    assert (found.signal, None if found.cycle is None else found.cycle % PERIOD) == (signal, place)
    assert divergence(core, settings=SMALL, kind="lazy", **EVERY_CYCLE) == found


# Faults with pipeline levels: cores, levels, modulus, fault, signal, cycle within a pass.
LEVELS: dict[str, tuple[tuple[str, ...], int, str, str, str, str, int]] = {
    "no way around the memory, one digit": (CORES, 1, "13", "(Pipeline != 0) && a_we", "1'b0 && a_we", "AD", 0),
    "no way around the memory, two digits": (CORES, 2, "251", "(Pipeline != 0) && a_we", "1'b0 && a_we", "AD", 0),
    "last word of A not written": (CORES, 2, "0xea7", "run1_q : run2_q", "run1_q : run1_q", "A_we", 1),
    "address of A a level early": (CORES, 2, "0xea7", "addr1_q : addr2_q", "addr1_q : addr1_q", "A_we", 5),
    "q loaded a cycle early": (CORES, 1, "0xea7", "(t_q == Levels);", "(t_q + 1 == Levels);", "q", 0),
    "levels do not run empty": (CORES, 1, "0xea7", "? StIdle : StDrain;", "? StIdle : StIdle;", "done_o", 0),
    "C_S from behind the second level": (CORES[:1], 2, "0xea7", "<= s_sum[K2-1:K];", "<= sr_q[K2-1:K];", "CS", 6),
    "C cleared a digit early": (CORES[1:], 2, "0xea7", "? last1_q : last2_q", "? last1_q : last1_q", "C", 0),
}


@pytest.mark.parametrize(("name", "what"), [(core, what) for what, (cores, *_) in LEVELS.items() for core in cores])
def test_is_found_and_located_with_pipeline_levels(name: str, what: str, tmp_path: Path) -> None:
    _, levels, prime, old, new, signal, place = LEVELS[what]
    core = copy_of(name, tmp_path, ("*.sv", old, new))
    asked = job(core, prime, settings={**SMALL, "passes": 3, "pipeline": levels}, kind="lazy")
    found = simulate(asked).tally.divergence
    assert found is not None
    assert found.cycle is not None
    n = settle(asked).bound.multiplier.params.named["n"]
    assert (found.signal, found.cycle % (n + 2 + levels)) == (signal, place)


def test_a_register_without_a_value_is_shown_as_x(tmp_path: Path) -> None:
    edit = ("*.sv", "(busy_o && (pass_q == '0))", "(1'b0)")
    found = simulate(job(copy_of(CORE, tmp_path, edit), settings=SMALL, kind="mixed")).tally.divergence
    assert found is not None
    assert (found.case, found.step, found.expected, found.seen) == (0, ("S", (0, 0)), "0x0", "0xxx")


def test_a_core_that_never_takes_a_product(tmp_path: Path) -> None:
    edit = ("*.sv", "(state_q != StIdle)", "1'b1")
    found = simulate(job(copy_of(CORE, tmp_path, edit), settings=SMALL)).tally.divergence
    assert found is not None
    assert (found.case, found.cycle, found.signal, found.seen) == (0, None, "busy_o", "0x1")


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_a_hanging_core_ends(mode: str, tmp_path: Path) -> None:
    edit = ("bit_toy.v", "full <= 1;", "full <= 0;")
    found = simulate(job(copy_of(TOYS / "bit_toy", tmp_path, edit), mode=mode)).tally.divergence
    assert found is not None
    assert (found.case, found.signal, found.expected, found.seen) == (0, "OV", "0x1", "0x0")


@pytest.mark.parametrize(
    ("old", "new", "port", "step"),
    [
        ("row[D-1:0] * minus_inverse", "row[D-1:0] * minus_inverse + 1", "dbg_digit", ("q", (0, 0))),
        ("dbg_strobe = phase == ROWS", "dbg_strobe = phase == ROWS && rounds != 2", "dbg_digit", None),
        ("dbg_strobe = phase == ROWS", "dbg_strobe = phase == ROWS || phase == REDUCING", "dbg_digit", None),
        ("dbg_kept <= factor;", "dbg_kept <= factor + (rounds == 1);", "dbg_kept", ("q", (3, 0))),
    ],
    ids=["wrong value", "missing event", "surplus event", "wrong register"],
)
def test_events_are_compared_in_order(
    old: str, new: str, port: str, step: tuple[str, tuple[int, ...]] | None, tmp_path: Path
) -> None:
    core = copy_of(TOYS / "digit_toy", tmp_path, ("digit_toy.sv", old, new))
    found = simulate(job(core, settings=SMALL, kind="random")).tally.divergence
    assert found is not None
    assert found.signal == port
    if step is not None:
        assert found.step == step


@pytest.mark.parametrize(
    ("old", "new", "signal"),
    [
        ("default: if (rsp_ready)", "default: if (1)", "rsp_valid"),
        ("acc + W'(x)", "acc + W'(lhs)", "dbg_digit"),
        ("req_ready  = phase == WAITING", "req_ready  = 0", "rsp_valid"),
    ],
    ids=["result not held", "operand taken too late", "never ready"],
)
def test_the_handshake_is_taken_seriously(old: str, new: str, signal: str, tmp_path: Path) -> None:
    core = copy_of(TOYS / "digit_toy", tmp_path, ("digit_toy.sv", old, new))
    found = simulate(job(core, settings=SMALL, kind="random")).tally.divergence
    assert found is not None
    assert found.signal == signal


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_a_wrong_result_without_anything_watched(mode: str, tmp_path: Path) -> None:
    core = copy_of(TOYS / "bit_toy", tmp_path, ("bit_toy.v", "even >> 1;", "(even >> 1) ^ (left == 1 && t[3:0] == 5);"))
    report = simulate(job(core, mode=mode, count=200, stream=1))
    found = report.tally.divergence
    assert found is not None
    assert found.signal == "result"
    assert found.case == report.tally.verified > 0
    assert found.expected != found.seen


@pytest.mark.parametrize("core", [CORE, "digit_toy"])
def test_a_done_that_nobody_knows_is_named_as_such(core: str, tmp_path: Path) -> None:
    edits: dict[str, tuple[str | Path, str, str, str]] = {
        CORE: (CORE, "*.sv", "done_o     = done_q;", "done_o = done_q ? 1'bx : 1'b0;"),
        "digit_toy": (TOYS / "digit_toy", "digit_toy.sv", "rsp_valid  = phase == OFFERING", "rsp_valid = 1'bx"),
    }
    folder, name, old, new = edits[core]
    found = simulate(job(copy_of(folder, tmp_path, (name, old, new)), settings=SMALL)).tally.divergence
    assert found is not None
    signal, expected, cycle = ("done_o", "0x1", N * PERIOD - 1) if core == CORE else ("rsp_valid", "0x0", None)
    assert (found.signal, found.expected, found.seen, found.cycle) == (signal, expected, "0xx", cycle)
