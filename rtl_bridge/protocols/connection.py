# SPDX-License-Identifier: Apache-2.0
"""The contribution of a protocol to the shell: its SystemVerilog, and the rules of its handshake."""

from dataclasses import dataclass, field
from typing import NamedTuple


class HandshakeRule(NamedTuple):
    """The required level of a handshake output in every cycle in which `when` is true, from the first reset on.

    With `value` the rule is about a value of several bits, such as that of a register behind a bus. Then it is broken
    whenever `when` is true, and `level` is what reports say should have been there.
    """

    name: str
    """The output: a port, or a signal inside; with `value` the name in reports."""
    level: int | None
    """The required level or value; None: any, but not x."""
    when: str
    """An expression in SystemVerilog, over the signals that the lines of `Protocol.connect` may use, and `reset_over`:
    the last reset ended at least two cycles ago."""
    why: str
    """The reason, as half a sentence for reports."""
    moves: bool = False
    """True if the rule forbids only to leave the level: an output that has left it earlier may stay away."""
    from_reset: bool = False
    """With `moves`, whether a reset may take the output away from the level."""
    lenient: bool = False
    """True if a violation between the first reset and the first start is a warning."""
    value: str = ""
    """The value in reports, an expression of `width` bits; empty for a rule about the level of an output."""
    width: int = 1
    """Bits of the value, at most 64."""


@dataclass
class Connection:
    """The text of the shell between its sequencer and the core."""

    inputs: dict[str, str]
    """For each input port of the core that the protocol drives, the expression that drives it."""
    lines: list[str]
    """SystemVerilog; see `Protocol.connect`."""
    looked_at: dict[str, str] = field(default_factory=dict)
    """For each group of inputs that may be unknown at times (`Shell.or_noise`), the condition under which the core
    may sample them."""
    rules: tuple[HandshakeRule, ...] = ()
    """The rules that the handshake outputs obey; the first violation is reported."""
    number: str = ""
    """The place in the stream of the product whose operands are on the ports; empty with one product at a time."""
    given: str = ""
    """The condition that the core is given something, after which its reset may not last any longer: an operand, a
    word of one, a start. Empty: its reset ends before that."""
    lasting: str = ""
    """A net of the protocol that is to be high while the reset lasts for that; empty if it asks for none."""

    def __add__(self, other: "Connection") -> "Connection":
        inputs, looked_at = self.inputs | other.inputs, self.looked_at | other.looked_at
        lines, rules = self.lines + other.lines, self.rules + other.rules
        given = " | ".join(filter(None, (self.given, other.given)))
        number, lasting = self.number or other.number, self.lasting or other.lasting
        return Connection(inputs, lines, looked_at, rules, number, given, lasting)
