# SPDX-License-Identifier: Apache-2.0
"""The table of what is proved of each model: complete, current, and no more than was proved."""

from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import catalogue
from limbtrace.vectors.catalogue.proved import (
    CLOSED_FORM,
    EXHAUSTIVE,
    SOLVER,
    claim_key,
    proved_claims,
    proved_heading,
    proved_rows,
)
from limbtrace.vectors.cli.lists import models
from limbtrace.vectors.request import Multiplier
from tools.claims import SHAPES, Asked, exhausted, measure

QUICK = ("mwr2mm", "modmul", "montgomery", "redc", "reduce", "square", "vdf")
"""Models of which everything is proved again here; `./run claims` does so for all."""


@pytest.mark.parametrize("name", QUICK)
def test_what_is_kept_is_proved_again(name: str) -> None:
    found = [entry for entry in measure(name) if entry.claims or entry.events]
    assert found == [entry for entry in proved_claims() if entry.model == name]


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_claim_was_tried_for_all_operands(name: str) -> None:
    """A claim that is new or says something else is not among those that are kept: `./run claims` renews them."""
    keys = {claim_key(claim) for claim in MODELS[name].claims} | {CLOSED_FORM}
    assert len(keys) == len(MODELS[name].claims) + 1
    kept = [entry for entry in proved_claims() if entry.model == name]
    assert {entry.by for entry in kept} >= {EXHAUSTIVE, SOLVER}
    for entry in kept:
        assert set(entry.claims) <= keys
        small, wide = (Multiplier.resolve(name, *shape) for shape in SHAPES[name])
        shape = small if entry.by == EXHAUSTIVE else wide
        assert (entry.prime, entry.settings) == (shape.prime, shape.settings)
        if entry.by == EXHAUSTIVE:
            assert set(entry.claims) == keys


@pytest.mark.parametrize("name", sorted(MODELS))
def test_the_table_of_a_model(name: str) -> None:
    document = catalogue.model_document(name)
    proved = document["proved"]
    claims = [each for each in proved if each["kind"] == "claim"]
    assert [each["name"] for each in claims] == [*(claim["name"] for claim in document["claims"]), CLOSED_FORM]
    for each, claim in zip(claims, document["claims"], strict=False):
        everywhere = [proof for proof in each["proofs"] if proof["parameters"].startswith("a shape")]
        assert bool(everywhere) == (claim["proof"] == "intervals"), each["name"]
        assert "exhaustive" in {proof["by"] for proof in each["proofs"]}
    for each in (each for each in proved if each["kind"] == "event"):
        methods = {proof["by"] for proof in each["proofs"]}
        assert methods & {"intervals", "solver", "exhaustive"}
        assert ("reason" in methods) == (each["reason"] is not None)
        assert all(place.startswith(each["name"].split("=")[0].split(">")[0][:1]) for place in each["places"])


def test_the_table_on_the_command_line() -> None:
    said = CliRunner().invoke(models, ["iddmm2"], standalone_mode=False).stdout
    table = said.partition(", for all operands")[2].splitlines()
    assert any(line.split()[:3] == ["range", "of", "R:"] and "intervals" in line for line in table)
    assert any("closed form" in line and "exhaustive" in line and "--prime 0xd" in line for line in table)
    assert any("never C[0,1]=max" in line and "exhaustive, reason" in line for line in table)


def test_the_heading_says_at_which_moduli() -> None:
    kept = {entry.prime for entry in proved_claims() if entry.model == "iddmm2"}
    assert kept == {"0xd", "0x3d"}
    assert proved_heading("iddmm2") == "Proved at p = 13, 61"
    assert proved_heading("ozturk") == "Proved at the parameters below"  # its moduli follow from other parameters


def test_what_no_method_proves_is_tested() -> None:
    row: dict[str, Any] = {
        "kind": "claim",
        "name": "x",
        "statement": "x is 1",
        "places": [],
        "reason": None,
        "proofs": [],
    }
    assert proved_rows({"proved": [row]}) == [("x: x is 1", "tests", "")]


def _wrong(name: str, **change: Any) -> Multiplier:
    m = Multiplier.resolve(name, *SHAPES[name][0])
    return replace(m, model=replace(m.model, **change))


def test_a_wrong_claim_is_not_proved() -> None:
    model = MODELS["iddmm2"]
    first, *others = model.vocabulary
    low = replace(first, limit=lambda run, index: run.params.radix - 1)
    m = _wrong("iddmm2", vocabulary=(low, *others))
    holding, _ = exhausted(m)
    wrong = claim_key(m.model.claims[0])
    assert wrong not in holding
    assert len(holding) == len(model.claims)
    asked = Asked(m)
    asked.ask()
    assert asked.open == [wrong]
    assert all(wrong not in claims for claims, _ in asked.found.values())


def test_a_wrong_closed_form_is_not_proved() -> None:
    model = MODELS["modmul"]
    m = _wrong("modmul", closed_form=lambda p, a, b: a * b % p.modulus + (a == 12) * (b == 12))
    assert CLOSED_FORM in exhausted(Multiplier.resolve("modmul", *SHAPES["modmul"][0]))[0]
    assert CLOSED_FORM not in exhausted(m)[0]
    asked = Asked(m)
    asked.ask()
    assert CLOSED_FORM in asked.open
    assert model.closed_form is not m.model.closed_form


def test_what_was_not_decided_is_not_said_to_be_proved() -> None:
    """The table has for each claim the methods that proved it at those parameters, and no other."""
    for name in ("iddmm2", "llmonpro", "montgomery"):
        found = {f"{each['name']}: {each['statement']}": each["proofs"] for each in
                 catalogue.model_document(name)["proved"] if each["kind"] == "claim"}  # fmt: skip
        for key in map(claim_key, MODELS[name].claims):
            kept = [entry.by for entry in proved_claims() if entry.model == name and key in entry.claims]
            own = [proof["by"] for proof in found[key] if proof["parameters"].startswith("--")]
            assert own == kept
    decided = {(entry.model, key) for entry in proved_claims() if entry.by != EXHAUSTIVE for key in entry.claims}
    assert any((name, claim_key(claim)) not in decided for name, model in MODELS.items() for claim in model.claims)
