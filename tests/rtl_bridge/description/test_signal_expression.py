# SPDX-License-Identifier: Apache-2.0
"""Expressions over signals: their Verilog has the value that the expression language has, for all of its operators."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.expressions import Expression
from limbtrace.rtl_bridge.description.formula import FormulaError
from limbtrace.rtl_bridge.description.signal_expression import SignalExpression, is_expression, signals_in
from limbtrace.rtl_bridge.programs.process import environment

WIDTHS = {"a": 1, "b": 3, "c": 8, "d": 33}
TEXTS = (
    "a", "b + c", "c - b + 2^9", "b * c * d", "d // (b + 1)", "d % 7", "(c + d) mod (c + 1)", "c << b", "d >> b",
    "max(b, c, 5)", "min(a, b)", "(b - c) * (b - c) + 2^20", "d * 2^20 + c", "+a + 0x1f", "(b - 9) * (c - 300) >> 1",
    "(b - c >> 1) + 2^8", "2^(3^2) - d % 2^9",
)  # fmt: skip
RELATIONS = ("b == 3", "c != d", "b - c < -2", "d >= 2^32", "a * b <= c - 200", "c > max(b, 4)", "-b * c == -c * 7")


def valued(text: str, values: Mapping[str, int]) -> int:
    return Expression.parse(text).value(values)


def compared(text: str, values: Mapping[str, int]) -> int:
    left, relation, right = text.partition(next(r for r in ("==", "!=", "<=", ">=", "<", ">") if r in text))
    sides = valued(left, values), valued(right, values)
    return int(eval(f"{sides[0]} {relation} {sides[1]}"))


def test_icarus_agrees_with_the_expression_language(tmp_path: Path) -> None:
    """Each value with the width that is said of it, so that no bit is lost, for extreme and for random signals."""
    draw = Random(1)
    ports = "".join(f"  reg [{width - 1}:0] {name};\n" for name, width in WIDTHS.items())
    body, wanted = "", []
    parsed = [SignalExpression.parse(text, compared=True) for text in (*TEXTS, *RELATIONS)]
    for at in range(12):
        values = {name: [0, (1 << width) - 1, draw.getrandbits(width)][min(at, 2)] for name, width in WIDTHS.items()}
        body += "".join(f"    {name} = {WIDTHS[name]}'d{value};\n" for name, value in values.items()) + "    #1;\n"
        for one in parsed:
            body += f'    $display("%0d", {{{one.verilog(WIDTHS, str)}}});\n'
            wanted.append(compared(one.text, values) if one.relation else valued(one.text, values))
    source = tmp_path / "t.sv"
    source.write_text(f"module t;\n{ports}  initial begin\n{body}  end\nendmodule\n")
    model = tmp_path / "t"
    subprocess.run(["iverilog", "-g2012", "-o", str(model), str(source)], check=True, env=environment())
    said = subprocess.run(["vvp", str(model)], check=True, env=environment(), capture_output=True, text=True).stdout
    assert [int(line) for line in said.splitlines()] == wanted


@given(st.sampled_from(TEXTS), st.data())
def test_no_value_is_wider_than_said(text: str, data: st.DataObject) -> None:
    values = {name: data.draw(st.integers(0, (1 << width) - 1)) for name, width in WIDTHS.items()}
    found = SignalExpression.parse(text, compared=False)
    assert 0 <= valued(text, values) < 1 << found.width(WIDTHS)


def test_signals_have_scopes_and_indices() -> None:
    text = "u_core.sum_q[1] * 2 + gen[3].x$y == 0x1f mod max(4, q)"
    assert signals_in(text) == ("u_core.sum_q[1]", "gen[3].x$y", "q")
    assert signals_in("u_core.sum_q[1]") == ("u_core.sum_q[1]",)
    assert not is_expression("u_core.sum_q[1]")
    found = SignalExpression.parse(text, compared=True)
    said = found.verilog({"u_core.sum_q[1]": 4, "gen[3].x$y": 1, "q": 3}, lambda name: f"NET({name})")
    assert "NET(u_core.sum_q[1])" in said
    assert "NET(gen[3].x$y)" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("state ==", "is 'state ==': the integer is missing"),
        ("state = 3", "character '=' is not part of an integer expression"),
        ("a == b == c", "and takes one comparison such as 'state == 3'"),
        ("3 == 4", "which names no signal"),
        ("a < b && c", "character '&' is not part"),
    ],
)
def test_what_is_no_expression(text: str, said: str) -> None:
    with pytest.raises(FormulaError) as error:
        SignalExpression.parse(text, compared=True)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("b - c", "which may be negative"),
        ("b // c == 1", "one that is never 0"),
        ("(b - c) % 3 == 1", "a value that is never negative"),
        ("2^b == 4", "a power takes numbers that"),
        ("d << c == 4", ""),
        ("b == 8", "is 'b == 8', which never holds with b of 3 bits"),
        ("b != 9", "which always holds"),
        ("b < 8", "always holds"),
        ("b >= 8", "never holds"),
        ("0 - b > 0", "never holds"),
        ("b <= 0 + a * 7", ""),
        ("7 >= b", "always holds"),
        ("c << d == 1", "above 8192"),
        ("2^9000 * c == 1", "wider than the limit"),
    ],
)
def test_values_that_there_are_not(text: str, said: str) -> None:
    found = SignalExpression.parse(text, compared=True)
    if not said:
        found.check(WIDTHS)
        return
    with pytest.raises(FormulaError) as error:
        found.check(WIDTHS)
    assert said in str(error.value)
