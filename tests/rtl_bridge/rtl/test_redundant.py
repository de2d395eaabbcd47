# SPDX-License-Identifier: Apache-2.0
"""The redundant multiplier: lock-step, file harness, disturbances, faults that are found and located."""

import re
import subprocess
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.representations import Written
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.rtl_bridge.synthesis.stored_areas import kept
from limbtrace.vectors.catalogue.tables import tables_document
from limbtrace.vectors.cli import main
from limbtrace.vectors.operands import chained
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import Edit, Fault, copy_of, faulty, job

CORE = "redundant"
EVERY_CYCLE: dict[str, Any] = {"mode": "bulk", "every_cycle": True}
SMALL = "2^50-27"
FULL: dict[str, str | int] = {"overlap": 1}
"""Digits as full as possible."""

# Modulus (M' is 1 for every other one), ways, MA, MB, DS.
SIZES = [
    ("p224", 1, 11, 15, 19),
    ("2^224-1", 1, 11, 15, 19),
    ("curve25519", 2, 12, 17, 21),
    ("2^255-1", 2, 12, 17, 21),
    ("secp256k1", 1, 12, 18, 21),
    ("p256", 1, 12, 18, 21),
    ("secp256k1", 3, 12, 18, 21),
    ("2^504-3", 2, 23, 34, 37),
    ("2^504-1", 2, 23, 34, 37),
    ("2^512-569", 3, 24, 35, 38),
]


@pytest.mark.parametrize(("prime", "ways", "ma", "mb", "ds"), SIZES)
def test_sizes_with_digits_as_full_as_can_be(prime: str, ways: int, ma: int, mb: int, ds: int) -> None:
    report = simulate(job(CORE, prime, settings={**FULL, "ways": ways}, kind="lazy", count=ways))
    assert report.passed, report.text()
    assert report.about["build"] == {"R1": 22, "R2": 15, "MA": ma, "MB": mb, "DS": ds, "Ways": ways, "Steady": 0}
    assert report.document["cycles"] == ways * (ma + 3) + ways - 1
    assert report.document["signals"] == 10 + min(ways, 2)


@pytest.mark.full
@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("ways", [1, 2, 3])
@pytest.mark.parametrize("primes", [
    ("p224", "2^224-1"), ("curve25519", "2^255-1"), ("secp256k1", "p256"), ("2^504-3", "2^504-1"),
    ("2^512-569", "2^512-2^22+1", "2^512-1"),
])  # fmt: skip
def test_the_full_matrix(primes: tuple[str, ...], ways: int, simulator: str) -> None:
    count = 300 if simulator == "verilator" else 6
    for prime in primes:
        for steady, overlap, kind in ((0, 1, "lazy"), (0, 2, "mixed"), (0, 0, "edge"), (1, 7, "mixed")):
            settings = {"ways": ways, "steady": steady, "overlap": overlap}
            report = simulate(job(CORE, prime, settings=settings, kind=kind, simulator=simulator, count=count))
            assert report.passed, report.text()
            assert report.document["verified"] == count


@pytest.mark.full
@pytest.mark.parametrize("ways", [1, 2, 3])
@pytest.mark.parametrize("prime", ["p224", "2^224-1", "curve25519", "secp256k1", "p256", "2^504-3", "2^512-569"])
def test_chains_of_the_full_matrix(prime: str, ways: int) -> None:
    """A hundred results in a row, from digits that are as full as possible."""
    asked: dict[str, Any] = {"kind": "chained", "simulator": "verilator", "count": 400}
    report = simulate(job(CORE, prime, settings={**FULL, "ways": ways}, **asked))
    assert report.passed, report.text()
    assert report.document["verified"] == 400


SHORT: dict[str, str | int] = {"radix": "2^6", "r2": 5}
"""Settings with digits so short that results often have overlap bits."""


@pytest.mark.parametrize("ways", [3, 2, 1])
def test_chains(ways: int) -> None:
    """Results are used unchanged as operands, 15 in a row in each of 4 chains, also in disturbed runs."""
    report = simulate(job(CORE, "2^61-1", settings={**SHORT, "ways": ways}, kind="chained", count=64))
    assert report.passed, report.text()
    report = simulate(job(CORE, SMALL, settings={"ways": ways}, kind="chained", count=18, disturb=DISTURBANCES))
    assert report.passed, report.text()


