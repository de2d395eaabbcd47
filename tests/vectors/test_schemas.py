# SPDX-License-Identifier: Apache-2.0
"""The published JSON Schemas are current, and real output conforms to them without undescribed members."""

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from limbtrace.refmodels.erratum import Erratum
from limbtrace.refmodels.fp2 import SEQUENCES
from limbtrace.refmodels.registry import errata
from limbtrace.rtl_bridge.campaign.outcome import Outcome
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
from limbtrace.rtl_bridge.campaign.shards import Shards
from limbtrace.rtl_bridge.campaign.state import CampaignState
from limbtrace.rtl_bridge.campaign.summary import Summary
from limbtrace.rtl_bridge.check_proof.check import check
from limbtrace.rtl_bridge.check_proof.cli import document_of
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.signoff.items import SignoffItem
from limbtrace.rtl_bridge.signoff.result import signoff_document
from limbtrace.rtl_bridge.signoff.run import SignoffResult
from limbtrace.vectors import cycles, fp2, sessions, sets, traces
from limbtrace.vectors.catalogue.events import listed
from limbtrace.vectors.catalogue.tables import tables_document
from limbtrace.vectors.certificate import certify, render
from limbtrace.vectors.coverage import cover
from limbtrace.vectors.cycles import cycle_request
from limbtrace.vectors.designs import Exploration, designs_document
from limbtrace.vectors.digests import DigestRequest
from limbtrace.vectors.digests import read as digests
from limbtrace.vectors.digests.verify import LocalGolden
from limbtrace.vectors.digests.verify import verify as verify_digest
from limbtrace.vectors.grades import grade
from limbtrace.vectors.grades.request import drawn
from limbtrace.vectors.request import CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.schemas import SCHEMAS, generate, published
from limbtrace.vectors.schemas.__main__ import main
from limbtrace.vectors.sets import VectorSet
from limbtrace.vectors.sets.in_json import read_document
from limbtrace.vectors.verify import verify
from tests.kept import DOMAIN, HOSTILE, KEPT, PASSED, PROOF, REACH, TIMING
from tests.rtl_bridge.check_proof import small_log

OPTIONAL = {
    "mended", "digits", "representations", "memory",
    "simulations", "not_covered",  # a proof of an earlier version has none
    "b",  # a chain has none
    "shard",  # a whole set has none
    "reading",  # of a trace or a cycle table
    "root", "range", "level", "nodes",  # as they are asked for
}  # fmt: skip
_TWO_SHAPES = ("limbtrace-verification-1.schema.json", "limbtrace-proof-check-1.schema.json")
"""Documents whose members depend on the verdict."""
PRINTED = Multiplier.resolve("iddmm2", "13", {"k": 2, "form": "printed"})
DIGITS = Multiplier.resolve("redundant", "mldsa", {"overlap": 1})
MULTIPLIERS = [
    Multiplier.resolve("cios", "secp256k1", {}),
    Multiplier.resolve("iddmm1", "mlkem", {"k": 8}),
    PRINTED,
    DIGITS,
    Multiplier.resolve("hffm", "sike-p434", {}),
]


def document(chunks: Any) -> Any:
    return json.loads(b"".join(chunks))


def set_document(multiplier: Multiplier) -> Any:
    return document(sets.render(VectorSet(VectorRequest.resolve(multiplier, 40, 1, "lazy")), "json"))


