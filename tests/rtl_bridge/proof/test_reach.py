# SPDX-License-Identifier: Apache-2.0
"""Operands for events, or that there are none: construction, reasons and the solver agree."""

import dataclasses
import json
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event_search import REACHABLE, UNREACHABLE, Occurrences
from limbtrace.rtl_bridge.proof import smt
from limbtrace.rtl_bridge.proof.reach import Questions, reached
from limbtrace.vectors.cli import UNDECIDED, cli
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.schemas import published
from tests.kept import REACH
from tests.refmodels.test_conditions import BRANCHING
from tests.refmodels.test_events import SMALL, multiplier
from tests.rtl_bridge.helpers import TOYS

SLOW = {("ffm1", 199), ("effm", 199)}
"""Shapes of which the solver does not decide every event within seconds."""
SMALL_CASE = ("--prime", "0xea7", "--radix", "2^4")


def asked(*words: str) -> tuple[int, Any]:
    """Exit code and document of `limbtrace reach`."""
    answer = CliRunner().invoke(cli, ["reach", *words, "--json"], standalone_mode=False)
    if answer.exception is not None:
        raise answer.exception
    document = json.loads(answer.stdout)
    Draft202012Validator(json.loads(published("limbtrace-reach-1.schema.json"))).validate(document)
    return int(answer.return_value), document


def said(*words: str) -> str:
    return CliRunner().invoke(cli, ["reach", *words], standalone_mode=False).stdout


@pytest.mark.parametrize(
    ("name", "modulus", "given"),
    [
        (name, *shape)
        for name, shapes in SMALL.items()
        for shape in shapes
        if (name, shape[0]) not in SLOW and (name, shape[1].get("overlap")) not in BRANCHING
    ],
)
def test_the_solver_agrees_with_every_state(name: str, modulus: int | None, given: dict[str, Any]) -> None:
    """It excludes each place that is unreachable, by reason or after all operands, and finds operands for others."""
    m = multiplier(name, modulus, given)
    known, questions = Occurrences(m.model, m.params), Questions(m.model, m.params)
    occurrences = list(known.all())
    step = sum(found.state == REACHABLE for found in occurrences) // 12 + 1
    some = [found for found in occurrences if found.state == REACHABLE][::step]
    for found in [found for found in occurrences if found.state == UNREACHABLE] + some:
        event, index = found.place.event, found.place.index
        if event.name == "y_subtracted":  # its condition computes with digits, of which there are no terms
            continue
        bits = questions.bits(questions.run.happens(event, index))
        answer = None if bits is None else smt.solved(smt.text(bits, products=True), 60_000, 2000)
        if found.state == UNREACHABLE:
            assert answer is None or answer.verdict == smt.PROVED, (found.place.label, found.reason)
        else:
            assert answer is not None
            assert answer.verdict == smt.REFUTED, found.place.label
            pair = questions.pair(answer)
            m.model.check_operands(m.params, *pair)
            assert event.happens(m.model.run(m.params, *pair), index), (found.place.label, pair)


def test_by_construction_at_real_widths() -> None:
    code, document = asked("iddmm2", "--prime", "p256", "--radix", "2^32", "--event", "q[3]=max")
    assert (code, document["verdict"], document["method"]) == (0, "operands", "construction")
    assert (document["core"], document["event"], document["reason"]) == (None, "q[3,0]=max", None)
    m = multiplier("iddmm2", "p256", {"radix": "2^32"})
    run = m.model.run(m.params, int(document["a"], 16), int(document["b"], 16))
    assert run.at("q", 3, 0) == (1 << 32) - 1
    assert int(document["result"], 16) == run.result


def test_by_a_reason_of_the_model() -> None:
    words = ("iddmm2", "--prime", "p256", "--radix", "2^32", "--event", "C[0,8]=max")
    code, document = asked(*words)
    assert (code, document["verdict"], document["method"], document["a"]) == (0, "none", "reason", None)
    assert "carry at most 0x1fffffffd" in document["reason"]
    assert said(*words).endswith(
        "none, by a reason that the model gives: the digits of the modulus and of the operands below it carry at most "
        "0x1fffffffd\n"
    )


def test_by_all_operands_and_by_the_solver() -> None:
    """The largest carry into a digit above low ones of p, which no reason of the model excludes."""
    shape = ("iddmm2", "--prime", "45", "--radix", "2^2", "--event", "C[1,3]=max")
    code, document = asked(*shape)
    assert (code, document["verdict"], document["method"]) == (0, "none", "exhaustive")
    assert "all of them were tried" in document["reason"]
    code, document = asked(*shape, "--method", "solver")
    assert (code, document["verdict"], document["method"]) == (0, "none", "solver")
    assert said(*shape, "--method", "solver").endswith(
        "none, by the solver: proved for this modulus and these settings\n"
    )


