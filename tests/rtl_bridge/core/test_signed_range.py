# SPDX-License-Identifier: Apache-2.0
"""Numbers in two's complement and the integers that stand for them, and the descriptions that have them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.signed_range import SignedRange
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.run.settle import settle
from tests.rtl_bridge.helpers import job


@st.composite
def ranges(draw: st.DrawFn) -> SignedRange:
    """Ranges with every residue."""
    modulus = draw(st.integers(2, 60))
    least = draw(st.integers(-200, 0))
    most = draw(st.integers(max(least + modulus - 1, 0), 260))
    return SignedRange(least, most, modulus)


@given(ranges())
def test_every_number_has_an_integer_of_its_own(signed: SignedRange) -> None:
    numbers = range(signed.least, signed.most + 1)
    integers = [signed.integer(number) for number in numbers]
    assert [signed.number(integer) for integer in integers] == [*numbers]
    assert len({*integers}) == signed.count <= signed.added
    assert all(0 <= integer < signed.added for integer in integers)


@given(ranges(), st.data())
def test_every_integer_is_a_number_of_the_range_with_its_residue(signed: SignedRange, data: st.DataObject) -> None:
    """Also those between the largest number and the integer of the least one."""
    integer = data.draw(st.integers(0, signed.added - 1))
    number = signed.number(integer)
    assert signed.least <= number <= signed.most
    assert (number - integer) % signed.modulus == 0
    width = data.draw(st.integers(signed.bits, signed.bits + 9))
    image = signed.image(integer, width)
    assert image >> width == 0
    assert (image - number) % (1 << width) == 0
    assert signed.number(signed.from_image(image, width)) == number


@given(ranges())
def test_the_bits_hold_the_range_and_no_fewer_do(signed: SignedRange) -> None:
    half = 1 << (signed.bits - 1)
    assert -half <= signed.least
    assert signed.most < half
    assert 2 * signed.least < -half or 2 * signed.most >= half or signed.bits == 1


RTL = """module signed_mod #(parameter W = 8) (
  input  wire signed [W-1:0] a, b,
  input  wire        [W-1:0] p,
  output wire signed [W-1:0] z
);
  wire signed [2*W-1:0] t = a * b;
  wire signed [2*W-1:0] r = t % $signed({{W{1'b0}}, p});
  assign z = r[W-1:0];
endmodule
"""
"""Remainders have the sign of the product, so that results are in (-p, p)."""
OPERANDS = 'name = "a", port = "a", signed = true, below = "p"', 'name = "b", port = "b", signed = true, below = "p"'
RESULT = 'port = "z", signed = true, above = "-p", below = "p"'


def core(folder: Path, *edits: tuple[str, str]) -> Path:
    """A core with operands and results in (-p, p), with edits of its description."""
    (folder / "signed_mod.v").write_text(RTL)
    text = f"""format = "limbtrace-core/1"
name = "signed_mod"
model = "modmul"
compare = "congruent"
files = ["signed_mod.v"]
top = "signed_mod"
build = {{ W = "N + 1" }}
protocol = {{ kind = "start-done", latency = 0 }}
operand = [{{ {OPERANDS[0]} }}, {{ {OPERANDS[1]} }}]
input = [{{ port = "p", value = "p" }}]
result = {{ {RESULT} }}
"""
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "core.toml").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (("signed = true, below", "above = 0, below"), "takes above together with signed = true"),
        (('signed = true, below = "p"', "signed = true"), "needs below with signed = true"),
        (("signed = true, below", 'radix = "2^4", signed = true, below'), "together with signed"),
        (('port = "z", signed = true', 'port = "z"'), "above of result goes with signed = true"),
    ],
)
def test_descriptions_that_are_wrong(edit: tuple[str, str], why: str, tmp_path: Path) -> None:
    core(tmp_path, edit)
    with pytest.raises(ParameterError, match=why):
        find(str(tmp_path))


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (('below = "p"', 'above = "p - 1", below = "p"'), "operand.0..above is 'p - 1', which is 12288, and"),
        (('below = "p"', 'below = "p // 4"'), "operand.0. has 6143 numbers from -0xbff to 0xbff, fewer than residues"),
        (('below = "p"', 'below = "2 * p"'), "operand.0..port is a, which has 15 bits"),
        (('model = "modmul"', 'model = "ffm2"'), "ffm2 has to take a up to 0x6001, and it takes up to 0x3000"),
        (('compare = "congruent"', 'compare = "result"'), "signed goes with compare"),
        ((RESULT, 'port = "z", signed = true, above = "-p // 4", below = "p // 4"'), "fewer than residues"),
        (('above = "-p"', 'above = "-65 * p"'), "at most 64 times p"),
        (('above = "-p"', 'above = "-2 * p"'), "result.port is z, which has 15 bits, and result has"),
    ],
)  # fmt: skip
def test_descriptions_that_do_not_go_with_a_modulus(edit: tuple[str, str], why: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=why):
        settle(job(core(tmp_path, edit), "12289", count=1))


def test_exact_results_are_not_asked_for_where_the_model_has_none(tmp_path: Path) -> None:
    """The integer that `montgomery` returns without a last subtraction depends on more than residues."""
    unreduced = ('model = "modmul"', 'model = "montgomery"\nsettings = { final = "unreduced" }')
    exact = ('compare = "congruent"', 'compare = "result"')
    with pytest.raises(ParameterError, match='signed operands go with compare = "residue" or "congruent"'):
        settle(job(core(tmp_path, unreduced, exact, (RESULT, 'port = "z"')), "12289", count=1))


def test_rows_are_refused(tmp_path: Path) -> None:
    core(tmp_path, ("result = {", 'row = [{ signal = "t", match = "result", step = "t" }]\nresult = {'))
    with pytest.raises(ParameterError, match="row does not go with signed operands"):
        find(str(tmp_path))


@pytest.mark.parametrize("edit", [("z", "z"), ('above = "-p", ', "")])
def test_a_core_that_is_bound_again_is_as_new(edit: tuple[str, str], tmp_path: Path) -> None:
    """As for every modulus of a size, or those of `--moduli directed`."""
    first = settle(job(core(tmp_path, edit), "12289", count=1))
    again, new = (settle(job(tmp_path, "12277", count=1), *given) for given in ((first.bound.core, first.bound), ()))
    assert again.shell.text == new.shell.text == first.shell.text
    assert again.shell.constants == new.shell.constants != first.shell.constants
