# SPDX-License-Identifier: Apache-2.0
"""Certificates of traces and cycle tables: a second reading of every loop agrees, and finds what is changed."""

import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.model import step_label
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import cycles, traces
from limbtrace.vectors.certificate import certify, describe, loops, render, sage_referee
from limbtrace.vectors.certificate.document import Certificate
from limbtrace.vectors.cycles.request import CycleRequest
from limbtrace.vectors.request import CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet
from limbtrace.vectors.traces.request import TraceRequest
from tests.shapes import KOC
from tests.vectors.test_certify import run

SHAPES: list[tuple[str, str | None, dict[str, str | int]]] = [
    ("blakley", "13", {}), ("blakley", "2^61-1", {"r": 3}),
    ("fold", "13", {}), ("fold", "2^61-1", {"below": "2^N"}), ("fold", "2^255-19", {"k": 256, "rounds": 3}),
    ("solinas", "13", {}), ("solinas", "p256", {}), ("solinas", "p384", {"w": 16, "below": "2^N"}),
    ("koc_cios", "13", {"w": 3, "below": "R", "final": "unreduced"}),
    ("cios", "13", {"w": 3}), ("cios", "p192.fp", {"w": 17}), ("fpmm", "13", {"w": 3, "s": 2, "sigma": 1}),
    ("fpmm", "p192.fp", {"w": 17, "sigma": 2}), ("fpmm", "127", {"w": 3, "s": 3, "sigma": 2, "theta": 4}),
    ("r2mm", "13", {}), ("mwr2mm", "11", {"w": 4}), ("mwr2mm", "p192.fp", {"w": 16}),
    ("mwr2kmm", "5", {"k": 3, "w": 4}), ("mwr2kmm", "p192.fp", {"k": 4, "w": 9}), ("imm", "p192.fp", {"k": 16}),
    ("iddmm1", "13", {"k": 2}), ("iddmm1", "p192.fp", {"k": 16, "passes": 13}), ("iddmm2", "9", {"k": 2, "passes": 3}),
    ("iddmm2", "p192.fp", {"k": 16}), ("orup", "13", {"r": 4}), ("orup", "p192.fp", {"r": 16, "tail": 1}),
    ("redundant", "13", {"r1": 7, "r2": 6}), ("redundant", "p192.fp", {"r1": 16, "tail": 1, "overlap": 1}),
    ("redundant", "p192.fp", {"r1": 16, "r2": 16}), ("monpro", "p192.fp", {}), ("redmonpro", "p192.fp", {}),
    ("llmonpro", "465", {"d": 3}), ("llmonpro", "p192.fp", {}), ("vdf", "p192.fp", {"t": 4}),
    ("vdf", "p192.fp", {"t": 3, "entry": 1}), ("ozturk", None, {"d": 2, "k": 1}), ("ozturk", None, {}),
    ("barrett", "p192.fp", {}), ("effm", "71", {}), ("effm", "sike-p610", {}), ("ffm1", "71", {}), ("ffm1", "p771", {}),
    ("ffm2", "73", {"sign": 1}), ("ffm2", "sike-p503", {}), ("hffm", "59", {}), ("hffm", "35", {}),
    ("hffm", "sike-p434", {}), ("modmul", "15", {"below": "2^N"}), ("square", "p256", {}),
    ("barrett_reduce", "p256", {"beta": 1}), ("barrett_reduce", "1000", {"below": "2^24", "width": 40}),
    ("barrett_mul", "p256", {}), ("barrett_mul", "1000", {"beta": 0, "alpha": 10, "below": "2^N"}),
    ("reduce", "p256", {}), ("reduce", "1000", {"below": "2^24"}),
    ("montgomery", "13", {"r": 4, "final": "unreduced"}), ("montgomery", "p256", {"r": 300, "below": "4*p"}),
    ("redc", "p256", {}),
    ("butterfly_ct", "13", {"r": 3}), ("butterfly_ct", "p256", {}), ("butterfly_gs", "mldsa", {"halve": 1}),
    ("butterfly_gs", "15", {"r": 2}), ("modmac", "1000", {}), ("modadd", "p256", {}), ("modsub", "1000", {}),
    ("modneg", "1000", {}), ("modneg", "p256", {}), ("modhalve", "15", {}), ("modhalve", "p256", {}),
]  # fmt: skip
SHAPES += [(name, prime, {"w": w}) for name in KOC for prime, w in (("13", 2), ("p192.fp", 16))]
CORES: list[tuple[str, str, dict[str, str | int]]] = [
    ("iddmm_arch1", "p192.fp", {"k": 32}), ("iddmm_arch1", "59", {"k": 2, "pipeline": 2}),
    ("iddmm_arch2", "p192.fp", {"k": 16, "pipeline": 1}), ("r2mm_bitserial", "59", {}),
    ("mwr2mm_wordserial", "59", {"w": 4}), ("koc_cios", "59", {"w": 3}), ("koc_cios", "p192.fp", {"w": 32}),
    ("redundant", "p192.fp", {"ways": 3}), ("redundant", "13", {}),
    ("llmonpro", "p192.fp", {"cycles": 6}), ("vdf_squarer", "p192.fp", {"t": 3}), ("hffm", "sike-p434", {}),
]  # fmt: skip


