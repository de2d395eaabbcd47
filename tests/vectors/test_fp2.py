# SPDX-License-Identifier: Apache-2.0
"""GF(p^2): sequences against the definition, against SageMath, against the vector sets of the base field."""

import copy
import csv
import json
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels import fp2
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.fp2 import SEQUENCES
from limbtrace.vectors.certificate import sage_referee
from limbtrace.vectors.fp2 import FORMATS, Fp2Request, render
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import CaseMaker, VectorSet
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify, verify_file
from tests.vectors.test_damage import places

HFFM = Multiplier.resolve("hffm", "sike-p434", {})
SMALL = Multiplier.resolve("hffm", 107, {})
MODELS: tuple[tuple[str, str, dict[str, str | int]], ...] = (
    ("hffm", "sike-p503", {}), ("ffm2", "sike-p751", {}), ("effm", "p771", {}), ("barrett", "p256.fp", {}),
    ("cios", "sike-p434", {"w": 32}), ("iddmm2", "secp256k1.fp", {}),
)  # fmt: skip


def document(request: Fp2Request) -> Any:
    return json.loads(b"".join(render(request, "json")))


@pytest.mark.parametrize("op", SEQUENCES)
@pytest.mark.parametrize(("model", "prime", "settings"), MODELS)
def test_sequences_are_the_product_by_definition(
    model: str, prime: str, settings: dict[str, str | int], op: str
) -> None:
    multiplier = Multiplier.resolve(model, prime, settings)
    request = Fp2Request.resolve(multiplier, op, count=40)
    assert len(set(request.pairs)) > 30
    for (a, b), test in zip(request.pairs, request.tests(), strict=True):
        values = {done["name"]: int(done["value"], 16) for done in test["operations"]}
        assert (values["c0"], values["c1"]) == fp2.closed_form(multiplier.params, op, a, b)
        assert [int(x, 16) for x in test["result"]] == [values["c0"], values["c1"]]


@pytest.mark.parametrize("op", SEQUENCES)
def test_sage_agrees(op: str) -> None:
    request = Fp2Request.resolve(HFFM, op, count=30)
    modulus = HFFM.modulus.modulus
    base = sage_referee.Referee(modulus, True, None, dict.fromkeys(("a", "b", "result"), modulus - 1))
    referee = sage_referee.ExtensionReferee(base, modulus, True, None)
    for (a, b), test in zip(request.pairs, request.tests(), strict=True):
        golden = referee.product(a, b)
        assert [hex(value) for value in golden] == test["result"]


BELOW = st.integers(0, 106)


@given(BELOW, BELOW, BELOW, BELOW, st.sampled_from(["mul", "sqr"]))
def test_operations_follow_from_the_sequence(a0: int, a1: int, b0: int, b1: int, op: str) -> None:
    """Three and two products, each with the operands that the sequence names."""
    done = list(fp2.perform(SMALL.model, SMALL.params, op, (a0, a1), (b0, b1)))
    values = {"a0": a0, "a1": a1, "b0": b0, "b1": b1}
    for step in done:
        name, kind, x, y = step.operation
        assert (step.x, step.y) == (values[x], values[y])
        assert step.value == {"mul": step.x * step.y, "add": step.x + step.y, "sub": step.x - step.y}[kind] % 107
        values[name] = step.value
    assert sum(step.operation.kind == "mul" for step in done) == {"mul": 3, "sqr": 2}[op]
    assert (values["c0"], values["c1"]) == fp2.closed_form(SMALL.params, op, (a0, a1), (b0, b1))


