# SPDX-License-Identifier: Apache-2.0
"""`limbtrace sim --moduli directed`: faults that some moduli alone show, and cores that do not take every modulus."""

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import gmpy2
import pytest

from limbtrace.rtl_bridge.run import directed
from limbtrace.rtl_bridge.run.not_tried import CHANGE_OF_MODULUS, not_tried
from limbtrace.rtl_bridge.run.report import OTHER_MODULUS
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.document import adapter
from limbtrace.vectors.report.document import ReportDocument
from tests.rtl_bridge.helpers import CORE, TOYS, Edit, copy_of, job
from tests.vectors.test_cli import run

MONT = ("mont_toy", ("core.toml", "N <= 509", "N > 16"))
BIT_16 = ("mont_toy.sv", "t_q    <= fixed >> 16;", "t_q    <= (fixed >> 16) ^ (BITS + 17)'(!m_i[16]);")
"""Wrong where bit 16 of the modulus is 0; p256 and mldsa have a 1 there."""
PORT = ("comb_toy.sv", "    input wire logic [W-1:0] p_i,\n", "")
AS_PARAMETER: list[Edit] = [
    PORT,
    ("comb_toy.sv", "parameter int W = 16", "parameter int W = 16, parameter int p_i = 1"),
    ("core.toml", '{ W = "N" }', '{ W = "N", p_i = "p" }'),
    ("core.toml", 'input = [{ port = "p_i", value = "p" }]\n', ""),
]
"""The modulus of comb_toy as a parameter."""
WRITTEN_IN: list[Edit] = [
    PORT,
    ("comb_toy.sv", "  logic [W+1:0] sum;", "  localparam int p_i = 8380417;\n  logic [W+1:0] sum;"),
    ("core.toml", 'input = [{ port = "p_i", value = "p" }]\n', ""),
]
"""The modulus of comb_toy as a number in its source, and its description does not say so."""


def sim(capfd: Any, core: object, prime: str, *arguments: object) -> tuple[int, str, str]:
    return run(capfd, "sim", str(core), "--prime", prime, "--simulator", "icarus", *map(str, arguments))


def tried(capfd: Any, core: object, prime: str, *arguments: object) -> dict[str, Any]:
    """The report of a run at directed moduli."""
    code, out, err = sim(capfd, core, prime, "--mode", "bulk", "--moduli", "directed", "--json", *arguments)
    adapter(ReportDocument).validate_json(out)
    document: dict[str, Any] = json.loads(out)
    assert code == document["mismatches"], err
    return document


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first few moduli alone."""
    monkeypatch.setattr(directed, "MOST", 5)


@pytest.mark.parametrize("prime", ["p256", "mldsa"])
def test_a_fault_that_one_bit_of_the_modulus_hides(capfd: Any, tmp_path: Path, prime: str) -> None:
    """1,000 products of the usual modulus agree; with a directed one the first product differs, and so its replay."""
    toy, edit = MONT
    core = copy_of(TOYS / toy, tmp_path, edit, BIT_16)
    code, *_ = sim(capfd, core, prime, "--mode", "bulk", "--count", 1000)
    assert code == 0
    code, out, _ = sim(capfd, core, prime, "--mode", "bulk", "--moduli", "directed", "--count", 10)
    assert code == 1
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("modulus "))
    modulus, _, reason = lines[at].removeprefix("modulus ").partition(": ")
    assert reason.startswith(("every bit 16*k is 0; ", "bit 16 is 0; "))
    assert f"{int(modulus, 16):b}"[-17] == "0"
    assert lines[at - 1].split()[:2] == [modulus, "differs"]
    assert [line.split()[1] for line in lines[: at - 1]] == ["agrees"] * (at - 1)
    assert lines[at + 1].strip() == OTHER_MODULUS
    replay = shlex.split(lines[-1].removeprefix("replay: limbtrace "))
    assert replay[replay.index("--prime") + 1] == modulus
    assert run(capfd, *replay)[0] == 1


def test_a_good_core_agrees_at_every_directed_modulus(capfd: Any) -> None:
    found = tried(capfd, TOYS / "comb_toy", "mldsa", "--count", 6)
    assert found["mismatches"] == 0
    assert len(found["moduli"]) > 20
    assert {entry["verdict"] for entry in found["moduli"]} == {"agrees"}
    assert {entry["verified"] for entry in found["moduli"]} == {6}
    assert found["moduli"][0]["reason"] == "asked for"
    assert found["prime"] == found["moduli"][0]["prime"]
    values = [int(entry["prime"]["modulus"], 16) for entry in found["moduli"]]
    assert len(set(values)) == len(values)
    assert all(value % 2 for value in values)
    assert {value.bit_length() for value in values} - {23} == {
        entry["prime"]["bits"] for entry in found["moduli"] if "rebuilt" in entry
    }


def test_what_runs_at_directed_moduli_say(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every watched signal is compared at each of them."""
    monkeypatch.setattr(directed, "MOST", 1)
    asked = (CORE, "0xea7", "--radix", "2^4", "--count", 2)
    code, out, _ = sim(capfd, *asked, "--moduli", "directed")
    head, *moduli, last = out.splitlines()
    assert (code, head) == (0, f"{CORE} (iddmm2) in icarus, lockstep: 4 products of 2 moduli agree, 9 watched signals")
    assert moduli == ["  0xea7  agrees  asked for", "  0xfff  agrees  nearest below 2^12"]
    assert CHANGE_OF_MODULUS in last


