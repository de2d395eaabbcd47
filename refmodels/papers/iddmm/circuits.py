# SPDX-License-Identifier: Apache-2.0
"""Both architectures of section 4 of the IDDMM paper as registers, memory and adders that are clocked.

They know no schedule, so that the schedules can be compared with them. A `Mistake` builds what the text says where that
does not work.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

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


@dataclass
class Circuit:
    """One product in one of the architectures.

    A token passes through the stages with every digit: (real or preparing q, number of the digit).
    """

    params: Iddmm
    levels: int
    x: Sequence[int]
    y: Sequence[int]
    mistake: Mistake | None = None
    i: int = 0
    t: int = 0
    r: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*CARRIES, "q", "An", *LEVELS), 0))
    """Registers."""
    a: list[int] = field(default_factory=list)
    """The memory of the accumulator."""
    tokens: list[tuple[bool, int]] = field(default_factory=lambda: [(False, 0)] * 3)
    rows: list[dict[str, int]] = field(default_factory=list)
    """For each cycle the outputs of the adders, the write port, and the registers after the edge."""

    def __post_init__(self) -> None:
        self.k, self.n = self.params.radix_bits, self.params.digits
        self.a = [0] * self.n
        self.p = [*self.params.modulus_digits, 0]

    def clock(self) -> None:
        """One cycle: the adders settle, the row is recorded, the clock edge follows."""
        n, r, beta = self.n, self.r, 1 << self.k
        busy = self.i < self.params.passes
        loads_q = busy and self.t == self.levels
        j = max(self.t - 1 - self.levels, 0) if busy else 0
        self.tokens = [(busy and self.t > self.levels, j), *self.tokens[:2]]
        adders, last = self.tokens[min(self.levels, 1)], self.tokens[self.levels]
        product_x, product_r = self.x[j] * self.y[self.i] if busy else 0, r["q"] * self.p[j] if busy else 0
        word = r["An"] if j == n else self.a[j] if busy and self.i else 0
        px, pr, ad = (r["PX"], r["PR"], r["AD"]) if self.levels else (product_x, product_r, word)
        s, c = self.sums(ad, px, pr)
        s_last, c_last = (r["SR"], r["RR"]) if self.levels == 2 else (s, c)
        u = self.last_sum(s_last, c_last)
        write = last[0] and last[1] > 0
        row = {"S": s, "R": c, "U": u, "A_we": int(write)}
        if write:
            address = last[1] - 1
            row |= {"A_addr": address, "A": u % beta}
            self.a[address] = u % beta
            if busy and self.i and j == address and j < n and self.mistake is not Mistake.NO_BYPASS:
                word = u % beta
        new = {"PX": product_x, "PR": product_r, "AD": word, "SR": s, "RR": c, "CD": r["C"]}
        if loads_q:
            new["q"] = s_last % beta * self.params.digit_inverse % beta
        early = loads_q and self.mistake is Mistake.ENABLED
        if adders[0] or early:
            new |= self.carries(s, c, self.cleared(adders))
        if last[0] or early:
            new |= self.last_carry(u, self.cleared(last))
            if last[0] and last[1] == n:
                new["An"] = self.out(s_last, c_last, u)
        self.r = {**r, **new}
        self.t += 1
        if self.t == n + 2 + self.levels:
            self.t, self.i = 0, self.i + 1
        self.rows.append({**row, **self.r})

    def run(self) -> int:
        """The result: the accumulator after the last edge."""
        for _ in range(self.params.passes * (self.n + 2 + self.levels) + self.levels):
            self.clock()
        return sum(digit << (self.k * j) for j, digit in enumerate([*self.a, self.r["An"]]))

    def cleared(self, token: tuple[bool, int]) -> bool:
        """True if the edge clears carries instead of loading them: those out of digit n."""
        return token[1] == self.n and self.mistake is not Mistake.KEPT

    def sums(self, a: int, x: int, q: int) -> tuple[int, int]:
        """The outputs of the adders S and R."""
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


class Circuit1(Circuit):
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


class Circuit2(Circuit):
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


CIRCUITS: dict[str, type[Circuit]] = {"iddmm_arch1": Circuit1, "iddmm_arch2": Circuit2}
"""By the id of the architecture."""


def circuit(architecture: str, shape: Shape, a: int, b: int, mistake: Mistake | None = None) -> Circuit:
    """The circuit for a product, before the first cycle."""
    x, y = shape.params.split(a, b)
    return CIRCUITS[architecture](shape.params, shape.own["pipeline"], x, y, mistake)
