# SPDX-License-Identifier: Apache-2.0
"""The core `fpmm`: the designs of the paper's Table II and words of 17 bits, every register in every cycle, and faults
that are found.
"""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.papers.fpmm.design import Design
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.rtl_bridge.core.core import BUILT_IN
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import copy_of
from tests.sample import full

PRIMES = {128: "2^128-159", 256: "secp256k1"}
MODULI = {128: 2**128 - 159, 256: 2**256 - 2**32 - 977}
TABLE_2 = [(128, code) for code in ("F44B", "S44B", "F44D", "S44D")] + [
    (256, code) for code in ("F28B", "F28D", "F48B", "F48D", "S28B", "S48B")
]
VERSIONS = {"F": "fast", "S": "small"}


def asked(bits: int, code: str, core: str | Path = "fpmm", simulator: str = "icarus", disturb: bool = True) -> Job:
    design = Design.parse(code, bits)
    settings: dict[str, str | int] = {"sigma": design.sigma, "theta": design.theta, "version": VERSIONS[design.version]}
    return Job(
        core=str(core), prime=PRIMES[bits], settings=settings, build={"Dram": int(design.storage == "D")}, count=12,
        kind="lazy", simulator=simulator, disturb=DISTURBANCES if disturb else (),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("bits", "code"),
    [row if row[0] == 128 or row == (256, "F28D") else full(row) for row in TABLE_2],
)
def test_designs_of_table_2(bits: int, code: str) -> None:
    """Back to back, with gaps, after resets and other moduli, with unknown values on idle ports."""
    report = simulate(asked(bits, code))
    assert report.passed, report.text()
    assert report.document["verified"] == 12
    counts = report.document["disturbances"]
    assert [kind for kind, times in counts.items() if not times] == ["size", "again", "write", "load"]


def test_a_load_without_ready(tmp_path: Path) -> None:
    """A load that is taken before there is a modulus, or while there is a new one."""
    edit = (
        "lt_fpmm.sv",
        "assign active     = run_q & (load_i | (iter != '0));",
        "assign active     = load_i | (iter != '0);",
    )
    wanted = asked(128, "F44D", core=copy_of("fpmm", tmp_path, edit), disturb=False)
    assert simulate(wanted).passed
    assert not simulate(wanted.model_copy(update={"disturb": ("start", "modulus")})).passed


@pytest.mark.parametrize(("bits", "code"), [row if row == (128, "F44D") else full(row) for row in TABLE_2])
def test_designs_of_table_2_in_verilator(bits: int, code: str) -> None:
    assert simulate(asked(bits, code, simulator="verilator")).passed


@pytest.mark.parametrize(
    ("old", "new", "signals"),
    [
        ("vu_d            = v_high + W'(v_low[W])", "vu_d            = v_high", {"vu"}),
        ("1'b1} + {1'b0, vu_q, u_q[W]}", "1'b1} + {1'b0, vu_q, 1'b0}", {"u"}),
        ("w_high_late, t_q[W]}", "w_high_late, 1'b0}", {"t"}),
        ("tm_q       <= feed ? tm_d : '0;", "tm_q       <= tm_d;", {"tm_d", "tm"}),
        ("lm_o       = lm_q;", "lm_o       = '0;", {"lm", "lm_o"}),
    ],
    ids=["carry of VH", "carry of U", "carry of T", "old words in a new product", "taker"],
)
def test_a_fault_is_found_and_located(old: str, new: str, signals: set[str], tmp_path: Path) -> None:
    core = copy_of("fpmm", tmp_path, ("lt_fpmm.sv", old, new))
    found = simulate(asked(128, "F44D", core, disturb=False)).tally.divergence
    assert found is not None
    assert found.signal in signals


SINGLE_DIGITS = [(bits, version, dram) for bits in PRIMES for version in VERSIONS.values() for dram in (0, 1)]
"""Words of 17 bits, in three DSP blocks."""


def of_17_bits(bits: int, version: str = "fast", dram: int = 1, **fields: Any) -> Job:
    settings: dict[str, str | int] = {"w": 17, "version": version}
    return Job(**{
        "core": "fpmm", "prime": PRIMES[bits], "settings": settings, "build": {"Dram": dram}, "simulator": "icarus",
        **fields,
    })  # fmt: skip


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize(
    ("bits", "version", "dram"),
    [row if row == (128, "small", 0) else full(row) for row in SINGLE_DIGITS],
)
def test_words_of_17_bits(bits: int, version: str, dram: int, simulator: str) -> None:
    asked = of_17_bits(bits, version, dram, simulator=simulator, count=12, kind="directed", disturb=DISTURBANCES)
    report = simulate(asked)
    assert report.passed, report.text()
    assert report.document["verified"] == 12
    assert report.signals == 51


