# SPDX-License-Identifier: Apache-2.0
"""`limbtrace domain`: small cores that are right for some moduli, in a simulator."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.domain import search
from limbtrace.vectors.document import adapter
from limbtrace.vectors.domain import DomainDocument
from tests.rtl_bridge.domain import cores
from tests.rtl_bridge.helpers import TOYS, copy_of
from tests.vectors.test_cli import run


def domain(capfd: Any, core: object, prime: object, *arguments: object) -> tuple[int, str, str]:
    asked = ("domain", str(core), "--prime", str(prime), "--simulator", "icarus", *map(str, arguments))
    return run(capfd, *asked)


def document(capfd: Any, core: object, prime: object, *arguments: object) -> Any:
    """The document, which says the same as the exit code."""
    code, out, err = domain(capfd, core, prime, "--json", *arguments)
    adapter(DomainDocument).validate_json(out)
    found = json.loads(out)
    assert code == (found["wrong"] > 0), err
    return found


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few moduli in a round, each of which is a simulation."""
    for name, value in {"SIDE": 2, "SUSPECTS": 2, "SMALLER_ROUNDS": 1, "POINTS": 2}.items():
        monkeypatch.setattr(search, name, value)


def test_a_sum_that_overflows(capfd: Any, tmp_path: Path) -> None:
    """Sums of w + 1 bits are too short for the largest moduli: all of them are tried, with all operands."""
    core = cores.montgomery(tmp_path / "core", 4, 5)
    found = document(capfd, core, 13)
    assert (found["every"], found["verdict"], found["smallest_is_known"]) == (True, "separated", True)
    assert (found["right"], found["wrong"]) == (4, 3)
    assert found["conditions"] == [["p < 10"]]
    assert found["suggested"] == 'modulus = ["p < 10"]'
    assert found["smallest"]["modulus"] == "0xb"
    assert found["smallest"]["expected"] != found["smallest"]["seen"]


def test_the_same_with_a_bit_more_is_right(capfd: Any, tmp_path: Path) -> None:
    code, out, _ = domain(capfd, cores.montgomery(tmp_path / "core", 4, 6), 13)
    verdict, open_ = out.splitlines()
    assert (code, verdict) == (
        0, "mont (montgomery) in icarus, bulk: right at all 7 moduli of 2 to 4 bits, with all operands, 679 products"
    )  # fmt: skip
    assert open_.startswith("not tried: starts while it works, resets, a change of the modulus between products, ")
    assert open_.endswith(", verilator")


def test_what_the_description_denies_is_not_tried(capfd: Any, tmp_path: Path) -> None:
    code, out, _ = domain(capfd, cores.montgomery(tmp_path / "core", 4, 5, "p < 10"), 7)
    assert code == 0
    assert "right at all 4 moduli of 2 to 4 bits" in out


def test_conditions_of_the_description_stay_in_the_line_for_it(capfd: Any, tmp_path: Path) -> None:
    found = document(capfd, cores.montgomery(tmp_path / "core", 4, 5, "p != 5"), 13)
    assert found["described"] == ["p != 5"]
    assert found["suggested"] == 'modulus = ["p != 5", "p < 10"]'


def test_the_text_has_a_replay_that_differs(capfd: Any, tmp_path: Path) -> None:
    core = cores.right_unless(tmp_path / "core", 4, "!p_i[0]")
    code, out, _ = domain(capfd, core, 13)
    assert code == 1
    lines = out.splitlines()
    assert lines[0] == "at_once (modmul) in icarus, bulk: wrong at 7 of all 14 moduli of 2 to 4 bits, 686 products"
    assert lines[1:3] == [
        "right where odd",
        "  exactly these moduli are right, for all operands; every modulus was tried with all operands",
    ]
    assert lines[3] == "the smallest wrong modulus: 0x2, 2 bits, with a = 0x0, b = 0x0"
    assert lines[-1] == 'for core.toml: modulus = ["odd"]'
    replay = next(line for line in lines if line.startswith("  replay: "))
    code, out, _ = run(capfd, *shlex.split(replay.removeprefix("  replay: limbtrace ")))
    assert code == 1
    assert "result should be 0x0 and is 0x1" in out


@pytest.mark.usefixtures("few")
def test_a_word_of_the_modulus(capfd: Any, tmp_path: Path) -> None:
    core = cores.right_unless(tmp_path / "core", 32, "p_i[23:16] == 0")
    found = document(capfd, core, "2^32-5", "--moduli", 40, "--count", 2)
    assert found["conditions"] == [["(p >> 16) % 2^8 != 0"]]
    assert found["verdict"] == "separated"
    assert not found["every"]
    assert found["widths"] == [2, 32]
    assert found["refuting"] == [2, 2, 2]
    assert found["smallest"]["modulus"] == "0x2"


def test_barretts_quotient_of_too_few_bits(capfd: Any, tmp_path: Path) -> None:
    """A constant of 6 bits is enough for floor(2^8 / p) if p is above 4; products of smaller ones need none."""
    found = document(capfd, cores.barrett(tmp_path / "core", 4, 6), 13)
    assert found["conditions"] == [["p != 4"]]
    assert found["smallest"]["modulus"] == "0x4"
    assert found["smallest_is_known"]


@pytest.mark.usefixtures("few")
def test_a_modulus_that_is_a_parameter(capfd: Any, tmp_path: Path) -> None:
    core = cores.as_parameter(tmp_path / "core", 16, "!p_i[0]")
    found = document(capfd, core, 65521, "--builds", 10, "--count", 4)
    assert found["builds"] == 11
    assert found["right"] + found["wrong"] == 11
    assert found["conditions"] == [["odd"]]


def test_a_core_with_another_build_for_each_width(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of other widths are tried as far as builds are left."""
    monkeypatch.setattr(search, "EXHAUSTED_BITS", 0)
    found = document(capfd, TOYS / "comb_toy", 13, "--builds", 2, "--moduli", 16, "--count", 4)
    assert found["verdict"] == "right"
    assert found["builds"] == 3
    assert found["widths"] == [2, 8]


def test_a_modulus_that_is_written_in(capfd: Any, tmp_path: Path) -> None:
    port = ("comb_toy.sv", "    input wire logic [W-1:0] p_i,\n", "")
    number = ("comb_toy.sv", "  logic [W+1:0] sum;", "  localparam int p_i = 13;\n  logic [W+1:0] sum;")
    toml = ("core.toml", 'input = [{ port = "p_i", value = "p" }]\n', "")
    core = copy_of(TOYS / "comb_toy", tmp_path, port, number, toml)
    code, out, err = domain(capfd, core, 13)
    why = "no modulus was found that comb_toy is given by a port or a parameter, beside the one asked for"
    assert (code, out, err) == (2, "", f"limbtrace: core: {why}\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--limit", "3"], "limit: it is about --prove"),
        (["--count", "0"], "count: 0 is outside 1 to 4096"),
        (["--moduli", "3"], "moduli: 3 is outside 16 to 100000"),
    ],
)
def test_wrong_requests(capfd: Any, arguments: list[str], sentence: str) -> None:
    code, out, err = domain(capfd, TOYS / "comb_toy", 13, *arguments)
    assert (code, out, err) == (2, "", f"limbtrace: {sentence}\n")
