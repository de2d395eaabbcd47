# SPDX-License-Identifier: Apache-2.0
"""What a core computes is told from its results: toys that compute something else than their description says."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.flow.r_formulas import formulas
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import cli
from tests.rtl_bridge.helpers import TOYS, job

TURNED = [
    ("output reg  [WIDTH-1:0] result", "output wire [WIDTH-1:0] turned"),
    (
        "    reg [WIDTH-1:0] x, y;",
        "    reg [WIDTH-1:0] x, y, result;\n    genvar g;\n"
        "    generate for (g = 0; g < WIDTH; g = g + 16) begin : gen_turned\n"
        "      assign turned[g +: 16] = result[WIDTH-g-16 +: 16];\n    end endgenerate",
    ),
]


def edited(tmp_path: Path, toy: str, *edits: tuple[str, str]) -> Path:
    """A copy of a toy with texts replaced, each of which is in one of its files."""
    folder = tmp_path / toy
    shutil.copytree(TOYS / toy, folder)
    for old, new in edits:
        (place,) = [path for path in folder.iterdir() if path.is_file() and old in path.read_text()]
        place.write_text(place.read_text().replace(old, new))
    return folder


def told(folder: Path | str, *words: str) -> tuple[int, list[str]]:
    """Exit code and lines of the answer."""
    given = [str(folder), "--simulator", "icarus", *words]
    answer = CliRunner().invoke(cli, ["identify", *given], standalone_mode=False)
    if answer.exception is not None:
        raise answer.exception
    return int(answer.return_value), answer.stdout.splitlines()


def test_a_core_as_described() -> None:
    assert told(TOYS / "modmul_toy", "--prime", "p256") == (
        0,
        [
            "modmul_toy: 16 random products modulo p256.fp in icarus",
            "result = a*b mod p; all below p",
            "in core.toml:",
            '  model = "modmul"',
        ],
    )


def test_a_model_that_is_not_the_right_one(tmp_path: Path) -> None:
    """A Montgomery core that is described as if it computed a*b mod p; with the keys that are told it agrees."""
    folder = edited(
        tmp_path,
        "mont_toy",
        ('model = "montgomery"\ncompare = "congruent"\n', 'model = "modmul"\n'),
        ('settings = { r = "(N + 3 + 15) // 16 * 16" }\nbuild = { WORDS = "r // 16" }', "build = { WORDS = 17 }"),
        ("modulus =", "# modulus ="),
        ('result = { port = "z_o", below = "2 * p" }', 'result = { port = "z_o" }'),
    )
    code, lines = told(folder, "--prime", "p256", "--count", "30")
    assert code == 0
    assert lines[1:] == [
        "result = a*b / 2^272 mod p; all below p",
        "R = 2^272; with N = 256, r = (N + 31) // 16 * 16 or 272",
        "in core.toml:",
        '  model = "montgomery"',
        '  settings = { r = "(N + 31) // 16 * 16" }',
    ]


def test_results_that_are_not_reduced() -> None:
    code, lines = told("iddmm_arch2", "--prime", "0xea7", "--radix", "2^4", "--count", "30")
    assert (code, lines[1], lines[-2:]) == (
        0,
        "result = a*b / 2^12 mod p; all below 2 * p",
        ['  compare = "congruent"', '  [result] below = "2 * p"'],
    )


def test_words_in_reverse_order(tmp_path: Path) -> None:
    folder = edited(tmp_path, "modmul_toy", *TURNED, ('result = { port = "result" }', 'result = { port = "turned" }'))
    code, lines = told(folder, "--prime", "p256", "--json")
    (found,) = json.loads("".join(lines))["relations"]
    assert (code, found["form"], found["exponent"], found["result_order"], found["a_order"]) == (0, "a*b", 0, 16, 0)
    assert (
        found["text"]
        == "result = a*b mod p, with the result read with its words of 16 bits in reverse order; all below p"
    )


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ([("y       <= b;", "y       <= a;")], "result = a^2 mod p; all below p"),
        (
            [("y[WIDTH-1] ?", "y[0] ?"), ("y << 1", "y >> 1")],
            "result = a*b mod p, with b read with its bits in reverse order; all below p",
        ),
        ([("count   <= WIDTH;", "count   <= WIDTH - 1;")], "no formula that identify knows explains the results"),
    ],
)
def test_faults_that_have_a_formula(tmp_path: Path, edits: list[tuple[str, str]], text: str) -> None:
    code, lines = told(edited(tmp_path, "modmul_toy", *edits), "--prime", "secp256k1")
    assert lines[1] == text
    assert code == (1 if text.startswith("no") else 0)


def test_a_core_that_takes_longer_than_it_says(tmp_path: Path) -> None:
    code, lines = told(edited(tmp_path, "modmul_toy", ('timeout = "N + 8"', "timeout = 40")), "--prime", "p256")
    assert (code, lines[1]) == (0, "result = a*b mod p; all below p")


def test_no_result(tmp_path: Path) -> None:
    folder = edited(tmp_path, "modmul_toy", ("done    <= 1'b1;", "done    <= 1'b0;"))
    with pytest.raises(ParameterError, match=r"nothing that it returned is a number: case 0.*`limbtrace sim` first"):
        told(folder, "--prime", "0xffffffff00000001")


def test_a_small_modulus_has_several_explanations() -> None:
    code, lines = told(TOYS / "modmul_toy", "--prime", "7", "--count", "3")
    assert code in (0, 1)
    if len(lines) > 3:
        assert "so small a modulus cannot tell them apart; take a larger one, or more products" in lines


def test_too_few_products() -> None:
    with pytest.raises(ParameterError, match="count: 2 is outside 3 to 1000"):
        told(TOYS / "modmul_toy", "--prime", "7", "--count", "2")


@pytest.mark.parametrize(
    ("r", "bits", "first"),
    [(256, 256, "N"), (258, 256, "N + 2"), (272, 256, "(N + 31) // 16 * 16"), (300, 256, "300"), (24, 23, "N + 1")],
)
def test_formulas_of_r(r: int, bits: int, first: str) -> None:
    found = formulas(r, bits)
    assert found[0] == first
    assert {eval(text, {"N": bits}) for text in found} == {r}


SMALL = {
    "pulse": (
        """module pulse #(parameter W = 8) (
  input clk, rstn, start, input [W-1:0] a, b, p, output done, output reg [W-1:0] z
);
  reg idle, idle_q; reg [2:0] n;
  assign done = idle & ~idle_q;
  always @(posedge clk or negedge rstn) if (!rstn) begin idle <= 0; idle_q <= 0; n <= 0; end else begin
    idle_q <= idle;
    if (start) begin idle <= 0; n <= 3; z <= (a * {{W{1'b0}}, b}) % p; end
    else if (n != 0) n <= n - 1; else idle <= 1;
  end
endmodule
""",
        """timeout = 16
clock = { port = "clk" }
reset = { port = "rstn", active = "low", synchronous = false }
protocol = { kind = "start-done", start = "start", done = "done" }
operand = [{ name = "a", port = "a" }, { name = "b", port = "b" }]
""",
    ),
    "reducer": (
        "module reducer #(parameter W = 8) (input [2*W-1:0] x, input [W-1:0] p, output [W-1:0] z);\n"
        "  assign z = x % p;\nendmodule\n",
        'protocol = { kind = "start-done", latency = 0 }\noperand = [{ name = "a", port = "x" }]\n',
    ),
    "signed_reducer": (
        "module signed_reducer #(parameter W = 12) (input [2*W-1:0] x, input [W-1:0] p, output [W+1:0] z);\n"
        "  wire [W-1:0] r = x % p;\n  assign z = x[0] ? r - p : r;\nendmodule\n",
        'protocol = { kind = "start-done", latency = 0 }\noperand = [{ name = "a", port = "x" }]\n',
    ),
}
"""Small cores: the RTL, and keys of core.toml."""


def small(folder: Path, name: str, model: str) -> Path:
    rtl, keys = SMALL[name]
    (folder / f"{name}.v").write_text(rtl)
    (folder / "core.toml").write_text(f"""format = "limbtrace-core/1"
name = "{name}"
{model}
files = ["{name}.v"]
top = "{name}"
build = {{ W = "N" }}
{keys}input = [{{ port = "p", value = "p" }}]
result = {{ port = "z" }}
""")
    return folder


def test_a_done_that_nothing_started_and_a_model_that_is_open(tmp_path: Path) -> None:
    """Ports and handshake are known, which is enough."""
    folder = small(tmp_path, "pulse", 'model = "FILL IN"  # FILL IN: the algorithm')
    code, lines = told(folder, "--prime", "12289")
    assert (code, lines[1:]) == (
        0,
        ["result = a*b mod p; all below p", "in core.toml:", '  model = "modmul"'],
    )


@pytest.mark.parametrize("model", ['model = "modmul"', 'model = "nothing"\nsettings = { r = "FILL IN" }'])
def test_a_reducer_with_any_model(model: str, tmp_path: Path) -> None:
    code, lines = told(small(tmp_path, "reducer", model), "--prime", "12289")
    assert (code, lines[1]) == (0, "result = a mod p; all below p")
    assert lines[2:] == ["in core.toml:", '  model = "reduce"']


def test_a_wire_is_no_reducer(tmp_path: Path) -> None:
    """Below p it would be one: the operands are below p^2, of an even modulus, too."""
    prime = "12288"
    folder = small(tmp_path, "reducer", 'model = "reduce"')
    assert told(folder, "--prime", prime)[1][1] == "result = a mod p; all below p"
    (folder / "reducer.v").write_text((folder / "reducer.v").read_text().replace("x % p", "x[W-1:0] + 0 * p"))
    assert "a mod p" not in told(folder, "--prime", prime)[1][1]


def test_a_result_in_two_s_complement(tmp_path: Path) -> None:
    """With the keys that are told it agrees."""
    folder = small(tmp_path, "signed_reducer", 'model = "redc"\nsettings = { r = 0, below = "p^2" }')
    code, lines = told(folder, "--prime", "3329")
    assert (code, lines[1]) == (
        0,
        "result = a mod p, as a number in two's complement; all above -p and below p",
    )
    assert lines[-2:] == ['  compare = "congruent"', '  [result] signed = true, below = "p"']
    text = (folder / "core.toml").read_text()
    text = text.replace("files =", 'compare = "congruent"\nfiles =')
    (folder / "core.toml").write_text(text.replace('{ port = "z" }', '{ port = "z", signed = true, below = "p" }'))
    assert simulate(job(folder, "3329", count=40)).passed
    assert told(folder, "--prime", "3329")[1][1] == lines[1]


def test_a_description_that_no_model_suits(tmp_path: Path) -> None:
    """The complaint is about what it says, not about a model that was tried."""
    folder = small(tmp_path, "reducer", 'model = "nothing"')
    (folder / "core.toml").write_text((folder / "core.toml").read_text().replace('port = "x"', 'port = "y"'))
    with pytest.raises(ParameterError, match="nothing"):
        told(folder, "--prime", "12289")


@pytest.mark.parametrize("model", ['"FILL IN"', '"butterfly_gs"'])
def test_a_butterfly_with_ports_in_another_order(model: str, tmp_path: Path) -> None:
    folder = edited(
        tmp_path,
        "butterfly_toy",
        ('model = "butterfly_ct"', f"model = {model}"),
        ('port = "{v_i, u_i}"', 'port = "{u_i, w_i}"'),
        ('port = "w_i"', 'port = "v_i"'),
        ("{odd_o, even_o}", "{even_o, odd_o}"),
    )
    assert told(folder, "--prime", "3329") == (
        0,
        [
            "butterfly_toy: 16 random products modulo mlkem in icarus",
            "butterfly_ct, u = u_i, v = w_i, w = v_i; even = even_o, odd = odd_o",
            "or butterfly_ct, u = u_i, v = v_i, w = w_i; even = even_o, odd = odd_o",
            "in core.toml:",
            '  model = "butterfly_ct"',
            '  operand = [{ name = "a", port = "{w_i, u_i}", radix = "p" }, { name = "b", port = "v_i" }]',
            '  [result] port = "{odd_o, even_o}", radix = "p"',
        ],
    )


def test_a_butterfly_on_parts_of_one_port(tmp_path: Path) -> None:
    """Its numbers have no ports that could be exchanged."""
    folder = edited(
        tmp_path,
        "butterfly_toy",
        ("input wire logic [W-1:0] u_i,\n    input wire logic [W-1:0] v_i,", "input wire logic [2*W-1:0] uv_i,"),
        ("(2 * W)'(v_i)", "(2 * W)'(uv_i[2*W-1:W])"),
        ("sum        = {1'b0, u_i}", "sum        = {1'b0, uv_i[W-1:0]}"),
        ("difference = {1'b0, u_i}", "difference = {1'b0, uv_i[W-1:0]}"),
        ("{v_i, u_i}", "uv_i"),
    )
    code, lines = told(folder, "--prime", "3329")
    assert (code, lines[1:]) == (
        0,
        ["butterfly_ct", "in core.toml:", '  model = "butterfly_ct"'],
    )


def test_a_butterfly_with_a_fault_is_not_explained(tmp_path: Path) -> None:
    folder = edited(tmp_path, "butterfly_toy", ("{1'b0, u_i} + {1'b0, r}", "{1'b0, u_i} + {1'b0, r ^ 12'd1}"))
    code, lines = told(folder, "--prime", "3329")
    assert (code, lines[1]) == (1, "no formula that identify knows explains the results")


def test_a_butterfly_with_a_fault_in_some_products(tmp_path: Path) -> None:
    folder = edited(tmp_path, "butterfly_toy", ("difference + {1'b0, p_i}", "difference + {1'b0, p_i} + 13'd1"))
    code, lines = told(folder, "--prime", "3329")
    said = "butterfly_ct, u = u_i, v = v_i, w = w_i; even = even_o, odd = odd_o in 7 of 16 products"
    assert (code, lines[1]) == (0, said)


def test_a_half_has_no_r(tmp_path: Path) -> None:
    """A core with one operand that is half of it modulo p, described as if it were the square."""
    folder = edited(
        tmp_path,
        "butterfly_toy",
        ("assign even_o     = W'(sum >= {1'b0, p_i} ? sum - {1'b0, p_i} : sum);",
         "assign even_o     = W'((v_i[0] ? sum + {1'b0, p_i} : sum) >> 1);"),
        ("sum        = {1'b0, u_i} + {1'b0, r}", "sum        = {1'b0, v_i}"),
        ('model = "butterfly_ct"', 'model = "square"'),
        ('operand = [{ name = "a", port = "{v_i, u_i}", radix = "p" }, { name = "b", port = "w_i" }]',
         'operand = [{ name = "a", port = "v_i" }]'),
        ('input = [{ port = "p_i", value = "p" }]',
         'input = [{ port = "p_i", value = "p" }, { port = "u_i", value = 0 }, { port = "w_i", value = 0 }]'),
        ('port = "{odd_o, even_o}", radix = "p"', 'port = "even_o"'),
    )  # fmt: skip
    code, lines = told(folder, "--prime", "3329")
    assert (code, lines[1:]) == (0, ["result = a / 2^1 mod p; all below p", "in core.toml:", '  model = "modhalve"'])
