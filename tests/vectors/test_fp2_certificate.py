# SPDX-License-Identifier: Apache-2.0
"""Certificates of cases in GF(p^2): SageMath confirms correct values and finds a forged value in every place."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.fp2 import SEQUENCES
from limbtrace.vectors.certificate import certify, default_path, sage_referee
from limbtrace.vectors.cli import main
from limbtrace.vectors.fp2 import FORMATS, Fp2Request, render
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets import CaseMaker
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify_file

SMALL = Multiplier.resolve("hffm", 107, {})
MODELS: list[tuple[str, str, dict[str, str | int]]] = [
    ("hffm", "sike-p434", {}), ("ffm1", "71", {}), ("barrett", "p192.fp", {}), ("cios", "p192.fp", {"w": 32}),
    ("iddmm2", "7", {"k": 4}), ("hffm", "35", {}), ("redundant", "p192.fp", {}),
]  # fmt: skip


@pytest.mark.parametrize("op", SEQUENCES)
@pytest.mark.parametrize(("model", "prime", "settings"), MODELS)
def test_every_model_is_certified(
    tmp_path: Path, model: str, prime: str, settings: dict[str, str | int], op: str
) -> None:
    request = Fp2Request.resolve(Multiplier.resolve(model, prime, settings), op, count=6)
    for format in FORMATS:
        (tmp_path / "f").write_bytes(b"".join(render(request, format)))
        found = certify(tmp_path / "f")
        assert (found.verdict, found.cases, found.disagreements) == ("agrees", 6, 0), found.first_disagreements
        assert (found.set.id, found.set.model, found.set.op, found.set.digest) == (request.id, model, op, None)
        assert found.ring == ("(Z/mZ)[i]" if prime == "35" else "GF(p^2)")


def element(written: list[str]) -> tuple[int, int]:
    return int(written[0], 16), int(written[1], 16)


def sealed(document: dict[str, Any]) -> None:
    """Recomputes the ids of cases and products, as in a consistently forged document."""
    maker = CaseMaker(SMALL)
    pairs = [(element(test["a"]), element(test["b"])) for test in document["tests"]]
    request = Fp2Request.of(SMALL, "mul", pairs)
    document["id"] = request.id
    for test, (a, b) in zip(document["tests"], pairs, strict=True):
        test["id"] = request.case_id(a, b)
        for done in test["operations"]:
            if "product" in done:
                done["product"] = maker.case_id(int(done["x"], 16), int(done["y"], 16))


def change(*path: Any, value: Any = None) -> Callable[[dict[str, Any]], None]:
    """Sets a member of the second case; without a value it is incremented modulo p."""

    def forge(document: dict[str, Any]) -> None:
        node = document["tests"][1]
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = hex((int(node[path[-1]], 16) + 1) % 107) if value is None else value

    return forge


def all_of_a_product(document: dict[str, Any]) -> None:
    """A wrong t0, with all later operations consistent with it."""
    done = {entry["name"]: entry for entry in document["tests"][1]["operations"]}
    for name, kind, x, y in document["sequence"]:
        for key, source in (("x", x), ("y", y)):
            if source in done:
                done[name][key] = done[source]["value"]
        first, second = int(done[name]["x"], 16), int(done[name]["y"], 16)
        value = {"mul": first * second + (name == "t0"), "add": first + second, "sub": first - second}[kind] % 107
        done[name]["value"] = done[name]["result"] = hex(value)
    document["tests"][1]["result"] = [done["c0"]["value"], done["c1"]["value"]]


def r(document: dict[str, Any]) -> None:
    document["R"] = "0x2"


def constant(document: dict[str, Any]) -> None:
    document["constants"]["x"] = "0x1"


FORGED: dict[str, tuple[Callable[[dict[str, Any]], None], set[str]]] = {
    "result": (change("result", 0), {"element", "sequence"}),
    "operand": (change("a", 1), {"element", "sequence"}),
    "product": (change("operations", 0, "result"), {"product", "reduction"}),
    "value of a product": (change("operations", 1, "value"), {"residue", "reduction", "sequence"}),
    "product beyond its range": (change("operations", 1, "result", value="0x6b"), {"range", "product", "reduction"}),
    "factor": (change("operations", 4, "x"), {"product", "residue", "sequence"}),
    "sum": (change("operations", 2, "value"), {"sum", "sequence"}),
    "sum that is not reduced": (change("operations", 2, "result", value="0x100"), {"sum"}),
    "difference": (change("operations", 5, "result"), {"sum"}),
    "term": (change("operations", 6, "y"), {"sum", "sequence"}),
    "all of a product": (all_of_a_product, {"product", "residue", "element"}),
    "R": (r, {"R", "product", "residue", "element", "quotient"}),
    "constant": (constant, {"constants"}),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_was_forged_is_found(tmp_path: Path, name: str) -> None:
    forge, statements = FORGED[name]
    document = json.loads(b"".join(render(Fp2Request.resolve(SMALL, "mul", count=3, seed=2), "json")))
    forge(document)
    sealed(document)
    path = tmp_path / "f.json"
    path.write_text(json.dumps(document, indent=1))
    found = certify(path)
    assert found.verdict == "disagrees"
    listed = found.first_disagreements
    assert {entry.statement for entry in listed} == statements
    if name not in ("R", "constant"):
        assert {entry.case for entry in listed} == {document["tests"][1]["id"]}
        assert {entry.place for entry in listed} == {"tests[1]"}
    assert found.disagreements == len(listed) or len(listed) == 20


def test_statements_are_all_reached() -> None:
    reached = {statement for _, statements in FORGED.values() for statement in statements}
    others = {"primality", "chain", "integers", "numbers"}
    assert reached | others == set(sage_referee.STATEMENTS)


def test_what_is_not_whole_gets_no_certificate(tmp_path: Path) -> None:
    good = json.loads(b"".join(render(Fp2Request.resolve(SMALL, "mul", count=2), "json")))
    path = tmp_path / "f.json"

    def refused(document: dict[str, Any], sentence: str) -> None:
        path.write_text(json.dumps(document))
        with pytest.raises(DamagedFileError, match=sentence):
            certify(path)

    for name in ("R", "constants", "numberOfTests", "id"):
        refused({key: value for key, value in good.items() if key != name}, f"head: {name} is missing")
    refused({**good, "constants": {}}, "the constants are not f, a, l")
    refused({**good, "R": None, "id": "0" * 32}, "id is")
    refused({**good, "numberOfTests": 3}, "numberOfTests is 3")
    edited = copy.deepcopy(good)
    edited["tests"][1]["operations"][0]["product"] = "0" * 16
    refused(edited, r"tests\[1\].t0: the id of the product is")
    edited = copy.deepcopy(good)
    edited["tests"][1]["id"] = "0" * 16
    refused(edited, r"tests\[1\]: the id is not that of these operands")


def test_the_command(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """certify writes beside the file, verify shows it; also for a document that SageMath does not confirm."""
    path = tmp_path / "f.json"

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    assert run("fp2", "hffm", "--prime", "107", "--op", "sqr", "--count", "3", "-o", str(path)) == (0, "", "")
    code, _, err = run("certify", str(path))
    assert (code, "confirms 3 cases in GF(p^2)" in err) == (0, True)
    code, out, _ = run("verify", str(path))
    summary = json.loads(out)["certificate"]
    assert (code, summary["status"], summary["file"]) == (0, "agrees", default_path(path).name)
    path.write_text(path.read_text() + " ")
    assert json.loads(run("verify", str(path))[1])["certificate"]["status"] == "other file"
    assert run("fp2", "hffm", "--prime", "107", "--op", "mul", "--count", "3", "-o", str(path))[0] == 0
    assert verify_file(path)["certificate"]["status"] == "other file"
