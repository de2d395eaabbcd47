# SPDX-License-Identifier: Apache-2.0
"""`limbtrace explain`: what it says about differences whose cause is known."""

import io
import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.refmodels.registry import MODELS
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from limbtrace.vectors.report.dataflow import reason
from limbtrace.vectors.request import Multiplier
from tests.kept import KEPT
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job
from tools.docs import pages


def explain(path: Path | str, *options: str) -> int:
    """Exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["explain", str(path), *options])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def report(folder: Path, **fields: Any) -> Path:
    """The report of a simulation of a core with a fault."""
    core = copy_of(CORE, folder, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;"))
    path = folder / "report.json"
    path.write_text(json.dumps(simulate(job(core, settings={"radix": "2^4"}, kind="mixed", **fields)).document))
    return path


def test_a_step_with_its_line_and_what_feeds_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = report(tmp_path)
    assert explain(path) == 0
    text = capsys.readouterr().out
    source = (Path(__file__).parents[3] / "refmodels/papers/iddmm/iddmm2.py").read_text().splitlines()
    line = source.index('        yield "A", (i + 1, n), A[n]') + 1
    for part in (
        "An in cycle 4 is step A[1, 3], digit j of the accumulator after pass i",
        "should be 0x1\n  and is    0x0, which differs in bit 0\n",
        f'refmodels/papers/iddmm/iddmm2.py, line {line}:\n  yield "A", (i + 1, n), A[n]\n  A[1, 3] = C * keep = 0x1\n',
        "  C = 0x1, which is step C[0, 4]\n",
        "it is 2^0 less than it should be, as after a carry into bit 0 that is lost\n",
        ": a carry out of digit n that is lost or too short\n",
    ):
        assert part in text
    assert explain(path, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["source"] == {
        "file": "refmodels/papers/iddmm/iddmm2.py", "line": line, "text": 'yield "A", (i + 1, n), A[n]'
    }  # fmt: skip
    assert document["operands"][0] == {"name": "C", "value": "0x1", "step": "C[0, 4]"}
    assert document["bits"] == [0]
    assert document["events"][0]["event"] == "A[1,3]=1"


def test_standard_input_and_a_report_without_a_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    passed = json.dumps(simulate(job(count=3)).document).encode()
    for options, said in (
        ([], "3 products agree, so there is nothing to explain\n"),
        (["--json"], '"difference":null'),
    ):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(passed)))
        assert explain("-", *options) == 0
        assert said in capsys.readouterr().out


def test_the_kept_report_is_what_a_simulation_writes(tmp_path: Path) -> None:
    """The service is tested with it."""
    seen = json.loads(report(tmp_path).read_text())
    seen["first_divergence"]["replay"] = re.sub(r"sim \S+", "sim ./iddmm_arch2", seen["first_divergence"]["replay"])
    assert {**seen, "products_per_second": KEPT["products_per_second"]} == KEPT


P, A, B = 0xEA7, 0x801, 0x6A7
MULTIPLIER = Multiplier.resolve("iddmm2", str(P), {"radix": "2^4"})
RIGHT = MULTIPLIER.model.result(MULTIPLIER.params, A, B)
R = MULTIPLIER.params.domain or 0


def made(seen: str | None, **changes: Any) -> dict[str, Any]:
    """A report of a wrong result."""
    found = {
        "case": 0, "a": hex(A), "b": hex(B), "cycle": 9, "signal": "result", "step": None, "expected": hex(RIGHT),
        "seen": seen, "replay": "limbtrace sim x --prime 0xea7",
    }  # fmt: skip
    kept = {name: value for name, value in KEPT.items() if name != "rows"}
    return {**kept, "verified": 0, "first_divergence": {**found, **changes}}


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (hex(RIGHT + P), "it is congruent to the right result: p too large, as without a last subtraction"),
        (hex(RIGHT + 2 * P), "it is congruent to the right result: 2 p too large"),
        (hex(RIGHT + R), "it is R too large, the weight above the last digit, as after a wrong carry out of the top"),
        (hex(A * B % P), "it is congruent to a*b, as without the factor 1/R"),
        (hex(RIGHT * 2 % P), "with 1 halving too few, as after passes that are too few"),
        (hex(RIGHT * pow(16, -1, P) % P), "with 4 halvings too many, as after passes that are too many"),
        (hex(RIGHT + 8), "it is 2^3 more than it should be, as after a carry into bit 3 that is too much"),
        (hex(RIGHT - 4), "it is 2^2 less than it should be, as after a carry into bit 2 that is lost"),
        (hex(RIGHT & 0xFF), "its low 8 bits are right and those above are missing"),
        ("0x0", "it is 0, as of a value that is never loaded"),
        ("0x1x", "it has unknown bits (x)"),
        (None, "no event before the core is done"),
    ],
)
def test_what_a_wrong_result_tells(
    seen: str | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert RIGHT.bit_length() > 8  # for the row about missing bits
    path = tmp_path / "report.json"
    path.write_text(json.dumps(made(seen)))
    assert explain(path) == 0
    assert sentence in capsys.readouterr().out


def test_a_step_at_another_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = MULTIPLIER.model.run(MULTIPLIER.params, A, B)
    values = [(index, value) for name, index, value in run.steps if name == "U"]
    (one, expected), (other, seen) = [v for v in values if v[1] and [value for _, value in values].count(v[1]) == 1][:2]
    path = tmp_path / "report.json"
    changes = {"signal": "U", "step": ["U", list(one)], "expected": hex(expected)}
    path.write_text(json.dumps(made(hex(seen), **changes)))
    assert explain(path) == 0
    sentence = (
        f"it is the right value of U[{other[0]}, {other[1]}], as of a step that is too early, too late, or not taken"
    )
    assert sentence in capsys.readouterr().out


def test_a_core_of_somebody_and_a_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A result below p that is not reduced: the report is the one that the command wrote."""
    core = copy_of(TOYS / "bit_toy", tmp_path, ("bit_toy.v", "if (big) t <=", "if (big && t[0]) t <="))
    with pytest.raises(SystemExit):
        main(["sim", str(core), "--prime", "mlkem", "--simulator", "icarus", "--count", "400", "--json"])
    path = tmp_path / "report.json"
    path.write_text(capsys.readouterr().out)
    assert explain(path) == 0
    text = capsys.readouterr().out
    assert "it is congruent to the right result: p too large" in text
    replay = shlex.split(text.rpartition("replay: ")[2])
    assert replay[:3] == ["limbtrace", "sim", str(core)]


