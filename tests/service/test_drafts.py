# SPDX-License-Identifier: Apache-2.0
"""A first core.toml over HTTP: what `limbtrace init` writes, from sources that may be hostile, and nothing left."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import httpx
import pytest

from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.responses import Exchange
from limbtrace.service.routes import command_runner, commands, core_files
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from tests.conftest import ROOT
from tests.patience import eventually
from tests.rtl_bridge.helpers import TOYS

SLOW = f"module slow({', '.join(f'input [7:0] p{k}' for k in range(11000))}); endmodule"
"""Within the limit of size, and many seconds of work."""
CRASH = f"module t(input a, output z); assign z = {'+'.join('a' for _ in range(60000))}; endmodule"
BOMB = "`define X0 a\n" + "".join(f"`define X{k} `X{k - 1} `X{k - 1}\n" for k in range(1, 60)) + "`X59\n"


def asked(api: httpx.Client, **request: object) -> httpx.Response:
    return api.post("/v1/core-files", json=request)


def test_it_is_what_the_command_writes(api: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = (TOYS / "serial_toy" / "serial_toy.sv").read_text()
    options = {"model": "cios", "prime": "2^61-1", "radix": "2^8"}
    answer = asked(api, files={"serial_toy.sv": source}, **options, set=["form=corrected"])
    assert answer.status_code == 200, answer.text
    (folder := tmp_path / "serial_toy").mkdir()
    (folder / "serial_toy.sv").write_text(source)
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    with pytest.raises(SystemExit):
        main(["init", str(folder), "--json", "--no-trial", *words, "--set", "form=corrected"])
    assert answer.json() == json.loads(capsys.readouterr().out)
    assert answer.json()["text"] == (folder / "core.toml").read_text()
    assert answer.headers["cache-control"] == "no-store"


RIGHT = {"a.sv": "module t(input a, output z); endmodule"}


@pytest.mark.parametrize("name", ["out", "said"])
def test_any_name_of_a_module_will_do(name: str, api: httpx.Client) -> None:
    """The command writes into files of its own, which no folder of sources hides."""
    answer = asked(api, files={f"{name}.v": f"module {name}(input a, output z); endmodule"})
    assert (answer.status_code, answer.json().get("name")) == (200, name), answer.text


def test_even_moduli_go_with_the_models_that_take_them(api: httpx.Client) -> None:
    answer = asked(api, files=RIGHT, model="modmul", prime="2^8")
    assert "must be odd" not in answer.text


def test_failures_of_the_service_are_no_fault_of_the_client(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    limits = ServiceSettings(database="sqlite://")
    failed = commands.reason(limits, core_files.TASK, command_runner.Ended(1, "", "", "Traceback: /secret"))
    assert isinstance(failed, RefusedError)
    assert (failed.status, failed.detail) == (500, "the service failed; its log says how")
    assert "/secret" in caplog.text

    def gone(*_: object) -> command_runner.Ended:
        raise ToolError("it has ended")

    monkeypatch.setattr(command_runner, "run", gone)
    here = SimpleNamespace(limits=limits, charge=lambda _: None)
    with pytest.raises(RefusedError) as caught:
        core_files.draft(cast(Exchange, here), {"a.sv": b""}, {}, [])
    assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "5"})
    assert "it has ended" in caplog.text


@pytest.mark.parametrize(
    ("request_", "parameter", "sentence"),
    [
        ({"files": {}}, "files", "there are 0 sources, and 1 to 20 are taken"),
        ({"files": {f"m{k}.v": "" for k in range(21)}}, "files", "there are 21 sources"),
        ({"files": {"../../x.sv": ""}}, "files", "'../../x.sv' should be letters"),
        ({"files": {"core.toml": ""}}, "files", "and end in .v or .sv"),
        ({"files": {"-f.v": ""}}, "files", "'-f.v' should be"),
        ({"files": {"a.sv": "//" + (1 << 18) * "x"}}, "files", "262146 bytes and the limit here is 262144"),
        ({"files": RIGHT, "model": "m" * 10_001}, "model", "10001 characters and the limit is 10000"),
        ({"files": RIGHT, "top": "a\0b"}, "top", "'a\\x00b' has characters that cannot be printed"),
        ({"files": RIGHT, "prime": "12", "model": "cios"}, "prime", "the modulus must be odd"),
        ({"files": RIGHT, "prime": "2^5000-1", "model": "cios"}, "prime", "the limit here is 4096 bits"),
        ({"files": RIGHT, "set": ["a=1"] * 101}, "set", "there are 101 values and the limit is 100"),
        ({"files": RIGHT, "nix": 1}, "nix", ""),
        ({"files": "x"}, "files", ""),
        ({"files": RIGHT, "top": "--help"}, "top", "'--help' is no name of a module"),
        ({"files": {"a.sv": '`include "/etc/passwd"'}}, "files", "a source includes another file"),
    ],
)
def test_wrong_requests(api: httpx.Client, request_: dict[str, object], parameter: str, sentence: str) -> None:
    answer = asked(api, **request_)
    assert answer.status_code == 422, answer.text
    assert sentence in answer.json()["detail"]
    assert answer.json()["parameter"] == parameter or not sentence


def test_half_a_surrogate_pair(api: httpx.Client) -> None:
    answer = api.post(
        "/v1/core-files", content=b'{"files": {"a.sv": "\\ud800"}}', headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["parameter"]) == (422, "files")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made, for nobody else."""
    (folder := tmp_path / "place").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


