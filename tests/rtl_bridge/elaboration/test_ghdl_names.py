# SPDX-License-Identifier: Apache-2.0
"""Nets to which GHDL gives the same name in Verilog: each gets one of its own, or the core is refused."""

import re
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.elaboration.ghdl_dump import DumpError, modules
from limbtrace.rtl_bridge.elaboration.ghdl_names import NamesError, clear
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import Conversion
from limbtrace.rtl_bridge.programs.ghdl import GhdlNetlist, VhdlFiles
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, copy_of, job

CLASH = TOYS / "vhdl_clash"
CLASHES = 8
"""Kinds of clashes in the toy, each of which can be spoiled."""


@pytest.mark.parametrize("bad", range(CLASHES + 1))
def test_a_core_full_of_clashes(bad: int, tmp_path: Path) -> None:
    """It agrees, and differs where one of the nets that share a name is wrong."""
    core = copy_of(CLASH, tmp_path, ("core.toml", 'port = "bad_i", value = 0', f'port = "bad_i", value = {bad}'))
    report = simulate(job(core, "13", kind="exhaustive", count=None, mode="bulk"))
    assert report.passed == (bad == 0), report.text()


def test_in_verilator() -> None:
    report = simulate(job(CLASH, "0xef", simulator="verilator", count=100))
    assert report.passed, report.text()


def test_a_row_has_the_signal_of_that_name(tmp_path: Path) -> None:
    """`add_sum` is a signal of 6 bits, the port `sum` of `add` is no longer called that."""
    row = 'row = [{ signal = "add_sum", match = "result", step = "r" }]\noperand ='
    bound = settle(job(copy_of(CLASH, tmp_path, ("core.toml", "operand =", row)), "13")).bound
    assert bound.signals == {"add_sum": 6}


HEAD = "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;\n"
INC = f"""{HEAD}entity inc is port (x : in unsigned(3 downto 0); y : out unsigned(3 downto 0)); end;
architecture a of inc is begin y <= x + 1; end;
architecture b of inc is begin y <= x + 2; end;
"""
TOP = """entity t is
  generic (u_y : integer := 1; W : integer := 4);
  port (clk : in std_logic; k : in std_logic_vector(1 downto 0); a, b : in unsigned(3 downto 0);
        z : out unsigned(3 downto 0)); end;
architecture a of t is
"""


def converted(body: str, folder: Path, **values: int) -> str:
    """The Verilog of an architecture with this body."""
    source = folder / "t.vhd"
    source.write_text(f"{INC}{HEAD}{TOP}{body}end;\n")
    return Conversion((("t.vhd", source),), "08", (("t", values),)).place.read_text()


def declared(text: str) -> list[str]:
    """All names that the last module declares, in lower case."""
    last = text[text.rindex("\nmodule ") :]
    names = re.findall(r"^ *\(?(?:wire|reg|input|output) +(?:\[\d+:0\] )?(\S+?)[;,)]", last, re.MULTILINE)
    names += re.findall(r"^  \w+ (\w+) \($", last, re.MULTILINE)
    return [name.lower() for name in names]


def test_a_parameter_keeps_its_name(tmp_path: Path) -> None:
    text = converted("begin u : entity work.inc(a) port map (a, z);\n", tmp_path, u_y=1)
    assert "#(parameter u_y = 1)" in text
    assert ".y(u__y)" in text
    assert "u_y" not in declared(text)


def test_words_of_verilog_and_extended_names(tmp_path: Path) -> None:
    body = r"signal reg, \reg_\, \Reg\, \a+b\ : unsigned(3 downto 0); begin reg <= a + 1; \reg_\ <= a + 2; " \
           r"\Reg\ <= a + 3; \a+b\ <= reg xor \reg_\; z <= \a+b\ xor \Reg\;"  # fmt: skip
    names = declared(converted(body, tmp_path))
    assert len(set(names)) == len(names)
    assert {"reg_", "reg___2", "reg__2", "ab"} <= set(names)


