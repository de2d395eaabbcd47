# SPDX-License-Identifier: Apache-2.0
"""The few lines in which each model is shown to people compute what the model does."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.model import Model
from limbtrace.refmodels.registry import MODELS
from limbtrace.rtl_bridge.binding.bind import names_of
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import multipliers, products

MOST_LINES = 20
OTHER_INTEGERS = {"tail": 1, "final": "unreduced"}
"""Settings with which a model returns another integer of the same residue."""


def called(multiplier: Multiplier, a: int, b: int) -> int:
    """The result of the pseudocode of a model, which takes parameters by their names."""
    model, params = multiplier.model, multiplier.params
    assert model.pseudocode is not None
    first = [*model.given(a, b), *([multiplier.modulus.modulus] if model.has_modulus else [])]
    names = names_of(multiplier)
    wanted = list(inspect.signature(model.pseudocode).parameters)[len(first) :]
    return model.pseudocode(*first, **{name: names.get(name, getattr(params, name, None)) for name in wanted})


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.id)
def test_pseudocode_is_short(model: Model) -> None:
    assert model.pseudocode is not None
    assert len(inspect.getsource(model.pseudocode).splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
def test_pseudocode_computes_what_the_model_does(name: str, data: st.DataObject) -> None:
    multiplier = data.draw(multipliers((name,), max_bits=80, max_digits=6))
    a, b = map(int, data.draw(products(multiplier)))
    found, result = called(multiplier, a, b), multiplier.model.run(multiplier.params, a, b).result
    other = any(multiplier.settings.get(name) == value for name, value in OTHER_INTEGERS.items())
    if multiplier.modulus and (other or multiplier.model.by_digits):
        assert (found - result) % multiplier.modulus.modulus == 0
    else:
        assert found == result