def documents() -> list[tuple[str, Any]]:
    """(schema, document) of everything that limbtrace writes in JSON."""
    cases = [*map(set_document, MULTIPLIERS)]
    steps = [document(traces.render(traces.TraceRequest(m, 5, 2), "json")) for m in MULTIPLIERS]
    core = CoreRequest.resolve("iddmm_arch2", "mlkem", {"k": 8})
    table = document(cycles.render(cycle_request(core, ["5,7", "3,4"]), "json"))
    results = {"model": "cios", "prime": "mlkem", "results": [{"a": "0x5", "b": "0x7", "result": "0x1"}]}
    special = Multiplier.resolve("hffm", "sike-p434", {})
    asked = [fp2.Fp2Request.resolve(special, op, count=3, steps=op == "mul") for op in SEQUENCES]
    fields = [document(fp2.render(request, "json")) for request in asked]
    verified = [*cases, *steps, table, results, *fields]
    shard = VectorSet(VectorRequest.resolve(MULTIPLIERS[0], 40, shard="2/3"))
    hashed = [DigestRequest.resolve(m, count=40, leaf=8, level=1).document() for m in MULTIPLIERS]
    hashed.append(DigestRequest.resolve(DIGITS, count=40, leaf=8, first=8, last=15).document())
    wrong = digests.read({**DigestRequest.resolve(DIGITS, count=40, leaf=8).document(), "root": 64 * "0"})
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "set.json"
        written.write_text(json.dumps(cases[2]))  # printed: SageMath disagrees
        certificate = json.loads(render(certify(written)))
    return [
        ("limbtrace-certificate-1.schema.json", certificate),
        ("limbtrace-tables-1.schema.json", tables_document()),
        *(("limbtrace-events-1.schema.json", listed(m.model.id, m)) for m in (MULTIPLIERS[1], MULTIPLIERS[-1])),
        ("limbtrace-grade-1.schema.json", grade(drawn(VectorRequest.resolve(MULTIPLIERS[1], 3)))),
        ("limbtrace-coverage-1.schema.json", cover(read_document(copy.deepcopy(cases[1]))).document),
        (
            "limbtrace-explore-1.schema.json",
            designs_document(Exploration.resolve("fpmm", 128, device="V7")),
        ),
        *(("limbtrace-vectors-1.schema.json", entry) for entry in cases),
        *(("limbtrace-trace-1.schema.json", entry) for entry in steps),
        ("limbtrace-cycles-1.schema.json", table),
        *(("limbtrace-fp2-1.schema.json", entry) for entry in fields),
        *(("limbtrace-session-1.schema.json", entry) for entry in session()),
        ("limbtrace-proof-1.schema.json", PROOF),
        ("limbtrace-campaign-1.schema.json", campaign()),
        ("limbtrace-signoff-1.schema.json", signoff()),
        ("limbtrace-domain-1.schema.json", DOMAIN),
        ("limbtrace-reach-1.schema.json", REACH),
        ("limbtrace-timing-1.schema.json", TIMING),
        ("limbtrace-proof-check-1.schema.json", document_of(check(small_log.certificate()))),
        ("limbtrace-proof-check-1.schema.json", document_of(wrong="line 3: a register has 4 bits")),
        *(("limbtrace-report-1.schema.json", entry) for entry in (KEPT, PASSED, HOSTILE)),
        ("limbtrace-vectors-1.schema.json", document(sets.render(shard, "json"))),
        *(("limbtrace-digest-1.schema.json", entry) for entry in hashed),
        ("limbtrace-verdict-1.schema.json", verify_digest(wrong, LocalGolden(wrong.request.hashed))),
        *(("limbtrace-verification-1.schema.json", entry) for entry in verified),
        *(("limbtrace-verdict-1.schema.json", verify(copy.deepcopy(entry))) for entry in verified),
    ]


def campaign() -> Any:
    """A campaign with a shard that agrees, one that differs, and one that was set aside."""
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.toml"
        plan.write_text("[[matrix]]\ncore = 'iddmm_arch2'\nprime = '0xea7'\ncount = 30\nshard = 10\n")
        shards = Shards.of(CampaignPlan.load(plan))
        digest, covered = "0" * 64, cover(read_document(set_document(MULTIPLIERS[1]))).document
        outcomes = [
            Outcome(verified=10, cycles=30, digest=digest, covered=covered),
            Outcome(verified=3, cycles=9, digest=digest, bucket=("iddmm_arch2", "S", "S", "value", ""), report=KEPT),
            Outcome(failed="no memory"),
        ]
        with CampaignState.open(Path(folder) / "state", shards.digest, resume=False) as state:
            state.record([(shard, outcome, 1.0) for shard, outcome in zip(shards, outcomes, strict=True)], 3.0)
            return Summary(shards, "all", state).document


