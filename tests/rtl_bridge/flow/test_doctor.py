# SPDX-License-Identifier: Apache-2.0
"""`limbtrace doctor`, and colour where a terminal is."""

import importlib.metadata
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.flow import doctor
from limbtrace.rtl_bridge.programs.tool import Tool
from limbtrace.rtl_bridge.run import simulators
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from tests.conftest import ROOT

SIM = ["sim", "r2mm_bitserial", "--prime", "13", "--count", "1", "--simulator", "icarus"]


def run(*arguments: str) -> int:
    """Exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["doctor", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_everything_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--for", "sim", "--for", "serve") == 0
    text = capsys.readouterr().out
    assert text.endswith("\nnothing is missing for sim, serve\n")
    assert re.search(r"^cocotb +2\.1\.\d+ +>=2\.1,<2\.2 +ok +sim$", text, re.MULTILINE)
    assert "matplotlib" not in text


def test_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def nowhere(name: str) -> str:
        if name in ("matplotlib", "structlog"):
            raise importlib.metadata.PackageNotFoundError(name)
        return "1.0" if name == "cocotb" else here(name)

    def none() -> Tool:
        raise ToolError("none")

    here = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", nowhere)
    monkeypatch.setattr(simulators, "icarus", none)
    assert run() == 0
    text = capsys.readouterr().out
    install = text.partition("to install:\n")[2]
    assert re.search(r"pip install 'limbtrace\[plot\]' +matplotlib\n", install)
    assert re.search(r"pip install 'limbtrace\[sim\]' +cocotb\n", install)
    assert re.search(r"apt-get install iverilog +Icarus Verilog\n", install)
    assert "Verilator\n" not in install
    assert re.search(r"^cocotb +1\.0 +>=2\.1,<2\.2 +unsuitable ", text, re.MULTILINE)
    for purpose, code in (("library", 0), ("certify", 0), ("sim:icarus", 1), ("explore:plot", 1), ("serve", 1)):
        assert run("--for", "certify", "--for", purpose, "--json") == code, purpose
        document = json.loads(capsys.readouterr().out)
        assert document["ready"] == {"certify": True, purpose: code == 0}
        states = {tool["name"]: tool["state"] for tool in document["tools"]}
        assert (sum(state != "ok" for state in states.values()) > 0) == bool(code)


def test_an_unknown_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--for", "nothing") == 2
    assert "'nothing' is not one of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("version", "wanted", "accepted"),
    [
        ("2.1.0", ">=2.1,<2.2", True),
        ("2.2", ">=2.1,<2.2", False),
        ("2.0.9", ">=2.1,<2.2", False),
        ("5.038", ">=5.032", True),
        ("5.006", ">=5.032", False),
        ("11.0", ">=11", True),
        ("10.3", ">=11", False),
        ("0.70.0.0.post1259", "==0.70.0.0.post1259", True),
        ("0.70.0.0.post1260", "==0.70.0.0.post1259", False),
        ("1", "", True),
    ],
)
def test_versions(version: str, wanted: str, accepted: bool) -> None:
    assert doctor._accepted(version, wanted) == accepted


def test_versions_are_those_of_the_setup() -> None:
    """`./run` is a shell script, which cannot ask Python before it is there."""
    text = (ROOT / "run").read_text()
    for name, version in (("verilator", simulators.OLDEST_VERILATOR), ("icarus", simulators.OLDEST_ICARUS)):
        assert f"readonly oldest_{name}={simulators.said_of(version)}" in text


def test_every_purpose_names_what_exists() -> None:
    names = {found.name for found in doctor.examine()}
    extras = set(importlib.metadata.metadata(doctor.OWN).get_all("Provides-Extra") or ())
    for purpose in doctor.PURPOSES.values():
        assert set(purpose.tools) <= names
        assert set(purpose.extras) <= extras


def test_every_tool_serves_a_command() -> None:
    """GHDL runs the VHDL example of a library."""
    found = {finding.name: finding.purposes for finding in doctor.examine()}
    assert [name for name, purposes in found.items() if not purposes] == ["Python"]
    assert found["GHDL"] == ("sim:vhdl", "library:ghdl")
    assert "library:sim" in found["Verilator"]


WITHOUT = """
import sys
for name in ("cocotb", "cocotb_tools", "find_libpython", "pyslang", "fastapi", "sqlalchemy", "matplotlib"):
    sys.modules[name] = None
from limbtrace.vectors.cli import main
main(sys.argv[1:])
"""


def test_it_works_where_packages_are_missing() -> None:
    """A command that tells what is missing must not need it; the others name the extra."""
    for command, code, said in (
        (["doctor", "--for", "sim:icarus"], 1, "apt-get install libpython3-dev"),
        (["init", "."], 3, "pip install 'limbtrace[sim]'"),
        (["explain", "x"], 2, "report: x cannot be read"),  # it simulates nothing
    ):
        done = subprocess.run([sys.executable, "-c", WITHOUT, *command], capture_output=True, text=True, check=False)
        assert (done.returncode, said in done.stdout + done.stderr) == (code, True), done


def terminal(arguments: list[str], environment: dict[str, str], folder: Path) -> str:
    """What a command writes to a terminal."""
    near, far = pty.openpty()
    program = "import sys; from limbtrace.vectors.cli import main; main(sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=far, cwd=folder, env=environment, stderr=subprocess.DEVNULL
    )
    os.close(far)
    text = b""
    try:
        while part := os.read(near, 4096):
            text += part
    except OSError:  # its end
        pass
    os.close(near)
    assert process.wait() == 0
    return text.decode()


@pytest.mark.parametrize("arguments", [SIM, ["doctor", "--for", "init"]])
def test_colour_is_for_terminals(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    assert "\x1b[32m" in terminal(arguments, environment, tmp_path)
    assert "\x1b" not in terminal(arguments, {**environment, "NO_COLOR": "1"}, tmp_path)
    with pytest.raises(SystemExit):
        main(arguments)
    assert "\x1b" not in capsys.readouterr().out
