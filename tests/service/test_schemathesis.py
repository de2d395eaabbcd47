# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document as a description of what to try: right requests, wrong ones, and everything in between."""

from typing import Any

import schemathesis
from hypothesis import settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service.app import create_app
from tests.patience import PATIENCE

SCHEMA = schemathesis.openapi.from_dict(create_app().openapi())

# A schema says what one parameter may be; which moduli, radices and digit counts go together, and what a document must
# add up to, is said by the 422. So a request that the schema allows may be refused.
EXCLUDED: list[Any] = [positive_data_acceptance]


@SCHEMA.parametrize()
@settings(max_examples=8, derandomize=True, database=None, deadline=None)
def test_answers_are_as_documented(case: schemathesis.Case[Any], url: str) -> None:
    """No failure of the service; status, media type, headers and body as OpenAPI says; wrong data are refused."""
    case.call_and_validate(base_url=url, excluded_checks=EXCLUDED, timeout=PATIENCE)