def trace(path: Path, request: TraceRequest, name: str = "json") -> Path:
    path.write_bytes(b"".join(traces.FORMATS[name].write(request)))
    return path


def table(path: Path, core: str, prime: str, given: dict[str, str | int], count: int = 1) -> Path:
    request = CoreRequest.resolve(core, prime, given)
    vectors = VectorSet(VectorRequest.resolve(request.multiplier, count, 3, "random"))
    made = CycleRequest(request, [TimedPair(case.a, case.b, None) for case in vectors.cases()])
    path.write_bytes(b"".join(cycles.FORMATS["json"].write(made)))
    return path


def statements(found: Certificate) -> list[str]:
    return [wrong.statement for wrong in found.first_disagreements]


@pytest.mark.parametrize(("model", "prime", "given"), SHAPES)
def test_every_step_of_every_model_is_read_again(
    tmp_path: Path, model: str, prime: str | None, given: dict[str, str | int]
) -> None:
    multiplier = Multiplier.resolve(model, prime, given)
    for case in VectorSet(VectorRequest.resolve(multiplier, 3, 3, "lazy")).cases():
        request = TraceRequest(multiplier, case.a, None if multiplier.model.unary else case.b)
        found = certify(trace(tmp_path / "t.json", request))
        assert (found.verdict, found.disagreements) == ("agrees", 0), found.first_disagreements
        assert found.reading is not None
        assert (found.reading.document, found.reading.extent, found.reading.unread) == ("trace", "every step", {})
        assert found.reading.values == request.count
    assert {name for name, _, _ in SHAPES} == set(loops.LOOPS) == set(MODELS)


SMALL = [shape for shape in SHAPES if shape[1] is not None and len(shape[1]) < 4 and shape[0] != "redc"]


