# SPDX-License-Identifier: Apache-2.0
"""Operands in two's complement by every way in which a core is given them, disturbed as far as its contract goes."""

import shutil
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, job

CENTRED = 'signed = true, above = "-(p + 1) // 2", below = "(p + 1) // 2"'
FULL = 'signed = true, below = "p"'
WAYS = {
    "memory": (
        "bank_toy",
        "bank_toy.sv",
        [("x_q <= a_q;", "x_q <= a_q[W-1] ? a_q + p : a_q;"), ("y_q <= b_q;", "y_q <= b_q[W-1] ? b_q + p : b_q;")],
        [("N + 3", "N + 4"), ('value = "a", select', f'value = "a", {FULL}, select'),
         ('value = "b", select', f'value = "b", {FULL}, select')],
    ),
    "fetched": (
        "fetch_toy",
        "fetch_toy.sv",
        [("{2'b00, a_q}", "{2'b00, a_q[63] ? a_q + m_q : a_q}")],
        [('name = "a", port', f'name = "a", {FULL}, port'), ("N <= 64", "N <= 63")],
    ),
    "stream": (
        "stream_toy",
        "stream_toy.sv",
        [("{2'b00, ab_q[63:0]}", "{2'b00, ab_q[63] ? ab_q[63:0] + p_q : ab_q[63:0]}")],
        [('value = "a", prefix', f'value = "a", {FULL}, prefix'), ("N <= 64", "N <= 63")],
    ),
    "bus": (
        "lite_toy",
        "lite_toy.sv",
        [(".A(a[N:0])", ".A(a[63] ? (N+1)'(a + p) : a[N:0])")],
        [('value = "a", offset', f'value = "a", {CENTRED}, offset'), ("../bit_toy/bit_toy.v", "bit_toy.v")],
    ),
}  # fmt: skip
"""By way: a toy, its source, what makes it take negative numbers, and what says so in its description."""


def toy(folder: Path, way: str, *, sound: bool = True) -> Path:
    """The toy of a way with signed operands; not `sound`: it takes them for numbers without a sign."""
    name, source, rtl, description = WAYS[way]
    target = folder / name
    shutil.copytree(TOYS / name, target)
    shutil.copy(TOYS / "bit_toy" / "bit_toy.v", target)
    for path, edits in ((target / source, rtl if sound else []), (target / "core.toml", description)):
        text = path.read_text()
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
    return target


@pytest.mark.parametrize("way", WAYS)
def test_every_way_takes_negative_operands(way: str, tmp_path: Path) -> None:
    report = simulate(job(toy(tmp_path, way), "0xfff1", count=12, disturb=DISTURBANCES))
    assert report.passed, report.text()


@pytest.mark.parametrize("way", WAYS)
def test_a_forgotten_sign_is_found(way: str, tmp_path: Path) -> None:
    assert not simulate(job(toy(tmp_path, way, sound=False), "0xfff1", count=12, mode="bulk")).passed
