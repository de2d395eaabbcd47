# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init`: what it writes for cores whose core.toml is taken away, and what that is good for."""

import shutil
import tomllib
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.core.core import BUILT_IN, load
from limbtrace.rtl_bridge.description.writer import FILL_IN
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.interface.module_ports import SketchPort, SketchReset
from limbtrace.rtl_bridge.interface.port_pool import Ports
from limbtrace.rtl_bridge.protocols import PROTOCOLS, recognised
from limbtrace.rtl_bridge.protocols.base import Protocol
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from limbtrace.vectors.core_draft import CoreDraft
from tests.rtl_bridge.helpers import TOYS, job

Edits = dict[str, str]
"""What a line of the file is replaced by, given its beginning."""


def init(*arguments: object, trial: bool = False) -> int:
    """Exit code of the command, which simulates nothing unless there is to be a trial."""
    with pytest.raises(SystemExit) as ended:
        main(["init", *([] if trial else ["--no-trial"]), *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def bare(core: Path, target: Path) -> Path:
    """A copy of a core without its description."""
    folder = target / core.name
    shutil.copytree(core, folder, ignore=shutil.ignore_patterns("core.toml", "*.csv"))
    return folder


CORES: list[tuple[Path, str, str, list[str], Edits]] = [
    (TOYS / "bit_toy", "iddmm2", "curve25519", [], {}),
    (TOYS / "digit_toy", "iddmm2", "curve25519", [], {}),
    (TOYS / "guard_toy", "iddmm2", "mldsa", [], {}),
    (TOYS / "wide_toy", "r2mm", "mldsa", [], {}),
    (TOYS / "serial_toy", "cios", "2^61-1", ["--radix", "2^8"], {}),
    (BUILT_IN / "iddmm_arch1", "iddmm1", "mldsa", [], {}),
    (BUILT_IN / "iddmm_arch2", "iddmm2", "p256", [], {}),
    (BUILT_IN / "r2mm_bitserial", "r2mm", "mldsa", [], {}),
    (BUILT_IN / "mwr2mm_wordserial", "mwr2mm", "mldsa", [], {}),
    (BUILT_IN / "fpmm", "fpmm", "2^127-1", [], {}),
    (BUILT_IN / "llmonpro", "llmonpro", "mldsa", [], {}),
    (BUILT_IN / "vdf_squarer", "vdf", "mldsa", ["--set", "t=3"], {"depth =": 'depth = "(K * D + W - 1) // W"'}),
]  # fmt: skip
"""(folder, model, modulus, options, lines to edit before the simulation passes)"""


def edited(text: str, edits: Edits) -> str:
    """The file with lines replaced; each edit is needed somewhere."""
    lines = text.split("\n")
    for start, line in edits.items():
        places = [k for k, found in enumerate(lines) if found.startswith(start)]
        assert places, start
        for k in places:
            lines[k] = line
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("core", "model", "prime", "options", "edits"), CORES, ids=lambda value: getattr(value, "name", None)
)
def test_a_simulation_passes_with_what_was_guessed(
    core: Path, model: str, prime: str, options: list[str], edits: Edits, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    folder = bare(core, tmp_path)
    assert init(folder, "--model", model, "--prime", prime, *options) == 0
    said = capsys.readouterr().out
    path = folder / "core.toml"
    text = path.read_text()
    assert ("nothing to fill in" not in said) == bool(edits) == (f'= "{FILL_IN}"' in text)
    path.write_text(edited(text, edits))
    report = simulate(job(folder, prime, count=12))
    assert report.passed, report.text()
    assert report.document["verified"] == 12
    assert set(load(folder).file.files) <= {found.name for found in folder.iterdir()}


def test_most_cores_need_no_edit() -> None:
    """The numbers that the documentation gives."""
    assert [len(edits) for *_, edits in CORES].count(0) >= 11
    assert {core.name for core, *_, edits in CORES if not edits} >= {"bit_toy", "digit_toy", "guard_toy", "wide_toy"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("prime", "p"), ("op_prime", "p"), ("in_prime", "p"), ("modulus", "p"), ("p_prime", "p'"), ("nprime", "p'"),
     ("n0_prime", "p'"), ("prime_inv", "p'")],
)  # fmt: skip
def test_a_prime_is_the_modulus_and_that_of_a_letter_is_its_inverse(name: str, value: str, tmp_path: Path) -> None:
    source = (
        "module m(input clk, input go, output reg done, input [30:0] a, b, MODULUS, output reg [30:0] r);\nendmodule\n"
    )
    (tmp_path / "m.v").write_text(source.replace("MODULUS", name))
    assert init(tmp_path, "--model", "montgomery", "--prime", "2^31-1") == 0
    assert tomllib.loads((tmp_path / "core.toml").read_text())["input"] == [{"port": name, "value": value}]


def test_what_no_port_shows_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A core without a done signal."""
    assert init(bare(TOYS / "fixed_toy", tmp_path), "--model", "r2mm") == 0
    assert "8 guesses, to fill in: protocol.done\n" in capsys.readouterr().out


def test_the_same_rtl_gives_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for place in ("one", "two"):
        folder = bare(BUILT_IN / "fpmm", tmp_path / place)
        assert init(folder, "--model", "fpmm") == 0
        texts.append((folder / "core.toml").read_bytes())
    assert texts[0] == texts[1]


def test_a_description_is_never_replaced_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = bare(TOYS / "bit_toy", tmp_path)
    (folder / "core.toml").write_text("mine")
    assert init(folder) == 2
    assert capsys.readouterr().err == f"limbtrace: core: {folder}/core.toml is there already; --force replaces it\n"
    assert (folder / "core.toml").read_text() == "mine"
    assert init(folder, "--force") == 0
    assert tomllib.loads((folder / "core.toml").read_text())["top"] == "bit_toy"


def test_a_line_to_fill_in_is_named_by_a_simulation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = bare(TOYS / "bit_toy", tmp_path)
    assert init(folder) == 0
    assert "to fill in: model, build.STEPS" in capsys.readouterr().out
    for line, key in ((6, "model, the algorithm, one of `limbtrace models`"), (15, "STEPS, a formula over ")):
        with pytest.raises(SystemExit) as ended:
            main(["sim", str(folder), "--prime", "13"])
        assert ended.value.code == 2
        error = capsys.readouterr().err
        assert f"core.toml has a line that is to be filled in, line {line}: {key}" in error
        assert error.count("\n") == 1
        path = folder / "core.toml"
        path.write_text(path.read_text().replace(f'model = "{FILL_IN}"', 'model = "iddmm2"'))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "core: there is no folder"),
        ({}, "has no file that ends in .v or .sv"),
        (
            {"a.v": "module a(input x); endmodule", "b.v": "module b(input x); endmodule"},
            "are candidates: a, b; --top ",
        ),
        (
            {
                "a.v": "module a(input x); endmodule\nmodule b(input x); endmodule",
                "t.v": "module t; a u(0); b v(0); endmodule",
            },
            "top: several modules are candidates: a, b; --top names one",
        ),
        ({"a.v": "module a; endmodule"}, "top: no module could be found with any port"),
        ({"a.v": "module a("}, "a.v:1:10: error: "),
        ({"a b$.v": "module a(input x); endmodule"}, "has characters that not every tool takes"),
        ({"a.v": "module a(input x); b u(x); endmodule"}, "unknown module 'b'"),
    ],
)
def test_wrong_requests(
    text: dict[str, str] | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "core"
    if text is not None:
        folder.mkdir()
        for name, content in text.items():
            (folder / name).write_text(content)
    assert init(folder) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert not (folder / "core.toml").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--model", "no"], "model: 'no' is none of cios, "),
        (["--set", "r=13"], "model: --radix and --set go with --model"),
        (["--build", "NONE=3"], "build: 'NONE' is not a parameter that a build may set; these are: N, STEPS"),
        (["--model", "cios", "--prime", "12"], "prime: the modulus must be odd"),
        (["--top", "b c"], "top: 'b c' is no name of a module"),
        (["--top", "none"], "'none' is not a valid top-level module"),
    ],
)
def test_wrong_options(options: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = bare(TOYS / "bit_toy", tmp_path)
    assert init(folder, *options) == 2
    assert sentence in capsys.readouterr().err
    assert not (folder / "core.toml").exists()


BODY = "module t(input {ports}, input d, output reg q); {block} endmodule\n"


@pytest.mark.parametrize(
    ("ports", "block", "clock", "reset"),
    [
        ("c, r", "always @(posedge c or negedge r) if (!r) q <= 0; else q <= d;", "c", ("r", "low", False, True)),
        ("c, r", "always @(posedge r or posedge c) if (r) q <= 0; else q <= d;", "c", ("r", "high", False, True)),
        ("ck, rst_x", "always @(posedge ck) if (~rst_x) q <= 0; else q <= d;", "ck", ("rst_x", "low", True, True)),
        ("ck, rst_n", "always @(posedge ck) if (rst_n == 0) q <= 0; else q <= d;", "ck", ("rst_n", "low", True, True)),
        ("ck, rst_n", "always @(posedge ck) q <= rst_n ? d : 1'b0;", "ck", ("rst_n", "high", True, True)),
        ("clk, aresetn", "always @(posedge clk) q <= d;", "clk", ("aresetn", "low", True, False)),
        ("clk, clear", "always @(posedge clk) q <= d;", "clk", ("clear", "high", True, False)),
        ("clk, go", "always @(posedge clk) if (go) q <= d;", "clk", None),
    ],
)  # fmt: skip
def test_clock_and_reset(
    ports: str, block: str, clock: str, reset: tuple[str, str, bool, bool] | None, tmp_path: Path
) -> None:
    (tmp_path / "t.v").write_text(BODY.format(ports=ports, block=block))
    sketch = scan(tmp_path)
    assert (sketch.clock, sketch.reset) == (clock, SketchReset(*reset) if reset else None)


def test_files_are_those_that_the_top_needs(tmp_path: Path) -> None:
    """A testbench is left out, a package comes first, and a branch that the defaults do not take is followed."""
    sources = {
        "a_top.sv": "module a_top #(parameter int Fast = 0) (input clk, input z_pkg::word x, output logic [3:0] y);\n"
        "  if (Fast) begin: g other u(.x(x[0])); end\n  assign y = x;\nendmodule\n",
        "sub/other.sv": "module other(input x); endmodule\n",
        "tb.sv": "module tb; logic [3:0] x, y; a_top dut(1'b0, x, y); endmodule\n",
        "z_pkg.sv": "package z_pkg; typedef logic [3:0] word; endpackage\n",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    sketch = scan(tmp_path)
    assert (sketch.top, sketch.files, sketch.spare) == ("a_top", ("z_pkg.sv", "a_top.sv", "sub/other.sv"), ("tb.sv",))


def test_widths_are_followed_through_parameters(tmp_path: Path) -> None:
    (tmp_path / "t.v").write_text(
        "module t #(parameter K = 4, parameter N = 3) (\n"
        "  input [(K+1)*(N+2)-1:0] a, input [$clog2(K)-1:0] b, input [6:0] c);\nendmodule\n"
    )
    terms = {port.name: port.terms for port in scan(tmp_path).ports}
    assert terms == {"a": {("K", "N"): 1, ("K",): 2, ("N",): 1, (): 2}, "b": None, "c": {(): 7}}


def ports(inputs: str, outputs: str) -> Ports:
    """Ports of one bit, or of 32 where their names have a star."""
    sides = (("input", inputs), ("output", outputs))
    return Ports(
        SketchPort(name.rstrip("*"), side, 32 if "*" in name else 1, None)
        for side, names in sides
        for name in names.split()
    )


BUS = ("awaddr* awvalid wdata* wvalid bready araddr* arvalid rready", "awready wready bvalid arready rdata* rvalid")


@pytest.mark.parametrize(
    ("inputs", "outputs", "kind", "left"),
    [
        ("go a* b*", "fin_done z*", "start-done", "a b z"),
        ("start", "busy done", "start-done", ""),
        ("launch", "err ovf", "start-done", "err ovf"),
        ("in_valid out_ready", "in_ready out_valid", "valid-ready", ""),
        ("iv oready a*", "iready ov", "valid-ready", "a"),
        ("start", "ready valid tag*", "word-serial", ""),
        ("load_p load a*", "valid", "word-serial", "a"),
        ("in_valid", "out_valid", "valid-ready", ""),
        ("load_p go", "done", "start-done", "load_p"),
        (*BUS, "axi4-lite", ""),
        (f"{BUS[0]} tick", f"{BUS[1]} irq", "axi4-lite", "tick irq"),
    ],
)
def test_protocols_recognise_themselves(inputs: str, outputs: str, kind: str, left: str) -> None:
    """And take the ports that they name, which leaves the others."""
    found = ports(inputs, outputs)
    assert recognised(found).kind == kind
    assert [port.name for port in found.left] == left.split()


def test_ports_of_a_memory_are_no_handshake() -> None:
    found = ports("load go", "done valid")
    found.set_aside([port for port in found.left if port.name in ("load", "valid")])
    assert recognised(found).handshake.keys() == {"start", "done"}
    found.set_aside()
    assert [port.name for port in found.left] == ["load", "valid"]


def test_protocols_of_other_packages_are_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that do not say how they are recognised never are."""

    class Silent(Protocol):
        pass

    class Shy(Protocol):
        @classmethod
        def recognised(cls, ports: Ports) -> Recognition | None:
            hello = next((port for port in ports.left if port.name == "hello"), None)
            return Recognition("shy", {"hello": ports.take(hello)}) if hello else None

    for kind, protocol in (("silent", Silent), ("shy", Shy)):
        monkeypatch.setitem(PROTOCOLS, kind, protocol)
    assert recognised(ports("start hello", "done")).kind == "shy"
    assert recognised(ports("start", "done")).kind == "start-done"


SECRET = "topsecret q9x;"
INCLUDES = {
    "absolute": '`include "{path}"',
    "relative": '`include "../secret.txt"',
    "in angles": "`include <{path}>",
    "by a macro": '`define F "{path}"\n`include `F',
    "in a macro": '`define A `include "{path}"\n`A',
    "a part pasted behind": '`define P(x) `in``x "{path}"\n`P(clude)',
    "a part pasted in front": '`define P(x) `x``clude "{path}"\n`P(in)',
    "its sign pasted": '`define P(x) ```x "{path}"\n`P(include)',
    "of a device": '`include "/dev/zero"',
    "of nothing": '`include "/nix"',
    "of a neighbour": '`include "a.sv"',
}


@pytest.mark.parametrize("name", INCLUDES)
def test_no_other_file_is_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --no-includes: one sentence, the same whether there is such a file or not, and nothing of its text."""
    (secret := tmp_path / "secret.txt").write_text(SECRET)
    (folder := tmp_path / "core").mkdir()
    (folder / "a.sv").write_text(f"module t(input x);\n{INCLUDES[name].format(path=secret)}\nendmodule\n")
    assert init(folder, "--no-includes") == 2
    said = capsys.readouterr().err
    assert said == "limbtrace: core: a source includes another file; put the text of that file in its place\n"
    assert init(folder, "--no-includes", "--json") == 2
    assert capsys.readouterr() == ("", said)
    assert [path.name for path in folder.iterdir()] == ["a.sv"]


def test_what_reads_files_in_a_simulation_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "a.sv").write_text(
        'module t(input x); logic [7:0] m [4]; int f; initial begin $readmemh("/etc/passwd", m);'
        ' f = $fopen("made", "w"); $system("touch made"); end\nendmodule\n'
    )
    assert init(tmp_path, "--no-includes") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sv", "core.toml"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("module t(input \\<script> , output z); endmodule", "core: the port '<script>' has a name that core.toml"),
        ("module \\../../x (input a, output z); endmodule", "top: the module '../../x' has a name that"),
        ('module t #(parameter \\x"-I/" =1)(input a); endmodule', "core: the parameter 'x\"-I/\"' has a name"),
        ("module t(a,,b); input a, b; endmodule", "core: the port '' has a name that"),
        ("module t(input a); for (genvar i=0;i<100000000;i=i+1) begin end endmodule", "generate loop hit maximum"),
        ("module t #(parameter [1073741823:0] P = 1)(input a); endmodule", "is too large; maximum width"),
        ("module t(input a); assign z = " + "(" * 50000 + "a; endmodule", "too deeply nested"),
        ("module t(input a,\0 input b); endmodule", "embedded NUL"),
    ],
)
def test_hostile_sources(text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sv").write_text(text)
    assert init(tmp_path, "--no-includes") == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_a_parameter_with_a_dollar_sign_is_a_quoted_key(tmp_path: Path) -> None:
    (tmp_path / "t.v").write_text("module t #(parameter A$B = 5)(input [A$B-1:0] a); endmodule\n")
    assert init(tmp_path) == 0
    assert "A$B" in tomllib.loads((tmp_path / "core.toml").read_text())["build"]


def test_lines_are_numbered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The document says where each guess is, what it is, and why; its text is the file."""
    folder = bare(BUILT_IN / "iddmm_arch2", tmp_path)
    assert init(folder, "--json", "--model", "iddmm2", "--prime", "p256") == 0
    document = CoreDraft.model_validate_json(capsys.readouterr().out)
    text = (folder / "core.toml").read_text()
    assert (document.text, document.fits, document.misfit, document.name) == (text, True, "", "iddmm_arch2")
    lines = text.splitlines()
    assert len(document.lines) == sum("# guess: " in line for line in lines) > 10
    for found in document.lines:
        line = lines[found.line - 1]
        assert line.startswith(f"{found.key} = ")
        assert found.value in line or found.key == "load"
        assert f"# guess: {found.reason}" in line
        before = [name for name in lines[: found.line] if name.startswith("[") and name.endswith("]")]
        assert found.table == (before[-1][1:-1] if before else "")


def test_the_document_says_what_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = bare(TOYS / "bit_toy", tmp_path)
    assert init(folder, "--json") == 0
    document = CoreDraft.model_validate_json(capsys.readouterr().out)
    assert [(found.table, found.key) for found in document.lines if found.state == "open"] == [
        ("", "model"),
        ("build", "STEPS"),
    ]
    assert document.fits is None
