# SPDX-License-Identifier: Apache-2.0
"""The mutant bank: every fault is in its place, a sample is killed, and the page is that of the bank.

`./run mutants` measures all of them.
"""

from collections import Counter
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.catalogue.mutants import FILE, fault_banks, written
from tests.conftest import ROOT
from tests.sample import full
from tools.mutants import proofs
from tools.mutants.bank import SmallSize, bank, names
from tools.mutants.copies import Place, PlaceError, spoil
from tools.mutants.measured import read
from tools.mutants.page import environment_faults, joined, killed, operand_faults, page, surprising

CORE = "iddmm_arch2"
SMALL = {"prime": "0xea7", "settings": {"radix": "2^4"}}
"""A modulus that fills its digits, and for which Icarus has a model in no time."""
OPERAND = ["carry-one-bit-short", "top-carry-dropped", "sum-carry-chain-cut", "x-top-word-ignored", "quotient-zero"]
ENVIRONMENT = ["busy-ignored-by-start", "constant-kept-from-reset"]


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All the faults of one core; none of them chosen."""
    return bank(CORE).spoilt(tmp_path_factory.mktemp("mutants"))


def asked(folder: Path, mutant: str | None, target: Path, **fields: object) -> Job:
    """A run of the copy with that mutant. The build is the same for all."""
    number = 0 if mutant is None else [one.id for one in bank(CORE).mutant].index(mutant) + 1
    copy = target / CORE
    copy.mkdir()
    for path in folder.iterdir():
        text = path.read_text()
        (copy / path.name).write_text(text.replace('"fault_i"\nvalue = 0', f'"fault_i"\nvalue = {number}'))
    about = {"core": str(copy), "simulator": "icarus", "kind": "lazy", "count": 100, **SMALL}
    return Job.model_validate({**about, **fields})


@pytest.mark.parametrize("name", names())
def test_a_bank_is_one(name: str, tmp_path: Path) -> None:
    """Each text stands once in its file, the copy can be bound, and there are enough of both kinds."""
    one = bank(name)
    assert [name for name, times in Counter(mutant.id for mutant in one.mutant).items() if times > 1] == []
    assert name == one.core or name.startswith(f"{one.core}_")
    assert len(one.mutant) >= (25 if name == one.core else 15)
    assert {mutant.kind for mutant in one.mutant} == {"operand", "environment"}
    folder = one.spoilt(tmp_path)
    job = Job.model_validate({"core": str(folder), "prime": one.prime, "settings": one.settings, "build": one.build})
    assert settle(job).bound.ports["fault_i"].width == 8
    for mutant in one.mutant:
        source = (folder / mutant.file).read_text()
        assert mutant.bad in source
        assert mutant.good != mutant.bad


@pytest.mark.parametrize("name", names())
def test_what_was_measured_is_this_bank(name: str) -> None:
    """And it reaches what the page is for: a fault that nothing kills is one that says what it needs."""
    one, measured = bank(name), read(name)
    assert {mutant for mutant, _ in measured} == {mutant.id for mutant in one.mutant}
    both = joined(one, measured)
    missed = [fault for fault in operand_faults(both) if not killed(fault.results["directed"], 1000)]
    missed += [fault for fault in environment_faults(both) if fault.results[fault.found_by] is None]
    assert [fault.id for fault in missed] == [mutant.id for mutant in one.mutant if mutant.survives is not None]
    alive = [
        mutant.id for mutant in one.mutant if mutant.equivalent and measured[mutant.id, "directed"].results is None
    ]
    assert alive == [mutant.id for mutant in one.mutant if mutant.equivalent]


def test_the_page_and_its_data_are_made_of_them() -> None:
    banks = [joined(bank(name), read(name)) for name in names()]
    assert (ROOT / "vectors" / "catalogue" / FILE).read_text() == written(banks)
    assert written(fault_banks()) == written(banks)
    proved = {name: (bank(name), proofs.read(name)) for name in names()}
    assert (ROOT / "docs" / "reference" / "mutants.md").read_text() == page(fault_banks(), proved)


@pytest.mark.parametrize("name", names())
def test_what_was_proved_is_this_bank(name: str) -> None:
    """Each verdict is what the bank says of the fault, or the bank says why not."""
    one, (whole, *found) = bank(name), proofs.read(name)
    assert [each.fault for each in (whole, *found)] == ["", *(mutant.id for mutant in one.mutant)]
    assert {each.verdict for each in found} <= {*proofs.VERDICTS}
    assert (whole.verdict == proofs.PROVED) == (one.proof.why is None)
    unlike = [mutant.id for mutant, each in zip(one.mutant, found, strict=True) if surprising(mutant, each, whole)]
    assert unlike == [mutant.id for mutant in one.mutant if mutant.proof is not None]


TINY = {
    "iddmm_arch1": SmallSize(prime="0xea7", settings={"radix": "2^4"}),
    "iddmm_arch2": SmallSize(prime="0xea7", settings={"radix": "2^4"}),
    "r2mm_bitserial": SmallSize(prime="0xea7", settings={"w": 4}),
    "redundant": SmallSize(prime="2^31-1"),
}
"""Moduli for which a proof takes less than at the size of the bank."""


@pytest.mark.parametrize(
    ("core", "fault", "verdict"),
    [
        ("iddmm_arch1", "cs-one-bit-short", proofs.REFUTED),
        ("iddmm_arch1", "cu-kept-after-a-row", proofs.REFUTED),  # by a watched register
        ("iddmm_arch2", "carry-one-bit-short", proofs.REFUTED),
        ("iddmm_arch2", "address-above-n", proofs.PROVED),
        ("r2mm_bitserial", "subtracted-from-p-minus-1", proofs.REFUTED),
        ("r2mm_bitserial", "counter-not-reset", proofs.PROVED),
        full(("redundant", "t-overlap-one-bit", proofs.REFUTED)),
        full(("redundant", "c-from-other-bits", proofs.PROVED)),
        full(("llmonpro", "carry-as-printed", proofs.REFUTED)),
        ("llmonpro", "carry-at-most-2", proofs.PROVED),
        ("vdf_squarer", "constant-off-by-one", proofs.REFUTED),
        full(("vdf_squarer", "modulus-top-bit-lost", proofs.PROVED)),
        full(("fpmm", "vl-carry-lost", proofs.REFUTED)),
        full(("hffm", "middle-carry-lost", proofs.REFUTED)),
    ],
)
def test_a_proof_of_a_fault(core: str, fault: str, verdict: str, tmp_path: Path) -> None:
    one = bank(core)
    small = one.model_copy(update={"proof": TINY.get(core, one.proof)})
    mutant = next(mutant for mutant in one.mutant if mutant.id == fault)
    assert proofs.proof_of(small, mutant, tmp_path).verdict == verdict


def test_a_core_without_a_chosen_fault_is_the_core(spoilt: Path, tmp_path: Path) -> None:
    report = simulate(asked(spoilt, None, tmp_path))
    assert report.passed, report.text()


@pytest.mark.parametrize("mutant", OPERAND)
def test_an_operand_fault_is_killed_by_results(mutant: str, spoilt: Path, tmp_path: Path) -> None:
    assert not simulate(asked(spoilt, mutant, tmp_path, mode="bulk", count=400)).passed


@pytest.mark.parametrize("mutant", ENVIRONMENT)
def test_an_environment_fault_is_killed_by_disturbances_alone(mutant: str, spoilt: Path, tmp_path: Path) -> None:
    assert simulate(asked(spoilt, mutant, tmp_path)).passed
    (tmp_path / "disturbed").mkdir()
    assert not simulate(asked(spoilt, mutant, tmp_path / "disturbed", disturb=DISTURBANCES)).passed


def test_faults_in_one_place_and_inside_each_other(tmp_path: Path) -> None:
    (tmp_path / "x.sv").write_text("assign y = a + b;\n")
    places = [("= ", "a + b", "a"), ("+ ", "b", "c"), ("= ", "a + b", "b")]
    spoil(tmp_path, [Place("x.sv", *place) for place in places], "f")
    text = "assign y = ((f == 1) ? (a) : (f == 3) ? (b) : (a + ((f == 2) ? (c) : (b))));\n"
    assert (tmp_path / "x.sv").read_text() == text


@pytest.mark.parametrize(
    ("before", "good", "sentence"),
    [
        ("", "b", "'b' occurs 2 times in x.sv"),
        ("c", "d", "'cd' occurs 0 times in x.sv"),
        ("+ ", "b & b", "two faults overlap"),
    ],
)
def test_a_place_that_is_none(before: str, good: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "x.sv").write_text("assign y = a + b & b;\n")
    with pytest.raises(PlaceError, match=sentence):
        spoil(tmp_path, [Place("x.sv", "= ", "a + b", "a"), Place("x.sv", before, good, "0")], "f")
