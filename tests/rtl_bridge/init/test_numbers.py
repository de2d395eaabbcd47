# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init` of cores without a product of two operands alone: butterflies, multiply-add, sums and the like."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.init import variants
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.init.ways import plainly, with_numbers
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.core_draft import CoreDraft, CoreTrial
from tests.rtl_bridge.helpers import Edit, job
from tests.rtl_bridge.init.test_init import init
from tests.rtl_bridge.init.test_trial import copied, description


def tried(folder: Path, capfd: Any, *options: str) -> CoreTrial:
    """The verdict of the trial at the end."""
    assert init(folder, "--json", *options, trial=True) == 0
    document = CoreDraft.model_validate_json(capfd.readouterr().out)
    assert document.trial is not None
    return document.trial


def ports(folder: Path) -> list[str]:
    """The ports of a, b and the result."""
    found = description(folder)
    return [*(operand["port"] for operand in found["operand"]), found["result"]["port"]]


def test_a_butterfly_with_its_modulus_inside(tmp_path: Path, capfd: Any) -> None:
    folder = copied("ct_unit", tmp_path)
    trial = tried(folder, capfd)
    found = description(folder)
    assert (found["model"], found["modulus"], trial.prime, trial.agrees) == (
        "butterfly_ct", ["p == 3329"], "3329", 16
    )  # fmt: skip
    assert ports(folder) == ["{b, a}", "zeta", "{b_out, a_out}"]
    assert trial.same == ["butterfly_ct, u = a, v = zeta, w = b; even = a_out, odd = b_out"]
    report = simulate(job(folder, "3329", count=60))
    assert report.passed, report.text()


def test_a_butterfly_by_a_product_of_montgomery(tmp_path: Path, capfd: Any) -> None:
    """1/R mod q is 169 for R = 2^16. The outputs are the other way round."""
    edits: list[Edit] = [
        ("butterfly_unit.v", "prod <= b * zeta", "prod <= b * zeta % Q * 169"),
        ("butterfly_unit.v", "a_out <= (x + t", "b_out <= (x + t"),
        ("butterfly_unit.v", "b_out <= (x >= t)", "a_out <= (x >= t)"),
    ]
    folder = copied("ct_unit", tmp_path, *edits)
    assert tried(folder, capfd).agrees == 16
    assert description(folder)["settings"] == {"r": 16}
    assert ports(folder) == ["{b, a}", "zeta", "{a_out, b_out}"]


@pytest.mark.budget
def test_a_pipeline_that_halves(tmp_path: Path, capfd: Any) -> None:
    folder = copied("gs_bfu", tmp_path)
    trial = tried(folder, capfd)
    found = description(folder)
    assert (found["model"], found["settings"], trial.agrees) == ("butterfly_gs", {"halve": 1}, 16)
    assert (found["protocol"]["kind"], ports(folder)) == ("valid-ready", ["{t, u}", "omega", "{lower, upper}"])
    assert not trial.same
    report = simulate(job(folder, "8380417", count=60))
    assert report.passed, report.text()


@pytest.mark.budget
def test_a_multiply_add_without_a_register(tmp_path: Path, capfd: Any) -> None:
    """Which input is added is told by results; which factor is which is not."""
    folder = copied("mac_mod", tmp_path)
    trial = tried(folder, capfd)
    assert (description(folder)["model"], trial.agrees) == ("modmac", 16)
    assert ports(folder) == ["{acc, coef}", "sample", "res"]
    assert trial.same == ["modmac, x = sample, z = acc, y = coef; result = res"]
    report = simulate(job(folder, "3329", count=60))
    assert report.passed, report.text()


