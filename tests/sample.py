# SPDX-License-Identifier: Apache-2.0
"""Parameters of slow tests, of which the full matrix alone tries all."""

from collections.abc import Iterable
from typing import Any

import pytest


def sample(values: Iterable[Any], of: int) -> list[Any]:
    """All values for `parametrize`: one of so many, from the first on, is always tried, the others with --full."""
    return [value if at % of == 0 else full(value) for at, value in enumerate(values)]


def full(value: Any) -> Any:
    """One value, or a tuple of them for as many names, that is tried with --full alone."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.full)