@settings(max_examples=15, deadline=None)
@drawn(st.data())
def test_any_changed_value_is_named(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """One value of a step, one name or one subscript: a disagreement that says which step."""
    model, prime, given = data.draw(st.sampled_from(SMALL))
    multiplier = Multiplier.resolve(model, prime, given)
    request = TraceRequest(multiplier, 3, None if multiplier.model.unary else 2)
    path = trace(tmp_path_factory.mktemp("changed") / "t.json", request)
    document = json.loads(path.read_text())
    position = data.draw(st.integers(0, len(document["steps"]) - 1))
    name, index, value = document["steps"][position]
    change = data.draw(st.integers(1, 1 << 20))
    document["steps"][position] = [name, index, hex(int(value, 16) + change)]
    path.write_text(json.dumps(document))
    found = certify(path)
    assert (found.verdict, found.disagreements) == ("disagrees", 1)
    (wrong,) = found.first_disagreements
    assert (wrong.place, wrong.statement) == (f"steps[{position}]", "step")
    assert wrong.expected.startswith(step_label(name, tuple(index)) + " = ")


def test_steps_that_are_missing_or_added(tmp_path: Path) -> None:
    path = trace(tmp_path / "t.json", TraceRequest(Multiplier.resolve("cios", "13", {"w": 3}), 3, 5))
    document = json.loads(path.read_text())
    gone = document["steps"].pop(4)
    document["steps"].append(["q", [9], "0x1"])
    path.write_text(json.dumps(document))
    found = certify(path)
    assert [(wrong.place, wrong.found) for wrong in found.first_disagreements] == [
        (f"steps[{len(document['steps']) - 1}]", "q[9] = 0x1"), ("steps", "no such step"),
    ]  # fmt: skip
    assert found.first_disagreements[1].expected.startswith(gone[0])


def test_a_wrong_result_of_a_trace(tmp_path: Path) -> None:
    for model, prime, given in (("cios", "13", {"w": 3}), ("ozturk", None, {"d": 2, "k": 1})):
        multiplier = Multiplier.resolve(model, prime, given)
        path = trace(tmp_path / "t.json", TraceRequest(multiplier, 3, 5))
        document = json.loads(path.read_text())
        path.write_text(json.dumps({**document, "result": hex(int(document["result"], 16) + 1)}))
        assert {"product": "cios", "integers": "ozturk"}[statements(certify(path))[0]] == model


def test_one_squaring_of_a_chain(tmp_path: Path) -> None:
    multiplier = Multiplier.resolve("vdf", "p192.fp", {"t": 5})
    path = trace(tmp_path / "t.json", TraceRequest(multiplier, 7, step=3))
    found = certify(path)
    assert (found.verdict, found.reading and found.reading.extent) == ("agrees", "every step")
    document = json.loads(path.read_text())
    document["squared"][0] = hex(int(document["squared"][0], 16) ^ 1)
    path.write_text(json.dumps(document))
    with pytest.raises(Exception, match="squared"):
        certify(path)


def test_forms_that_are_not_read_say_so(tmp_path: Path) -> None:
    shapes: list[tuple[str, str, dict[str, str | int], str]] = [
        ("redundant", "13", {"r1": 7, "r2": 6, "fused": 1}, "fused"),
        ("llmonpro", "p192.fp", {"variant": "alg7"}, "Algorithm 7"),
        ("iddmm2", "13", {"k": 2, "form": "printed"}, "printed"),
    ]
    for model, prime, given, why in shapes:
        found = certify(trace(tmp_path / "t.json", TraceRequest(Multiplier.resolve(model, prime, given), 3, 5)))
        assert found.reading is not None
        assert (found.reading.extent, found.reading.values) == ("results", 0)
        assert why in found.reading.unread["steps"]
        assert "results only" in describe(found)


def test_a_trace_as_csv(tmp_path: Path) -> None:
    request = TraceRequest(Multiplier.resolve("iddmm2", "13", {"k": 2}), 3, 5)
    found = certify(trace(tmp_path / "t.csv", request, "csv"))
    assert (found.verdict, found.reading and found.reading.values) == ("agrees", request.count)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("core", "prime", "given"), CORES)
def test_columns_of_every_core(tmp_path: Path, core: str, prime: str, given: dict[str, str | int], count: int) -> None:
    """The first column that was read is changed, and that is seen, unless the value occurs at another step."""
    path = table(tmp_path / "c.json", core, prime, given, count)
    found = certify(path)
    assert (found.verdict, found.cases) == ("agrees", count), found.first_disagreements
    assert found.reading is not None
    assert (found.reading.document, found.reading.extent) == ("cycles", "values of columns")
    document = json.loads(path.read_text())
    for name in found.reading.columns:
        place = next(k for k, column in enumerate(document["columns"]) if column["name"] == name)
        changed = json.loads(path.read_text())
        row = next(k for k, cells in enumerate(changed["rows"]) if cells[place] is not None)
        changed["rows"][row][place] = hex((1 << document["columns"][place]["width"]) + 5)
        other = tmp_path / "changed.json"
        other.write_text(json.dumps(changed))
        if document["columns"][place].get("parts") or document["columns"][place]["width"] == 1:
            continue
        (wrong, *_) = certify(other).first_disagreements
        assert (wrong.place, wrong.statement) == (f"rows[{row}]", "column")
        assert wrong.expected.startswith(f"{name}: ")


