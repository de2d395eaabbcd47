# SPDX-License-Identifier: Apache-2.0
"""The FPMM paper: common parts of its algorithms, and its Algorithm 3 for the size and timing of a unit.

Times are in clock cycles, counted as in the paper: word 0 of the first operands is on the ports in cycle 1, and the
last word of a result is on the output port in cycle lambda.
"""

import re
from dataclasses import dataclass

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.model import Source

DSP_BITS = 17
"""Unsigned width of the factors of a DSP block, in bits."""
WIDTHS = (17, 34, 51, 68)
"""Word widths of Algorithm 3. The paper has figures for 34 only."""
CODE_WIDTH = 34
"""Word width that specification codes imply."""
EPSILON = {"F": 8, "S": 7}
"""Cycles from word 0 on the ports to the first u_0, for the fast and the small version."""
STORAGES = ("B", "D")
"""Operands in block RAM or in distributed RAM, with the same timing."""


def paper(where: str) -> Source:
    return Source(
        "G. Gallin, A. Tisserand",
        "Generation of Finely-Pipelined GF(P) Multipliers for Flexible Curve based Cryptography on FPGAs",
        f"IEEE Trans. Computers 68(11), 2019, {where}",
    )


def words(bits: int, w: int) -> int:
    """s, the number of w-bit words that hold 4P for every P of that many bits."""
    return -(-(bits + 2) // w)


def dsp_digits(w: int) -> int:
    """r, the number of DSP digits in a word."""
    return -(-w // DSP_BITS)


def quotient_steps(r: int) -> int:
    """Number of digit products that one DSP block of task 2 computes for a word of q, one per cycle."""
    return r * (r + 1) // 2


def loop(r: int) -> int:
    """Least loop, in cycles, of a pipeline like our architecture's: DSP blocks with three registers, sums in logic."""
    return max(8 + quotient_steps(r), 6 + r * r) + 4


def alpha_min(w: int) -> int:
    """Least length of the loop through the three tasks, in cycles; figures confirm it only for w = 34."""
    r = dsp_digits(w)
    return 2 * r * r + 4 * r - 1


def sigma_min(w: int, theta: int) -> int:
    """Fewest logical multipliers that fill the loop, with `theta` slots each."""
    return -(-alpha_min(w) // theta)


@dataclass(frozen=True)
class Design:
    """One unit of Algorithm 3 as corrected. Raises ParameterError for one that cannot be built."""

    s: int
    """words of an element"""
    sigma: int
    """logical multipliers"""
    theta: int
    """slots from one logical multiplier to the next: s with the latency reduction, s + 1 without"""
    w: int = CODE_WIDTH
    """bits of a word"""
    version: str = "F"
    """F fast, S small"""
    storage: str = "B"
    """B block RAM, D distributed RAM"""

    def __post_init__(self) -> None:
        for name, value, choices in (("version", self.version, EPSILON), ("storage", self.storage, STORAGES)):
            if value not in choices:
                raise ParameterError(name, f"{shown(value)} is none of {', '.join(choices)}")
        if self.w not in WIDTHS:
            raise ParameterError("w", f"{self.w} is none of {', '.join(map(str, WIDTHS))}")
        if self.s < 2:
            raise ParameterError("s", f"a unit has at least 2 words, not {self.s}")
        if self.theta not in (self.s, self.s + 1):
            raise ParameterError(
                "theta", f"{self.theta} is neither s = {self.s}, with the latency reduction, nor s + 1, without it"
            )
        if self.sigma < self.sigma_min:
            raise ParameterError(
                "sigma",
                f"{self.sigma} times theta = {self.theta} is less than the loop of {self.alpha_min} cycles; words of "
                f"{self.w} bits need sigma >= {self.sigma_min}",
            )

    @classmethod
    def parse(cls, code: str, bits: int) -> "Design":
        """The unit of a specification code such as F44B, for moduli of `bits` bits: version, sigma, theta, storage."""
        found = re.fullmatch(r"([FS])([1-9])([1-9])([BD])", code)
        if found is None:
            raise ParameterError("code", f"{shown(code)} is not F or S, sigma, theta, and B or D, such as F44B")
        version, sigma, theta, storage = found.groups()
        return cls(words(bits, CODE_WIDTH), int(sigma), int(theta), version=version, storage=storage)

    @property
    def code(self) -> str | None:
        """The specification code; None if sigma or theta has two digits, or w is not the standard width."""
        if self.w != CODE_WIDTH or max(self.sigma, self.theta) > 9:
            return None
        return f"{self.version}{self.sigma}{self.theta}{self.storage}"

    @property
    def r_bits(self) -> int:
        """m: an element has s words, and R = 2^m."""
        return self.s * self.w

    @property
    def alpha_min(self) -> int:
        return alpha_min(self.w)

    @property
    def sigma_min(self) -> int:
        return sigma_min(self.w, self.theta)

    @property
    def alpha(self) -> int:
        """Length of the loop, in cycles: one visit of each logical multiplier."""
        return self.sigma * self.theta

    @property
    def padding(self) -> int:
        """Number of word registers that lengthen the loop beyond its minimum."""
        return self.alpha - self.alpha_min

    @property
    def epsilon(self) -> int:
        return EPSILON[self.version]

    @property
    def latency(self) -> int:
        """lambda: from word 0 of the operands on the ports to the last word of the result, both cycles counted."""
        return self.alpha * (self.s - 1) + self.alpha_min + self.s + self.epsilon

    @property
    def interval(self) -> int:
        """tau: cycles between two products of the same logical multiplier."""
        return self.alpha * self.s

    def time(self, products: int) -> int:
        """Lambda(k): cycles for k >= 1 independent products."""
        turns, others = divmod(products - 1, self.sigma)
        return self.interval * turns + self.theta * others + self.latency

    @property
    def dsps(self) -> int:
        """DSP blocks: r^2 each for tasks 1 and 3, and enough for task 2 to find one quotient digit per theta slots."""
        r = dsp_digits(self.w)
        return 2 * r * r + -(-quotient_steps(r) // self.theta)

    @property
    def rtl(self) -> dict[str, int]:
        """Parameters of our core."""
        return {
            "W": self.w,
            "S": self.s,
            "Sigma": self.sigma,
            "Theta": self.theta,
            "Fast": int(self.version == "F"),
            "Dram": int(self.storage == "D"),
        }