def test_products_are_cases_of_the_base_field() -> None:
    """Products have the ids of base-field cases; drawn operands are those of the base field's set."""
    request = Fp2Request.resolve(HFFM, "mul", count=10, seed=7, kind="edge")
    base = list(VectorSet(VectorRequest.resolve(HFFM, 20, 7, "edge")).cases())
    maker = CaseMaker(HFFM)
    for k, test in enumerate(request.tests()):
        products = {done["name"]: done for done in test["operations"] if "product" in done}
        assert list(products) == ["t0", "t1", "t2"]
        assert [products[name]["product"] for name in ("t0", "t1")] == [base[2 * k].id, base[2 * k + 1].id]
        for done in products.values():
            case = maker.case(int(done["x"], 16), int(done["y"], 16))
            assert (done["product"], int(done["result"], 16)) == (case.id, case.result)


def test_the_first_cases_do_not_depend_on_the_count() -> None:
    few, more = (document(Fp2Request.resolve(HFFM, "sqr", count=n, seed=3))["tests"] for n in (5, 12))
    assert more[:5] == few
    assert few != document(Fp2Request.resolve(HFFM, "sqr", count=5, seed=4))["tests"]
    assert len({test["id"] for test in more}) == 12


def test_steps_are_those_of_the_model() -> None:
    (test,) = Fp2Request.resolve(SMALL, "mul", "[5,7]", "[100, 0x6a]", steps=True).tests()
    assert test["result"] == [hex((5 * 100 - 7 * 106) % 107), hex((5 * 106 + 7 * 100) % 107)]
    for done in test["operations"]:
        assert ("steps" in done) == (done["kind"] == "mul")
        if "steps" in done:
            run = SMALL.model.run(SMALL.params, int(done["x"], 16), int(done["y"], 16))
            assert [(name, int(value, 16)) for name, _, value in done["steps"]] == [(n, v) for n, _, v in run.steps]


def test_a_lazy_result_is_shown_beside_its_residue() -> None:
    """For a model whose results may exceed p - 1, later operations take the residue."""
    multiplier = Multiplier.resolve("iddmm2", 7, {"k": 4})
    request = Fp2Request.of(multiplier, "mul", [((a, 6), (6, 5)) for a in range(7)])
    lazy = [done for test in request.tests() for done in test["operations"] if done["result"] != done["value"]]
    assert lazy
    assert all(int(done["value"], 16) == int(done["result"], 16) % 7 for done in lazy)


def test_csv_has_a_row_for_every_operation() -> None:
    request = Fp2Request.resolve(SMALL, "mul", count=3)
    head, *lines, end = b"".join(render(request, "csv")).decode().splitlines()
    assert json.loads(head.removeprefix("# ")) == request.head
    assert json.loads(end.removeprefix("# ")) == {"end": 3 * 8}
    rows = list(csv.DictReader(lines))
    flat = [(test["id"], done) for test in request.tests() for done in test["operations"]]
    assert [(row.pop("case"), {k: v for k, v in row.items() if v}) for row in rows] == flat


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"op": "inv"}, "op", "'inv' is none of mul, sqr"),
    ({"op": "mul", "a": "[1,2]"}, "b", "it is missing, and only sqr has none"),
    ({"op": "sqr", "a": "[1,2]", "b": "[1,2]"}, "b", "a square has no b"),
    ({"op": "mul", "b": "[1,2]"}, "a", "b is given and a is not"),
    ({"op": "sqr", "a": "[1,2]", "count": 3}, "a", "a and count exclude each other"),
    ({"op": "sqr", "a": "5"}, "a", "an element of the field is written [x0,x1], for x0 + x1*i"),
    ({"op": "sqr", "a": "[1,107]"}, "a", "x0 and x1 are from 0 to p - 1, that is up to 0x6a"),
    ({"op": "sqr", "a": "[-1,0]"}, "a", "x0 and x1 are from 0 to p - 1"),
    ({"op": "sqr", "a": "[1,x]"}, "a", "is not part of an integer expression"),
    ({"op": "sqr", "kind": "lazy"}, "kind", "elements are below p: mixed, random, edge, runs"),
    ({"op": "sqr", "kind": "nix"}, "kind", "is none of mixed"),
    ({"op": "sqr", "count": 100_001}, "count", "100001 is outside 1 to 100000"),
]