@pytest.mark.parametrize(("core", "prime", "given"), CORES)
def test_a_changed_cell_of_a_complete_column(
    tmp_path: Path, core: str, prime: str, given: dict[str, str | int]
) -> None:
    """A value that is neither the one before nor the one behind is seen, also where it occurs at another step."""
    path = table(tmp_path / "c.json", core, prime, given)
    found = certify(path)
    document = json.loads(path.read_text())
    assert found.reading is not None
    assert found.reading.complete == [
        column["name"] for column in document["columns"] if column["name"] in loops.COMPLETE.get(core, ())
    ]
    name = found.reading.complete[0]
    place = next(k for k, column in enumerate(document["columns"]) if column["name"] == name)
    cells = [(row, value[place]) for row, value in enumerate(document["rows"]) if value[place] not in (None, "0x0")]
    row, _ = cells[len(cells) // 2]
    near = {document["rows"][k][place] for k in range(max(row - 1, 0), min(row + 2, len(document["rows"])))}
    other = next((value for _, value in cells if value not in near), hex(int(cells[0][1], 16) + 1))
    document["rows"][row][place] = other
    path.write_text(json.dumps(document))
    (wrong,) = certify(path).first_disagreements
    assert (wrong.statement, wrong.expected.split(":")[0]) == ("column", name)


def test_a_core_whose_columns_are_its_own(tmp_path: Path) -> None:
    found = certify(table(tmp_path / "c.json", "fpmm", "p192.fp", {}, 2))
    assert found.reading is not None
    assert (found.verdict, found.reading.extent, found.reading.columns) == ("agrees", "results", [])
    assert len(found.reading.unread) > 30


def test_a_wrong_result_of_a_table(tmp_path: Path) -> None:
    path = table(tmp_path / "c.json", "iddmm_arch2", "59", {"k": 2}, 2)
    document = json.loads(path.read_text())
    document["results"][1] = hex(int(document["results"][1], 16) + 1)
    path.write_text(json.dumps(document))
    found = certify(path)
    assert found.verdict == "disagrees"
    assert {wrong.place for wrong in found.first_disagreements} == {"results[1]"}


def test_the_command_names_the_step_and_ends_with_1(tmp_path: Path, capfd: Any) -> None:
    path = trace(tmp_path / "t.json", TraceRequest(Multiplier.resolve("cios", "13", {"w": 3}), 3, 5))
    code, _, err = run(capfd, "certify", str(path))
    assert (code, err.strip()) == (0, f"limbtrace: {describe(certify(path))}")
    assert "with 30 steps read again in ZZ" in err
    path.write_text(path.read_text().replace('["us",[0],"0x0"]', '["us",[0],"0x1"]'))
    code, out, _ = run(capfd, "certify", str(path), "-o", "-")
    assert code == 1
    assert json.loads(out)["first_disagreements"][0]["expected"] == "us[0] = 0x0"


@pytest.fixture
def forgotten() -> Iterator[None]:
    """No package is remembered, before and after."""
    sage_referee.package.cache_clear()
    yield
    sage_referee.package.cache_clear()


@pytest.mark.usefixtures("forgotten")
def test_a_sagemath_that_pip_did_not_bring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its packages have no metadata, or those of a package that does not provide the files that were imported."""
    path = trace(tmp_path / "t.json", TraceRequest(Multiplier.resolve("cios", "13", {"w": 3}), 3, 5))
    assert certify(path).referee.package.startswith("passagemath-pari ")
    own = f"SageMath {sage_referee.versions()['sage']}, from no Python package"
    sage_referee.package.cache_clear()
    with monkeypatch.context() as hidden:
        hidden.setattr(metadata, "packages_distributions", dict)
        assert certify(path).referee.package == own
    sage_referee.package.cache_clear()
    with monkeypatch.context() as hidden:
        hidden.setattr(metadata, "packages_distributions", lambda: {"sage": ["click"]})
        found = certify(path)
        assert found.referee.package == own
        assert render(found)
