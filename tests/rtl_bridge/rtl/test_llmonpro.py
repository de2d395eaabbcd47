# SPDX-License-Identifier: Apache-2.0
"""The cores llmonpro and vdf_squarer: lock-step, file harness, disturbances, faults."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.llmonpro.llmonpro import MODEL
from limbtrace.refmodels.representations import Written
from limbtrace.rtl_bridge.core.core import load
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import Edit, Fault, copy_of, faulty, job
from tests.sample import full
from tools.mutants.copies import Place, chooser, give, spoil

PRODUCT, CHAIN = "llmonpro", "vdf_squarer"
EVERY_CYCLE: dict[str, Any] = {"mode": "bulk", "every_cycle": True}


@pytest.mark.parametrize("cycles", range(1, 8))
def test_products(cycles: int) -> None:
    """Operands beyond the modulus, back to back and with gaps."""
    settings: dict[str, str | int] = {"cycles": cycles}
    report = simulate(job(PRODUCT, "2^64-59", settings=settings, kind="lazy", count=16))
    assert report.passed, report.text()
    assert (report.document["signals"], report.document["cycles"]) == (9, 2 * (8 + cycles + 1))
    report = simulate(job(PRODUCT, "2^64-59", settings=settings, kind="edge", count=24, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert [kind for kind, times in report.document["disturbances"].items() if not times] == [
        "start",
        "size",
        "again",
        "write",
        "load",
    ]


@pytest.mark.parametrize(
    ("simulator", "shared"),
    [("icarus", 1), ("icarus", 4), ("verilator", 2), full(("verilator", 1)),
     full(("verilator", 4)), full(("icarus", 2))],
)  # fmt: skip
def test_shared_multipliers(simulator: str, shared: int) -> None:
    """Back to back, and disturbed; a load while the core is at work is not taken."""
    asked: dict[str, Any] = {"settings": {"shared": shared}, "simulator": simulator}
    report = simulate(job(PRODUCT, "2^64-59", kind="lazy", count=16, **asked))
    assert report.passed, report.text()
    assert (report.document["signals"], report.document["cycles"]) == (12, 2 * (8 * 3 * shared + 2))
    report = simulate(job(PRODUCT, "2^64-59", kind="edge", count=16, disturb=DISTURBANCES, **asked))
    assert report.passed, report.text()
    assert all(
        report.document["disturbances"][kind] for kind in ("start", "reset", "modulus", "unknown", "stalls", "idle")
    )


@pytest.mark.full
@pytest.mark.parametrize(
    ("prime", "d", "shared"),
    [("2^9-3", 3, 3), ("2^24-3", 8, 2), ("2^80-65", 16, 3), ("2^80-65", 16, 5), ("2^96-17", 32, 2),
     ("2^128-159", 64, 2), ("2^255-19", 16, 4), ("2^512-569", 32, 4), ("2^512-569", 16, 8), ("2^1024-105", 32, 4)],
)  # fmt: skip
def test_shared_multipliers_of_other_sizes(prime: str, d: int, shared: int) -> None:
    """With rows that are left over in the last cycle of a phase, too, and the digits of Table 2."""
    for simulator in ("icarus", "verilator"):
        asked: dict[str, Any] = {"settings": {"d": d, "shared": shared}, "simulator": simulator, "patience": 0}
        report = simulate(job(PRODUCT, prime, kind="mixed", count=16, **asked))
        assert report.passed, report.text()


@pytest.mark.parametrize(("prime", "d"), [("2^9-3", 3), ("2^24-3", 8), ("2^96-17", 32), ("2^128-159", 64)])
def test_other_digits(prime: str, d: int) -> None:
    report = simulate(job(PRODUCT, prime, settings={"d": d, "cycles": 3}, kind="edge"))
    assert report.passed, report.text()


V5 = 0x2DAD432D4049AC1C85A241F333D326E9
V8_A, V8_B = 0xE6FA4FC9450F0443E2F075C3B31E1351, 0x3F4D6902EDBBFFD760E9FC1340B44D45
V9 = 0xF70164451EBC2D5CC437B2F897DE9E3


def written(digits: list[int]) -> str:
    return str(digits).replace(" ", "")


@pytest.mark.parametrize("simulator", ["icarus", full("verilator")])
def test_redundant_digits_go_in(simulator: str) -> None:
    """Digits as large as possible; <T0> = R with t0 = 0; Z fed back unchanged, as A, as B and as both."""
    d, k, M = 3, 3, 479
    largest = [15, 15, 13, 0]  # worth 2R - 1 - R/8
    given = [
        ([8, 15, 6, 0], [7, 5, 13, 0]),
        (largest, largest),
        ([15, 15, 5, 1], largest),
        ([0, 0, 8, 0], [8, 7, 7, 0]),
    ]
    params = MODEL.resolve(M, {"d": d, "k": k})
    a, b = given[0]
    for turn in range(12):
        steps = MODEL.run(params, Written(a, d), Written(b, d)).steps
        Z = [int(value) for name, _, value in steps if name == "Z"]
        a, b = [(Z, largest), (largest, Z), (Z, Z)][turn % 3] if Z[k] == 0 else given[turn % 3]
        given.append((a, b))
    assert max(max(a) for a, _ in given[3:]) >= 1 << d
    texts = tuple(f"{written(a)},{written(b)}" for a, b in given)
    asked: dict[str, Any] = {"settings": {"d": d, "k": k}, "operands": texts, "simulator": simulator}
    for mode in ({}, EVERY_CYCLE, *([{"mode": "fast"}] if simulator == "verilator" else [])):
        report = simulate(job(PRODUCT, str(M), **{**asked, **mode}))
        assert report.passed, report.text()
    report = simulate(job(PRODUCT, str(M), **{**asked, "settings": {"d": d, "k": k, "shared": 3}}))
    assert report.passed, report.text()


@pytest.mark.parametrize(
    ("M", "operands"),
    [
        (2**128 - 1, ["3,0x55555555555555555555555555555556", f"{V5},{V5}", "2^64,2^64", "1,2^128-2"]),
        (2**128 - 159, [f"{V8_A},{V8_B}", f"{V9},{V9}", f"{2 * (2**128 - 159) - 1},{2 * (2**128 - 159) - 1}",
                        *(f"{A},{c * pow(A, -1, 2**128) % 2**128}" for A in (5, 2**127 + 3) for c in (1, -1, 159))]),
    ],
)  # fmt: skip
def test_corner_vectors(M: int, operands: list[str]) -> None:
    """With d = 16, k = 8: cases in which the printed carry is wrong, and lost digits of the listing."""
    report = simulate(job(PRODUCT, str(M), operands=tuple(operands)))
    assert report.passed, report.text()
    assert report.document["verified"] == len(operands)


@pytest.mark.parametrize(("mode", "simulator"), [("bulk", "icarus"), ("lockstep", "icarus"), ("fast", "verilator")])
def test_other_digits_of_the_right_integer(mode: str, simulator: str, tmp_path: Path) -> None:
    """One of digit 1 is moved into the overlap bit of digit 0; results alone are compared."""
    one = "((K + 1)*(D + 1))'(1)"
    moved = f"(!z_q[D] && z_q[D+1+:D+1] != '0) ? (z_q | ({one} << D)) - ({one} << (D + 1)) : z_q"
    core = copy_of("llmonpro", tmp_path, ("lt_llmonpro.sv", "assign z_o     = z_q;", f"assign z_o = {moved};"))
    text = (core / "core.toml").read_text()
    (core / "core.toml").write_text(text[: text.index("[[row]]")])
    found = simulate(job(core, "2^61-1", mode=mode, simulator=simulator, count=20)).tally.divergence
    assert found is not None
    assert found.signal == "result[0]"
    assert int(found.seen or "0", 16) == int(found.expected or "0", 16) + 2**16


def test_wrong_digits_on_a_port(tmp_path: Path) -> None:
    for old, new, sentence in (
        ('port = "a_i"\nweight = "d"', 'port = "a_i"\nweight = "d + 2"', "has 5 digits of 17 bits and weight 18"),
        ('port = "b_i"\nweight = "d"\ndigits = "k + 1"', 'port = "b_i"\nweight = "d"\ndigits = 4', "85 bits are not 4"),
        ('port = "z_o"\nwords = 1\nweight = "d"\n', 'port = "z_o"\nwords = 1\n', "digits of result need weight"),
        ('port = "a_i"\nweight = "d"\n', 'port = "a_i"\n', "takes weight together with digits"),
    ):  # fmt: skip
        folder = copy_of(PRODUCT, tmp_path / str(len(sentence)), ("core.toml", old, new))
        with pytest.raises(ParameterError, match=sentence):
            settle(job(folder, "2^64-59"))


@pytest.mark.parametrize("cycles", [1, 4])
@pytest.mark.parametrize("t", [1, 6])
def test_chains(t: int, cycles: int) -> None:
    """One build with t as an input; R/8 > M, and R/4 > M > R/8, for which the chain is still in range."""
    for prime in ("2^61-1", "2^62-2^49-1"):
        settings: dict[str, str | int] = {"t": t, "k": 4, "cycles": cycles, "w": 24}
        report = simulate(job(CHAIN, prime, settings=settings, count=6))
        assert report.passed, report.text()
        assert report.document["cycles"] == 6 * ((t + 2) * cycles + 4)


def test_good_cores_bear_everything() -> None:
    report = simulate(job(CHAIN, "2^61-1", settings={"t": 2}, kind="random", count=12, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert [kind for kind, times in report.document["disturbances"].items() if not times] == ["stalls", "size"]


@pytest.mark.full
def test_ten_thousand_squarings() -> None:
    """Every signal in every cycle of the first products; all results in the file harness."""
    for mode, t in (("lockstep", 100), ("bulk", 10000)):
        settings: dict[str, str | int] = {"t": t}
        asked: dict[str, Any] = {"settings": settings, "simulator": "verilator", "mode": mode, "kind": "random"}
        report = simulate(job(CHAIN, "2^61-1", count=2, **asked))
        assert report.passed, report.text()
        assert report.document["cycles"] == 2 * (t + 2 + 4)


@pytest.mark.full
@pytest.mark.parametrize(("mode", "n", "k"), [("lockstep", 125, 8), ("bulk", 1021, 64)])
def test_ten_thousand_squarings_of_more_bits(mode: str, n: int, k: int) -> None:
    asked: dict[str, Any] = {"simulator": "verilator", "mode": mode, "kind": "random", "patience": 0}
    report = simulate(job(CHAIN, f"2^{n}-9", settings={"t": 10000}, count=1, **asked))
    assert report.passed, report.text()
    assert report.document["cycles"] == 10000 + 2 + k


@pytest.mark.full
@pytest.mark.parametrize(("n", "d"), [(128, 16), (256, 32), (512, 64), (512, 16)])
def test_sizes(n: int, d: int) -> None:
    for simulator in ("icarus", "verilator"):
        asked: dict[str, Any] = {"simulator": simulator, "count": 16, "settings": {"d": d, "cycles": 3}}
        assert simulate(job(PRODUCT, f"2^{n}-1", **asked)).passed
        asked["settings"] = {"d": d, "t": 3}
        assert simulate(job(CHAIN, f"2^{n - 3}-1", **{**asked, "count": 3})).passed


@pytest.mark.full
def test_1024_bits_in_the_file_harness() -> None:
    for simulator in ("icarus", "verilator"):
        asked: dict[str, Any] = {"mode": "bulk", "simulator": simulator, "patience": 0}
        assert simulate(job(PRODUCT, "2^1024-1", count=8, **asked)).passed
        assert simulate(job(CHAIN, "2^1021-1", settings={"t": 3}, count=2, **asked)).passed


def test_an_export_runs_by_itself(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(
            ["export", CHAIN, "--prime", "2^61-1", "--set", "t=4", "--count", "3", "--every-cycle", "-o", str(tmp_path)]
        )
    assert ended.value.code == 0
    done = subprocess.run(["sh", tmp_path / "run_icarus.sh"], capture_output=True, text=True, timeout=PATIENCE)
    assert "PASS cases=3 cycles=30\n" in done.stdout


# Faults: file, preceding text, expression, faulty expression, signal. Port fault_i selects one of them.
DATAPATH, COLUMNS, DIGITS, HIGH = (
    "lt_lowlat_monpro.sv", "lt_digit_columns.sv", "lt_column_digits.sv", "lt_lowlat_high.sv",
)  # fmt: skip
PRODUCT_FAULTS: dict[str, Fault] = {
    "printed carry": (HIGH, "assign carry_o = ", "border[EW-1:D]", "2'(|t_i[DW-1:0])", "carry"),
    "constant 1 in the carry": (HIGH, "EW'(s_i[DW-1:0]) +", " EW'(3)", " EW'(1)", "carry"),
    "carry of one bit": (HIGH, "assign e_o[i*EW+:EW] = sum + ", "EW'(carry_o)", "EW'(carry_o[0])", "E"),
    "digit k of S lost": (HIGH, "EW'(t_i[(i+1)*DW+:DW]) + ", "EW'(s_i[(i+1)*DW+:DW])",
                          "((i == K) ? EW'(0) : EW'(s_i[(i+1)*DW+:DW]))", "E"),
    "digit k of E lost": (HIGH, "DW'(e_o[i*EW+:D]) + ", "DW'(e_o[(i-1)*EW+D+:2])", "DW'(e_o[(i-1)*EW+D])", "Z"),
    "third piece lost": (COLUMNS, "CW+:CW] + ", "CW'(product[c*D+:D])", "((c == 2) ? CW'(0) : CW'(product[c*D+:D]))",
                         "S"),
    "spare bit of A lost": (COLUMNS, "product = ", "PW'(a_i[i*AW+:AW])", "PW'(a_i[i*AW+:D])", "Q"),
    "carry of digits lost": (DIGITS, "(cols_i[(i+1)*CW+:D]) + ", "(D + 1)'(cols_i[i*CW+D+:CW-D])",
                             "(D + 1)'(cols_i[i*CW+D])", "S"),
    "valid a cycle early": ("lt_llmonpro.sv", "valid_o = ", "valid_q[Cycles]", "valid_q[Cycles-1]", "valid"),
}  # fmt: skip
FAULT_PORT = "  input wire logic [4:0] fault_i,\n"


def spoilt(target: Path, fault: int) -> Path:
    """A copy of llmonpro with that fault; 0 for none."""
    first = {
        "lt_llmonpro.sv": "  input wire logic                   clk_i,\n",
        DATAPATH: "  input wire logic                clk_i,\n",
        HIGH: "  input wire logic [Above*DW-1:0] t_i,  ",
        COLUMNS: "  input wire logic [NA*AW-1:0]   a_i,\n",
        DIGITS: "  input wire logic [(N+1)*CW-1:0] cols_i, ",
    }
    edits: list[Edit] = [(name, port, f"{FAULT_PORT}{port}") for name, port in first.items()]
    inner = [(DATAPATH, f"{number}_{what}") for number in "tqs" for what in ("columns", "digits")] + [
        (DATAPATH, "high")
    ]
    edits.append(
        ("lt_llmonpro.sv", ") u_datapath (\n      .clk_i(clk_i),", ") u_datapath (\n.fault_i(fault_i), .clk_i(clk_i),")
    )
    for name, instance in inner:
        edits.append((name, f") u_{instance} (\n", f") u_{instance} (\n    .fault_i(fault_i),\n"))
    return faulty(PRODUCT, target, edits, list(PRODUCT_FAULTS.values()), fault=fault)


def found(folder: Path, prime: str, **fields: Any) -> Divergence | None:
    return simulate(job(folder, prime, **fields)).tally.divergence


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    """For this modulus Q0 * M is R^2 or more within the first cases, so that S has a digit 2k."""
    asked: dict[str, Any] = {"kind": "mixed", "count": 150, "settings": {"d": 4}, **EVERY_CYCLE}
    assert found(spoilt(tmp_path / "none", 0), "2^16-181", **asked) is None
    for number, (what, fault) in enumerate(PRODUCT_FAULTS.items(), 1):
        divergence = found(spoilt(tmp_path / str(number), number), "2^16-181", **asked)
        assert divergence is not None, what
        assert (what, divergence.signal) == (what, fault[4])


SHARED = "lt_lowlat_shared.sv"
SHARED_FAULTS: dict[str, Fault] = {
    "not ready in the last cycle": (SHARED, "assign ready_o = ", "~busy | done", "~busy", "ready"),
    "sums kept for the next phase": (SHARED, "    if (", "take | last", "take | (last & !busy)", "sums"),
    "row K left out": (SHARED, "assign top_row = ", "(top_q[1] & last)", "1'b0", "V"),
    "row K in every cycle": (SHARED, "assign top_row = ", "(top_q[1] & last)", "top_q[1]", "X"),
    "column K left out": (SHARED, "assign top_col = ", "top_q[0]", "1'b0", "sums"),
    "A_K * B_K left out": (SHARED, "assign row_low = CW'(", "(&top_q) & last", "1'b0", "V"),
    "digits k of operands kept": (SHARED, "      top_q <= ", "'0", "top_q", "top"),
    "digits above K - 1 stay in X": (SHARED, "fresh[i*DW+:DW] = last ? ", "'0", "digits[i*DW+:DW]", "X"),
    "what the sum below carries lost": (SHARED, "below_q <= ", "cols[(Rows-1)*CW+D+:CW-D]", "'0", "below"),
    "high half of Q for that of T": (SHARED, "    if (", "(state_q == StT) & last", "(state_q == StQ) & last", "T1"),
    "M before M'": (SHARED, "y_q   <= ", "(state_q == StT) ? mp_digits : m_digits",
                    "(state_q == StT) ? m_digits : mp_digits", "Y"),
    "result a cycle early": (SHARED, "    if (", "done", "(state_q == StS)", "Z"),
}  # fmt: skip


def test_faults_of_shared_multipliers(tmp_path: Path) -> None:
    """Two digits a cycle, and one left over in the last cycle of a phase; a single build has all the faults."""
    folder = copy_of(PRODUCT, tmp_path)
    places = [Place(*fault[:4]) for fault in SHARED_FAULTS.values()]
    spoil(folder, places, chooser(load(folder)))
    text = (folder / "core.toml").read_text()
    asked: dict[str, Any] = {"kind": "lazy", "count": 64, "settings": {"d": 4, "shared": 3}, **EVERY_CYCLE}
    for number, what in enumerate(("none", *SHARED_FAULTS)):
        (folder / "core.toml").write_text(text)
        give(folder, fault=number)
        divergence = found(folder, "2^20-3", **asked)
        assert (divergence and divergence.signal) == (SHARED_FAULTS[what][4] if number else None), what


def test_a_load_while_a_product_is_at_work(tmp_path: Path) -> None:
    """Only a disturbance shows that it is taken."""
    folder = copy_of(PRODUCT, tmp_path, (SHARED, "assign take    = load_i & ready_o;", "assign take    = load_i;"))
    asked: dict[str, Any] = {"kind": "random", "settings": {"d": 4, "shared": 2}}
    assert found(folder, "2^16-181", **asked) is None
    assert found(folder, "2^16-181", disturb=("start",), **asked) is not None


# Faults of the chain: old text, new text, signal.
CHAIN_FAULTS = {
    "a squaring too few": ("(count_q == t_i)", "(count_q + 32'd1 == t_i)", "B"),
    "squared instead of multiplied with 1": ("b_d = last_factor ? VectorW'(1) : z;", "b_d = z;", "B"),
    "carry lost": ("carry_out  = resolved[D]", "carry_out  = 1'b0", "resolved"),
    "borrow lost": ("borrow_out = difference[D]", "borrow_out = 1'b0", "difference"),
    "never subtracted": ("result[i*D+:D] = borrow_q ?", "result[i*D+:D] = 1'b1 ?", "result"),
    "always subtracted": ("result[i*D+:D] = borrow_q ?", "result[i*D+:D] = 1'b0 ?", "result"),
    "done a cycle early": ("(digit_q == DigitW'(K - 1))", "(digit_q == DigitW'(K - 2))", "done_o"),
    "x of the last chain": ("a_d = x_digits;", "a_d = a_q;", "assertion"),
}


@pytest.mark.parametrize("what", CHAIN_FAULTS)
def test_faults_of_the_chain(what: str, tmp_path: Path) -> None:
    old, new, signal = CHAIN_FAULTS[what]
    folder = copy_of(CHAIN, tmp_path, ("lt_vdf_squarer.sv", old, new))
    divergence = found(folder, "465", settings={"t": 5, "d": 4}, count=40)
    assert divergence is not None
    assert divergence.signal == signal


def test_a_start_in_the_middle(tmp_path: Path) -> None:
    folder = copy_of(
        CHAIN, tmp_path, ("lt_vdf_squarer.sv", "take_start   = start_i & ~busy_o;", "take_start   = start_i;")
    )
    asked: dict[str, Any] = {"settings": {"t": 5, "d": 4}, "kind": "random"}
    assert found(folder, "465", **asked) is None
    assert found(folder, "465", disturb=("start",), **asked) is not None


@pytest.mark.parametrize(
    ("core", "prime", "settings", "sentence"),
    [
        (PRODUCT, "2^64-59", {"cycles": 8}, r"^cycles: 8 is outside 1 to 7$"),
        (PRODUCT, "2^130-5", {"d": 65}, r"^d: llmonpro takes 3 to 64, and here it is 65$"),
        (CHAIN, "2^61-1", {"entry": 0}, r"^entry: 0 was asked for, and the core vdf_squarer is fixed to 1$"),
        (CHAIN, "2^64-59", {"k": 4}, r"^k: a chain does not stay in range with R = 2\^64"),
    ],
)
def test_what_is_refused(core: str, prime: str, settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(core, prime, settings=settings))


def test_b_where_it_belongs(tmp_path: Path) -> None:
    load = '  { value = "R^2 mod M", select = 1'
    folder = copy_of(CHAIN, tmp_path, ("core.toml", load, load.replace("R^2 mod M", "b")))
    with pytest.raises(ParameterError, match=r"vdf has no b$"):
        settle(job(folder, "2^61-1"))
    operand = '[[operand]]\nname = "b"\nport = "b_i"\nweight = "d"\ndigits = "k + 1"\n'
    folder = copy_of(PRODUCT, tmp_path / "other", ("core.toml", operand, '[[input]]\nport = "b_i"\nvalue = 1\n'))
    with pytest.raises(ParameterError, match=r"operand b is missing: add \[\[operand\]\]"):
        settle(job(folder, "2^61-1"))
