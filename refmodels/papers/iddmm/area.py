# SPDX-License-Identifier: Apache-2.0
"""Costs of the architectures of the IDDMM paper by its section 4.2: cells, registers, paths, cycles, DSP blocks.

An architecture is 1 or 2, with 0, 1 or 2 pipeline levels. Cells do not include memories and control.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from limbtrace.refmodels.papers.iddmm.blocks import CellCounts, check_width

MULTIPLIERS = ("X_j*Y_i", "q*p_j", "p'*S_0")
"""k x k bits each; only the low half of the last one is used, although the paper counts the whole."""


def multiplier(k: int) -> CellCounts:
    """MUL_k, k >= 2 a power of two: 4 MUL_(k/2) and three sums of m = k/2 bits. Raises ParameterError."""
    if check_width(k) == 2:
        return CellCounts(AND=4, HA=2)
    m = k // 2
    s1 = CellCounts(FA=2 * (m - 1), HA=3)
    s2 = CellCounts(FA=2 * m - 1, HA=m + 3)
    s3 = CellCounts(FA=1, HA=m - 1)
    return 4 * multiplier(m) + s1 + s2 + s3


def printed_adders(architecture: int, k: int) -> CellCounts:
    """The adders as counted in Table 3; those of `blocks.py` have fewer cells."""
    return CellCounts(FA=4 * k - 1, HA=3 * k + 5) if architecture == 1 else CellCounts(FA=4 * k, HA=2 * k + 4)


class LinearArea(NamedTuple):
    """per_k * k + fixed"""

    per_k: int
    fixed: int

    def at(self, k: int) -> int:
        return self.per_k * k + self.fixed

    def __str__(self) -> str:
        if not self.per_k:
            return str(self.fixed)
        return f"{'' if self.per_k == 1 else self.per_k}k" + (f"{self.fixed:+d}" if self.fixed else "")


def line(small: tuple[int, int], large: tuple[int, int]) -> LinearArea:
    """The line through two points (k, value)."""
    per_k = (large[1] - small[1]) // (large[0] - small[0])
    return LinearArea(per_k, small[1] - per_k * small[0])


_CARRIES = {1: {"CS": LinearArea(1, 0), "CR": LinearArea(1, 0), "CU": LinearArea(0, 1)}, 2: {"C": LinearArea(1, 1)}}
_LEVELS: tuple[dict[str, LinearArea], ...] = (
    {},
    {"PX": LinearArea(2, 0), "PR": LinearArea(2, 0), "AD": LinearArea(1, 0)},
    {"SR": LinearArea(2, 0), "RR": LinearArea(2, 0)},
)


def registers(architecture: int, levels: int) -> dict[str, LinearArea]:
    """Widths of the registers that Table 3 counts: neither q (k bits) nor A_n (2 bits) nor control."""
    found = dict(_CARRIES[architecture])
    for level in _LEVELS[: levels + 1]:
        found |= level
    return found


def register_bits(architecture: int, levels: int) -> LinearArea:
    """Total of flip-flops in those registers."""
    widths = registers(architecture, levels).values()
    return LinearArea(sum(width.per_k for width in widths), sum(width.fixed for width in widths))


def cells(architecture: int, levels: int, k: int) -> CellCounts:
    """All of Table 3 for one k, a power of two. Raises ParameterError."""
    flip_flops = CellCounts(FF=register_bits(architecture, levels).at(k))
    return len(MULTIPLIERS) * multiplier(k) + printed_adders(architecture, k) + flip_flops


MUL, MUL_LOW, ADD3, ADD2 = "D_MUL", "D_MULLOW", "D_ADD3", "D_ADD2"
"""Delays: multiplier, its low half, sum of three numbers, sum of two."""
_SLOWER = {MUL_LOW: MUL, ADD2: ADD3}
"""For a delay, one that is at least as long."""

_CHAINS = {
    1: ((MUL, ADD3, ADD3), (MUL, ADD2, ADD3), (MUL, ADD3, MUL_LOW)),
    2: ((MUL, ADD2, ADD3), (MUL, ADD3), (MUL, ADD2, MUL_LOW)),
}
"""X_j*Y_i through S to U, q*p_j (through R in architecture 1) to U, and X_0*Y_i through S to q."""

Path = tuple[str, ...]


def critical_path(architecture: int, levels: int) -> str:
    """The longest paths between two registers, as Table 3 writes them.

    The first pipeline level has registers after the multipliers, the second also after the adders of S and R.
    """
    stages: set[Path] = set()
    for chain in _CHAINS[architecture]:
        cuts = [0, *range(1, levels + 1), len(chain)]
        stages |= {chain[start:end] for start, end in pairwise(cuts)} - {()}
    longest = [path for path in stages if not any(path != other and _covers(other, path) for other in stages)]
    order = (MUL, ADD3, ADD2, MUL_LOW)
    longest.sort(key=lambda path: [-path.count(delay) for delay in order])
    texts = list(dict.fromkeys(_text(path, order) for path in longest))
    return texts[0] if len(texts) == 1 else f"max{{{','.join(texts)}}}"


def _covers(slow: Path, fast: Path) -> bool:
    """True if a path is at least as long as another for any delays."""
    left = Counter(slow)
    for delay in fast:
        match = delay if left[delay] else _SLOWER.get(delay, delay)
        if not left[match]:
            return False
        left[match] -= 1
    return True


def _text(path: Path, order: Sequence[str]) -> str:
    counts = [(path.count(delay), delay) for delay in order]
    return "+".join(delay if count == 1 else f"{count}*{delay}" for count, delay in counts if count)


def cycles(n: int, passes: int, levels: int) -> int:
    """passes * (n + 2 + levels)."""
    return passes * (n + 2 + levels)


def multiplier_blocks(k: int, wide: int, narrow: int) -> int:
    """Number of DSP blocks of `wide` by `narrow` unsigned bits for the three multipliers of k bits.

    Each product of two parts takes one block; p'*S_0 omits those whose lowest bit has a position of k or more.
    """
    places = [(i, j) for i in range(0, k, wide) for j in range(0, k, narrow)]
    return 2 * len(places) + sum(i + j < k for i, j in places)