def test_the_digits_of_a_chain_go_into_the_core() -> None:
    """The core gets the digits of the results, not those that follow from the integers."""
    chain = job(CORE, "2^61-1", settings=SHORT, kind="chained", count=60)
    bound = settle(chain).bound
    links = list(islice(chained(bound.multiplier, 1), 60))
    assert any(digit >> 5 for link in links[4:] if isinstance(link.b, Written) for digit in link.b.digits)
    split, shell = bound.multiplier.params.split, Shell(bound)
    width = bound.ports["wr_data_i"].width
    for link, pair in zip(links, settle(chain).stimulus.pairs(), strict=True):
        for name, digits in (("a", split(link.a, 0)[0][:-1]), ("b", split(0, link.b)[1])):
            image = shell.join(name, [pair.a if name == "a" else pair.b])
            assert image == sum(digit << width * j for j, digit in enumerate(digits))


def test_a_result_with_overlap_bits_is_an_operand() -> None:
    """With 22 and 15 bits 1 in 200,000 products of random operands has such a result; this one has it in digit 15."""
    a = 0x25CE5A02526A87126F149E47C67794EF1B19C200E84C3D63AA7CC29A94E523FB517979
    b = 0x419A740315A90C29050A0E6EE00B2572E13D0B07BF8A43ED86FFF3C8E13F0EB03A2E02
    multiplier = settle(job(CORE, "secp256k1")).bound.multiplier
    A, B = multiplier.model.as_operands(multiplier.params, a, b)
    assert isinstance(A, Written)
    assert isinstance(B, Written)
    assert [j for j, digit in enumerate(B.digits) if digit >> 15] == [15]
    assert B.digits[15] == 1 << 15
    ripple = [",".join(map(str, [1 << r, *[(1 << r) - 1] * count, 0])) for r, count in ((22, 11), (15, 16))]
    """Digits through all of which a carry would propagate."""
    operands = (f"{a},{b}", f"{a},{multiplier.written(B)}", f"{multiplier.written(A)},{multiplier.written(B)}",
                f"[{ripple[0]}],[{ripple[1]}]")  # fmt: skip
    report = simulate(job(CORE, "secp256k1", operands=operands))
    assert report.passed, report.text()
    assert report.document["verified"] == 4


def test_overlap_bits_that_are_not_read(tmp_path: Path) -> None:
    read = "shown[(n/2**AddrW*D+n%2**AddrW)*BW+:BW]"
    folder = copy_of(CORE, tmp_path, ("lt_redundant.sv", read, f"(BW'({read.replace('+:BW', '+:R2')}))"))
    divergence = simulate(job(folder, "2^61-1", settings=SHORT, kind="chained", count=60)).tally.divergence
    assert divergence is not None
    assert (divergence.case, divergence.signal) == (4, "result")


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_good_cores_bear_everything(ways: int) -> None:
    """Disturbances including another modulus before every group, and groups that are not full."""
    report = simulate(job(CORE, SMALL, settings={"ways": ways, "overlap": 7}, kind="mixed", disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert [kind for kind, times in report.document["disturbances"].items() if not times] == ["stalls", "size"]


def test_one_build_in_verilator() -> None:
    """Moduli with fewer bits in the digits of a wider one."""
    digits: dict[str, str | int] = {"ma": 3, "mb": 4, "ways": 3}
    for prime, kind in ((SMALL, "lazy"), ("2^50-1", "edge"), ("mldsa", "lazy"), ("3", "mixed"), (SMALL, "chained")):
        report = simulate(job(CORE, prime, settings={**digits, "overlap": 5}, kind=kind, simulator="verilator"))
        assert report.passed, report.text()
        assert report.about["build"] == {"R1": 22, "R2": 15, "MA": 3, "MB": 4, "DS": 7, "Ways": 3, "Steady": 0}
        assert report.document["cycles"] == 14 * 20  # groups that 40 products take, cycles of each


@pytest.mark.parametrize(("r1", "r2", "ways"), [(7, 6, 2), (8, 6, 1), (12, 9, 3), (26, 16, 2)])
def test_other_radices(r1: int, r2: int, ways: int) -> None:
    settings = {**FULL, "radix": f"2^{r1}", "r2": r2, "ways": ways}
    report = simulate(job(CORE, "mlkem", settings=settings, kind="edge", count=20))
    assert report.passed, report.text()


def test_a_digit_of_u_with_two_overlap_bits(tmp_path: Path) -> None:
    """The division cuts one bit, and a digit of T is three units: `limbtrace prove` found these operands."""
    settings: dict[str, str | int] = {"radix": "2^7", "r2": 6}
    lost = copy_of(CORE, tmp_path, ("lt_redundant.sv", "twice = (Cut > 1)", "twice = (Cut > 0)"))
    good, bad = (
        simulate(job(core, "0x55f7ffff", settings=settings, operands=("0xa9f420d7,0x321f8a21",)))
        for core in (CORE, lost)
    )
    assert good.passed, good.text()
    assert bad.tally.divergence is not None
    assert (bad.tally.divergence.signal, bad.tally.divergence.step) == ("S", ("S", (0, 3, 4)))


def test_every_cycle_in_the_file_harness() -> None:
    report = simulate(job(CORE, SMALL, settings={"ways": 2, "overlap": 3}, kind="lazy", count=39, **EVERY_CYCLE))
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["cycles"]) == (39, 20 * 13)


def test_an_export_runs_by_itself(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", CORE, "--prime", "mldsa", "--set", "ways=3", "--set", "overlap=1", "--count", "9",
              "--every-cycle", "-o", str(tmp_path)])  # fmt: skip
    assert ended.value.code == 0
    done = subprocess.run(["sh", tmp_path / "run_icarus.sh"], capture_output=True, text=True, timeout=PATIENCE)
    assert re.search(r"PASS cases=\d+ cycles=51\n", done.stdout), done.stdout + done.stderr


