# SPDX-License-Identifier: Apache-2.0
"""RTL that runs programs, writes files and opens connections: in a sandbox nothing of that leaves its folder."""

import ctypes
import json
import os
import pty
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs import sandbox, sandbox_exec, seccomp
from limbtrace.rtl_bridge.programs.process import Relay, supervise
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError
from tests.patience import eventually
from tests.rtl_bridge.helpers import TOYS, copy_of, job
from tests.vectors.test_cli import run

MODES = [
    ("icarus", "lockstep"),
    ("icarus", "bulk"),
    ("verilator", "lockstep"),
    ("verilator", "bulk"),
    ("verilator", "fast"),
]
FIRST = "  assign IR = !busy && !full;"


def hostile(target: Path, port: int) -> Path:
    """A copy of a toy that does its work, and writes, removes and connects before it.

    Icarus Verilog as Debian has it does not know $system; it opens files.
    """
    connect = f"{sys.executable} -c 'import socket; socket.create_connection((None, {port}), 5)'"
    code = f"""
  integer out;
  initial begin
    out = $fopen("{target}/opened", "w");
    if (out != 0) $fclose(out);
    `ifdef VERILATOR
    $system("touch {target}/touched; echo x > ~/limbtrace-was-here; rm -f {target}/victim");
    $system("{connect}");
    $system("echo inside > inside.txt; mount -o remount,rw / ; echo x > {target}/remounted");
    `endif
  end
"""
    return copy_of(TOYS / "bit_toy", target, ("bit_toy.v", FIRST, code + FIRST))


def happened(target: Path, listening: socket.socket) -> set[str]:
    """What of it can be seen outside."""
    found = {name for name in ("touched", "opened", "remounted") if (target / name).exists()}
    found |= {"home"} if (target / "home" / "limbtrace-was-here").exists() else set()
    found |= set() if (target / "victim").exists() else {"removed"}
    listening.settimeout(0.5)
    try:
        listening.accept()[0].close()
    except TimeoutError:
        return found
    return found | {"connected"}


@pytest.fixture
def listening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    (tmp_path / "home").mkdir()
    (tmp_path / "victim").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.mark.parametrize("way", sandbox.WAYS)
