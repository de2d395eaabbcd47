# SPDX-License-Identifier: Apache-2.0
"""The base of every table of a `core.toml`, and common limits."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from limbtrace.rtl_bridge.interface.verilog_words import unreserved

_NAME = r"[A-Za-z_][A-Za-z0-9_$]*"
_PORT = f"^{_NAME}$"
VerilogName = Annotated[str, Field(pattern=_PORT), AfterValidator(unreserved)]
_PART = rf"{_NAME}(\[[0-9]+\])?"
_SIGNAL = rf"^{_PART}(\.{_PART})*$"
SignalName = Annotated[str, Field(pattern=_SIGNAL)]
"""A name below the top of the core: instances, blocks and the signal itself, each with an optional index."""
LIBRARY = r"^[A-Za-z](_?[A-Za-z0-9])*$"
SAID_OF_PATTERNS = {
    LIBRARY: "takes a name of VHDL",
    _PORT: "takes a Verilog name",
    _SIGNAL: "takes the name of a signal, such as u_core.sum_q[1]; an expression is a wire of the core or its probe",
}
"""Message for a text that does not match, by pattern."""
Formula = Annotated[str, Field(min_length=1)] | int
Order = Literal["low-first", "high-first"]
COUNT_BITS = 16
"""Width of a word count in the shell, in bits."""
SLACK = 256
"""Cycles allowed in addition to those of a product, for stalls and handshakes."""


class Table(BaseModel):
    """A table of a `core.toml`; unknown keys are rejected."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True)