ARGUMENTS = ["init", "--json", "--no-includes", "core"]


@pytest.mark.parametrize(
    ("source", "seconds", "memory", "sentence"),
    [
        (SLOW, 1, 1 << 30, "files: slang takes longer than the limit of 1 s here for these sources"),
        (BOMB, 20, 1 << 28, "files: slang takes more memory than the limit of 268435456 bytes here"),
        (CRASH, 20, 1 << 30, "files: slang crashed on these sources"),
        ("module t(input a); \xff", 20, 1 << 30, "files: the RTL in core has an error: core/a.sv:1:20: error: "),
    ],
    ids=["slow", "bomb", "crash", "bytes"],
)
def test_limits_hold(source: str, seconds: int, memory: int, sentence: str, place: Path) -> None:
    ended = command_runner.run("core", {"a.sv": source.encode("latin-1")}, ARGUMENTS, seconds, memory)
    limits = ServiceSettings(database="sqlite://", max_draft_seconds=seconds, max_memory_bytes=memory)
    assert str(commands.reason(limits, core_files.TASK, ended)).startswith(sentence)
    assert list(place.iterdir()) == []


def test_a_service_without_the_extra_names_it(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyslang.py").write_text("raise ModuleNotFoundError('none', name='pyslang')")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    ended = command_runner.run("core", {"a.sv": b""}, ARGUMENTS, 20, 1 << 30)
    failed = commands.reason(ServiceSettings(database="sqlite://"), core_files.TASK, ended)
    sentence = "init needs pyslang, which is not installed: pip install 'limbtrace[sim]'"
    assert isinstance(failed, RefusedError)
    assert (failed.status, failed.detail) == (503, f"this service cannot describe cores: {sentence}")


def working(place: Path) -> list[int]:
    """Processes in a folder of that place."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if path.resolve().parent == place:
                found.append(int(path.parent.name))
        except OSError:  # it has just ended
            continue
    return found


def test_a_worker_that_is_killed_leaves_nothing(place: Path, tmp_path: Path) -> None:
    """Neither the command nor the folder."""
    (tmp_path / "slow.sv").write_text(SLOW)
    program = (
        "import sys; from limbtrace.service.routes.command_runner import run;"
        f"run('core', {{'a.sv': open({str(tmp_path / 'slow.sv')!r}, 'rb').read()}}, {ARGUMENTS}, 60, 1 << 30)"
    )
    worker = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    assert eventually(lambda: bool(working(place)) or worker.poll() is not None)
    assert [path.name.startswith(command_runner.PREFIX) for path in place.iterdir()] == [True]
    worker.kill()
    worker.wait()
    assert eventually(lambda: not working(place) and not [*place.iterdir()])
