# SPDX-License-Identifier: Apache-2.0
"""Cores with the public faults of hardware: each does what its emulation does, and is found as the atlas says."""

import random
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from limbtrace.refmodels.defects import ATLAS, Defect
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model
from limbtrace.rtl_bridge.core.core import DEFECTS, built_in, find, with_faults
from limbtrace.rtl_bridge.flow.lint import lint
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.catalogue.defects import defect_document, measured, multiplier_of
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import DIRECTED, VectorRequest
from tests.rtl_bridge.helpers import job
from tests.vectors.test_cli import run

HARDWARE = [id for id, defect in ATLAS.items() if defect.is_hardware]
MENDED = {"Faulty": 0}


def tried(defect: Defect) -> Iterator[tuple[int, int]]:
    """The operands of the entry, around the modulus, directed ones, and uniform ones."""
    draw, limits = random.Random(crc32(defect.id.encode())), multiplier_of(defect).params.limits
    yield defect.killing
    p = multiplier_of(defect).modulus.modulus
    for near in (0, 1, p - 1, p, p + 1, *limits):
        yield min(near, limits[0]), min(near, limits[1])
    yield from ((int(a), int(b)) for a, b, _ in operands(VectorRequest.resolve(multiplier_of(defect), 60, 1, DIRECTED)))
    for _ in range(60):
        yield draw.randint(0, int(limits[0])), draw.randint(0, int(limits[1]))


def given(defect: Defect) -> tuple[str, ...]:
    return tuple(f"{a:#x}" if multiplier_of(defect).model.unary else f"{a:#x},{b:#x}" for a, b in tried(defect))


def test_every_fault_in_hardware_has_a_core() -> None:
    assert [folder.name for folder in with_faults()] == sorted(HARDWARE)
    for id in HARDWARE:
        described = find(id).file
        assert (described.model, described.name) == (ATLAS[id].model, id.replace("-", "_"))
        assert described.build["Faulty"] == 1


def test_they_are_not_among_the_built_in_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is what lies elsewhere one of them."""
    assert not {folder.name for folder in built_in()} & set(HARDWARE)
    assert find("caliptra-221-hash").folder == DEFECTS / "caliptra-221-hash"
    for name in ("go-13907", "../rtl/fpmm", "caliptra-221-hash/.", ""):
        with pytest.raises(ParameterError):
            find(name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "caliptra-221-hash").mkdir()
    with pytest.raises(ParameterError, match="is a built-in core and a folder here"):
        find("caliptra-221-hash")


@pytest.mark.parametrize("id", HARDWARE)
def test_clean(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint([id]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("id", HARDWARE)
def test_a_core_does_what_its_emulation_does(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the emulation in place of the model every product agrees, and one bit more in a result does not."""
    defect, wrong = ATLAS[id], [0]

    def emulated(model: object, params: object, a: int, b: int) -> int:
        p = multiplier_of(defect).modulus.modulus
        return defect.compute(int(a), int(b), p) ^ wrong[0]

    monkeypatch.setattr(Model, "result", emulated)
    asked = {"operands": given(defect), "count": None, "mode": "bulk"}
    report = simulate(job(id, defect.prime, **asked))
    assert report.passed, report.observed
    assert report.tally.verified == len(given(defect))
    wrong[0] = 1
    assert not simulate(job(id, defect.prime, **asked)).passed


@pytest.mark.parametrize("id", HARDWARE)
def test_it_is_mended(id: str) -> None:
    defect = ATLAS[id]
    asked = {"operands": given(defect), "count": None, "mode": "bulk"}
    assert simulate(job(id, defect.prime, build=MENDED, **asked)).passed


@pytest.mark.parametrize("id", HARDWARE)
def test_the_default_kind_finds_it_at_the_case_of_the_atlas(id: str) -> None:
    found = simulate(job(id, ATLAS[id].prime)).tally.divergence
    assert found is not None
    assert found.case == measured()["first"][id][DIRECTED]


def test_the_command_of_an_entry(capfd: pytest.CaptureFixture[str]) -> None:
    """The fault of issue 173 by the command that its entry prints; software has none."""
    command = str(defect_document("caliptra-173-adder")["simulation"])
    assert command == "limbtrace sim caliptra-173-adder --prime p384"
    code, out, _ = run(capfd, *command.split()[1:], "--simulator", "icarus", "--no-check-replay", "--count", "4")
    assert code == 1
    assert "it is congruent to the right result: p too large, as without a last subtraction" in out
    assert defect_document("opentitan-3658-addm")["simulation"] is None