# Faults: preceding text, expression, faulty expression, signal, cycle. Port fault_i selects one of them.
# Three ways; iteration i of product w is in stage t in cycle 3i + w + t.
FAULTS: dict[str, tuple[str, str, str, str, int]] = {
    "c lost": ("(j == 0) ? digit + ", "BW'(t_units[0])", "BW'(0)", "U", 6),
    "units of T lost in U": ("units = ", "t_units[(j+1)*3+:3]", "3'd0", "U", 5),
    "q from bits that are not added up": ("Cut'(", "s_q[R2+:2]", "2'd0", "q", 10),
    "S of the next product": ("s_added = ", "s_q[((Ways > 1) ? DS*BW : 0)+:DS*BW]", "s_q[0+:DS*BW]", "T", 3),
    "last digit of A not 0": ("if (", "iter_d == LastIter", "1'b0", "a", 15),
    "S not cleared": ("if (clear) s_q[DS*BW-1:0] <= ", "'0", "s_next", "q", 0),
    "middle slice of P one bit off": (".x_i    (", "p_pad[(j+1)*PW+R2+:R2]", "p_pad[(j+1)*PW+R2+1+:R2]", "K", 1),
    "top bit of P lost": (".y_i    (R2'(", "p_pad[j*PW+2*R2+:TW]", "p_pad[j*PW+2*R2+:TW-1]", "K", 1),
    "overlap bits of S lost in T": (".units_i(", "{s_pad[j*BW+R2], {2{s_pad[j*BW+R2+1]}}}", "3'd0", "T", 4),
    "units of K lost in S": ("units = ", "k_units_pad[j*3+:3]", "3'd0", "S", 2),
    "overlap bit of U lost in S": (".unit_i(", "u_pad[j*BW+R2]", "1'b0", "S", 7),
    "B of the first product": ("b[j*BW+:BW] = b_mem[", "slot_q", "SlotW'(0)", "P", 1),
    "results one cycle late": ("r_mem[slot] <= ", "s_next[j*BW+:BW]", "s_q[j*BW+:BW]", "result", 20),
    "results in the wrong order": ("if (last) r_mem[", "slot", "SlotW'(Ways-1) - slot", "result", 20),
    "done two cycles early": ("finish  = last_q[", "Ways-2", "0", "done_o", 18),
}  # fmt: skip

EDITS: list[Edit] = [
    ("lt_redundant.sv", "  // operands\n", "  input wire logic [4:0]       fault_i,\n"),
    (
        "lt_redundant_probe.sv",
        "  input wire logic                 rst_ni,\n",
        "  input wire logic rst_ni,\n  input wire logic [4:0] fault_i,\n",
    ),
    ("lt_redundant_probe.sv", "    .wr_en_i  (wr_en_i),\n", "    .wr_en_i(wr_en_i), .fault_i(fault_i),\n"),
]


