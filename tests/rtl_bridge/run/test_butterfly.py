# SPDX-License-Identifier: Apache-2.0
"""A core with two numbers in operand a and in its result, on ports side by side."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job

TOY = TOYS / "butterfly_toy"
FAULTS: dict[str, Edit] = {
    "the sum p is not reduced": ("butterfly_toy.sv", "sum >= {1'b0, p_i}", "sum > {1'b0, p_i}"),
    "the borrow is lost": ("butterfly_toy.sv", "difference[W] ?", "1'b0 & difference[W] ?"),
    "results are exchanged": ("core.toml", "{odd_o, even_o}", "{even_o, odd_o}"),
}


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("prime", ["13", "3329"])
def test_in_icarus(mode: str, prime: str) -> None:
    report = simulate(job(TOY, prime, mode=mode, count=60))
    assert report.passed, report.text()
    assert report.document["verified"] == 60


@pytest.mark.parametrize("edit", FAULTS.values(), ids=FAULTS)
def test_faults_are_found_in_few_directed_cases(edit: Edit, tmp_path: Path) -> None:
    asked = job(TOY, "3329", mode="lockstep", kind="directed", count=16)
    assert simulate(asked).passed
    assert not simulate(asked.model_copy(update={"core": str(copy_of(TOY, tmp_path, edit))})).passed


def test_residues_of_two_numbers_are_not_compared(tmp_path: Path) -> None:
    core = copy_of(TOY, tmp_path, ("core.toml", 'top = "butterfly_toy"', 'top = "butterfly_toy"\ncompare = "residue"'))
    with pytest.raises(ValueError, match="returns several numbers, even and odd"):
        simulate(job(core, "13", count=4))
