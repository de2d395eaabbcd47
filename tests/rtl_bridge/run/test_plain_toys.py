# SPDX-License-Identifier: Apache-2.0
"""Cores that only promise a result: what they take and return is said in core.toml, and no paper is named."""

import shutil
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job

MODMUL, MONT = TOYS / "modmul_toy", TOYS / "mont_toy"
TOML = "core.toml"


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize(("toy", "prime"), [(MODMUL, "1000"), (MODMUL, "1021"), (MONT, "2^61-1")])
def test_in_icarus(mode: str, toy: Path, prime: str) -> None:
    report = simulate(job(toy, prime, mode=mode, count=120))
    assert report.passed, report.text()
    assert report.document["verified"] == 120


@pytest.mark.parametrize(
    ("simulator", "mode"),
    [
        ("icarus", "lockstep"),
        ("icarus", "bulk"),
        ("verilator", "lockstep"),
        ("verilator", "bulk"),
        ("verilator", "fast"),
    ],
)
def test_a_core_with_one_operand(simulator: str, mode: str, tmp_path: Path) -> None:
    """There is no b, in any testbench."""
    asked = job(TOYS / "square_toy", "13", simulator=simulator, mode=mode, kind="exhaustive", count=None)
    assert simulate(asked).passed
    if simulator == "icarus":
        core = copy_of(TOYS / "square_toy", tmp_path, ("square_toy.v", "* a % p", "* (a ^ (a == 12)) % p"))
        assert not simulate(asked.model_copy(update={"core": str(core)})).passed


@pytest.mark.parametrize(
    ("simulator", "mode", "kinds"),
    [
        ("icarus", "lockstep", tuple(KINDS)),
        ("icarus", "bulk", ()),
        ("verilator", "lockstep", tuple(KINDS)),
        ("verilator", "bulk", ()),
        ("verilator", "fast", ()),
    ],
)
@pytest.mark.budget(12)
def test_edges_of_inputs(simulator: str, mode: str, kinds: tuple[str, ...]) -> None:
    """An edge of start is a clock, and an asynchronous reset is the only event of a register."""
    for seed in (1, 2):  # Verilator's first values of registers are drawn
        asked = job(TOYS / "edge_toy", "251", simulator=simulator, mode=mode, seed=seed, disturb=kinds, count=40)
        report = simulate(asked)
        assert report.passed, report.text()
        assert report.document["verified"] == 40


@pytest.mark.parametrize(("toy", "prime"), [(MODMUL, "512"), (MONT, "mldsa")])
def test_in_the_fast_mode(toy: Path, prime: str) -> None:
    report = simulate(job(toy, prime, mode="fast", simulator="verilator", count=500))
    assert report.passed, report.text()
    assert report.document["verified"] == 500


FAULTS: list[tuple[Path, str, Edit]] = [
    (MODMUL, "1000", ("modmul_toy.v", "once >= modulus ? once", "once > modulus ? once")),
    (
        MODMUL,
        "2^16-1",
        ("modmul_toy.v", "doubled = {1'b0, result, 1'b0}", "doubled = {2'b00, result[WIDTH-2:0], 1'b0}"),
    ),
    (MONT, "2^61-1", ("mont_toy.sv", "row[15:0] * minv_i", "row[15:0] * (minv_i ^ {15'd0, row[15:4] == 12'hfff})")),
    (MONT, "2^61-1", ("mont_toy.sv", "row + ((BITS + 17)'(m_i) << 16)", "row + ((BITS + 17)'(m_i) << 17)")),
]


@pytest.mark.parametrize(("toy", "prime", "edit"), FAULTS, ids=[str(k) for k in range(len(FAULTS))])
def test_a_planted_fault_is_caught(toy: Path, prime: str, edit: Edit, tmp_path: Path) -> None:
    """A comparison that is off by one, a bit that is lost, a carry of ones, and a result that leaves its range."""
    core = copy_of(toy, tmp_path, edit)
    modes = ("lockstep", "bulk") if toy == MONT else ("bulk",)
    found = [simulate(job(core, prime, mode=mode, count=400)).tally.divergence for mode in modes]
    assert found[0] is not None
    assert all(one and (one.case, one.expected, one.seen) == (found[0].case, found[0].expected, found[0].seen)
               for one in found)  # fmt: skip


def test_a_congruent_result_is_compared_in_its_range_only(tmp_path: Path) -> None:
    """The residue is what is compared; a result beyond its range is shown as it is."""
    core = copy_of(MONT, tmp_path, (TOML, 'result = { port = "z_o", below = "2 * p" }',
                                    'result = { port = "z_o", below = "p" }'))  # fmt: skip
    found = simulate(job(core, "2^61-1", count=100)).tally.divergence
    assert found is not None
    p, seen, expected = 2**61 - 1, int(found.seen or "", 16), int(found.expected or "", 16)
    assert seen >= p > expected
    assert (seen - expected) % p == 0


