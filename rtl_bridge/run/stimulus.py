# SPDX-License-Identifier: Apache-2.0
"""Which products a core is to be given: the options that `sim` and `export` have in common, read in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from refmodels.expressions import parse_integer
from rtl_bridge.core.core import find
from rtl_bridge.run.job import Job
from vectors.cli import modulus_options, set_options
from vectors.request import drawn_by, merge_settings


@dataclass(frozen=True)
class Stimulus:
    """The options as they were given; None where one was not."""

    core: str
    prime: str
    radix: str | None
    pairs: tuple[str, ...]
    operands: tuple[str, ...]
    count: str | None
    seed: str | None
    kind: str | None
    only: str | None
    stream: str | None
    build: tuple[str, ...]
    every_cycle: bool

    def job(self, **other: Any) -> Job:
        """The job with `other` fields of it. Raises ParameterError."""
        seeded = other.get("disturb") or find(self.core).file.stalls  # it is that of waits and disturbances, too
        asked = drawn_by(self.operands, count=self.count, kind=self.kind, seed=None if seeded else self.seed)
        numbers = {"count": self.count, "seed": self.seed, "only": self.only, "stream": self.stream}
        return Job(
            core=self.core,
            prime=self.prime,
            settings=merge_settings(self.radix, self.pairs),
            build={name: parse_integer(value, name) for name, value in merge_settings(None, self.build).items()},
            operands=self.operands,
            every_cycle=self.every_cycle,
            **{**asked, **{name: parse_integer(text, name) for name, text in numbers.items() if text is not None}},
            **other,
        )


_OPTIONS = (
    click.argument("core"),
    modulus_options,
    click.option(
        "--operands",
        multiple=True,
        metavar="A,B[@CYCLE]",
        help="A product, and when it starts if the core is word-serial; repeatable. Without it, 16 or COUNT.",
    ),
    set_options,
    click.option("--only", metavar="N", help="Run case N of the set alone, or its stream; the first is 0."),
    click.option("--stream", metavar="N", help="Products of a stream, where the core takes several; default: most."),
    click.option("--build", multiple=True, metavar="NAME=VALUE", help="An RTL parameter; repeatable."),
    click.option(
        "--every-cycle", is_flag=True, help="Without Python in the loop, compare every watched signal in every cycle."
    ),
)


def stimulus_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and the options above; `command` gets them as one Stimulus in front of its own."""

    @wraps(command)
    def collected(**given: Any) -> Any:
        own = {name: given.pop(name) for name in [*given] if name not in Stimulus.__dataclass_fields__}
        return command(Stimulus(**given), **own)

    for option in reversed(_OPTIONS):
        collected = option(collected)
    return collected
