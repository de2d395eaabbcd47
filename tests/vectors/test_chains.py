# SPDX-License-Identifier: Apache-2.0
"""Chains of squarings as vectors and traces, on the command line and over HTTP; operands of redundant digits."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.catalogue import render_constants
from limbtrace.vectors.certificate import certify, sage_referee
from limbtrace.vectors.cli import cli
from limbtrace.vectors.client import Client
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet
from limbtrace.vectors.source import Local
from limbtrace.vectors.traces import TraceRequest
from limbtrace.vectors.verify import verify, verify_file
from tests.patience import PATIENCE

PRIME = "2^61-1"
P = 2**61 - 1
SET = f"vdf --prime {PRIME} --set t=1000 --count 4 --kind random --checkpoints 3".split()


def limbtrace(*words: str) -> str:
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def refused(*words: str) -> ParameterError:
    error = CliRunner().invoke(cli, words).exception
    assert isinstance(error, ParameterError)
    return error


def test_a_case_is_a_start_with_checkpoints() -> None:
    document = json.loads(limbtrace("vectors", *SET))
    group = document["testGroups"][0]
    assert (document["checkpoints"], group["params"]["t"]) == (3, 1000)
    assert list(group["ranges"]) == ["a", "result"]
    for case in group["tests"]:
        x = int(case["a"], 16)
        assert "b" not in case
        assert case["checkpoints"] == [[i, hex(pow(x, 1 << i, P))] for i in (250, 500, 750)]
        assert case["result"] == case["residue"] == hex(pow(x, 1 << 1000, P))


def test_checkpoints_are_spread_evenly() -> None:
    multiplier = Multiplier.resolve("vdf", PRIME, {"t": 10})
    spread = {n: VectorRequest.resolve(multiplier, checkpoints=n).checkpoint_indices for n in (0, 1, 2, 9)}
    assert spread == {0: [], 1: [5], 2: [3, 6], 9: list(range(1, 10))}
    with pytest.raises(ParameterError, match=r"^checkpoints: 10 is outside 0 to 9"):
        VectorRequest.resolve(multiplier, checkpoints=10)
    with pytest.raises(ParameterError, match=r"^checkpoints: cios is one product"):
        VectorRequest.resolve(Multiplier.resolve("cios", PRIME, {}), checkpoints=1)


def test_a_set_is_another_one_with_checkpoints_and_its_cases_are_not() -> None:
    multiplier = Multiplier.resolve("vdf", PRIME, {})
    plain, more = (VectorSet(VectorRequest.resolve(multiplier, 3, checkpoints=n)) for n in (0, 2))
    assert plain.request.id != more.request.id
    assert "checkpoints" not in plain.request.document
    assert [case.id for case in plain.cases()] == [case.id for case in more.cases()]


@pytest.mark.parametrize("form", ["json", "ndjson", "csv"])
def test_every_format_comes_back(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"chains.{form}"
    limbtrace("vectors", *SET, "--format", form, "-o", str(path))
    assert (verify_file(path)["verdict"], verify_file(path)["verified"]) == ("pass", 4)
    text = path.read_text()
    case = json.loads(limbtrace("vectors", *SET))["testGroups"][0]["tests"][2]
    value = case["checkpoints"][1][1]
    path.write_text(text.replace(value, hex(int(value, 16) ^ 1)))
    verdict = verify_file(path)
    assert (verdict["verdict"], verdict["mismatches"]) == ("fail", 1)
    divergence = verdict["first_divergence"]
    assert (divergence["case"], divergence["signal"], divergence["expected"]) == (case["id"], "checkpoint 500", value)
    assert "b" not in divergence
    assert divergence["replay"].endswith(f"--a {case['a']}")
    for old, new in (("[500,", "[501,") if form != "csv" else ("500:", "501:"), ('"checkpoints":3', '"checkpoints":2')):
        path.write_text(text.replace(old, new))
        with pytest.raises(ParameterError, match=r"checkpoints|head"):
            verify_file(path)


def test_readmemh_has_no_second_operand_and_no_checkpoints(tmp_path: Path) -> None:
    limbtrace("vectors", *SET[:-2], "--format", "readmemh", "-o", str(tmp_path / "chains"))
    assert sorted(file.name for file in (tmp_path / "chains").iterdir()) == ["a.hex", "manifest.json", "result.hex"]
    assert verify_file(tmp_path / "chains")["verdict"] == "pass"
    words = ("vectors", *SET, "--format", "readmemh", "-o", str(tmp_path / "other"))
    assert refused(*words).parameter == "checkpoints"
    assert not (tmp_path / "other").exists()


def test_results_of_a_chain_of_ones_own() -> None:
    x, y = 5, pow(5, 1 << 100, P)
    document = {"model": "vdf", "prime": PRIME, "params": {"t": 100}}
    right: dict[str, Any] = {"a": hex(x), "result": hex(y), "checkpoints": [[7, hex(pow(x, 1 << 7, P))]]}
    assert verify({**document, "results": [right, {"a": hex(x), "result": hex(y)}]})["verdict"] == "pass"
    assert verify({**document, "results": [{**right, "checkpoints": [[7, "0x1"]]}]})["verdict"] == "fail"
    for wrong in ([[0, "0x5"]], [[101, "0x5"]], [[8, "0x1"], [7, "0x1"]]):
        with pytest.raises(ParameterError, match=r"^checkpoints: they are increasing"):
            verify({**document, "results": [{**right, "checkpoints": wrong}]})


def test_one_link(tmp_path: Path) -> None:
    words = ("trace", "vdf", "--prime", PRIME, "--set", "t=40", "--a", "0x123")
    whole, link = json.loads(limbtrace(*words)), json.loads(limbtrace(*words, "--step", "31", "--check"))
    z = {step[1][0]: step[2] for step in whole["steps"] if step[0] == "z"}
    assert (link["step"], link["result"]) == (31, z[31])
    assert sum(int(digit, 16) << (16 * j) for j, digit in enumerate(link["squared"])) == int(z[30], 16)
    assert [name for name, _, _ in link["steps"]][::13] == ["T", "Q", "S", "Z"]
    for form in ("json", "csv"):
        path = tmp_path / f"link.{form}"
        limbtrace(*words, "--step", "31", "--format", form, "-o", str(path))
        assert verify_file(path)["verdict"] == "pass"
    link["steps"][20][2] = "0x1"
    divergence = verify(link)["first_divergence"]
    assert divergence["replay"].endswith("--a 0x123 --step 31")
    assert "# step = 31" in limbtrace(*words, "--step", "31", "--format", "text")


@pytest.mark.parametrize(
    ("words", "parameter", "reason"),
    [("vdf --prime 251 --a 1 --step 17", "step", "17 is outside 1 to 16, the length of the chain"),
     ("vdf --prime 251 --a 1 --step 0", "step", "0 is outside 1 to 16"),
     ("cios --prime 251 --a 1 --b 1 --step 1", "step", "cios is one product"),
     ("cios --prime 251 --a 1", "b", "does not give it"), ("vdf --prime 251 --a 1 --b 1", "b", "vdf has no b"),
     ("cios --a 1 --b 1", "prime", "does not give it"), ("ozturk --prime 251 --a 1 --b 1", "prime", "has no modulus"),
     ("vdf --prime 2^128-159 --set k=8 --a 2", "k", "a chain does not stay in range"),
     ("ozturk --set d=4 --set k=1 --a [32] --b 1", "a", "digit 0 is outside 0 to 2^5-1"),
     ("ozturk --set d=4 --set k=1 --a [1,1,1] --b 1", "a", "3 digits, and 2 are enough"),
     ("monpro --prime 251 --a [1] --b 1", "a", "for a model that scans digits")],
)  # fmt: skip
def test_what_is_refused(words: str, parameter: str, reason: str) -> None:
    error = refused("trace", *words.split())
    assert error.parameter == parameter
    assert reason in error.reason


def test_a_cycle_table_of_a_chain_has_no_b(tmp_path: Path) -> None:
    words = f"cycles vdf_squarer --prime {PRIME} --set t=2 --format json --operands 3 --operands 5".split()
    document = json.loads(limbtrace(*words))
    assert document["operands"] == [["0x3"], ["0x5"]]
    assert document["results"] == [f"{3**4:#x}", f"{5**4:#x}"]
    path = tmp_path / "table.json"
    path.write_text(json.dumps(document))
    assert verify_file(path)["verdict"] == "pass"
    document["results"][1] = "0x7"
    found = verify(document)["first_divergence"]
    assert (found["a"], "b" in found) == ("0x5", False)
    for operands in ([["0x3", "0x0"], ["0x5", "0x0"]], [["0x3"], []], "0x3"):
        with pytest.raises(ParameterError, match=r"\[a\]"):
            verify({**document, "operands": operands})


def test_cycle_tables_of_chains_over_http() -> None:
    with background() as url, Client(url) as client:
        asked: dict[str, Any] = {"core": "vdf_squarer", "prime": PRIME, "settings": {"t": 2}}
        here, there = (source.tables(**asked, pairs=[(3, 0), (5, 0), (7, 0)]) for source in (Local(), client))
        assert list(there.products) == list(here.products)


def test_redundant_digits_of_operands_come_back() -> None:
    for model, prime in (("ozturk", None), ("llmonpro", "479")):
        multiplier = Multiplier.resolve(model, prime, {"d": 3, "k": 3})
        request = TraceRequest(multiplier, "[8,15,6,0]", "[7,5,13,0]")
        assert request.head["a_digits"] == ["0x8", "0xf", "0x6", "0x0"]
        steps = [[name, list(index), hex(value)] for name, index, value in request.steps()]
        document = {**request.head, "steps": steps}
        assert verify(document)["verdict"] == "pass"
        canonical = {name: value for name, value in document.items() if not name.endswith("_digits")}
        assert verify(canonical)["verdict"] == "fail"
        steps[0][2] = "0x7"
        assert "--a [8,15,6,0] --b [7,5,13,0]" in verify(document)["first_divergence"]["replay"]
        with pytest.raises(ParameterError, match="a_digits: these digits are not a"):
            verify({**document, "a_digits": ["0x1"]})


def test_a_model_without_modulus() -> None:
    text = limbtrace(
        "vectors", "ozturk", "--set", "d=8", "--set", "k=3", "--count", "30", "--kind", "mixed", "--format", "json"
    )
    document = json.loads(text)
    group = document["testGroups"][0]
    assert (group["prime"], group["domain"], group["constants"]) == (None, None, {})
    assert all(int(case["a"], 16) * int(case["b"], 16) == int(case["result"], 16) for case in group["tests"])
    assert {flag for case in group["tests"] for flag in case["flags"]} <= {"ZeroOperand"}
    assert verify(document)["verdict"] == "pass"
    shown = render_constants(Multiplier.resolve("ozturk", None, {}), "sv").decode()
    assert "Constants of ozturk (corrected), radix 2^16, k = 8" in shown


@pytest.mark.parametrize(
    "words", ["monpro --set n=70", "redmonpro", "llmonpro", "llmonpro --set d=32", "vdf --set t=50 --checkpoints 4"]
)
def test_sage_agrees(words: str, tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    limbtrace("vectors", *words.split(), "--prime", PRIME, "--count", "40", "-o", str(path))
    assert certify(path).disagreements == 0
    document = json.loads(path.read_text())
    case = document["testGroups"][0]["tests"][30]
    case["result"] = case["residue"] = hex(int(case["result"], 16) ^ 1)
    path.write_text(json.dumps(document))
    with pytest.raises(ParameterError, match="digest"):
        certify(path)


def test_sage_recomputes_products_without_a_modulus_in_the_integers(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    limbtrace("vectors", "ozturk", "--format", "csv", "-o", str(path))
    found = certify(path)
    assert (found.verdict, found.ring, found.modulus, found.set.R) == ("agrees", "ZZ", None, None)
    referee = sage_referee.IntegerReferee({"a": 10, "b": 10, "result": 100})
    assert [key for key, _, _ in referee.check(3, 5, 15, 15)] == []
    assert [key for key, _, _ in referee.check(3, 5, 16, 15)] == ["integers", "reduction"]
    assert [key for key, _, _ in referee.check(11, 1, 11, 11)] == ["range"]


def test_over_http() -> None:
    limits = ServiceSettings(max_squarings=2000, max_loop_steps=100_000)
    chains = {"model": "vdf", "prime": PRIME, "t": "1000", "count": "2", "checkpoints": "3"}
    with background(limits) as url, httpx.Client(base_url=url, timeout=PATIENCE) as api:
        answer = api.get("/v1/vectors", params=chains)
        assert answer.text == limbtrace("vectors", "vdf", "--prime", PRIME, "--set", "t=1000", "--count", "2",
                                        "--checkpoints", "3")  # fmt: skip
        again = api.get(f"/v1/sets/{answer.headers['Limbtrace-Set']}")
        assert again.text == answer.text
        link = api.get("/v1/traces", params={"model": "vdf", "prime": PRIME, "a": "3", "t": "40", "step": "9"})
        assert link.text == limbtrace("trace", "vdf", "--prime", PRIME, "--set", "t=40", "--a", "3", "--step", "9")
        assert api.get("/v1/traces", params={"model": "ozturk", "a": "[65536]", "b": "1"}).json()["result"] == "0x10000"
        for path, query, parameter in (
            ("vectors", {"t": "1000", "count": "3"}, "count"),
            ("traces", {"t": "5000", "a": "1"}, "t"),
            ("traces", {"t": "2000", "a": "1", "step": "2000"}, "step"),
            ("vectors", {"t": "2000", "count": "1", "form": "printed"}, "count"),
        ):
            refusal = api.get(f"/v1/{path}", params={"model": "vdf", "prime": PRIME, **query})
            assert (refusal.status_code, refusal.json()["parameter"]) == (422, parameter), refusal.text
        document = json.loads(limbtrace("trace", "vdf", "--prime", PRIME, "--set", "t=3", "--a", "3"))
        document["params"]["t"] = 3000
        assert api.post("/v1/verifications", json=document).status_code == 422
