# SPDX-License-Identifier: Apache-2.0
"""What GHDL's synthesis leaves out: defaults of choices, constants; and the comparison of its Verilog with the VHDL."""

from functools import partial
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.programs import ghdl as program
from limbtrace.rtl_bridge.programs.ghdl_netlist import NetlistError, completed
from limbtrace.rtl_bridge.run import conversion
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS, copy_of, job

OTHERS, VALID = TOYS / "vhdl_others", TOYS / "vhdl_valid"
FORMS = 6
"""Forms of choices in the toy, each of which can be spoiled."""


@pytest.mark.parametrize("bad", range(FORMS + 1))
def test_defaults_of_every_form(bad: int, tmp_path: Path) -> None:
    """A core that is wrong in one default differs, one that is right in all agrees."""
    core = copy_of(OTHERS, tmp_path, ("core.toml", 'port = "bad_i", value = 0', f'port = "bad_i", value = {bad}'))
    report = simulate(job(core, "13", kind="exhaustive", count=None, mode="bulk"))
    assert report.passed == (bad == 0), report.text()


def test_defaults_in_verilator() -> None:
    report = simulate(job(OTHERS, "0xef", simulator="verilator", count=100))
    assert report.passed, report.text()


CASE = """module t
  (input  [1:0] s,
   input  [3:0] x,
   output [3:0] y);
  reg [3:0] n1_o;
  assign y = n1_o;
  always @*
    case (s)
      2'b10: n1_o <= "0110";
      2'b01: n1_o <= x;
{default}    endcase
endmodule
"""
NETLIST = """architecture rtl of t is
  signal n1_o : std_logic_vector (3 downto 0);
begin
  y <= n1_o;
  with s select n1_o <=
    "0110" when "10",
    x when "{label}",
    {others} when others;
end rtl;
"""


def netlist(others: str = "x", label: str = "01") -> str:
    """A netlist in VHDL."""
    return NETLIST.format(others=others, label=label)


@pytest.mark.parametrize(
    ("others", "value"),
    [("x", "x"), ('"1000"', "4'b1000"), ("(3 downto 0 => 'X')", "4'bxxxx"), ('"-ZLH"', "4'bxz01"), ("'1'", "1'b1")],
)
def test_a_default_is_taken_from_the_netlist_in_vhdl(others: str, value: str) -> None:
    text = completed(CASE.format(default=""), partial(netlist, others))
    assert f"      default: n1_o <= {value};\n    endcase" in text
    assert "2'b10: n1_o <= 4'b0110;" in text


def test_a_netlist_that_has_its_defaults_is_left_alone() -> None:
    """So newer versions write it."""
    given = CASE.format(default="      default: n1_o <= x;\n").replace('"0110"', "4'b0110")

    def asked() -> str:
        raise AssertionError("no netlist in VHDL is needed")

    assert completed(given, asked) == given


@pytest.mark.parametrize(
    ("verilog", "vhdl", "sentence"),
    [
        (CASE, netlist(label="11"), "has no default for n1_o"),
        (CASE, "", "has no default for n1_o"),
        (CASE, netlist("a and b"), "has a default of another form: a and b"),
        (CASE.replace('"0110"', '"ab"'), netlist(), 'has the text "ab" in it'),
    ],
)
def test_what_cannot_be_completed_is_refused(verilog: str, vhdl: str, sentence: str) -> None:
    with pytest.raises(NetlistError, match=sentence):
        completed(verilog.format(default=""), lambda: vhdl)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing has been converted yet."""
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))


@pytest.mark.usefixtures("cold")
def test_a_synthesis_that_computes_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of the core, again and again."""
    monkeypatch.setattr(program, "completed", lambda text, _: text.replace(" + ", " - ", 1))
    for _ in range(2):
        with pytest.raises(ToolError, match=r"GHDL .* in a simulation of the VHDL itself it .*simulate"):
            simulate(job(VALID, "13", count=5))


@pytest.mark.usefixtures("cold")
def test_a_conversion_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulate(job(VALID, "13", count=5)).passed
    monkeypatch.setattr(conversion, "_variant", None)
    assert simulate(job(VALID, "13", count=6)).passed


@pytest.mark.usefixtures("cold")
def test_a_conversion_that_cannot_be_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """GHDL takes a generic of this type for synthesis alone."""
    core = copy_of(
        VALID,
        tmp_path,
        ("vhdl_valid.vhd", "generic (", 'generic (KEY : std_logic_vector(3 downto 0) := x"0"; '),
        ("core.toml", "build = {", "build = { KEY = 3,"),
    )
    assert simulate(job(core, "13", count=5)).passed
    said = capsys.readouterr().err
    assert "vhdl_valid is not compared with the VHDL itself: " in said
    assert "KEY is a std_logic_vector, which GHDL takes for synthesis alone" in said
