# SPDX-License-Identifier: Apache-2.0
"""Failures end at once, with one sentence, and leave neither processes nor partial files behind."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.programs import process
from limbtrace.rtl_bridge.programs.process import HungError, supervise
from limbtrace.rtl_bridge.run import bulk, session
from limbtrace.rtl_bridge.run.builds import Build
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.errors import ToolError
from tests.patience import PATIENCE, eventually
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job

PYTHON = sys.executable
COMMAND = [PYTHON, "-c", "from limbtrace.vectors.entry import main; main()"]
ENDLESS = ("bit_toy.v", "    end else if (busy) begin\n", "    end else if (busy) begin\n      while (P[1]) ;\n")
"""Simulation time stops shortly before the first product is done."""


def members(path: Path, program: bytes = b"") -> list[int]:
    """Processes of a program, or of any program, with this path in their command lines."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if line.startswith(program) and str(path).encode() in line:
            found.append(int(folder.name))
    return found


class Clock:
    """Replaces the module `time` of a supervisor: the test advances the time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sleep = time.sleep

    def monotonic(self) -> float:
        return self.now


def log_of(error: ToolError) -> Path:
    """The log file that an error names."""
    return next(Path(word) for word in shlex.split(str(error).replace(":", " ")) if word.endswith(".log"))


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_a_core_in_which_time_stands_still(mode: str, cache: Path, tmp_path: Path) -> None:
    core = copy_of(TOYS / "bit_toy", tmp_path, ENDLESS)
    # On a busy machine cocotb may not have started yet.
    with pytest.raises(ToolError, match=r"made no progress for 2 s (in case 0|before the first product) and was"):
        simulate(job(core, "2^31-1", mode=mode, patience=2.0))
    assert members(cache) == []


def test_the_case_at_which_time_stands_still_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import time\nfrom limbtrace.rtl_bridge.run.child import answering\n"
    program += "from limbtrace.rtl_bridge.programs.process import beat\n"
    program += "with answering() as request: beat(request.beat, 17); time.sleep(10_000)"
    monkeypatch.setattr(Build, "command", lambda *_: [PYTHON, "-c", program])
    clock = Clock()

    def watching(*arguments: Any, alive: Any, **options: Any) -> int:
        def noted(said: bytes) -> object:
            signs: tuple[object, ...] = alive(said)
            if signs[0]:  # it has begun, and all that follows is silence
                clock.now += 2
            return signs

        return supervise(*arguments, alive=noted, **options)

    monkeypatch.setattr(session, "supervise", watching)
    monkeypatch.setattr(process, "time", clock)
    with pytest.raises(ToolError, match=r"^iddmm_arch2: the simulation in icarus made no progress for 5 s in case 17"):
        simulate(job(settings={"radix": "2^4"}, patience=5.0))
    assert clock.now == 8  # of four looks the first one heard something


def test_a_product_whose_rows_are_written_makes_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """For longer than the patience; the program then ends without a result."""
    program = "from limbtrace.rtl_bridge.run.child import answering\nimport os, time\n"
    program += "with answering() as request:\n  for _ in range(60): os.write(request.rows, b'0'); time.sleep(0.1)"
    monkeypatch.setattr(Build, "command", lambda *_: [PYTHON, "-c", program])
    with pytest.raises(ToolError) as caught:
        simulate(job(settings={"radix": "2^4"}, patience=4.0))
    assert "no progress" not in str(caught.value)


def test_a_long_bulk_run_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = []

    def listening(*arguments: Any, alive: Any, **options: Any) -> int:
        def noted(said: bytes) -> object:
            signs = alive(said)
            if said and b"LIMBTRACE PASS" not in said:  # it is still at work
                cases.append(alive.case)
            return signs

        return supervise(*arguments, alive=noted, **options)

    monkeypatch.setattr(bulk, "supervise", listening)
    assert simulate(job(prime="mlkem", settings={"radix": "2^16"}, mode="bulk", count=9000)).passed
    assert any(0 < case < 9000 for case in cases)


def test_whoever_still_works_is_not_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every line of output counts as progress, and each comes nine tenths of the patience after the one before."""
    program = "import os, time\nfor k in map(str, range(8)):\n    print(k, flush=True)\n"
    program += "    while not os.path.exists(k): time.sleep(0.01)"
    clock = Clock()

    def heard(said: bytes) -> float:
        for line in said.split():
            clock.now += 0.9
            (tmp_path / line.decode()).touch()
        return clock.now

    monkeypatch.setattr(process, "time", clock)
    assert supervise([PYTHON, "-c", program], tmp_path, tmp_path / "log", patience=1.0, alive=heard) == 0
    assert (tmp_path / "log").read_text().split() == [str(k) for k in range(8)]