def spoilt(target: Path, fault: int) -> Path:
    """A copy of the core with that fault; 0 for none."""
    faults: list[Fault] = [
        ("lt_redundant.sv", before, good, bad, signal) for before, good, bad, signal, _ in FAULTS.values()
    ]
    return faulty(CORE, target, EDITS, faults, fault=fault)


def test_results_of_two_ways_stay(tmp_path: Path) -> None:
    """They are in registers, and in a difference of S1 nobody would see them move."""
    moves = ("work) s_q[Sums*DS*BW-1:DS*BW]", "1'b1) s_q[Sums*DS*BW-1:DS*BW]")
    divergence = found(copy_of(CORE, tmp_path, ("lt_redundant.sv", *moves)), settings={"ways": 2})
    assert divergence is not None
    assert (divergence.signal, divergence.cycle) == ("result", 13)


def found(folder: Path, **fields: Any) -> Divergence | None:
    asked: dict[str, Any] = {"settings": {**FULL, "ways": 3}, "kind": "lazy", "count": 9, **fields}
    return simulate(job(folder, SMALL, **asked)).tally.divergence


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    assert found(spoilt(tmp_path / "none", 0), **EVERY_CYCLE) is None
    for number, (what, fault) in enumerate(FAULTS.items(), 1):
        divergence = found(spoilt(tmp_path / str(number), number), **EVERY_CYCLE)
        assert divergence is not None, what
        assert (what, divergence.signal, divergence.cycle) == (what, *fault[3:])


@pytest.mark.parametrize("what", FAULTS)
def test_lockstep_finds_what_the_file_harness_finds(what: str, tmp_path: Path) -> None:
    folder = spoilt(tmp_path, [*FAULTS].index(what) + 1)
    both = [found(folder, **fields) for fields in ({}, EVERY_CYCLE)]
    lockstep, bulk = (replace(divergence, replay="") for divergence in both if divergence)
    assert lockstep == bulk


# As above, of two groups of three: the second one starts in cycle 18.
STEADY_FAULTS: dict[str, tuple[str, str, str, str, int]] = {
    "a start refused until all is done": ("busy_o     = (Steady != 0) ? ", "mul_q & ~mul_last", "work", "busy", 17),
    "a start taken too early": ("busy_o     = (Steady != 0) ? ", "mul_q & ~mul_last",
                                "mul_q & ~(iter_q == LastIter)", "busy", 15),
    "no writes while the core works": ("ab_take = wr_en_i & ", "~(mul_q & (half_q == wr_half))", "~mul_q", "a", 26),
    "A of the other half": ("a_q <= a_mem[AMemW'({", "slot_d", "SlotW'(way_d)", "a", 18),
    "B of the other half": ("b[j*BW+:BW] = b_mem[", "slot_q", "SlotW'(way_q)", "P", 18),
    "S cleared once": ("clear = (Ways == 1) ? take_start : ", "mul_d & (iter_d == '0)", "take_start", "S", 18),
    "results of both halves in one": ("if (last) r_mem[", "slot", "slot % SlotW'(Ways)", "result", 38),
    "done of the last group alone": ("done_o     = ", "done_q", "done_q & ~mul_q", "done", 20),
}  # fmt: skip
STEADY: dict[str, str | int] = {**FULL, "ways": 3, "steady": 1}


@pytest.mark.parametrize("what", STEADY_FAULTS)
def test_faults_between_groups_are_found_and_located(what: str, tmp_path: Path) -> None:
    before, good, bad, signal, cycle = STEADY_FAULTS[what]
    divergence = found(copy_of(CORE, tmp_path, ("lt_redundant.sv", before + good, before + bad)), settings=STEADY)
    assert divergence is not None
    assert (divergence.signal, divergence.cycle) == (signal, cycle)


