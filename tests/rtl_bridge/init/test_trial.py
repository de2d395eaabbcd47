# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init` of cores as they are found on the web: what is guessed, and the simulation at the end."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.init.comment_values import value_in
from limbtrace.rtl_bridge.init.fixed_numbers import literals_in
from limbtrace.rtl_bridge.init.model_choice import FixedModulus
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.init.variants import variants
from limbtrace.rtl_bridge.init.ways import chosen
from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.port_pool import START, Ports, level, plain
from limbtrace.vectors.core_draft import CoreDraft
from tests.rtl_bridge.helpers import TOYS, Edit
from tests.rtl_bridge.init.test_init import init
from tests.sample import full

FOUND = Path(__file__).parent / "cores"
"""A folder of sources for each kind of core."""


def copied(name: str | Path, target: Path, *edits: Edit) -> Path:
    """A copy of the sources of a core, edited."""
    folder = target / Path(name).name
    shutil.copytree(FOUND / name, folder, ignore=shutil.ignore_patterns("core.toml"))
    for file, old, new in edits:
        text = (folder / file).read_text()
        assert text.count(old) == 1, old
        (folder / file).write_text(text.replace(old, new))
    return folder


def description(folder: Path) -> Mapping[str, Any]:
    return tomllib.loads((folder / "core.toml").read_text())


def test_names_in_humps_and_derived_parameters(tmp_path: Path) -> None:
    """`iOpA` is an operand, `oDone` ends a product although there is an `oReady`, and CntWidth follows DataWidth."""
    folder = copied("camel", tmp_path)
    assert init(folder, "--prime", "2^31-1") == 0
    found = description(folder)
    assert (found["model"], found["build"]) == ("modmul", {"DataWidth": "N"})
    assert (found["protocol"]["start"], found["protocol"]["done"]) == ("iStart", "oDone")
    assert [operand["port"] for operand in found["operand"]] == ["iOpA", "iOpB"]
    assert (found["input"], found["result"]) == ([{"port": "iMod", "value": "p"}], {"port": "oRes"})


def test_words_of_a_modulus_are_counted(tmp_path: Path) -> None:
    """NUM_WORDS does not count bits, and the comment behind nInv is its value."""
    folder = copied("word_mont", tmp_path)
    assert init(folder, "--prime", "2^61-1") == 0
    found = description(folder)
    assert (found["model"], found["build"]) == ("montgomery", {"WORD": 16, "NUM_WORDS": "(N + 15) // 16"})
    assert {"port": "nInv", "value": "-p^-1 mod 2^16"} in found["input"]


def test_a_modulus_of_whole_words_leaves_no_formula_that_holds_for_it_alone(tmp_path: Path) -> None:
    """Modulo a number of 64 bits, R = 2^N is that of whole words: a shorter modulus tells them apart."""
    folder = copied("word_mont", tmp_path)
    assert init(folder, "--prime", "2^64-59", trial=True) == 0
    assert description(folder)["settings"] == {"r": "(N + 15) // 16 * 16"}


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("{out} + !opN[TOTAL-1]", "case 0, in cycle 5: result should be 0x1 and is 0x3ffffffffffffff5"),
        ("(opN[TOTAL-1] ? {out} : {out} * 4 % opN)", "they agree with another description alone"),
    ],
    ids=["wrong", "another R"],
)
def test_a_shorter_modulus_that_differs_is_named(result: str, said: str, tmp_path: Path, capfd: Any) -> None:
    good = "(t >= opN) ? t - opN : t"
    folder = copied(
        "word_mont", tmp_path, ("mont_cios.v", f"out <= {good}", f"out <= {result.format(out=f'({good})')}")
    )
    assert init(folder, "--prime", "2^64-59", "--json", trial=True) == 0
    document = CoreDraft.model_validate_json(capfd.readouterr().out)
    assert document.trial is not None
    assert document.trial.others == [f"products modulo 2^63-25: {said}"]


