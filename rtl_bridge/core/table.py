# SPDX-License-Identifier: Apache-2.0
"""What every table of a `core.toml` is made of, and the numbers that all of them are measured by."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Port = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_$]*$")]
Formula = Annotated[str, Field(min_length=1)] | int
Order = Literal["low-first", "high-first"]
COUNT_BITS = 16
"""Width of a word count in the shell."""
SLACK = 256
"""Cycles granted beyond what a product takes: stalls, the handshake."""


class Table(BaseModel):
    """A table of a `core.toml`, in which unknown keys are refused."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True)
