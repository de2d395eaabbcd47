# SPDX-License-Identifier: Apache-2.0
"""The base of every table of a `core.toml`, and common limits."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from rtl_bridge.core.verilog_words import unreserved

Port = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_$]*$"), AfterValidator(unreserved)]
_PART = r"[A-Za-z_][A-Za-z0-9_$]*(\[[0-9]+\])?"
Signal = Annotated[str, Field(pattern=rf"^{_PART}(\.{_PART})*$")]
"""A name below the top of the core: instances, blocks and the signal itself, each with an optional index."""
Formula = Annotated[str, Field(min_length=1)] | int
Order = Literal["low-first", "high-first"]
COUNT_BITS = 16
"""Width of a word count in the shell, in bits."""
SLACK = 256
"""Cycles allowed in addition to those of a product, for stalls and handshakes."""


class Table(BaseModel):
    """A table of a `core.toml`; unknown keys are rejected."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True)