def test_what_they_do_not_try() -> None:
    """A run at directed moduli does not name other moduli, but a change from one to another."""
    one = settle(job(CORE))
    many = replace(one, directed=True)
    assert "other moduli" in not_tried(one, {})
    assert "other moduli" not in not_tried(many, {})
    assert CHANGE_OF_MODULUS in not_tried(many, {})
    assert not {"other moduli", CHANGE_OF_MODULUS} & {*not_tried(many, {"modulus": 1})}


@pytest.mark.parametrize("builds", [0, 3])
def test_a_modulus_that_is_a_parameter_takes_a_build(capfd: Any, tmp_path: Path, builds: int) -> None:
    core = copy_of(TOYS / "comb_toy", tmp_path, *AS_PARAMETER)
    if not builds:
        code, _, err = sim(capfd, core, "mldsa", "--moduli", "directed", "--moduli-count", 0)
        assert (code, err) == (
            2,
            "limbtrace: moduli: comb_toy takes no directed modulus beside the one that is asked for\n",
        )
        return
    found = tried(capfd, core, "mldsa", "--count", 3, "--moduli-count", builds)
    assert ["rebuilt" in entry for entry in found["moduli"]] == [False, *[True] * builds]


def test_a_core_into_which_its_modulus_is_written_takes_no_other_one(capfd: Any, tmp_path: Path) -> None:
    """Nothing in its description says so, and at other widths it is another build: it is not called wrong."""
    core = copy_of(TOYS / "comb_toy", tmp_path, *WRITTEN_IN)
    assert sim(capfd, core, "mldsa", "--count", 9)[0] == 0
    code, _, err = sim(capfd, core, "mldsa", "--moduli", "directed")
    assert (code, err) == (
        2,
        "limbtrace: moduli: comb_toy takes no directed modulus beside the one that is asked for\n",
    )


@pytest.mark.usefixtures("few")
def test_a_core_for_some_primes_alone(capfd: Any, tmp_path: Path) -> None:
    conditions = ("core.toml", 'model = "modmul"', 'model = "modmul"\nmodulus = ["prime", "p % 16 == 1"]')
    found = tried(capfd, copy_of(TOYS / "comb_toy", tmp_path, conditions), "mldsa", "--count", 2)
    values = [int(entry["prime"]["modulus"], 16) for entry in found["moduli"]]
    assert len(values) == 6
    assert all(gmpy2.is_prime(value) and value % 16 == 1 for value in values)


@pytest.mark.usefixtures("few")
def test_an_even_modulus_has_even_ones_beside_it(capfd: Any) -> None:
    found = tried(capfd, TOYS / "comb_toy", "200", "--count", 2)
    assert any(int(entry["prime"]["modulus"], 16) % 2 == 0 for entry in found["moduli"][1:])


@pytest.mark.usefixtures("few")
def test_all_products_of_small_moduli(capfd: Any) -> None:
    """The modulus that is asked for is a directed one itself, and tried once."""
    found = tried(capfd, TOYS / "comb_toy", "15", "--exhaustive")
    values = [int(entry["prime"]["modulus"], 16) for entry in found["moduli"]]
    assert len({*values}) == len(values) == 6
    assert [entry["verified"] for entry in found["moduli"]] == [value**2 for value in values]


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        (["--operands", "1,2"], "operands"),
        (["--only", "0"], "only"),
        (["--waves", "w.vcd"], "waves"),
        (["--junit", "j.xml"], "junit"),
        (["--coverage", "c.json"], "coverage"),
        (["--code-coverage", "c"], "code-coverage"),
        (["--shrink"], "shrink"),
    ],
)
def test_options_about_one_modulus(capfd: Any, arguments: list[str], parameter: str) -> None:
    why = "it is about one modulus, and --moduli directed tries many; the replay of a difference takes it"
    code, out, err = sim(capfd, CORE, "0xea7", "--moduli", "directed", *arguments)
    assert (code, out, err) == (2, "", f"limbtrace: {parameter}: {why}\n")


def test_a_number_of_builds_without_directed_moduli(capfd: Any) -> None:
    code, _, err = sim(capfd, CORE, "0xea7", "--moduli-count", 4)
    assert (code, err) == (2, "limbtrace: moduli-count: it is about --moduli directed\n")