OPERATIONS: dict[str, tuple[list[Edit], str, list[str]]] = {
    "a sum": ([], "modadd", ["a", "b", "y"]),
    "a difference": (
        [("small_op.v", "t = a + b", "t = a - b"), ("small_op.v", "t >= p ? t - p", "t[W] ? t + p")],
        "modsub", ["a", "b", "y"],
    ),
    "the other difference": (
        [("small_op.v", "t = a + b", "t = b - a"), ("small_op.v", "t >= p ? t - p", "t[W] ? t + p")],
        "modsub", ["b", "a", "y"],
    ),
    "a negative": (
        [("small_op.v", "    input      [W-1:0] b,\n", ""), ("small_op.v", "t = a + b", "t = p - a")],
        "modneg", ["a", "y"],
    ),
    "a half": (
        [("small_op.v", "    input      [W-1:0] b,\n", ""), ("small_op.v", "t = a + b", "t = a[0] ? a + p : a"),
         ("small_op.v", "t >= p ? t - p : t", "t >> 1")],
        "modhalve", ["a", "y"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("edits", "model", "names"), OPERATIONS.values(), ids=OPERATIONS)
def test_models_without_a_product(edits: list[Edit], model: str, names: list[str], tmp_path: Path, capfd: Any) -> None:
    """They explain the results of a core that does not multiply."""
    folder = copied("small_op", tmp_path, *edits)
    assert tried(folder, capfd, "--prime", "2^31-1").agrees == 16
    assert (description(folder)["model"], ports(folder)) == (model, names)


FAULTS: dict[str, tuple[str, Edit]] = {
    "a borrow": ("ct_unit", ("butterfly_unit.v", "x + Q - t;", "x + Q - t - 1;")),
    "a bit that sticks": ("gs_bfu", ("gs_bfu.v", "s2 <= s1;", "s2 <= s1 | 1;")),
    "a bit that is lost": ("mac_mod", ("mac_mod.v", "+ acc;", "+ acc[11:1] * 2;")),
}


@pytest.mark.budget(16)
@pytest.mark.parametrize(("core", "edit"), FAULTS.values(), ids=FAULTS)
def test_a_core_with_a_fault_in_many_products(core: str, edit: Edit, tmp_path: Path, capfd: Any) -> None:
    """It does not agree, and is described by what the other results say."""
    folder = copied(core, tmp_path, edit)
    trial = tried(folder, capfd)
    found = description(folder)
    assert trial.agrees == 0
    assert trial.difference.startswith("case ")
    assert trial.explained.startswith(found["model"])
    assert trial.explained.endswith(" of 16 products")
    assert not trial.others
    assert ports(folder) in (
        ["{b, a}", "zeta", "{b_out, a_out}"], ["{t, u}", "omega", "{lower, upper}"], ["{acc, coef}", "sample", "res"]
    )  # fmt: skip


def test_a_core_with_a_fault_in_all_products(tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays described by a model of several numbers, not by one of fewer with constants on its other ports."""
    monkeypatch.setattr(variants, "MOST_VARIANTS", 1)
    folder = copied("ct_unit", tmp_path, ("butterfly_unit.v", "prod <= b * zeta", "prod <= b * zeta + 1"))
    trial = tried(folder, capfd)
    assert (trial.agrees, trial.explained, trial.others) == (0, "", ["zeta = 0"])
    assert description(folder)["operand"][0]["radix"] == "p"


RARE: dict[str, tuple[str, str, Edit]] = {
    "a sum of p": ("ct_unit", "3329", ("butterfly_unit.v", "(x + t >= Q)", "(x + t > Q)")),
    "a sum of p, piped": ("gs_bfu", "8380417", ("gs_bfu.v", "sum >= MODULUS", "sum > MODULUS")),
    "p itself": ("mac_mod", "3329", ("mac_mod.v", "full % q", "full == q ? q : full % q")),
}


@pytest.mark.parametrize(("core", "prime", "edit"), RARE.values(), ids=RARE)
def test_a_rare_fault_is_found_by_sim(core: str, prime: str, edit: Edit, tmp_path: Path, capfd: Any) -> None:
    folder = copied(core, tmp_path)
    assert tried(folder, capfd, "--prime", prime).agrees == 16
    asked = job(folder, prime, count=60, kind="directed")
    assert simulate(asked).passed
    file, old, new = edit
    source = (folder / file).read_text()
    assert source.count(old) == 1
    (folder / file).write_text(source.replace(old, new))
    assert not simulate(asked).passed


def test_without_a_trial_the_ports_are_described(tmp_path: Path) -> None:
    folder = copied("gs_bfu", tmp_path)
    assert init(folder, "--prime", "mldsa") == 0
    assert ports(folder) == ["{t, u}", "omega", "{upper, lower}"]
    assert (
        'model = "butterfly_ct"  # guess: 3 inputs and 2 outputs of one width or butterfly_gs'
        in (folder / "core.toml").read_text()
    )


def test_a_model_that_is_asked_for(tmp_path: Path, capfd: Any) -> None:
    """The ports are described by it, and by another one that agrees."""
    folder = copied("gs_bfu", tmp_path)
    assert init(folder, "--model", "butterfly_gs", "--set", "halve=1", "--prime", "mldsa") == 0
    assert tomllib.loads((folder / "core.toml").read_text())["settings"] == {"halve": "1"}
    capfd.readouterr()
    assert tried(folder, capfd, "--model", "butterfly_gs", "--prime", "mldsa", "--force").agrees == 16


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("input  [11:0] sample", "input  [9:0] sample"),
        ("input  [11:0] sample", "input  [11:0] sample, input  [11:0] more"),
        ("output [11:0] res", "output [11:0] res, output [11:0] rest"),
    ],
    ids=["narrower", "one more input", "one more output"],
)
def test_ports_that_hold_no_such_numbers(old: str, new: str, tmp_path: Path) -> None:
    folder = copied("mac_mod", tmp_path, ("mac_mod.v", old, new))
    sketch = scan(folder, None, includes=True, build={})
    numbers = plainly(sketch, "core").tried.numbers
    if "rest" in new:
        assert numbers == {"a": 2, "b": 1, "result": 2}
        return
    assert not numbers
    with pytest.raises(LookupError):
        with_numbers(sketch, "core", None)
