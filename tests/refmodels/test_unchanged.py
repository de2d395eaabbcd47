# SPDX-License-Identifier: Apache-2.0
"""What models and schedules say beside their results changes on purpose alone."""

import json

import pytest

from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from tests.refmodels.unchanged import ARCHITECTURE_PARTS, FILE, MODEL_PARTS, of_architecture, of_model

KEPT = json.loads(FILE.read_text())
RENEW = "after an intended change, `python -m tests.refmodels.unchanged` renews tests/data/models.json"


@pytest.mark.parametrize("part", MODEL_PARTS)
@pytest.mark.parametrize("name", MODELS)
def test_models(name: str, part: str) -> None:
    assert of_model(MODELS[name], part) == KEPT["models"][name][part], RENEW


@pytest.mark.parametrize("part", ARCHITECTURE_PARTS)
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_architectures(name: str, part: str) -> None:
    assert of_architecture(ARCHITECTURES[name], part) == KEPT["architectures"][name][part], RENEW


def test_nothing_else_is_kept() -> None:
    assert [*KEPT["models"]] == [*MODELS]
    assert [*KEPT["architectures"]] == [*ARCHITECTURES]