def test_operands_are_those_that_the_core_is_given(tmp_path: Path) -> None:
    """Beyond p for one operand and below p for the other; the model takes the wider of both."""
    edit = 'operand = [{ name = "a", port = "a_i", below = "2 * p" }, { name = "b", port = "b_i", below = "2 * p" }]'
    core = copy_of(MONT, tmp_path, (TOML, edit, edit.replace('"b_i", below = "2 * p"', '"b_i", below = "p - 3"')))
    run = settle(job(core, "8380417", count=400))
    p = 8380417
    assert run.bound.multiplier.params.named["below"] == "2*p"
    assert run.bound.limits == (2 * p - 1, p - 4)
    pairs = list(run.stimulus.pairs())
    assert max(pair.b for pair in pairs) == p - 4
    assert max(pair.a for pair in pairs) == 2 * p - 1
    report = simulate(job(core, "8380417", count=100))
    assert report.passed, report.text()
    with pytest.raises(ParameterError, match=r"^operands: 8380414 is no b of mont_toy, whose operand\[1\].below is 'p"):
        settle(job(core, "8380417", operands=("1,8380414",)))
    with pytest.raises(ParameterError, match=r"^kind: mont_toy is not given every result as an operand"):
        settle(job(core, "8380417", kind="chained"))