def test_the_solver_finds_what_construction_finds() -> None:
    code, document = asked("iddmm2", *SMALL_CASE, "--event", "C[1,1]>=beta", "--method", "solver")
    assert (code, document["verdict"], document["method"]) == (0, "operands", "solver")
    m = multiplier("iddmm2", 0xEA7, {"radix": "2^4"})
    assert m.model.run(m.params, int(document["a"], 16), int(document["b"], 16)).at("C", 1, 1) >= 16
    assert document == {**REACH, "tools": document["tools"]}


def test_a_core_has_the_model_and_the_operands_of_its_own() -> None:
    code, document = asked("iddmm_arch2", *SMALL_CASE, "--event", "q[1]=max")
    assert (code, document["core"], document["verdict"]) == (0, "iddmm_arch2", "operands")
    assert document["command"].startswith("limbtrace sim iddmm_arch2 --prime 0xea7 --set")
    assert document["multiplier"]["params"] == {"n": 3, "passes": 3}


def test_undecided() -> None:
    words = ("mwr2kmm", "--prime", "p256", "--radix", "2^32", "--event", "S[8,9]<0")
    code, document = asked(*words, "--limit", "1", "--method", "solver")
    assert (code, document["verdict"], document["method"]) == (UNDECIDED, "open", None)
    assert document["reason"] == "the solver did not decide within 1 s"


def test_a_loop_that_branches() -> None:
    shape = ("redundant", "--prime", "3", "--set", "r1=4", "--set", "overlap=5")
    code, document = asked(*shape, "--event", "a=0", "--method", "solver")
    assert code == UNDECIDED
    assert document["reason"].startswith("the solver cannot be asked, since no term says what happens: ")
    assert asked(*shape, "--event", "a=0")[1]["verdict"] == "operands"


@pytest.mark.parametrize(
    ("words", "parameter", "reason"),
    [
        (("iddmm2", *SMALL_CASE, "--event", "zz"), "event", "iddmm2 has no event 'zz'"),
        (("iddmm2", *SMALL_CASE, "--event", "q[3]=max"), "event", "q=max has no index [3] here; it has [0,0] to [2,0]"),
        (("nothing", "--event", "a=0"), "core", "there is neither a model nor a core 'nothing'; models: cios, "),
        (("iddmm2", "--event", "a=0"), "prime", "the request does not give it"),
        (("iddmm_arch2", "--event", "a=0"), "prime", "the request does not give it, and iddmm_arch2 is a core for one"),
    ],
)
def test_requests_in_one_sentence(words: tuple[str, ...], parameter: str, reason: str) -> None:
    with pytest.raises(ParameterError) as error:
        asked(*words)
    assert error.value.parameter == parameter
    assert error.value.reason.startswith(reason)


def _place(name: str, modulus: int, given: dict[str, Any], label: str, **change: Any) -> tuple[Any, Any]:
    m = multiplier(name, modulus, given)
    known = Occurrences(m.model, m.params)
    place = known.place(label)
    return known, dataclasses.replace(place, event=dataclasses.replace(place.event, **change))


def test_operands_of_the_solver_are_run() -> None:
    """A condition that says something else of terms than of integers is a failure, not an answer."""

    def happens(seen: Any, index: Any) -> Any:
        return seen.a == 5 if not isinstance(seen.a, int) else seen.a == 6

    known, place = _place("iddmm2", 13, {"k": 2}, "a=1", happens=happens)
    with pytest.raises(ToolError, match="do not make a=1 happen"):
        reached(known, place, "solver", known.params.limits, 10)


def test_a_wrong_reason_is_seen() -> None:
    known, place = _place("iddmm2", 13, {"k": 2}, "a=1", reachable=lambda params, index: "it is said so")
    assert reached(known, place, None, known.params.limits, 10).method == "reason"
    assert reached(known, place, "solver", known.params.limits, 10).pair is not None


def test_operands_too_large_for_a_core() -> None:
    """Constructed operands count only where the core takes them; the solver looks at those alone."""
    known, place = _place("iddmm2", 13, {"k": 2}, "a=p")
    b = known.params.limits[1]
    assert reached(known, place, None, (12, b), 10).verdict == "none"
    assert reached(known, place, "construction", (12, b), 10).reason == (
        "the operands that were found are too large for the core"
    )
    assert reached(known, place, None, (13, b), 10).verdict == "operands"


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert asked("iddmm2", *SMALL_CASE, "--event", "q[1]=max")[0] == 0
    with pytest.raises(ToolError, match="bitwuzla is not installed"):
        asked("iddmm2", *SMALL_CASE, "--event", "q[1]=max", "--method", "solver")


def test_a_core_in_a_folder() -> None:
    code, document = asked(str(TOYS / "mont_toy"), "--prime", "61", "--event", "a=p-1", "--method", "solver")
    assert (code, document["core"], document["verdict"]) == (0, "mont_toy", "operands")