@pytest.mark.parametrize(("given_", "parameter", "reason"), REFUSED)
def test_refusals(given_: dict[str, Any], parameter: str, reason: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Fp2Request.resolve(SMALL, **given_)
    assert caught.value.parameter == parameter
    assert reason in caught.value.reason


def test_moduli_and_models_that_have_no_such_field() -> None:
    with pytest.raises(ParameterError, match=r"^prime: i\^2 = -1 needs a modulus that is 3 modulo 4, and it is 1"):
        Fp2Request.resolve(Multiplier.resolve("ffm2", 73, {}), "mul")
    with pytest.raises(ParameterError, match=r"^prime: the model takes shorter operands than this field has"):
        Fp2Request.resolve(Multiplier.resolve("imm", 251, {"k": 4, "passes": 1}), "mul")
    for name, prime in (("vdf", 251), ("ozturk", None)):
        with pytest.raises(ParameterError, match=f"^model: {name} does not multiply two elements of a field"):
            Fp2Request.resolve(Multiplier.resolve(name, prime, {}), "sqr")


@pytest.mark.parametrize("op", SEQUENCES)
def test_documents_are_verified(op: str, tmp_path: Path) -> None:
    request = Fp2Request.resolve(SMALL, op, count=4)
    whole = document(request)
    for format in FORMATS:
        (tmp_path / "f").write_bytes(b"".join(render(request, format)))
        verdict = verify_file(tmp_path / "f")
        operations = 4 * len(SEQUENCES[op])
        assert (verdict["verdict"], verdict["kind"], verdict["verified"]) == ("pass", "fp2", operations)
        assert verdict["id"] == whole["id"] == request.id
    assert verify(document(Fp2Request.resolve(SMALL, op, "[1,2]", None if op == "sqr" else "[3,4]")))["verified"]
    for key in ("x", "y", "result", "value"):
        wrong = copy.deepcopy(whole)
        wrong["tests"][2]["operations"][1][key] = "0x6b"
        verdict = verify(wrong)
        assert (verdict["verdict"], verdict["mismatches"]) == ("fail", 1)
        found = verdict["first_divergence"]
        golden = whole["tests"][2]["operations"][1]
        name = golden["name"] if key == "value" else f"{golden['name']}.{key}"
        assert (found["signal"], found["expected"], found["seen"]) == (name, golden[key], "0x6b")
        assert (found["case"], found["a"], found["b"]) == (whole["tests"][2]["id"], golden["x"], golden["y"])


def test_edited_documents_are_refused() -> None:
    whole = document(Fp2Request.resolve(SMALL, "mul", count=2))

    def edited(*path: Any, value: Any = None) -> Any:
        changed = copy.deepcopy(whole)
        node = changed
        for key in path[:-1]:
            node = node[key]
        if value is None:
            del node[path[-1]]
        else:
            node[path[-1]] = value
        return changed

    for wrong in (
        edited("tests", value=[]), edited("tests", 0, "a"), edited("tests", 0, "a", value=["0x1"]),
        edited("tests", 1, "operations", 0), edited("tests", 1, "operations", 0, "name", value="t9"),
        edited("tests", 1, "operations", 0, "product", value="0" * 16), edited("tests", 0, "id", value="0" * 16),
        edited("tests", 0, "result", value=["0x0", "0x0"]), edited("sequence", value=[]), edited("op", value="inv"),
        edited("op", value=["mul"]), edited("id", value="0" * 32),
        edited("tests", 0, "a", value=["0x6b", "0x0"]), edited("constants", "x", value="0x1"),
    ):  # fmt: skip
        with pytest.raises((DamagedFileError, ParameterError)):
            verify(wrong)


WHOLE = {
    "steps": document(Fp2Request.resolve(Multiplier.resolve("iddmm2", 251, {"k": 4}), "mul", count=1, steps=True)),
    "drawn": document(Fp2Request.resolve(SMALL, "sqr", count=2, seed=3, kind="random")),
    "given": document(Fp2Request.resolve(SMALL, "mul", "[1,2]", "[3,4]")),
}
NAMING = ("model", "form", "prime", "radix", "params", "op")
"""Members that decide what belongs into others, one of which may be named instead."""


def other(value: Any) -> Any:
    """A different value of the same type."""
    if isinstance(value, str):
        return f"{int(value, 16) ^ 1:#x}" if value.startswith("0x") else f"{value[:-1]}{int(value[-1:] == '0')}"
    return value + 1 if isinstance(value, int) else [] if value else [1]


def changed(whole: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Each member and entry in turn changed, of another type, left out, and one more beside it."""
    for path in [(), *places(whole)]:
        node = reduce(getitem, path, whole)
        if not isinstance(node, dict | list):
            continue
        new = [name for name in ("zz", "core", "steps", "b") if isinstance(node, dict) and name not in node]
        for key in [*(node if isinstance(node, dict) else range(len(node))), *new]:
            values = ["0x1", [["q", [0], "0x1"]]] if key in new else [other(node[key]), None, {"x": 1}, ...]
            for value in values:
                wrong = copy.deepcopy(whole)
                inner = reduce(getitem, path, wrong)
                inner[key] = value
                if value is ...:
                    del inner[key]
                if wrong != whole:
                    yield (*path, key), wrong


def judged(wrong: Any) -> str:
    """What is said of a document; empty if it passes."""
    try:
        found = verify(wrong)["first_divergence"]
    except ParameterError as error:
        return str(error)
    return "" if found is None else f"{found['place']}, {found['signal']}"


@pytest.mark.parametrize("name", WHOLE)
def test_every_member_that_was_edited_is_named(name: str) -> None:
    whole = WHOLE[name]
    assert judged(whole) == ""
    for path, wrong in changed(whole):
        said = judged(wrong)
        if path[0] in NAMING:
            assert said, path
        elif path[0] != "tests":
            assert all(str(key) in said for key in path if isinstance(key, str)), (path, said)
        elif len(path) < 3:
            assert "ests" in said, (path, said)  # numberOfTests, where one is left out
        elif len(path) < 5 or path[2] != "operations":
            assert f"tests[{path[1]}]" in said, (path, said)
        else:
            assert f"tests[{path[1]}].{whole['tests'][path[1]]['operations'][path[3]]['name']}" in said, (path, said)
            assert path[4] in ("name", "kind", "value") or str(path[4]) in said, (path, said)


@pytest.mark.parametrize("op", SEQUENCES)
def test_csv_that_was_edited_is_found(op: str, tmp_path: Path) -> None:
    good = b"".join(render(Fp2Request.resolve(SMALL, op, count=3, seed=5), "csv")).decode()
    file = tmp_path / "f.csv"
    lines = good.splitlines()
    for number, line in enumerate(lines[2:-1], 2):
        fields = line.split(",")
        for k in range(3, 7):
            wrong = ",".join([*fields[:k], f"{int(fields[k], 16) ^ 1:#x}", *fields[k + 1 :]])
            file.write_text("\n".join([*lines[:number], wrong, *lines[number + 1 :], ""]))
            with suppress(ParameterError):  # an operand, by which the case has its id
                assert verify_file(file)["verdict"] == "fail"
    other = lines[0].replace(f'"op":"{op}"', '"op":"inv"')
    shorter = '# {"end":' + f"{len(lines) - 4}}}"
    for edit in (
        lines[:-1], [*lines[:4], *lines[5:]], [lines[0], *lines[2:]], [*lines[:2], *lines[3:-1], shorter],
        [other, *lines[1:]],
        [line.replace(",add,", ",sub,") for line in lines], [line.replace(",add,", ",add,,") for line in lines],
    ):  # fmt: skip
        file.write_text("\n".join([*edit, ""]))
        with pytest.raises(DamagedFileError):
            verify_file(file)