@pytest.mark.parametrize(("simulator", "mode"), MODES)
def test_nothing_leaves_it(
    simulator: str, mode: str, way: str, listening: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _only(way, monkeypatch)
    core = hostile(tmp_path, listening.getsockname()[1])
    asked = job(core, "mldsa", simulator=simulator, mode=mode, count=5)
    confined = simulate(asked.model_copy(update={"sandbox": True}))
    assert happened(tmp_path, listening) == set()
    free = simulate(asked)
    programs = {"touched", "remounted", "home", "removed", "connected"} if simulator == "verilator" else set()
    assert happened(tmp_path, listening) == {"opened", *programs}
    assert confined.passed, confined.text()
    differs = {"products_per_second"}
    for name, value in free.document.items():
        assert name in differs or confined.document[name] == value


def _only(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this way be the only one. Both need namespaces, and neither may fail where there are some."""
    if not system_has_namespaces():
        pytest.skip("the kernel permits no namespaces")
    monkeypatch.setattr(sandbox, "WAYS", (way,))
    sandbox.check()


def system_has_namespaces() -> bool:
    """Whether users may make namespaces: not in a chroot, and not where the administrator forbids it."""
    child = os.fork()
    if child == 0:
        os._exit(ctypes.CDLL(None).unshare(0x10000000 | 0x20000) != 0)  # CLONE_NEWUSER, CLONE_NEWNS
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


needs_namespaces = pytest.mark.skipif(not system_has_namespaces(), reason="the kernel permits no namespaces")


def test_without_one_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], listening: socket.socket
) -> None:
    monkeypatch.setattr(sandbox, "WAYS", ())
    core = hostile(tmp_path, listening.getsockname()[1])
    code, out, err = run(capfd, "sim", str(core), "--prime", "13", "--simulator", "icarus", "--sandbox")
    assert (code, out) == (3, "")
    assert err.count("\n") == 1
    assert "--sandbox takes bubblewrap" in err
    assert happened(tmp_path, listening) == set()


def test_a_way_that_confines_nothing_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program of that name that just runs what it is given is not trusted."""
    fake = tmp_path / "bwrap"
    fake.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(sandbox, "WAYS", ("bubblewrap",))
    sandbox.way.cache_clear()
    with pytest.raises(ToolError, match="--sandbox takes bubblewrap"):
        sandbox.check()
    sandbox.way.cache_clear()


def test_a_replay_is_in_it_too(tmp_path: Path) -> None:
    assert "--sandbox" in shlex.split(settle(job(sandbox=True)).replay(0))
    assert "--sandbox" not in settle(job()).replay(0)


@pytest.mark.parametrize(("mode", "fits"), [("lockstep", False), ("fast", False), ("bulk", True)])
def test_a_service_is_asked_before_it_begins(mode: str, fits: bool) -> None:
    asked = job(mode=mode, simulator="verilator", sandbox=True, service="http://127.0.0.1:9")
    if fits:
        assert settle(asked)
        return
    with pytest.raises(ParameterError, match="no network for --service"):
        settle(asked)


@pytest.mark.parametrize("way", sandbox.WAYS)
def test_how_a_program_ends_is_seen_outside(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _only(way, monkeypatch)
    for script, code in (("exit 0", 0), ("exit 3", 3), ("kill -SEGV $$", -11), ("kill -KILL $$", -9)):
        command = sandbox.confined(["sh", "-c", script], tmp_path)
        assert sandbox.exit_code(subprocess.run(command, check=False).returncode) == code


@pytest.mark.parametrize("way", sandbox.WAYS)
def test_nothing_stays_behind(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program started in the background ends with it."""
    _only(way, monkeypatch)
    script = "setsid sh -c 'while :; do date +%N > beat; sleep 0.05; done' & sleep 0.3"
    subprocess.run(sandbox.confined(["sh", "-c", script], tmp_path), check=True)
    first = (tmp_path / "beat").read_text()
    time.sleep(0.4)
    assert (tmp_path / "beat").read_text() == first


@pytest.mark.parametrize("way", sandbox.WAYS)
def test_what_is_there_inside(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Devices without disks, no sockets of services, no right that could undo it."""
    _only(way, monkeypatch)
    program = (
        "import json, os; from pathlib import Path; status = Path('/proc/self/status').read_text();"
        "rights = [line.split()[1] for line in status.splitlines() if line[:7] in ('CapEff:', 'CapPrm:', 'CapBnd:')];"
        "print(json.dumps([rights, os.getcwd(), os.listdir('/run'), [d.name for d in Path('/dev').iterdir() "
        "if d.is_block_device()]]))"
    )
    done = subprocess.run(
        sandbox.confined([sys.executable, "-c", program], tmp_path), capture_output=True, text=True, check=True
    )
    rights, folder, sockets, disks = json.loads(done.stdout)
    assert {int(right, 16) for right in rights} == {0}
    assert (folder, sockets, disks) == (str(tmp_path), [], [])


def places(folder: Path) -> str:
    """What the box is told."""
    return json.dumps({"folder": str(folder), "empty": ["/run"], "kept": []})


ATTEMPTS = """
import json, os, socket, sys
from pathlib import Path

def works(call):
    try:
        return call() or True
    except OSError:
        return False

def connected():
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(sys.argv[1])

found = {
    "files": [name for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/home", "/root", sys.argv[2])
              for name in (os.listdir(folder) if os.path.isdir(folder) else ())],
    "unix": works(connected),
    "datagrams": works(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)) is not False,
    "internet": works(lambda: socket.socket(socket.AF_INET)) is not False,
    "stream": works(lambda: socket.socketpair()) is not False,
    "variables": sorted(os.environ),
    "terminals": [number for number in range(64) if os.isatty(number)],
    "written": works(lambda: Path("/tmp/limbtrace-was-here").write_text("x")),
}
Path("found").write_text(json.dumps(found))
"""


@pytest.mark.parametrize("way", sandbox.WAYS)
def test_what_cannot_be_reached(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets wherever they are, files of people, secrets in the environment, a terminal."""
    _only(way, monkeypatch)
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    (home / "secret").write_text("x")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LIMBTRACE_TOKEN", "secret")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(work / "socket"))  # in the folder itself, where any file can be reached
        server.listen()
        command = [sys.executable, "-c", ATTEMPTS, str(work / "socket"), str(work)]
        assert supervise(command, work, tmp_path / "log", sandboxed=True) == 0, (tmp_path / "log").read_text()
    found = json.loads((work / "found").read_text())
    files = set(found.pop("files"))
    assert "secret" not in files
    kept = {part for path in (tmp_path, sys.prefix, sys.base_prefix, cache.folder(), os.environ["PATH"].split(":"))
            for each in (path if isinstance(path, list) else [path]) for part in Path(each).parts}  # fmt: skip
    assert files - kept <= {"socket", "found"}
    assert "LIMBTRACE_TOKEN" not in found.pop("variables")
    assert found == {
        "unix": False, "datagrams": False, "internet": False, "stream": True, "terminals": [], "written": False,
    }  # fmt: skip


def test_what_a_tool_of_a_home_needs_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program of ~/tools/bin, the sources that it is given, also for a shell, with blanks, and in JSON."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    names = ("tools/bin/tool", "tools/share/data", "core/a.v", "core/b c.v", "inc/x.vh", "plan/d.v", "secret/key")
    for name in names:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("")
    command = [str(home / "tools/bin/tool"), f"-I{home}/inc", f"--file={home}/core/a.v", str(home / "core/b c.v"),
               json.dumps({"files": [f"{home}/plan/d.v"]})]  # fmt: skip
    kept = sandbox._kept(command, [str(tmp_path)], str(tmp_path / "work"))
    inside = [name for name in names if any(f"{home}/{name}".startswith(f"{path}") for path in kept)]
    assert inside == [name for name in names if name != "secret/key"]
    assert str(home) not in kept


@pytest.mark.parametrize("way", sandbox.WAYS)
def test_a_core_has_no_terminal(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even by the descriptor for messages, of a command that has one."""
    _only(way, monkeypatch)
    ask = "import os; os._exit(any(map(os.isatty, range(64))))"
    code = f"""
  initial if ($system("{sys.executable} -c '{ask}'") != 0) $fatal(1, "a terminal");
"""
    edits = (("bit_toy.v", FIRST, code + FIRST), ("core.toml", "bit_toy.v", "bit_toy.sv"))
    core = copy_of(TOYS / "bit_toy", tmp_path, *edits)
    (core / "bit_toy.v").rename(core / "bit_toy.sv")
    program = (
        "import sys; from limbtrace.rtl_bridge.programs import sandbox; from limbtrace.vectors.cli import main\n"
        f"sandbox.WAYS = ({way!r},); main(['sim', {str(core)!r}, '--prime', 'mldsa', '--count', '3', *sys.argv[1:]])\n"
    )
    assert on_a_terminal([sys.executable, "-c", program, "--sandbox"]) == 0
    assert on_a_terminal([sys.executable, "-c", program]) != 0


def on_a_terminal(command: list[str]) -> int:
    """The exit code of a command whose standard input, output and error are a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    with suppress(OSError):
        while os.read(terminal, 1 << 12):
            pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_messages_of_a_core_do_not_control_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    relay = Relay()
    os.write(relay.end, b"\x1b]0;title\x07products: 5 of 9\r\n\xc2\x9b31m\x7f")
    os.close(relay.end)
    relay.finish()
    assert capfd.readouterr().err == "]0;titleproducts: 5 of 9\r\n??31m"


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_filter(machine: str) -> None:
    """Its jumps, on a machine of our own: every other call passes."""
    calls = seccomp.MACHINES[machine]
    program = seccomp.program(calls)

    def outcome(number: int, second: int = 0, architecture: int | None = None) -> int:
        of = calls.architecture if architecture is None else architecture
        data = {seccomp.NUMBER: number, seccomp.ARCHITECTURE: of, seccomp.SECOND: second}
        value = at = 0
        while True:
            code, yes, no, k = program[at]
            at += 1
            if code == seccomp.RETURN:
                return k
            if code == seccomp.LOAD:
                value = data[k]
            elif code == seccomp.AND:
                value &= k
            else:
                at += yes if (value == k if code == seccomp.EQUAL else value >= k) else no

    denied = {*calls[1:]} - {calls.socketpair, calls.ioctl}
    for number in range(512):
        assert outcome(number) == (seccomp.DENY if number in denied | {calls.socketpair} else seccomp.ALLOW)
    assert outcome(calls.socketpair, 1 | 0o2000000) == seccomp.ALLOW
    assert outcome(calls.socketpair, 2) == outcome(calls.socketpair, 5) == seccomp.DENY
    assert outcome(calls.ioctl, 0x5412) == outcome(calls.ioctl, 0x541C) == seccomp.DENY
    assert outcome(calls.ioctl, 0x5413) == seccomp.ALLOW
    assert outcome(seccomp.FOREIGN | calls.ioctl, 0x5413) == seccomp.DENY
    assert outcome(3, architecture=0x40000003) == seccomp.KILL


@pytest.mark.skipif(os.getuid() != 0, reason="the tests run as an ordinary user anyway")
@needs_namespaces
def test_ordinary_users_have_it_too(tmp_path: Path) -> None:
    """Root may do more with files and devices, so that it would not be seen what others may not."""
    os.chown(tmp_path, 65534, 65534)
    for folder in tmp_path.parents:
        if folder.name.startswith(("pytest-", "popen-")):
            folder.chmod(0o755)
    script = "id -u > user; echo > /dev/null && echo null >> user; touch ../outside || echo confined >> user; exit 5"
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: as of a process that began so
            os._exit(sandbox_exec.main(places(tmp_path), ["sh", "-c", script]))
        finally:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
    assert (tmp_path / "user").read_text().split() == ["65534", "null", "confined"]


def test_a_box_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", str(sandbox.EXEC), places(tmp_path / "nowhere"), "true"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == sandbox_exec.REFUSED
    assert done.stderr.startswith("box: ")


@needs_namespaces
def test_what_is_read_back_is_no_link(tmp_path: Path) -> None:
    """A simulation may put a link where its waveform, which is rewritten and copied afterwards, is expected."""
    (tmp_path / "victim").write_text("as it was")
    code = f"""
  final $system("rm waves.vcd; ln -s {tmp_path}/victim waves.vcd; ln -sf {tmp_path}/victim ../run.log");
"""
    edits = (("bit_toy.v", FIRST, code + FIRST), ("core.toml", "bit_toy.v", "bit_toy.sv"))
    core = copy_of(TOYS / "bit_toy", tmp_path, *edits)
    (core / "bit_toy.v").rename(core / "bit_toy.sv")
    asked = job(core, "mldsa", mode="bulk", simulator="verilator", count=5, sandbox=True, waves=tmp_path / "out.vcd")
    with pytest.raises(ToolError, match="something else in the place of its waveform"):
        simulate(asked)
    assert (tmp_path / "victim").read_text() == "as it was"
    assert not (tmp_path / "out.vcd").exists()


@pytest.mark.parametrize("way", sandbox.WAYS)
def test_it_ends_with_a_command_that_is_killed(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """kill -9 of whoever called `supervise`: nobody is left to stop what runs inside."""
    _only(way, monkeypatch)
    program = (
        "import sys; from pathlib import Path; from limbtrace.rtl_bridge.programs import process, sandbox\n"
        f"sandbox.WAYS = ({way!r},); work = Path(sys.argv[1])\n"
        "process.supervise(['sh', '-c', 'while :; do echo >> beat; sleep 0.05; done'], work,"
        " process.log_of(work), sandboxed=True)\n"
    )
    (tmp_path / "run").mkdir()
    caller = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "run")])
    beat = tmp_path / "run" / "beat"
    assert eventually(beat.exists)
    caller.kill()
    caller.wait()
    assert eventually(lambda: _is_quiet(beat))


def _is_quiet(file: Path) -> bool:
    """Whether nobody writes to a file that grows twenty times a second."""
    first = file.stat().st_size
    time.sleep(0.7)
    return first == file.stat().st_size


@needs_namespaces
def test_a_box_without_anybody_outside_does_not_begin(tmp_path: Path) -> None:
    """Who waits for a program is killed before the first process inside could ask to end with it."""
    program = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import sandbox_exec\n"
        "gone, held = os.pipe(); fork = os.fork\n"
        "def killed():\n"
        "    sandbox_exec.os.fork = fork\n"
        "    if fork(): os.kill(os.getpid(), 9)\n"
        "    os.close(held); os.read(gone, 1)\n"
        "    return 0\n"
        "sandbox_exec.os.fork = killed\n"
        "sandbox_exec.main(sys.argv[2], ['touch', 'mark'])\n"
    )
    command = [sys.executable, "-c", program, str(sandbox.EXEC.parent), places(tmp_path)]
    outside, inside = os.pipe()
    with subprocess.Popen(command, pass_fds=[inside]) as caller:
        os.close(inside)
        assert os.read(outside, 1) == b""  # the last process of the box has ended
    os.close(outside)
    assert caller.returncode == -9
    assert not (tmp_path / "mark").exists()
