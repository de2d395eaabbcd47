# SPDX-License-Identifier: Apache-2.0
"""Errors of tools with a usual cause: it follows their own line."""

import tomllib
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.description.tables import Flags
from limbtrace.rtl_bridge.elaboration.causes import cause, passing_flags, with_cause
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS, copy_of, job

MORE = "  wire [3:0] more;\n"
STATIC = "is static in a function, task or block"
CASES = {
    "enum": ("typedef enum logic [1:0] {A, B} kind_t; kind_t k; always_comb k = more;", "write TYPE'(value)"),
    "twice": ("wire one; wire one;", "usual cause: one declared twice"),
    "function twice": (
        "function automatic f(input x); return x; endfunction function automatic f(input x); return x; endfunction",
        "usual cause: f declared twice",
    ),
    "missing": ("gone u_a (more); lost u_b (more); gone u_c (more);", "no source has the modules gone, lost; files"),
    "one missing": ("gone u_a (more);", "no source has the module gone; files names"),
    "static": ("always_comb for (int i = 0; i < 3; i++) begin int j = i; end", STATIC),
    "unsized": ("wire [63:0] w = {4'd1, 5000000000};", "a number without a width has 32 bits"),
}


@pytest.mark.parametrize(
    ("name", "simulator"),
    [(name, tool) for name in CASES for tool in ("icarus", "verilator") if (name, tool) != ("unsized", "verilator")],
)
def test_the_cause_follows_the_line_of_the_tool(name: str, simulator: str, tmp_path: Path) -> None:
    code, words = CASES[name]
    core = copy_of(TOYS / "comb_toy", tmp_path, ("comb_toy.sv", "endmodule", f"{MORE}  {code}\nendmodule"))
    with pytest.raises((ToolError, ParameterError)) as caught:
        simulate(job(core, "13", simulator=simulator, mode="lockstep"))
    said, _, known = str(caught.value).partition("; usual cause: ")
    assert "error" in said.lower()
    assert words.removeprefix("usual cause: ") in known


TEXTS = [
    ("a.sv:4: error: Unknown module type: gone\n2 error(s) during elaboration.\n*** These modules were missing:\n"
     "        gone referenced 1 times.\n", "the module gone;"),
    ("%Error-MODMISSING: a.sv:2:3: Cannot find file containing module: 'gone'\n%Error-MODMISSING: a.sv:3:3: Cannot "
     "find file containing module: 'lost'\n", "the modules gone, lost;"),
    ("a.sv:6: error: 'd' has already been declared in this scope.\na.sv:1:      : It was declared here as a module.",
     "d declared twice"),
    ("%Error: a.sv:5:21: Duplicate declaration of signal: 'q'", "q declared twice"),
    ("a.sv:3: error: This assignment requires an explicit cast.", "TYPE'(value)"),
    ("a.sv:2: warning: Static variable initialization requires explicit lifetime in this context.\n"
     "a.sv:2: syntax error\nI give up.", STATIC),
    ("%Error: a.sv:2: Too many digits for 32 bit number: 'd18446744069414584321", "has 32 bits"),
    ("a.sv:4: error: Concatenation operand \"'sd5000000000\" has indefinite width.", "has 32 bits"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "words"), TEXTS, ids=[str(k) for k in range(len(TEXTS))])
def test_messages_of_several_versions(said: str, words: str) -> None:
    assert words in cause(said)
    assert with_cause("it failed", said).startswith("it failed; usual cause: ")


@pytest.mark.parametrize(
    "said",
    [
        "a.sv:2: warning: Static variable initialization requires explicit lifetime in this context.\n"
        "a.sv:9: syntax error\nI give up.",
        "%Warning-ENUMVALUE: a.sv:1:1: implicit conversion",
        "a.sv:4: syntax error",
        "",
    ],
)
def test_other_errors_have_no_cause(said: str) -> None:
    assert with_cause("it failed", said) == "it failed"


WIDTH = "%Warning-WIDTHTRUNC: a.v:8:72: Operator ASSIGNW expects 4 bits\n"
LATCH = "%Warning-LATCH: a.v:9:1: Latch inferred\n"
MIXED = "%Error-BLKANDNBLK: a.v:11:50: Unsupported: Blocking and non-blocking assignments\n"
FATAL, FAILED = "%Error: Exiting due to 2 warning(s)\n", "%Error: Exiting due to 1 error(s)\n"


@pytest.mark.parametrize(
    ("said", "flags", "line"),
    [
        (WIDTH + LATCH + WIDTH + FATAL, Flags(), '{ verilator = ["-Wno-WIDTHTRUNC", "-Wno-LATCH"] }'),
        (WIDTH + MIXED + FAILED, Flags(), '{ verilator = ["-Wno-BLKANDNBLK"] }'),
        (
            MIXED + FAILED,
            Flags(verilator=("-O1",), icarus=("-gno-specify",)),
            '{ verilator = ["-O1", "-Wno-BLKANDNBLK"], icarus = ["-gno-specify"] }',
        ),
    ],
)
def test_flags_that_let_it_pass(said: str, flags: Flags, line: str) -> None:
    """The line is one that `core.toml` takes, with the flags of before."""
    assert passing_flags(said, flags) == f"core.toml lets it pass with flags = {line}"
    assert Flags.model_validate(tomllib.loads(f"flags = {line}")["flags"])


@pytest.mark.parametrize(
    "said",
    [
        "",
        WIDTH,
        MIXED + "%Error: a.v:7:64: Can't find definition of variable: 'b'\n" + FAILED,
        "%Error-PINNOTFOUND: a.v:3:63: Pin not found: 'c'\n" + FAILED,
    ],
)
def test_no_flags_for_other_errors(said: str) -> None:
    assert passing_flags(said, Flags()) == ""


def test_flags_in_the_error_of_a_run(tmp_path: Path) -> None:
    """Verilator refuses it, and takes it with the flag that the sentence names."""
    mixed = "reg [3:0] mixed; always @(posedge CLK) mixed[B[1:0]] <= OR; always @(B) mixed[B[3:2]] = 1;"
    edit = ("bit_toy.v", "  assign Z  = ", f"{mixed}\n  assign Z  = mixed ^ ")
    core = copy_of(TOYS / "bit_toy", tmp_path / "refused", edit)
    with pytest.raises(ToolError) as error:
        simulate(job(core, "61", simulator="verilator", count=2))
    line = 'flags = { verilator = ["-Wno-BLKANDNBLK"] }'
    assert str(error.value).endswith(f"; core.toml lets it pass with {line}")
    passed = copy_of(TOYS / "bit_toy", tmp_path, edit, ("core.toml", '\ntop = "bit_toy"', f'\ntop = "bit_toy"\n{line}'))
    assert simulate(job(passed, "61", simulator="verilator", count=2)).document["count"] == 2
