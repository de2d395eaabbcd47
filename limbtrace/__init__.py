# SPDX-License-Identifier: Apache-2.0
"""Golden models of modular-multiplier hardware.

    >>> import limbtrace as lt
    >>> mul = lt.multiplier("iddmm2", prime="0xea7", radix="2^4")
    >>> mul(0xe8a, 0xd66)
    5311
    >>> run = mul.trace(0xe8a, 0xd66)
    >>> run["q", 0], run["S", 0, 0]
    (12, 60)
    >>> table = lt.core("iddmm_arch2").cycles(mul, [(0xe8a, 0xd66)])
    >>> table[1]["C"]
    9

This package is the public interface; what it is built on may move. Everything that cannot be served raises
ParameterError, a ValueError that names the parameter and the limit; a tool that fails raises ToolError.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from limbtrace.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from limbtrace import strategies as strategies
    from limbtrace._cases import Case, Cases
    from limbtrace._core import Core, CycleTable, core, cores
    from limbtrace._multiplier import Multiplier, Trace, TraceStep, models, multiplier, primes
    from limbtrace._scoreboard import Divergence, MismatchError, Scoreboard, scoreboard
    from limbtrace._simulation import Report, campaign, sim
    from limbtrace.refmodels.errors import ParameterError
    from limbtrace.vectors.errors import ToolError

__all__ = [
    "Case",
    "Cases",
    "Core",
    "CycleTable",
    "Divergence",
    "MismatchError",
    "Multiplier",
    "ParameterError",
    "Report",
    "Scoreboard",
    "ToolError",
    "Trace",
    "TraceStep",
    "campaign",
    "core",
    "cores",
    "models",
    "multiplier",
    "primes",
    "scoreboard",
    "sim",
    "strategies",
]

_load = lazy_exports(
    __name__,
    {
        "_cases": "Case Cases",
        "_core": "Core CycleTable core cores",
        "_multiplier": "Multiplier Trace TraceStep models multiplier primes",
        "_scoreboard": "Divergence MismatchError Scoreboard scoreboard",
        "_simulation": "Report campaign sim",
        "refmodels.errors": "ParameterError",
        "vectors.errors": "ToolError",
    },
)


def __getattr__(name: str) -> Any:
    """Load a name at its first use: a simulation needs no hypothesis, and a product no simulator."""
    return import_module("limbtrace.strategies") if name == "strategies" else _load(name)


def __dir__() -> list[str]:
    return __all__
