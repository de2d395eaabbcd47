# SPDX-License-Identifier: Apache-2.0
"""`limbtrace doctor --rtl`: cores, folders and files of anybody."""

import json
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.core.core import built_in
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import TOYS

BAD = """
`default_nettype none
module %s (input logic a, output logic b);
  assign b = ~a;
endmodule
`default_nettype wire
"""
BENCH = """
module bench;
  logic a, b;
  device u_device (.a(a), .b(b));
  initial begin
    #1 a = 1'b0;
    for (int i = 0; i < 3; i++) begin
      int k = 0;
      k = k + i;
    end
  end
endmodule
"""


def doctor(*arguments: object) -> int:
    """Exit code of `doctor --rtl` with these arguments."""
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--rtl", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize("core", [folder.name for folder in built_in()])
def test_cores_have_no_complaints(core: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(core) == 0
    assert capsys.readouterr().out.startswith("no complaints by ")


def test_a_folder_with_a_testbench(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A delay is a complaint in hardware alone; modules of a vendor need not be there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "device.sv").write_text(
        BAD % "device" + "module u (input wire a); DSP48E1 #(.AREG(1)) u_dsp (.A(a)); endmodule\n"
    )
    (tmp_path / "bench.sv").write_text(BENCH)
    assert doctor(tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(
        "rtl/device.sv:3: port a: a port without a kind of net under `default_nettype none`; Vivado"
    )
    assert lines[0].endswith("[port-kind]")
    assert lines[1].startswith("bench.sv:8: a variable with an initial value in a process")
    assert "[port-kind] instead: input wire logic x;" in "\n".join(lines)
    assert "  Vivado synthesis 2019.1: https://github.com/chipsalliance/VeeRwolf/issues/2" in lines
    assert lines[-1].startswith("2 complaints by ")
    assert lines[-1].endswith(" rules, in 1 source of hardware and 1 testbench")
    assert doctor(tmp_path, "--json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "limbtrace/1"
    found = document["rtl"]
    assert (found["hardware"], found["simulated"], found["vhdl"]) == (["rtl/device.sv"], ["bench.sv"], [])
    assert [entry["place"] for entry in found["complaints"]] == ["rtl/device.sv:3", "bench.sv:8"]
    assert [entry["rule"] for entry in found["complaints"]] == ["port-kind", "static-in-process"]
    assert {rule["id"] for rule in found["rules"]} == {"port-kind", "static-in-process"}
    assert found["rules"][0]["reports"][0]["tool"] == "Vivado synthesis"


def test_one_file_and_headers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sv").write_text(
        '`include "w.svh"\nmodule a (input wire [`W-1:0] x, output wire y); assign y = ^x; endmodule\n'
    )
    (tmp_path / "w.svh").write_text("`define W 4\n")
    assert doctor(tmp_path / "a.sv") == 0
    (tmp_path / "inc").mkdir()
    (tmp_path / "w.svh").rename(tmp_path / "inc" / "w.svh")
    assert doctor(tmp_path) == 0
    assert capsys.readouterr().err == ""


def test_what_is_wrong_is_said_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sv").write_text("module a (output wire y); assign y = ; endmodule\n")
    assert doctor(tmp_path) == 1
    assert "a.sv:1: expected expression\n" in capsys.readouterr().out


def test_a_core_whose_example_cannot_be_bound_has_its_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(TOYS / "fetch_toy") == 0
    assert " in 1 source of hardware and no testbenches\n" in capsys.readouterr().out


def test_vhdl_is_not_examined(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(TOYS / "vhdl_comb") == 0
    assert capsys.readouterr().out.endswith("not examined, because they are VHDL: vhdl_comb.vhd\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["{}/none"], "limbtrace: rtl: "),
        (["{}"], "has no file that ends in .v or .sv"),
        (["{}", "--for", "sim"], "limbtrace: rtl: either sources are examined, --rtl, or tools are listed, --for\n"),
    ],
)
def test_wrong_requests(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(*(argument.format(tmp_path) for argument in arguments)) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