def test_models_with_steps_that_return_the_same(tmp_path: Path, capfd: Any) -> None:
    """Modulo a number of whole words a model with R = 2^N would do, too; of digits, the RTL has one size."""
    folder = copied("cios_mac", tmp_path)
    assert init(folder, "--prime", "2^64-59", "--json", trial=True) == 0
    document = CoreDraft.model_validate_json(capfd.readouterr().out)
    assert document.trial is not None
    methods = [f"koc_{method} --radix 2^32" for method in ("sos", "cios", "fios", "fips", "cihs")]
    assert (document.trial.agrees, document.trial.alike) == (16, methods)
    assert description(folder)["settings"] == {"r": "(N + 31) // 32 * 32"}


def test_an_rtl_parameter_that_is_asked_for(tmp_path: Path) -> None:
    folder = copied("word_mont", tmp_path)
    assert init(folder, "--prime", "2^61-1", "--build", "WORD=32") == 0
    found = description(folder)
    assert found["build"] == {"WORD": 32, "NUM_WORDS": "(N + 31) // 32"}
    assert {"port": "nInv", "value": "-p^-1 mod 2^32"} in found["input"]


def test_a_modulus_inside_packages_in_order_and_included_sources(tmp_path: Path) -> None:
    folder = copied("fields", tmp_path)
    assert init(folder) == 0
    found = description(folder)
    assert found["modulus"] == ["p == 2147483647"]
    assert found["files"] == ["zeta_pkg.sv", "a_first.sv", "field_mul.sv"]
    assert (found["protocol"]["start"], found["protocol"]["done"]) == ("!start_b", "!done_b")


@pytest.mark.parametrize(
    ("prime", "condition"), [("3329", ["p == 3329"]), ("2^12-3", None)], ids=["of the RTL", "of another core"]
)
def test_a_modulus_that_was_asked_for_has_to_be_in_the_sources(
    prime: str, condition: list[str] | None, tmp_path: Path
) -> None:
    folder = copied("kyber_mul", tmp_path)
    assert init(folder, "--prime", prime) == 0
    assert description(folder).get("modulus") == condition


def test_the_widest_input_of_a_reducer(tmp_path: Path) -> None:
    folder = copied(
        "montred", tmp_path, ("montgomery_reduce.v", "input      [45:0] a,", "input [5:0] way, input [45:0] a,")
    )
    assert init(folder, "--prime", "8380417") == 0
    found = description(folder)
    assert (found["model"], found["settings"]) == ("redc", {"below": "2^46"})
    assert found["operand"] == [{"name": "a", "port": "a"}]


def test_all_missing_modules_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.v").write_text("module t(input x); one u(x); two v(x); one w(x); endmodule\n")
    assert init(tmp_path) == 2
    assert capsys.readouterr().err.endswith(" has no source of one, two\n")


def test_of_several_candidates_the_one_named_like_a_multiplier(tmp_path: Path) -> None:
    (tmp_path / "t.v").write_text("module ram(input x); endmodule\nmodule mont_mul(input y); endmodule\n")
    sketch = scan(tmp_path)
    assert (sketch.top, sketch.other_tops) == ("mont_mul", ("ram",))


def test_an_input_without_a_meaning_may_be_the_modulus(tmp_path: Path) -> None:
    """Also where a modulus was asked for; not where the RTL has that number."""
    ports = "input clk, input start, input [30:0] a, b, k_V, output done, output [30:0] z"

    def first(body: str) -> str:
        (tmp_path / "t.v").write_text(f"module t({ports});{body} endmodule\n")
        found = variants(scan(tmp_path), [lambda shape, kind: chosen(shape, "t", "2^31-1", kind)])
        return next(found).what

    assert first("") == "k_V = p"
    assert first(" localparam P = 2147483647;") == "k_V = 0"


