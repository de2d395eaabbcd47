# SPDX-License-Identifier: Apache-2.0
"""Models that return what a core without steps returns: the registers of the core may hold the steps of one of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import MODELS
from limbtrace.refmodels.settings import Given
from limbtrace.rtl_bridge.binding.bind import bind
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import load
from limbtrace.vectors.request import Multiplier

MOST_DIGIT = 256
"""Bits of a digit at most."""


def alike(folder: Path, primes: Sequence[str]) -> tuple[str, ...]:
    """Models, as options, that return the same integers for the operands of a core, modulo each of these numbers.

    They step through their algorithm, with digits of as many bits as a number among the RTL parameters. Empty for a
    core that is described by such a model already, or whose results are only congruent to those of its model.
    """
    try:
        core = load(folder)
        bounds = [bind(core, prime, {}, {}) for prime in primes]
    except ParameterError:
        return ()
    if not bounds[0].multiplier.model.result_alone or core.file.compare != "result" or core.file.signed:
        return ()
    digits = sorted({value for value in core.file.build.values() if isinstance(value, int) and 1 < value <= MOST_DIGIT})
    return tuple(
        " ".join([name, *(f"--radix {text}" for text in given.values())])
        for name, given in _candidates(digits)
        if all(_returns_the_same(name, given, bound) for bound in bounds)
    )


def _candidates(digits: Sequence[int]) -> Iterator[tuple[str, Given]]:
    for model in MODELS.values():
        if model.result_alone or not model.has_modulus or model.chain is not None:
            continue
        if any(parameter.name == "radix" and parameter.default != "2^1" for parameter in model.parameters):
            yield from ((model.id, {"radix": f"2^{bits}"}) for bits in digits)
        else:
            yield model.id, {}


def _returns_the_same(name: str, given: Given, bound: Bound) -> bool:
    """True if the model takes the operands of the core, has the same R, and returns integers below the modulus, too."""
    own = bound.multiplier
    try:
        other = Multiplier.resolve(name, own.prime, given)
    except ParameterError:
        return False
    takes = all(limit <= most for limit, most in zip(bound.limits, other.params.limits, strict=True))
    kind = (own.model.reduced_value, own.params.domain) == (other.model.reduced_value, other.params.domain)
    return takes and kind and max(own.params.result_limit, other.params.result_limit) <= own.modulus.modulus