def test_an_operand_is_the_last_step_with_its_value() -> None:
    params = MODELS["r2mm"].resolve(13, {})
    found = reason(MODELS["r2mm"], params, 0, 5, "T", (3,))
    assert found is not None
    assert [(term.text, term.step) for term in found.terms] == [("S", "S[2]"), ("x[i]", "x[3]"), ("Y", None)]


@pytest.mark.parametrize("model", list(MODELS))
def test_every_step_has_a_line(model: str) -> None:
    """The line is there for each symbol of each model, and operands, where shown, are those of the value."""
    described = MODELS[model]
    prime, a, b = (int(text, 16) for text in pages.example(described))
    chosen = any(p.name == "radix" and p.range != p.default for p in described.parameters)
    params = described.resolve(prime if described.has_modulus else 0, {"radix": pages.RADIX} if chosen else {})
    last = {name: index for name, index, _ in described.run(params, a, b).steps}
    shown = 0
    for name, index in last.items():
        found = reason(described, params, a, b, name, index)
        assert found is not None
        assert found.file.startswith("refmodels/papers/")
        assert found.text
        shown += bool(found.terms)
    assert shown or model in ("ozturk", "llmonpro", "vdf")  # whose loops yield whole vectors


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read: No such file"),
        ("{", "is not JSON; `limbtrace sim --json` writes a report"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is no report of `limbtrace sim --json`"),
        ('{"format": "limbtrace/1"}', "is no report of `limbtrace sim --json`"),
        (json.dumps({**made("0x1"), "model": "no"}), "model: there is no model 'no'"),
        (json.dumps(made("0x1", replay="limbtrace sim x; date")), "replay: it is not `limbtrace sim` with arguments"),
        (json.dumps({**made("0x1"), "prime": 3}), "report: "),
        (json.dumps(made("0x1", a="0xfffffff")), "a: 0xfffffff is outside"),
        (json.dumps({**made("0x1"), "first_divergence": {"case": 1}}), "report: first_divergence: it has no a"),
        (json.dumps(made("0x1", b=None)), "report: a product of iddmm2 has operands a and b"),
        (json.dumps({**made("0x1"), "first_divergence": 7}), "report: "),
    ],
)
def test_wrong_reports(text: str | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    if text is not None:
        path.write_text(text)
    assert explain(path) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert sentence in output.err
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(("model", "prime"), [("modmul", 1000), ("square", 1000), ("redc", 1001)])
def test_a_wrong_result_without_passes(
    model: str, prime: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The modulus may be even, where 2 has no inverse; only Montgomery's models can miss a factor 1/R."""
    resolved = Multiplier.resolve(model, str(prime), {})
    a, b = 30, 0 if resolved.model.unary else 100
    right = resolved.model.result(resolved.params, a, b)
    for seen in (right + 7, a % prime):
        document = made(hex(seen))
        difference = {**document["first_divergence"], "a": hex(a), "expected": hex(right)}
        difference = {**difference, "b": hex(b)} if b else {k: v for k, v in difference.items() if k != "b"}
        about = {"name": None, "modulus": hex(prime), "bits": 10, "primality": "composite"}
        named = {**resolved.params.named}
        document = {**document, "model": model, "prime": about, "radix": None, "params": named}
        path = tmp_path / "report.json"
        path.write_text(json.dumps({**document, "first_divergence": difference}))
        assert explain(path) == 0
        said = capsys.readouterr().out
        assert ("as without the factor 1/R" in said) == (model == "redc" and seen == a)


def test_a_step_of_a_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The number of the product stands before the subscripts of the model, and is none of them."""
    about = {"name": None, "modulus": "0x3001", "bits": 14, "primality": "prime"}
    document = {**made("0x3001", a=hex(9 * 0x3001), signal="R1", step=["R", [2, 1]], expected="0x0"), "radix": None}
    del document["first_divergence"]["b"]
    path = tmp_path / "report.json"
    path.write_text(json.dumps({**document, "model": "barrett_reduce", "prime": about, "params": {}}))
    assert explain(path) == 0
    said = capsys.readouterr().out
    assert "R1 in cycle 9 is step R[1], what remains then\n" in said
    assert 'yield "R", (number,), (rest := rest - corr * p)\n  R[1] = rest - corr * p = 0x0\n' in said