WRONG = [
    ('port = "z_o", below = "2 * p"', 'port = "z_o", below = "p - 1"',
     "result.below is 'p - 1', which is less than p, so that some residues have no result"),
    ('port = "z_o", below = "2 * p"', 'port = "z_o"',
     'is wrong: result.below is needed with compare = "congruent", such as "2 * p"'),
    ('port = "z_o", below = "2 * p"', 'port = "z_o", below = "2^60"',
     "result.below is '2^60', and a congruent result is at most 64 times p"),
    ('compare = "congruent"', 'compare = "result"\n', None),
    ("p^-1 mod 2^16", "p^-1 mod 2^k", "input[1].value is 'p^-1 mod 2^k': there is no 'k', only N, r, p, R, p'"),
    ("p^-1 mod 2^16", "2^-1 mod 2^16", "input[1].value is '2^-1 mod 2^16': a value has no inverse modulo"),
    ("p^-1 mod 2^16", "minv", "there is no 'minv', only N, r, p, R, p'; the constants are 'p', 'R', 'R mod p', "
     '\'R^2 mod p\', "p\'", and numbers such as \'-p^-1 mod 2^32\''),
    ('"a_i", below = "2 * p"', '"a_i", below = "2 * q"',
     "operand[0].below is '2 * q': there is no 'q', only N, r, p, R, p'"),
    ('modulus = ["odd"', 'modulus = ["od"', "is wrong: modulus is 'od', which is none of odd, even, prime, and no "
     "comparison such as 'p % 2^10 == 1'"),
    ('modulus = ["odd"', 'modulus = ["p % k == 1"', "is wrong: modulus is 'p % k == 1': there is no 'k', only p, N"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sentence"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_a_wrong_description_is_refused(old: str, new: str, sentence: str | None, tmp_path: Path) -> None:
    core = copy_of(MONT, tmp_path)
    text = (core / TOML).read_text()
    assert old in text
    (core / TOML).write_text(text.replace(old, new, 1))
    if sentence is None:  # the model's result is below p, which the core's range holds
        settle(job(core, "8380417"))
        return
    with pytest.raises(ParameterError) as caught:
        settle(job(core, "8380417"))
    assert sentence in str(caught.value)
    assert TOML in str(caught.value)


@pytest.mark.parametrize(
    ("core", "prime", "edit", "sentence"),
    [
        ("bit_toy", "8380417", ('name = "a"\nport = "A"', 'name = "a"\nport = "A"\nbelow = "2^99"'),
         "operand[0].below is '2^99', and the model iddmm2 takes a"),
        ("bit_toy", "8380417", ('[result]\n', '[result]\nbelow = "p - 1"\n'),
         "result.below is 'p - 1', and a residue is up to p - 1"),
    ],
)  # fmt: skip
def test_ranges_against_those_of_a_model(
    core: str, prime: str, edit: tuple[str, str], sentence: str, tmp_path: Path
) -> None:
    changed = copy_of(TOYS / core, tmp_path, (TOML, *edit))
    with pytest.raises(ParameterError, match=r"^core: ") as caught:
        settle(job(changed, prime, settings={} if core == "bit_toy" else {"radix": "2^16"}))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("conditions", "prime", "sentence"),
    [
        (
            '["odd", "p % 2^10 == 1"]',
            "8380415",
            "mont_toy takes moduli with 'p % 2^10 == 1' alone, and this is 0x7fdfff",
        ),
        ('["N <= 22"]', "8380417", "mont_toy takes moduli with 'N <= 22' alone, and this is 0x7fe001"),
        ('["prime"]', "15", "mont_toy takes moduli with 'prime' alone, and this is 0xf"),
        ('["p > 2^300"]', "2^260+1", "mont_toy takes moduli with 'p > 2^300' alone, and this is one of 261 bits"),
    ],
)
def test_a_modulus_that_the_core_does_not_take(conditions: str, prime: str, sentence: str, tmp_path: Path) -> None:
    core = copy_of(MONT, tmp_path, (TOML, '["odd", "N <= 509"]', conditions))
    with pytest.raises(ParameterError) as caught:
        settle(job(core, prime))
    assert (caught.value.parameter, caught.value.reason) == ("prime", sentence)


def test_other_moduli_are_such_as_the_core_takes(tmp_path: Path) -> None:
    """The complement where nothing is said, and random ones that end as they must where something is."""
    free = KINDS["modulus"].moduli(settle(job(MONT, "8380417")).bound)
    assert len(free) == 4
    assert free[0] == 8380417 ^ (2**22 - 2)
    core = copy_of(MONT, tmp_path, (TOML, '["odd", "N <= 509"]', '["p % 2^10 == 1", "p > 2^22 + 2^21"]'))
    run = settle(job(core, "8380417", disturb=("modulus",)))
    bound = KINDS["modulus"].moduli(run.bound)
    assert len(bound) == 3
    assert all(p % 1024 == 1 and 2**22 + 2**21 < p < 2**23 and p != 8380417 for p in bound)
    assert [other.bound.multiplier.modulus.modulus for _, other in run.others] == list(bound)
    report = simulate(job(core, "8380417", disturb=("modulus",), count=30))
    assert report.passed, report.text()
    assert KINDS["modulus"].moduli(settle(job(MODMUL, "2")).bound) == ()


def test_a_result_that_is_stated_narrower_than_the_model_promises(tmp_path: Path) -> None:
    edits = (TOML, 'compare = "congruent"\n', ""), (TOML, "settings = {", 'settings = { final = "unreduced",')
    core = copy_of(MONT, tmp_path, *edits, (TOML, 'port = "z_o", below = "2 * p"', 'port = "z_o", below = "p"'))
    with pytest.raises(ParameterError, match=r"result.below is 'p', and the model montgomery returns up to 0x"):
        settle(job(core, "8380417"))


def test_even_moduli_stay_even() -> None:
    moduli = KINDS["modulus"].moduli(settle(job(MODMUL, "1000")).bound)
    assert all(p % 2 == 0 and p.bit_length() == 10 for p in moduli)
    assert len(moduli) == 3


@pytest.mark.parametrize("options", [[], ["--model", "modmul"], ["--model", "modmul", "--prime", "1000"]])
def test_a_plain_core_runs_at_the_first_try(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `limbtrace init` writes has less than 20 lines of keys and is right."""
    shutil.copy(MODMUL / "modmul_toy.v", tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["init", "--no-trial", str(tmp_path), *options])
    assert not ended.value.code
    assert "nothing to fill in" in capsys.readouterr().out
    lines = [line for line in (tmp_path / TOML).read_text().splitlines() if "=" in line and line[0] != "#"]
    assert len(lines) < 20
    if not options:
        report = simulate(job(tmp_path, "1000", count=60))
        assert report.passed, report.text()
    assert sum("=" in line for line in (MODMUL / TOML).read_text().splitlines()) < 20


@pytest.mark.parametrize("toy", ["bit_toy", "mont_toy", "digit_toy"])
def test_no_other_core_is_taken_for_a_plain_one(toy: str, tmp_path: Path) -> None:
    for path in (TOYS / toy).glob("*.*v"):
        shutil.copy(path, tmp_path)
    with pytest.raises(SystemExit):
        main(["init", "--no-trial", str(tmp_path)])
    assert 'model = "FILL IN"' in (tmp_path / TOML).read_text()


def test_a_quotient_beside_the_remainder(tmp_path: Path) -> None:
    """A second result is a row of match "result": one that is wrong alone is found, and named by its step."""
    asked = job(TOYS / "divider_toy", "12289", count=60, disturb=tuple(KINDS))
    assert simulate(asked).passed
    core = copy_of(TOYS / "divider_toy", tmp_path, ("divider_toy.v", "fits};", "fits} | (x == 24577);"))
    found = simulate(job(core, "12289", operands=("24576", "24577", "24579"))).document
    assert (found["verified"], found["mismatches"]) == (1, 1)
    difference = found["first_divergence"]
    assert (difference["signal"], difference["expected"]) == ("q", "0x1")
    assert "q" in difference["step"]
