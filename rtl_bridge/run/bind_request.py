# SPDX-License-Identifier: Apache-2.0
"""Which core is bound to which modulus, as it was asked for: what a simulation and a proof have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import click
from pydantic import BaseModel, ConfigDict

from limbtrace.refmodels.expressions import parse_integer
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import Core, find
from limbtrace.rtl_bridge.run.options import CommandParameters, again, option
from limbtrace.vectors.cli import modulus_options
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import merge_settings


def _settings(_: str, given: CommandParameters) -> dict[str, str]:
    return merge_settings(given["radix"], given["pairs"])


def _build(name: str, given: CommandParameters) -> dict[str, int]:
    return {key: parse_integer(value, key) for key, value in merge_settings(None, given[name]).items()}


def _replayed_core(asked: BindRequest, bound: Bound, _: int) -> Sequence[str]:
    return [asked.core]


def _replayed_prime(asked: BindRequest, bound: Bound, _: int) -> Sequence[str]:
    return again("prime", bound.multiplier.prime)


def _replayed_settings(asked: BindRequest, bound: Bound, _: int) -> Sequence[str]:
    """All of them, as they were settled; those asked for where other moduli settle the rest."""
    named = dict(asked.settings if asked.binds_other_moduli else bound.settings)
    radix = again("radix", named.pop("radix", None))
    return [*radix, *again("set", named)]


class BindRequest(BaseModel):
    """The core, the modulus, and parameters of the model and of the RTL."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    core: Annotated[str, option("core", declare=click.argument("core"), replay=_replayed_core)]
    """Name of a built-in core, or path of a folder."""

    prime: Annotated[str, option("core", declare=modulus_options, replay=_replayed_prime)]

    settings: Annotated[Mapping[str, str | int], option("core", read=_settings, replay=_replayed_settings)] = {}
    """Parameters of the model, and those that only the hardware has."""

    build: Annotated[
        Mapping[str, int],
        option("core", read=_build, multiple=True, metavar="NAME=VALUE", help="An RTL parameter; repeatable."),
    ] = {}
    """RTL parameters other than those of core.toml."""

    allow_outside: Annotated[
        bool, option("core", is_flag=True, help="Allow sources outside the core's folder, including via symlinks.")
    ] = False

    @property
    def binds_other_moduli(self) -> bool:
        """True if the core is bound to other moduli, too."""
        return False

    def find(self) -> Core:
        """The core. Raises ParameterError."""
        return find(self.core, allow_outside=self.allow_outside)

    def bind(self, core: Core, stream: int | None = None, like: Bound | None = None, *, single: bool = True) -> Bound:
        """Bind the core to the modulus.

        `stream`: products of a stream, if the core takes several; None: as many as it takes. `like`: this core,
        bound before; with the same RTL parameters and watched signals its RTL is not elaborated again. `single`: the
        next product waits for the result, where products are told apart by their order alone.

        Raises ParameterError, ToolError where the compiler that looks into designs is missing.
        """
        try:
            from limbtrace.rtl_bridge.binding.bind import (
                bind,  # a simulator's process binds nothing, and need not wait for the compiler
            )
        except ModuleNotFoundError as error:
            sentence = f"to look into a core takes {error.name}, which is not installed: pip install 'limbtrace[sim]'"
            raise ToolError(sentence) from None
        return bind(core, self.prime, self.settings, self.build, stream, like, single=single)
