# SPDX-License-Identifier: Apache-2.0
"""Small cores of a fixed width that are right for some moduli alone, each as hardware gets it wrong."""

from pathlib import Path

SERIAL = """
// {what}
module {name} (
    input wire logic clk_i,
    input wire logic rst_ni,
    input wire logic start_i,
    output logic     done_o,
    input wire logic [{w}-1:0] a_i,
    input wire logic [{w}-1:0] b_i,
    input wire logic [{w}-1:0] p_i,
    output logic     [{w}-1:0] z_o
);
  localparam int W = {w};
  logic [W-1:0] a_q, b_q, p_q;
  logic [{sum}-1:0] t_q, t, u;
  logic [$clog2(W+1)-1:0] left_q;
{body}
  assign z_o = W'(t_q);
  assign done_o = left_q == 1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else if (start_i && left_q <= 1) begin
      a_q <= a_i; b_q <= b_i; p_q <= p_i; t_q <= '0; left_q <= ($clog2(W+1))'(W + 1);
    end else if (left_q != 0) begin
      left_q <= left_q - 1'b1;
      if (left_q > 1) begin
        {step}
      end
    end
  end
endmodule
"""
COMB = """
// {what}
module {name} (
    input wire logic [{w}-1:0] a_i,
    input wire logic [{w}-1:0] b_i,
    input wire logic [{w}-1:0] p_i,
    output logic     [{w}-1:0] z_o
);
  localparam int W = {w};
{body}
endmodule
"""
TOML = """
# SPDX-License-Identifier: Apache-2.0
format = "limbtrace-core/1"
name = "{name}"
model = "{model}"
files = ["{name}.sv"]
top = "{name}"
{more}
operand = [{{ name = "a", port = "a_i" }}, {{ name = "b", port = "b_i" }}]
input = [{{ port = "p_i", value = "p" }}]
result = {{ port = "z_o" }}
"""
CLOCKED = """timeout = "{w} + 8"
clock = {{ port = "clk_i" }}
reset = {{ port = "rst_ni", active = "low", synchronous = false }}
protocol = {{ kind = "start-done", start = "start_i", done = "done_o" }}"""
AT_ONCE = 'protocol = { kind = "start-done", latency = 0 }'
HALVES = """
  // One bit of a from the low end: t = (t + a[i] b + q p) / 2, below p at the end.
  assign t = t_q + (a_q[0] ? {sum}'(b_q) : '0);
  assign u = (t + (t[0] ? {sum}'(p_q) : '0)) >> 1;"""
REDUCED = "t_q <= left_q == 2 && u >= {sum}'(p_q) ? u - {sum}'(p_q) : u; a_q <= a_q >> 1;"
DOUBLES = """
  // One bit of a from the high end: t = 2 t + a[i] b, less p or 2 p.
  assign t = {sum}'((t_q << 1) + (a_q[W-1] ? {sum}'(b_q) : '0));
  assign u = t >= {sum}'(p_q) ? t - {sum}'(p_q) : t;"""
SUBTRACTED = "t_q <= u >= {sum}'(p_q) ? u - {sum}'(p_q) : u; a_q <= a_q << 1;"


def _written(folder: Path, name: str, text: str, toml: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.sv").write_text("// SPDX-License-Identifier: Apache-2.0" + text)
    (folder / "core.toml").write_text(toml.lstrip())
    return folder


def montgomery(folder: Path, w: int, sum_bits: int, *conditions: str) -> Path:
    """a b / 2^w modulo p, with sums of so many bits; w + 2 of them are enough."""
    body, step = HALVES.format(sum=sum_bits), REDUCED.format(sum=sum_bits)
    name = "mont"
    text = SERIAL.format(what="a b / 2^W mod p, a bit in a clock", name=name, w=w, sum=sum_bits, body=body, step=step)
    more = f'settings = {{ r = "{w}" }}\n' + CLOCKED.format(w=w)
    more += f"\nmodulus = {[*conditions]}".replace("'", '"') if conditions else ""
    return _written(folder, name, text, TOML.format(name=name, model="montgomery", more=more))


def interleaved(folder: Path, w: int, sum_bits: int) -> Path:
    """a b modulo p, with sums of so many bits; w + 2 of them are enough."""
    body, step = DOUBLES.format(sum=sum_bits), SUBTRACTED.format(sum=sum_bits)
    name = "interleaved"
    text = SERIAL.format(what="a b mod p, a bit in a clock", name=name, w=w, sum=sum_bits, body=body, step=step)
    return _written(folder, name, text, TOML.format(name=name, model="modmul", more=CLOCKED.format(w=w)))


def at_once(folder: Path, w: int, body: str, *, what: str = "a b mod p", more: str = "") -> Path:
    """A core without a clock whose body computes z_o."""
    name = "at_once"
    text = COMB.format(what=what, name=name, w=w, body=body)
    more = f"{AT_ONCE}\n{more}" if more else AT_ONCE
    return _written(folder, name, text, TOML.format(name=name, model="modmul", more=more))


def right_unless(folder: Path, w: int, fault: str) -> Path:
    """a b modulo p, with bit 0 of the result inverted where a condition holds that is written in SystemVerilog."""
    product = f"  wire [2*W-1:0] z = ((2*W)'(a_i) * (2*W)'(b_i)) % (2*W)'(p_i);\n  assign z_o = W'(z) ^ W'({fault});"
    return at_once(folder, w, product)


def barrett(folder: Path, w: int, quotient_bits: int) -> Path:
    """a b modulo p by an estimated quotient: floor(x mu / 2^(2 w)), mu = floor(2^(2 w) / p) of so many bits."""
    return at_once(
        folder,
        w,
        f"""
  wire [2*W:0] power = (2*W+1)'(1) << (2*W);
  wire [{quotient_bits}-1:0] mu = {quotient_bits}'(power / (2*W+1)'(p_i));
  wire [2*W-1:0] x = (2*W)'(a_i) * (2*W)'(b_i);
  wire [4*W:0] estimate = ((4*W+1)'(x) * (4*W+1)'(mu)) >> (2*W);
  wire [2*W-1:0] r = x - (2*W)'(estimate) * (2*W)'(p_i);
  assign z_o = W'(r >= (2*W)'(p_i) ? r - (2*W)'(p_i) : r);""",
        what="a b mod p by Barrett's reduction",
    )


def as_parameter(folder: Path, w: int, fault: str) -> Path:
    """As `right_unless`, with the modulus as a parameter."""
    right_unless(folder, w, fault)
    text = (folder / "at_once.sv").read_text()
    text = text.replace("module at_once (", f"module at_once #(parameter logic [{w - 1}:0] p_i = 3) (")
    (folder / "at_once.sv").write_text(text.replace(f"    input wire logic [{w}-1:0] p_i,\n", ""))
    toml = (folder / "core.toml").read_text()
    toml = toml.replace('input = [{ port = "p_i", value = "p" }]', 'build = { p_i = "p" }')
    (folder / "core.toml").write_text(toml)
    return folder