def signoff() -> Any:
    """A sign-off with an entry that passed and one that did not run."""
    asked = BindRequest(core="iddmm_arch2", prime="0xea7")
    items = [
        SignoffItem("operands", "random", "passed", products=8),
        SignoffItem("proof", "method steps", "timed out", "600 s are over"),
    ]
    return signoff_document(SignoffResult(asked.bind(asked.find()), items, ["resets"], ["a is 1"], None))


def session() -> list[Any]:
    """The documents that a session answers with, of a product and of a chain."""
    abilities = [{"model": model, "primes": ["mlkem"], "kinds": ["random"], "count": 2} for model in ("cios", "vdf")]
    found: list[Any] = []
    for part in sessions.parts({"abilities": abilities}):
        cases = sessions.blind(part, "all")
        given = {"set": cases["set"], "results": [{"id": test["id"], "result": "0x1"} for test in cases["tests"]]}
        letters, verdicts = sessions.judge(part, sessions.SessionResults.model_validate(given))
        tried = part._replace(verdicts=sessions.overlay(part.verdicts, letters))
        found += cases, verdicts, sessions.blind(tried), sessions.session_document("id", 1, [tried])
    return found


def closed(node: Any) -> Any:
    """The schema with unnamed members disallowed."""
    if isinstance(node, list):
        return [closed(child) for child in node]
    if not isinstance(node, dict):
        return node
    children = {name: closed(child) for name, child in node.items()}
    return {**children, "additionalProperties": False} if "properties" in node else children


@pytest.mark.parametrize("name", SCHEMAS)
def test_published_schemas_are_current(name: str) -> None:
    assert published(name) == generate(name)
    Draft202012Validator.check_schema(json.loads(published(name)))


def test_real_output_is_what_the_schemas_say() -> None:
    found = documents()
    assert {name for name, _ in found} == set(SCHEMAS)
    assert any(entry.get("mended") for _, entry in found)
    for name, entry in found:
        Draft202012Validator(closed(json.loads(published(name)))).validate(entry)


def test_every_member_of_the_design_is_required() -> None:
    for name, entry in documents():
        if name in _TWO_SHAPES or "first_divergence" in entry:
            continue
        validator = Draft202012Validator(json.loads(published(name)))
        for member in entry.keys() - OPTIONAL:
            assert not validator.is_valid({key: value for key, value in entry.items() if key != member}), (name, member)


@pytest.mark.parametrize("value", [5, "5", "0x", "0xg1", "", None])
def test_integers_are_hexadecimal_text(value: Any) -> None:
    trace = document(traces.render(traces.TraceRequest(MULTIPLIERS[1], 5, 2), "json"))
    trace["steps"][3][2] = value
    assert not Draft202012Validator(json.loads(published("limbtrace-trace-1.schema.json"))).is_valid(trace)


def test_unknown_schema() -> None:
    with pytest.raises(KeyError):
        published("../catalogue.py")


def test_the_command_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"], tmp_path) == 1
    assert main([], tmp_path) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(SCHEMAS)
    assert main(["--check"], tmp_path) == 0
    (tmp_path / "limbtrace-trace-1.schema.json").write_text("{}")
    assert main(["--check"], tmp_path) == 1
    assert "limbtrace-trace-1.schema.json is not current" in capsys.readouterr().err
    assert main(["--nix"], tmp_path) == 2


def test_the_errata_that_are_mended_exist_or_are_named_after_a_sheet() -> None:
    assert any(name in {erratum.id for erratum in errata(Erratum)} for name in PRINTED.head["mended"])
