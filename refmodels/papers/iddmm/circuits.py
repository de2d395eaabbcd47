# SPDX-License-Identifier: Apache-2.0
"""Both architectures of section 4 of the IDDMM paper as registers, memory and adders that are clocked.

They know no schedule, so that the schedules can be compared with them. A `Mistake` builds what the text says where that
does not work.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from limbtrace.refmodels.architecture import Shape
from limbtrace.refmodels.papers.iddmm.family import Iddmm

CARRIES = ("CS", "CR", "CU", "C", "CD")
"""Those of the adders of architecture 1, that of architecture 2, and its value one edge earlier."""
LEVELS = ("PX", "PR", "AD", "SR", "RR")


class Mistake(Enum):
    """A circuit that the text describes and that does not work."""

    KEPT = "carries are not cleared when a pass begins"
    ENABLED = "carries are loaded in the cycle that loads q"
    DELAYED = "C goes through one register more, as S and R do with two levels"
    BEHIND = "C_S and C_R are loaded from the second level of registers"
    NO_BYPASS = "a digit of the accumulator that is being written is read as it was before"


class PassToken(NamedTuple):
    """The companion of a digit on its way through the stages."""

    real: bool
    """False while nothing is computed, or digit 0 only prepares the quotient digit."""
    digit: int
    """Number of the digit."""


@dataclass
class ProductCircuit:
    """One product in one of the architectures, cycle by cycle.

    The paper's symbols: digits of X, Y, p and of the accumulator A; the quotient digit q; S, R and U are the adders,
    C_S, C_R, C_U and C their carries, and A_n is the digit of A above digit n - 1.
    """

    params: Iddmm
    levels: int
    """Pipeline levels: registers behind the multipliers, and behind their adders."""
    x: Sequence[int]
    """Digits of X."""
    y: Sequence[int]
    """Digits of Y, of which a pass takes one."""
    mistake: Mistake | None = None
    i: int = 0
    """Number of the pass."""
    t: int = 0
    """Cycle of the pass."""
    r: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*CARRIES, "q", "An", *LEVELS), 0))
    """Registers: carries, q and A_n; with levels, the products PX and PR, AD for the digit of A, and SR and RR."""
    a: list[int] = field(default_factory=list)
    """The memory of the accumulator."""
    tokens: list[PassToken] = field(default_factory=lambda: [PassToken(False, 0)] * 3)
    """Those of the stages, the first one first."""
    rows: list[dict[str, int]] = field(default_factory=list)
    """For each cycle the outputs of the adders, the write port, and the registers after the edge."""

    def __post_init__(self) -> None:
        self.k, self.n = self.params.radix_bits, self.params.digits
        self.beta = 1 << self.k
        self.a = [0] * self.n
        self.p = [*self.params.modulus_digits, 0]

    def clock(self) -> None:
        """One cycle: the adders settle, the row is recorded, the clock edge follows."""
        j = max(self.t - 1 - self.levels, 0) if self._busy else 0
        self.tokens = [PassToken(self._busy and self.t > self.levels, j), *self.tokens[:2]]
        PX, PR, AD = self.x[j] * self._y, self.r["q"] * self.p[j] if self._busy else 0, self._read(j)
        S, R = self.sums(*((self.r["AD"], self.r["PX"], self.r["PR"]) if self.levels else (AD, PX, PR)))
        S_last, R_last = (self.r["SR"], self.r["RR"]) if self.levels == 2 else (S, R)
        U = self.last_sum(S_last, R_last)
        row = {"S": S, "R": R, "U": U, **self._write(U)}
        if self.mistake is not Mistake.NO_BYPASS:
            AD = self._read(j)  # what is being written is already there
        edge = {"PX": PX, "PR": PR, "AD": AD, "SR": S, "RR": R, "CD": self.r["C"]}
        edge |= self._quotient(S_last) | self._carries(S, R) | self._last_carry(S_last, R_last, U)
        self.r = {**self.r, **edge}
        self.t += 1
        if self.t == self.n + 2 + self.levels:
            self.t, self.i = 0, self.i + 1
        self.rows.append({**row, **self.r})

    @property
    def _busy(self) -> bool:
        """True until the last pass has addressed its last digit."""
        return self.i < self.params.passes

    @property
    def _loads_q(self) -> bool:
        """True in the cycle whose edge loads q."""
        return self._busy and self.t == self.levels

    @property
    def _too_early(self) -> bool:
        """True if the edge that loads q also loads carries, by mistake."""
        return self._loads_q and self.mistake is Mistake.ENABLED

    @property
    def _y(self) -> int:
        """The digit of Y of this pass."""
        return self.y[self.i] if self._busy else 0

    def _read(self, j: int) -> int:
        """Digit j of the accumulator, which is 0 in the first pass."""
        if j == self.n:
            return self.r["An"]
        return self.a[j] if self._busy and self.i else 0

    def _write(self, U: int) -> dict[str, int]:
        """Writes a digit of the accumulator if the last stage has one: digit j of U is digit j - 1 of A. The port."""
        last = self.tokens[self.levels]
        if not last.real or last.digit == 0:
            return {"A_we": 0}
        address = last.digit - 1
        self.a[address] = U % self.beta
        return {"A_we": 1, "A_addr": address, "A": self.a[address]}

    def _quotient(self, S: int) -> dict[str, int]:
        """The value that the edge loads into q."""
        return {"q": S % self.beta * self.params.digit_inverse % self.beta} if self._loads_q else {}

    def _carries(self, S: int, R: int) -> dict[str, int]:
        """The values that the edge loads into the carries of S and R."""
        token = self.tokens[min(self.levels, 1)]
        return self.carries(S, R, self.cleared(token)) if token.real or self._too_early else {}

    def _last_carry(self, S: int, R: int, U: int) -> dict[str, int]:
        """The values that the edge loads into the carry of U, and behind digit n into A_n."""
        last = self.tokens[self.levels]
        loaded = self.last_carry(U, self.cleared(last)) if last.real or self._too_early else {}
        return {**loaded, "An": self.out(S, R, U)} if last.real and last.digit == self.n else loaded

    def run(self) -> int:
        """The result: the accumulator after the last edge."""
        for _ in range(self.params.passes * (self.n + 2 + self.levels) + self.levels):
            self.clock()
        return sum(digit << (self.k * j) for j, digit in enumerate([*self.a, self.r["An"]]))

    def cleared(self, token: PassToken) -> bool:
        """True if the edge clears carries instead of loading them: those out of digit n."""
        return token.digit == self.n and self.mistake is not Mistake.KEPT

    def sums(self, a: int, x: int, q: int) -> tuple[int, int]:
        """The outputs of the adders S and R, given a digit of A, a product with Y and one with q."""
        raise NotImplementedError

    def last_sum(self, s: int, r: int) -> int:
        """The output of the adder U."""
        raise NotImplementedError

    def carries(self, s: int, r: int, cleared: bool) -> dict[str, int]:
        """The values that the edge loads into the carries of S and R."""
        raise NotImplementedError

    def last_carry(self, u: int, cleared: bool) -> dict[str, int]:
        """The value that the edge loads into the carry of U."""
        raise NotImplementedError

    def out(self, s: int, r: int, u: int) -> int:
        """The total carry out of digit n."""
        raise NotImplementedError


class Circuit1(ProductCircuit):
    """Architecture 1."""

    def sums(self, a: int, x: int, q: int) -> tuple[int, int]:
        return a + x + self.r["CS"], q + self.r["CR"]

    def last_sum(self, s: int, r: int) -> int:
        return s % (1 << self.k) + r % (1 << self.k) + self.r["CU"]

    def carries(self, s: int, r: int, cleared: bool) -> dict[str, int]:
        if self.mistake is Mistake.BEHIND and self.levels == 2:
            s, r = self.r["SR"], self.r["RR"]
        return {"CS": 0, "CR": 0} if cleared else {"CS": s >> self.k, "CR": r >> self.k}

    def last_carry(self, u: int, cleared: bool) -> dict[str, int]:
        return {"CU": 0 if cleared else u >> self.k}

    def out(self, s: int, r: int, u: int) -> int:
        return (s >> self.k) + (r >> self.k) + (u >> self.k)


class Circuit2(ProductCircuit):
    """Architecture 2."""

    def sums(self, a: int, x: int, q: int) -> tuple[int, int]:
        return a + x, q

    def last_sum(self, s: int, r: int) -> int:
        return s + r + self.r["CD" if self.mistake is Mistake.DELAYED else "C"]

    def carries(self, s: int, r: int, cleared: bool) -> dict[str, int]:
        return {}

    def last_carry(self, u: int, cleared: bool) -> dict[str, int]:
        return {"C": 0 if cleared else u >> self.k}

    def out(self, s: int, r: int, u: int) -> int:
        return u >> self.k


CIRCUITS: dict[str, type[ProductCircuit]] = {"iddmm_arch1": Circuit1, "iddmm_arch2": Circuit2}
"""By the id of the architecture."""


def circuit(architecture: str, shape: Shape, a: int, b: int, mistake: Mistake | None = None) -> ProductCircuit:
    """The circuit for a product, before the first cycle."""
    x, y = shape.params.split(a, b)
    return CIRCUITS[architecture](shape.params, shape.own["pipeline"], x, y, mistake)