REFUSED = [
    ("signal g_x : unsigned(3 downto 0); begin g_x <= a + 1; g : block signal x : unsigned(3 downto 0); begin "
     "x <= a + 2; process (clk, b) begin if b(0) = '1' then z <= x; elsif rising_edge(clk) then z <= g_x; end if; "
     "end process; end block;",
     "has g_x for the signal g_x and the signal g.x of t alike"),
    ("type ram is array (0 to 3) of unsigned(3 downto 0); signal g_m : ram; begin g : block signal m : ram; begin "
     "process (clk) begin if rising_edge(clk) then m(to_integer(a(1 downto 0))) <= a; "
     "g_m(to_integer(b(1 downto 0))) <= b; z <= m(to_integer(b(1 downto 0))) + g_m(to_integer(a(1 downto 0))); "
     "end if; end process; end block;", "has g_m for the memory g.m and the memory g_m of t alike"),
    ("signal s : unsigned(3 downto 0); begin u : entity work.inc(a) port map (a, s); "
     "v : entity work.inc(b) port map (s, z);", "has 2 modules inc, of entities, architectures or libraries"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "sentence"), REFUSED, ids=["load", "memories", "modules"])
def test_what_cannot_be_told_apart_is_refused(body: str, sentence: str, tmp_path: Path) -> None:
    """Never guessed; the message says a way out."""
    with pytest.raises(ValueError, match=f'{sentence}.*; ghdl = "simulate" simulates the VHDL itself'):
        converted(body, tmp_path)


def test_a_refusal_is_one_sentence_of_the_description(tmp_path: Path) -> None:
    core = copy_of(
        CLASH,
        tmp_path,
        ("vhdl_clash.vhd", "architecture rtl of plus is", "architecture o of plus is begin sum <= x; end;\n"
                                                          "architecture rtl of plus is"),
        ("vhdl_clash.vhd", "work.plus generic map (W, 7)", "work.plus(rtl) generic map (W, 7)"),
        ("vhdl_clash.vhd", "sub_sum <= x + 9;", "o : entity work.plus(o) generic map (W, 7) port map (x, x, sub_sum);"),
    )  # fmt: skip
    with pytest.raises(ParameterError, match=r"core.toml: the Verilog that GHDL .* has 2 modules plus_\w+, of "):
        settle(job(core, "13"))


@pytest.fixture
def netlists(tmp_path: Path) -> tuple[str, str]:
    """The Verilog and the dump of an entity with a clash, as GHDL makes them."""
    body = "signal u_y : unsigned(3 downto 0); begin u : entity work.inc(a) port map (a, z); u_y <= b; "
    top = TOP.replace("u_y : integer := 1; ", "").replace("z :", "y, z :")
    (tmp_path / "t.vhd").write_text(f"{INC}{HEAD}{top}{body}y <= u_y + 1; end;\n")
    netlist = GhdlNetlist(tmp_path, VhdlFiles(("t.vhd",)), "t", "08", {}, sandboxed=False)
    return netlist.verilog(), netlist.dump()


def test_the_dump_says_which_net_is_meant(netlists: tuple[str, str]) -> None:
    text = clear(netlists[0], lambda: netlists[1], {})
    assert "assign z = u__y;" in text
    assert "assign u_y = b; // (signal)" in text
    assert "= u_y + 4'b0001;" in text
    assert ".y(u__y));" in text


WRONG = [
    (r"module \{(m\d+)\} \\t", r"module {\1} \\s"),
    (r"instance \\u_y\{", r"instance \\other{"),
    (r"# t.vhd:\d+:\d+\n(    instance \\u_y\{)", r"# t.vhd:1:1\n\1"),
    (r"<- \\u_y.\$o\{n\d+w", "<- x{n1w"),
    (r"input \\u.\\x\{", r"input \\u.\\y{"),
    (r"    instance \\u\{i\d+\}.*\n.*\n", ""),
    (r"    instance ", "    something "),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_a_dump_that_says_something_else_is_not_believed(old: str, new: str, netlists: tuple[str, str]) -> None:
    verilog, dump = netlists
    other = re.sub(old, new, dump)
    assert other != dump
    with pytest.raises(NamesError):
        clear(verilog, lambda: other, {})


def test_without_clashes_there_is_no_dump(netlists: tuple[str, str]) -> None:
    verilog = netlists[0].replace("u_y", "v_y", 1)

    def dump() -> str:
        raise AssertionError("no dump is needed")

    text = verilog[: verilog.index("module t")]
    assert clear(text, dump, {}) == text


def test_a_line_of_another_form() -> None:
    with pytest.raises(DumpError, match="something new"):
        modules("  module {m100} \\t\n    something new\n")
