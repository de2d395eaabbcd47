# SPDX-License-Identifier: Apache-2.0
"""Observations about the numbers of a verdict on a document: those of a simulation, without the ports of a core."""

from collections.abc import Iterable, Sequence
from typing import Any

from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.registry import model as model_of
from limbtrace.vectors.document import members
from limbtrace.vectors.report.diagnose import Observation, Wrong
from limbtrace.vectors.report.relations import NumberWidths
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.validation import document_multiplier
from limbtrace.vectors.verification import VerdictFact

MOST_STEPS = 400_000
"""Most steps of a product that is looked at."""
_OF_WHOLE_NUMBERS = ("not_reduced", "wrong_word", "truncated")
"""Kinds of observations that say nothing about a residue."""


def observed(verdict: dict[str, Any]) -> dict[str, Any]:
    """A Verification with the observations about its first divergence, as far as they can be had."""
    found = verdict["first_divergence"]
    if found is None:
        return verdict
    facts = _facts(verdict, found)
    return {**verdict, "first_divergence": {**found, "observations": facts}} if facts else verdict


def is_observed(multiplier: Multiplier) -> bool:
    """True if a product of it is small enough; a chain has too many."""
    model, params = multiplier.model, multiplier.params
    return model.chain is None and (bool(params.closed) or model.work(params) <= MOST_STEPS)


def said_of(
    multiplier: Multiplier,
    pair: Pair,
    expected: int,
    seen: int,
    neighbours: tuple[Pair | None, Pair | None],
    *,
    residue: bool = False,
) -> list[Any]:
    """VerdictFacts about a wrong result, or its residue; `neighbours` are the products before and after it."""
    # The port is not known; a number that wrapped in one wider than p has its top bit.
    widths = NumberWidths(result=None if residue else max(seen.bit_length(), multiplier.modulus.bits))
    before, after = neighbours
    wrong = Wrong(multiplier, *pair, None, expected, seen, before=before, after=after, widths=widths)
    return [fact for fact in _written(wrong.observations()) if not (residue and fact["kind"] in _OF_WHOLE_NUMBERS)]


def _facts(verdict: dict[str, Any], found: dict[str, Any]) -> list[Any]:
    """VerdictFacts about a divergence; none but for a result or a step of a model."""
    try:
        expected, seen = int(found["expected"], 16), int(found["seen"], 16)
    except ValueError:  # unknown, or with bits that are x
        return []
    if found["step"] is None and found["signal"] not in ("result", "residue"):
        return []
    multiplier = multiplier_of(verdict)
    if not is_observed(multiplier):
        return []
    pair = _pair([found["a"], found.get("b", "0x0")])
    neighbours = _pair(found.get("before")), _pair(found.get("after"))
    assert pair is not None
    if found["step"] is not None:
        return _of_step(multiplier, pair, (found["step"][0], tuple(found["step"][1])), expected, seen)
    return said_of(multiplier, pair, expected, seen, neighbours, residue=found["signal"] == "residue")


def multiplier_of(verdict: dict[str, Any]) -> Multiplier:
    """The multiplier of a verdict, which may have parameters of a core besides those of the model."""
    own = {parameter.name for parameter in model_of(verdict["model"]).parameters}
    return document_multiplier(
        {**verdict, "params": {name: value for name, value in verdict["params"].items() if name in own}}
    )


def _pair(operands: Sequence[str] | None) -> Pair | None:
    """Operands as numbers; b is 0 for a model without it."""
    return None if operands is None else (int(operands[0], 16), int([*operands, "0x0"][1], 16))


def _written(observations: Iterable[Observation]) -> list[Any]:
    return [members(VerdictFact, kind=kind, text=text) for kind, text in observations]


def _of_step(multiplier: Multiplier, pair: Pair, step: tuple[str, Index], expected: int, seen: int) -> list[Any]:
    """VerdictFacts about a wrong value of a step, if the value is the whole step."""
    model, params = multiplier.model, multiplier.params
    if model.work(params) > MOST_STEPS:
        return []
    run = model.run(params, *pair)
    if run.values.get(step) != expected:
        return []
    return _written(Wrong(multiplier, *pair, step, expected, seen, run=run).observations())
