# SPDX-License-Identifier: Apache-2.0
"""Requests generated from the OpenAPI document: valid ones, invalid ones, and everything in between."""

from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance

from limbtrace.service.app import create_app
from tests.patience import PATIENCE
from tests.sample import FULL

# The full matrix also makes, for each keyword of a schema, a case that keeps it and one that does not: about 4,000.
CONFIG = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": FULL}}})
SCHEMA = schemathesis.openapi.from_dict(create_app().openapi(), config=CONFIG)

# A schema restricts single parameters. Valid combinations of moduli, radices and digit counts, and the consistency of
# documents, are checked by the service with 422, so a request that the schema allows may be rejected.
EXCLUDED: list[Any] = [positive_data_acceptance]


# A request takes far less than in the full matrix, which is where durations come from.
@pytest.mark.budget
@SCHEMA.parametrize()
@settings(max_examples=3, derandomize=True, database=None, deadline=None)
def test_answers_are_as_documented(case: schemathesis.Case[Any], url: str) -> None:
    """No service failure; status, media type, headers and body conform to OpenAPI; wrong data are rejected."""
    case.call_and_validate(base_url=url, excluded_checks=EXCLUDED, timeout=PATIENCE)