@pytest.mark.budget(20)
@pytest.mark.parametrize(
    ("name", "prime", "variant", "others"),
    [
        ("two_step", "2^61-1", "start and operands held until done", ["start-done"]),
        ("montred", "8380417", "", []),
        full(("kyber_mul", "3329", "a latency of 3", [])),
        full((TOYS / "fixed_toy", "8380417", "a latency of 24", [])),
        full((TOYS / "stream_toy", "2^61-1", "the high word of the result first", ["axi4-stream"])),
    ],
)
def test_a_trial_finds_what_the_ports_do_not_show(
    name: str | Path, prime: str, variant: str, others: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A start that stays, a pipeline without a valid, and R = 2^32: 16 products agree with what is found."""
    folder = copied(name, tmp_path)
    assert init(folder, "--prime", prime, "--json", trial=True) == 0
    document = CoreDraft.model_validate_json(capsys.readouterr().out)
    assert document.trial is not None
    assert (document.trial.agrees, document.trial.difference) == (16, "")
    assert (document.trial.variant, document.trial.others) == (variant, others)
    assert document.trial.not_tried[0] == "more than 16 products: these are a smoke test"
    assert document.text == (folder / "core.toml").read_text()


@pytest.mark.full
def test_a_core_with_a_fault_is_not_described_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first guess stays, with the difference, what explains it, and the command that comes next."""
    fault: Edit = ("montgomery_reduce.v", "(h >= Q) ? h - Q : h", "(h >= Q) ? h - Q : h ^ u[33]")
    folder = copied("montred", tmp_path, fault)
    assert init(folder, "--prime", "8380417", trial=True) == 0
    said = capsys.readouterr().out
    assert "does not agree modulo 8380417 in icarus: case " in said
    assert said.endswith(f"next: limbtrace identify {folder} --prime 8380417\n")
    assert description(folder)["settings"] == {"below": "2^46"}


@pytest.mark.parametrize(
    ("comment", "value"),
    [
        ("-n^-1 mod 2^WORD", "p'"),
        ("n' = -n^(-1) mod R", "p'"),
        ("-(m[0]**-1) % 2**32", "p'"),
        ("q^-1 mod 2^16", "p^-1"),
        ("R^2 mod n", "R^2 mod p"),
        ("2^(2*256) mod p", "R^2 mod p"),
        ("R mod m", "R mod p"),
        ("a*b*R^-1 mod n", None),
        ("the modulus", None),
    ],
)
def test_formulas_in_comments(comment: str, value: str | None) -> None:
    assert value_in(comment) == value


@pytest.mark.parametrize(
    ("name", "plainly"),
    [("iClk", "clk"), ("i_a", "a"), ("o_res", "res"), ("oDataOut", "data"), ("opB", "op_b"), ("RST_N", "rst_n"),
     ("s_axis_tdata", "axis_tdata"), ("req_i.opA", "op_a"), ("m_p", "m_p"), ("in1", "in1")],
)  # fmt: skip
def test_plain_names(name: str, plainly: str) -> None:
    assert plain(name) == plainly


@pytest.mark.parametrize(
    ("name", "inverse"),
    [("start_n", True), ("start_b", True), ("done_b", True), ("valid_b", False), ("op_b", False), ("start", False)],
)
def test_signals_that_are_active_low(name: str, inverse: bool) -> None:
    """`valid_b` is more likely that of operand b."""
    assert level(SketchPort(name, "input", 1, None)) == ("!" * inverse + name)


def test_an_exact_name_comes_before_similar_ones() -> None:
    ports = Ports(SketchPort(name, "input", 1, None) for name in ("go_next", "mul_start", "start", "run"))
    assert [port.name for port in ports.bits("input", START)] == ["start", "mul_start", "go_next", "run"]


def test_literals() -> None:
    text = "x = 12'hD01 + 24'd8_380_417; y <= 16#1fff#; z <= x\"7FF\"; w = 3329; n8192 = 'b1101;"
    assert literals_in([text]) == {0xD01, 8380417, 0x1FFF, 0x7FF, 13, 16, 12, 24} - {12, 24, 16}


def test_a_modulus_that_is_too_long_for_a_condition() -> None:
    assert FixedModulus(3329, "Q").condition == "p == 3329"
    assert FixedModulus((1 << 255) - 19, "").condition == f"p == {(1 << 255) - 19:#x}"
    assert FixedModulus(1 << 1000, "").condition == ""


def test_a_source_that_is_included_is_not_compiled_twice(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "step.v").write_text("module step(input x); endmodule\n")
    (tmp_path / "t.v").write_text('`include "step.v"\nmodule t(input x); step u(x); endmodule\n')
    sketch = scan(tmp_path)
    assert (sketch.files, sketch.include) == (("t.v",), ("lib",))