def test_the_whole_group_is_stopped(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    command = ["sh", "-c", f"sh -c 'trap \"\" TERM; while :; do sleep 1; done' {mark} & wait"]
    groups: list[list[int]] = []

    def alive(_: bytes) -> object:
        groups.append(members(mark, b"sh"))
        return len(groups) if len(groups[-1]) < 2 else "both shells are there"

    with pytest.raises(HungError):
        supervise(command, tmp_path, tmp_path / "log", patience=0.5, alive=alive)
    assert len(groups[-1]) == 2
    assert members(mark) == []


def test_a_program_that_leaves_a_child_behind_does_not_hold_us_up(tmp_path: Path) -> None:
    command = f"(sleep {PATIENCE:.0f}; touch late) & exit 7"
    assert supervise(["sh", "-c", command], tmp_path, tmp_path / "log") == 7
    assert not (tmp_path / "late").exists()


def test_a_log_without_end_keeps_beginning_and_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "LOG_LIMIT", 1000)
    program = "print('first'); print('\\n'.join(map(str, range(300000)))); print('last')"
    assert supervise([PYTHON, "-c", program], tmp_path, tmp_path / "log") == 0
    text = (tmp_path / "log").read_text()
    assert len(text) < 4000
    assert text.startswith("first\n0\n1\n")
    assert text.endswith("299999\nlast\n")
    assert "bytes left out]" in text


@contextmanager
def endless(mode: str, cache: Path, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """`limbtrace sim` of a core with a zero-delay loop, while its simulator is running."""
    core = copy_of(TOYS / "bit_toy", folder, ENDLESS)
    command = [*COMMAND, "sim", str(core), "--prime", "2^31-1", "--simulator", "icarus", "--mode", mode]
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert eventually(lambda: bool(members(cache, b"vvp")))
        yield process


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_no_simulator_outlives_a_command_that_is_killed(mode: str, cache: Path, tmp_path: Path) -> None:
    with endless(mode, cache, tmp_path) as process:
        process.kill()
    try:
        assert eventually(lambda: not members(cache))
    finally:
        for number in members(cache):
            os.kill(number, signal.SIGKILL)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_an_interrupted_command_stops_its_simulator(number: int, code: int, cache: Path, tmp_path: Path) -> None:
    with endless("lockstep", cache, tmp_path) as process:
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert "Traceback" not in said
    assert members(cache) == []
    assert not list(tmp_path.glob("limbtrace-*"))


@pytest.mark.parametrize(("mode", "simulator"), [("lockstep", "icarus"), ("bulk", "icarus"), ("fast", "verilator")])
def test_a_core_that_ends_the_simulation(mode: str, simulator: str, tmp_path: Path) -> None:
    core = copy_of(TOYS / "bit_toy", tmp_path, ("bit_toy.v", "      if (big) t", "      $finish;\n      if (big) t"))
    with pytest.raises(ToolError, match=r"exit code 0, as after \$finish in the core, and no report") as error:
        simulate(job(core, "2^31-1", mode=mode, simulator=simulator))
    log_of(error.value).unlink()


def test_a_core_that_leaves_its_lines_open(tmp_path: Path) -> None:
    edit = ("bit_toy.v", "      if (big) t", '      $write("busy");\n      if (big) t')
    assert simulate(job(copy_of(TOYS / "bit_toy", tmp_path, edit), "2^31-1", mode="bulk")).passed


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_a_simulator_that_crashes(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Build, "command", lambda *_: ["sh", "-c", "echo about to crash; kill -SEGV $$"])
    with pytest.raises(ToolError, match=r"ended with signal SIGSEGV .* about to crash") as error:
        simulate(job(settings={"radix": "2^4"}, mode=mode))
    log_of(error.value).unlink()


def test_few_logs_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "_logs", [])
    (tmp_path / "log").write_text("it broke")
    kept = [log_of(process.no_report(1, tmp_path / "log")) for _ in range(process.MOST_LOGS + 3)]
    assert [log.exists() for log in kept] == [False] * 3 + [True] * process.MOST_LOGS
    for log in kept[3:]:
        log.unlink()


