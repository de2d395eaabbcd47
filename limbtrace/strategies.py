# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for property tests of one's own (extra `strategies`).

Multipliers are those of this package; operands are biased to corners, and failing examples shrink towards small moduli.
A test looks like this::

    from hypothesis import given
    import limbtrace as lt

    @given(lt.strategies.cases(models=["iddmm2"]))
    def test_my_multiplier(case):
        mul, a, b = case
        assert my_multiply(mul.modulus, mul.R, a, b) == mul(a, b)
"""

from collections.abc import Sequence

from hypothesis.strategies import SearchStrategy

from limbtrace._multiplier import Multiplier
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import strategies
from limbtrace.vectors.strategies import MAX_BITS, MAX_DIGITS
from limbtrace.vectors.strategies import moduli as moduli


def multipliers(
    models: Sequence[str] = tuple(MODELS), max_bits: int = MAX_BITS, max_digits: int = MAX_DIGITS
) -> SearchStrategy[Multiplier]:
    """A model of `models` at a modulus of up to `max_bits` bits and `max_digits` digits, with settings it accepts."""
    return strategies.multipliers(models, max_bits, max_digits).map(Multiplier)


def products(mul: Multiplier) -> SearchStrategy[tuple[int, int]]:
    """Operands (a, b) that the multiplier accepts, up to its limits; b is 0 for a model that takes none."""
    return strategies.products(mul.resolved)


def happenings(mul: Multiplier, event: str | None = None) -> SearchStrategy[tuple[int, int, str]]:
    """(a, b, label): operands that make events of the model happen, or one such as "q[3]=max".

    Raises ParameterError for an event that is none, or not reachable.
    """
    return strategies.happenings(mul.resolved, event)


def cases(
    models: Sequence[str] = tuple(MODELS), max_bits: int = MAX_BITS, max_digits: int = MAX_DIGITS
) -> SearchStrategy[tuple[Multiplier, int, int]]:
    """(multiplier, a, b): a multiplier and the operands of one product."""
    return strategies.cases(models, max_bits, max_digits).map(lambda case: (Multiplier(case[0]), *case[1:]))