@pytest.mark.parametrize("ways", [3, 2, 1])
def test_the_next_group_starts_when_the_first_stage_is_free(ways: int) -> None:
    """Both simulators, each with its own way to compare: two groups, ways * (ma + 3) cycles apart."""
    settings = {**STEADY, "ways": ways}
    assert settle(job(CORE, SMALL, settings=settings)).bound.starts == (*range(ways), *range(6 * ways, 7 * ways))
    for asked in ({"simulator": "icarus"}, {"simulator": "verilator", "mode": "fast"}):
        report = simulate(job(CORE, SMALL, settings=settings, kind="mixed", count=24, **asked))
        assert report.passed, report.text()
        assert report.document["cycles"] == 24 // (2 * ways) * (2 * ways * 6 + ways - 1)
        assert report.document["signals"] == (13 if ways == 1 else 14)


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_good_cores_bear_everything_between_groups(ways: int) -> None:
    settings = {"ways": ways, "steady": 1, "overlap": 7}
    report = simulate(job(CORE, SMALL, settings=settings, kind="mixed", count=18, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert [kind for kind, times in report.document["disturbances"].items() if not times] == ["stalls", "size", "load"]


@pytest.mark.parametrize(("prime", "ways", "interval"), [("p256", 3, 45), ("2^504-1", 2, 52)])
def test_the_steady_state_at_the_sizes_of_the_paper(prime: str, ways: int, interval: int) -> None:
    settings = {**STEADY, "ways": ways}
    report = simulate(job(CORE, prime, settings=settings, kind="lazy", count=2 * ways, simulator="verilator"))
    assert report.passed, report.text()
    assert report.document["cycles"] == 2 * interval + ways - 1


def test_a_difference_names_the_digit(tmp_path: Path) -> None:
    """Product, iteration and digit of a step of a vector."""
    edit = ("lt_redundant.sv", "assign s_added = s_q", "assign s_added = (DS*BW)'(1 << (2*BW + 3)) ^ s_q")
    divergence = found(copy_of(CORE, tmp_path, edit))
    assert divergence is not None
    assert (divergence.signal, divergence.cycle, divergence.step) == ("T", 1, ("T", (0, 0, 2)))


def test_other_digits_of_the_right_integer(tmp_path: Path) -> None:
    """One of digit 1 is read as part of the overlap bits of digit 0."""
    way, j = "n/2**AddrW", "n%2**AddrW"
    low, next_one = f"shown[({way}*D)*BW+R2+:2]", f"shown[({way}*D+1)*BW+:BW]"
    moved = f"({low} == '0 && {next_one} != '0) ? ({j} == 0 ? BW'(1) << R2 : {j} == 1 ? -BW'(1) : '0) : '0"
    digit = f"shown[({way}*D+{j})*BW+:BW];"
    core = copy_of(CORE, tmp_path, ("lt_redundant.sv", digit, f"({digit.rstrip(';')} + ({moved}));"))
    assert simulate(job(CORE, SMALL, mode="bulk", count=20)).passed
    found = simulate(job(core, SMALL, mode="bulk", count=20)).tally.divergence
    assert found is not None
    assert found.signal == "result[0]"


def test_a_fault_that_only_a_disturbance_shows(tmp_path: Path) -> None:
    folder = copy_of(CORE, tmp_path, ("lt_redundant.sv", "take_start = start_i & ~busy_o;", "take_start = start_i;"))
    assert found(folder) is None
    assert found(folder, disturb=("start",)) is not None


WRITES: dict[str, tuple[str, str, dict[str, str | int]]] = {
    "of the modulus with a start": ("m_take = wr_en_i & ~work & ~start_i;", "m_take = wr_en_i & ~work;", {}),
    "of an operand with the start of the second group": (
        " & ~(take_start & (half_i == wr_half));", ";", {"ways": 1, "steady": 1},
    ),
    "of the lowest digit of A while it works": (
        "a_we = ab_take & ", "a_we = (ab_take | (wr_en_i & (wr_addr_i == '0))) & ", {"ways": 1},
    ),
    "of the lowest digit of B while it works": (
        "b_row[n] = ab_take & ", "b_row[n] = (ab_take | (wr_en_i & (wr_addr_i == '0))) & ", {"ways": 2},
    ),
    "of the modulus while the last stages work": (
        "m_take = wr_en_i & ~work & ~start_i;", "m_take = wr_en_i & ~mul_q & ~start_i;", {"ways": 3, "steady": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRITES)
def test_a_write_that_is_to_be_ignored_is_made(what: str, tmp_path: Path) -> None:
    good, bad, settings = WRITES[what]
    folder = copy_of(CORE, tmp_path, ("lt_redundant.sv", good, bad))
    asked = {"settings": {**FULL, **settings}, "count": 60}
    assert found(folder, **asked) is None
    assert found(folder, disturb=("write", "again"), **asked) is not None


def test_a_core_that_takes_writes_with_a_start_may_say_so(tmp_path: Path) -> None:
    good, bad, _ = WRITES["of the modulus with a start"]
    edits = ("lt_redundant.sv", good, bad), ("core.toml", '"start"\nenable', "true\nenable")
    assert found(copy_of(CORE, tmp_path, *edits), count=60, disturb=("write", "again")) is None


def test_digits_on_the_ports() -> None:
    """Operands enter the shell as the model's digits, and leave it as integers."""
    shell = settle(job(CORE, SMALL, settings={**FULL, "ways": 2})).shell
    params: Any = shell.bound.multiplier.params
    a, b = params.limits[0], params.limits[1] - 5
    joined = shell.join("b", [b, a])
    digits = [joined >> (24 * j) & 0xFFFFFF for j in range(params.d)]
    assert digits == params.split(0, b)[1]
    assert max(digits) >> 15
    assert [shell.part("b", joined, place) for place in (0, 1)] == [b, a]
    assert shell.part("a", shell.join("a", [b, a]), 1) == a


@pytest.mark.parametrize(
    ("stream", "settings", "sentence"),
    [
        (2, {"ways": 3}, r"^stream: redundant takes 3 products at a time, not 2$"),
        (None, {"ways": 4}, r"^ways: 4 is outside 1 to 3$"),
        (None, {"ds": 9}, r"^ds: 9: the pipeline has at most mb \+ 4 = 8 digits of S$"),
        (None, {"tail": 1}, r"^tail: the pipeline has the iteration without it$"),
    ],
)
def test_what_is_refused(stream: int | None, settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(CORE, SMALL, settings=settings, stream=stream))


GROUPS = 'products = "ways * (1 + steady)"\ngroups = "1 + steady"\ngroup = "half_i"\n'


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (GROUPS, "", "protocol.products of a start, memory.product and result.product go together"),
        ('product = "rd_way_i"\n', "", "protocol.products of a start, memory.product and result.product go together"),
        ('product = "wr_way_i"', 'product = "start_i"', "memory.product is start_i, which something else drives"),
        ('words = "ds"\n', 'words = "ds"\nport = "rd_data_o"\n', "result needs either port, or address"),
        ('group = "half_i"\n', "", "takes groups together with group"),
        ('busy = "busy_o"\n', "", "takes groups only together with products, busy and done, and not with held"),
        ('groups = "1 + steady"', 'groups = "3"', "protocol.groups is 3, and should divide the 2 products"),
        ('groups = "1 + steady"', 'groups = "0"', "protocol.groups is 0, and should divide the 2 products"),
    ],
)
def test_descriptions_that_are_wrong(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    folder = copy_of(CORE, tmp_path, ("core.toml", old, new))
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        settle(job(folder, SMALL, settings={"ways": 2}))


def test_the_kept_area_is_that_of_the_paper_or_little_more() -> None:
    """Exactly the paper's blocks; no more flip-flops, nor LUTs with three ways; else at most 8 % more, with memory."""
    (paper,) = tables_document(CORE)["papers"]
    memory = {row["parameters"]["Ways"] + row["parameters"]["MA"]: row["area"]["LUTRAM"]
              for row in kept() if row["core"] == CORE and not row["parameters"]["Steady"]}  # fmt: skip
    seen = []
    for figure in paper["figures"]:
        for row in figure["synthesis"]:
            published, at = int(figure["published"]), row["parameters"]["Ways"] + row["parameters"]["MA"]
            if figure["metric"] == "DSP blocks":
                assert row["value"] == published == 2 * row["parameters"]["MB"] + 4
            elif figure["metric"] == "LUT":
                most = 100 if row["parameters"]["Ways"] == 3 else 108
                assert 100 * (row["value"] + memory[at]) <= most * published
            else:
                assert row["value"] <= published
            seen.append(figure["metric"])
    assert sorted(seen) == ["DSP blocks"] * 6 + ["LUT"] * 6 + ["flip-flops"] * 6
