# SPDX-License-Identifier: Apache-2.0
"""Results in two's complement: a multiple of p is added to negative ones, and what is out of range differs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.interface.pins import Pins, extended, ports_in
from limbtrace.rtl_bridge.interface.port_types import DesignPort, PortType
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import job

CENTRED = """module centred #(parameter W = 14) (input [W-1:0] a, b, p, output [W-1:0] {port});
  wire [2*W-1:0] t = a * b;
  wire [W-1:0] r = t % {{{{W{{1'b0}}}}, p}};
  assign z = r > (p >> 1) ? r - p : r;
endmodule
"""


def core(folder: Path, *, text: str = "", rtl: tuple[str, str] = ("", ""), declared: str = "z") -> Path:
    """A core with results in (-p/2, p/2) of 16 bits, its [result] as that text, and a text of its RTL replaced."""
    (folder / "centred.v").write_text(CENTRED.format(port=declared).replace(*rtl) if rtl[0] else
                                      CENTRED.format(port=declared))  # fmt: skip
    (folder / "core.toml").write_text(f"""format = "limbtrace-core/1"
name = "centred"
model = "modmul"
compare = "congruent"
files = ["centred.v"]
top = "centred"
build = {{ W = 16 }}
protocol = {{ kind = "start-done", latency = 0 }}
operand = [{{ name = "a", port = "a" }}, {{ name = "b", port = "b" }}]
input = [{{ port = "p", value = "p" }}]
result = {{ {text or 'port = "z", signed = true, below = "p"'} }}
""")
    return folder


def test_negative_results_agree(tmp_path: Path) -> None:
    assert simulate(job(core(tmp_path), "12289", count=60, mode="bulk")).passed


def test_without_the_key_they_differ(tmp_path: Path) -> None:
    assert not simulate(job(core(tmp_path, text='port = "z", below = "p"'), "12289", count=60)).passed


@pytest.mark.parametrize(
    ("edit", "agrees"),
    [
        (("r - p : r", "r - p : r - p"), True),  # in [-p, p/2)
        (("r - p : r", "r - 2*p : r"), False),  # below -p, with the right residue
        (("r - p : r", "r - p : r + p"), False),  # above p
    ],
)
def test_the_range_is_compared(edit: tuple[str, str], agrees: bool, tmp_path: Path) -> None:
    assert simulate(job(core(tmp_path, rtl=edit), "12289", count=30)).passed is agrees


def test_a_part_of_a_port_and_an_inverted_one(tmp_path: Path) -> None:
    """The sign is the top bit of what the description names."""
    text = 'port = "!z", signed = true, below = "p"'
    folder = core(tmp_path, text=text, rtl=("r - p : r", "~(r - p) : ~r"))
    assert simulate(job(folder, "12289", count=30)).passed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('port = "z", signed = true, radix = 4, below = "p"', "without digits"),
        ('address = "z", data = "z", words = 1, depth = 1, signed = true, below = "p"', "has the whole result"),
        ('port = "z", signed = true, below = "8 * p"', "16 bits"),
    ],
)
def test_descriptions_that_are_refused(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=why):
        settle(job(core(tmp_path, text=text), "12289", count=1))


def test_it_needs_congruent_results(tmp_path: Path) -> None:
    path = core(tmp_path) / "core.toml"
    path.write_text(path.read_text().replace("congruent", "residue"))
    with pytest.raises(ParameterError, match="signed goes with compare"):
        find(str(tmp_path))


@given(st.integers(2, 80), st.data())
def test_an_extended_pin_is_the_number_in_twice_the_width(width: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(-(1 << width - 1), (1 << width - 1) - 1))
    pin = Pins({"z": DesignPort("z", "output", width, PortType(width, range=(width - 1, 0)))})[extended("z")]
    bits = [value >> part.low + k & 1 for part in pin.taken for k in range(part.width)]
    assert len(bits) == pin.width == 2 * width
    assert sum(bit << k for k, bit in enumerate(bits)) == value & ((1 << 2 * width) - 1)
    assert ports_in(extended("{hi,lo[3:0]}")) == ["hi", "lo"]