def test_a_report_cut_short_is_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "no_report", lambda code, log: ToolError(f"no report, exit code {code}"))
    monkeypatch.setattr(Build, "command", lambda *_: ["sh", "-c", "printf '{\"tally\"' > outcome.json"])
    with pytest.raises(ToolError, match="no report, exit code 0"):
        simulate(job(settings={"radix": "2^4"}))


def test_a_waveform_whose_simulator_died_at_the_very_end_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tally = '{"tally": {"verified": 1, "cycles": 1, "seconds": 1.0, "divergence": null}}'
    dying = f"touch waves.vcd; echo '{tally}' > outcome.json; kill -XFSZ $$"
    monkeypatch.setattr(Build, "command", lambda *_: ["sh", "-c", dying])
    monkeypatch.setattr(session, "no_report", lambda code, log: ToolError(process.ended(code, log)))
    with pytest.raises(ToolError, match="signal SIGXFSZ"):
        simulate(job(settings={"radix": "2^4"}, waves=tmp_path / "w.vcd"))
    assert list(tmp_path.iterdir()) == []


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"no-such-make: command not found; .*apt-get install make g\+\+"):
        process.run(["no-such-make"], tmp_path, tmp_path / "log", "make")


def test_a_compiler_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:\n\tno-such-compiler -c x.cpp\n")
    with pytest.raises(ToolError, match=r"is missing \(on Debian, apt-get install make g\+\+.*no-such-compiler"):
        process.run(["make"], tmp_path, tmp_path / "log", "the compiler")


def limited(blocks: int, *arguments: object) -> subprocess.CompletedProcess[str]:
    """`limbtrace sim` with a limit on file sizes in kilobytes, as on a disk that fills up."""
    command = shlex.join([*COMMAND, "sim", *map(str, arguments)])
    return subprocess.run(["bash", "-c", f"ulimit -f {blocks}; {command}"], capture_output=True, text=True, check=False)


def test_a_disk_that_fills_up_under_a_build(cache: Path) -> None:
    small = [CORE, "--prime", "0xea7", "--radix", "2^4", "--count", 3, "--simulator", "icarus"]
    done = limited(20, *small)
    assert done.returncode == 3, done.stderr
    assert "Icarus Verilog failed" in done.stderr
    assert not [path for path in cache.iterdir() if path.is_dir()]
    assert limited(1 << 20, *small).returncode == 0


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_a_disk_that_fills_up_under_a_waveform(mode: str, tmp_path: Path) -> None:
    waves = tmp_path / "w.vcd"
    options = ["--prime", "p521", "--radix", "2^16", "--count", 9, "--simulator", "icarus", "--waves", waves]
    done = limited(200, CORE, *options, "--mode", mode)
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
    for word in done.stderr.replace(":", " ").split():
        if word.endswith(".log"):
            Path(word).unlink()


def test_a_disk_that_is_full_after_the_simulation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(ToolError, match="No space left on device; TMPDIR says where simulations work"):
        simulate(job(settings={"radix": "2^4"}, count=2, waves=tmp_path / "w.vcd"))
    assert list(tmp_path.iterdir()) == []
