# SPDX-License-Identifier: Apache-2.0
"""Which models with several numbers explain products, and which port has which number."""

from random import Random

import pytest

from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.report.number_formulas import (
    NumberSample,
    number_formulas,
    number_models,
    split_numbers,
)

CASES = [
    ("butterfly_ct", {}),
    ("butterfly_ct", {"r": 16}),
    ("butterfly_gs", {"halve": 1}),
    ("butterfly_gs", {"r": 13, "halve": 1}),
    ("modmac", {}),
]


def samples(name: str, settings: dict[str, int], p: int, inputs: list[int], outputs: list[int]) -> list[NumberSample]:
    """Random products of a model whose numbers are on these ports."""
    model, drawn = MODELS[name], Random(1)
    params = model.resolve(p, settings)
    found = []
    for _ in range(16):
        numbers = [drawn.randrange(p) for _ in inputs]
        low, high, b = numbers
        result = split_numbers(model.result(params, low + p * high, b), p, len(outputs))
        given, seen = [0] * len(inputs), [0] * len(outputs)
        for value, at in [*zip(numbers, inputs, strict=True)]:
            given[at] = value
        for value, at in zip(result, outputs, strict=True):
            seen[at] = value
        found.append(NumberSample((*given,), (*seen,)))
    return found


@pytest.mark.parametrize("p", [3329, 8380417, 2**255 - 19])
@pytest.mark.parametrize(("name", "settings"), CASES)
@pytest.mark.parametrize(("inputs", "turned"), [([0, 1, 2], False), ([2, 0, 1], True), ([1, 0, 2], True)])
def test_every_assignment_of_ports_is_found(
    name: str, settings: dict[str, int], p: int, inputs: list[int], turned: bool
) -> None:
    outputs = [*range(len(MODELS[name].numbers_of("result")))][:: -1 if turned else 1]
    found = number_formulas(samples(name, settings, p, inputs, outputs), p)
    assert (name, settings, (*inputs,), (*outputs,)) in [
        (one.model.id, one.settings, one.inputs, one.outputs) for one in found
    ]
    assert {one.model.id for one in found} == {name}
    assert len(found) == (1 if name == "butterfly_gs" else 2)  # both factors of a product are alike


@pytest.mark.parametrize(("name", "settings"), CASES)
@pytest.mark.parametrize("offset", [1, 3329], ids=["wrong", "not reduced"])
def test_wrong_numbers_leave_the_formula_of_the_others(name: str, settings: dict[str, int], offset: int) -> None:
    count = len(MODELS[name].numbers_of("result"))
    right = samples(name, settings, 3329, [0, 1, 2], [*range(count)])

    def wrong(sample: NumberSample, place: int) -> NumberSample:
        return NumberSample(sample.given, (*(x + offset * (at == place) for at, x in enumerate(sample.seen)),))

    for place in range(count):
        found = number_formulas([*right[:2], *(wrong(sample, place) for sample in right[2:13]), *right[13:]], 3329)
        assert {(one.model.id, one.right) for one in found} == {(name, 5)}
        assert number_formulas([wrong(sample, place) for sample in right[:13]] + right[13:], 3329) == []
        assert number_formulas([wrong(sample, place) for sample in right], 3329) == []


def test_models_by_their_numbers() -> None:
    assert [model.id for model in number_models(3, 2)] == ["butterfly_ct", "butterfly_gs"]
    assert [model.id for model in number_models(3, 1)] == ["modmac"]
    assert number_models(2, 1) == []
    assert number_formulas([], 3329) == []


def test_a_text_names_ports() -> None:
    (one,) = number_formulas(samples("butterfly_gs", {"r": 16, "halve": 1}, 3329, [2, 0, 1], [1, 0]), 3329)
    assert one.text("xyz", "cd") == "butterfly_gs with r = 16, halve = 1, u = z, v = x, w = y; even = d, odd = c"
    assert not one.keeps_order