@pytest.mark.parametrize("mode", ["bulk", "fast"])
def test_words_of_17_bits_in_other_modes(mode: str) -> None:
    """Back to back through the harness of files, and in batches; every word of a result is compared."""
    fields: dict[str, Any] = {"every_cycle": True} if mode == "bulk" else {"simulator": "verilator"}
    assert simulate(of_17_bits(128, mode=mode, count=60, kind="directed", **fields)).passed


@pytest.mark.parametrize("bits", [128, full(256)])
def test_corners_of_single_digits(bits: int) -> None:
    """Quotient digits of 0 and of all ones, results from P on, and a carry of task 1 through all words."""
    architecture, ones = ARCHITECTURES["fpmm"], (1 << 17) - 1
    p = MODULI[bits]
    shape = architecture.resolve(p, {"w": 17})
    params, s = shape.params, shape.params.digits
    root = 1 << 17 * s // 2
    rippling = (1 << 17 * (s - 1)) - 1 - sum(1 << 17 * j for j in range(1, s - 1))  # words of -2, and -1 as the lowest
    pairs = [(p, 1), (root, root), (0, 2 * p - 1), (p, p), (ones, rippling), (2 * p - 1, 2 * p - 1), (0, 0)]

    runs = [architecture.model.run(params, a, b) for a, b in pairs]
    assert [run.result >= p for run in runs] == [True, False, False, True, False, False, False]
    assert [{run.at("q", params.sigma * i) for i in range(s)} for run in runs[:3]] == [{ones}, {0}, {0}]
    (words, _), (_, others) = params.split(ones, 0), params.split(0, rippling)
    steps = {(name, index): value for name, index, value in architecture.steps(shape, [words], [others])}
    assert [steps["U", (0, j)] >> 17 for j in range(s)] == [0, *[1] * (s - 2), 0]

    asked = of_17_bits(bits, operands=tuple(f"{a},{b}" for a, b in pairs))
    assert simulate(asked).passed


@pytest.mark.parametrize(
    ("old", "new", "signals"),
    [
        ("v_high_q <= v_p[2*D-1:D];", "v_high_q <= {1'b0, v_p[2*D-2:D]};", {"v_high"}),
        ("{unused_bit, w_high, w_low} = w_p;", "{unused_bit, w_low, w_high} = w_p;", {"s", "w_high"}),
        (".Depth(3 - R)) u_w_high_late", ".Depth(1)) u_w_high_late", {"w_high"}),
        ("assign p_prime_digit = p_prime_q;", "assign p_prime_digit = p_prime_q ^ W'(2);", {"q_y"}),
        ("assign v_low      = vl_q;", "assign v_low      = {1'b0, vl_q[D-1:0]};", {"vu"}),
        ("AlphaMin = 13 + Late", "AlphaMin = 14 + Late", {"tm_d", "tm"}),
        ("1'b1} + {1'b0, vu_q, u_q[W]}", "1'b1} + {1'b0, vu_q, 1'b0}", {"u"}),
    ],
    ids=["high word of V", "halves of W", "delay of W", "constant", "carry of VL", "loop", "carry of U"],
)
def test_a_fault_in_words_of_17_bits_is_found(old: str, new: str, signals: set[str], tmp_path: Path) -> None:
    core = copy_of("fpmm", tmp_path, ("lt_fpmm.sv", old, new))
    found = simulate(of_17_bits(128, core=str(core), count=12)).tally.divergence
    assert found is not None
    assert found.signal in signals


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"W": 51}, "W = 51 is not even, 2..34, or odd, 3..17"),
        ({"W": 68}, "W = 68 is not even, 2..34, or odd, 3..17"),
        ({"W": 19}, "W = 19 is not even, 2..34, or odd, 3..17"),
        ({"W": 17, "S": 12, "Theta": 12, "Sigma": 1}, "Sigma*Theta = 12 is below 13"),
        ({"W": 34, "S": 2, "Theta": 2, "Sigma": 8}, "Theta = 2 is below 3"),
    ],
)
def test_the_core_refuses(parameters: dict[str, int], sentence: str, tmp_path: Path) -> None:
    given = [f"-Plt_fpmm.{name}={value}" for name, value in parameters.items()]
    files = sorted(map(str, (BUILT_IN / "fpmm").glob("*.sv")))
    subprocess.run(["iverilog", "-g2012", "-s", "lt_fpmm", *given, "-o", "core", *files], cwd=tmp_path, check=True)
    done = subprocess.run(["vvp", "-n", "core"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr
