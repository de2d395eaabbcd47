# SPDX-License-Identifier: Apache-2.0
"""What the two architectures of the IDDMM paper share: when a digit is worked on, the accumulator, counts."""

from collections.abc import Mapping
from typing import Any

from refmodels import iddmm
from refmodels.architecture import Column, Control, Cost, signal
from refmodels.model import Index


class Passes:
    """Cycle -> subscripts, without pipeline levels: one digit a cycle, q and the carries in registers.

    Pass i takes n + 2 cycles. In local cycle t = 0 the quotient digit is found; in t = j + 1 the adders work on digit
    j, and from j = 1 on digit j - 1 of the accumulator is written. Carry registers are cleared when digit n passes.
    """

    def __init__(self, params: iddmm.Iddmm) -> None:
        self.k, self.n = params.radix_bits, params.digits
        self.period = self.n + 2

    def quotient(self, cycle: int) -> Index:
        """The quotient digit in its register."""
        return cycle // self.period, 0

    def addressed(self, cycle: int) -> Index:
        """The digit that the memories show, digit 0 while q is found."""
        i, t = divmod(cycle, self.period)
        return i, max(t - 1, 0)

    def digit(self, cycle: int) -> Index | None:
        """The digit that is worked on; while q is found, nobody cares."""
        i, t = divmod(cycle, self.period)
        return (i, t - 1) if t else None

    def carry_out(self, cycle: int) -> Index | None:
        """The carry out of that digit, named by the digit that it goes into."""
        i, t = divmod(cycle, self.period)
        return (i, t) if t else None

    def carry(self, cycle: int) -> Index:
        """The carry in its register, which the edge at the end of digit n clears."""
        i, t = divmod(cycle, self.period)
        return i, t % (self.n + 1)

    def top(self, cycle: int) -> Index:
        """Digit n of the accumulator in its register."""
        return (cycle + 1) // self.period, self.n

    def _written(self, cycle: int) -> Index | None:
        i, t = divmod(cycle, self.period)
        return (i + 1, t - 2) if t > 1 else None

    def _address(self, cycle: int) -> int | None:
        t = cycle % self.period
        return t - 2 if t > 1 else None

    @property
    def write_port(self) -> tuple[Column, ...]:
        """Enable, address and data of the accumulator's memory."""
        return (
            Control("A_we", 1, "combinational", lambda c: int(c % self.period > 1)),
            Control("A_addr", self.n.bit_length(), "combinational", self._address),
            signal("A", self.k, "combinational", "A", self._written),
        )


def cycles(params: iddmm.Iddmm) -> int:
    """T(n + 2)."""
    return params.passes * (params.digits + 2)


def interval(params: iddmm.Iddmm) -> int:
    """A start is taken in the cycle of done."""
    return cycles(params) + 1


CYCLES = Cost("cycles", "clock cycles", "T(n + 2)", cycles)
MULTIPLIERS = Cost("multipliers", "k x k", "X_j*Y_i, q*p_j, p'*S_0 (low half)", lambda params: 3)

PUBLISHED: Mapping[str, Mapping[str, Any]] = {
    "cycles": {"1024 bits, k = 4, 8, 16, 32, 64": [66048, 16640, 4224, 1088, 288]},
    "multipliers": {"18 x 18 or DSP48E, k = 16, 32, 64": [4, 11, 33]},
}
"""Figures that hold for both."""
